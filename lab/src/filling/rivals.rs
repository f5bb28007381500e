//! The engine against rivals.

use std::time::Duration;

use clap::Args;
use parlor::game::Rules;
use parlor::games::Playable;
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::search::selfplay::{Contestant, SelfplayPlan, selfplay};
use parlor::search::{Limits, Player, Settings};

use super::Work;
use super::playouts::Playouts;
use crate::printing::{note_line, print_line};

/// The tree search with random playouts.
const PLAYOUTS: &str = "playouts";

// No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct Rivals {
    /// Number of players
    #[arg(long, default_value = "2")]
    players: String,
    /// playouts, or a player of the game
    #[arg(long)]
    rival: String,
    /// Number of openings
    #[arg(long, default_value_t = 100)]
    openings: u64,
    /// Milliseconds a move
    #[arg(long, default_value_t = 50)]
    time: u64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Work for Rivals {
    fn run<K: Kind>(&self) -> anyhow::Result<()> {
        let mut rules = Position::<K>::default_rules();
        rules.set("Players", &self.players)?;
        if self.rival != PLAYOUTS {
            Position::<K>::player(&self.rival, &Settings::default())?;
        }
        let time = |factor| Limits::time(Duration::from_millis(factor * self.time));
        let rival = match &*self.rival {
            PLAYOUTS => time(5),
            "alphabeta" | "maxn" => Limits::depth(2),
            _ => time(1),
        };
        let contestants = [contestant::<K>("engine", time(1)), contestant::<K>(&self.rival, rival)];
        let plan = SelfplayPlan { openings: self.openings, seed: self.seed, ..Default::default() };
        let start = Position::start(&rules, None)?;
        let mut number = 0;
        let standing = selfplay(&start, &contestants, &plan, &mut |standing| {
            number += 1;
            if number % 10 == 0 {
                note_line!("{number} openings: {:?}", standing.games);
            }
            true
        });
        let score = 100.0 * standing.first.mean();
        let [won, drawn, lost] = standing.games;
        print_line!("{score:.1} %: {won} won, {drawn} shared, {lost} lost");
        Ok(())
    }
}

fn contestant<K: Kind>(name: &str, limits: Limits) -> Contestant<Position<K>> {
    let owned = name.to_owned();
    let make = move |seed: u64| -> Box<dyn Player<Position<K>>> {
        let settings = Settings { hash: 16, threads: 0, seed, ..Settings::default() };
        match &*owned {
            PLAYOUTS => Box::new(Playouts::new(seed)),
            name => Position::<K>::player(name, &settings).expect("it was made before"),
        }
    };
    Contestant { name: name.to_owned(), limits, make: Box::new(make) }
}
