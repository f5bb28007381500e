//! A session of any game: lines made from bytes, most of them nearly right. Every `go` is answered
//! once, every line of the answer is printable, and the session ends.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex, PoisonError};

use parlor::engine::{GameEngine, session};
use parlor::game::Random;
use parlor::games::Playable;

/// Bytes that are turned into lines; each gives a line or two.
const LONGEST: usize = 64;

const GO: [&str; 8] = [
    "go nodes 20",
    "go depth 1",
    "go movetime 1",
    "go infinite",
    "go ponder nodes 10",
    "go mate 1 nodes 20",
    "go wtime 10 btime 10 winc 1 binc 1 nodes 20",
    "go nodes 10 searchmoves a b",
];

const PLAIN: [&str; 16] = [
    "stop",
    "isready",
    "ponderhit",
    "uginewgame",
    "ugi",
    "uci",
    "d",
    "eval",
    "perft 1",
    "help",
    "position startpos",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "debug on",
    "debug off",
    "position",
];

const QUERIES: [&str; 17] = [
    "turn",
    "gameover",
    "result",
    "outcome",
    "reason",
    "points",
    "chances",
    "throw",
    "legalmoves",
    "islegal",
    "random",
    "view",
    "rules",
    "table",
    "board",
    "step",
    "path",
];

/// Where the session writes.
#[derive(Clone, Default)]
pub struct Sink(Arc<Mutex<Vec<u8>>>);

impl Sink {
    /// What was written so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The first byte is the game.
pub fn run(data: &[u8]) {
    for_chosen_game!(data, of_game);
}

fn of_game<G: Playable>(data: &[u8]) {
    let mut script = Script::<G>::new();
    script.write(&data[..data.len().min(LONGEST)]);
    let input = script.lines.join("\n") + "\nugi\nisready\nquit\n";
    let sink = Sink::default();
    let engine = Box::new(GameEngine::<G>::new());
    let ended = session::run(engine, Cursor::new(input.clone().into_bytes()), sink.clone());
    assert!(ended.is_ok(), "{input}");
    let output = String::from_utf8(sink.bytes()).expect("UTF-8");
    let printable = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    assert!(output.bytes().all(printable), "{input}\n{output}");
    // `isready` is answered at once, also during a search; `ugi` waits for its turn.
    let has = |line: &str| output.lines().any(|other| other == line);
    assert!(has("readyok") && has("ugiok"), "{input}\n{output}");
    let answers = output.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, script.searches, "{input}\n{output}");
    assert!(!output.contains("error internal"), "{input}\n{output}");
}

/// Turns bytes into lines, and plays along where it can.
struct Script<G> {
    position: G,
    tokens: Vec<String>,
    lines: Vec<String>,
    searches: usize,
}

impl<G: Playable> Script<G> {
    fn new() -> Self {
        let lines = vec!["setoption name Hash value 1".to_owned()];
        Script { position: G::default(), tokens: Vec::new(), lines, searches: 0 }
    }

    fn write(&mut self, mut data: &[u8]) {
        while let [kind, argument, rest @ ..] = data {
            data = rest;
            let index = usize::from(*argument);
            match kind % 8 {
                0 => {
                    self.searches += 1;
                    self.lines.push(GO[index % GO.len()].to_owned());
                }
                1 => self.lines.push(PLAIN[index % PLAIN.len()].to_owned()),
                2 => self.play(u64::from(*argument)),
                3 => self.query(index),
                4 => self.option(index),
                5 => self.damaged_position(index),
                6 => {
                    let moves = self.tokens.join(" ");
                    self.lines.push(format!("position startpos moves {moves}"));
                }
                _ => {
                    let length = index.min(data.len());
                    let text = String::from_utf8_lossy(&data[..length]).into_owned();
                    data = &data[length..];
                    // Long work, and other dialects, are not what is tested here.
                    if !["go", "perft", "bench", "xboard", "quit"].iter().any(|w| text.contains(w))
                    {
                        self.lines.push(text);
                    }
                }
            }
        }
    }

    fn play(&mut self, seed: u64) {
        let Some(m) = self.position.random_move(&mut Random::new(seed)) else { return };
        let token = self.position.token(&m);
        self.position.play(&m);
        self.lines.push(format!("moves {token}"));
        self.tokens.push(token);
    }

    fn query(&mut self, index: usize) {
        let name = QUERIES[index % QUERIES.len()];
        let argument = self.tokens.get(index / 16).cloned().unwrap_or_default();
        self.lines.push(format!("query {name} {argument}"));
    }

    fn option(&mut self, index: usize) {
        let specs = [G::rule_options(), G::engine_options()].concat();
        let Some(spec) = specs.get(index % specs.len().max(1)) else { return };
        let value = (index / specs.len()).to_string();
        let value = if index < 128 { value } else { spec.default_value() };
        self.lines.push(format!("setoption name {} value {value}", spec.name));
    }

    /// The position so far with one character replaced.
    fn damaged_position(&mut self, index: usize) {
        let mut text: Vec<u8> = self.position.to_string().into_bytes();
        if let Some(at) = index.checked_rem(text.len()) {
            text[at] = b"1aAxw -/b"[index % 9];
        }
        self.lines.push(format!("position fen {}", String::from_utf8_lossy(&text)));
    }
}
