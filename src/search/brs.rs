//! Best-reply search (BRS+) for three and more seats, on the driver for two.
//!
//! Between two moves of the searching seat each opponent moves in turn, but only one of them has a
//! free choice; the others make the move that is likely for them ([`LikelyMove`]). The search so
//! finds the strongest reply of a single opponent, and does not assume that opponents are allied.
//! (Esser, Gras, Winands, Schadd, Lanctot: *Improving best-reply search*, 2013.)
//!
//! [`BestReply`] expresses this as a game of two: seat 0 is the searching seat, seat 1 whoever else is
//! to move. Any driver for two seats can search it. With two seats it is the game itself.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::Settings;
use super::evaluate::{Evaluate, KnownValue, MoveHint, Quiescence, SearchHints};
use super::player::{Choice, Player, Report, Request};
use super::pvs::{PvsConfig, PvsPlayer};
use super::value::Value;
use crate::game::{Game, Outcome, Seat, Situation, Turn, splitmix64};

/// The move that an opponent is expected to make when it is not the one with the free choice.
pub trait LikelyMove<G: Game>: Send + Sync + 'static {
    /// The likely move of the seat to move, the same whenever it is asked.
    fn likely_move(position: &G) -> Option<G::Move>;
}

/// A game of many seats as a game of two: one seat, and the best reply to it.
pub struct BestReply<G, L> {
    position: G,
    searching: Seat,
    /// An opponent has used its free choice since the searching seat moved.
    replied: bool,
    likely: PhantomData<fn() -> L>,
}

impl<G: Game, L: LikelyMove<G>> BestReply<G, L> {
    /// The game as the seat to move sees it, or seat 0 where nobody is to move.
    pub fn new(position: G) -> Self {
        let searching = position.turn().seat().unwrap_or(Seat::new(0));
        BestReply { position, searching, replied: false, likely: PhantomData }
    }

    /// The position itself.
    pub fn position(&self) -> &G {
        &self.position
    }

    fn is_searching(&self) -> bool {
        self.position.turn().seat() == Some(self.searching)
    }

    /// A result for two seats: the searching seat against all others.
    fn two_seat_outcome(&self, outcome: &Outcome) -> Outcome {
        match outcome.share(self.searching) {
            share if share >= 1.0 => Outcome::win(2, Seat::new(0)),
            share if share > 0.0 => Outcome::draw(2),
            _ => Outcome::win(2, Seat::new(1)),
        }
    }

    fn salt(&self) -> u64 {
        splitmix64(self.searching.index() as u64 * 2 + u64::from(self.replied))
    }
}

impl<G: Game, L> Clone for BestReply<G, L> {
    fn clone(&self) -> Self {
        BestReply { position: self.position.clone(), likely: PhantomData, ..*self }
    }
}

impl<G: Game, L> PartialEq for BestReply<G, L> {
    fn eq(&self, other: &Self) -> bool {
        (&self.position, self.searching, self.replied)
            == (&other.position, other.searching, other.replied)
    }
}

impl<G: Game, L> Eq for BestReply<G, L> {}

impl<G: Game, L> Hash for BestReply<G, L> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
    }
}

impl<G: Game, L> std::fmt::Debug for BestReply<G, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} searched for {}", self.position, self.searching)
    }
}

impl<G: Game, L: LikelyMove<G>> Game for BestReply<G, L> {
    type Move = G::Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.position.turn() {
            Turn::Seat(seat) => Turn::Seat(Seat::new(usize::from(seat != self.searching))),
            other => other,
        }
    }

    /// Once an opponent has used its free choice, the others have only their likely move.
    fn for_each_move<B>(&self, mut visit: impl FnMut(G::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.replied && !self.is_searching() {
            return match L::likely_move(&self.position) {
                Some(m) => visit(m),
                None => ControlFlow::Continue(()),
            };
        }
        self.position.for_each_move(visit)
    }

    fn is_legal(&self, m: &G::Move) -> bool {
        self.position.is_legal(m)
    }

    fn play(&mut self, m: &G::Move) {
        let seat = self.position.turn().seat();
        if seat == Some(self.searching) {
            self.replied = false;
        } else if !self.replied && self.position.seats() > 2 {
            self.replied = L::likely_move(&self.position).as_ref() != Some(m);
        }
        self.position.play(m);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().map(|outcome| self.two_seat_outcome(&outcome))
    }

    fn reason(&self) -> Option<&'static str> {
        self.position.reason()
    }

    fn key(&self) -> u64 {
        self.position.key() ^ self.salt()
    }

    fn fresh_key(&self) -> u64 {
        self.position.fresh_key() ^ self.salt()
    }

    fn repetition(&self) -> Option<Outcome> {
        self.position.repetition().map(|outcome| self.two_seat_outcome(&outcome))
    }
}

/// Evaluation and hints of the game for its two-seat form.
struct TwoSeat<E>(E);

impl<G: Game, L: LikelyMove<G>, E: Evaluate<G>> Evaluate<BestReply<G, L>> for TwoSeat<E> {
    type Acc = E::Acc;

    fn fresh(&self, at: &BestReply<G, L>) -> E::Acc {
        self.0.fresh(&at.position)
    }

    fn update(
        &self,
        acc: &E::Acc,
        before: &BestReply<G, L>,
        m: &G::Move,
        after: &BestReply<G, L>,
        next: &mut E::Acc,
    ) {
        self.0.update(acc, &before.position, m, &after.position, next);
    }

