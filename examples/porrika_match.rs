//! The engine against a reference player of Por'rika, from random set-ups, each played from both
//! sides: `cargo run --release --example porrika_match -- PLAYER MILLISECONDS OPENINGS SEED`.
//!
//! `PLAYER` is a value of option `Player`, or `self` for the engine itself; with `self` the
//! milliseconds are thousands of nodes per move, and the result is the balance of the sides.

use std::time::Duration;

use parlor::game::{Game, OptionValues, Random, Seat, Situation, splitmix64};
use parlor::games::Playable;
use parlor::games::porrika::{Position, RuleOptions};
use parlor::search::{Limits, Player, Request, Settings};

/// Random moves after the set-up.
const RANDOM_PLIES: usize = 2;
/// A game is a draw after this number of plies.
const MAX_PLIES: usize = 300;

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

/// Copper's share.
fn play(mut situation: Situation<Position>, players: &mut [Seated; 2], limits: &Limits) -> f64 {
    for _ in 0..MAX_PLIES {
        let Some(seat) = situation.seat() else { break };
        let request = Request::new(limits.clone());
        let player = &mut players[seat.index()];
        let Some(choice) = player.choose(&situation, &request, &mut |_| {}) else { break };
        situation.play(&choice.best);
    }
    situation.outcome().map_or(0.5, |outcome| outcome.share(Seat::new(0)))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: u64| -> u64 {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let name = arguments.first().map_or("distance", String::as_str);
    let (limit, openings, seed) = (number(1, 100), number(2, 100), number(3, 1));
    let limits = match name {
        "self" => Limits::nodes(limit * 1_000),
        _ => Limits::time(Duration::from_millis(limit)),
    };
    let options = OptionValues::new(Position::engine_options());
    let settings = Settings { options, ..Settings::default() };
    let engine = || Position::player("engine", &settings).expect("every game has it");
    let other = || {
        Position::player(if name == "self" { "engine" } else { name }, &settings)
            .expect("a name of option Player")
    };
    let (mut as_copper, mut as_silver) = (0.0, 0.0);
    for opening_number in 0..openings {
        let start = || opening(seed.wrapping_mul(1_000_003).wrapping_add(opening_number));
        as_copper += play(start(), &mut [engine(), other()], &limits);
        if name != "self" {
            as_silver += 1.0 - play(start(), &mut [other(), engine()], &limits);
        }
        let games = (opening_number + 1) as f64;
        println!(
            "{games:>4} openings: engine as copper {:.1} %, as silver {:.1} %",
            100.0 * as_copper / games,
            100.0 * as_silver / games
        );
    }
}
