//! DOC

use super::chevrons::filling::{self, Kind};

/// The rules by which Shacru differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shacru;

/// A position of Shacru.
pub type Position = filling::Position<Shacru>;

impl Kind for Shacru {
    const NAME: &'static str = "shacru";
    const TITLE: &'static str = "Shacru";
    const SHORT_RULES: &'static str = include_str!("shacru/rules.md");
    const POWER: bool = false;
    #[cfg(feature = "search")]
    const BENCH: &'static [(&'static str, &'static str, u32)] = &[("Players=2", "startpos", 6)];
}
