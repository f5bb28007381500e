//! The rules as the traits of [`crate::game`].

use std::ops::ControlFlow;

use super::moves::Move;
use super::options::{self, RuleOptions, Stuck};
use super::position::{EndReason, Phase, Position, Side};
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
        self.count_legal_moves()
    }

    #[inline]
    fn play(&mut self, m: &Move) {
        self.play_legal(*m);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over(reason) = self.phase() else {
            return None;
        };
        let drawn = matches!(reason, EndReason::CopperStuck | EndReason::SilverStuck)
            && self.options().stuck == Stuck::Draw;
        Some(match reason {
            _ if drawn => Outcome::draw(2),
            EndReason::EggsHome | EndReason::SilverStuck => Outcome::win(2, Side::Copper.seat()),
            _ => Outcome::win(2, Side::Silver.seat()),
        })
    }

    fn reason(&self) -> Option<&'static str> {
        match self.phase() {
            Phase::Over(reason) => Some(reason.name()),
            _ => None,
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position_key()
    }

    fn fresh_key(&self) -> u64 {
        self.compute_key()
    }

    fn repetition(&self) -> Option<Outcome> {
        Some(if self.options().repetition_wins {
            Outcome::win(2, Side::Silver.seat())
        } else {
            Outcome::draw(2)
        })
    }

    #[inline]
    fn random_move(&self, random: &mut Random) -> Option<Move> {
        self.random_legal_move(random)
    }
}

impl Chance for Position {}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        options::specifications()
    }

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        Ok(Position::setup(RuleOptions::from_options(rules)))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        self.options().values()
    }
}
