//! The program `porrika`.

use std::process::ExitCode;

use parlor::engine;
use parlor::games::porrika::Position;

fn main() -> ExitCode {
    engine::run::<Position>()
}
