//! The subcommands that only Por'rika has.

use super::solve;
use crate::games::Subcommand;

/// Every one of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![solve::subcommand()]
}
