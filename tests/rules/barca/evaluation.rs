//! The evaluations: symmetric, kept along the line as they are computed afresh, equal on both paths.

use std::fmt::Debug;

use parlor::game::{Game, Random, Rules, Seat};
use parlor::games::Playable;
use parlor::games::barca::{Evaluation, Network, Position, Terms};
use parlor::machine::use_portable;

use super::symmetry::{mirrored, swapped};
use super::{position, random_position};

fn score(evaluation: &impl Evaluation, position: &Position, seat: usize) -> i32 {
    evaluation.score(&evaluation.fresh(position), position, Seat::new(seat))
}

fn own_score(evaluation: &impl Evaluation, position: &Position) -> i32 {
    score(evaluation, position, position.side())
}

#[test]
fn both_symmetries_keep_the_score_of_the_terms() {
    let (mut random, terms) = (Random::new(21), Terms::default());
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let expected = own_score(&terms, &position(&text));
        assert_eq!(own_score(&terms, &position(&mirrored(&text))), expected, "mirror of {text}");
        assert_eq!(own_score(&terms, &position(&swapped(&text))), expected, "swap of {text}");
    }
}

/// The same animals on the same squares, each of the other side, and the other side to move.
fn recoloured(text: &str) -> String {
    let (board, turn) = text.split_once(' ').expect("board and turn");
    let swap =
        |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    format!(
        "{} {}",
        board.chars().map(swap).collect::<String>(),
        if turn == "w" { "b" } else { "w" }
    )
}

#[test]
fn the_network_sees_both_sides_alike() {
    let (mut random, network) = (Random::new(26), Network::default());
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let expected = own_score(&network, &position(&text));
        assert_eq!(own_score(&network, &position(&recoloured(&text))), expected, "{text}");
    }
}

fn is_antisymmetric(evaluation: &impl Evaluation) {
    let mut random = Random::new(22);
    for _ in 0..1_000 {
        let position = position(&random_position(&mut random));
        assert_eq!(score(evaluation, &position, 0), -score(evaluation, &position, 1));
    }
}

#[test]
fn what_is_good_for_one_is_as_bad_for_the_other() {
    is_antisymmetric(&Terms::default());
    is_antisymmetric(&Network::default());
}

fn is_kept<E: Evaluation<Acc: PartialEq + Debug>>(evaluation: &E) {
    let mut random = Random::new(23);
    for _ in 0..50 {
        let mut position = Position::start(&Position::default_rules(), None).expect("the start");
        let mut acc = evaluation.fresh(&position);
        for _ in 0..60 {
            let Some(m) = position.random_move(&mut random) else {
                break;
            };
            let before = position;
            position.play(&m);
            acc = evaluation.updated(&acc, &before, &m, &position);
            assert_eq!(acc, evaluation.fresh(&position), "{}", position);
        }
    }
}

#[test]
fn the_kept_sums_equal_the_fresh_ones() {
    is_kept(&Terms::default());
    is_kept(&Network::default());
}

#[test]
fn the_portable_path_gives_the_same_score() {
    let (terms, network) = (Terms::default(), Network::default());
    let both = |position: &Position| (own_score(&terms, position), own_score(&network, position));
    let mut random = Random::new(24);
    for _ in 0..2_000 {
        let position = position(&random_position(&mut random));
        use_portable(true);
        let portable = both(&position);
        use_portable(false);
        assert_eq!(both(&position), portable, "{}", position);
    }
}

#[test]
fn the_explanation_ends_with_the_score() {
    let (mut random, network) = (Random::new(25), Network::default());
    for _ in 0..100 {
        let position = position(&random_position(&mut random));
        let text = position.explain_evaluation();
        let expected = own_score(&network, &position);
        assert!(text.ends_with(&format!("\nscore cp {expected}")), "{text}\nnot {expected}");
    }
}

#[test]
fn the_terms_of_the_explanation_add_up_to_the_score_of_the_terms() {
    let (mut random, terms) = (Random::new(25), Terms::default());
    for _ in 0..100 {
        let position = position(&random_position(&mut random));
        let text = position.explain_evaluation();
        let line = text.lines().find(|line| line.trim_start().starts_with("all terms"));
        let total = line.and_then(|line| line.split_whitespace().last());
        assert_eq!(total, Some(&*score(&terms, &position, 0).to_string()), "{text}");
    }
}

#[test]
fn held_holes_are_worth_having() {
    let terms = Terms::default();
    let value = |text| own_score(&terms, &position(text));
    let none = value("10/10/10/10/M8m/10/10/10/10/10 w");
    let one = value("10/10/10/3M5m/10/10/10/10/10/10 w");
    assert!(one > none, "{one} {none}");
}

/// A side that holds two holes in peace, with the other side's animals far away, stands better than
/// one that holds none: the sign of the network, told by the rules.
#[test]
fn the_network_likes_holes() {
    let network = Network::default();
    let value = |text| own_score(&network, &position(text));
    let held = "4ee4/3lmml3/10/3M2M3/10/10/10/10/3L2L3/4EE4 w";
    let lost = "4EE4/3L2L3/10/10/10/10/3m2m3/10/3lMMl3/4ee4 w";
    assert!(value(held) > 0 && value(lost) < 0, "{} {}", value(held), value(lost));
}
