//! Plays random games, to measure the speed of the rules.

use clap::Args;
use parlor::game::{Game, Random, Rules};
use parlor::games::pacru::Position;
use parlor::progress;
use parlor::statistics::cpu_time;

use crate::printing::print_line;

/// The bar moves after this many games.
const GAMES_A_STEP: u64 = 1_000;

/// Play random games, by rotation class, and print moves per second of processor time
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  parlor-lab pacru playouts --players 4 --moves 10000000")]
pub struct Playouts {
    /// Number of players, 2 to 4
    #[arg(long, value_name = "N", default_value = "2")]
    players: u64,
    /// Moves to play; the last game is played to its end
    #[arg(long, value_name = "N", default_value = "5000000")]
    moves: u64,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

impl Playouts {
    /// Plays the games and prints the speed.
    pub fn run(self) -> anyhow::Result<()> {
        let mut rules = Position::default_rules();
        rules.set("Players", &self.players.to_string())?;
        let start = Position::start(&rules, None)?;
        let mut random = Random::new(self.seed);
        let (mut games, mut moves) = (0u64, 0u64);
        let bar = progress::bar(self.moves, "moves");
        let begun = cpu_time();
        while moves < self.moves {
            let mut position = start.clone();
            while let Some(m) = position.random_move(&mut random) {
                position.play(&m);
                moves += 1;
            }
            games += 1;
            // A game takes some microseconds, drawing a bar longer.
            if games % GAMES_A_STEP == 0 {
                bar.set_position(moves);
            }
        }
        bar.finish_and_clear();
        let seconds = (cpu_time() - begun).as_secs_f64().max(1e-9);
        print_line!("{games} games {moves} moves {:.0} moves/s", moves as f64 / seconds);
        Ok(())
    }
}
