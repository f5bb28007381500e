//! A line from an engine: any bytes are read as something, chances only where they are whole.

use parlor::protocol::engine_output::{chances, read};

pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for line in text.lines() {
        let _ = read(line);
        if let Some(list) = chances(line) {
            assert!(list.iter().all(|(token, _)| !token.is_empty()), "{line:?}");
        }
    }
}
