//! The engine of Azacru.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::azacru(std::env::args_os().collect())
}
