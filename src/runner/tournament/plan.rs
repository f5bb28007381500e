//! A match as the command line asks for it, every option validated and no engine started yet.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::adjudication::AdjudicationRules;
use super::openings::Opening;
use super::schedule::ScheduleOptions;
use super::sequential::SequentialTest;
use crate::runner::key::MatchKey;
use crate::runner::process::{Launcher, Limits, Specification};

/// A validated match.
#[derive(Clone, Debug)]
pub(super) struct MatchPlan {
    /// Starts the engines.
    pub(super) launcher: Launcher,
    /// The engines.
    pub(super) engines: Vec<Specification>,
    /// The referee.
    pub(super) referee: Specification,
    /// The engine that values throws, where results are to be adjusted for luck.
    pub(super) analyst: Option<Specification>,
    /// The engine whose scores end games, if not the players' do.
    pub(super) adjudicator: Option<Specification>,
    /// Who plays whom, how often, in which seats.
    pub(super) schedule: ScheduleOptions,
    /// How each game is played.
    pub(super) games: GameSettings,
    /// How the match is run and what is written.
    pub(super) run: RunSettings,
    /// Everything that decides how each game is played, as in a config file.
    pub(super) identity: Value,
    /// How many games are played and how, as the records hold it.
    pub(super) recorded_run: Value,
}

/// What all games have in common.
#[derive(Clone, Debug)]
pub(super) struct GameSettings {
    /// Limits for engines without their own.
    pub(super) limits: Limits,
    /// How long a move may take where no limit is one of time.
    pub(super) move_timeout: Duration,
    /// Openings, in the order they are played; never empty.
    pub(super) openings: Vec<Opening>,
    /// The hash of the file that they were read from.
    pub(super) openings_hash: Option<String>,
    /// Random plies after the opening.
    pub(super) random_plies: u32,
    /// The key of the match.
    pub(super) key: MatchKey,
    /// Whether it was given, and can be given again.
    pub(super) key_given: bool,
    /// The number that it was made of, which engines can try out.
    pub(super) seed: Option<u64>,
    /// When a game ends before its rules end it.
    pub(super) adjudication: AdjudicationRules,
    /// Whether a random mover takes the seat of a faulty engine.
    pub(super) substitutes: bool,
    /// Whether the board is drawn on standard output after every move.
    pub(super) show: bool,
    /// Whether wall-clock times stay out of the records.
    pub(super) reproducible: bool,
}

/// How a match is run: nothing here changes which games are played.
#[derive(Clone, Debug)]
pub(super) struct RunSettings {
    /// Games at the same time.
    pub(super) concurrency: usize,
    /// Whether each of them gets its own processor cores.
    pub(super) affinity: bool,
    /// The cores to deal out; without a list all that this process may use.
    pub(super) cores: Option<Vec<usize>>,
    /// The sequential test that may end the match.
    pub(super) sprt: Option<SequentialTest>,
    /// The file whose existence ends the match.
    pub(super) stop_file: Option<PathBuf>,
    /// The score of the first engine below which the exit code is 3.
    pub(super) fail_below: Option<f64>,
    /// Whether faults leave the exit code at 0.
    pub(super) allow_faults: bool,
    /// The file of records.
    pub(super) records: Option<PathBuf>,
    /// Whether to continue the match in that file.
    pub(super) resume: bool,
    /// The file of games as text.
    pub(super) text: Option<PathBuf>,
    /// The file of games as PGN.
    pub(super) pgn: Option<PathBuf>,
    /// How long a slot waits between two games.
    pub(super) wait: Duration,
    /// The file of results as JSON.
    pub(super) json: Option<PathBuf>,
    /// The file of results as JUnit XML.
    pub(super) junit: Option<PathBuf>,
    /// Games between two printed standings in a pipe; 0: only the last.
    pub(super) report: u64,
    /// Whether to print no line for each game.
    pub(super) quiet: bool,
}
