//! Whose turn it is next: players without chevrons are skipped, players who cannot move are out.

use super::position::{Position, winning_markers};

impl Position {
    /// The turn passes on after a move, or begins in a position that was read: the game may be won,
    /// players without chevrons are skipped, and players who cannot move are out.
    pub(crate) fn begin_turn(&mut self, first: usize) {
        let next = self.next_turn(first);
        self.board.pass_to(next);
    }

    fn next_turn(&mut self, first: usize) -> usize {
        let seats = self.seats();
        let goal = winning_markers(seats);
        let mut turn = first % seats;
        while self.chevron_fields(turn).is_empty() {
            turn = (turn + 1) % seats;
        }
        if let Some(winner) = (0..seats).find(|seat| self.marker_count(*seat) >= goal) {
            self.winner = winner as u8;
            return turn;
        }
        loop {
            if self.chevron_fields(turn).is_empty() {
                turn = (turn + 1) % seats;
                continue;
            }
            if (0..seats).all(|seat| seat == turn || self.chevron_fields(seat).is_empty()) {
                self.winner = turn as u8;
                return turn;
            }
            if self.can_move(turn) {
                return turn;
            }
            while let [field, ..] = *self.chevron_fields(turn) {
                self.board.remove_chevron(field);
            }
        }
    }
}
