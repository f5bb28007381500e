//! The program `pacru`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::run::<parlor::games::pacru::Position>()
}
