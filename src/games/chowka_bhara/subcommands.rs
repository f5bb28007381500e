//! The game's own subcommands.

#[cfg(feature = "learning")]
use super::learn;
use super::solve;
use crate::games::Subcommand;

/// All of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    let mut list = Vec::new();
    #[cfg(feature = "learning")]
    list.extend(learn::subcommands());
    list.extend(solve::subcommands());
    list
}
