//! The random player's way of choosing among the legal moves.

use std::ops::ControlFlow;

use super::awaited::Awaited;
use super::moves::{Move, Secret};
use super::position::Position;
use super::words::{LONGEST_WORD, ObjectName, Question, Word};
use crate::game::{Chance, Game, MoveListing, Random, Seat};
use crate::games::barbarossa::knowledge::Knowledge;

impl Position {
    /// The random player: chooses a kind of move, then the move, each uniformly; but in a window
    /// it passes with probability 7/8, and it stops asking with probability 1/4.
    pub(super) fn random(&self, random: &mut Random) -> Option<Move> {
        let chosen = match self.awaited() {
            Awaited::Judge | Awaited::Deal(_) => return self.throw(random.next()),
            _ if self.move_listing() == MoveListing::Hidden => return None,
            Awaited::Window(_) if random.below(8) > 0 => Some(Move::Pass),
            Awaited::Window(seat) if random.below(2) == 0 => {
                self.random_letter(seat, random).map(|(name, place)| Move::CurseLetter(name, place))
            }
            Awaited::Window(seat) => {
                self.random_guess(seat, random).map(|(name, word)| Move::CurseGuess(name, word))
            }
            Awaited::Move(_) if random.below(2) == 0 => Some(Move::Roll),
            Awaited::Questions(_) if random.below(4) == 0 => Some(Move::Stop),
            Awaited::Questions(seat) => self.random_question(seat, random),
            Awaited::SecondRound(_) if random.below(4) == 0 => Some(Move::Pass),
            Awaited::SecondRound(_) if self.may_ask_again() && random.below(3) == 0 => {
                Some(Move::Again)
            }
            Awaited::SecondRound(seat) => {
                self.random_guess(seat, random).map(|(name, word)| Move::Guess(name, word))
            }
            _ => None,
        };
        chosen.or_else(|| self.random_listed(random))
    }

    fn random_listed(&self, random: &mut Random) -> Option<Move> {
        let mut moves = Vec::new();
        let _ = self.list_all::<()>(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        let choice = if moves.len() > 1 { random.below(moves.len() as u64) } else { 0 };
        moves.into_iter().nth(choice as usize)
    }

    fn random_letter(&self, seat: Seat, random: &mut Random) -> Option<(ObjectName, Option<u8>)> {
        let (name, _) = pick(|| self.open_objects(seat), random)?;
        if !self.rules.letters_by_place {
            return Some((name, None));
        }
        let places = || (1..=LONGEST_WORD as u8).filter(|p| !self.was_given_place(seat, name, *p));
        pick(places, random).map(|place| (name, Some(place)))
    }

    fn random_guess(&self, seat: Seat, random: &mut Random) -> Option<(ObjectName, Secret<Word>)> {
        let (name, object) = pick(|| self.guessable(seat), random)?;
        let word = Word::Listed(pick(|| self.rules.lexicon.words(), random)?);
        (!self.was_guessed(object, seat, &word)).then_some((name, Secret::Known(word)))
    }

    fn random_question(&self, seat: Seat, random: &mut Random) -> Option<Move> {
        let (name, object) = pick(|| self.open_objects(seat), random)?;
        let vocabulary = || Knowledge::shipped().vocabulary();
        let predicate = pick(|| vocabulary().filter(|id| !object.was_asked(*id)), random)?;
        Some(Move::Ask(name, Question::Predicate(predicate)))
    }
}

/// One item of an iterator that can be begun again.
fn pick<T, I: Iterator<Item = T>>(items: impl Fn() -> I, random: &mut Random) -> Option<T> {
    let count = items().count();
    items().nth(random.below(count as u64) as usize)
}
