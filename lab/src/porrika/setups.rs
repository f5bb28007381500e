//! What each of copper's 420 set-ups is worth.
//!
//! A search values the position after every set-up. Games of the engine against itself then check
//! the best for either side.

mod chart;

use anyhow::Context;
use clap::{Args, value_parser};
use parlor::game::{Game, Notation, Random, Seat, Situation, splitmix64};
use parlor::games::porrika::{EnginePlayer, Move, Position, RuleOptions};
use parlor::printing::print;
use parlor::progress;
use parlor::search::value::value;
use parlor::search::{Bound, Limits, Player, Report, Request, Score, Settings};
use parlor::statistics::{Scores, score_interval};
use serde_json::{Value, json};

use crate::printing::print_line;

/// A game that reaches this many plies is a draw.
const LONGEST: usize = 240;

/// Value every set-up of copper by a search, and the best by games
///
/// Values every set-up of copper by a search of the position after it, with copper to move, and prints
/// them best first for copper.
///
/// --verify plays games of the engine against itself from the best set-ups for either side, after a
/// few random moves. Equal arguments give equal figures.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika setups
  parlor-lab porrika setups --svg > setups.svg
  parlor-lab porrika setups --nodes 100000 --verify 10 --games 1000")]
pub struct Setups {
    /// Nodes for each set-up
    #[arg(long, value_name = "N", default_value = "20000", value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play games from so many best set-ups for each side
    #[arg(long, value_name = "N", default_value = "0", value_parser = value_parser!(u64).range(0..=210))]
    verify: u64,
    /// Games for each of these
    #[arg(long, value_name = "N", default_value = "1000")]
    games: u64,
    /// Nodes per move of these games
    #[arg(long, value_name = "N", default_value = "2000", value_parser = value_parser!(u64).range(1..))]
    game_nodes: u64,
    /// Random moves after the set-up
    #[arg(long, value_name = "N", default_value = "4", value_parser = value_parser!(u64).range(0..=40))]
    random_plies: u64,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Print JSON, one set-up a line
    #[arg(long)]
    json: bool,
    /// Print a drawing of all values as SVG
    #[arg(long, conflicts_with = "json")]
    svg: bool,
}

impl Setups {
    /// Finds the values and prints them.
    pub fn run(self) -> anyhow::Result<()> {
        let mut engine = EnginePlayer::new(&Settings { hash: 16, ..Settings::default() });
        let mut setups = value_all(&mut engine, self.nodes)?;
        setups.sort_by_key(|setup| std::cmp::Reverse(value(setup.score, 0)));
        let verified = self.verify as usize;
        if verified > 0 {
            let plan = MatchPlan {
                games: self.games,
                limits: Limits::nodes(self.game_nodes),
                random_plies: self.random_plies,
                seed: self.seed,
            };
            verify(&mut engine, &mut setups, verified, &plan)?;
        }
        if self.svg {
            print(chart::draw(&setups).trim_end());
        } else if self.json {
            setups.iter().for_each(|setup| print_line!("{}", json_of(setup)));
        } else {
            print_table(&setups, verified > 0);
        }
        Ok(())
    }
}

/// A set-up and what was found about it.
struct Setup {
    /// Its token, such as `EGGEG.G.`.
    token: String,
    /// The position after it.
    position: Position,
    /// For copper.
    score: Score,
    /// The moves that the search expects.
    line: String,
    /// Results of the games for copper.
    games: Option<Scores>,
}

/// The set-ups, best first for copper; with a column for games if some were played.
fn print_table(setups: &[Setup], with_games: bool) {
    let line = |number: &str, token: &str, score: &str, games: &str, line: &str| {
        let games = if with_games { format!("{games:20}  ") } else { String::new() };
        print_line!("{number:>4}  {token:8}  {score:>6}  {games}{line}");
    };
    line("", "set-up", "score", "copper in games", "expected");
    for (index, setup) in setups.iter().enumerate() {
        let games = setup.games.as_ref().map_or(String::new(), describe);
        let number = (index + 1).to_string();
        line(&number, &setup.token, &describe_score(setup.score), &games, &setup.line);
    }
}

