//! The program `parlor`, run by a Python interpreter.

use std::ffi::OsString;
use std::process::ExitCode;

use parlor::{engine, games, runner};
use pyo3::prelude::*;

/// Runs `parlor` with its arguments, its name the first; the exit code. `again` is the command that
/// starts it once more: the interpreter and what stands before the arguments.
#[pyfunction]
pub(crate) fn run_program(
    py: Python<'_>,
    arguments: Vec<OsString>,
    interpreter: OsString,
    before: Vec<String>,
) -> u8 {
    runner::set_own_program(interpreter, before);
    let ended = py.detach(|| runner::main(arguments, games::NAMES, engine::run_named));
    // The standard library tells the number of an exit code by comparison alone.
    (0..=u8::MAX).find(|code| ExitCode::from(*code) == ended).unwrap_or(u8::MAX)
}
