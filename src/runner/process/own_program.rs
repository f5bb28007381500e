//! How this program is started again, as a built-in engine and as the sweeper.

use std::ffi::OsString;
use std::io;
use std::sync::OnceLock;

static COMMAND: OnceLock<(OsString, Vec<String>)> = OnceLock::new();

/// Says what runs this program again, where an interpreter does: its file and the arguments before
/// those of `parlor`. The first call counts.
pub fn set_own_program(interpreter: OsString, arguments: Vec<String>) {
    COMMAND.get_or_init(|| (interpreter, arguments));
}

/// The program and the arguments before its own.
pub(in crate::runner) fn own_program() -> io::Result<(OsString, &'static [String])> {
    match interpreter() {
        Some(own) => Ok(own),
        None => Ok((std::env::current_exe()?.into(), &[])),
    }
}

/// What runs this program, if it is not a file of its own.
pub(super) fn interpreter() -> Option<(OsString, &'static [String])> {
    COMMAND.get().map(|(interpreter, arguments)| (interpreter.clone(), arguments.as_slice()))
}
