//! The rule options: what may be set, and the values of one position.

use crate::game::{Combo, OptionSpec, OptionValues};

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

const SERRA_LOCK: Combo<bool> = Combo::new(
    "SerraLock",
    &[("forbid", false), ("allow", true)],
    "whether a Ser'ra may end facing a Guardian, locking both",
);
const EGG_SUICIDE: Combo<bool> = Combo::new(
    "EggSuicide",
    &[("forbid", false), ("loss", true)],
    "whether an Egg-Carrier may end facing a Ser'ra, losing at once",
);
const ENTRY: Combo<Entry> = Combo::new(
    "PorrikaEntry",
    &[("eggs", Entry::Eggs), ("copper", Entry::Copper), ("any", Entry::Any)],
    "who may end on a Por'rika",
);
const HOPELESS: Combo<bool> = Combo::new(
    "Hopeless",
    &[("silver", false), ("play", true)],
    "whether silver wins as soon as copper can no longer win",
);
const STUCK: Combo<Stuck> = Combo::new(
    "Stuck",
    &[("pass", Stuck::Pass), ("loss", Stuck::Loss), ("draw", Stuck::Draw)],
    "what happens to a side without a move while the other has one",
);
const REPETITION: Combo<bool> = Combo::new(
    "Repetition",
    &[("draw", false), ("silver", true)],
    "what the third occurrence of a position means",
);

impl RuleOptions {
    /// The rules that the option values describe.
    #[must_use]
    pub fn from_options(options: &OptionValues) -> Self {
        RuleOptions {
            serra_lock: SERRA_LOCK.get(options),
            egg_suicide: EGG_SUICIDE.get(options),
            entry: ENTRY.get(options),
            play_hopeless: HOPELESS.get(options),
            stuck: STUCK.get(options),
            repetition_wins: REPETITION.get(options),
        }
    }

    /// The options by name with their values, in the order of [`specifications`].
    pub(in crate::games::porrika) fn values(&self) -> Vec<(&'static str, String)> {
        vec![
            SERRA_LOCK.with(self.serra_lock),
            EGG_SUICIDE.with(self.egg_suicide),
            ENTRY.with(self.entry),
            HOPELESS.with(self.play_hopeless),
            STUCK.with(self.stuck),
            REPETITION.with(self.repetition_wins),
        ]
    }
}

/// The options as the protocol declares them.
pub(super) fn specifications() -> Vec<OptionSpec> {
    vec![
        SERRA_LOCK.spec(),
        EGG_SUICIDE.spec(),
        ENTRY.spec(),
        HOPELESS.spec(),
        STUCK.spec(),
        REPETITION.spec(),
    ]
}
