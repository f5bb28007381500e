//! `barca wins`: forced wins out of recorded games, each proved by trying every move and answer.

use std::collections::HashMap;

use clap::Command;

use crate::games::Subcommand;
use crate::games::barca::learn::{Record, positions_of_the_winner};
use crate::games::barca::solve::shortest_win_within;
use crate::learning::arguments::{games_file, games_of, number};
use crate::printing::print_line;
use crate::progress;

/// The subcommand `wins`.
pub(in crate::games::barca) fn subcommand() -> Subcommand {
    let command = Command::new("wins")
        .about("Find forced wins in recorded games, prove them, and print them")
        .long_about(
            "Goes back from the end of games recorded by `barca record`, and proves for each \
             position of the winner how many plies the shortest win takes, by every move that can \
             still win in time and every answer. Prints this number and the position.",
        )
        .after_help(
            "Examples:\n  \
             barca wins games.txt > tests/data/barca/wins.txt\n  \
             barca wins games.txt --shortest 9 --plies 11 --each 500",
        )
        .arg(games_file("barca"))
        .arg(number("shortest", "3", "Shortest win in plies"))
        .arg(number("plies", "7", "Longest win in plies, an odd number, at most 99"))
        .arg(number("each", "10", "Number of positions of each length"))
        .arg(number("nodes", "3000000", "Positions that the proof of one win may visit"));
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let [shortest, longest] = ["shortest", "plies"].map(|name| number(name).min(99) as u32);
    let (each, nodes) = (number("each"), number("nodes"));
    let mut found: HashMap<u32, u64> = HashMap::new();
    let games = games_of::<Record>(matches)?;
    let bar = progress::bar(games.len() as u64, "games");
    for game in games {
        bar.inc(1);
        let mut last = 1;
        for position in positions_of_the_winner(&game) {
            let Some(Some(plies)) = shortest_win_within(&position, longest, nodes) else { break };
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
