//! The evaluation: symmetric, kept along the line as it is computed afresh, equal on both paths.

use parlor::game::{Game, Notation, Random, Rules, Seat};
use parlor::games::Playable;
use parlor::games::barca::{Evaluation, Position};
use parlor::machine::use_portable;
use parlor::search::Evaluate;

use super::properties::{mirrored, swapped};
use super::{position, random_position};

fn score(position: &Position) -> i32 {
    let evaluation = Evaluation::default();
    evaluation.score(&evaluation.fresh(position), position, Seat::new(position.side()))
}

#[test]
fn both_symmetries_keep_the_score() {
    let mut random = Random::new(21);
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let expected = score(&position(&text));
        assert_eq!(score(&position(&mirrored(&text))), expected, "mirror of {text}");
        assert_eq!(score(&position(&swapped(&text))), expected, "colour swap of {text}");
    }
}

#[test]
fn what_is_good_for_one_is_as_bad_for_the_other() {
    let mut random = Random::new(22);
    for _ in 0..1_000 {
        let position = position(&random_position(&mut random));
        let acc = Evaluation::default().fresh(&position);
        let [white, black] =
            [0, 1].map(|seat| Evaluation::default().score(&acc, &position, Seat::new(seat)));
        assert_eq!(white, -black);
    }
}

#[test]
fn the_kept_sum_equals_the_fresh_one() {
    let mut random = Random::new(23);
    for _ in 0..50 {
        let mut position = Position::start(&Position::default_rules(), None).expect("the start");
        let mut acc = Evaluation::default().fresh(&position);
        for _ in 0..60 {
            let Some(m) = position.random_move(&mut random) else {
                break;
            };
            let before = position;
            position.play(&m);
            acc = Evaluation::default().update(&acc, &before, &m, &position);
            assert_eq!(
                acc,
                Evaluation::default().fresh(&position),
                "{}",
                position.write_position()
            );
        }
    }
}

#[test]
fn the_portable_path_gives_the_same_score() {
    let mut random = Random::new(24);
    for _ in 0..2_000 {
        let position = position(&random_position(&mut random));
        use_portable(true);
        let portable = score(&position);
        use_portable(false);
        assert_eq!(score(&position), portable, "{}", position.write_position());
    }
}

#[test]
fn the_explanation_adds_up_to_the_score() {
    let mut random = Random::new(25);
    for _ in 0..500 {
        let position = position(&random_position(&mut random));
        let text = position.explain_evaluation();
        let expected = format!("\nscore cp {}", score(&position));
        assert!(text.ends_with(&expected), "{text}\nbut the score is {}", score(&position));
    }
}

#[test]
fn held_holes_are_worth_having() {
    let none = score(&position("10/10/10/10/M8m/10/10/10/10/10 w"));
    let one = score(&position("10/10/10/3M5m/10/10/10/10/10/10 w"));
    assert!(one > none, "{one} {none}");
}
