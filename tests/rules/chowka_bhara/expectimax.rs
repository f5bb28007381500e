//! The search drivers for dice give the values of plain expectimax in this game.

use parlor::game::{Game, Rules, Situation};
use parlor::games::chowka_bhara::{Evaluation, Position};
use parlor::search::dice::Depth;
use parlor::search::maxn::maxn;
use parlor::search::star2::star2;
use parlor::search::vector_expectimax::vector_expectimax;

use crate::wander::wander;

/// Both drivers against the reference, at several depths, throw limits and table sizes.
fn equals_reference(situation: &Situation<Position>, deepest: u32) {
    let position = situation.position();
    let evaluation = Evaluation::new();
    for moves in 0..=deepest {
        for throws in [1, 2] {
            let depth = Depth::new(moves, throws);
            let expected = maxn(situation, evaluation, depth);
            for hash in [0, 1] {
                let case = format!("{position:?} at {depth:?}, hash {hash}");
                if position.seats() == 2 {
                    let (found, _) = star2(position, evaluation, depth, hash);
                    assert!((found - expected[0]).abs() < 1e-6, "{found} {expected:?} {case}");
                }
                let found = vector_expectimax(position, evaluation, depth, hash);
                for (found, expected) in found.iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-6, "{found} {expected} {case}");
                }
            }
        }
    }
}

#[test]
fn both_drivers_are_expectimax() {
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
            equals_reference(&situation, if players == "2" { 2 } else { 1 });
        }
    }
}
