//! What a position waits for.

use super::moves::Secret;
use super::position::{Pending, Phase, Position};
use super::words::{ObjectName, Question, Word};
use crate::game::Seat;

/// What the position waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Awaited<'a> {
    Judge,
    Deal(ObjectName),
    Word(ObjectName),
    Show(ObjectName),
    First,
    Window(Seat),
    Move(Seat),
    Die,
    Letter(Seat),
    Gift { asker: Seat, object: ObjectName, place: Option<u8> },
    Questions(Seat),
    Answer(ObjectName, &'a Question),
    SecondRound(Seat),
    Verdict { guesser: Seat, object: ObjectName, word: Secret<Word> },
    Nothing,
}

impl Position {
    /// What the position waits for.
    pub(crate) fn awaited(&self) -> Awaited<'_> {
        if self.ending.is_some() {
            return Awaited::Nothing;
        }
        if let Some(window) = self.window {
            return Awaited::Window(window.seat);
        }
        if let Some((asker, object, place)) = self.letter_owed() {
            return Awaited::Gift { asker, object, place };
        }
        if let Some((guesser, object, word)) = self.guess_owed() {
            return Awaited::Verdict { guesser, object, word };
        }
        if let Pending::Ask(name, question) = &self.pending {
            return Awaited::Answer(*name, question);
        }
        let due = self.due().map(|index| self.name(index));
        match (self.phase, due, self.turn) {
            (Phase::Judge, ..) => Awaited::Judge,
            (Phase::First, ..) => Awaited::First,
            (Phase::Die, ..) => Awaited::Die,
            (Phase::Deal, Some(name), _) => Awaited::Deal(name),
            (Phase::Word, Some(name), _) => Awaited::Word(name),
            (Phase::Show, Some(name), _) => Awaited::Show(name),
            (Phase::Move, _, Some(seat)) => Awaited::Move(seat),
            (Phase::Letter, _, Some(seat)) => Awaited::Letter(seat),
            (Phase::Ask, _, Some(seat)) => Awaited::Questions(seat),
            (Phase::Round2, _, Some(seat)) => Awaited::SecondRound(seat),
            _ => Awaited::Nothing,
        }
    }
}
