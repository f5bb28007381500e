//! The legal moves, one by one.

use std::ops::ControlFlow;

use super::awaited::Awaited;
use super::legality::allowed_gifts;
use super::moves::{Move, Secret};
use super::options::MOST_SHOWN;
use super::position::{Object, Position};
use super::words::{ANSWERS, LONGEST_WORD, ObjectName, Question, Word};
use crate::game::{Game, MoveListing, Seat};
use crate::games::barbarossa::knowledge::word_list::WordList;
use crate::games::barbarossa::knowledge::{Knowledge, WordId};

type Flow<B> = ControlFlow<B>;

impl Position {
    pub(super) fn listing_extent(&self) -> MoveListing {
        let visible = match self.awaited() {
            Awaited::Judge | Awaited::Deal(_) if self.viewer.is_none() => return MoveListing::Many,
            Awaited::Judge | Awaited::Deal(_) => false,
            Awaited::Word(object) | Awaited::Show(object) | Awaited::Gift { object, .. } => {
                self.sees(object.owner)
            }
            Awaited::Window(seat) | Awaited::SecondRound(seat) => self.sees(seat),
            Awaited::Answer(object, question) => {
                self.rules.owner_answers || self.judged_answer(object, &question).is_some()
            }
            Awaited::Verdict { object, word, .. } => self.known_verdict(object, word).is_some(),
            _ => true,
        };
        match visible {
            false => MoveListing::Hidden,
            true if self.awaits_any_word() => MoveListing::Many,
            true => MoveListing::Listed,
        }
    }

    /// Whether any word of the wider lexicon may follow.
    fn awaits_any_word(&self) -> bool {
        let any = match self.awaited() {
            Awaited::Word(_) => self.rules.free_words,
            Awaited::Window(seat) | Awaited::SecondRound(seat) => {
                self.guessable(seat).next().is_some()
            }
            _ => false,
        };
        any && self.rules.lexicon == WordList::All
    }

    pub(super) fn list<B>(&self, visit: impl FnMut(Move) -> Flow<B>) -> Flow<B> {
        match self.listing_extent() {
            MoveListing::Listed => self.list_all(visit),
            MoveListing::Many | MoveListing::Hidden => Flow::Continue(()),
        }
    }

    /// How many moves [`Position::list`] visits; tens of thousands of guesses are not visited for it.
    pub(super) fn count_listed(&self) -> u64 {
        if self.listing_extent() != MoveListing::Listed {
            return 0;
        }
        let mut count = 0;
        let _ = self.list_but_guesses::<()>(|_| {
            count += 1;
            Flow::Continue(())
        });
        let guesses =
            |seat| self.guessable(seat).map(move |(_, object)| self.guesses(object, seat));
        count + self.guesser().into_iter().flat_map(guesses).sum::<u64>()
    }

    /// The move that [`Position::list`] visits after `index` others.
    pub(super) fn nth_listed(&self, index: u64) -> Option<Move> {
        if self.listing_extent() != MoveListing::Listed {
            return None;
        }
        let mut left = index;
        let found = self.list_but_guesses(|m| {
            if left == 0 {
                return Flow::Break(m);
            }
            left -= 1;
            Flow::Continue(())
        });
        found.break_value().or_else(|| self.nth_guess(left))
    }

    fn nth_guess(&self, mut left: u64) -> Option<Move> {
        let seat = self.guesser()?;
        for (name, object) in self.guessable(seat) {
            let count = self.guesses(object, seat);
            if left >= count {
                left -= count;
                continue;
            }
            // Every word that is left out moves the rest by one.
            let mut place = left;
            for excluded in self.guessed_words(object, seat) {
                place += u64::from(u64::from(excluded.0) <= place);
            }
            let id = WordId(u16::try_from(place).ok()?);
            return Some(self.guess(name, Secret::Known(Word::Listed(id))));
        }
        None
    }

    /// Who may guess now.
    fn guesser(&self) -> Option<Seat> {
        match self.awaited() {
            Awaited::Window(seat) | Awaited::SecondRound(seat) => Some(seat),
            _ => None,
        }
    }

    /// How many listed words a seat may guess of an object.
    fn guesses(&self, object: &Object, seat: Seat) -> u64 {
        (self.rules.lexicon.len() - self.guessed_words(object, seat).len()) as u64
    }

