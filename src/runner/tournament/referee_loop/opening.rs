//! What no engine decides: the opening and the dice.

use super::RefereedGame;
use crate::protocol::{PositionLine, Turn};
use crate::runner::key::Purpose;
use crate::runner::tournament::officials::Abort;
use crate::runner::tournament::openings::Opening;
use crate::runner::tournament::record::{Move, Origin};

/// Attempts at random plies that do not end the game.
const OPENING_ATTEMPTS: u64 = 100;

impl RefereedGame<'_> {
    /// Sets up the opening and plays its random plies.
    pub(super) fn open(&mut self) -> Result<(), Abort> {
        let settings = &self.setup.plan.games;
        let count = settings.openings.len().max(1) as u64;
        let index = (self.game.round % count) as usize;
        let opening = settings.openings.get(index).cloned().unwrap_or_else(Opening::startpos);
        for _ in 0..OPENING_ATTEMPTS {
            opening.start().clone_into(&mut self.start);
            let from = Some(Origin::Opening);
            let given = |token: &str| Move { token: token.to_owned(), from, ..Move::default() };
            self.moves = opening.tokens().map(given).collect();
            self.throws = [0; 10];
            self.referee.set(&PositionLine::new(opening.start(), opening.tokens()))?;
            let mut left = settings.random_plies;
            while left > 0 && self.referee.turn() != Turn::Over {
                match self.referee.turn() {
                    Turn::Seat(seat) => {
                        self.random_move(seat, Origin::Opening)?;
                        left -= 1;
                    }
                    // Throws of the opening do not count as luck.
                    turn => drop(self.throw(turn.seat())?),
                }
            }
            if self.referee.turn() != Turn::Over {
                break;
            }
        }
        Ok(())
    }

    /// Plays a move of the referee's random mover. The moves of a new attempt at the opening differ
    /// from those of the last.
    pub(super) fn random_move(&mut self, seat: usize, from: Origin) -> Result<(), Abort> {
        let (purpose, counts) = match from {
            Origin::Substitute => (Purpose::Substitute, &mut self.substitute_moves),
            Origin::Opening | Origin::Chance => (Purpose::RandomPly, &mut self.random_plies),
        };
        let k = counts.get_mut(seat + 1).map_or(0, |count| std::mem::replace(count, *count + 1));
        let seed = self.seed(purpose, seat + 1, k);
        let token = self.referee.random_move(seed)?;
        self.append(Move { token, seat: seat + 1, from: Some(from), ..Move::default() })
    }

    /// Throws: an outcome that is certain, or else one from the dice of the round. Returns the
    /// referee's list of possible outcomes.
    pub(super) fn throw(&mut self, thrower: Option<usize>) -> Result<String, Abort> {
        let thrower = thrower.map_or(0, |seat| seat + 1);
        let k = self.throws.get(thrower).copied().unwrap_or(0);
        let seed = self.seed(Purpose::Throw, thrower, k);
        let thrown = self.referee.throw(seed)?;
        if !thrown.certain
            && let Some(count) = self.throws.get_mut(thrower)
        {
            *count += 1;
        }
        let (token, from) = (thrown.token, Some(Origin::Chance));
        self.append(Move { token, seat: thrower, from, ..Move::default() })?;
        Ok(thrown.listed)
    }
}
