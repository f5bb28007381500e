//! The program `porrika`.

use std::process::ExitCode;

use parlor::games::porrika::Position;
use parlor::{engine, games};

fn main() -> ExitCode {
    engine::run::<Position>(games::porrika::subcommands())
}
