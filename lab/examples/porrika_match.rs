//! The engine against another player of Por'rika, from random set-ups, each played from both
//! sides: `cargo run --release --package parlor-lab --example porrika_match -- PLAYER MILLISECONDS OPENINGS SEED`.
//!
//! `PLAYER` is a value of option `Player`, a file written by `parlor-lab porrika train`, or two of these with a
//! comma between them: `new.network,terms`. `2000n` instead of milliseconds is a number of nodes per
//! move. With `self` the engine plays itself; the
//! milliseconds are thousands of nodes per move, and the result is the balance of the sides, how
//! many games neither side wins, and when the first egg comes home.

use std::path::Path;
use std::time::Duration;

use parlor::game::{Game, OptionValues, Random, Seat, Situation, splitmix64};
use parlor::games::Playable;
use parlor::games::porrika::board::GOALS;
use parlor::games::porrika::{EnginePlayer, Evaluation, Network, Position, RuleOptions};
use parlor::search::{Limits, Player, Request, Settings};

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
fn seated(name: &str, settings: &Settings) -> Seated {
    Position::player(name, settings).unwrap_or_else(|_| {
        let network = Network::read(Path::new(name)).expect("a player's name or a file of weights");
        Box::new(EnginePlayer::with(Evaluation::with_network(network), settings))
    })
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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| -> u64 {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let name = arguments.first().map_or("distance", String::as_str);
    let (limit, openings, seed) = (number(1, 100), number(2, 100), number(3, 1));
    let nodes = arguments.get(1).and_then(|text| text.strip_suffix('n')?.parse().ok());
    let limits = match (name, nodes) {
        (_, Some(nodes)) => Limits::nodes(nodes),
        ("self", None) => Limits::nodes(limit * 1_000),
        _ => Limits::time(Duration::from_millis(limit)),
    };
    let options = OptionValues::new(Position::engine_options());
    let settings = Settings { options, ..Settings::default() };
    let player = |name| seated(name, &settings);
    let start = |number| opening(seed.wrapping_mul(1_000_003).wrapping_add(number));
    if name == "self" {
        let mut courses = Vec::new();
        for number in 0..openings {
            let mut players = [player("engine"), player("engine")];
            courses.push(play(start(number), &mut players, &limits));
            println!("{:>4} games: {}", number + 1, summary(&courses));
        }
        return;
    }
    let (first, second) = name.split_once(',').unwrap_or(("engine", name));
    let (mut as_copper, mut as_silver) = (0.0, 0.0);
    for number in 0..openings {
        let mut players = [player(first), player(second)];
        as_copper += play(start(number), &mut players, &limits).copper;
        let mut players = [player(second), player(first)];
        as_silver += 1.0 - play(start(number), &mut players, &limits).copper;
        let games = (number + 1) as f64;
        println!(
            "{games:>4} openings: {first} as copper {:.1} %, as silver {:.1} %, all {:.1} %",
            100.0 * as_copper / games,
            100.0 * as_silver / games,
            50.0 * (as_copper + as_silver) / games
        );
    }
}
