//! Printing that a full disk or a reader that left does not end, see [`parlor::printing`].

/// Prints a formatted line.
macro_rules! print_line {
    ($($argument:tt)*) => { parlor::printing::print(&format_args!($($argument)*)) };
}

/// Prints a formatted line to standard error.
macro_rules! note_line {
    ($($argument:tt)*) => { parlor::printing::note(&format_args!($($argument)*)) };
}

pub(crate) use {note_line, print_line};
