//! The list of games, and what a game needs to be on it.

#[cfg(feature = "azacru")]
pub mod azacru;
#[cfg(feature = "barbarossa")]
pub mod barbarossa;
#[cfg(feature = "barca")]
pub mod barca;
#[cfg(any(feature = "pacru", feature = "shacru", feature = "azacru"))]
pub mod chevrons;
#[cfg(feature = "chowka-bhara")]
pub mod chowka_bhara;
#[cfg(feature = "pacru")]
pub mod pacru;
#[cfg(feature = "porrika")]
pub mod porrika;
#[cfg(feature = "shacru")]
pub mod shacru;

#[cfg(feature = "search")]
mod playable;

#[cfg(feature = "engine")]
pub use playable::Subcommand;
#[cfg(feature = "search")]
pub use playable::{BenchPosition, GameVisitor, NamedPlayer, Playable, UnknownPlayer};
#[cfg(feature = "session")]
pub(crate) use playable::{LIMIT_STRENGTH, elo_option};
// Not every game has these.
#[cfg(feature = "search")]
#[cfg_attr(not(feature = "all-games"), allow(unused_imports))]
pub(crate) use playable::{LEVEL, OWN_BOOK, PORTABLE};

/// Calls a macro with the games, one a line: feature and name, module, and the subcommands that its
/// program has beside those of every game. Every module has its position type under the name
/// `Position`.
#[cfg(feature = "search")]
macro_rules! for_each_game {
    ($callback:ident) => {
        $callback! {
            "barca" barca [],
            "barbarossa" barbarossa [crate::games::barbarossa::recognise_subcommand],
            "chowka-bhara" chowka_bhara [crate::games::chowka_bhara::solved::subcommand],
            "pacru" pacru [],
            "porrika" porrika [crate::games::porrika::solved::subcommand],
            "shacru" shacru [],
            "azacru" azacru [],
        }
    };
}
#[cfg(feature = "engine")]
pub(crate) use for_each_game;

#[cfg(feature = "search")]
macro_rules! lookups {
    ($($feature:literal $module:ident [$($subcommand:path),*],)*) => {
        /// The names of all games that were compiled in.
        pub const NAMES: &[&str] = &[
            $(#[cfg(feature = $feature)] <$module::Position as Playable>::NAME),*
        ];

        /// Calls the visitor with the game of that name, if there is one.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(
                #[cfg(feature = $feature)]
                if name == <$module::Position as Playable>::NAME {
                    return Some(visitor.visit::<$module::Position>());
                }
            )*
            let _ = (name, visitor);
            None
        }

        /// The short rules of the game of that name, see [`Playable::SHORT_RULES`].
        #[must_use]
        pub fn short_rules(name: &str) -> Option<&'static str> {
            $(
                #[cfg(feature = $feature)]
                if name == <$module::Position as Playable>::NAME {
                    return Some(<$module::Position as Playable>::SHORT_RULES);
                }
            )*
            let _ = name;
            None
        }
    };
}

#[cfg(feature = "search")]
for_each_game!(lookups);
