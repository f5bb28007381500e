//! The game's own subcommands.

use super::solve;
use crate::games::Subcommand;

/// All of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    solve::subcommands()
}
