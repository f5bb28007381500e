//! The words of Chowka bhara's own for the command line.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::network::{NARROW, Table, WIDE};
use super::position::Position;
use super::reliability::reliability;
use super::rule_options::Variant;
use super::solver;
use super::train::{Plan, train};
use crate::games::Subcommand;

/// All of them.
pub(super) fn subcommands() -> Vec<Subcommand> {
    let mut words = vec![
        Subcommand { command: train_command(), run: run_train },
        Subcommand { command: reliability_command(), run: run_reliability },
    ];
    words.extend(solver::command::subcommands());
    words
}

fn train_command() -> Command {
    Command::new("train")
        .about("Learn the evaluation from self-play; equal arguments give equal files")
        .arg(
            Arg::new("seats")
                .long("seats")
                .value_parser(["2", "34"])
                .default_value("2")
                .help("For two seats, or for three and four"),
        )
        .arg(
            Arg::new("games")
                .long("games")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("400000")
                .help("Games played"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_parser(value_parser!(u64))
                .default_value("1")
                .help("Seed of weights and throws"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("Where the weights go"),
        )
        .after_help("Example: chowka-bhara train --seats 2 --out data/chowka-bhara-2.weights")
}

fn run_train(arguments: &ArgMatches) -> anyhow::Result<()> {
    let games = arguments.get_one::<u64>("games").copied().unwrap_or(1);
    let seed = arguments.get_one::<u64>("seed").copied().unwrap_or(1);
    let out = arguments.get_one::<PathBuf>("out").context("--out FILE is needed")?;
    let bar = bar(games, "games, error {msg}")?;
    let progress = |games: u64, error: f64| {
        bar.set_position(games);
        bar.set_message(format!("{error:.4}"));
    };
    let plan = Plan { games, seed, rates: [0.02, 0.0005], lambda: 0.7 };
    let bytes = match arguments.get_one::<String>("seats").map(String::as_str) {
        Some("34") => train::<NARROW>(Table::More, plan, progress).write(),
        _ => train::<WIDE>(Table::Two, plan, progress).write(),
    };
    std::fs::write(out, bytes).with_context(|| format!("cannot write {}", out.display()))?;
    bar.finish();
    Ok(())
}

fn reliability_command() -> Command {
    Command::new("reliability")
        .about("Compare the chances of the evaluation with the results of its own games")
        .arg(
            Arg::new("seats")
                .long("seats")
                .value_parser(value_parser!(u64).range(2..=4))
                .default_value("2")
                .help("Seats at the table"),
        )
        .arg(
            Arg::new("games")
                .long("games")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("10000")
                .help("Games played"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_parser(value_parser!(u64))
                .default_value("2")
                .help("Seed of the throws"),
        )
}

fn run_reliability(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or(2);
    let start = Position::starting(Variant::default(), number("seats") as usize);
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

/// A bar on standard error, with an estimate of the time left.
pub(super) fn bar(length: u64, what: &str) -> anyhow::Result<ProgressBar> {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{elapsed}} gone, {{eta}} left");
    Ok(ProgressBar::new(length).with_style(ProgressStyle::with_template(&template)?))
}
