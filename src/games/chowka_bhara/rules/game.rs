//! The traits of a game: moves, turns, results, chances, options.

use std::ops::ControlFlow;

use super::generate::for_each_play;
use super::keys::{KEYS, sum_of};
use super::moves::Move;
use super::options::{PLAYERS, RuleOptions, specs};
use super::position::{Ending, Position};
use crate::game::{
    Chance, Chances, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Random, Rules,
    Seat, Turn,
};

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        self.seats as usize
    }

    fn turn(&self) -> Turn {
        if self.ending != Ending::None {
            return Turn::Over;
        }
        let seat = self.seat_of(self.side());
        if self.to_throw() { Turn::Chance { thrower: Some(seat) } } else { Turn::Seat(seat) }
    }

    fn for_each_move<B>(
        &self,
        mut visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.ending != Ending::None {
            return ControlFlow::Continue(());
        }
        if !self.to_throw() {
            return for_each_play(self, visit);
        }
        let cowries = self.options.bonus();
        for value in (1..=cowries).chain([2 * cowries]) {
            visit(Move::Throw(value))?;
        }
        ControlFlow::Continue(())
    }

    fn is_legal(&self, m: &Self::Move) -> bool {
        self.check_move(m).is_ok()
    }

    fn play(&mut self, m: &Self::Move) {
        match m {
            Move::Throw(value) => self.add_throw(*value),
            Move::Play(play) => self.make_play(play),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ending != Ending::None).then(|| self.places())
    }

    fn reason(&self) -> Option<&'static str> {
        match self.ending {
            Ending::None => None,
            Ending::Home => Some("all-home"),
            Ending::Dead => Some("no-moves"),
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn fresh_key(&self) -> u64 {
        let mut key = KEYS.turn[self.side()];
        for side in self.sides() {
            for index in self.pawns(*side) {
                key = key.wrapping_add(KEYS.pawn[*side][*index as usize]);
            }
            if self.gate_open(*side) {
                key = key.wrapping_add(KEYS.gate[*side]);
            }
        }
        for value in self.throws() {
            key = key.wrapping_add(KEYS.throw[*value as usize]);
        }
        for (rank, side) in self.finishers().iter().enumerate() {
            key = key.wrapping_add(KEYS.finished[rank][*side as usize]);
        }
        key.wrapping_add(sum_of(self.fresh, &KEYS.fresh))
            .wrapping_add(sum_of(self.doubles_before, &KEYS.doubles_before))
    }

    /// A throw by its weight, or a play whose every step is chosen uniformly among the legal steps,
    /// as at the table: not every play is equally likely.
    fn random_move(&self, random: &mut Random) -> Option<Self::Move> {
        match self.turn() {
            Turn::Over => None,
            Turn::Chance { .. } => Some(Move::Throw(self.random_throw(random.next()))),
            Turn::Seat(_) => Some(Move::Play(self.random_play(random))),
        }
    }
}

impl Chance for Position {
    const DICE: bool = true;

    fn chances(&self) -> Chances<Self::Move> {
        if !self.turn().is_chance() {
            return Chances::Listed(Vec::new());
        }
        let values = self.options.weighted_values();
        Chances::Listed(values.map(|(value, weight)| (Move::Throw(value), weight)).collect())
    }
}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        specs()
    }

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        let seats = PLAYERS.get(rules);
        Ok(Self::starting(RuleOptions::new(rules)?, seats))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        self.options.values(self.seats())
    }
}

impl Position {
    /// The places of all seats once the game is over.
    fn places(&self) -> Outcome {
        if self.options.play_on {
            let mut scores = [0i64; 4];
            for (rank, side) in self.finishers().iter().enumerate() {
                scores[self.seat_of(*side as usize).index()] = 4 - rank as i64;
            }
            return Outcome::from_scores(&scores[..self.seats()]);
        }
        match self.sides().iter().position(|side| self.is_home(*side)) {
            Some(winner) => Outcome::win(self.seats(), Seat::new(winner)),
            None => Outcome::draw(self.seats()),
        }
    }
}
