//! What is legal, and the rule that an illegal move breaks.

use super::awaited::Awaited;
use super::moves::{Gift, Move, Secret};
use super::options::{DEALT, MOST_SHOWN};
use super::position::{Object, Position};
use super::words::{LONGEST_WORD, ObjectName, Question, Word};
use crate::game::Seat;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId, word_list};

/// A kind of secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum SecretKind {
    #[error("the judge token")]
    Judge,
    #[error("these words")]
    Deal,
    #[error("this word")]
    Word,
    #[error("this letter")]
    Letter,
    #[error("this guess")]
    Guess,
}

/// The rule that a move breaks. `Display` explains it in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Illegal {
    /// The position waits for another kind of move, which is named.
    #[error("expected here: {0}")]
    Unexpected(Awaited),
    /// The move is due, but for another object.
    #[error("{due} is due, not {named}")]
    OtherObject { due: ObjectName, named: ObjectName },
    /// A second round of questions is not played.
    #[error("a second round of questions needs the option Round2 either")]
    NoSecondRound,
    /// The guess is right, or wrong, and the verdict says otherwise.
    #[error("the guess is {}", if *.0 { "right" } else { "wrong" })]
    OtherVerdict(bool),
    /// The viewer may not see what the move states.
    #[error("{0} may not see {1}; the view writes ? for it")]
    Hidden(Seat, SecretKind),
    /// The viewer sees what the move masks.
    #[error("{0} sees {1}; ? stands only for what the viewer may not see")]
    Visible(Seat, SecretKind),
    /// A mask (`?`) in a position that sees everything.
    #[error("? stands for {0} only in a view; this position sees everything")]
    MaskOutsideView(SecretKind),
    #[error("'{}' has been dealt already", word_list::word(*.0))]
    DealtTwice(WordId),
    #[error("'{}' was not dealt for {object}; dealt: {}", .word.text(), .dealt.map(word_list::word).join(","))]
    NotDealt { word: Word, object: ObjectName, dealt: [WordId; DEALT] },
    #[error("no words are dealt for {0}")]
    NothingDealt(ObjectName),
    /// The owner has this word already.
    #[error("'{}' is the word of {object} already", .word.text())]
    WordTaken { word: Word, object: ObjectName },
    #[error("'{}' has only {features} features that clay can show", .word.text())]
    TooFewFeatures { word: Word, features: usize },
    #[error("clay cannot show {}", name(*.0))]
    NotForClay(PredicateId),
    #[error("{0} shows {most} features, the most there may be", most = MOST_SHOWN)]
    TooManyShown(ObjectName),
    #[error("features are shown in table order: {} comes before {}", name(*.feature), name(*.last))]
    OutOfOrder { feature: PredicateId, last: PredicateId },
    #[error("{} is not true of '{}'", name(*.feature), .word.text())]
    NotTrue { feature: PredicateId, word: Word },
    #[error("after {} there are too few features left; at least {fewest} must be shown", name(*.feature))]
    TooFewLeft { feature: PredicateId, fewest: usize },
    #[error("{object} must show at least {fewest} before it is done")]
    TooFewShown { object: ObjectName, fewest: usize },
    #[error("at least one jewel is spent, or the die is rolled")]
    NoJewelSpent,
    #[error("{0} has no jewels and must roll")]
    NoJewels(Seat),
    #[error("{seat} has {jewels} jewels, not {steps}")]
    TooManyJewels { seat: Seat, jewels: u8, steps: u8 },
    #[error("there is no object {object}: {seats} seats with {each} objects each")]
    NoSuchObject { object: ObjectName, seats: usize, each: usize },
    #[error("{object} belongs to {seat}")]
    OwnObject { seat: Seat, object: ObjectName },
    #[error("{0} is closed: it has all its arrows")]
    Closed(ObjectName),
    /// A place is named where the owner chooses the letter.
    #[error("the owner chooses the letter; name no place")]
    PlaceNamed,
    #[error("name the place of the letter: {0}:1 to {0}:{longest}", longest = LONGEST_WORD)]
    PlaceMissing(ObjectName),
    #[error("place {0}: a word has 1 to {longest} letters", longest = LONGEST_WORD)]
    PlaceOutOfRange(u8),
    #[error("{seat} has asked for letter {place} of {object} already")]
    PlaceTwice { seat: Seat, place: u8, object: ObjectName },
    #[error("{seat} has an arrow in {object} already")]
    ArrowTwice { seat: Seat, object: ObjectName },
    #[error("'{}' is not in the list of words that this game is played with", .0.text())]
    NotInList(Word),
    #[error("{seat} has guessed that word of {object} already")]
    GuessedTwice { seat: Seat, object: ObjectName },
    /// Nothing is given although letters are left.
    #[error("not all letters of {object} have been given to {asker}")]
    LettersLeft { asker: Seat, object: ObjectName },
    #[error("'{}' is not a letter of {object} that {asker} may be given", char::from(*.letter))]
    NoSuchLetter { letter: u8, asker: Seat, object: ObjectName },
    #[error("{} is no predicate of the vocabulary", name(*.0))]
    UnlistedPredicate(PredicateId),
    #[error("{1} has been asked of {0} already")]
    AskedTwice(ObjectName, Question),
    /// The judge gives this answer, not the one stated.
    #[error("the judge answers {0} to ask:{1}:{2}")]
    OtherAnswer(Answer, ObjectName, Question),
}

