//! The traits of a game: rules, chance, secrets.

use std::ops::ControlFlow;

use super::moves::{Move, Secret};
use super::options::{RuleOptions, declare};
use super::position::{Phase, Position, SeatState};
use crate::game::{
    Chance, Chances, Game, Hidden, MoveListing, NotationError, OptionSpec, OptionValues, Outcome,
    Random, Rules, Seat, Turn, splitmix64,
};

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        declare()
    }

    fn start(rules: &OptionValues, viewer: Option<Seat>) -> Result<Self, NotationError> {
        let rules = RuleOptions::from_options(rules)?;
        if let Some(viewer) = viewer.filter(|seat| seat.index() >= rules.seats) {
            return Err(NotationError::new(format!(
                "there is no seat {viewer} in a game of {} seats",
                rules.seats
            )));
        }
        Ok(Position::new(rules, viewer))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        self.rules.listed()
    }
}

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        self.rules.seats
    }

    fn turn(&self) -> Turn {
        self.decider()
    }

    fn for_each_move<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.list(visit)
    }

    fn move_listing(&self) -> MoveListing {
        self.listing_extent()
    }

    fn is_legal(&self, m: &Move) -> bool {
        self.check(m).is_ok()
    }

    fn count_moves(&self) -> u64 {
        self.count_listed()
    }

    fn nth_move(&self, index: u64) -> Option<Move> {
        self.nth_listed(index)
    }

    fn play(&mut self, m: &Move) {
        self.make(m);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.places()
    }

    fn reason(&self) -> Option<&'static str> {
        self.ending.map(|ending| if ending.by_finish { "finish" } else { "last-arrow" })
    }

    fn key(&self) -> u64 {
        self.position_key(self.evidence)
    }

    fn fresh_key(&self) -> u64 {
        self.position_key(self.fresh_evidence())
    }

    fn points(&self) -> Option<Vec<i64>> {
        let seats = self.seats[..self.rules.seats].iter();
        Some(seats.map(|SeatState { score, .. }| i64::from(*score)).collect())
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        self.random(random)
    }
}

impl Chance for Position {
    const DICE: bool = true;

    fn chances(&self) -> Chances<Move> {
        if !self.turn().is_chance() {
            return Chances::Listed(Vec::new());
        }
        match self.move_listing() {
            MoveListing::Many => Chances::Many,
            MoveListing::Hidden => Chances::Hidden,
            MoveListing::Listed => {
                Chances::Listed(self.moves().into_iter().map(|outcome| (outcome, 1)).collect())
            }
        }
    }

    /// Two chance nodes are not listed. The judge token is the upper half of `splitmix64(seed)`. For
    /// a deal, a generator seeded with `seed` draws places of the lexicon, `below(number of words)`
    /// each; a word that has been dealt already is drawn again.
    fn throw(&self, seed: u64) -> Option<Move> {
        if self.move_listing() == MoveListing::Many {
            return match self.phase {
                Phase::Judge => Some(Move::Judge(Secret::Known((splitmix64(seed) >> 32) as u32))),
                _ => self.draw_words(seed),
            };
        }
        let Chances::Listed(outcomes) = self.chances() else {
            return None;
        };
        let choice = crate::game::multiply_shift(splitmix64(seed), outcomes.len() as u64);
        outcomes.into_iter().nth(choice as usize).map(|(outcome, _)| outcome)
    }
}

impl Hidden for Position {
    const SECRETS: bool = true;

    /// The view of a position that is itself a view stays within what its viewer knows.
    fn view(&self, seat: Seat) -> Self {
        self.seen_by(seat)
    }

    fn mask(&self, m: &Move, seat: Seat) -> Move {
        self.masked_for(m, seat)
    }

    fn viewer(&self) -> Option<Seat> {
        self.viewer
    }
}
