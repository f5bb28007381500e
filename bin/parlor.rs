//! The program `parlor`.

use std::process::ExitCode;

fn main() -> ExitCode {
    parlor::runner::main(&[])
}
