//! The subcommands that only Barbarossa has.

mod bench_match;
mod match_statistics;

use super::knowledge::recognise;
use crate::games::Subcommand;

/// All of them, in the order of `help`.
#[must_use]
pub fn subcommands() -> Vec<Subcommand> {
    vec![bench_match::subcommand(), recognise::subcommand()]
}
