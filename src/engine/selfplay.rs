//! The subcommand `selfplay`: two players of one game in one process.

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::current_position::max_plies;
use super::exit::UsageError;
use super::options::{HASH, THREADS};
use crate::game::{OptionValues, Rules};
use crate::games::Playable;
use crate::printing::{print, print_json};
use crate::progress;
use crate::search::selfplay::{Contestant, SelfplayPlan, Standing, selfplay};
use crate::search::{Limits, Settings};
use crate::statistics::{Interval, elo_interval, score_interval};

/// Arguments of `selfplay`.
#[derive(Args, Debug)]
pub(super) struct SelfPlay {
    /// The first player: engine, random, or another value of option Player
    pub first: String,
    /// The second player
    pub second: String,
    /// Openings; each is played in every seating with the same throws
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub openings: u64,
    /// Random moves at the beginning of each opening
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub opening_plies: u32,
    /// A game is a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub max_plies: u32,
    /// Milliseconds per move
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth per move in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Milliseconds per move for the second player, if they differ
    #[arg(long, value_name = "MS")]
    pub second_movetime: Option<u64>,
    /// Nodes per move for the second player, if they differ
    #[arg(long, value_name = "N")]
    pub second_nodes: Option<u64>,
    /// Depth per move in plies for the second player, if they differ
    #[arg(long, value_name = "N")]
    pub second_depth: Option<u32>,
    /// An option of the first player alone
    #[arg(long, value_name = "NAME=VALUE")]
    pub first_set: Vec<String>,
    /// An option of the second player alone
    #[arg(long, value_name = "NAME=VALUE")]
    pub second_set: Vec<String>,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The confidence of the intervals that are printed.
const CONFIDENCE: f64 = 0.95;

/// Plays the match and prints how it ended.
pub(super) fn run<G: Playable>(
    arguments: &SelfPlay,
    options: &OptionValues,
    as_json: bool,
) -> anyhow::Result<u8> {
    let start = <G as Rules>::start(options, None).context("the starting position")?;
    let limits = [limits(arguments, false)?, limits(arguments, true)?];
    let [first_limits, second_limits] = limits;
    let contestants = [
        contestant::<G>(&arguments.first, first_limits, options, &arguments.first_set)?,
        contestant::<G>(&arguments.second, second_limits, options, &arguments.second_set)?,
    ];
    let plan = SelfplayPlan {
        openings: arguments.openings,
        opening_plies: arguments.opening_plies,
        max_plies: arguments.max_plies,
        drawn_after: max_plies(options),
        seed: arguments.seed,
        threads: arguments.threads,
    };
    let bar = progress::bar(plan.openings, "openings");
    let standing = selfplay(&start, &contestants, &plan, &mut |standing| {
        bar.inc(1);
        bar.set_message(format!("{:.1} %", 100.0 * standing.first.mean()));
        true
    });
    bar.finish_and_clear();
    let names = [arguments.first.as_str(), arguments.second.as_str()];
    match as_json {
        true => print_json(&report_json(names, &standing, start.seats())),
        false => print(&report(names, &standing, start.seats())),
    }
    Ok(0)
}

fn limits(arguments: &SelfPlay, second: bool) -> Result<Limits, UsageError> {
    let own = (arguments.second_depth, arguments.second_nodes, arguments.second_movetime);
    let common = (arguments.depth, arguments.nodes, arguments.movetime);
    let (depth, nodes, time) = match second && own != (None, None, None) {
        true => own,
        false => common,
    };
    let time = time.map(Duration::from_millis);
    let limits = Limits { depth, nodes, mate: None, soft: time, least: None, hard: time };
    if limits == Limits::default() {
        return Err(UsageError("selfplay needs --movetime, --nodes or --depth".into()));
    }
    Ok(limits)
}

fn contestant<G: Playable>(
    name: &str,
    limits: Limits,
    options: &OptionValues,
    own: &[String],
) -> Result<Contestant<G>, UsageError> {
    let player = G::find_player(name).map_err(|error| UsageError(error.to_string()))?;
    let mut options = options.clone();
    for setting in own {
        let (option, value) = setting
            .split_once('=')
            .ok_or_else(|| UsageError(format!("{setting}: expected NAME=VALUE")))?;
        options.set(option, value).map_err(|error| UsageError(error.to_string()))?;
        if G::rule_options().iter().any(|rule| rule.name.eq_ignore_ascii_case(option)) {
            return Err(UsageError(format!("{option} is a rule; rules are set by --set for both")));
        }
    }
    let make = move |seed: u64| {
        let settings = Settings {
            hash: HASH.get(&options) as usize,
            threads: THREADS.get(&options) as usize,
            seed: seed.max(1),
            options: options.clone(),
        };
        player.make(&settings)
    };
    Ok(Contestant { name: name.into(), limits, make: Box::new(make) })
}

fn report(names: [&str; 2], standing: &Standing, seats: usize) -> String {
    let mut lines = Vec::new();
    let [wins, draws, losses] = standing.games;
    let line = |name: &str, share: Interval| {
        format!(
            "{name:<12} {:5.1} %   95 % interval {:5.1} to {:5.1} %",
            100.0 * share.value,
            100.0 * share.low,
            100.0 * share.high
        )
    };
    lines.push(line(names[0], score_interval(&standing.first, CONFIDENCE)));
    lines.push(line(names[1], score_interval(&standing.second, CONFIDENCE)));
    if seats == 2 {
        let elo = elo_interval(&standing.first, CONFIDENCE);
        lines.push(elo_text(elo));
        lines.push(format!("games {}: +{wins} ={draws} -{losses}", wins + draws + losses));
    } else {
        let par = 100.0 / seats as f64;
        lines.push(format!("share of first place of one against {}; par {par:.1} %", seats - 1));
    }
    let alone = if seats == 2 { 0 } else { standing.second.games() };
    let games = (standing.first.games() + alone).max(1);
    lines.push(format!(
        "plies a game {:.1}, at the ply limit {}, faults {} and {}",
        standing.plies as f64 / games as f64,
        standing.unfinished,
        standing.faults[0],
        standing.faults[1]
    ));
    lines.join("\n")
}

/// An Elo difference; of a clean sweep only the bound is known.
fn elo_text(elo: Interval) -> String {
    let percent = 100.0 * CONFIDENCE;
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("Elo {:+.0}, {:+.0} to {:+.0}", elo.value, elo.low, elo.high),
        (true, false) => format!("Elo above {:+.0} ({percent:.0} %)", elo.low),
        (false, true) => format!("Elo below {:+.0} ({percent:.0} %)", elo.high),
        (false, false) => "Elo unknown".into(),
    }
}

