//! Forced wins, proved by trying everything, and found by the engine within a budget.

use parlor::game::Situation;
use parlor::games::Playable;
use parlor::games::barca::{Position, shortest_win};
use parlor::search::{Limits, Report, Request, Score, Settings};

use super::position;

/// What the engine may visit to find a win.
const BUDGET: u64 = 1_000_000;

fn suite() -> Vec<(u32, Position)> {
    let lines = include_str!("../../data/barca/wins.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (plies, text) = line.split_once(" | ").expect("plies and a position");
            (plies.parse().expect("a number of plies"), position(text))
        })
        .collect()
}

#[test]
fn every_win_of_the_suite_is_proved_and_none_is_shorter() {
    let suite = suite();
    assert_eq!(suite.len(), 30);
    for (plies, position) in suite {
        assert_eq!(shortest_win(&position, plies), Some(plies), "{position:?}");
    }
}

/// The wins of the suite that the engine does not find, or not at their length.
fn missed(threads: usize, budget: u64) -> Vec<(u32, Position, Option<Score>)> {
    let mut missed = Vec::new();
    for (plies, position) in suite() {
        let settings = Settings { threads, ..Settings::default() };
        let mut player = Position::player("engine", &settings).unwrap();
        let limits = Limits { mate: Some(plies), nodes: Some(budget), ..Limits::default() };
        let mut score = None;
        player.choose(&Situation::new(position), &Request::new(limits), &mut |report| {
            if let Report::Info(info) = report {
                score = Some(info.score);
            }
        });
        if score != Some(Score::Mate(plies as i32)) {
            missed.push((plies, position, score));
        }
    }
    missed
}

#[test]
fn the_engine_finds_every_win_of_the_suite_within_its_budget() {
    let missed = missed(1, BUDGET);
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn two_threads_prove_the_same_wins() {
    // The second thread may spend as much as it likes without helping.
    let missed = missed(2, 4 * BUDGET);
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_position_without_a_forced_win_has_none() {
    assert_eq!(shortest_win(&position(parlor::games::barca::START), 3), None);
}
