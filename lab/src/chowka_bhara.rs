//! Chowka bhara: the networks, and the solved game.
//!
//! - `train` learns by temporal differences; `lessons` are positions out of solved tables, `returns`
//!   those of games less luck, `teach` learns either.
//! - `self_play`: games by an evaluation alone. `command`: the command of training.
//! - `solve`: the solver.

mod command;
mod lessons;
mod returns;
mod self_play;
mod solve;
mod teach;
mod train;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Train(command::Train),
    /// Solve the two-player game on the 5 x 5 board by value iteration
    Solve(solve::Solve),
    /// Check a table of the solved game by the rules, apart from the solver
    Verify(solve::Verify),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Train(train) => train.run(),
            Command::Solve(solve) => solve.run(),
            Command::Verify(verify) => verify.run(),
        }
    }
}
