//! The list of games, and what a game needs to be on it.

#[cfg(feature = "barbarossa")]
pub mod barbarossa;
#[cfg(feature = "barca")]
pub mod barca;
#[cfg(feature = "chowka-bhara")]
pub mod chowka_bhara;
#[cfg(feature = "pacru")]
pub mod pacru;
#[cfg(feature = "porrika")]
pub mod porrika;

#[cfg(feature = "search")]
mod playable;

#[cfg(feature = "engine")]
pub use playable::Subcommand;
pub use playable::{BenchPosition, GameVisitor, NamedPlayer, Playable, UnknownPlayer};
#[cfg(feature = "search")]
pub(crate) use playable::{OWN_BOOK, PORTABLE};

/// Lists the games; every module has its position type under the name `Position`.
#[cfg(feature = "search")]
macro_rules! games {
    ($($feature:literal $module:ident),* $(,)?) => {
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

// A game joins the list once it can be played.
#[cfg(feature = "search")]
games![
    "barca" barca,
    "barbarossa" barbarossa,
    "chowka-bhara" chowka_bhara,
    "pacru" pacru,
    "porrika" porrika,
];

/// The subcommands that the program of a game has beside those of every game.
#[cfg(feature = "engine")]
#[must_use]
pub fn subcommands(name: &str) -> Vec<Subcommand> {
    match name {
        #[cfg(feature = "barbarossa")]
        "barbarossa" => barbarossa::subcommands(),
        #[cfg(feature = "chowka-bhara")]
        "chowka-bhara" => chowka_bhara::subcommands(),
        #[cfg(feature = "porrika")]
        "porrika" => porrika::subcommands(),
        _ => Vec::new(),
    }
}
