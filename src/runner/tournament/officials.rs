//! The processes that a game needs beside those in the seats, and what ends a game without a result.

use super::luck::Analyst;
use crate::runner::process::{Client, Fault};
use crate::runner::referee::Referee;

/// Why a game was not finished.
#[derive(Debug)]
pub(super) enum Abort {
    /// The match is being stopped.
    Stopped,
    /// The referee failed in every attempt.
    Referee(Fault),
    /// The engine that values throws failed in every attempt.
    Analyst(Fault),
    /// The engine whose scores end games failed in every attempt.
    Adjudicator(Fault),
}

impl From<Fault> for Abort {
    /// Faults of engines are handled where they happen; a fault passed on is the referee's.
    fn from(fault: Fault) -> Self {
        Abort::Referee(fault)
    }
}

/// The processes that a game needs beside those in the seats.
#[derive(Debug)]
pub(super) struct Officials {
    /// Says what the rules are.
    pub(super) referee: Referee,
    /// Values throws, if that is wanted.
    pub(super) analyst: Option<Analyst>,
    /// Gives the scores for resignation and draws, if not the players do.
    pub(super) adjudicator: Option<Client>,
}
