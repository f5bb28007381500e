//! The engine against another player, from random set-ups, each played from both sides.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use parlor::game::{Game, OptionValues, Random, Seat, Situation, splitmix64};
use parlor::games::Playable;
use parlor::games::porrika::board::GOALS;
use parlor::games::porrika::{EnginePlayer, Evaluation, Network, Position, RuleOptions};
use parlor::search::{Limits, Player, Request, Settings};

use crate::printing::print_line;

/// Random moves after the set-up.
const RANDOM_PLIES: usize = 2;
/// A game is a draw after this number of plies.
const MAX_PLIES: usize = 240;

type Seated = Box<dyn Player<Position>>;

fn opening(seed: u64) -> Situation<Position> {
    let mut random = Random::new(splitmix64(seed));
    let mut situation = Situation::new(Position::setup(RuleOptions::default()));
    for _ in 0..=RANDOM_PLIES {
        if let Some(m) = situation.position().random_move(&mut random) {
            situation.play(&m);
        }
    }
    situation
}

/// The player that the command line names.
fn seated(name: &str, settings: &Settings) -> anyhow::Result<Seated> {
    if let Ok(player) = Position::player(name, settings) {
        return Ok(player);
    }
    let network = Network::read(Path::new(name))
        .with_context(|| format!("'{name}': neither a player's name nor a file of weights"))?;
    Ok(Box::new(EnginePlayer::with(Evaluation::with_network(network), settings)))
}

/// How a game went.
struct Course {
    /// Copper's share.
    copper: f64,
    /// The ply that brought the first egg home.
    first_egg: Option<usize>,
}

fn play(mut situation: Situation<Position>, players: &mut [Seated; 2], limits: &Limits) -> Course {
    let mut first_egg = None;
    for ply in 1..=MAX_PLIES {
        let Some(seat) = situation.seat() else { break };
        let request = Request::new(limits.clone());
        let player = &mut players[seat.index()];
        let Some(choice) = player.choose(&situation, &request, &mut |_| {}) else { break };
        situation.play(&choice.best);
        if situation.position().eggs() & GOALS != 0 {
            first_egg = first_egg.or(Some(ply));
        }
    }
    let copper = situation.outcome().map_or(0.5, |outcome| outcome.share(Seat::new(0)));
    Course { copper, first_egg }
}

/// What games of the engine against itself show.
fn summary(courses: &[Course]) -> String {
    let share = |result: f64| {
        let games = courses.iter().filter(|course| course.copper == result).count();
        100.0 * games as f64 / courses.len() as f64
    };
    let mut first: Vec<usize> = courses.iter().filter_map(|course| course.first_egg).collect();
    first.sort_unstable();
    let median = first.get(first.len() / 2).map_or("none".into(), usize::to_string);
    format!(
        "copper wins {:.1} %, silver {:.1} %, nobody {:.1} %; first egg home at ply {median} (median of {})",
        share(1.0),
        share(0.0),
        share(0.5),
        first.len()
    )
}

/// Play the engine against another player, from random set-ups, each from both sides
///
/// With `self` the engine plays itself; the limit is then in thousands of nodes per move, and the
/// result is the balance of the sides, how many games neither side wins, and when the first egg comes
/// home.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika match terms 2000n 100 31
  parlor-lab porrika match new.network,terms 100 50
  parlor-lab porrika match self 20 200")]
pub struct Match {
    /// A value of option `Player`, a file written by `train`, or two of these with a comma between
    /// them
    #[arg(default_value = "distance")]
    player: String,
    /// Milliseconds per move, or with `n` after the number nodes
    #[arg(default_value = "100", value_parser = parse_limit)]
    limit: Limit,
    /// How many set-ups
    #[arg(default_value = "100")]
    openings: u64,
    /// Seed of the set-ups
    #[arg(default_value = "1")]
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Milliseconds(u64),
    Nodes(u64),
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    let (number, limit): (&str, fn(u64) -> Limit) = match text.strip_suffix('n') {
        Some(nodes) => (nodes, Limit::Nodes),
        None => (text, Limit::Milliseconds),
    };
    let number = number.parse().map_err(|_| format!("'{text}': write 100, or 2000n for nodes"))?;
    Ok(limit(number))
}

impl Match {
    /// Plays the games and prints the standing after each.
    pub fn run(self) -> anyhow::Result<()> {
        let limits = match (self.player.as_str(), self.limit) {
            (_, Limit::Nodes(nodes)) => Limits::nodes(nodes),
            ("self", Limit::Milliseconds(thousands)) => Limits::nodes(thousands * 1_000),
            (_, Limit::Milliseconds(ms)) => Limits::time(Duration::from_millis(ms)),
        };
        let options = OptionValues::new(Position::engine_options());
        let settings = Settings { options, ..Settings::default() };
        let player = |name| seated(name, &settings);
        let start = |number| opening(self.seed.wrapping_mul(1_000_003).wrapping_add(number));
        if self.player == "self" {
            let mut courses = Vec::new();
            for number in 0..self.openings {
                let mut players = [player("engine")?, player("engine")?];
                courses.push(play(start(number), &mut players, &limits));
                print_line!("{:>4} games: {}", number + 1, summary(&courses));
            }
            return Ok(());
        }
        let (first, second) = self.player.split_once(',').unwrap_or(("engine", &self.player));
        let (mut as_copper, mut as_silver) = (0.0, 0.0);
        for number in 0..self.openings {
            let mut players = [player(first)?, player(second)?];
            as_copper += play(start(number), &mut players, &limits).copper;
            let mut players = [player(second)?, player(first)?];
            as_silver += 1.0 - play(start(number), &mut players, &limits).copper;
            let games = (number + 1) as f64;
            print_line!(
                "{games:>4} openings: {first} as copper {:.1} %, as silver {:.1} %, all {:.1} %",
                100.0 * as_copper / games,
                100.0 * as_silver / games,
                50.0 * (as_copper + as_silver) / games
            );
        }
        Ok(())
    }
}
