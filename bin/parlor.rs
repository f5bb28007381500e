//! The program `parlor`.

use std::process::ExitCode;

use parlor::{engine, games, runner};

fn main() -> ExitCode {
    runner::main(games::NAMES, engine::run_named)
}
