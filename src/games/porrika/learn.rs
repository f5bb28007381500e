//! Tuning the weights of the evaluation.

mod tune;

pub(super) use tune::subcommand;
