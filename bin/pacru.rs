//! The program `pacru`.

use std::process::ExitCode;

use parlor::engine;
use parlor::games::pacru::Position;

fn main() -> ExitCode {
    engine::run::<Position>(Vec::new())
}
