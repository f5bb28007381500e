//! The program `barbarossa`.

use std::process::ExitCode;

use parlor::engine;
use parlor::games::barbarossa::Position;

fn main() -> ExitCode {
    engine::run::<Position>()
}
