//! A line to an engine: read or refused, with text that can stand on one line of the protocol.

use parlor::protocol::{Command, PositionArgument, command_word, parse_line};

pub fn run(data: &[u8]) {
    // What reaches the parser is one line.
    let data = data.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or(data);
    let text = String::from_utf8_lossy(data);
    let line = parse_line(&text);
    for warning in &line.warnings {
        assert!(!warning.contains('\n'), "{warning:?}");
    }
    match line.command {
        None => assert_eq!(command_word(&text), None, "{text:?}"),
        Some(Ok(command)) => {
            assert!(command_word(&text).is_some(), "{text:?}");
            if let Command::Position(position) = command {
                again(&position);
            }
        }
        Some(Err(error)) => {
            let message = error.to_string();
            assert!(!message.contains(['\n', '\r']), "{message:?}");
        }
    }
}

/// A position is the same after it was written as a line.
fn again(position: &PositionArgument) {
    for token in &position.moves {
        assert!(!token.is_empty() && !token.contains([' ', '\t', '\n', '\r']), "{token:?}");
    }
}
