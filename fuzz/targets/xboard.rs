//! A session of Barca under XBoard: any lines, none of which makes it stop answering.

use std::io::Cursor;

use parlor::engine::{GameEngine, session};
use parlor::games::barca;

use super::session::Sink;

/// Bytes that are turned into lines.
const LONGEST: usize = 96;

const LINES: [&str; 32] = [
    "new",
    "force",
    "go",
    "st 0",
    "sd 1",
    "level 40 5 0",
    "time 100",
    "otim 100",
    "undo",
    "remove",
    "result 1-0 {x}",
    "hint",
    "bk",
    "post",
    "nopost",
    "easy",
    "hard",
    "random",
    "computer",
    "?",
    "analyze",
    "exit",
    ".",
    "draw",
    "white",
    "black",
    "playother",
    "usermove e2e4",
    "usermove e9e6",
    "setboard x",
    "memory 1",
    "cores 1",
];

pub fn run(data: &[u8]) {
    let mut input = "xboard\nprotover 2\nsd 1\n".to_owned();
    let mut rest = &data[..data.len().min(LONGEST)];
    while let [kind, tail @ ..] = rest {
        rest = tail;
        match LINES.get(usize::from(*kind)) {
            Some(line) => input.push_str(line),
            None => {
                let length = tail.len().min(usize::from(*kind) % 24);
                let text = String::from_utf8_lossy(&tail[..length]).replace(['\n', '\r'], " ");
                rest = &tail[length..];
                // Long work is not what is tested here.
                if !["st", "sd", "level", "perft", "bench", "go"]
                    .iter()
                    .any(|word| text.contains(word))
                {
                    input.push_str(&text);
                }
            }
        }
        input.push('\n');
    }
    input.push_str("force\nping 77\nquit\n");
    let sink = Sink::default();
    let engine = Box::new(GameEngine::<barca::Position>::new());
    let ended = session::run(engine, Cursor::new(input.clone().into_bytes()), sink.clone());
    assert!(ended.is_ok(), "{input}");
    let output = String::from_utf8(sink.bytes()).expect("UTF-8");
    assert!(output.contains("feature "), "{input}\n{output}");
    assert!(!output.contains("error internal"), "{input}\n{output}");
}
