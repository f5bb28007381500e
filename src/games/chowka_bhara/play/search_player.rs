//! The strongest player: a search by the number of seats.

use crate::game::{Game, Situation};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::search::{
    Choice, Evaluate, Player, Report, Request, Star2Player, VectorExpectimaxPlayer,
};

/// The driver for the number of seats, made when that is known.
pub(super) struct SearchPlayer<E> {
    evaluation: E,
    hash: usize,
    two: Option<Star2Player<E>>,
    more: Option<VectorExpectimaxPlayer<E>>,
}

impl<E: Evaluate<Position> + Clone> SearchPlayer<E> {
    /// With an evaluation and a table of `hash` MiB.
    pub(super) fn new(evaluation: E, hash: usize) -> Self {
        SearchPlayer { evaluation, hash, two: None, more: None }
    }
}

impl<E: Evaluate<Position> + Clone> Player<Position> for SearchPlayer<E> {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let (evaluation, hash) = (&self.evaluation, self.hash);
        if situation.position().seats() == 2 {
            self.more = None;
            let two = self.two.get_or_insert_with(|| Star2Player::new(evaluation.clone(), hash));
            two.choose(situation, request, report)
        } else {
            self.two = None;
            let new = || VectorExpectimaxPlayer::new(evaluation.clone(), hash);
            self.more.get_or_insert_with(new).choose(situation, request, report)
        }
    }

    fn new_game(&mut self) {
        if let Some(two) = &mut self.two {
            Player::<Position>::new_game(two);
        }
        if let Some(more) = &mut self.more {
            Player::<Position>::new_game(more);
        }
    }
}
