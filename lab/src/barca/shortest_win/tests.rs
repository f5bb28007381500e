//! Proofs of the suite of forced wins, and against trying everything.

#[path = "../../../../tests/common/barca_wins.rs"]
mod wins;

use parlor::game::{Random, Seat};

use super::*;
use wins::{long_wins, suite};

fn shortest_win(position: &Position, longest: u32) -> Option<u32> {
    shortest_win_within(position, longest, u64::MAX).expect("no limit")
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
    assert_eq!(shortest_win(&Position::default(), 3), None);
}
