//! The program `barbarossa`.

use std::process::ExitCode;

use parlor::games::barbarossa::Position;
use parlor::{engine, games};

fn main() -> ExitCode {
    engine::run::<Position>(games::barbarossa::subcommands())
}
