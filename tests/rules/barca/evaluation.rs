//! The evaluation: symmetric, kept along the line as it is computed afresh, equal on both paths.

use parlor::game::{Game, Random, Rules, Seat};
use parlor::games::Playable;
use parlor::games::barca::{Network, Position};
use parlor::machine::use_portable;
use parlor::search::Evaluate;

use super::{position, random_position};

fn score(evaluation: &Network, position: &Position, seat: usize) -> i32 {
    evaluation.score(&evaluation.fresh(position), position, Seat::new(seat))
}

fn own_score(evaluation: &Network, position: &Position) -> i32 {
    score(evaluation, position, position.side())
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

#[test]
fn what_is_good_for_one_is_as_bad_for_the_other() {
    let (mut random, network) = (Random::new(22), Network::default());
    for _ in 0..1_000 {
        let position = position(&random_position(&mut random));
        assert_eq!(score(&network, &position, 0), -score(&network, &position, 1));
    }
}

#[test]
fn the_kept_sums_equal_the_fresh_ones() {
    let (mut random, network) = (Random::new(23), Network::default());
    for _ in 0..50 {
        let mut position = Position::start(&Position::default_rules(), None).expect("the start");
        let mut acc = network.fresh(&position);
        for _ in 0..60 {
            let Some(m) = position.random_move(&mut random) else {
                break;
            };
            let before = position;
            position.play(&m);
            acc = network.updated(&acc, &before, &m, &position);
            assert_eq!(acc, network.fresh(&position), "{}", position);
        }
    }
}

#[test]
fn the_portable_path_gives_the_same_score() {
    let (mut random, network) = (Random::new(24), Network::default());
    for _ in 0..2_000 {
        let position = position(&random_position(&mut random));
        use_portable(true);
        let portable = own_score(&network, &position);
        use_portable(false);
        assert_eq!(own_score(&network, &position), portable, "{}", position);
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
