//! An engine in this process: its session on two pipes, spoken to as to a process.

use std::os::fd::IntoRawFd;

use parlor::engine::in_progress::unknown_game;
use parlor::engine::{Engine, GameEngine, session};
use parlor::games::{GameVisitor, Playable, with_game};
use pyo3::prelude::*;

use crate::errors::refusal;

struct New;

impl GameVisitor for New {
    type Output = Box<dyn Engine>;

    fn visit<G: Playable>(self) -> Box<dyn Engine> {
        Box::new(GameEngine::<G>::new())
    }
}

/// Starts the engine of a game; the descriptors to write lines to and to read lines from. It ends when
/// the first is closed.
#[pyfunction]
pub(crate) fn start_session(game: &str) -> PyResult<(i32, i32)> {
    let engine = with_game(game, New).ok_or_else(|| refusal(unknown_game(game)))?;
    let (input, to_engine) = std::io::pipe()?;
    let (from_engine, output) = std::io::pipe()?;
    std::thread::Builder::new().name("parlor-session".into()).spawn(move || {
        // Nobody waits for it: a failure shows as the end of its output.
        let _ = session::run(engine, input, output);
    })?;
    Ok((to_engine.into_raw_fd(), from_engine.into_raw_fd()))
}
