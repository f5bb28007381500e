//! What is legal, and why something is not.

use super::knowledge::{Answer, Knowledge, PredicateId};
use super::moves::{Gift, Move, Secret};
use super::options::MOST_SHOWN;
use super::position::{Object, Pending, Phase, Position};
use super::words::{LONGEST_WORD, ObjectName, Question, Word, is_listed};
use crate::game::Seat;

/// What the position waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Awaited<'a> {
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

impl Awaited<'_> {
    /// The tokens that would be right here.
    fn expected(&self) -> String {
        match self {
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
}

impl Position {
    /// What the position waits for.
    pub(super) fn awaited(&self) -> Awaited<'_> {
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

    /// Whether a move is legal; if not, the rule it breaks.
    pub(super) fn check(&self, m: &Move) -> Result<(), String> {
        let awaited = self.awaited();
        match (&awaited, m) {
            (Awaited::Judge, Move::Judge(token)) => {
                self.check_secret(token, self.viewer.is_none(), "the judge token")
            }
            (Awaited::Deal(due), Move::Deal(name, words)) => {
                check_due(*due, *name)?;
                self.check_secret(words, self.sees(name.owner), "these words")?;
                words.known().map_or(Ok(()), |words| self.check_deal(&words))
            }
            (Awaited::Word(due), Move::Word(name, word)) => {
                check_due(*due, *name)?;
                self.check_secret(word, self.sees(name.owner), "this word")?;
                word.known().map_or(Ok(()), |word| self.check_word(*name, &word))
            }
            (Awaited::Show(due), Move::Show(name, feature)) => {
                check_due(*due, *name)?;
                self.check_shown(*name, *feature)
            }
            (Awaited::Show(due), Move::Done(name)) => {
                check_due(*due, *name)?;
                self.check_done(*name)
            }
            (Awaited::First, Move::First(seat)) if seat.index() < self.rules.seats => Ok(()),
            (Awaited::Window(_) | Awaited::Letter(_) | Awaited::SecondRound(_), Move::Pass) => {
                Ok(())
            }
            (Awaited::Window(seat), Move::CurseLetter(name, place))
            | (Awaited::Letter(seat), Move::Letter(name, place)) => {
                self.check_letter(*seat, *name, *place)
            }
            (Awaited::Window(seat), Move::CurseGuess(name, word))
            | (Awaited::SecondRound(seat), Move::Guess(name, word)) => {
                self.check_guess(*seat, *name, word)
            }
            (Awaited::Move(_), Move::Roll) => Ok(()),
            (Awaited::Move(seat), Move::Jewels(steps)) => self.check_jewels(*seat, *steps),
            (Awaited::Die, Move::Die(1..=6)) => Ok(()),
            (Awaited::Gift { asker, object, place }, Move::Give(gift)) => {
                let visible = self.sees(*asker) || self.sees(object.owner);
                self.check_secret(gift, visible, "this letter")?;
                gift.known().map_or(Ok(()), |gift| self.check_gift(*asker, *object, *place, gift))
            }
            (Awaited::Questions(_), Move::Stop) => Ok(()),
            (Awaited::Questions(seat), Move::Ask(name, question)) => {
                self.check_asked(*seat, *name, question)
            }
            (Awaited::Answer(name, question), Move::Answer(answer)) => {
                self.check_answer(*name, question, *answer)
            }
            (Awaited::SecondRound(_), Move::Again) if self.may_ask_again() => Ok(()),
            (Awaited::SecondRound(_), Move::Again) => {
                Err("a second round of questions needs the option Round2 either".into())
            }
            (Awaited::Verdict { object, word, .. }, Move::Verdict(right)) => {
                match self.known_verdict(*object, *word) {
                    Some(known) if known != *right => {
                        Err(format!("the guess is {}", if known { "right" } else { "wrong" }))
                    }
                    _ => Ok(()),
                }
            }
            _ => Err(format!("expected here: {}", awaited.expected())),
        }
    }

    fn check_secret<T: Copy>(
        &self,
        secret: &Secret<T>,
        visible: bool,
        what: &str,
    ) -> Result<(), String> {
        match (secret, visible, self.viewer) {
            (Secret::Known(_), false, Some(viewer)) => {
                Err(format!("{viewer} may not see {what}; the view writes ? for it"))
            }
            (Secret::Masked, true, Some(viewer)) => {
                Err(format!("{viewer} sees {what}; ? stands only for what the viewer may not see"))
            }
            (Secret::Masked, _, None) => {
                Err(format!("? stands for {what} only in a view; this position sees everything"))
            }
            _ => Ok(()),
        }
    }

    fn check_deal(&self, words: &[super::knowledge::WordId]) -> Result<(), String> {
        let knowledge = Knowledge::shipped();
        for (count, word) in words.iter().enumerate() {
            if words[..count].contains(word) || self.was_dealt(*word) {
                return Err(format!("'{}' has been dealt already", knowledge.word(*word)));
            }
        }
        Ok(())
    }

    fn check_word(&self, name: ObjectName, word: &Word) -> Result<(), String> {
        let text = word.text();
        if let Some(Secret::Known(dealt)) = self.object(name).dealt {
            let dealt = dealt.map(Word::Listed);
            if !dealt.contains(word) {
                let list = dealt.map(|word| word.text().to_string()).join(",");
                return Err(format!("'{text}' was not dealt for {name}; dealt: {list}"));
            }
        } else if !self.rules.free_words {
            return Err(format!("no words are dealt for {name}"));
        }
        let twice = self.objects().find(|(other, object)| {
            other.owner == name.owner
                && object.known_word().is_some_and(|known| known.same(word, false))
        });
        if let Some((other, _)) = twice {
            return Err(format!("'{text}' is the word of {other} already"));
        }
        let features = self.features(word).take(MOST_SHOWN).count();
        if features < self.rules.fewest_shown() {
            return Err(format!("'{text}' has only {features} features that clay can show"));
        }
        Ok(())
    }

    /// The features of a word that a sculpture can show.
    pub(super) fn features(&self, word: &Word) -> impl Iterator<Item = PredicateId> {
        let knowledge = Knowledge::shipped();
        knowledge.vocabulary().filter(move |id| {
            knowledge.is_clay_visible(*id)
                && word.shipped_answer(*id).is_none_or(|answer| answer == Answer::Yes)
        })
    }

    fn check_shown(&self, name: ObjectName, feature: PredicateId) -> Result<(), String> {
        let knowledge = Knowledge::shipped();
        let text = knowledge.predicate(feature);
        let object = self.object(name);
        if !is_listed(feature) || !knowledge.is_clay_visible(feature) {
            return Err(format!("clay cannot show {text}"));
        }
        if object.shown.len() == MOST_SHOWN {
            return Err(format!("{name} shows {MOST_SHOWN} features, the most there may be"));
        }
        if let Some(last) = object.shown.last().filter(|last| **last >= feature) {
            return Err(format!(
                "features are shown in table order: {text} comes before {}",
                knowledge.predicate(*last)
            ));
        }
        let Some(word) = object.known_word() else {
            return Ok(());
        };
        if word.shipped_answer(feature).is_some_and(|answer| answer != Answer::Yes) {
            return Err(format!("{text} is not true of '{}'", word.text()));
        }
        if !self.leaves_enough(object, &word, feature) {
            return Err(format!(
                "after {text} there are too few features left; at least {} must be shown",
                self.rules.fewest_shown()
            ));
        }
        Ok(())
    }

    /// Whether after this feature the sculpture can still show as many as it must.
    pub(super) fn leaves_enough(&self, object: &Object, word: &Word, feature: PredicateId) -> bool {
        let missing = self.rules.fewest_shown().saturating_sub(object.shown.len() + 1);
        missing == 0 || self.features(word).filter(|id| *id > feature).nth(missing - 1).is_some()
    }

    fn check_done(&self, name: ObjectName) -> Result<(), String> {
        let fewest = self.rules.fewest_shown();
        if self.object(name).shown.len() < fewest {
            return Err(format!("{name} must show at least {fewest} before it is done"));
        }
        Ok(())
    }

    fn check_jewels(&self, seat: Seat, steps: u8) -> Result<(), String> {
        let jewels = self.seat(seat).jewels;
        match steps {
            0 => Err("at least one jewel is spent, or the die is rolled".into()),
            _ if jewels == 0 => Err(format!("{seat} has no jewels and must roll")),
            _ if steps > jewels => Err(format!("{seat} has {jewels} jewels, not {steps}")),
            _ => Ok(()),
        }
    }

    /// Whether a seat may ask, guess or have a letter of this object at all.
    fn check_target(&self, seat: Seat, name: ObjectName) -> Result<(), String> {
        if !self.has_object(name) {
            return Err(format!(
                "there is no object {name}: {} seats with {} objects each",
                self.rules.seats,
                self.rules.objects_each()
            ));
        }
        if name.owner == seat {
            return Err(format!("{name} is an object of {seat} himself"));
        }
        let object = self.object(name);
        if !self.is_open(object) {
            return Err(format!("{name} is closed: it has all its arrows"));
        }
        Ok(())
    }

    pub(super) fn check_letter(
        &self,
        seat: Seat,
        name: ObjectName,
        place: Option<u8>,
    ) -> Result<(), String> {
        self.check_target(seat, name)?;
        match (place, self.rules.letters_by_place) {
            (None, false) => Ok(()),
            (Some(_), false) => Err("the owner chooses the letter; name no place".into()),
            (None, true) => Err(format!("name the place of the letter: {name}:1 to {name}:14")),
            (Some(place), true) if !(1..=LONGEST_WORD).contains(&usize::from(place)) => {
                Err(format!("place {place}: a word has 1 to {LONGEST_WORD} letters"))
            }
            (Some(place), true) if self.was_given_place(seat, name, place) => {
                Err(format!("{seat} has asked for letter {place} of {name} already"))
            }
            (Some(_), true) => Ok(()),
        }
    }

    pub(super) fn was_given_place(&self, seat: Seat, name: ObjectName, place: u8) -> bool {
        let mut letters = self.object(name).letters.iter();
        letters.any(|letter| letter.asker == seat && letter.place == Some(place))
    }

    pub(super) fn check_guess(
        &self,
        seat: Seat,
        name: ObjectName,
        word: &Secret<Word>,
    ) -> Result<(), String> {
        self.check_target(seat, name)?;
        let object = self.object(name);
        if object.arrows.contains(&seat) {
            return Err(format!("{seat} has an arrow in {name} already"));
        }
        self.check_secret(word, self.sees(seat) || self.sees(name.owner), "this guess")?;
        if word.known().is_some_and(|word| self.was_guessed(object, seat, &word)) {
            return Err(format!("{seat} has guessed that word of {name} already"));
        }
        Ok(())
    }

    pub(super) fn was_guessed(&self, object: &Object, seat: Seat, word: &Word) -> bool {
        object.wrong.iter().any(|(guesser, wrong)| {
            *guesser == seat && wrong.known().is_some_and(|wrong| wrong.same(word, false))
        })
    }

    fn check_gift(
        &self,
        asker: Seat,
        name: ObjectName,
        place: Option<u8>,
        gift: Gift,
    ) -> Result<(), String> {
        let object = self.object(name);
        let Some(word) = object.known_word() else {
            return Ok(());
        };
        let allowed = allowed_gifts(object, &word, asker, place);
        if allowed.contains(gift) {
            return Ok(());
        }
        Err(match gift {
            Gift::Nothing => format!("not all letters of {name} have been given to {asker}"),
            Gift::Letter(letter) => {
                let letter = char::from(letter);
                format!("'{letter}' is not a letter of {name} that {asker} may be given")
            }
        })
    }

    pub(super) fn check_asked(
        &self,
        seat: Seat,
        name: ObjectName,
        question: &Question,
    ) -> Result<(), String> {
        self.check_target(seat, name)?;
        if let Question::Predicate(id) = question
            && !is_listed(*id)
        {
            return Err(format!("{question} is no predicate of the vocabulary"));
        }
        let object = self.object(name);
        let asked = match question.predicate() {
            Some(predicate) => object.was_asked(predicate),
            None => object.answers.iter().any(|(asked, _)| asked == question),
        };
        if asked {
            return Err(format!("{question} has been asked of {name} already"));
        }
        Ok(())
    }

    fn check_answer(
        &self,
        name: ObjectName,
        question: &Question,
        answer: Answer,
    ) -> Result<(), String> {
        match self.judged_answer(name, question) {
            Some(judged) if judged != answer && !self.rules.owner_answers => {
                Err(format!("the judge answers {judged} to ask:{name}:{question}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether a guess is right, where word and guess are known.
    pub(super) fn known_verdict(&self, name: ObjectName, guess: Secret<Word>) -> Option<bool> {
        let word = self.object(name).known_word()?;
        Some(word.same(&guess.known()?, self.rules.synset))
    }
}

fn check_due(due: ObjectName, name: ObjectName) -> Result<(), String> {
    if due == name { Ok(()) } else { Err(format!("{due} is due, not {name}")) }
}

/// The letters an owner may give, a bit each; none when only `give:none` is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AllowedGifts(u32);

impl AllowedGifts {
    pub(super) fn contains(self, gift: Gift) -> bool {
        match gift {
            Gift::Nothing => self.0 == 0,
            Gift::Letter(letter @ b'a'..=b'z') => self.0 >> (letter - b'a') & 1 == 1,
            Gift::Letter(_) => false,
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Gift> {
        let nothing = (self.0 == 0).then_some(Gift::Nothing);
        let letters = (b'a'..=b'z').map(Gift::Letter).filter(move |gift| self.contains(*gift));
        letters.chain(nothing)
    }
}

/// What may be given: the letter at the place named, or any letter of the word that the asker has
/// not been given as often as it occurs.
pub(super) fn allowed_gifts(
    object: &Object,
    word: &Word,
    asker: Seat,
    place: Option<u8>,
) -> AllowedGifts {
    let bit = |letter: u8| 1 << (letter.wrapping_sub(b'a') & 31);
    if let Some(place) = place {
        let letter = word.letters().get(usize::from(place).wrapping_sub(1));
        return AllowedGifts(letter.map_or(0, |letter| bit(*letter)));
    }
    let given = |letter: u8| {
        let known = Secret::Known(Gift::Letter(letter));
        let mut count = object.letters.iter();
        count.by_ref().filter(|given| given.asker == asker && given.gift == known).count()
    };
    let mut allowed = 0;
    for letter in word.letters() {
        let occurs = word.letters().iter().filter(|other| *other == letter).count();
        if given(*letter) < occurs {
            allowed |= bit(*letter);
        }
    }
    AllowedGifts(allowed)
}
