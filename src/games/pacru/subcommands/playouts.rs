//! `pacru playouts`: plays random games, to measure the speed of the rules.

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::game::{Game, Random, Rules};
use crate::games::Subcommand;
use crate::games::pacru::rules::Position;
use crate::printing::print_line;
use crate::progress;
use crate::statistics::cpu_time;

/// The bar moves after this many games.
const GAMES_A_STEP: u64 = 1_000;

/// The subcommand.
pub(super) fn subcommand() -> Subcommand {
    let number = |name: &'static str, default: &'static str, help: &'static str| {
        let arg = Arg::new(name).long(name).value_name("N").default_value(default);
        arg.value_parser(value_parser!(u64)).help(help)
    };
    let command = Command::new("playouts")
        .about("Play random games, by rotation class, and print moves per second of processor time")
        .after_help("Example: pacru playouts --players 4 --moves 10000000")
        .arg(number("players", "2", "Number of players, 2 to 4"))
        .arg(number("moves", "5000000", "Moves to play; the last game is played to its end"))
        .arg(number("seed", "1", "Seed of everything random"));
    Subcommand { command, run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let mut rules = Position::default_rules();
    rules.set("Players", &number("players").to_string())?;
    let start = Position::start(&rules, None)?;
    let mut random = Random::new(number("seed"));
    let (mut games, mut moves) = (0u64, 0u64);
    let bar = progress::bar(number("moves"), "moves");
    let begun = cpu_time();
    while moves < number("moves") {
        let mut position = start.clone();
        while let Some(m) = position.random_move(&mut random) {
            position.play(&m);
            moves += 1;
        }
        games += 1;
        // A game takes some microseconds, drawing a bar longer.
        if games % GAMES_A_STEP == 0 {
            bar.set_position(moves);
        }
    }
    bar.finish_and_clear();
    let seconds = (cpu_time() - begun).as_secs_f64().max(1e-9);
    print_line!("{games} games {moves} moves {:.0} moves/s", moves as f64 / seconds);
    Ok(())
}
