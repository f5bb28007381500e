//! The traits of a game: turns, moves, results, the starting position.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::generate::Landings;
use super::moves::{Landing, Move, Payment, Rotation};
use super::options::{PLAYERS, RuleOptions};
use super::position::{Position, winning_markers};
use crate::game::{
    Chance, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Random, Rules, Seat,
    Turn,
};
use crate::games::chevrons::{Board, Field};

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        self.board.seats()
    }

    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Seat(Seat::new(self.mover())) }
    }

    fn for_each_move<B>(
        &self,
        mut visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_over() {
            return ControlFlow::Continue(());
        }
        let seat = self.mover();
        self.for_each_landing(seat, |landing| self.for_each_move_of(seat, landing, &mut visit))?;
        self.for_each_rotation(seat, visit)
    }

    fn is_legal(&self, m: &Self::Move) -> bool {
        self.check(m).is_ok()
    }

    fn count_moves(&self) -> u64 {
        if self.is_over() {
            return 0;
        }
        let seat = self.mover();
        let mut count = self.rotations_each(seat) * self.chevron_fields(seat).len() as u64;
        let _ = self.for_each_landing::<()>(seat, |landing| {
            count += self.count_moves_of(seat, landing);
            ControlFlow::Continue(())
        });
        count
    }

    fn play(&mut self, m: &Self::Move) {
        let seat = self.mover();
        match *m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                self.advance(from, to, pincer, gain);
                if let Some(field) = meeting {
                    self.board.set_marker(field, Some(seat));
                }
            }
            Move::Rotate { from, rotation, payment } => {
                for field in payment.fields() {
                    self.board.set_marker(*field, None);
                }
                let facing = self.cell(from).facing();
                self.board.turn_chevron(from, rotation.applied(facing));
            }
        }
        self.begin_turn((seat + 1) % self.board.seats());
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = self.winner()?;
        Some(self.ranking(|seat| seat == winner))
    }

    /// `markers`: the winner has enough markers; `last-chevrons`: no other seat has chevrons.
    fn reason(&self) -> Option<&'static str> {
        let winner = self.winner()?;
        let enough = self.marker_count(winner) >= winning_markers(self.board.seats());
        Some(if enough { "markers" } else { "last-chevrons" })
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn fresh_key(&self) -> u64 {
        self.board.computed_key(self.options.key(self.board.seats()))
    }

    /// All who still have chevrons share the first place.
    fn repetition(&self) -> Option<Outcome> {
        Some(self.ranking(|seat| !self.chevron_fields(seat).is_empty()))
    }

    /// Markers of each seat.
    fn points(&self) -> Option<Vec<i64>> {
        Some((0..self.board.seats()).map(|seat| self.marker_count(seat) as i64).collect())
    }

    /// Uniform among the moves and the rotation classes (chevron and angle, whatever is paid); of a
    /// class, uniform among its payments.
    fn random_move(&self, random: &mut Random) -> Option<Self::Move> {
        if self.is_over() {
            return None;
        }
        let seat = self.mover();
        let mut landings = Landings::<(Landing, u64)>::new();
        let mut total = 0;
        let _ = self.for_each_landing::<()>(seat, |landing| {
            total += self.count_moves_of(seat, landing);
            landings.push((landing, total));
            ControlFlow::Continue(())
        });
        let payable = if self.options.rotations { self.payable_count(seat) } else { 0 };
        let angles = [0, 2, 4][(payable >= 2) as usize + (payable >= 4) as usize];
        let classes = angles * self.chevron_fields(seat).len() as u64;
        let chosen = random.below(total + classes);
        if chosen >= total {
            return self.random_rotation(seat, chosen - total, angles, random);
        }
        let at = landings.iter().position(|(_, end)| chosen < *end)?;
        let begin = if at == 0 { 0 } else { landings[at - 1].1 };
        let mut left = chosen - begin;
        let found = self.for_each_move_of(seat, landings[at].0, |m| {
            if left == 0 {
                return ControlFlow::Break(m);
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }
}

impl Position {
    fn random_rotation(
        &self,
        seat: usize,
        class: u64,
        angles: u64,
        random: &mut Random,
    ) -> Option<Move> {
        let from = *self.chevron_fields(seat).get((class / angles) as usize)?;
        let rotation = Rotation::ALL[(class % angles) as usize & 3];
        let mut payable = self.payable(seat);
        let mut paid = ArrayVec::<Field, 4>::new();
        for _ in 0..rotation.cost() {
            let index = random.below(payable.len() as u64) as usize;
            paid.push(payable.swap_pop(index)?);
        }
        Some(Move::Rotate { from, rotation, payment: Payment::new(&paid) })
    }
}

impl Chance for Position {}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        RuleOptions::specs()
    }

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        let (seats, options) = (PLAYERS.get(rules), RuleOptions::new(rules));
        let first = if seats == 3 && options.traditional_order { 2 } else { 0 };
        Ok(Position::new(Board::start(seats, first, options.key(seats)), options))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        self.options.values(self.board.seats())
    }
}
