//! The program `pacru`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::pacru(std::env::args_os().collect())
}
