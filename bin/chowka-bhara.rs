//! The program `chowka-bhara`.

use std::process::ExitCode;

use parlor::engine::run;
use parlor::games::chowka_bhara::Position;

fn main() -> ExitCode {
    run::<Position>()
}
