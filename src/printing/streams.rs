//! Printing that cannot end the work whose result is printed.
//!
//! `println!` and `eprintln!` panic where a disk is full. What is being worked on may be worth more
//! than what is printed: the work goes on, and the program says at its end what could not be printed.

use std::fmt::Display;
#[cfg(feature = "runner")]
use std::io::IsTerminal;
use std::io::{self, ErrorKind, Stderr, Stdout, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::{json_escaped, shown};

/// The first error of printing, for the exit code.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a text and a line end. A reader that closed the pipe is no error; any other is kept for
/// [`take_failure`].
pub fn print(text: &(impl Display + ?Sized)) {
    write_out(&(shown(&text.to_string()) + "\n"));
}

/// Prints a text that has its own line ends, such as a drawing; `false` if it could not be.
#[cfg(feature = "runner")]
pub(crate) fn print_text(text: &str) -> bool {
    write_out(&shown(text))
}

/// Prints a value as one line of JSON, in which the escapes are those of JSON.
pub fn print_json(value: &impl Serialize) {
    match serde_json::to_string(value) {
        Ok(text) => {
            write_out(&(json_escaped(&text) + "\n"));
        }
        Err(error) => fail("JSON", &error.into()),
    }
}

/// Prints a text with the escape sequences of styles, which alone are let through; they are left out
/// where standard output is no terminal, or shows no colours.
pub(crate) fn print_styled(text: &str) {
    let mut out = anstream::AutoStream::auto(stdout().lock());
    keep_failure(writeln!(out, "{}", styled(text)).and_then(|()| out.flush()));
}

/// A text in which nothing is hidden but `ESC [ numbers m`.
fn styled(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = shown(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let numbers = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        out += if numbers.starts_with('m') { "\u{1b}[" } else { "\\u{1b}[" };
        out += &shown(part);
    }
    out
}

/// Prints a text and a line end to standard error, where there is room for it: nobody can be told
/// that there is none.
pub fn note(text: &(impl Display + ?Sized)) {
    let _ = writeln!(stderr(), "{}", shown(&text.to_string()));
}

/// Prints a question to standard error; the answer stands behind it.
#[cfg(feature = "runner")]
pub(crate) fn ask(question: &str) {
    let _ = write!(stderr(), "{}", shown(question));
}

/// Shows a text in place of the last line of standard error, where that is a terminal.
#[cfg(feature = "runner")]
pub(crate) fn overwrite(text: &str) {
    let mut out = stderr().lock();
    if out.is_terminal() {
        let _ = write!(out, "\r\u{1b}[K{}", shown(text)).and_then(|()| out.flush());
    }
}

/// Drops the lines that have scrolled out of the window of a terminal.
#[cfg(feature = "runner")]
pub(crate) fn forget_scrolled() {
    write_out("\u{1b}[3J\n");
}

/// Whether a person sees standard output and standard error.
#[cfg(feature = "runner")]
pub(crate) fn is_terminal() -> [bool; 2] {
    [stdout().is_terminal(), stderr().is_terminal()]
}

#[expect(clippy::disallowed_methods, reason = "what is written to it was made fit to be shown")]
fn stdout() -> Stdout {
    io::stdout()
}

#[expect(clippy::disallowed_methods, reason = "what is written to it was made fit to be shown")]
fn stderr() -> Stderr {
    io::stderr()
}

fn write_out(text: &str) -> bool {
    let mut out = stdout().lock();
    keep_failure(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// Whether something was written.
fn keep_failure(result: io::Result<()>) -> bool {
    if let Err(error) = &result
        && error.kind() != ErrorKind::BrokenPipe
    {
        fail("standard output", error);
    }
    result.is_ok()
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
    let text = styled(&answer.render().ansi().to_string());
    if answer.use_stderr() {
        let _ = write!(anstream::AutoStream::auto(stderr()), "{text}");
        return ExitCode::from(2);
    }
    let mut out = anstream::AutoStream::auto(stdout());
    match write!(out, "{text}").and_then(|()| out.flush()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_escape_sequences_only_styles_are_printed() {
        assert_eq!(styled("\u{1b}[1;31ma\u{1b}[0m\u{9b}"), "\u{1b}[1;31ma\u{1b}[0m\\u{9b}");
        assert_eq!(styled("\u{1b}[2J\u{1b}]0;m\u{1b}["), "\\u{1b}[2J\\u{1b}]0;m\\u{1b}[");
    }

    #[test]
    fn json_is_escaped_as_json() {
        let text = serde_json::to_string("\u{1b}\u{9b}\u{202e}\u{e0041}\u{e9}").expect("JSON");
        let escaped = json_escaped(&text);
        assert_eq!(escaped, "\"\\u001b\\u009b\\u202e\\udb40\\udc41\u{e9}\"");
        let read: String = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(read, "\u{1b}\u{9b}\u{202e}\u{e0041}\u{e9}");
    }
}
