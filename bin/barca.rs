//! The program `barca`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::barca(std::env::args_os().collect())
}
