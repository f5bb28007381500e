//! The suites of proved wins of Barca, each with its length in plies.

use parlor::games::barca::Position;

/// Wins of 3 to 7 plies.
pub fn suite() -> Vec<(u32, Position)> {
    read(include_str!("../data/barca/wins.txt"))
}

/// Wins of 9 and 11 plies: all where the variable `PARLOR_SLOW_TESTS` asks for slow tests, otherwise
/// every 25th.
pub fn long_wins() -> Vec<(u32, Position)> {
    let all = read(include_str!("../data/barca/long-wins.txt"));
    assert_eq!(all.len(), 1_000);
    let slow = std::env::var_os("PARLOR_SLOW_TESTS").is_some();
    all.into_iter().step_by(if slow { 1 } else { 25 }).collect()
}

fn read(text: &str) -> Vec<(u32, Position)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (plies, text) = line.split_once(" | ").expect("plies and a position");
            (plies.parse().expect("a number of plies"), text.parse().expect(text))
        })
        .collect()
}
