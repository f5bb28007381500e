//! The engine of Shacru.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::shacru(std::env::args_os().collect())
}
