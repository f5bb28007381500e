//! The program `pacru`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::pacru()
}
