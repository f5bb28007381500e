//! The traits of [`crate::game`].

use std::ops::ControlFlow;

use super::moves::Move;
use super::position::Position;
use crate::game::{
    Chance, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Rules, Seat, Turn,
};

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        let is_over = self.winner().is_some() || self.is_stuck();
        if is_over { Turn::Over } else { Turn::Seat(Seat::new(self.side())) }
    }

    #[inline]
    fn for_each_move<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_moves(visit)
    }

    fn is_legal(&self, m: &Move) -> bool {
        self.allows(*m)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.count_legal()
    }

    #[inline]
    fn play(&mut self, m: &Move) {
        self.make(*m);
    }

    fn outcome(&self) -> Option<Outcome> {
        if let Some(side) = self.winner() {
            return Some(Outcome::win(2, Seat::new(side)));
        }
        self.is_stuck().then(|| Outcome::draw(2))
    }

    fn reason(&self) -> Option<&'static str> {
        let word = if self.winner().is_some() { "watering-holes" } else { "no-moves" };
        self.outcome().map(|_| word)
    }

    fn key(&self) -> u64 {
        self.zobrist()
    }

    fn fresh_key(&self) -> u64 {
        self.fresh_zobrist()
    }

    /// The third occurrence of a position is a draw.
    fn repetition(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }
}

impl Chance for Position {}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        Vec::new()
    }

    fn start(_rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        Ok(Position::starting())
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
