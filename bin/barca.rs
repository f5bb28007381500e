//! The program `barca`.

use std::process::ExitCode;

use parlor::engine;
use parlor::games::barca::Position;

fn main() -> ExitCode {
    engine::run::<Position>(Vec::new())
}
