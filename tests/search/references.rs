//! The reference players against theory and against a naive search that shares no code with them.

use parlor::game::{Chance, Chances, Game, Notation, Outcome, Seat, Situation, Turn};
use parlor::search::alpha_beta::alpha_beta;
use parlor::search::dice::{Depth, THROW_LIMIT};
use parlor::search::maxn::maxn;
use parlor::search::value::{WIN, score};
use parlor::search::{
    AlphaBetaPlayer, Evaluate, Greedy, Info, Limits, MaxNPlayer, Player, Report, Request, Score,
};

use crate::games::{Chase, End, HOME, Heap, Plain, Race, RaceMove, Row, TicTacToe};
use crate::wander::wander;

/// The value for the first seat by full minimax, with the whole history of the game in a list.
pub fn naive<G: Game, E: Evaluate<G>>(
    position: &G,
    history: &mut Vec<u64>,
    evaluator: &E,
    depth: u32,
    ply: i32,
) -> i32 {
    let first = Seat::new(0);
    let third = history.iter().filter(|key| **key == position.key()).count() >= 3;
    let repetition = if third && ply > 0 { position.repetition() } else { None };
    if let Some(outcome) = position.outcome().or(repetition) {
        return match (outcome.place(first), outcome.winners()) {
            (1, 1) => WIN - ply,
            (1, _) => 0,
            _ => ply - WIN,
        };
    }
    if depth == 0 {
        return evaluator.score(&evaluator.fresh(position), position, first);
    }
    let values: Vec<i32> = position
        .moves()
        .iter()
        .map(|m| {
            let mut next = position.clone();
            next.play(m);
            history.push(next.key());
            let value = naive(&next, history, evaluator, depth - 1, ply + 1);
            history.pop();
            value
        })
        .collect();
    let best = if position.turn() == Turn::Seat(first) {
        values.iter().max()
    } else {
        values.iter().min()
    };
    *best.expect("a move")
}

fn naive_value<G: Game, E: Evaluate<G>>(
    situation: &Situation<G>,
    evaluator: &E,
    depth: u32,
) -> i32 {
    let mut history = situation.history().keys().to_vec();
    let value = naive(situation.position(), &mut history, evaluator, depth, 0);
    if situation.seat() == Some(Seat::new(0)) { value } else { -value }
}

/// The last report of a player and its move.
pub fn answer<G: Game>(
    player: &mut dyn Player<G>,
    situation: &Situation<G>,
    limits: Limits,
) -> (G::Move, Info<G::Move>) {
    let mut last = None;
    let choice = player.choose(situation, &Request::new(limits), &mut |report| {
        if let Report::Info(info) = report {
            last = Some(info);
        }
    });
    (choice.expect("a move").best, last.expect("an info"))
}

fn alpha_beta_equals_naive<G: Game>(start: impl Fn(u64) -> G, plies: u64, depth: u32)
where
    Plain: Evaluate<G>,
{
    for seed in 0..60 {
        let situation = wander(&start(seed), seed, plies);
        for depth in 0..=depth {
            let expected = naive_value(&situation, &Plain, depth);
            assert_eq!(alpha_beta(&situation, Plain, depth), expected, "{situation:?} at {depth}");
            if depth > 0 {
                let mut player = AlphaBetaPlayer::new(Plain);
                let (_, info) = answer(&mut player, &situation, Limits::depth(depth));
                assert_eq!(info.score, score(expected), "{situation:?} at {depth}");
            }
        }
    }
}

#[test]
fn alpha_beta_is_minimax_when_seats_alternate() {
    alpha_beta_equals_naive(|seed| Heap { left: 3 + seed as u8 % 9, mover: 0 }, 2, 9);
    alpha_beta_equals_naive(|_| TicTacToe::default(), 8, 5);
}

#[test]
fn alpha_beta_is_minimax_when_a_seat_moves_twice() {
    alpha_beta_equals_naive(|seed| Row::new(seed, 13, 2, true), 6, 9);
}

#[test]
fn alpha_beta_is_minimax_when_positions_repeat() {
    alpha_beta_equals_naive(|seed| Chase { kings: [0, 4 + seed as u8 % 11], mover: 1 }, 40, 5);
}

/// Both kings step back and forth, so that the next such positions are third occurrences.
pub fn to_and_fro(plies: usize) -> Situation<Chase> {
    let mut situation = Situation::new(Chase { kings: [0, 7], mover: 1 });
    for m in [3, 1, 7, 0].into_iter().cycle().take(plies) {
        situation.play(&m);
    }
    situation
}

#[test]
fn alpha_beta_sees_third_occurrences() {
    let mut differences = 0;
    for plies in 4..8 {
        let situation = to_and_fro(plies);
        let fresh = Situation::new(situation.position().clone());
        for depth in 1..=6 {
            let expected = naive_value(&situation, &Plain, depth);
            assert_eq!(alpha_beta(&situation, Plain, depth), expected, "{plies} plies, {depth}");
            differences += u32::from(expected != naive_value(&fresh, &Plain, depth));
        }
    }
    assert!(differences > 0, "repetition never mattered");
}

#[test]
fn the_heap_is_lost_at_multiples_of_four_and_won_elsewhere() {
    for left in 1..=15 {
        let situation = Situation::new(Heap { left, mover: usize::from(left) % 2 });
        let (m, info) = answer(&mut AlphaBetaPlayer::new(Plain), &situation, Limits::depth(16));
        if left % 4 == 0 {
            // The loser can always make it last: one by one against threes.
            assert_eq!(info.score, Score::Mate(-i32::from(left / 4 * 2)), "{left} left");
        } else {
            assert_eq!(m, left % 4, "{left} left");
            assert_eq!(info.score, Score::Mate(1 + i32::from(left / 4 * 2)), "{left} left");
        }
    }
}

