//! The options of the engine's play.

use crate::game::{OptionSpec, OptionValues};

/// What the engine does, and what it leaves out for comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayOptions {
    /// Spends jewels by plan; else always rolls.
    pub jewel_plan: bool,
    /// Spends curse tokens; else passes in every window.
    pub curses: bool,
    /// How many features a sculpture shows; 0: as play advises.
    pub features: usize,
    /// How many NOs its guessers shall need then, in tenths: so many that the first arrows of the
    /// game, which cost the maker points, go into other objects, and so few that the arrows that
    /// bring points come in time.
    pub noes: usize,
}

impl PlayOptions {
    /// NOs in tenths unless an option says otherwise.
    pub(super) const NOES: usize = 5;
}

impl Default for PlayOptions {
    fn default() -> Self {
        PlayOptions { jewel_plan: true, curses: true, features: 0, noes: PlayOptions::NOES }
    }
}

impl PlayOptions {
    /// The engine options that set them.
    pub(super) fn specs() -> Vec<OptionSpec> {
        vec![
            OptionSpec::check("Jewel Plan", true, "spend jewels by plan; else always roll"),
            OptionSpec::check("Curses", true, "spend curse tokens; else pass in every window"),
            OptionSpec::spin("Features", 0, 0, 8, "features a sculpture shows; 0: as play advises"),
            OptionSpec::spin(
                "Wanted Noes",
                PlayOptions::NOES as i64,
                1,
                70,
                "tenths of NOs that guessers shall need for a sculpture, where Features is 0",
            ),
        ]
    }

    /// As the engine options say.
    pub fn from_options(options: &OptionValues) -> Self {
        let flag = |name| options.text(name) != "false";
        PlayOptions {
            jewel_plan: flag("Jewel Plan"),
            curses: flag("Curses"),
            features: options.integer("Features").clamp(0, 8) as usize,
            noes: match options.integer("Wanted Noes") {
                // An option that was never declared.
                ..=0 => PlayOptions::NOES,
                noes => noes as usize,
            },
        }
    }
}
