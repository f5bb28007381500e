//! Chowka bhara: the networks, and the solved game.
//!
//! - `train` learns by temporal differences; `lessons` are positions out of solved tables, `returns`
//!   those of games less luck, `teach` learns either.
//! - `self_play`: games by an evaluation alone. `reliability`: what probabilities come true.
//! - `solve`: the solver. `command`: the commands of training.

mod command;
mod lessons;
mod reliability;
mod returns;
mod self_play;
mod solve;
mod teach;
mod train;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    Train(command::Train),
    Reliability(command::Reliability),
    /// Solve the two-player game on the 5 x 5 board by value iteration
    Solve(solve::Solve),
    /// Check a table of the solved game by the rules, apart from the solver
    Verify(solve::Verify),
    /// Print what a solved game is worth by pawns home, gates and lead
    Phases(solve::PrintPhases),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Train(train) => train.run(),
            Command::Reliability(reliability) => reliability.run(),
            Command::Solve(solve) => solve.run(),
            Command::Verify(verify) => verify.run(),
            Command::Phases(phases) => phases.run(),
        }
    }
}
