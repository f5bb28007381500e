//! Star2 and vector expectimax have the values of plain expectimax at equal depth, with and without
//! a table, also in chains of throws.

use parlor::game::{Chance, Game, Situation};
use parlor::search::dice::{Depth, centipawns};
use parlor::search::maxn::maxn;
use parlor::search::star2::star2;
use parlor::search::value::{WIN, clip, score};
use parlor::search::vector_expectimax::vector_expectimax;
use parlor::search::{
    Evaluate, Limits, MaxNPlayer, Player, Request, Score, Star2Player, VectorExpectimaxPlayer,
};

use crate::games::{HOME, Plain, Race, RaceMove};
use crate::references::answer;
use crate::wander::wander;

/// Both drivers against the reference, at several depths, throw limits and table sizes.
fn equals_reference<G: Chance, E: Evaluate<G> + Clone>(
    situation: &Situation<G>,
    evaluator: &E,
    deepest: u32,
    limits: &[u32],
) {
    let position = situation.position();
    for moves in 0..=deepest {
        for throws in limits.iter().copied() {
            let depth = Depth::new(moves, throws);
            let expected = maxn(situation, evaluator.clone(), depth);
            for hash in [0, 1] {
                let case = format!("{position:?} at {moves}, {throws} throws, hash {hash}");
                if position.seats() == 2 {
                    let (found, _) = star2(position, evaluator.clone(), depth, hash);
                    assert!((found - expected[0]).abs() < 1e-6, "{found} {expected:?} {case}");
                }
                let found = vector_expectimax(position, evaluator.clone(), depth, hash);
                for (found, expected) in found.iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-6, "{found} {expected} {case}");
                }
            }
        }
    }
}

#[test]
fn both_drivers_are_expectimax_in_a_race_of_dice() {
    for seats in [2, 3] {
        for seed in 0..20 {
            equals_reference(&wander(&Race::new(seats), seed, 40), &Plain, 3, &[1, 2, 4]);
        }
    }
}

#[test]
fn the_table_saves_nodes() {
    let situation = wander(&Race::new(2), 3, 10);
    let depth = Depth::new(5, 3);
    let (_, plain) = star2(situation.position(), Plain, depth, 0);
    let (_, tabled) = star2(situation.position(), Plain, depth, 1);
    assert!(tabled * 2 < plain, "{tabled} against {plain}");
}

/// Chains of throws are searched equally long by every player of games of dice.
#[test]
fn the_players_agree_on_the_depth_of_chains_of_throws() {
    let mut compared = 0;
    for seed in 0..40 {
        let situation = wander(&Race::new(2), seed, 40);
        let Some(seat) = situation.seat() else { continue };
        compared += 1;
        for moves in 2..=3 {
            let value = |m: &RaceMove| {
                let mut next = situation.clone();
                next.play(m);
                maxn(&next, Plain, Depth::of_moves(moves - 1))[seat.index()]
            };
            let position = situation.position();
            let best = position.moves().iter().map(value).fold(f64::MIN, f64::max);
            let probability = 0.5 + best / f64::from(2 * WIN);
            let limits = Limits::depth(moves);
            let (_, info) = answer(&mut MaxNPlayer::new(Plain), &situation, limits.clone());
            assert_eq!(info.score, score(clip(best.round() as i32)), "{position:?} at {moves}");
            let (_, info) = answer(&mut Star2Player::new(Plain, 1), &situation, limits.clone());
            assert_eq!(info.score, centipawns(probability), "{position:?} at {moves}");
            let mut vector = VectorExpectimaxPlayer::new(Plain, 1);
            let (_, info) = answer(&mut vector, &situation, limits);
            assert_eq!(info.score, centipawns(probability), "{position:?} at {moves}");
        }
    }
    assert!(compared >= 10, "{compared} compared");
}

#[test]
fn the_players_report_exact_chances() {
    let race = Race { steps: [HOME - 2, HOME - 1, 0], seats: 2, mover: 0, thrown: 2 };
    let (m, info) =
        answer(&mut Star2Player::new(Plain, 1), &Situation::new(race), Limits::depth(2));
    assert_eq!(m, RaceMove::Run);
    assert_eq!((info.score, info.wdl), (Score::Cp(9999), Some([1000, 0, 0])));
    let race = Race { steps: [HOME - 2, HOME - 1, 0], seats: 3, mover: 0, thrown: 2 };
    let mut player = VectorExpectimaxPlayer::new(Plain, 1);
    let (m, info) = answer(&mut player, &Situation::new(race), Limits::depth(2));
    assert_eq!(m, RaceMove::Run);
    assert_eq!(info.shares, Some(vec![1000, 0, 0]));
}

#[test]
fn hashfull_tells_how_much_of_the_table_is_used() {
    let situation = Situation::new(Race { steps: [3, 4, 0], seats: 2, mover: 0, thrown: 1 });
    for (hash, depth) in [(0, 2), (1, 5)] {
        let players: [&mut dyn Player<Race>; 2] =
            [&mut Star2Player::new(Plain, hash), &mut VectorExpectimaxPlayer::new(Plain, hash)];
        for player in players {
            let (_, info) = answer(player, &situation, Limits::depth(depth));
            assert_eq!(info.hashfull > 0, hash > 0, "{info:?}");
        }
    }
}

#[test]
fn several_lines_are_each_exact() {
    let situation = Situation::new(Race { steps: [3, 4, 0], seats: 2, mover: 0, thrown: 1 });
    let mut request = Request::new(Limits::depth(4));
    request.multi_pv = 2;
    let mut lines = Vec::new();
    Star2Player::new(Plain, 1).choose(&situation, &request, &mut |report| {
        if let parlor::search::Report::Info(info) = report {
            lines.push((info.multipv, info.pv[0], info.score));
        }
    });
    let last = &lines[lines.len() - 2..];
    assert_eq!((last[0].0, last[1].0), (1, 2));
    for (_, m, score) in last {
        let mut next = situation.position().clone();
        next.play(m);
        let (value, _) = star2(&next, Plain, Depth::of_moves(3), 0);
        assert_eq!(*score, centipawns(0.5 + value / f64::from(2 * WIN)));
    }
}
