//! What a position waits for.

use std::fmt;

use super::moves::Secret;
use super::position::{Pending, Phase, Position};
use super::words::{ObjectName, Question, Word};
use crate::game::Seat;

/// What the position waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Awaited {
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
    Answer(ObjectName, Question),
    SecondRound(Seat),
    Verdict { guesser: Seat, object: ObjectName, word: Secret<Word> },
    Nothing,
}

impl Position {
    /// What the position waits for.
    pub(crate) fn awaited(&self) -> Awaited {
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
            return Awaited::Answer(*name, question.clone());
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

/// The tokens that are awaited.
impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Awaited::Judge => f.write_str("judge:XXXXXXXX, eight digits 0-9a-f"),
            Awaited::Deal(name) => write!(f, "deal:{name}: and six words"),
            Awaited::Word(name) => write!(f, "word:{name}: and a word"),
            Awaited::Show(name) => write!(f, "show:{name}: and a feature, or done:{name}"),
            Awaited::First => f.write_str("first: and a seat"),
            Awaited::Window(seat) => {
                write!(f, "pass, curse:letter:OBJECT or curse:guess:OBJECT:WORD of {seat}")
            }
            Awaited::Move(seat) => write!(f, "roll or jewels:NUMBER of {seat}"),
            Awaited::Die => f.write_str("r1 to r6"),
            Awaited::Letter(seat) => write!(f, "letter:OBJECT or pass of {seat}"),
            Awaited::Gift { object, .. } => {
                write!(f, "give: and a letter of {object}, from {}", object.owner)
            }
            Awaited::Questions(seat) => write!(f, "ask:OBJECT:PREDICATE or stop of {seat}"),
            Awaited::Answer(name, question) => {
                write!(f, "the answer to ask:{name}:{question}: yes, no, possibly or dontknow")
            }
            Awaited::SecondRound(seat) => write!(f, "guess:OBJECT:WORD or pass of {seat}"),
            Awaited::Verdict { object, .. } => {
                write!(f, "right or wrong for the guess of {object}")
            }
            Awaited::Nothing => f.write_str("nothing, the game is over"),
        }
    }
}
