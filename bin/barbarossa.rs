//! The program `barbarossa`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::barbarossa(std::env::args_os().collect())
}
