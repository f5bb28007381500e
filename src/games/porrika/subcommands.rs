//! The subcommands that only Por'rika has.

use super::solved;
use crate::games::Subcommand;

/// Every one of them.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![solved::subcommand()]
}
