//! The plain player: always rolls, asks the question that splits its belief most evenly, and
//! guesses a word whose probability exceeds one half.

use super::answer_table::honest_answer;
use super::beliefs::Beliefs;
use super::questions::evenness;
use super::sculpt::random_show;
use super::view_random::ViewRandom;
use crate::game::{Game, Situation};
use crate::games::barbarossa::knowledge::Knowledge;
use crate::games::barbarossa::rules::awaited::Awaited;
use crate::games::barbarossa::rules::moves::{Move, Secret};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{Question, Word};
use crate::search::{Choice, Info, Player, Report, Request, Score};

/// Plays by simple rules; only its words and features are random.
#[derive(Clone, Debug)]
pub struct PlainPlayer {
    random: ViewRandom,
    beliefs: Beliefs,
}

impl PlainPlayer {
    /// A player whose choices follow from the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        PlainPlayer { random: ViewRandom::new(seed), beliefs: Beliefs::default() }
    }

    fn decide(&mut self, position: &Position) -> Option<Move> {
        let seat = position.turn().seat()?;
        self.beliefs.update(position, seat);
        match position.awaited() {
            Awaited::Move(_) => Some(Move::Roll),
            Awaited::Show(name) => random_show(position, name, self.random.of(position)),
            Awaited::Questions(seat) => {
                let mut best: Option<(f64, Move)> = None;
                for (name, object) in position.open_objects(seat) {
                    let belief = self.beliefs.get(position.index(name))?;
                    for predicate in Knowledge::shipped().vocabulary() {
                        if object.was_asked(predicate) {
                            continue;
                        }
                        let value = evenness(belief.table(), &belief.own, predicate);
                        if best.as_ref().is_none_or(|(most, _)| value > *most) {
                            best = Some((value, Move::Ask(name, Question::Predicate(predicate))));
                        }
                    }
                }
                Some(best.filter(|(value, _)| *value > 0.0).map_or(Move::Stop, |(_, m)| m))
            }
            Awaited::SecondRound(seat) => {
                let guess = self.likely(position, seat);
                Some(guess.map_or(Move::Pass, |(name, word)| Move::Guess(name, word)))
            }
            Awaited::Window(seat) => {
                let guess = self.likely(position, seat);
                Some(guess.map_or(Move::Pass, |(name, word)| Move::CurseGuess(name, word)))
            }
            Awaited::Answer(name, question) => {
                honest_answer(position, name, &question).map(Move::Answer)
            }
            _ => position.random_move(self.random.of(position)),
        }
    }

    /// The most likely guess, if its probability exceeds one half.
    fn likely(
        &self,
        position: &Position,
        seat: crate::game::Seat,
    ) -> Option<(crate::games::barbarossa::rules::words::ObjectName, Secret<Word>)> {
        let tops = position.guessable(seat).filter_map(|(name, _)| {
            let (word, p) = self.beliefs.get(position.index(name))?.own.top()?;
            Some((name, Secret::Known(Word::Listed(word)), p))
        });
        let best = tops.max_by(|a, b| a.2.total_cmp(&b.2))?;
        (best.2 > 0.5).then_some((best.0, best.1))
    }
}

impl Player<Position> for PlainPlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position();
        let wanted = self.decide(position).filter(|m| request.allows(m) && position.is_legal(m));
        let best = wanted.or_else(|| match &request.search_moves {
            Some(list) => list.first().cloned(),
            None => position.random_move(self.random.of(position)),
        })?;
        report(Report::Info(Info::new(1, Score::Cp(0), vec![best.clone()])));
        Some(Choice { best, ponder: None })
    }

    fn new_game(&mut self) {
        self.beliefs = Beliefs::default();
    }
}
