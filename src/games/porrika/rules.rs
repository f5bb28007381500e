//! The rules as the traits of a game.

use std::ops::ControlFlow;

use super::moves::Move;
use super::position::{Ending, Entry, Phase, Position, RuleSet, Side, Stuck};
use crate::game::{
    Chance, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Random, Rules, Seat,
    Turn,
};

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase() {
            Phase::Over(_) => Turn::Over,
            _ => Turn::Seat(self.side().seat()),
        }
    }

    #[inline]
    fn for_each_move<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_moves(visit)
    }

    #[inline]
    fn is_legal(&self, m: &Move) -> bool {
        self.allows(*m)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.number_of_moves()
    }

    #[inline]
    fn play(&mut self, m: &Move) {
        self.make(*m);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over(ending) = self.phase() else {
            return None;
        };
        let drawn = matches!(ending, Ending::CopperStuck | Ending::SilverStuck)
            && self.rules.stuck == Stuck::Draw;
        Some(match ending {
            _ if drawn => Outcome::draw(2),
            Ending::EggsHome | Ending::SilverStuck => Outcome::win(2, Side::Copper.seat()),
            _ => Outcome::win(2, Side::Silver.seat()),
        })
    }

    fn reason(&self) -> Option<&'static str> {
        match self.phase() {
            Phase::Over(ending) => Some(ending.word()),
            _ => None,
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position_key()
    }

    fn fresh_key(&self) -> u64 {
        self.key_afresh()
    }

    fn repetition(&self) -> Option<Outcome> {
        Some(if self.rules.repetition_wins {
            Outcome::win(2, Side::Silver.seat())
        } else {
            Outcome::draw(2)
        })
    }

    #[inline]
    fn random_move(&self, random: &mut Random) -> Option<Move> {
        self.any_move(random)
    }
}

impl Chance for Position {}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
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
            OptionSpec::combo(
                "PorrikaEntry",
                &["eggs", "copper", "any"],
                "who may end on a Por'rika",
            ),
            OptionSpec::combo(
                "Hopeless",
                &["silver", "play"],
                "whether silver wins as soon as copper's aim has become impossible",
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

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        Ok(Position::setup(RuleSet::from_options(rules)))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        let rules = self.rule_set();
        let list = [
            ("SerraLock", if rules.serra_lock { "allow" } else { "forbid" }),
            ("EggSuicide", if rules.egg_suicide { "loss" } else { "forbid" }),
            (
                "PorrikaEntry",
                match rules.entry {
                    Entry::Eggs => "eggs",
                    Entry::Copper => "copper",
                    Entry::Any => "any",
                },
            ),
            ("Hopeless", if rules.play_hopeless { "play" } else { "silver" }),
            (
                "Stuck",
                match rules.stuck {
                    Stuck::Pass => "pass",
                    Stuck::Loss => "loss",
                    Stuck::Draw => "draw",
                },
            ),
            ("Repetition", if rules.repetition_wins { "silver" } else { "draw" }),
        ];
        list.into_iter().map(|(name, value)| (name, value.to_string())).collect()
    }
}

impl RuleSet {
    /// The rules as the options say; what is not set has its default.
    pub fn from_options(options: &OptionValues) -> Self {
        let is = |name: &str, value: &str| options.text(name) == value;
        RuleSet {
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
}
