//! The program `parlor`.

use std::process::ExitCode;

use parlor::{engine, games, runner};

fn main() -> ExitCode {
    runner::main(games::NAMES, |name, arguments| {
        engine::run_named(name, games::subcommands(name), arguments)
    })
}
