//! The subcommands `train` and `reliability`.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::reliability::reliability;
use super::train::{TrainingSettings, train};
use crate::files;
use crate::games::Subcommand;
use crate::games::chowka_bhara::play::{NARROW, Seating, WIDE};
use crate::games::chowka_bhara::rules::{Position, RuleOptions};
use crate::games::chowka_bhara::solve::SolvedTable;

/// Both.
pub(in crate::games::chowka_bhara) fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand { command: train_command(), run: run_train },
        Subcommand { command: reliability_command(), run: run_reliability },
    ]
}

fn train_command() -> Command {
    Command::new("train")
        .about("Learn the evaluation from self-play; equal arguments give equal files")
        .arg(
            Arg::new("seats")
                .long("seats")
                .value_name("N")
                .value_parser(["2", "34"])
                .default_value("2")
                .help("Number of seats: 2, or 34 for three and four"),
        )
        .arg(
            Arg::new("games")
                .long("games")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("400000")
                .help("Number of games"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("1")
                .help("Seed of the first weights and of the throws"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("The file for the weights"),
        )
        .arg(
            Arg::new("teacher")
                .long("teacher")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .action(ArgAction::Append)
                .help(
                    "A table written by solve, whose values are learned wherever it knows a \
                     position of two seats; may be given more than once, the first that knows is \
                     asked",
                ),
        )
        .after_help(
            "Examples:\n  chowka-bhara train --seats 2 --out my.weights\n  \
             chowka-bhara train --teacher three.table --teacher two.table --out my.weights",
        )
}

fn run_train(arguments: &ArgMatches) -> anyhow::Result<()> {
    let games = arguments.get_one::<u64>("games").copied().unwrap_or(1);
    let seed = arguments.get_one::<u64>("seed").copied().unwrap_or(1);
    let out = arguments.get_one::<PathBuf>("out").context("--out FILE is needed")?;
    let unwritten = || format!("cannot write {}", out.display());
    files::ensure_writable(out).with_context(unwritten)?;
    let style = "{bar:30} {pos}/{len} games, loss {msg}, {elapsed} elapsed, {eta} left";
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(style)?);
    let progress = |games: u64, loss: f64| {
        bar.set_position(games);
        bar.set_message(format!("{loss:.4}"));
    };
    let more = arguments.get_one::<String>("seats").is_some_and(|seats| seats == "34");
    let tables: Vec<&PathBuf> = arguments.get_many("teacher").into_iter().flatten().collect();
    ensure!(!more || tables.is_empty(), "tables know games of two seats: no --teacher with 34");
    let teachers = tables.into_iter().map(|path| SolvedTable::read(path));
    let teachers = teachers.collect::<anyhow::Result<_>>()?;
    let settings = TrainingSettings { games, seed, rates: [0.02, 0.0005], lambda: 0.7, teachers };
    let bytes = match more {
        true => train::<NARROW>(Seating::More, &settings, progress).write(),
        false => train::<WIDE>(Seating::Two, &settings, progress).write(),
    };
    files::write(out, bytes).with_context(unwritten)?;
    bar.finish();
    Ok(())
}

fn reliability_command() -> Command {
    Command::new("reliability")
        .about(
            "Compare the probabilities of the evaluation with the results of games that it plays",
        )
        .arg(
            Arg::new("seats")
                .long("seats")
                .value_name("N")
                .value_parser(value_parser!(u64).range(2..=4))
                .default_value("2")
                .help("Number of seats"),
        )
        .arg(
            Arg::new("games")
                .long("games")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("10000")
                .help("Number of games"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .value_parser(value_parser!(u64))
                .default_value("2")
                .help("Seed of the throws"),
        )
        .after_help("Examples:\n  chowka-bhara reliability --seats 4 --games 2000")
}

fn run_reliability(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or(2);
    let start = Position::starting(RuleOptions::default(), number("seats") as usize);
    let tenths = reliability(&start, number("games"), number("seed"));
    let mut error = 0.0;
    let mut total = 0.0;
    println!("| predicted | mean | found | positions |\n|---|---|---|---|");
    for (at, tenth) in tenths.iter().enumerate().filter(|(_, tenth)| tenth.count > 0) {
        let count = tenth.count as f64;
        let (predicted, found) = (tenth.predicted / count, tenth.found / count);
        println!(
            "| {} to {} % | {:.1} % | {:.1} % | {} |",
            10 * at,
            10 * at + 10,
            100.0 * predicted,
            100.0 * found,
            tenth.count
        );
        error += (predicted - found).abs() * count;
        total += count;
    }
    println!("mean distance {:.2} %", 100.0 * error / total);
    Ok(())
}
