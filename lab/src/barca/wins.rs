//! Forced wins out of recorded games, each proved by trying every move and answer.

use std::collections::HashMap;

use clap::{Args, value_parser};
use parlor::progress;

use super::record::{Format, positions_of_the_winner};
use super::shortest_win::shortest_win_within;
use crate::arguments::GamesFiles;
use crate::printing::print_line;

/// Find forced wins in recorded games, prove them, and print them
///
/// Goes back from the end of games recorded by `record`, and proves for each position of the winner
/// how many plies the shortest win takes, by every move that can still win in time and every answer.
/// Prints this number and the position.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab barca wins games.txt > tests/data/barca/wins.txt
  parlor-lab barca wins games.txt --shortest 9 --plies 11 --each 500")]
pub struct Wins {
    #[command(flatten)]
    games: GamesFiles,
    /// Shortest win in plies
    #[arg(long, value_name = "N", default_value = "3")]
    shortest: u32,
    /// Longest win in plies, an odd number, at most 99
    #[arg(long, value_name = "N", default_value = "7", value_parser = value_parser!(u32).range(..=99))]
    plies: u32,
    /// Number of positions of each length
    #[arg(long, value_name = "N", default_value = "10")]
    each: u64,
    /// Positions that the proof of one win may visit
    #[arg(long, value_name = "N", default_value = "3000000")]
    nodes: u64,
}

impl Wins {
    /// Proves the wins and prints them.
    pub fn run(self) -> anyhow::Result<()> {
        let Wins { games, shortest, plies: longest, each, nodes } = self;
        let games = games.read::<Format>()?;
        let mut found: HashMap<u32, u64> = HashMap::new();
        let bar = progress::bar(games.len() as u64, "games");
        for game in games {
            bar.inc(1);
            let mut last = 1;
            for position in positions_of_the_winner(&game) {
                let Some(Some(plies)) = shortest_win_within(&position, longest, nodes) else {
                    break;
                };
                let count = found.entry(plies).or_insert(0);
                // A later position of the game leads to the same win.
                if plies > last && plies >= shortest && *count < each {
                    *count += 1;
                    bar.suspend(|| print_line!("{plies} | {position}"));
                }
                last = last.max(plies);
            }
            let lengths = (1..=longest).step_by(2).filter(|plies| *plies >= shortest.max(3));
            if lengths.into_iter().all(|plies| found.get(&plies) >= Some(&each)) {
                break;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}
