//! The program `chowka-bhara`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::engine::programs::chowka_bhara(std::env::args_os().collect())
}
