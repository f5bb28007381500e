//! Everything that changes the state, one value a token.

use super::options::DEALT;
use super::words::{ObjectName, Question, Word};
use crate::game::Seat;
use crate::games::barbarossa::knowledge::{Answer, PredicateId, WordId};

/// Something secret: known, or masked with `?` for one who may not see it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Secret<T> {
    /// Known.
    Known(T),
    /// Masked.
    Masked,
}

impl<T: Copy> Secret<T> {
    /// The value, if it is known.
    #[must_use]
    pub fn known(self) -> Option<T> {
        match self {
            Secret::Known(value) => Some(value),
            Secret::Masked => None,
        }
    }

    /// The value for one who may see it or not.
    #[must_use]
    pub fn seen(self, visible: bool) -> Self {
        if visible { self } else { Secret::Masked }
    }
}

/// The reply of an owner who is asked for a letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gift {
    /// A letter a-z.
    Letter(u8),
    /// No letter is left to give.
    Nothing,
}

/// One move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Chance decides which cells the judge sees otherwise.
    Judge(Secret<u32>),
    /// Words are dealt for an object.
    Deal(ObjectName, Secret<[WordId; DEALT]>),
    /// The owner writes down the word.
    Word(ObjectName, Secret<Word>),
    /// The sculpture shows a feature.
    Show(ObjectName, PredicateId),
    /// The sculpture is done.
    Done(ObjectName),
    /// Chance says who begins.
    First(Seat),
    /// The seat rolls.
    Roll,
    /// The die shows this.
    Die(u8),
    /// The seat spends jewels and advances as far.
    Jewels(u8),
    /// On an Elf: a letter of this object, by place (from 1) where the option says so.
    Letter(ObjectName, Option<u8>),
    /// The owner gives it.
    Give(Secret<Gift>),
    /// A question.
    Ask(ObjectName, Question),
    /// The answer.
    Answer(Answer),
    /// No more questions.
    Stop,
    /// A guess.
    Guess(ObjectName, Secret<Word>),
    /// Another round of questions in place of a guess.
    Again,
    /// Whether a guess was right.
    Verdict(bool),
    /// No letter, no guess, no curse.
    Pass,
    /// A curse token for a letter.
    CurseLetter(ObjectName, Option<u8>),
    /// A curse token for a guess.
    CurseGuess(ObjectName, Secret<Word>),
}
