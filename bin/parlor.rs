//! The program `parlor`.

use std::process::ExitCode;

use parlor::{engine, games, runner};

fn main() -> ExitCode {
    runner::main(std::env::args_os().collect(), games::NAMES, engine::run_named)
}
