//! DOC

use super::chevrons::filling::{self, Kind};

/// The rules by which Azacru differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Azacru;

/// A position of Azacru.
pub type Position = filling::Position<Azacru>;

impl Kind for Azacru {
    const NAME: &'static str = "azacru";
    const TITLE: &'static str = "Azacru";
    const SHORT_RULES: &'static str = include_str!("azacru/rules.md");
    const POWER: bool = true;
    #[cfg(feature = "search")]
    const BENCH: &'static [(&'static str, &'static str, u32)] = &[("Players=2", "startpos", 6)];
}
