//! Steps that begin with an object: letters, questions, guesses, curses; and words as forms.

use super::{ANYWAY, Answered, Entry, GUESS, LETTER, Misread, predicate_button};
use crate::game::picture::{StepError, offer};
use crate::game::{NotationError, Seat};
use crate::games::barbarossa::knowledge::{Knowledge, Unsure, word_list};
use crate::games::barbarossa::notation::words::escape;
use crate::games::barbarossa::rules::legality::Illegal;
use crate::games::barbarossa::rules::moves::{Move, Secret};
use crate::games::barbarossa::rules::position::Phase;
use crate::games::barbarossa::rules::words::{
    LONGEST_NAME, LONGEST_WORD, ObjectName, Question, SHORTEST_WORD, Word,
};
use crate::picture::{Form, Next, Step};

/// The longest question in own words: all of it escaped, it is still read.
const LONGEST_QUESTION: u32 = 130;

/// The most words that a beginning lists.
const MOST_OFFERED: usize = 2000;

impl Entry<'_> {
    /// A word as a form; a beginning and `*` lists the words that may be chosen.
    pub(super) fn word(&self, index: usize, text: &str, make: impl Fn(Word) -> Move) -> Answered {
        let form = Form {
            label: "word".into(),
            kind: "word".into(),
            pattern: Some(format!("[A-Za-z_]{{{SHORTEST_WORD},{LONGEST_NAME}}}")),
            max: Some(LONGEST_NAME as u32),
            complete: true,
            ..Form::default()
        };
        let step = Step { form: Some(form), ..Step::new(&self.path[..index], text) };
        let Some(choice) = self.choice(index) else {
            return Ok(step);
        };
        if let Some(beginning) = choice.strip_suffix('*') {
            if self.path.len() > index + 1 {
                return Err(self.error(index, "only the last choice ends in *"));
            }
            return Ok(self.beginning(step, beginning, make));
        }
        match Word::parse(choice, self.position.options().allowed_words()) {
            Ok(word) => self.complete(index + 1, &make(word)),
            Err(error) => Err(self.error(index, error.to_string())),
        }
    }

    fn beginning(&self, step: Step, beginning: &str, make: impl Fn(Word) -> Move) -> Step {
        let beginning = beginning.to_ascii_lowercase();
        let words = self.position.options().lexicon.words();
        let words = words.filter(|id| word_list::word(*id).starts_with(&beginning));
        if words.clone().nth(MOST_OFFERED).is_some() {
            let text = format!("{} More than {MOST_OFFERED} words begin so.", step.text);
            return Step { text, ..step };
        }
        let words = words
            .filter(|id| self.position.check(&make(Word::Listed(*id))).is_ok())
            .map(|id| Next::button(word_list::word(id), word_list::word(id)));
        offer(step, words.collect())
    }

    /// The object that the first choice names, if the rules allow it.
    fn card(
        &self,
        choice: &str,
        check: impl Fn(ObjectName) -> Result<(), Illegal>,
    ) -> Result<ObjectName, StepError> {
        let name = choice.parse().map_err(|_| self.error(0, "no object of this name"))?;
        check(name).map_err(|illegal| self.error(0, illegal.to_string()))?;
        Ok(name)
    }

    pub(super) fn letter(&self, seat: Seat) -> Answered {
        match self.choice(0) {
            None => {
                let pass = [pass_button("the letter")];
                let cards = self.position.open_objects(seat).map(|(name, _)| card_button(name));
                let next = pass.into_iter().chain(cards).collect();
                Ok(offer(self.open("Choose an object to have a letter of"), next))
            }
            Some("pass") => self.complete(1, &Move::Pass),
            Some(choice) => {
                let name = self.card(choice, |name| self.position.check_target(seat, name))?;
                self.place(1, seat, name, |place| Move::Letter(name, place))
            }
        }
    }

    /// The place of a letter at an index of the path, where askers name places.
    fn place(
        &self,
        index: usize,
        seat: Seat,
        name: ObjectName,
        make: impl Fn(Option<u8>) -> Move,
    ) -> Answered {
        if !self.position.options().letters_by_place {
            return self.complete(index, &make(None));
        }
        let places = (1..=LONGEST_WORD as u8)
            .filter(|place| !self.position.was_given_place(seat, name, *place));
        let Some(choice) = self.choice(index) else {
            let next =
                places.map(|place| Next::button(place.to_string(), format!("letter {place}")));
            return Ok(offer(self.open(format!("Which letter of {name}?")), next.collect()));
        };
        let mut places = places;
        match places.find(|place| place.to_string() == choice) {
            Some(place) => self.complete(index + 1, &make(Some(place))),
            None => Err(self.error(index, "no place that is still to be asked for")),
        }
    }

    pub(super) fn question(&self, seat: Seat) -> Answered {
        let choice = match self.choice(0) {
            None => {
                let stop = [Next::button("stop", "no more questions")];
                let cards = self.position.open_objects(seat).map(|(name, _)| card_button(name));
                let next = stop.into_iter().chain(cards).collect();
                return Ok(offer(self.open("Choose an object to ask about"), next));
            }
            Some("stop") => return self.complete(1, &Move::Stop),
            Some(choice) => choice,
        };
        let name = self.card(choice, |name| self.position.check_target(seat, name))?;
        let Some(choice) = self.choice(1) else {
            return Ok(self.questions(name));
        };
        let question = match choice.strip_prefix('~') {
            Some(text) => own_words(text),
            None => choice.parse::<Question>().map_err(|error| error.to_string()),
        };
        let question = question.map_err(|message| self.error(1, message))?;
        match super::misread(&question) {
            Some(reading) => self.unsure(name, question, reading),
            None => self.complete(2, &Move::Ask(name, question)),
        }
    }

    /// A question in own words that is not understood with certainty: it would be answered
    /// DON'T KNOW, so the player is told before it is spent, and offered what comes near.
    fn unsure(&self, name: ObjectName, question: Question, (why, nearest): Misread) -> Answered {
        let (knowledge, object) = (Knowledge::shipped(), self.position.object(name));
        let judged = !self.position.options().owner_answers;
        let Some(choice) = self.choice(2) else {
            let asked = nearest.into_iter().filter(|id| !object.was_asked(*id));
            let instead = asked.map(|id| predicate_button(id, knowledge.question(id).to_owned()));
            let partly = matches!(why, Unsure::Wider | Unsure::Narrower | Unsure::Rough);
            let label = match (judged, partly) {
                (false, _) => "ask its owner",
                (true, true) => "ask it; the answer may be: don't know",
                (true, false) => "ask it; the answer is: don't know",
            };
            let next = instead.chain([Next::button(ANYWAY, label)]).collect();
            let begin = if partly { "Partly understood" } else { "Not understood" };
            return Ok(offer(self.open(format!("{begin}: {why}")), next));
        };
        match knowledge.find_predicate(choice) {
            _ if choice == ANYWAY => self.complete(3, &Move::Ask(name, question)),
            Some(id) if nearest.contains(&id) => {
                self.complete(3, &Move::Ask(name, Question::Predicate(id)))
            }
            _ => Err(self.error(2, "neither `anyway` nor one of the questions offered")),
        }
    }

    /// The predicates that have not been asked, and a form for own words.
    fn questions(&self, name: ObjectName) -> Step {
        let (knowledge, object) = (Knowledge::shipped(), self.position.object(name));
        let next = knowledge
            .vocabulary()
            .filter(|predicate| !object.was_asked(*predicate))
            .map(|predicate| predicate_button(predicate, knowledge.question(predicate).into()));
        let form = Form {
            label: "in your own words".into(),
            kind: "text".into(),
            prefix: "~".into(),
            escape: Some("percent".into()),
            max: Some(LONGEST_QUESTION),
            ..Form::default()
        };
        let step = Step { form: Some(form), ..self.open(format!("Ask about {name}")) };
        offer(step, next.collect())
    }

    pub(super) fn guess(&self, seat: Seat) -> Answered {
        match self.choice(0) {
            None => {
                let mut next = vec![pass_button("the guess")];
                if self.position.may_ask_again() {
                    next.push(Next::button("again", "another round of questions"));
                }
                next.extend(self.position.guessable(seat).map(|(name, _)| card_button(name)));
                Ok(offer(self.open("Choose an object to guess"), next))
            }
            Some("pass") => self.complete(1, &Move::Pass),
            Some("again") => self.complete(1, &Move::Again),
            Some(choice) => {
                let name = self.card(choice, |name| self.position.check_guessable(seat, name))?;
                let make = |word| Move::Guess(name, Secret::Known(word));
                self.word(1, &format!("What is {name}?"), make)
            }
        }
    }

    /// What comes after a window in which a seat passes.
    fn after_window(&self, seat: Seat) -> &'static str {
        match (self.position.turn == Some(seat), self.position.phase()) {
            (true, Phase::Start) => "you roll or pay jewels",
            (true, Phase::Answer) if self.position.asks_on() => "you ask on",
            (true, Phase::Answer) => "your questions end",
            _ => "the turn goes on",
        }
    }

    pub(super) fn window(&self, seat: Seat) -> Answered {
        let position = self.position;
        let choice = match self.choice(0) {
            None => {
                let pass = [Next::button("pass", "pass")];
                let cards = position.open_objects(seat).map(|(name, _)| card_button(name));
                let next = pass.into_iter().chain(cards).collect();
                let task = "Choose an object to spend a curse token, or pass";
                return Ok(offer(
                    self.open(format!("{task}: then {}", self.after_window(seat))),
                    next,
                ));
            }
            Some("pass") => return self.complete(1, &Move::Pass),
            Some(choice) => choice,
        };
        let name = self.card(choice, |name| position.check_target(seat, name))?;
        match self.choice(1) {
            None => {
                let mut next = vec![curse_button(LETTER, "ask for a letter")];
                if position.check_guessable(seat, name).is_ok() {
                    next.push(curse_button(GUESS, "guess the word"));
                }
                Ok(offer(self.open(format!("Spend a curse token on {name}")), next))
            }
            Some(LETTER) => self.place(2, seat, name, |place| Move::CurseLetter(name, place)),
            Some(GUESS) => {
                let guessable = position.check_guessable(seat, name);
                guessable.map_err(|illegal| self.error(1, illegal.to_string()))?;
                let make = |word| Move::CurseGuess(name, Secret::Known(word));
                self.word(2, &format!("What is {name}?"), make)
            }
            Some(_) => Err(self.error(1, "a curse token is spent for a letter or a guess")),
        }
    }
}

/// Passes where that gives something up.
fn pass_button(cost: &str) -> Next {
    Next { cost: Some(cost.into()), ..Next::button("pass", "pass") }
}

fn card_button(name: ObjectName) -> Next {
    Next::card(name.to_string())
}

fn curse_button(choice: &str, label: &str) -> Next {
    Next { cost: Some("1 curse token".into()), ..Next::button(choice, label) }
}

/// A question in own words, as a form sends it: more characters than in a token stand for
/// themselves.
fn own_words(escaped: &str) -> Result<Question, String> {
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.as_bytes();
    while let [first, later @ ..] = rest {
        rest = later;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let byte = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.ok_or("after % come two hexadecimal digits")?);
        rest = &rest[2..];
    }
    let text = String::from_utf8(bytes).map_err(|_| "the bytes are not UTF-8")?;
    // Reads the token as it will be written: it may be empty or too long.
    let mut token = String::new();
    escape(&text, &mut token).map_err(|error| error.to_string())?;
    token.parse().map_err(|error: NotationError| error.to_string())
}
