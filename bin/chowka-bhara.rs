//! The program `chowka-bhara`.

use std::process::ExitCode;

use parlor::engine;
use parlor::games::chowka_bhara::Position;

fn main() -> ExitCode {
    engine::run::<Position>()
}
