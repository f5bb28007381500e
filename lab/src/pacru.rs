//! Pacru: the weights, the policy network.

mod policy;
mod tune;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Policy(policy::Policy),
    Tune(tune::Tune),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Policy(policy) => policy.run(),
            Command::Tune(tune) => tune.run(),
        }
    }
}
