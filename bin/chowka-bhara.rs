//! The program `chowka-bhara`.

use std::process::ExitCode;

use parlor::games::chowka_bhara::Position;
use parlor::{engine, games};

fn main() -> ExitCode {
    engine::run::<Position>(games::chowka_bhara::subcommands())
}
