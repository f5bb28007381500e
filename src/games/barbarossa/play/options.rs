//! The options of the engine's play.

use crate::game::{Check, OptionSpec, OptionValues, Spin};
use crate::games::LEVEL;
use crate::search::FULL_LEVEL;

/// The options of the engine's play; most leave a part out, for comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// Spends jewels by plan; else always rolls.
    pub jewel_plan: bool,
    /// Spends curse tokens; else passes in every window.
    pub curses: bool,
    /// How many features a sculpture shows; 0: as play advises.
    pub features: usize,
    /// From 1 to 10, the whole engine.
    pub level: usize,
}

impl Default for PlayOptions {
    fn default() -> Self {
        PlayOptions { jewel_plan: true, curses: true, features: 0, level: FULL_LEVEL }
    }
}

const JEWEL_PLAN: Check = Check::new("Jewel Plan", true, "spend jewels by plan; else always roll");
const CURSES: Check = Check::new("Curses", true, "spend curse tokens; else pass in every window");
const FEATURES: Spin =
    Spin::new("Features", 0, 0, 8, "features a sculpture shows; 0: as play advises");

impl PlayOptions {
    /// The engine options that set them.
    pub(super) fn specs() -> Vec<OptionSpec> {
        vec![LEVEL.spec(), JEWEL_PLAN.spec(), CURSES.spec(), FEATURES.spec()]
    }

    /// Reads the engine options.
    #[must_use]
    pub fn from_options(options: &OptionValues) -> Self {
        PlayOptions {
            jewel_plan: JEWEL_PLAN.get(options),
            curses: CURSES.get(options),
            features: FEATURES.get(options) as usize,
            level: LEVEL.get(options) as usize,
        }
    }
}