#[test]
fn tic_tac_toe_is_drawn() {
    let situation = Situation::new(TicTacToe::default());
    let (_, info) = answer(&mut AlphaBetaPlayer::new(Plain), &situation, Limits::depth(9));
    assert_eq!(info.score, Score::Cp(0));
    assert_eq!(info.pv.len(), 9);
}

#[test]
fn alpha_beta_keeps_to_a_limit_of_nodes_even_of_zero() {
    let situation = Situation::new(TicTacToe::default());
    for nodes in [0, 1, 17, 1000] {
        let (m, info) = answer(&mut AlphaBetaPlayer::new(Plain), &situation, Limits::nodes(nodes));
        assert!(situation.position().is_legal(&m));
        assert!(info.nodes <= nodes, "{} of {nodes}", info.nodes);
    }
}

#[test]
fn greedy_takes_what_wins_at_once() {
    let situation = Situation::new(".../oo./xx.".parse::<TicTacToe>().expect("a position"));
    let (m, info) = answer(&mut Greedy::new(Plain, 1), &situation, Limits::default());
    assert_eq!((situation.position().token(&m).as_str(), info.score), ("c1", Score::Mate(1)));
}

#[test]
fn greedy_takes_the_greater_end() {
    let mut row = Row::new(1, 2, 2, false);
    row.numbers[..2].copy_from_slice(&[3, 8]);
    let (m, _) = answer(&mut Greedy::new(Plain, 1), &Situation::new(row), Limits::default());
    assert_eq!(m, End::Right);
}

#[test]
fn every_reference_player_chooses_only_search_moves() {
    let situation = Situation::new(TicTacToe::default());
    let mut request = Request::new(Limits::depth(2));
    let middle = situation.position().parse_move("b2").expect("a move");
    request.search_moves = Some(vec![middle]);
    let mut players: [Box<dyn Player<TicTacToe>>; 3] = [
        Box::new(AlphaBetaPlayer::new(Plain)),
        Box::new(Greedy::new(Plain, 1)),
        Box::new(MaxNPlayer::new(Plain)),
    ];
    for player in &mut players {
        let choice = player.choose(&situation, &request, &mut |_| {}).expect("a move");
        assert_eq!(choice.best, middle);
    }
}

/// Max^n and expectation by their definition: `result[seat]`.
fn naive_values<G: Chance, E: Evaluate<G>>(
    position: &G,
    evaluator: &E,
    moves: u32,
    throws: u32,
) -> Vec<f64> {
    let seats = position.seats();
    let value = |outcome: &Outcome, seat| f64::from(WIN) * (2.0 * outcome.share(seat) - 1.0);
    if let Some(outcome) = position.outcome() {
        return Seat::all(seats).map(|seat| value(&outcome, seat)).collect();
    }
    let after = |m: &G::Move, moves, throws| {
        let mut next = position.clone();
        next.play(m);
        naive_values(&next, evaluator, moves, throws)
    };
    match position.turn() {
        Turn::Seat(seat) if moves > 0 => {
            let all = position.moves().into_iter().map(|m| after(&m, moves - 1, THROW_LIMIT));
            all.reduce(|a, b| if b[seat.index()] > a[seat.index()] { b } else { a }).expect("moves")
        }
        Turn::Chance { .. } if moves > 0 && throws > 0 => {
            let Chances::Listed(outcomes) = position.chances() else { panic!("listed") };
            let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
            let mut mean = vec![0.0; seats];
            for (m, weight) in &outcomes {
                for (sum, value) in mean.iter_mut().zip(after(m, moves, throws - 1)) {
                    *sum += value * *weight as f64 / total as f64;
                }
            }
            mean
        }
        _ => {
            let acc = evaluator.fresh(position);
            Seat::all(seats).map(|seat| f64::from(evaluator.score(&acc, position, seat))).collect()
        }
    }
}

fn assert_close(found: &[f64], expected: &[f64]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
    }
}

#[test]
fn maxn_is_its_definition_with_three_seats() {
    for seed in 0..40 {
        let situation = wander(&Row::new(seed, 12, 3, seed % 2 == 0), seed, 4);
        for moves in 0..=7 {
            let found = maxn(&situation, Plain, Depth::of_moves(moves));
            assert_close(&found, &naive_values(situation.position(), &Plain, moves, THROW_LIMIT));
        }
    }
}

#[test]
fn maxn_of_two_seats_is_alpha_beta() {
    for seed in 0..40 {
        let situation = Situation::new(Row::new(seed, 15, 2, true));
        let values = maxn(&situation, Plain, Depth::of_moves(8));
        assert_eq!(values[0] as i32, alpha_beta(&situation, Plain, 8));
    }
}

#[test]
fn expectimax_is_its_definition_with_dice() {
    for seats in [2, 3] {
        for seed in 0..20 {
            let situation = wander(&Race::new(seats), seed, 30);
            for moves in 0..=3 {
                let found = maxn(&situation, Plain, Depth::of_moves(moves));
                assert_close(
                    &found,
                    &naive_values(situation.position(), &Plain, moves, THROW_LIMIT),
                );
            }
        }
    }
}

#[test]
fn expectimax_runs_home_when_it_can() {
    let race = Race { steps: [HOME - 2, HOME - 1, 0], seats: 2, mover: 0, thrown: 2 };
    let (m, _) = answer(&mut MaxNPlayer::new(Plain), &Situation::new(race), Limits::depth(2));
    assert_eq!(m, RaceMove::Run);
}