fn report_json(names: [&str; 2], standing: &Standing, seats: usize) -> serde_json::Value {
    let share = |interval: Interval| json!({ "share": interval.value, "low": interval.low, "high": interval.high });
    let elo = (seats == 2).then(|| {
        let elo = elo_interval(&standing.first, CONFIDENCE);
        json!({ "value": elo.value, "low": elo.low, "high": elo.high })
    });
    json!({
        "first": names[0],
        "second": names[1],
        "first_share": share(score_interval(&standing.first, CONFIDENCE)),
        "second_share": share(score_interval(&standing.second, CONFIDENCE)),
        "elo": elo,
        "wins": standing.games[0],
        "draws": standing.games[1],
        "losses": standing.games[2],
        "unfinished": standing.unfinished,
        "faults": standing.faults,
        "plies": standing.plies,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::statistics::Scores;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: SelfPlay,
    }

    /// The limits of both players.
    fn limits_of(options: &str) -> [Limits; 2] {
        let words = ["selfplay", "engine", "random"].into_iter().chain(options.split(' '));
        let arguments = Line::parse_from(words).arguments;
        [false, true].map(|second| limits(&arguments, second).expect(options))
    }

    #[test]
    fn the_second_player_has_the_limits_of_the_first_or_its_own_alone() {
        let time = |milliseconds| Limits::time(Duration::from_millis(milliseconds));
        assert_eq!(limits_of("--nodes 30"), [Limits::nodes(30), Limits::nodes(30)]);
        assert_eq!(limits_of("--movetime 40"), [time(40), time(40)]);
        for (options, second) in [
            ("--second-nodes 7", Limits::nodes(7)),
            ("--second-movetime 8", time(8)),
            ("--second-depth 9", Limits::depth(9)),
        ] {
            assert_eq!(limits_of(&format!("--depth 5 {options}")), [Limits::depth(5), second]);
        }
        let all = Limits { depth: Some(1), nodes: Some(2), ..time(3) };
        assert_eq!(limits_of("--depth 1 --nodes 2 --movetime 3"), [all.clone(), all]);
        let none = Line::parse_from(["selfplay", "engine", "random", "--second-depth", "2"]);
        assert!(limits(&none.arguments, false).is_err());
        assert_eq!(limits(&none.arguments, true).ok(), Some(Limits::depth(2)));
    }

    fn standing(wins: u64, draws: u64, losses: u64) -> Standing {
        Standing {
            first: Scores::trinomial(wins, draws, losses),
            second: Scores::trinomial(losses, draws, wins),
            games: [wins, draws, losses],
            unfinished: 3,
            faults: [1, 2],
            plies: 405,
        }
    }

    /// 7 points of 10 are 400 log10(7 / 3) = 147 Elo.
    #[test]
    fn a_match_of_two_is_told_from_the_side_of_the_first() {
        let standing = standing(6, 2, 2);
        let text = report(["alpha", "beta"], &standing, 2);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("alpha         70.0 %   95 % interval "), "{text}");
        assert!(lines[1].starts_with("beta          30.0 %   95 % interval "), "{text}");
        assert!(lines[2].starts_with("Elo +147, "), "{text}");
        assert_eq!(lines[3], "games 10: +6 =2 -2");
        assert_eq!(lines[4], "plies a game 40.5, at the ply limit 3, faults 1 and 2");
        let json = report_json(["alpha", "beta"], &standing, 2);
        assert_eq!((&json["first"], &json["second"]), (&"alpha".into(), &"beta".into()));
        let counts = ["wins", "draws", "losses", "unfinished", "plies"].map(|name| &json[name]);
        assert_eq!(counts, [6, 2, 2, 3, 405]);
        assert_eq!(json["faults"], json!([1, 2]));
        assert_eq!(json["elo"]["value"].as_f64().map(f64::round), Some(147.0));
        for (name, share) in [("first_share", 0.7), ("second_share", 0.3)] {
            let [value, low, high] =
                ["share", "low", "high"].map(|end| json[name][end].as_f64().expect("a number"));
            assert!((value - share).abs() < 1e-6 && low < value && value < high, "{json}");
        }
    }

    #[test]
    fn with_more_seats_both_players_games_count_and_par_is_told() {
        let text = report(["alpha", "beta"], &standing(6, 2, 2), 3);
        let par = "share of first place of one against 2; par 33.3 %";
        assert_eq!(text.lines().nth(2), Some(par));
        // 405 plies in the 10 games of each that plays alone.
        assert!(text.ends_with("plies a game 20.2, at the ply limit 3, faults 1 and 2"), "{text}");
        let json = report_json(["alpha", "beta"], &standing(6, 2, 2), 3);
        assert!(json["elo"].is_null(), "{json}");
    }

    #[test]
    fn a_clean_sweep_has_one_bound() {
        let text = |wins, losses| report(["a", "b"], &standing(wins, 0, losses), 2);
        assert!(text(9, 0).contains("\nElo above +"), "{}", text(9, 0));
        assert!(text(0, 9).contains("\nElo below -"), "{}", text(0, 9));
    }
}
