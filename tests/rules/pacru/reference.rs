//! A slow, obvious generator against the engine: the same moves, the same positions after them.

mod rare;
mod state;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use parlor::game::{Game, Notation, OptionValues, Random, Rules};
use parlor::games::pacru::Position;

use self::state::Reference;
use super::{after, position, rules, tokens};

/// Plays random games and compares every position with the reference: its moves, and what they
/// lead to.
fn compare(settings: &[(&str, &str)], games: u64) {
    let rules = rules(settings);
    let mut checked = 0;
    for game in 0..games {
        let mut random = Random::new(game);
        let mut position = Position::start(&rules, None).unwrap();
        for _ in 0..100 {
            checked += 1;
            compare_one(&position, &rules);
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
    }
    assert!(checked > 30 * games, "{checked} positions");
}

fn compare_one(position: &Position, rules: &OptionValues) {
    let text = position.to_string();
    let mut slow = Reference::read(&text);
    let value = |name| rules.find(name).unwrap().1;
    slow.threshold = value("MeetingThreshold").parse().unwrap();
    slow.landing_marker = value("LandingMarker") == "true";
    if position.outcome().is_some() {
        return;
    }
    let expected = slow.advances();
    let mut found = BTreeMap::new();
    let _ = position.for_each_move::<()>(|m| {
        let token = position.token(&m);
        if token.contains(['-', 'x']) {
            let mut next = position.clone();
            next.play(&m);
            found.insert(token, next);
        }
        ControlFlow::Continue(())
    });
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{text}");
    for (token, state) in expected {
        let state = state.end_turn();
        let next = &found[&token];
        assert_eq!(next.to_string(), state.write(), "{token} in {text}");
        assert_eq!(next.outcome().map(|o| o.places().to_vec()), state.places(), "{token} {text}");
        assert_eq!(next.key(), next.fresh_key(), "{token} in {text}");
    }
    if value("Rotations") == "true" && position.count_moves() < 2_000 {
        compare_rotations(position, &slow);
    }
}

fn compare_rotations(position: &Position, slow: &Reference) {
    let rotations = slow.rotations();
    let text = position.to_string();
    let listed = tokens(position, "");
    let listed = listed.iter().filter(|token| token.contains(['<', '>'])).count();
    assert_eq!(listed, rotations.len(), "{text}");
    for (token, state) in rotations {
        assert_eq!(after(position, &token).to_string(), state.end_turn().write(), "{token}");
    }
}

#[test]
fn the_reference_agrees_on_random_games_of_two() {
    compare(&[], 14);
}

#[test]
fn the_reference_agrees_on_random_games_of_three_and_four() {
    compare(&[("Players", "3")], 8);
    compare(&[("Players", "4")], 8);
}

#[test]
fn the_reference_agrees_on_the_other_options() {
    compare(&[("MeetingThreshold", "0")], 10);
    compare(&[("LandingMarker", "false"), ("MeetingThreshold", "0")], 6);
    compare(&[("Players", "4"), ("LandingMarker", "false")], 4);
}

#[test]
fn the_reference_agrees_on_the_published_positions() {
    for line in include_str!("../../data/pacru/moves.txt").lines().step_by(5) {
        let (fen, _) = line.split_once(" | ").unwrap();
        let slow = Reference::read(fen);
        let quiet = Position::parse(fen, &rules(&[("Rotations", "false")]), None).unwrap();
        if position(fen).count_moves() < 3_000 {
            let count = position(fen).count_moves() - quiet.count_moves();
            assert_eq!(count, slow.rotation_count() as u64, "{fen}");
        }
        compare_one(&position(fen), &rules(&[]));
    }
}
