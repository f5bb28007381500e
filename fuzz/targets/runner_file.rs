//! What `parlor` reads from files and command lines: engines, configuration, openings, suites, PGN,
//! records, messages of the board's page. Refused or read; what is read is written as the same.

use parlor::runner::{board, inputs};

/// The first byte is the kind of text.
pub fn run(data: &[u8]) {
    let Some((kind, bytes)) = super::choose(data, 7) else { return };
    if kind == 0 {
        let _ = inputs::records(bytes);
        return;
    }
    let text = String::from_utf8_lossy(bytes);
    let result = match kind {
        1 => inputs::engine(&text),
        2 => inputs::config(&text),
        3 => inputs::openings(&text),
        4 => inputs::suite(&text),
        5 => inputs::pgn(&text),
        _ => {
            let _ = board::check_message(&text);
            return;
        }
    };
    if let Err(error) = result {
        let message = format!("{error:#}");
        assert!(!message.is_empty() && !message.contains(" reads otherwise "), "{message}");
        assert!(!message.contains(" is read again as "), "{message}");
    }
}
