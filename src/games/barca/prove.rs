//! `barca wins`: forced wins out of recorded games, each proved by trying everything.

use std::collections::HashMap;

use clap::Command;

use super::moves::Move;
use super::position::Position;
use super::record::{Record, claimed_wins};
use super::square::HOLE_SET;
use crate::game::Game;
use crate::games::Subcommand;
use crate::learning::arguments::{games_file, games_of, number};

/// The subcommand `wins`.
pub(super) fn subcommand() -> Subcommand {
    let command = Command::new("wins")
        .about("Find forced wins in recorded games, prove them, and print them")
        .long_about(
            "Looks through games recorded by `barca record` for positions from which the side to \
             move forces a win, proves each by trying every move and every answer, and prints the \
             plies of the shortest win and the position:\n\n    barca wins games.txt --plies 7 > \
             tests/data/barca-wins.txt",
        )
        .arg(games_file("barca"))
        .arg(number("plies", "7", "the longest win, an odd number, 99 at most"))
        .arg(number("each", "10", "how many positions of each length"));
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let (longest, each) = (number("plies").min(99) as u32, number("each"));
    let mut found: HashMap<u32, u64> = HashMap::new();
    for game in games_of::<Record>(matches)? {
        for position in claimed_wins(&game) {
            let Some(plies) = shortest_win(&position, longest) else {
                continue;
            };
            let count = found.entry(plies).or_insert(0);
            if plies > 1 && *count < each {
                *count += 1;
                println!("{plies} | {}", position);
                // The next positions of a game are the same win once more.
                break;
            }
        }
        if (3..=longest).step_by(2).all(|plies| found.get(&plies) >= Some(&each)) {
            break;
        }
    }
    Ok(())
}

/// The plies of the shortest win that the side to move can force, if it has one within `longest`
/// plies; found by trying every move and every answer.
pub fn shortest_win(position: &Position, longest: u32) -> Option<u32> {
    let mut prover = Prover::default();
    (1..=longest).step_by(2).find(|plies| prover.wins_within(position, *plies))
}

/// What was proved or disproved, by position and plies.
#[derive(Default)]
struct Prover(HashMap<(u64, u32), bool>);

impl Prover {
    fn wins_within(&mut self, position: &Position, plies: u32) -> bool {
        if position.wins_at_once() {
            return true;
        }
        if plies < 3 || position.outcome().is_some() {
            return false;
        }
        let key = (position.key(), plies);
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        let mut moves = position.moves();
        // Where it does not matter to the result: moves onto holes first.
        moves.sort_by_key(|m| !HOLE_SET.has(m.to));
        let wins = moves.into_iter().any(|m| self.loses_within(&after(position, m), plies - 1));
        self.0.insert(key, wins);
        wins
    }

    fn loses_within(&mut self, position: &Position, plies: u32) -> bool {
        let holds_two = position.held(position.side() ^ 1) == 2;
        if plies == 2 && !holds_two || position.wins_at_once() || position.outcome().is_some() {
            return false;
        }
        let moves = position.moves();
        moves.into_iter().all(|m| self.wins_within(&after(position, m), plies - 1))
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(&m);
    next
}
