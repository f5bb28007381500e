//! Printing that cannot end the work whose result is printed.
//!
//! `println!` and `eprintln!` panic where a disk is full. What is being worked on may be worth more
//! than what is printed: the work goes on, and the program says at its end what could not be printed.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

/// The first error of printing, for the exit code.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a text and a line end. A reader that closed the pipe is no error; any other is kept for
/// [`take_failure`].
pub fn print(text: &(impl Display + ?Sized)) {
    let mut out = io::stdout().lock();
    keep_failure(writeln!(out, "{text}").and_then(|()| out.flush()));
}

/// Prints a text with escape sequences for styles; they are left out where standard output is no
/// terminal, or shows no colours.
#[cfg(feature = "runner")]
pub(crate) fn print_styled(text: &(impl Display + ?Sized)) {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    keep_failure(writeln!(out, "{text}").and_then(|()| out.flush()));
}

/// Prints a text and a line end to standard error, where there is room for it: nobody can be told
/// that there is none.
pub fn note(text: &(impl Display + ?Sized)) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn keep_failure(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        fail("standard output", &error);
    }
}

/// Notes that something asked for besides the result was not written.
pub fn fail(what: &str, error: &io::Error) {
    let error = io::Error::new(error.kind(), format!("{what}: {error}"));
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// Why something could not be printed or logged, as on a full disk.
pub fn take_failure() -> Option<io::Error> {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Prints the help that was asked for, or what is wrong with a command line, which is exit code 2;
/// `failed` is the one where help cannot be printed.
#[must_use]
pub fn answer_usage(program: &str, answer: &clap::Error, failed: u8) -> ExitCode {
    let printed = answer.print().and_then(|()| io::stdout().flush());
    if answer.use_stderr() {
        return ExitCode::from(2);
    }
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            note(&format_args!("{program}: {error}"));
            ExitCode::from(failed)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Prints a formatted line by [`print`].
macro_rules! print_line {
    ($($argument:tt)*) => { $crate::printing::print(&format_args!($($argument)*)) };
}

/// Prints a formatted line to standard error by [`note`].
macro_rules! note_line {
    ($($argument:tt)*) => { $crate::printing::note(&format_args!($($argument)*)) };
}

pub(crate) use {note_line, print_line};
