//! The subcommands `train` and `reliability`.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::lessons::Lessons;
use super::reliability::reliability;
use super::returns::Returns;
use super::teach::{error_of, teach, teach_all};
use super::train::{TrainingSettings, train};
use crate::files;
use crate::game::splitmix64;
use crate::games::Subcommand;
use crate::games::chowka_bhara::play::{NARROW, Network, Seating, WIDE};
use crate::games::chowka_bhara::rules::{Position, RuleOptions};
use crate::games::chowka_bhara::solve::SolvedTable;
use crate::printing::{note_line, print_line};
use crate::progress;

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
                .help(
                    "Number of games [default: 400000; with --teacher 40000; with --from 20000 a \
                     round]",
                ),
        )
        .arg(
            Arg::new("epochs")
                .long("epochs")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("12")
                .requires("teacher")
                .help("With --teacher: passes over the positions of the games"),
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
            Arg::new("from")
                .long("from")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("teacher")
                .help(
                    "Three and four seats: improve these weights. Every round plays --games games \
                     and learns what each seat wins in them, less luck",
                ),
        )
        .arg(
            Arg::new("rounds")
                .long("rounds")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("1")
                .requires("from")
                .help("With --from: how often games are played and learned"),
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
             chowka-bhara train --seats 34 --games 600000 --out first.weights\n  \
             chowka-bhara train --seats 34 --from first.weights --rounds 3 --out my.weights\n  \
             chowka-bhara train --teacher three.table --teacher two.table --out my.weights",
        )
}

fn run_train(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied();
    let seed = number("seed").unwrap_or(1);
    let out = arguments.get_one::<PathBuf>("out").context("--out FILE is needed")?;
    let unwritten = || format!("cannot write {}", out.display());
    files::ensure_writable(out).with_context(unwritten)?;
    let more = arguments.get_one::<String>("seats").is_some_and(|seats| seats == "34");
    let tables: Vec<&PathBuf> = arguments.get_many("teacher").into_iter().flatten().collect();
    ensure!(!more || tables.is_empty(), "tables know games of two seats: no --teacher with 34");
    let from = arguments.get_one::<PathBuf>("from");
    ensure!(more || from.is_none(), "--from improves the network of three and four: --seats 34");
    let bytes = if let Some(from) = from {
        let first =
            Network::read_file(Seating::More, from).with_context(|| from.display().to_string())?;
        let rounds = number("rounds").unwrap_or(1);
        learn_less_luck(first, rounds, number("games").unwrap_or(20_000), seed).write()
    } else if tables.is_empty() {
        learn_from_self_play(more, number("games").unwrap_or(400_000), seed)
    } else {
        let epochs = number("epochs").unwrap_or(12);
        learn_from_tables(&tables, number("games").unwrap_or(40_000), epochs, seed)?
    };
    files::write(out, bytes).with_context(unwritten)
}

fn learn_from_self_play(more: bool, games: u64, seed: u64) -> Vec<u8> {
    let bar = progress::bar(games, "games");
    let report = |games: u64, loss: f64| {
        bar.set_position(games);
        bar.set_message(format!("loss {loss:.4}"));
    };
    let settings = |rates| TrainingSettings { games, seed, rates, lambda: 0.7 };
    let bytes = match more {
        true => train::<NARROW>(Seating::More, &settings([0.01, 0.0002]), report).write(),
        false => train::<WIDE>(Seating::Two, &settings([0.02, 0.0005]), report).write(),
    };
    bar.finish();
    bytes
}

/// Games of a round that are only compared, one for so many that are learned.
const HELD_OUT: u64 = 25;

/// Passes over the lessons of a round.
const ROUND_EPOCHS: u64 = 4;

/// Improves the network of three and four seats by its own games less luck.
fn learn_less_luck(
    mut network: Network<NARROW>,
    rounds: u64,
    games: u64,
    seed: u64,
) -> Network<NARROW> {
    for round in 0..rounds {
        let seed = splitmix64(seed).wrapping_add(round);
        let bar = progress::bar(games + games.div_ceil(HELD_OUT), "games");
        let (lessons, held_out) = games_of_round(&network, games, seed, || bar.inc(1));
        bar.finish();
        let error = |network: &Network<NARROW>| 100.0 * error_of(network, &held_out);
        note_line!("{} positions, held out error {:.3} %", lessons.list.len(), error(&network));
        network = teach_all(&network, &lessons, ROUND_EPOCHS, seed, |epoch, error| {
            note_line!("epoch {epoch:>3} error {:.3} %", 100.0 * error);
        });
        note_line!("round {} held out error {:.3} %", round + 1, error(&network));
    }
    network
}

/// The games of a round that are learned, and others that are only compared.
fn games_of_round<const N: usize>(
    network: &Network<N>,
    games: u64,
    seed: u64,
    progress: impl Fn() + Sync,
) -> (Returns, Returns) {
    let lessons = Returns::of_games(network, games, seed, &progress);
    let held_out = Returns::of_games(network, games.div_ceil(HELD_OUT), !seed, &progress);
    (lessons, held_out)
}

fn learn_from_tables(
    tables: &[&PathBuf],
    games: u64,
    epochs: u64,
    seed: u64,
) -> anyhow::Result<Vec<u8>> {
    let tables: Vec<SolvedTable> =
        tables.iter().map(|path| SolvedTable::read(path)).collect::<anyhow::Result<_>>()?;
    let bar = progress::bar(games, "games");
    let lessons = Lessons::of_games(&tables, games, seed, |done| bar.set_position(done));
    bar.finish();
    note_line!("{} positions", lessons.list.len());
    let bar = progress::bar(epochs, "epochs");
    let report = |done: u64, error: f64| {
        bar.suspend(|| note_line!("epoch {done:>3} error {:.3} %", 100.0 * error));
        bar.inc(1);
    };
    let network = teach::<WIDE>(&lessons, epochs, seed, report);
    bar.finish();
    Ok(network.write())
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
    print_line!("| predicted | mean | found | positions |\n|---|---|---|---|");
    for (at, tenth) in tenths.iter().enumerate().filter(|(_, tenth)| tenth.count > 0) {
        let count = tenth.count as f64;
        let (predicted, found) = (tenth.predicted / count, tenth.found / count);
        print_line!(
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
    print_line!("mean distance {:.2} %", 100.0 * error / total);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features of every seat in each lesson.
    fn positions(returns: &Returns) -> Vec<Vec<Vec<u16>>> {
        let features = |lesson| returns.features(lesson).map(<[u16]>::to_vec).to_vec();
        returns.list.iter().map(features).collect()
    }

    #[test]
    fn the_games_that_are_held_out_are_not_among_those_that_are_learned() {
        let network = Network::<8>::new(Seating::More, 3);
        let (lessons, held_out) = games_of_round(&network, 2, 7, || ());
        let (lessons, held_out) = (positions(&lessons), positions(&held_out));
        // Two games are learned, one is held out.
        let (middle, run) = (held_out.len() / 2, 5);
        assert!(middle > run && lessons.len() > middle);
        assert!(lessons.windows(run).all(|other| other != &held_out[middle..middle + run]));
    }
}
