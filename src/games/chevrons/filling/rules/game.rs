//! The traits of a game: turns, moves, results, the starting position.

use std::ops::ControlFlow;

use super::moves::{Move, Twist};
use super::position::Position;
use crate::game::{
    Chance, Combo, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Rules, Seat,
    Turn,
};
use crate::games::chevrons::Board;
use crate::games::chevrons::filling::Kind;

const PLAYERS: Combo<usize> =
    Combo::new("Players", &[("2", 2), ("3", 3), ("4", 4)], "Number of players");

impl<K: Kind> Game for Position<K> {
    type Move = Move;

    fn seats(&self) -> usize {
        self.board.seats()
    }

    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Seat(Seat::new(self.mover())) }
    }

    fn for_each_move<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        self.for_each_landing(self.mover(), |from, to, direction, connection| {
            let leaves = connection && self.connected(from, to, direction).1;
            let twists = if self.may_twist(from, to, leaves) { 3 } else { 1 };
            Twist::ALL
                .iter()
                .take(twists)
                .try_for_each(|twist| visit(Move { from, to, twist: *twist }))
        })
    }

    fn is_legal(&self, m: &Move) -> bool {
        self.check(m).is_ok()
    }

    fn play(&mut self, m: &Move) {
        let next = (self.mover() + 1) % self.board.seats();
        self.advance(*m);
        self.begin_turn(next);
    }

    /// Places by markers.
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.ranking(|_| false))
    }

    /// `no-more-gain` and `blocked` in Shacru, `last-round` in Azacru, `no-gain` in both.
    fn reason(&self) -> Option<&'static str> {
        self.end
    }

    fn key(&self) -> u64 {
        self.board.key() ^ self.clock_key()
    }

    fn fresh_key(&self) -> u64 {
        self.board.computed_key(Self::salt(self.board.seats())) ^ self.clock_key()
    }

    /// Markers of each seat.
    fn points(&self) -> Option<Vec<i64>> {
        Some(Seat::all(self.board.seats()).map(|seat| self.markers(seat) as i64).collect())
    }
}

impl<K: Kind> Chance for Position<K> {}

impl<K: Kind> Hidden for Position<K> {}

impl<K: Kind> Rules for Position<K> {
    fn rule_options() -> Vec<OptionSpec> {
        vec![PLAYERS.spec()]
    }

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        let seats = PLAYERS.get(rules);
        Ok(Position::new(Board::start(seats, 0, Self::salt(seats)), None, 0))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        vec![PLAYERS.with(self.board.seats())]
    }
}
