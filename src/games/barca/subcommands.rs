//! The subcommands that only Barca has.

#[cfg(feature = "learning")]
mod book;
#[cfg(feature = "learning")]
mod wins;

use crate::games::Subcommand;

/// All of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![
        #[cfg(feature = "learning")]
        super::learn::record(),
        #[cfg(feature = "learning")]
        super::learn::tune(),
        #[cfg(feature = "learning")]
        super::learn::train(),
        #[cfg(feature = "learning")]
        wins::subcommand(),
        #[cfg(feature = "learning")]
        book::subcommand(),
    ]
}
