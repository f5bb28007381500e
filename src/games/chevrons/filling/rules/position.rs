//! A position: the board, the turns without a gain, who started the last round.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{ControlFlow, Deref};

use arrayvec::ArrayVec;

use super::moves::Move;
use crate::game::splitmix64;
use crate::games::chevrons::filling::Kind;
use crate::games::chevrons::{Board, Cell, Direction, Field};

/// How many turns in a row without a gain end the game.
pub(crate) const fn longest_idle(seats: usize) -> u8 {
    20 * seats as u8
}

/// A position of Shacru or Azacru with two, three or four players.
#[derive(Clone, Debug)]
pub struct Position<K> {
    pub(super) board: Board,
    /// Turns in a row in which no mover gained a marker.
    idle: u8,
    /// The seat that started the last round.
    last: Option<u8>,
    /// Why the game is over; follows from the rest.
    pub(super) end: Option<&'static str>,
    kind: PhantomData<K>,
}

impl<K: Kind> Position<K> {
    /// What the number of players adds to the keys of a board.
    pub(crate) const fn salt(seats: usize) -> u64 {
        splitmix64(0x6669_6c6c_0000_0000 + seats as u64)
    }

    /// A position whose turn has not begun: see [`Position::begin_turn`].
    pub(crate) fn new(board: Board, last: Option<usize>, idle: u8) -> Self {
        let last = last.map(|seat| seat as u8);
        Position { board, idle, last, end: None, kind: PhantomData }
    }

    /// Turns in a row in which no mover gained a marker.
    #[must_use]
    pub fn idle(&self) -> u8 {
        self.idle
    }

    /// The seat that started the last round, by index.
    #[must_use]
    pub fn last(&self) -> Option<usize> {
        self.last.map(usize::from)
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// How far a chevron may go from its field.
    pub(crate) fn range(&self, from: Field) -> usize {
        match K::POWER {
            true => self.power_of(self.cell(from).chevron_seat(), from.borderland()),
            false => 1,
        }
    }

    /// Calls `visit` with every way of a chevron of a seat, twists aside: from, to, direction, whether it
    /// is a connection.
    #[inline]
    pub(crate) fn for_each_landing<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Field, Field, Direction, bool) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for &from in self.chevron_fields(seat) {
            let landed = |to, direction, connection| visit(from, to, direction, connection);
            self.board.scan(from, self.range(from), |_, _| (), landed)?;
        }
        ControlFlow::Continue(())
    }

    /// Whether a seat has any move.
    pub(crate) fn can_move(&self, seat: usize) -> bool {
        self.for_each_landing(seat, |_, _, _, _| ControlFlow::Break(())).is_break()
    }

    /// Whether a chevron may turn where it arrives; `leaves` says that it leaves the board.
    pub(crate) fn may_twist(&self, from: Field, to: Field, leaves: bool) -> bool {
        from.borderland() != to.borderland() && self.last.is_none() && !leaves
    }

    /// The fields that a connection makes own and that are not yet, and whether one of them is an
    /// enemy's: then the chevron leaves the board.
    pub(crate) fn connected(
        &self,
        from: Field,
        to: Field,
        direction: Direction,
    ) -> (ArrayVec<Field, 8>, bool) {
        let seat = self.cell(from).chevron_seat();
        let between = from.between(direction, from.distance(to));
        let enemy = |field| self.cell(field).marker().is_some_and(|owner| owner != seat);
        let leaves = between.clone().any(enemy);
        (between.filter(|field| self.cell(*field) != Cell::marker_of(seat)).collect(), leaves)
    }

    /// Makes a legal move; the turn is not yet passed on.
    pub(super) fn advance(&mut self, m: Move) {
        let Move { from, to, twist } = m;
        let Ok(ray) = self.board.check_ray(from, to, usize::MAX) else {
            return;
        };
        let seat = self.mover();
        let before = self.marker_count(seat);
        let mut leaves = false;
        if ray.connection {
            let (fields, enemy) = self.connected(from, to, ray.direction);
            leaves = enemy;
            for field in fields {
                self.board.set_marker(field, Some(seat));
            }
        }
        self.board.remove_chevron(from);
        self.board.set_marker(to, Some(seat));
        if !leaves {
            self.board.place_chevron(seat, to, twist.applied(ray.direction));
        }
        self.idle = if self.marker_count(seat) > before { 0 } else { self.idle + 1 };
    }

    /// The turn passes on to `first` after a move, or begins in a position that was read: who cannot move
    /// is passed over. If the game is over without that, the turn stays.
    pub(crate) fn begin_turn(&mut self, first: usize) {
        self.end = if !K::POWER && !self.may_gain() {
            Some("no-more-gain")
        } else if self.idle >= longest_idle(self.board.seats()) {
            Some("no-gain")
        } else {
            let mut turn = first;
            let nobody = self.pass_over(&mut turn);
            self.board.pass_to(turn);
            nobody
        };
    }

    /// Moves `turn` on to the next player who can move; the reason if nobody does.
    fn pass_over(&mut self, turn: &mut usize) -> Option<&'static str> {
        let first = *turn;
        loop {
            if self.last() == Some(*turn) {
                return Some("last-round");
            }
            if self.can_move(*turn) {
                return None;
            }
            if K::POWER && self.last.is_none() {
                self.last = Some(*turn as u8);
            }
            *turn = (*turn + 1) % self.board.seats();
            if !K::POWER && *turn == first {
                return Some("blocked");
            }
        }
    }

    /// What is not on the board, as a part of the key.
    pub(super) fn clock_key(&self) -> u64 {
        let last = self.last.map_or(0, |seat| u64::from(seat) + 1);
        splitmix64(0x6669_6c6c_0100_0000 + u64::from(self.idle) + (last << 8))
    }
}

impl<K> Deref for Position<K> {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl<K> PartialEq for Position<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.idle, self.last) == (other.idle, other.last) && self.board == other.board
    }
}

impl<K> Eq for Position<K> {}

impl<K> Hash for Position<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.key().hash(state);
    }
}