/// Every set-up with the value of the position after it.
fn value_all(engine: &mut EnginePlayer, nodes: u64) -> anyhow::Result<Vec<Setup>> {
    let start = Position::setup(RuleOptions::default());
    let moves = start.moves();
    let bar = progress::bar(moves.len() as u64, "set-ups");
    let mut setups = Vec::new();
    for m in moves {
        let mut position = start;
        position.play(&m);
        engine.new_game();
        let (mut score, mut line) = (Score::Cp(0), Vec::new());
        let mut report = |report| {
            if let Report::Info(info) = report
                && info.bound == Bound::Exact
            {
                (score, line) = (info.score, info.pv);
            }
        };
        let situation = Situation::new(position);
        let choice = engine.choose(&situation, &Request::new(Limits::nodes(nodes)), &mut report);
        choice.context("the engine has no move")?;
        let token = start.token(&m);
        let line = tokens(&position, &line);
        setups.push(Setup { token, position, score, line, games: None });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(setups)
}

/// The first moves of a line.
fn tokens(position: &Position, line: &[Move]) -> String {
    let mut position = *position;
    let mut tokens = Vec::new();
    for m in line.iter().take(6) {
        tokens.push(position.token(m));
        position.play(m);
    }
    tokens.join(" ")
}

/// How the games of `--verify` are played.
struct MatchPlan {
    games: u64,
    limits: Limits,
    random_plies: u64,
    seed: u64,
}

/// Plays games from the first and the last set-ups.
fn verify(
    engine: &mut EnginePlayer,
    setups: &mut [Setup],
    count: usize,
    plan: &MatchPlan,
) -> anyhow::Result<()> {
    let silver_from = setups.len() - count;
    let bar = progress::bar(2 * count as u64 * plan.games, "games");
    for (index, setup) in setups.iter_mut().enumerate() {
        if index >= count && index < silver_from {
            continue;
        }
        let mut scores = Scores::default();
        for game in 0..plan.games {
            // Every set-up has the same sequence of random numbers.
            let mut random = Random::new(splitmix64(plan.seed ^ splitmix64(game)));
            scores.add(play(engine, &setup.position, plan, &mut random)?, 1);
            bar.inc(1);
        }
        setup.games = Some(scores);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Plays a game; copper's share of it.
fn play(
    engine: &mut EnginePlayer,
    start: &Position,
    plan: &MatchPlan,
    random: &mut Random,
) -> anyhow::Result<f64> {
    engine.new_game();
    let mut situation = Situation::new(*start);
    for ply in 0..LONGEST as u64 {
        if situation.turn().is_over() {
            break;
        }
        let m = if ply < plan.random_plies {
            situation.position().random_move(random)
        } else {
            let request = Request::new(plan.limits.clone());
            engine.choose(&situation, &request, &mut |_| {}).map(|choice| choice.best)
        };
        situation.play(&m.context("the engine has no move")?);
    }
    Ok(situation.outcome().map_or(0.5, |outcome| outcome.share(Seat::new(0))))
}

fn describe_score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(plies) => format!("#{plies}"),
    }
}

/// Copper's share with its 95 % interval.
fn describe(scores: &Scores) -> String {
    let interval = score_interval(scores, 0.95);
    let percent = |share: f64| 100.0 * share;
    format!(
        "{:.1} % [{:.1}, {:.1}]",
        percent(scores.mean()),
        percent(interval.low),
        percent(interval.high)
    )
}

fn json_of(setup: &Setup) -> Value {
    let mut object = json!({ "setup": setup.token, "line": setup.line });
    match setup.score {
        Score::Cp(cp) => object["cp"] = json!(cp),
        Score::Mate(plies) => object["mate"] = json!(plies),
    }
    if let Some(scores) = &setup.games {
        let interval = score_interval(scores, 0.95);
        object["games"] = json!(scores.games());
        object["share"] = json!(scores.mean());
        object["interval"] = json!([interval.low, interval.high]);
    }
    object
}
