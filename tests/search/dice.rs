//! Star2 and vector expectimax give the values of plain expectimax at equal depth, with and without
//! a table, also where chance follows chance and where a turn may come twice.

use parlor::game::{Chance, Game, Rules, Situation};
use parlor::games::chowka_bhara::{Evaluation, Position};
use parlor::search::dice::{THROWS, centipawns};
use parlor::search::maxn::{Depth, maxn};
use parlor::search::star2::star2;
use parlor::search::value::WIN;
use parlor::search::vector_expectimax::vector_expectimax;
use parlor::search::{
    Evaluate, Limits, Player, Request, Score, Star2Player, VectorExpectimaxPlayer,
};

use crate::games::{HOME, Plain, Race, RaceMove};
use crate::references::{answer, wander};

/// Both drivers against the reference, at several depths, cuts of throws and table sizes.
fn equals_reference<G: Chance, E: Evaluate<G> + Clone>(
    situation: &Situation<G>,
    evaluator: &E,
    deepest: u32,
    cuts: &[u32],
) {
    let position = situation.position();
    for moves in 0..=deepest {
        for throws in cuts.iter().copied() {
            let expected = maxn(situation, evaluator.clone(), Depth { moves, throws });
            for hash in [0, 1] {
                let case = format!("{position:?} at {moves}, {throws} throws, hash {hash}");
                if position.seats() == 2 {
                    let (found, _) = star2(position, evaluator.clone(), moves, throws, hash);
                    assert!((found - expected[0]).abs() < 1e-6, "{found} {expected:?} {case}");
                }
                let found = vector_expectimax(position, evaluator.clone(), moves, throws, hash);
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
fn both_drivers_are_expectimax_in_chowka_bhara() {
    let variants = [
        ("2", "false", "4"),
        ("2", "true", "4"),
        ("2", "false", "1"),
        ("3", "false", "2"),
        ("4", "true", "2"),
    ];
    for (players, hit_bonus, pawns) in variants {
        let mut rules = Position::default_rules();
        for (name, value) in [("Players", players), ("HitBonus", hit_bonus), ("Pawns", pawns)] {
            rules.set(name, value).expect("an option");
        }
        let start = Position::start(&rules, None).expect("a start");
        for seed in 0..3 {
            let mut situation = wander(&start, seed, 120);
            // Whole turns of many throws have hundreds of plays: begin at a throw or a short turn.
            while situation.position().throws().len() > 1 {
                let m = situation.position().moves()[0];
                situation.play(&m);
            }
            let deepest = if players == "2" { 2 } else { 1 };
            equals_reference(&situation, &Evaluation::new(), deepest, &[1, 2]);
        }
    }
}

#[test]
fn the_table_and_star2_spare_work() {
    let situation = wander(&Race::new(2), 3, 10);
    let (_, plain) = star2(situation.position(), Plain, 5, 3, 0);
    let (_, tabled) = star2(situation.position(), Plain, 5, 3, 1);
    assert!(tabled * 2 < plain, "{tabled} against {plain}");
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
        let (value, _) = star2(&next, Plain, 3, THROWS, 0);
        assert_eq!(*score, centipawns(0.5 + value / f64::from(2 * WIN)));
    }
}
