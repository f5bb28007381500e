//! The game's own subcommands.

use super::solved;
use crate::games::Subcommand;

/// All of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![solved::subcommand()]
}
