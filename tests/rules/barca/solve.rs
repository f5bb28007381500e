//! Forced wins, proved by trying everything, and found by the engine within a budget.

use parlor::game::{Game, Random, Seat, Situation};
use parlor::games::Playable;
use parlor::games::barca::{Position, shortest_win};
use parlor::search::{Limits, Report, Request, Score, Settings};

use super::position;

/// What the engine may visit to find a win.
const BUDGET: u64 = 1_000_000;

/// Wins of 3 to 7 plies.
fn suite() -> Vec<(u32, Position)> {
    read(include_str!("../../data/barca/wins.txt"))
}

/// Wins of 9 and 11 plies: all where the variable `PARLOR_SLOW_TESTS` asks for slow tests, otherwise
/// every 25th.
fn long_wins() -> Vec<(u32, Position)> {
    let all = read(include_str!("../../data/barca/long-wins.txt"));
    assert_eq!(all.len(), 1_000);
    let slow = std::env::var_os("PARLOR_SLOW_TESTS").is_some();
    all.into_iter().step_by(if slow { 1 } else { 25 }).collect()
}

fn read(text: &str) -> Vec<(u32, Position)> {
    text.lines()
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

#[test]
fn long_wins_are_proved_and_none_is_shorter() {
    for (plies, position) in long_wins() {
        assert_eq!(shortest_win(&position, plies), Some(plies), "{position:?}");
    }
}

/// The wins that the engine does not find, or not at their length.
fn missed(
    wins: &[(u32, Position)],
    threads: usize,
    budget: u64,
) -> Vec<(u32, Position, Option<Score>)> {
    let mut missed = Vec::new();
    for (plies, position) in wins.iter().copied() {
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
    let missed = missed(&suite(), 1, BUDGET);
    assert!(missed.is_empty(), "{missed:?}");
}

/// A search finds most of them before it can rule out that there is a shorter one; any win within
/// the plies asked for counts.
#[test]
fn the_engine_finds_long_wins_within_its_budget() {
    let wins = long_wins();
    let is_longer = |(plies, _, score): &(u32, Position, Option<Score>)| !matches!(score, Some(Score::Mate(found)) if (1..=*plies as i32).contains(found));
    let missed = missed(&wins, 1, BUDGET);
    let missed: Vec<_> = missed.into_iter().filter(is_longer).collect();
    assert!(missed.len() * 20 <= wins.len(), "{} of {}: {missed:?}", missed.len(), wins.len());
}

#[test]
fn two_threads_prove_the_same_wins() {
    // The second thread may spend as much as it likes without helping.
    let missed = missed(&suite(), 2, 4 * BUDGET);
    assert!(missed.is_empty(), "{missed:?}");
}

/// The same by trying every move and every answer, without bounds or a table.
fn wins_by_force(position: &Position, plies: u32) -> bool {
    let mover = Seat::new(position.side());
    position.moves().iter().any(|m| {
        let mut next = *position;
        next.play(m);
        match next.outcome() {
            Some(outcome) => outcome.share(mover) == 1.0,
            None if plies < 3 => false,
            None => next.moves().iter().all(|answer| {
                let mut after = next;
                after.play(answer);
                after.outcome().is_none() && wins_by_force(&after, plies - 2)
            }),
        }
    })
}

#[test]
fn wins_of_up_to_three_plies_are_those_found_by_trying_everything() {
    let mut random = Random::new(7);
    let mut lengths = [0; 4];
    for position in wins_and_losses(&mut random) {
        let expected = (1..=3).step_by(2).find(|plies| wins_by_force(&position, *plies));
        assert_eq!(shortest_win(&position, 3), expected, "{position}");
        lengths[expected.unwrap_or(0) as usize] += 1;
    }
    assert!(lengths[0] > 20 && lengths[1] > 20 && lengths[3] > 20, "{lengths:?}");
}

/// Positions one and two random plies after those of the suite.
fn wins_and_losses(random: &mut Random) -> Vec<Position> {
    let mut positions = Vec::new();
    for (_, start) in suite() {
        for _ in 0..12 {
            let mut position = start;
            for _ in 0..2 {
                let Some(m) = position.random_move(random) else { break };
                position.play(&m);
                if position.outcome().is_some() {
                    break;
                }
                positions.push(position);
            }
        }
    }
    positions
}

#[test]
fn a_position_without_a_forced_win_has_none() {
    assert_eq!(shortest_win(&position(parlor::games::barca::START), 3), None);
}
