//! The options of the engine's play.

use crate::game::{OptionSpec, OptionValues};

/// The options of the engine's play; most leave a part out, for comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// Spends jewels by plan; else always rolls.
    pub jewel_plan: bool,
    /// Spends curse tokens; else passes in every window.
    pub curses: bool,
    /// How many features a sculpture shows; 0: as play advises.
    pub features: usize,
}

impl Default for PlayOptions {
    fn default() -> Self {
        PlayOptions { jewel_plan: true, curses: true, features: 0 }
    }
}

impl PlayOptions {
    /// The engine options that set them.
    pub(super) fn specs() -> Vec<OptionSpec> {
        vec![
            OptionSpec::check("Jewel Plan", true, "spend jewels by plan; else always roll"),
            OptionSpec::check("Curses", true, "spend curse tokens; else pass in every window"),
            OptionSpec::spin("Features", 0, 0, 8, "features a sculpture shows; 0: as play advises"),
        ]
    }

    /// Reads the engine options.
    #[must_use]
    pub fn from_options(options: &OptionValues) -> Self {
        let flag = |name| options.text(name) != "false";
        PlayOptions {
            jewel_plan: flag("Jewel Plan"),
            curses: flag("Curses"),
            features: options.integer("Features").clamp(0, 8) as usize,
        }
    }
}
