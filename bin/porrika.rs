//! The program `porrika`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::porrika(std::env::args_os().collect())
}
