//! The game so far, and its referee.

use anyhow::{Result, bail};

use super::loaded::Loaded;
use crate::protocol::{PositionLine, Turn};
use crate::runner::key::{MatchKey, Purpose};
use crate::runner::referee::Referee;
use crate::runner::tournament::record::{Move, Origin};

/// A game in progress with everything that has been played; the referee is at its end, but for a
/// [look back](Course::look_back).
pub(super) struct Course {
    /// Sees the whole position and says what the rules are.
    pub(super) referee: Referee,
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    pub(super) moves: Vec<Move>,
    /// The number of tokens before each decision of a person.
    pub(super) decisions: Vec<usize>,
    /// Decides the throws.
    key: MatchKey,
}

impl Course {
    /// Loads the beginning; `people` are the seats whose moves were decisions of a person.
    ///
    /// # Errors
    /// The referee's refusal or its fault.
    pub(super) fn begin(
        referee: Referee,
        loaded: Loaded,
        key: MatchKey,
        people: &[usize],
    ) -> Result<Self> {
        let Loaded { start, moves, .. } = loaded;
        let mut course = Course { referee, start, moves, decisions: Vec::new(), key };
        course.look_back(course.moves.len())?;
        // Tokens of a position line do not say who decided.
        if course.moves.iter().all(|played| played.seat == 0) {
            course.find_seats()?;
        }
        let own = |played: &Move| people.iter().any(|seat| played.seat == seat + 1);
        let moves = course.moves.iter().enumerate();
        course.decisions = moves
            .filter(|(_, played)| own(played) && played.from.is_none())
            .map(|(index, _)| index)
            .collect();
        Ok(course)
    }

    /// Asks the referee who decided each token.
    fn find_seats(&mut self) -> Result<()> {
        for count in 0..self.moves.len() {
            self.look_back(count)?;
            let turn = self.referee.turn();
            if let Some(played) = self.moves.get_mut(count) {
                played.seat = turn.seat().map_or(0, |seat| seat + 1);
                played.from = turn.is_chance().then_some(Origin::Chance);
            }
        }
        self.look_back(self.moves.len())
    }

    /// The position after a number of tokens.
    fn line(&self, count: usize) -> PositionLine {
        PositionLine::new(&self.start, self.moves.iter().take(count).map(|m| m.token.as_str()))
    }

    /// The game so far with all its secrets.
    pub(super) fn whole(&self) -> PositionLine {
        self.line(self.moves.len())
    }

    /// Sends the referee the position after a number of tokens.
    ///
    /// # Errors
    /// Its refusal, or its fault.
    pub(super) fn look_back(&mut self, count: usize) -> Result<()> {
        match self.referee.load(&self.line(count))? {
            Ok(()) => Ok(()),
            Err(refusal) => bail!("{refusal}"),
        }
    }

    /// Adds a token.
    pub(super) fn append(&mut self, played: Move) -> Result<()> {
        self.moves.push(played);
        if let Err(error) = self.look_back(self.moves.len()) {
            self.moves.pop();
            self.look_back(self.moves.len())?;
            return Err(error);
        }
        Ok(())
    }

    /// Throws for a seat, or for none. What is taken back and played again throws the same.
    pub(super) fn throw(&mut self, thrower: Option<usize>) -> Result<()> {
        let seat = thrower.map_or(0, |seat| seat + 1);
        let seed = self.key.seed(Purpose::Throw, 1, seat, self.moves.len() as u64);
        let token = self.referee.throw(seed)?.token;
        let from = Some(Origin::Chance);
        self.append(Move { token, seat, from, ..Move::default() })
    }

    /// Adds a decision of a person.
    pub(super) fn decide(&mut self, played: Move) -> Result<()> {
        self.decisions.push(self.moves.len());
        self.append(played)
    }

    /// Takes back the last decision of a person and everything after it.
    pub(super) fn take_back(&mut self) -> Result<()> {
        if let Some(count) = self.decisions.pop() {
            self.moves.truncate(count);
        }
        self.look_back(self.moves.len())
    }

    /// The seat that decides.
    pub(super) fn decider(&self) -> Option<usize> {
        self.referee.turn().decider()
    }

    /// Whether the game is over by its rules.
    pub(super) fn is_over(&self) -> bool {
        self.referee.turn() == Turn::Over
    }

    /// Whether a secret may have been revealed after the first `count` tokens, where there are
    /// secrets: by anything but the person's own moves. Of `several` people one may have told
    /// another.
    pub(super) fn may_have_told(&self, count: usize, several: bool) -> bool {
        let own = self.decisions.iter().filter(|decision| **decision >= count).count();
        several || self.moves.len() > count + own
    }
}