    /// The listed words that a seat has guessed of an object, in order.
    fn guessed_words(&self, object: &Object, seat: Seat) -> Vec<WordId> {
        let lexicon = self.rules.lexicon;
        let own = object.wrong.iter().filter(|(guesser, _)| *guesser == seat);
        let mut words: Vec<WordId> = own
            .filter_map(|(_, wrong)| wrong.known())
            .flat_map(|wrong| match wrong {
                Word::Listed(id) => vec![id],
                // In a person's own spelling.
                Word::Foreign(_) => {
                    lexicon.words().filter(|id| wrong.same(&Word::Listed(*id), false)).collect()
                }
            })
            .filter(|id| lexicon.contains(*id))
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    fn guess(&self, name: ObjectName, word: Secret<Word>) -> Move {
        match self.awaited() {
            Awaited::Window(_) => Move::CurseGuess(name, word),
            _ => Move::Guess(name, word),
        }
    }

    /// The legal moves, also where they are too many to list; none where they are hidden.
    pub(crate) fn list_all<B>(&self, mut visit: impl FnMut(Move) -> Flow<B>) -> Flow<B> {
        if self.listing_extent() == MoveListing::Hidden {
            return Flow::Continue(());
        }
        self.list_but_guesses(&mut visit)?;
        match self.guesser() {
            Some(seat) => self.list_guesses(seat, |name, word| visit(self.guess(name, word))),
            None => Flow::Continue(()),
        }
    }

    fn list_but_guesses<B>(&self, mut visit: impl FnMut(Move) -> Flow<B>) -> Flow<B> {
        match self.awaited() {
            Awaited::Word(name) => self.list_words(name, visit),
            Awaited::Show(name) => self.list_features(name, visit),
            Awaited::First => {
                Seat::all(self.rules.seats).try_for_each(|seat| visit(Move::First(seat)))
            }
            Awaited::Window(seat) => {
                visit(Move::Pass)?;
                self.list_letters(seat, |name, place| visit(Move::CurseLetter(name, place)))
            }
            Awaited::Move(seat) => {
                visit(Move::Roll)?;
                (1..=self.seat(seat).jewels).try_for_each(|steps| visit(Move::Jewels(steps)))
            }
            Awaited::Die => (1..=6).try_for_each(|face| visit(Move::Die(face))),
            Awaited::Letter(seat) => {
                visit(Move::Pass)?;
                self.list_letters(seat, |name, place| visit(Move::Letter(name, place)))
            }
            Awaited::Gift { asker, object, place } => self.list_gifts(asker, object, place, visit),
            Awaited::Questions(seat) => {
                visit(Move::Stop)?;
                self.list_questions(seat, visit)
            }
            Awaited::Answer(name, question) => match self.judged_answer(name, &question) {
                Some(answer) if !self.rules.owner_answers => visit(Move::Answer(answer)),
                _ => ANSWERS.into_iter().try_for_each(|answer| visit(Move::Answer(answer))),
            },
            Awaited::SecondRound(_) => {
                visit(Move::Pass)?;
                if self.may_ask_again() { visit(Move::Again) } else { Flow::Continue(()) }
            }
            Awaited::Verdict { object, word, .. } => match self.known_verdict(object, word) {
                Some(right) => visit(Move::Verdict(right)),
                None => Flow::Continue(()),
            },
            Awaited::Judge | Awaited::Deal(_) | Awaited::Nothing => Flow::Continue(()),
        }
    }

    fn list_words<B>(&self, name: ObjectName, mut visit: impl FnMut(Move) -> Flow<B>) -> Flow<B> {
        let mut consider = |id| {
            let word = Move::Word(name, Secret::Known(Word::Listed(id)));
            if self.is_legal(&word) { visit(word) } else { Flow::Continue(()) }
        };
        match self.object(name).dealt {
            Some(Secret::Known(dealt)) => dealt.into_iter().try_for_each(&mut consider),
            _ => self.rules.lexicon.words().try_for_each(&mut consider),
        }
    }

    fn list_features<B>(
        &self,
        name: ObjectName,
        mut visit: impl FnMut(Move) -> Flow<B>,
    ) -> Flow<B> {
        let object = self.object(name);
        if object.shown.len() >= self.rules.fewest_shown() {
            visit(Move::Done(name))?;
        }
        let Some(word) = object.known_word().filter(|_| object.shown.len() < MOST_SHOWN) else {
            return Flow::Continue(());
        };
        let shown = object.shown.last();
        let later = word.features().filter(|id| shown.is_none_or(|last| last < id));
        let later: Vec<_> = later.collect();
        let choices = later.len().saturating_sub(self.missing_after(object));
        later[..choices].iter().try_for_each(|feature| visit(Move::Show(name, *feature)))
    }

    fn list_gifts<B>(
        &self,
        asker: Seat,
        object: ObjectName,
        place: Option<u8>,
        mut visit: impl FnMut(Move) -> Flow<B>,
    ) -> Flow<B> {
        let state = self.object(object);
        let Some(word) = state.known_word() else {
            return Flow::Continue(());
        };
        let gifts = allowed_gifts(state, &word, asker, place);
        gifts.iter().try_for_each(|gift| visit(Move::Give(Secret::Known(gift))))
    }

    fn list_letters<B>(
        &self,
        seat: Seat,
        mut visit: impl FnMut(ObjectName, Option<u8>) -> Flow<B>,
    ) -> Flow<B> {
        for (name, _) in self.open_objects(seat) {
            if !self.rules.letters_by_place {
                visit(name, None)?;
                continue;
            }
            for place in 1..=LONGEST_WORD as u8 {
                if !self.was_given_place(seat, name, place) {
                    visit(name, Some(place))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// The objects of which a seat may guess.
    pub fn guessable(&self, seat: Seat) -> impl Iterator<Item = (ObjectName, &Object)> {
        self.open_objects(seat).filter(move |(_, object)| !object.has_arrow_of(seat))
    }

    fn list_guesses<B>(
        &self,
        seat: Seat,
        mut visit: impl FnMut(ObjectName, Secret<Word>) -> Flow<B>,
    ) -> Flow<B> {
        for (name, object) in self.guessable(seat) {
            for word in self.rules.lexicon.words().map(Word::Listed) {
                if !self.was_guessed(object, seat, &word) {
                    visit(name, Secret::Known(word))?;
                }
            }
        }
        Flow::Continue(())
    }

    fn list_questions<B>(&self, seat: Seat, mut visit: impl FnMut(Move) -> Flow<B>) -> Flow<B> {
        for (name, object) in self.open_objects(seat) {
            for predicate in Knowledge::shipped().vocabulary() {
                if !object.was_asked(predicate) {
                    visit(Move::Ask(name, Question::Predicate(predicate)))?;
                }
            }
        }
        Flow::Continue(())
    }
}
