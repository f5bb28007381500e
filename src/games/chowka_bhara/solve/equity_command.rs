//! The subcommand `equity`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::json;

use super::analysis::{Analysis, Skill, analyse};
use super::equity::{Loss, MOST_MISTAKES, Mistake, equity};
use super::run::starting;
use super::table_file::SolvedTable;
use crate::games::chowka_bhara::rules::Position;
use crate::games::{Playable, Subcommand};
use crate::printing::print_line;
use crate::search::{Limits, Settings};

/// The subcommand.
pub(super) fn subcommand() -> Subcommand {
    Subcommand { command: command(), run }
}

fn number(name: &'static str, default: &'static str, most: u64, help: &'static str) -> Arg {
    let parser = value_parser!(u64).range(0..=most);
    Arg::new(name).long(name).value_name("N").value_parser(parser).default_value(default).help(help)
}

fn command() -> Command {
    let path = |name: &'static str, help: &'static str| {
        let parser = value_parser!(PathBuf);
        Arg::new(name).long(name).value_name("FILE").value_parser(parser).help(help)
    };
    let player = |name: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name("PLAYER").help(help)
    };
    Command::new("equity")
        .about("What players lose against perfect play, their worst plays, and luck")
        .arg(path("table", "A table written by solve").required(true))
        .arg(player("player", "The player to measure").default_value("engine"))
        .arg(player("against", "Its opponent [default: the same player]"))
        .arg(number("games", "1000", 100_000_000, "Number of games, in pairs with equal throws"))
        .arg(number("depth", "1", 20, "Depth of every search"))
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("MS")
                .value_parser(value_parser!(u64).range(1..=3_600_000))
                .conflicts_with("depth")
                .help("Milliseconds of every search, instead of a depth"),
        )
        .arg(number("seed", "1", u64::MAX >> 1, "Seed of throws and players"))
        .arg(
            path("records", "Analyse the games of a file instead of playing some")
                .conflicts_with_all(["player", "against", "games", "depth", "time", "seed"]),
        )
        .arg(number("worst", "5", MOST_MISTAKES as u64, "How many of the worst plays to print"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
        .after_help(
            "A loss is the difference between the best play's probability to win and that of the \
             play that was chosen, over turns with a choice. In milli-equity, as backgammon \
             programs count, a win is worth 2000 (from -1000 to +1000).\n\n\
             --records takes the records of parlor match, with any engines, or lines such as \
             `position startpos moves t2 c1e1 ...`. The luck of a player is what its rolls gained.\n\n\
             Examples:\n  chowka-bhara equity --table three.table --depth 2\n  \
             chowka-bhara equity --table three.table --player engine --against greedy --worst 20\n  \
             chowka-bhara equity --table three.table --records match.jsonl",
        )
}

fn integer(arguments: &ArgMatches, name: &str) -> u64 {
    arguments.get_one::<u64>(name).copied().unwrap_or_default()
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let path = arguments.get_one::<PathBuf>("table").context("--table FILE is needed")?;
    let table = SolvedTable::read(path)?;
    let shown = integer(arguments, "worst") as usize;
    if let Some(records) = arguments.get_one::<PathBuf>("records") {
        let unread = || format!("cannot read {}", records.display());
        let text = fs::read_to_string(records).with_context(unread)?;
        let analysis = analyse(&table, &text).with_context(|| records.display().to_string())?;
        match arguments.get_flag("json") {
            true => print_line!("{}", analysis_json(&analysis, shown)),
            false => print_analysis(&analysis, shown),
        }
        return Ok(());
    }
    let name = arguments.get_one::<String>("player").context("a player")?;
    let other = arguments.get_one::<String>("against").unwrap_or(name);
    let seed = integer(arguments, "seed");
    let settings = |seed: u64| Settings { hash: 1, seed: seed.max(1), ..Settings::default() };
    let mut players =
        [Position::player(name, &settings(seed))?, Position::player(other, &settings(seed + 1))?];
    let limits = match arguments.get_one::<u64>("time") {
        Some(time) => Limits::time(Duration::from_millis(*time)),
        None => Limits::depth(integer(arguments, "depth") as u32),
    };
    let start = starting(table.header.pawns);
    let loss = equity(&table, &start, &mut players, &limits, integer(arguments, "games"), seed);
    match arguments.get_flag("json") {
        true => print_line!("{}", loss_json(&loss, [name, other], shown)),
        false => print_loss(&loss, [name, other], shown),
    }
    Ok(())
}

/// What a win is worth in milli-equity.
const MILLI_EQUITY: f64 = 2000.0;

fn print_loss(loss: &Loss, names: [&String; 2], shown: usize) {
    print_line!(
        "{:<12} {:>9} {:>18} {:>15}",
        "player",
        "turns",
        "loss, % of a win",
        "milli-equity"
    );
    let both = if names[0] == names[1] { 1 } else { 2 };
    for (at, name) in names.iter().enumerate().take(both) {
        print_line!(
            "{name:<12} {:>9} {:>9.4} +- {:.4} {:>15.3}",
            loss.turns[at],
            100.0 * loss.mean(at),
            100.0 * loss.margin(at),
            MILLI_EQUITY * loss.mean(at)
        );
    }
    let games = loss.games.max(1) as f64;
    print_line!("{} games of {:.1} turns on average", loss.games, loss.length as f64 / games);
    let [name, other] = names;
    print_line!(
        "{name} against {other}: {:.2} %, {:.2} % adjusted for luck",
        100.0 * loss.points / games,
        100.0 * loss.adjusted()
    );
    print_worst(&loss.worst, shown, |which| names[usize::from(which == "second")].clone());
}

fn print_worst(worst: &[Mistake], shown: usize, name: impl Fn(&str) -> String) {
    if worst.is_empty() || shown == 0 {
        return;
    }
    print_line!("\nworst plays, loss in % of a win:");
    for mistake in worst.iter().take(shown) {
        let Mistake { player, position, played, best, lost } = mistake;
        let lost = 100.0 * lost;
        print_line!("{lost:6.2}  {}: {played}, best {best}\n        fen {position}", name(player));
    }
}

fn loss_json(loss: &Loss, names: [&String; 2], shown: usize) -> serde_json::Value {
    let player = |at: usize| {
        json!({
            "name": names[at], "turns": loss.turns[at], "loss": loss.mean(at),
            "margin": loss.margin(at), "milli_equity": MILLI_EQUITY * loss.mean(at),
        })
    };
    json!({
        "games": loss.games, "turns": loss.length, "players": [player(0), player(1)],
        "score": loss.points / loss.games.max(1) as f64, "adjusted": loss.adjusted(),
        "worst": loss.worst.iter().take(shown).collect::<Vec<_>>(),
    })
}

fn mean(skill: &Skill) -> f64 {
    skill.lost / skill.turns.max(1) as f64
}

fn print_analysis(analysis: &Analysis, shown: usize) {
    print_line!(
        "{:<16} {:>6} {:>8} {:>17} {:>13} {:>11} {:>11} {:>8}",
        "player",
        "games",
        "turns",
        "loss, % of a win",
        "milli-equity",
        "lost, wins",
        "luck, wins",
        "unknown"
    );
    for (name, skill) in &analysis.players {
        print_line!(
            "{name:<16} {:>6} {:>8} {:>17.4} {:>13.3} {:>11.4} {:>+11.4} {:>8}",
            skill.games,
            skill.turns,
            100.0 * mean(skill),
            MILLI_EQUITY * mean(skill),
            skill.lost,
            skill.luck,
            skill.unknown
        );
    }
    print_worst(&analysis.worst, shown, str::to_owned);
}

fn analysis_json(analysis: &Analysis, shown: usize) -> serde_json::Value {
    let player = |(name, skill): (&String, &Skill)| {
        json!({
            "name": name, "games": skill.games, "turns": skill.turns, "loss": mean(skill),
            "milli_equity": MILLI_EQUITY * mean(skill), "lost": skill.lost, "luck": skill.luck,
            "unknown": skill.unknown,
        })
    };
    json!({
        "games": analysis.games,
        "players": analysis.players.iter().map(player).collect::<Vec<_>>(),
        "worst": analysis.worst.iter().take(shown).collect::<Vec<_>>(),
    })
}
