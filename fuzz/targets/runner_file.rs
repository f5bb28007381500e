//! What `parlor` reads from files and command lines: engines, configuration, openings, suites, PGN,
//! records. Refused or read; what is read is written as the same.

use parlor::runner::inputs;

/// The first byte is the kind of text.
pub fn run(data: &[u8]) {
    let Some((kind, bytes)) = super::choose(data, 6) else { return };
    let text = String::from_utf8_lossy(bytes);
    let result = match kind {
        0 => inputs::records(bytes),
        1 => inputs::engine(&text),
        2 => inputs::config(&text),
        3 => inputs::openings(&text),
        4 => inputs::suite(&text),
        _ => inputs::pgn(&text),
    };
    if let Err(error) = result {
        assert!(!error.is::<inputs::RoundTripError>(), "{error}");
        assert!(!format!("{error:#}").is_empty());
    }
}
