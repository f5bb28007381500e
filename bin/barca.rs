//! The program `barca`.

use std::process::ExitCode;

use parlor::games::barca::Position;
use parlor::{engine, games};

fn main() -> ExitCode {
    engine::run::<Position>(games::barca::subcommands())
}
