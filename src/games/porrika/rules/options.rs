//! The rule options: what may be set, and the values of one position.

use crate::game::{OptionSpec, OptionValues};

/// Who may end a move on a Por'rika.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// Only Egg-Carriers.
    Eggs,
    /// Egg-Carriers and Guardians.
    Copper,
    /// Every piece.
    Any,
}

impl Entry {
    const fn value(self) -> &'static str {
        match self {
            Entry::Eggs => "eggs",
            Entry::Copper => "copper",
            Entry::Any => "any",
        }
    }
}

/// What happens to a side that cannot move while the other can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stuck {
    /// It passes.
    Pass,
    /// It loses.
    Loss,
    /// The game is drawn.
    Draw,
}

impl Stuck {
    const fn value(self) -> &'static str {
        match self {
            Stuck::Pass => "pass",
            Stuck::Loss => "loss",
            Stuck::Draw => "draw",
        }
    }
}

/// The rule options of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleOptions {
    /// Whether a Ser'ra may end facing a Guardian.
    pub serra_lock: bool,
    /// Whether an Egg-Carrier may end facing a Ser'ra, and lose.
    pub egg_suicide: bool,
    /// Who may end on a Por'rika.
    pub entry: Entry,
    /// Whether the game goes on when copper can no longer win.
    pub play_hopeless: bool,
    /// What happens to a side without a move.
    pub stuck: Stuck,
    /// Whether silver wins by a third occurrence; otherwise it is a draw.
    pub repetition_wins: bool,
}

impl Default for RuleOptions {
    fn default() -> Self {
        RuleOptions {
            serra_lock: false,
            egg_suicide: false,
            entry: Entry::Eggs,
            play_hopeless: false,
            stuck: Stuck::Pass,
            repetition_wins: false,
        }
    }
}

impl RuleOptions {
    /// The rules that the option values describe; an option that is not set has its default.
    #[must_use]
    pub fn from_options(options: &OptionValues) -> Self {
        let is = |name: &str, value: &str| options.text(name) == value;
        RuleOptions {
            serra_lock: is("SerraLock", "allow"),
            egg_suicide: is("EggSuicide", "loss"),
            entry: match options.text("PorrikaEntry") {
                "any" => Entry::Any,
                "copper" => Entry::Copper,
                _ => Entry::Eggs,
            },
            play_hopeless: is("Hopeless", "play"),
            stuck: match options.text("Stuck") {
                "loss" => Stuck::Loss,
                "draw" => Stuck::Draw,
                _ => Stuck::Pass,
            },
            repetition_wins: is("Repetition", "silver"),
        }
    }

    /// The options by name with their values, in the order of [`specifications`].
    pub(in crate::games::porrika) fn values(&self) -> [(&'static str, &'static str); 6] {
        [
            ("SerraLock", if self.serra_lock { "allow" } else { "forbid" }),
            ("EggSuicide", if self.egg_suicide { "loss" } else { "forbid" }),
            ("PorrikaEntry", self.entry.value()),
            ("Hopeless", if self.play_hopeless { "play" } else { "silver" }),
            ("Stuck", self.stuck.value()),
            ("Repetition", if self.repetition_wins { "silver" } else { "draw" }),
        ]
    }
}

/// The options as the protocol declares them.
pub(super) fn specifications() -> Vec<OptionSpec> {
    vec![
        OptionSpec::combo(
            "SerraLock",
            &["forbid", "allow"],
            "whether a Ser'ra may end facing a Guardian, locking both",
        ),
        OptionSpec::combo(
            "EggSuicide",
            &["forbid", "loss"],
            "whether an Egg-Carrier may end facing a Ser'ra, losing at once",
        ),
        OptionSpec::combo("PorrikaEntry", &["eggs", "copper", "any"], "who may end on a Por'rika"),
        OptionSpec::combo(
            "Hopeless",
            &["silver", "play"],
            "whether silver wins as soon as copper can no longer win",
        ),
        OptionSpec::combo(
            "Stuck",
            &["pass", "loss", "draw"],
            "what happens to a side without a move while the other has one",
        ),
        OptionSpec::combo(
            "Repetition",
            &["draw", "silver"],
            "what the third occurrence of a position means",
        ),
    ]
}
