//! `barca wins`: forced wins out of recorded games, each proved by trying every move and answer.

use std::collections::HashMap;

use clap::Command;

use crate::games::Subcommand;
use crate::games::barca::learn::{Record, claimed_wins};
use crate::games::barca::solve::shortest_win;
use crate::learning::arguments::{games_file, games_of, number};
use crate::printing::print_line;
use crate::progress;

/// The subcommand `wins`.
pub(in crate::games::barca) fn subcommand() -> Subcommand {
    let command = Command::new("wins")
        .about("Find forced wins in recorded games, prove them, and print them")
        .long_about(
            "Searches games recorded by `barca record` for positions in which the side to move \
             forces a win, proves each by trying every move and every answer, and prints the \
             length of the shortest win in plies and the position.",
        )
        .after_help("Examples:\n  barca wins games.txt --plies 7 > tests/data/barca/wins.txt")
        .arg(games_file("barca"))
        .arg(number("plies", "7", "Longest win in plies, an odd number, at most 99"))
        .arg(number("each", "10", "Number of positions of each length"));
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let (longest, each) = (number("plies").min(99) as u32, number("each"));
    let mut found: HashMap<u32, u64> = HashMap::new();
    let games = games_of::<Record>(matches)?;
    let bar = progress::bar(games.len() as u64, "games");
    for game in games {
        bar.inc(1);
        for position in claimed_wins(&game) {
            let Some(plies) = shortest_win(&position, longest) else {
                continue;
            };
            let count = found.entry(plies).or_insert(0);
            if plies > 1 && *count < each {
                *count += 1;
                bar.suspend(|| print_line!("{plies} | {position}"));
                // The next positions of the game lead to the same win.
                break;
            }
        }
        if (3..=longest).step_by(2).all(|plies| found.get(&plies) >= Some(&each)) {
            break;
        }
    }
    bar.finish_and_clear();
    Ok(())
}
