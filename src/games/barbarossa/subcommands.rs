//! The subcommands that only Barbarossa has.

use super::knowledge::recognise;
use crate::games::Subcommand;

/// All of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![recognise::subcommand()]
}
