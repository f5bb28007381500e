//! Sessions on one thread, as web pages have them, beside those with threads; and referees beside
//! engines.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use parlor::engine::session::{self, State, Stepped};
use parlor::engine::{Engine, named, referee_named};
use parlor::games::NAMES;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    /// The lines without what depends on time.
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).expect("ASCII");
        text.lines().map(timeless).collect()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn timeless(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    let is_time = |word: &str| matches!(word, "time" | "nps");
    let kept = (0..words.len()).filter(|at| {
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let after = words.get(at + 1).copied().unwrap_or_default();
        !is_time(words[*at]) && !is_time(before) && after != "nps"
    });
    kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
}

fn threaded(engine: Box<dyn Engine>, lines: &[&str]) -> Vec<String> {
    let kept = Kept::default();
    let input = Cursor::new(lines.iter().flat_map(|line| [line, "\n"]).collect::<String>());
    let _ = session::run(engine, input, kept.clone()).expect("a session");
    kept.lines()
}

fn stepped(engine: Box<dyn Engine>, lines: &[&str]) -> Vec<String> {
    let kept = Kept::default();
    let mut session = Stepped::new(engine, kept.clone());
    for line in lines {
        let expected = if *line == "quit" { State::Over } else { State::Ready };
        assert_eq!(session.line(line.as_bytes()), expected, "{line}");
    }
    kept.lines()
}

// While a job runs, `isready` is answered before lines that came earlier.
const QUERIES: &[&str] = &[
    "isready",
    "setoption name MaxPlies value 30",
    "position startpos",
    "query rules",
    "query fen",
    "query turn",
    "query legalmoves",
    "query table",
    "query board",
    "query step",
    "query random 7",
    "query lessons",
    "query nothing",
    "d",
    "perft 1",
    "moves nonsense",
    "query fen",
    "position fen nonsense",
    "d",
];

const SEARCHES: &[&str] = &[
    "uginewgame",
    "setoption name Hash value 1",
    "setoption name Hash value much",
    "go depth 1",
    "position startpos",
    "eval",
    "go depth 1",
    "go nodes 20",
    "go depth 1 nodes -1",
    "bench 1",
    "help go",
    "foo bar",
    "\u{7f}",
    "uci",
    "go depth 1",
];

#[test]
fn a_session_on_one_thread_answers_as_one_with_threads() {
    for game in NAMES {
        let engine = || named(game).expect("a game");
        // `quit` would stop what runs when it is read, which is at once where a thread reads.
        let lines = [QUERIES, SEARCHES].concat();
        let ended = [&lines[..], &["quit"]].concat();
        let (one, other) = (stepped(engine(), &ended), threaded(engine(), &lines));
        assert!(one.len() > 20, "{game}: {one:?}");
        let first = one.iter().zip(&other).find(|(one, other)| one != other);
        assert_eq!((first, one.len()), (None, other.len()), "{game}");
    }
}

#[test]
fn a_referee_answers_as_the_engine_does_and_plays_no_moves() {
    for game in NAMES {
        let (referee, engine) = (referee_named(game), named(game));
        let (referee, engine) = (referee.expect("a game"), engine.expect("a game"));
        assert_eq!(stepped(referee, QUERIES), stepped(engine, QUERIES), "{game}");
        let lines = ["position startpos", "go depth 1", "bench", "eval", "isready"];
        let told = stepped(referee_named(game).expect("a game"), &lines);
        let refused = |line: &&String| line.starts_with("info string error not-to-act");
        assert_eq!(told.iter().filter(refused).count(), 3, "{game}: {told:?}");
        assert!(told.contains(&"bestmove 0000".to_owned()), "{game}: {told:?}");
    }
}
