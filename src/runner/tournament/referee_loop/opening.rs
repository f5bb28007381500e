//! What no engine decides: the opening and the dice.

use super::{RefereedGame, Turn, is_token};
use crate::protocol::engine_output;
use crate::random::splitmix64;
use crate::runner::key::Purpose;
use crate::runner::tournament::openings::Opening;
use crate::runner::tournament::record::{Move, Origin};
use crate::runner::tournament::slot::Abort;

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
            self.start.clone_from(&opening.start);
            let from = Some(Origin::Opening);
            let given = |token: &String| Move { token: token.clone(), from, ..Move::default() };
            self.moves = opening.tokens.iter().map(given).collect();
            self.throws = [0; 10];
            let position = format!("{}\n", self.position_line());
            self.refresh(&position)?;
            let mut left = settings.random_plies;
            while left > 0 && self.turn != Turn::Over {
                match self.turn {
                    // Throws of the opening do not count as luck.
                    Turn::Chance(thrower) => drop(self.throw(thrower)?),
                    Turn::Seat(seat) => {
                        self.random_move(seat, Origin::Opening)?;
                        left -= 1;
                    }
                    Turn::Over => {}
                }
            }
            if self.turn != Turn::Over {
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
        let referee = &self.setup.trial.referee;
        let query = if referee.random { format!("random {seed}") } else { "legalmoves".to_owned() };
        let answer = self.referee.query(&query)?;
        let token = match &answer {
            Ok(list) if !self.setup.trial.referee.random => one_of(list, seed),
            Ok(token) => Some(token.clone()),
            Err(_) => None,
        };
        match token {
            Some(token) if is_token(&token) => {
                let m = Move { token, seat: seat + 1, from: Some(from), ..Move::default() };
                self.append(m)
            }
            _ => Err(self.bad_answer(&query, &answer)),
        }
    }

    /// Throws: an outcome that is certain, or else one from the dice of the round. Returns the
    /// referee's list of possible outcomes.
    pub(super) fn throw(&mut self, thrower: usize) -> Result<String, Abort> {
        let k = self.throws.get(thrower).copied().unwrap_or(0);
        let query = format!("throw {}", self.seed(Purpose::Throw, thrower, k));
        let ([chances, token], _) = self.referee.ask([("", "chances"), ("", &query)])?;
        let listed = chances.unwrap_or_default();
        let certain = match engine_output::chances(&listed).as_deref() {
            Some([(token, _)]) if is_token(token) => Some((*token).to_owned()),
            _ => None,
        };
        let token = match (certain, token) {
            (Some(token), _) => token,
            (None, Ok(token)) if is_token(&token) => {
                if let Some(count) = self.throws.get_mut(thrower) {
                    *count += 1;
                }
                token
            }
            (None, answer) => return Err(self.bad_answer(&query, &answer)),
        };
        let from = Some(Origin::Chance);
        self.append(Move { token, seat: thrower, from, ..Move::default() })?;
        Ok(listed)
    }
}

/// A move from a list, chosen by a seed.
fn one_of(list: &str, seed: u64) -> Option<String> {
    let count = list.split_whitespace().count();
    let index = ((u128::from(splitmix64(seed)) * count as u128) >> 64) as usize;
    list.split_whitespace().nth(index).map(str::to_owned)
}
