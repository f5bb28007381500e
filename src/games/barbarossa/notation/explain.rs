//! Why a move is illegal, in one line.

use std::fmt;

use crate::games::barbarossa::knowledge::{Knowledge, word_list};
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::legality::{Illegal, SecretKind};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::options::MOST_SHOWN;
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::LONGEST_WORD;

/// Names the rule that a move breaks.
pub(super) fn explain(position: &Position, m: &Move) -> String {
    match position.check(m) {
        Ok(()) => "this move is legal".into(),
        Err(Illegal::Unexpected) => format!("expected here: {}", expected(&position.awaited())),
        Err(illegal) => illegal.to_string(),
    }
}

/// The tokens that the position waits for.
fn expected(awaited: &Awaited) -> String {
    match awaited {
        Awaited::Judge => "judge:XXXXXXXX, eight digits 0-9a-f".into(),
        Awaited::Deal(name) => format!("deal:{name}: and six words"),
        Awaited::Word(name) => format!("word:{name}: and a word"),
        Awaited::Show(name) => format!("show:{name}: and a feature, or done:{name}"),
        Awaited::First => "first: and a seat".into(),
        Awaited::Window(seat) => {
            format!("pass, curse:letter:OBJECT or curse:guess:OBJECT:WORD of {seat}")
        }
        Awaited::Move(seat) => format!("roll or jewels:NUMBER of {seat}"),
        Awaited::Die => "r1 to r6".into(),
        Awaited::Letter(seat) => format!("letter:OBJECT or pass of {seat}"),
        Awaited::Gift { object, .. } => {
            format!("give: and a letter of {object}, from {}", object.owner)
        }
        Awaited::Questions(seat) => format!("ask:OBJECT:PREDICATE or stop of {seat}"),
        Awaited::Answer(name, question) => {
            format!("the answer to ask:{name}:{question}: yes, no, possibly or dontknow")
        }
        Awaited::SecondRound(seat) => format!("guess:OBJECT:WORD or pass of {seat}"),
        Awaited::Verdict { object, .. } => format!("right or wrong for the guess of {object}"),
        Awaited::Nothing => "nothing, the game is over".into(),
    }
}

impl fmt::Display for SecretKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SecretKind::Judge => "the judge token",
            SecretKind::Deal => "these words",
            SecretKind::Word => "this word",
            SecretKind::Letter => "this letter",
            SecretKind::Guess => "this guess",
        })
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let knowledge = Knowledge::shipped();
        match self {
            Illegal::Unexpected => write!(f, "another kind of move is expected here"),
            Illegal::OtherObject { due, named } => write!(f, "{due} is due, not {named}"),
            Illegal::NoSecondRound => {
                write!(f, "a second round of questions needs the option Round2 either")
            }
            Illegal::OtherVerdict(right) => {
                write!(f, "the guess is {}", if *right { "right" } else { "wrong" })
            }
            Illegal::Hidden(viewer, what) => {
                write!(f, "{viewer} may not see {what}; the view writes ? for it")
            }
            Illegal::Visible(viewer, what) => {
                write!(f, "{viewer} sees {what}; ? stands only for what the viewer may not see")
            }
            Illegal::MaskOutsideView(what) => {
                write!(f, "? stands for {what} only in a view; this position sees everything")
            }
            Illegal::DealtTwice(word) => {
                write!(f, "'{}' has been dealt already", word_list::word(*word))
            }
            Illegal::NotDealt { word, object, dealt } => {
                let list = dealt.map(word_list::word).join(",");
                write!(f, "'{}' was not dealt for {object}; dealt: {list}", word.text())
            }
            Illegal::NothingDealt(object) => write!(f, "no words are dealt for {object}"),
            Illegal::WordTaken { word, object } => {
                write!(f, "'{}' is the word of {object} already", word.text())
            }
            Illegal::TooFewFeatures { word, features } => {
                write!(f, "'{}' has only {features} features that clay can show", word.text())
            }
            Illegal::NotForClay(feature) => {
                write!(f, "clay cannot show {}", knowledge.predicate(*feature))
            }
            Illegal::TooManyShown(object) => {
                write!(f, "{object} shows {MOST_SHOWN} features, the most there may be")
            }
            Illegal::OutOfOrder { feature, last } => write!(
                f,
                "features are shown in table order: {} comes before {}",
                knowledge.predicate(*feature),
                knowledge.predicate(*last)
            ),
            Illegal::NotTrue { feature, word } => {
                write!(f, "{} is not true of '{}'", knowledge.predicate(*feature), word.text())
            }
            Illegal::TooFewLeft { feature, fewest } => write!(
                f,
                "after {} there are too few features left; at least {fewest} must be shown",
                knowledge.predicate(*feature)
            ),
            Illegal::TooFewShown { object, fewest } => {
                write!(f, "{object} must show at least {fewest} before it is done")
            }
            Illegal::NoJewelSpent => write!(f, "at least one jewel is spent, or the die is rolled"),
            Illegal::NoJewels(seat) => write!(f, "{seat} has no jewels and must roll"),
            Illegal::TooManyJewels { seat, jewels, steps } => {
                write!(f, "{seat} has {jewels} jewels, not {steps}")
            }
            Illegal::NoSuchObject { object, seats, each } => {
                write!(f, "there is no object {object}: {seats} seats with {each} objects each")
            }
            Illegal::OwnObject { seat, object } => {
                write!(f, "{object} belongs to {seat}")
            }
            Illegal::Closed(object) => write!(f, "{object} is closed: it has all its arrows"),
            Illegal::PlaceNamed => write!(f, "the owner chooses the letter; name no place"),
            Illegal::PlaceMissing(object) => {
                write!(f, "name the place of the letter: {object}:1 to {object}:{LONGEST_WORD}")
            }
            Illegal::PlaceOutOfRange(place) => {
                write!(f, "place {place}: a word has 1 to {LONGEST_WORD} letters")
            }
            Illegal::PlaceTwice { seat, place, object } => {
                write!(f, "{seat} has asked for letter {place} of {object} already")
            }
            Illegal::ArrowTwice { seat, object } => {
                write!(f, "{seat} has an arrow in {object} already")
            }
            Illegal::GuessedTwice { seat, object } => {
                write!(f, "{seat} has guessed that word of {object} already")
            }
            Illegal::LettersLeft { asker, object } => {
                write!(f, "not all letters of {object} have been given to {asker}")
            }
            Illegal::NoSuchLetter { letter, asker, object } => {
                let letter = char::from(*letter);
                write!(f, "'{letter}' is not a letter of {object} that {asker} may be given")
            }
            Illegal::UnlistedPredicate(predicate) => {
                let name = knowledge.predicate(*predicate);
                write!(f, "{name} is no predicate of the vocabulary")
            }
            Illegal::AskedTwice(object, question) => {
                write!(f, "{question} has been asked of {object} already")
            }
            Illegal::OtherAnswer(answer, object, question) => {
                write!(f, "the judge answers {answer} to ask:{object}:{question}")
            }
        }
    }
}
