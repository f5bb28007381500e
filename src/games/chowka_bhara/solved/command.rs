//! The subcommand `equity`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Command, FromArgMatches, value_parser};
use serde_json::json;

use super::analysis::{Analysis, Skill, analyse};
use super::equity::{Loss, MOST_MISTAKES, Mistake, equity};
use super::table::SolvedTable;
use crate::games::chowka_bhara::rules::Position;
use crate::games::{Playable, Subcommand};
use crate::printing::{print_json, print_line};
use crate::reading::Input;
use crate::search::{Limits, Settings};

/// What players lose against perfect play, their worst plays, and luck.
#[derive(Args)]
#[command(after_help = EXPLAINED)]
struct Equity {
    /// A table of the solved game
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The player to measure
    #[arg(long, value_name = "PLAYER", default_value = "engine")]
    player: String,
    /// Its opponent [default: the same player]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Number of games, in pairs with equal throws
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = value_parser!(u64).range(..=100_000_000))]
    games: u64,
    /// Depth of every search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(..=20))]
    depth: u32,
    /// Milliseconds of every search, instead of a depth
    #[arg(long, value_name = "MS", conflicts_with = "depth", value_parser = value_parser!(u64).range(1..=3_600_000))]
    time: Option<u64>,
    /// Seed of throws and players
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u64).range(..=u64::MAX >> 1))]
    seed: u64,
    /// Analyse the games of a file instead of playing some
    #[arg(long, value_name = "FILE", conflicts_with_all = ["player", "against", "games", "depth", "time", "seed"])]
    records: Option<PathBuf>,
    /// How many of the worst plays to print
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = value_parser!(u64).range(..=MOST_MISTAKES as u64))]
    worst: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXPLAINED: &str = "\
A loss is the difference between the best play's probability to win and that of the play that was \
chosen, over turns with a choice. In milli-equity, as backgammon programs count, a win is worth 2000 \
(from -1000 to +1000).

--records takes the records of parlor match, with any engines, or lines such as `position startpos \
moves t2 c1e1 ...`. The luck of a player is what its rolls gained.

Examples:
  chowka-bhara equity --table three.table --depth 2
  chowka-bhara equity --table three.table --player engine --against greedy --worst 20
  chowka-bhara equity --table three.table --records match.jsonl";

/// The subcommand.
pub(crate) fn subcommand() -> Subcommand {
    let command = Equity::augment_args(Command::new("equity"));
    Subcommand { command, run: |matches| run(&Equity::from_arg_matches(matches)?) }
}

fn run(arguments: &Equity) -> anyhow::Result<()> {
    let table = SolvedTable::read(&arguments.table)?;
    let shown = arguments.worst as usize;
    if let Some(records) = &arguments.records {
        let unread = || format!("cannot read {}", records.display());
        let mut text = Input::open_or_standard(records).with_context(unread)?;
        let analysis = analyse(&table, &mut text).with_context(|| records.display().to_string())?;
        match arguments.json {
            true => print_json(&analysis_json(&analysis, shown)),
            false => print_analysis(&analysis, shown),
        }
        return Ok(());
    }
    let names = [&arguments.player, arguments.against.as_ref().unwrap_or(&arguments.player)];
    let seed = arguments.seed;
    let settings = |seed: u64| Settings { hash: 1, seed: seed.max(1), ..Settings::default() };
    let mut players = [
        Position::player(names[0], &settings(seed))?,
        Position::player(names[1], &settings(seed + 1))?,
    ];
    let limits = match arguments.time {
        Some(time) => Limits::time(Duration::from_millis(time)),
        None => Limits::depth(arguments.depth),
    };
    let start = table.header().start();
    let loss = equity(&table, &start, &mut players, &limits, arguments.games, seed);
    match arguments.json {
        true => print_json(&loss_json(&loss, names, shown)),
        false => print_loss(&loss, names, shown),
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
