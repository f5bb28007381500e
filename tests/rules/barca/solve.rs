//! Forced wins that the engine finds within a budget.

#[path = "../../common/barca_wins.rs"]
mod wins;

use parlor::game::Situation;
use parlor::games::Playable;
use parlor::games::barca::Position;
use parlor::search::{Limits, Report, Request, Score, Settings};

use wins::{long_wins, suite};

/// What the engine may visit to find a win.
const BUDGET: u64 = 1_000_000;

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