    fn score(&self, acc: &E::Acc, at: &BestReply<G, L>, seat: Seat) -> Value {
        let score = self.0.score(acc, &at.position, at.searching);
        if seat.index() == 0 { score } else { -score }
    }
}

impl<G: Game, L: LikelyMove<G>, E: SearchHints<G>> SearchHints<BestReply<G, L>> for TwoSeat<E> {
    fn tag(&self, m: &G::Move) -> u16 {
        self.0.tag(m)
    }

    fn move_of_tag(&self, at: &BestReply<G, L>, tag: u16) -> Option<G::Move> {
        let is_bound = at.replied && !at.is_searching();
        let m = self.0.move_of_tag(&at.position, tag)?;
        (!is_bound || L::likely_move(&at.position).as_ref() == Some(&m)).then_some(m)
    }

    fn history_slot(&self, at: &BestReply<G, L>, m: &G::Move) -> u16 {
        self.0.history_slot(&at.position, m)
    }

    fn hint_moves(&self, at: &BestReply<G, L>, moves: &[G::Move], hints: &mut [MoveHint]) {
        self.0.hint_moves(&at.position, moves, hints);
    }

    fn known_value(&self, at: &BestReply<G, L>) -> Option<KnownValue> {
        // A known value belongs to the seat to move. Between two opponents it says nothing about
        // the searching seat.
        self.0.known_value(&at.position).filter(|_| at.is_searching())
    }

    fn quiescence(&self, at: &BestReply<G, L>, depth: u32) -> Quiescence {
        // Opponents without a free choice have no noisy moves.
        if at.replied && !at.is_searching() {
            return Quiescence::Static;
        }
        self.0.quiescence(&at.position, depth)
    }

    fn for_each_noisy<B>(
        &self,
        at: &BestReply<G, L>,
        depth: u32,
        visit: impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.for_each_noisy(&at.position, depth, visit)
    }
}

/// Plays by best-reply search (BRS+).
pub struct BestReplyPlayer<G: Game<Move: Copy>, L: LikelyMove<G>, E: SearchHints<G>>(
    PvsPlayer<BestReply<G, L>, TwoSeat<E>>,
);

impl<G: Game<Move: Copy>, L: LikelyMove<G>, E: SearchHints<G>> BestReplyPlayer<G, L, E> {
    /// A player with this evaluation and these hints.
    pub fn new(evaluator: E, config: PvsConfig, settings: &Settings) -> Self {
        BestReplyPlayer(PvsPlayer::new(TwoSeat(evaluator), config, settings))
    }
}

impl<G: Game<Move: Copy>, L: LikelyMove<G>, E: SearchHints<G>> Player<G>
    for BestReplyPlayer<G, L, E>
{
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        // The history has the keys of the game itself; those of `BestReply` are salted.
        let at = BestReply::<G, L>::new(situation.position().clone());
        let salt = at.salt();
        self.0.choose(&situation.seen_as(at, |key| key ^ salt), request, report)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn get_ready(&mut self, position: &G) {
        self.0.get_ready(&BestReply::new(position.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three seats step forward in turn, one to three steps each; the game has no end.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Steps {
        made: usize,
        squares: [u8; 3],
    }

    impl Game for Steps {
        type Move = u8;

        fn seats(&self) -> usize {
            3
        }
        fn turn(&self) -> Turn {
            Turn::Seat(Seat::new(self.made % 3))
        }
        fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
            (1..=3).try_for_each(visit)
        }
        fn is_legal(&self, steps: &u8) -> bool {
            (1..=3).contains(steps)
        }
        fn play(&mut self, steps: &u8) {
            self.squares[self.made % 3] += steps;
            self.made += 1;
        }
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn reason(&self) -> Option<&'static str> {
            None
        }
        fn fresh_key(&self) -> u64 {
            splitmix64(self.made as u64)
        }
    }

    struct Two;

    impl LikelyMove<Steps> for Two {
        fn likely_move(_: &Steps) -> Option<u8> {
            Some(2)
        }
    }

    struct Flat;

    impl Evaluate<Steps> for Flat {
        type Acc = ();
        fn fresh(&self, _: &Steps) {}
        fn score(&self, (): &(), _: &Steps, _: Seat) -> Value {
            0
        }
    }

    impl SearchHints<Steps> for Flat {
        fn tag(&self, steps: &u8) -> u16 {
            u16::from(*steps)
        }
        fn move_of_tag(&self, position: &Steps, tag: u16) -> Option<u8> {
            u8::try_from(tag).ok().filter(|steps| position.is_legal(steps))
        }
    }

    /// The table's move is known without a list, and only where the seat may make it.
    #[test]
    fn a_tag_has_its_move_where_the_choice_is_free() {
        let mut at = BestReply::<Steps, Two>::new(Steps { made: 0, squares: [0; 3] });
        let known = |at: &BestReply<Steps, Two>| {
            (0..5).filter_map(|tag| TwoSeat(Flat).move_of_tag(at, tag)).collect::<Vec<u8>>()
        };
        let listed = |at: &BestReply<Steps, Two>| {
            let mut moves = Vec::new();
            let _ = at.for_each_move::<()>(|m| {
                moves.push(m);
                ControlFlow::Continue(())
            });
            moves
        };
        // The searching seat, an opponent that makes an unlikely move, one that is bound by that, and
        // the searching seat again.
        for (m, expected) in
            [(1, vec![1, 2, 3]), (3, vec![1, 2, 3]), (2, vec![2]), (1, vec![1, 2, 3])]
        {
            assert_eq!((known(&at), listed(&at)), (expected.clone(), expected));
            at.play(&m);
        }
    }
}
