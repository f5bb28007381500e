//! The evaluation: probabilities of first place.

use parlor::game::{Game, Random};
use parlor::games::chowka_bhara::{Evaluation, Position};
use parlor::search::Evaluate;

use super::symmetry::turned;
use super::{VARIANTS, position, random_position};

fn probabilities(position: &Position) -> Vec<f32> {
    Evaluation::new().fresh(position)[..position.seats()].to_vec()
}

#[test]
fn probabilities_add_up_to_one() {
    for (seed, options) in VARIANTS.iter().enumerate() {
        let mut random = Random::new(seed as u64);
        for _ in 0..50 {
            let position = random_position(options, &mut random);
            let list = probabilities(&position);
            // Once somebody is home, the others are below 0.
            if list.iter().all(|probability| *probability >= 0.0) {
                let total: f32 = list.iter().sum();
                assert!((total - 1.0).abs() < 1e-5, "{list:?} in {}", position);
            } else {
                assert!(list.contains(&1.0), "{list:?} in {}", position);
            }
        }
    }
}

#[test]
fn turning_the_table_turns_the_probabilities() {
    for (options, quarters, seats_on) in [("Players=4", 1, 1), ("Players=4", 3, 3), ("", 2, 1)] {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let here = random_position(options, &mut random);
            let there = position(&turned(&here.to_string(), quarters), options);
            let mut expected = probabilities(&here);
            expected.rotate_right(seats_on);
            for (found, expected) in probabilities(&there).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{}", here.to_string());
            }
        }
    }
}

#[test]
fn a_pawn_before_the_centre_is_nearly_a_win() {
    let ahead = position("24.24.24.23/-/0.0.0.0/- S S - -", "");
    assert!(probabilities(&ahead)[0] > 0.95, "{:?}", probabilities(&ahead));
    let behind = position("0.0.0.0/-/24.24.24.23/- S N - -", "");
    assert!(probabilities(&behind)[0] < 0.05, "{:?}", probabilities(&behind));
}
