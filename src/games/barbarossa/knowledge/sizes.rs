//! Comparisons with any thing whose size or weight the table knows: is it bigger than a cat.
//!
//! Every predicate of size is a threshold. A thing above a threshold that the other one does not
//! reach is bigger; two things between the same thresholds may be of one size, so that nothing
//! follows.

use super::asked::{Asked, Follows};
use super::lexicon::{Lexicon, Named};
use super::{Answer, Knowledge, PredicateId, word_list};

/// A threshold: the predicate, and its answer for the things above.
type Threshold = (&'static str, Answer);

/// Thresholds of size, the lowest first.
const SIZES: &[Threshold] = &[
    ("is_bigger_than_hand", Answer::Yes),
    ("is_bigger_than_loaf", Answer::Yes),
    ("is_bigger_than_person", Answer::Yes),
    ("is_bigger_than_car", Answer::Yes),
    ("is_bigger_than_house", Answer::Yes),
];

/// Thresholds of weight.
const WEIGHTS: &[Threshold] = &[("is_lightweight", Answer::No), ("can_be_lifted", Answer::No)];

/// Names of the lexicon that are also names of things of another size.
const OF_TWO_SIZES: &[&str] = &[
    "bank", "bar", "bat", "block", "board", "bolt", "bow", "bug", "cap", "cell", "chest", "club",
    "coach", "compass", "crane", "date", "drill", "file", "glass", "horn", "iron", "jet", "kiwi",
    "leaf", "match", "mole", "monitor", "nail", "organ", "palm", "pen", "pipe", "pitcher", "plane",
    "plant", "pool", "racket", "ring", "rock", "rocket", "ruler", "scale", "screen", "seal",
    "shell", "slide", "spring", "star", "stone", "switch", "tank", "temple", "top", "trunk",
    "tube", "turkey", "well", "yard",
];

impl Knowledge {
    /// What a comparison with a thing of the lexicon asks for; the frame is `than|big|cat`.
    pub(super) fn compared(&self, frame: &str) -> Option<Asked> {
        let mut parts = frame.splitn(3, '|');
        let (relation, measure, reference) = (parts.next()?, parts.next()?, parts.next()?);
        let other = self.of_one_size(reference)?;
        if relation == "than" && matches!(measure, "long" | "tall" | "high" | "wide") {
            return self.extends(measure, other);
        }
        let (scale, more) = match measure {
            "big" | "huge" => (SIZES, true),
            "small" | "tiny" | "little" | "less big" => (SIZES, false),
            "heavy" => (WEIGHTS, true),
            "light" | "less heavy" => (WEIGHTS, false),
            _ => return None,
        };
        let above = self.nearest_threshold(scale, other, true);
        let below = self.nearest_threshold(scale, other, false);
        let mut conclusions: Vec<Asked> = match relation {
            // As big as a car: what is smaller is not.
            "as" if more => vec![conclude(above?, false, Answer::No)],
            "than" => {
                let answers =
                    if more { (Answer::Yes, Answer::No) } else { (Answer::No, Answer::Yes) };
                let over = below.map(|threshold| conclude(threshold, true, answers.0));
                let under = above.map(|threshold| conclude(threshold, false, answers.1));
                over.into_iter().chain(under).collect()
            }
            _ => return None,
        };
        let mut asked = conclusions.pop()?;
        asked.join_all(conclusions);
        Some(asked)
    }

    /// Longer, taller, wider than a thing: no of what is two thresholds of size smaller.
    fn extends(&self, measure: &str, other: Named) -> Option<Asked> {
        let (above, over) = self.nearest_threshold(SIZES, other, true)?;
        let at = SIZES.iter().position(|(name, _)| self.find_predicate(name) == Some(above))?;
        let lower = self.find_predicate(SIZES[at.checked_sub(1)?].0)?;
        let mut asked = conclude((lower, over), false, Answer::No);
        if measure == "long" {
            asked.join_all(self.find_predicate("is_long").map(|it| Asked::of(it, Follows::Unless)));
        }
        Some(asked)
    }

    /// The thing of a name that has one size.
    fn of_one_size(&self, name: &str) -> Option<Named> {
        let name = match name {
            "person" => "man",
            "tv" => "television",
            "bread" | "loaf bread" | "loaf of bread" | "bread box" | "shoe box" => "loaf",
            "soccer ball" => "football",
            _ => name,
        };
        if OF_TWO_SIZES.contains(&name) {
            return None;
        }
        let judged = self.find_word(name).map(Named::Judged);
        judged.or_else(|| Lexicon::shipped().find(&name.replace(' ', "_")))
    }

    /// The highest threshold that a thing is above of, or the lowest that it does not reach.
    fn nearest_threshold(
        &self,
        scale: &[Threshold],
        thing: Named,
        above: bool,
    ) -> Option<(PredicateId, Answer)> {
        let opposite = |answer| if answer == Answer::Yes { Answer::No } else { Answer::Yes };
        let fits = |(name, over): &Threshold| {
            let predicate = self.find_predicate(name)?;
            let wanted = if above { *over } else { opposite(*over) };
            let answer = match thing {
                Named::Judged(word) => self.answer(word, predicate),
                Named::Derived(_) => word_list::answer(thing, predicate),
            };
            (answer == wanted).then_some((predicate, *over))
        };
        if above { scale.iter().rev().find_map(fits) } else { scale.iter().find_map(fits) }
    }
}

/// That an answer follows where a thing is above a threshold, or where it does not reach it.
fn conclude((predicate, over): (PredicateId, Answer), above: bool, answer: Answer) -> Asked {
    let follows = match ((over == Answer::Yes) == above, answer) {
        (true, Answer::Yes) => Follows::Yes,
        (true, _) => Follows::NoIfYes,
        (false, Answer::No) => Follows::No,
        (false, _) => Follows::YesIfNo,
    };
    // What is possibly above a threshold is possibly below it.
    Asked::of(predicate, follows).decided()
}
