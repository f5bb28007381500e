//! Whether a move is legal, and the rule that an illegal one breaks.

use super::moves::{Move, Play, Step};
use super::position::{Ending, Position};
use super::remaining::RemainingValues;
use super::turn_state::{StepError, TurnState};

/// Why a move is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum IllegalMove {
    /// The game is over.
    Over,
    /// No such value can be thrown.
    NotAValue(u8),
    /// The cowries must be thrown first.
    MustThrow,
    /// The throwing is over, the values must be played.
    MustPlay,
    /// The play breaks a rule.
    Play(IllegalPlay),
}

/// Why a play is illegal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum IllegalPlay {
    /// The turn was voided: only passing is legal.
    Voided,
    /// The step does not lead forward on the mover's path.
    NoPath(Step),
    /// The step needs a value that is not left to play.
    ValueMissing {
        /// The step.
        step: Step,
        /// The value that it needs.
        value: u8,
        /// The values left, ascending.
        left: Vec<u8>,
    },
    /// The step is illegal.
    Step {
        /// The step.
        step: Step,
        /// The value that it uses.
        value: u8,
        /// The rule that it breaks.
        error: StepError,
    },
    /// This value can still be played, so it must be.
    Unfinished(u8),
}

impl Position {
    /// Whether a move is legal, or the first rule that it breaks.
    pub(crate) fn check_move(&self, m: &Move) -> Result<(), IllegalMove> {
        if self.ending != Ending::None {
            return Err(IllegalMove::Over);
        }
        match (self.to_throw(), m) {
            (true, Move::Throw(value)) if self.options.is_value(*value) => Ok(()),
            (true, Move::Throw(value)) => Err(IllegalMove::NotAValue(*value)),
            (true, Move::Play(_)) => Err(IllegalMove::MustThrow),
            (false, Move::Throw(_)) => Err(IllegalMove::MustPlay),
            (false, Move::Play(play)) => self.check_play(play).map_err(IllegalMove::Play),
        }
    }

    /// Makes the steps of a play one by one, then looks whether a value is left that can be played.
    fn check_play(&self, play: &Play) -> Result<(), IllegalPlay> {
        if self.voided() {
            return if play.steps().is_empty() { Ok(()) } else { Err(IllegalPlay::Voided) };
        }
        let mut state = TurnState::new(self);
        let mut values = RemainingValues::new(self.throws());
        for step in play.steps().iter().copied() {
            let value = state.value_of(step).ok_or(IllegalPlay::NoPath(step))?;
            let Some(kind) = values.kind(value) else {
                return Err(IllegalPlay::ValueMissing {
                    step,
                    value,
                    left: values.each().collect(),
                });
            };
            state.check(step, value).map_err(|error| IllegalPlay::Step { step, value, error })?;
            state.make(step);
            values = values.without(kind);
        }
        let playable = values.kinds().find(|(_, value)| state.playable(*value));
        match playable {
            Some((_, value)) if !self.options.pass => Err(IllegalPlay::Unfinished(value)),
            _ => Ok(()),
        }
    }
}
