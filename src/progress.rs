//! The progress of long work, drawn on standard error where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `length` steps, with the time left; hidden in a pipe. `what` says what is counted.
#[must_use]
pub fn bar(length: u64, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(length).with_prefix(what);
    let template = "{bar:30} {pos}/{len} {prefix} {msg} {elapsed} elapsed, {eta} left";
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
