//! What each of copper's 420 set-ups is worth.
//!
//! A search values the position after every set-up.

mod chart;

use anyhow::Context;
use clap::{Args, value_parser};
use parlor::game::{Game, Notation, Situation};
use parlor::games::porrika::{EnginePlayer, Move, Position, RuleOptions};
use parlor::printing::print;
use parlor::progress;
use parlor::search::value::value;
use parlor::search::{Bound, Limits, Player, Report, Request, Score, Settings};

use crate::printing::print_line;

/// Value every set-up of copper by a search
///
/// Values every set-up of copper by a search of the position after it, with copper to move, and prints
/// them best first for copper.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika setups
  parlor-lab porrika setups --nodes 100000 --svg > setups.svg")]
pub struct Setups {
    /// Nodes for each set-up
    #[arg(long, value_name = "N", default_value = "20000", value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Print a drawing of all values as SVG
    #[arg(long)]
    svg: bool,
}

impl Setups {
    /// Finds the values and prints them.
    pub fn run(self) -> anyhow::Result<()> {
        let mut engine = EnginePlayer::new(&Settings { hash: 16, ..Settings::default() });
        let mut setups = value_all(&mut engine, self.nodes)?;
        setups.sort_by_key(|setup| std::cmp::Reverse(value(setup.score, 0)));
        if self.svg {
            print(chart::draw(&setups).trim_end());
        } else {
            print_table(&setups);
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
}

/// The set-ups, best first for copper.
fn print_table(setups: &[Setup]) {
    print_line!("{:>4}  {:8}  {:>6}  expected", "", "set-up", "score");
    for (number, setup) in (1..).zip(setups) {
        let Setup { token, score, line, .. } = setup;
        print_line!("{number:>4}  {token:8}  {:>6}  {line}", describe_score(*score));
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
        setups.push(Setup { token, position, score, line });
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

fn describe_score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(plies) => format!("#{plies}"),
    }
}