fn name(predicate: PredicateId) -> &'static str {
    Knowledge::shipped().predicate(predicate)
}

impl Position {
    /// Whether a move is legal; if not, the rule it breaks.
    pub(crate) fn check(&self, m: &Move) -> Result<(), Illegal> {
        let awaited = self.awaited();
        match m {
            Move::Judge(_)
            | Move::Deal(..)
            | Move::Word(..)
            | Move::Show(..)
            | Move::Done(_)
            | Move::First(_) => self.check_set_up(&awaited, m),
            _ => self.check_turn(&awaited, m),
        }
    }

    /// The moves before the first turn.
    fn check_set_up(&self, awaited: &Awaited, m: &Move) -> Result<(), Illegal> {
        match (awaited, m) {
            (Awaited::Judge, Move::Judge(token)) => {
                self.check_secret(token, self.viewer.is_none(), SecretKind::Judge)
            }
            (Awaited::Deal(due), Move::Deal(name, words)) => {
                check_due(*due, *name)?;
                self.check_secret(words, self.sees(name.owner), SecretKind::Deal)?;
                words.known().map_or(Ok(()), |words| self.check_deal(&words))
            }
            (Awaited::Word(due), Move::Word(name, word)) => {
                check_due(*due, *name)?;
                self.check_secret(word, self.sees(name.owner), SecretKind::Word)?;
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
            _ => Err(Illegal::Unexpected(awaited.clone())),
        }
    }

    /// The moves of a turn, and the answers to them.
    fn check_turn(&self, awaited: &Awaited, m: &Move) -> Result<(), Illegal> {
        match (awaited, m) {
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
                self.check_secret(gift, visible, SecretKind::Letter)?;
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
            (Awaited::SecondRound(_), Move::Again) => Err(Illegal::NoSecondRound),
            (Awaited::Verdict { object, word, .. }, Move::Verdict(right)) => {
                match self.known_verdict(*object, *word) {
                    Some(known) if known != *right => Err(Illegal::OtherVerdict(known)),
                    _ => Ok(()),
                }
            }
            _ => Err(Illegal::Unexpected(awaited.clone())),
        }
    }

    fn check_secret<T: Copy>(
        &self,
        secret: &Secret<T>,
        visible: bool,
        what: SecretKind,
    ) -> Result<(), Illegal> {
        match (secret, visible, self.viewer) {
            (Secret::Known(_), false, Some(viewer)) => Err(Illegal::Hidden(viewer, what)),
            (Secret::Masked, true, Some(viewer)) => Err(Illegal::Visible(viewer, what)),
            (Secret::Masked, _, None) => Err(Illegal::MaskOutsideView(what)),
            _ => Ok(()),
        }
    }

    fn check_deal(&self, words: &[WordId]) -> Result<(), Illegal> {
        for (count, word) in words.iter().enumerate() {
            if words[..count].contains(word) || self.was_dealt(*word) {
                return Err(Illegal::DealtTwice(*word));
            }
        }
        Ok(())
    }

    fn check_word(&self, name: ObjectName, word: &Word) -> Result<(), Illegal> {
        if let Some(Secret::Known(dealt)) = self.object(name).dealt {
            if !dealt.map(Word::Listed).contains(word) {
                return Err(Illegal::NotDealt { word: *word, object: name, dealt });
            }
        } else if !self.rules.free_words {
            return Err(Illegal::NothingDealt(name));
        }
        let twice = self.objects().find(|(other, object)| {
            other.owner == name.owner
                && object.known_word().is_some_and(|known| known.same(word, false))
        });
        if let Some((other, _)) = twice {
            return Err(Illegal::WordTaken { word: *word, object: other });
        }
        let fewest = self.rules.fewest_shown();
        let features = word.features().take(fewest).count();
        if features < fewest {
            return Err(Illegal::TooFewFeatures { word: *word, features });
        }
        Ok(())
    }

    fn check_shown(&self, name: ObjectName, feature: PredicateId) -> Result<(), Illegal> {
        let knowledge = Knowledge::shipped();
        let object = self.object(name);
        if !knowledge.is_listed(feature) || !knowledge.is_clay_visible(feature) {
            return Err(Illegal::NotForClay(feature));
        }
        if object.shown.len() == MOST_SHOWN {
            return Err(Illegal::TooManyShown(name));
        }
        if let Some(last) = object.shown.last().filter(|last| **last >= feature) {
            return Err(Illegal::OutOfOrder { feature, last: *last });
        }
        let Some(word) = object.known_word() else {
            return Ok(());
        };
        if !word.may_show(feature) {
            return Err(Illegal::NotTrue { feature, word });
        }
        if !self.leaves_enough(object, &word, feature) {
            return Err(Illegal::TooFewLeft { feature, fewest: self.rules.fewest_shown() });
        }
        Ok(())
    }

    /// Whether after this feature the sculpture can still show as many as it must.
    fn leaves_enough(&self, object: &Object, word: &Word, feature: PredicateId) -> bool {
        let missing = self.missing_after(object);
        word.features().filter(|id| *id > feature).take(missing).count() == missing
    }

    /// How many features a sculpture must show besides the next one.
    pub(super) fn missing_after(&self, object: &Object) -> usize {
        self.rules.fewest_shown().saturating_sub(object.shown.len() + 1)
    }

    fn check_done(&self, name: ObjectName) -> Result<(), Illegal> {
        let fewest = self.rules.fewest_shown();
        if self.object(name).shown.len() < fewest {
            return Err(Illegal::TooFewShown { object: name, fewest });
        }
        Ok(())
    }

    fn check_jewels(&self, seat: Seat, steps: u8) -> Result<(), Illegal> {
        let jewels = self.seat(seat).jewels;
        match steps {
            0 => Err(Illegal::NoJewelSpent),
            _ if jewels == 0 => Err(Illegal::NoJewels(seat)),
            _ if steps > jewels => Err(Illegal::TooManyJewels { seat, jewels, steps }),
            _ => Ok(()),
        }
    }

    /// Whether a seat may ask, guess or have a letter of this object at all.
    pub(crate) fn check_target(&self, seat: Seat, name: ObjectName) -> Result<(), Illegal> {
        if !self.has_object(name) {
            let (seats, each) = (self.rules.seats, self.rules.objects_each());
            return Err(Illegal::NoSuchObject { object: name, seats, each });
        }
        if name.owner == seat {
            return Err(Illegal::OwnObject { seat, object: name });
        }
        let object = self.object(name);
        if !self.is_open(object) {
            return Err(Illegal::Closed(name));
        }
        Ok(())
    }

    pub(super) fn check_letter(
        &self,
        seat: Seat,
        name: ObjectName,
        place: Option<u8>,
    ) -> Result<(), Illegal> {
        self.check_target(seat, name)?;
        match (place, self.rules.letters_by_place) {
            (None, false) => Ok(()),
            (Some(_), false) => Err(Illegal::PlaceNamed),
            (None, true) => Err(Illegal::PlaceMissing(name)),
            (Some(place), true) if !(1..=LONGEST_WORD).contains(&usize::from(place)) => {
                Err(Illegal::PlaceOutOfRange(place))
            }
            (Some(place), true) if self.was_given_place(seat, name, place) => {
                Err(Illegal::PlaceTwice { seat, place, object: name })
            }
            (Some(_), true) => Ok(()),
        }
    }

    pub(crate) fn was_given_place(&self, seat: Seat, name: ObjectName, place: u8) -> bool {
        let mut letters = self.object(name).letters.iter();
        letters.any(|letter| letter.asker == seat && letter.place == Some(place))
    }

    /// Whether a seat may guess this object at all.
    pub(crate) fn check_guessable(&self, seat: Seat, name: ObjectName) -> Result<(), Illegal> {
        self.check_target(seat, name)?;
        match self.object(name).has_arrow_of(seat) {
            true => Err(Illegal::ArrowTwice { seat, object: name }),
            false => Ok(()),
        }
    }

    pub(super) fn check_guess(
        &self,
        seat: Seat,
        name: ObjectName,
        word: &Secret<Word>,
    ) -> Result<(), Illegal> {
        self.check_guessable(seat, name)?;
        let object = self.object(name);
        self.check_secret(word, self.sees(seat) || self.sees(name.owner), SecretKind::Guess)?;
        if let Some(word @ Word::Listed(id)) = word.known()
            && !self.rules.lexicon.contains(id)
        {
            return Err(Illegal::NotInList(word));
        }
        if word.known().is_some_and(|word| self.was_guessed(object, seat, &word)) {
            return Err(Illegal::GuessedTwice { seat, object: name });
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
    ) -> Result<(), Illegal> {
        let object = self.object(name);
        let Some(word) = object.known_word() else {
            return Ok(());
        };
        let allowed = allowed_gifts(object, &word, asker, place);
        if allowed.contains(gift) {
            return Ok(());
        }
        Err(match gift {
            Gift::Nothing => Illegal::LettersLeft { asker, object: name },
            Gift::Letter(letter) => Illegal::NoSuchLetter { letter, asker, object: name },
        })
    }

    pub(super) fn check_asked(
        &self,
        seat: Seat,
        name: ObjectName,
        question: &Question,
    ) -> Result<(), Illegal> {
        self.check_target(seat, name)?;
        if let Question::Predicate(id) = question
            && !Knowledge::shipped().is_listed(*id)
        {
            return Err(Illegal::UnlistedPredicate(*id));
        }
        let object = self.object(name);
        let asked = match question.predicate() {
            Some(predicate) => object.was_asked(predicate),
            None => object.answers.iter().any(|(asked, _)| asked == question),
        };
        if asked {
            return Err(Illegal::AskedTwice(name, question.clone()));
        }
        Ok(())
    }

    fn check_answer(
        &self,
        name: ObjectName,
        question: &Question,
        answer: Answer,
    ) -> Result<(), Illegal> {
        match self.judged_answer(name, question) {
            Some(judged) if judged != answer && !self.rules.owner_answers => {
                Err(Illegal::OtherAnswer(judged, name, question.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Whether a guess is right, where word and guess are known.
    #[must_use]
    pub fn known_verdict(&self, name: ObjectName, guess: Secret<Word>) -> Option<bool> {
        let word = self.object(name).known_word()?;
        Some(word.same(&guess.known()?, self.rules.synset))
    }
}

fn check_due(due: ObjectName, name: ObjectName) -> Result<(), Illegal> {
    if due == name { Ok(()) } else { Err(Illegal::OtherObject { due, named: name }) }
}

/// The letters an owner may give, a bit each; none when only `give:none` is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AllowedGifts(u32);

impl AllowedGifts {
    pub(crate) fn contains(self, gift: Gift) -> bool {
        match gift {
            Gift::Nothing => self.0 == 0,
            Gift::Letter(letter @ b'a'..=b'z') => self.0 >> (letter - b'a') & 1 == 1,
            Gift::Letter(_) => false,
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Gift> {
        let nothing = (self.0 == 0).then_some(Gift::Nothing);
        let letters = (b'a'..=b'z').map(Gift::Letter).filter(move |gift| self.contains(*gift));
        letters.chain(nothing)
    }
}

/// The letters that may be given: the one at the place named, or any letter of the word that
/// occurs more often than the asker was given it.
pub(crate) fn allowed_gifts(
    object: &Object,
    word: &Word,
    asker: Seat,
    place: Option<u8>,
) -> AllowedGifts {
    let bit = |letter: u8| 1 << (letter.wrapping_sub(b'a') & 31);
    if let Some(place) = place {
        let letter = word.letters().get(usize::from(place).wrapping_sub(1)).copied();
        return AllowedGifts(letter.map_or(0, bit));
    }
    let given = |letter: u8| {
        let known = Secret::Known(Gift::Letter(letter));
        let mut count = object.letters.iter();
        count.by_ref().filter(|given| given.asker == asker && given.gift == known).count()
    };
    let (mut allowed, letters) = (0, word.letters());
    for letter in &letters {
        let occurs = letters.iter().filter(|other| *other == letter).count();
        if given(*letter) < occurs {
            allowed |= bit(*letter);
        }
    }
    AllowedGifts(allowed)
}
