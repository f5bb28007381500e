//! How a program ends: its exit codes, and the error that means a wrong command line.

/// A position could not be read, or a measurement failed.
pub(super) const EXIT_FAILED: u8 = 1;
/// The command line is wrong.
pub(super) const EXIT_USAGE: u8 = 2;
/// `--strict`, and a line was refused.
pub(super) const EXIT_REFUSED: u8 = 3;

/// A fault of the command line that clap cannot detect.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct UsageError(pub String);
