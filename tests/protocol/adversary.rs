//! An adversary in a seat of Barbarossa: it has the program's memory, asks everything and compares
//! every byte.
//!
//! Two full states differ in one hidden word and have the same view of a seat. Two processes are
//! shown one state each, in full, and made to think about it; then both are shown the view. From
//! there on everything that they say must be the same: answers, order of lists, error texts, board,
//! evaluation, key, `hashfull`, node counts, replies, also what goes to standard error. Only time
//! figures may differ.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::client::Client;
use crate::programs::program;

/// A query that does not exist separates the parts on both streams: it waits for its turn.
const MARK: &str = "compare_from_here";

/// Words to put in the place of others where none are dealt.
const WORDS: [&str; 24] = [
    "cup", "teapot", "kettle", "hammer", "whale", "tiger", "apple", "bottle", "violin", "rocket",
    "candle", "spoon", "table", "chair", "horse", "snake", "eagle", "spider", "tree", "house",
    "train", "ship", "shoe", "lamp",
];

/// Two games that differ in one hidden word.
struct Pair {
    /// The tokens of both.
    games: [String; 2],
    /// The answer to `query view` of both.
    view: String,
    viewer: usize,
    phase: String,
    /// The words that differ, and the object.
    words: [String; 2],
    object: String,
}

/// The referee: sees everything.
struct Referee(Client);

impl Referee {
    fn new(options: &[(&str, &str)]) -> Referee {
        let mut client = Client::program(program("barbarossa"), &[]);
        for (name, value) in options {
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.send("position startpos");
        Referee(client)
    }

    fn accepts(&mut self, tokens: &[String]) -> bool {
        self.0.send(&format!("position startpos moves {}", tokens.join(" ")));
        self.0.send("isready");
        self.0.until("readyok").len() == 1
    }

    /// A value of the position text.
    fn field(&mut self, key: &str) -> String {
        let fen = self.0.query("fen");
        let start = format!("{key}=");
        fen.split(' ').find_map(|field| field.strip_prefix(&start)).unwrap_or_default().to_owned()
    }
}

/// The game with another word for an object, dealt in the place of the first.
fn with_word(tokens: &[String], object: &str, word: &str, other: &str) -> Vec<String> {
    let (deal, choice) = (format!("deal:{object}:"), format!("word:{object}:"));
    let exchanged = |token: &String| {
        if *token == format!("{choice}{word}") {
            return format!("{choice}{other}");
        }
        let Some(words) = token.strip_prefix(&deal) else { return token.clone() };
        if words.split(',').any(|dealt| dealt == other) {
            return token.clone();
        }
        let words = words.split(',').map(|dealt| if dealt == word { other } else { dealt });
        deal.clone() + &words.collect::<Vec<_>>().join(",")
    };
    tokens.iter().map(exchanged).collect()
}

/// A pair of the game so far and a twin for a viewer, if there is another word that fits.
fn pair(referee: &mut Referee, tokens: &[String], viewer: usize, phase: &str) -> Option<Pair> {
    let dealt: BTreeSet<&str> = tokens
        .iter()
        .filter_map(|token| token.strip_prefix("deal:"))
        .flat_map(|deal| deal.split(':').nth(1).unwrap_or_default().split(','))
        .chain(WORDS)
        .collect();
    let chosen: Vec<[&str; 2]> = tokens
        .iter()
        .filter_map(|token| token.strip_prefix("word:")?.split_once(':'))
        .map(|(object, word)| [object, word])
        .collect();
    // The letter of an object is its owner's.
    let own = char::from(b'a' - 1 + viewer as u8);
    for &[object, word] in chosen.iter().rev().filter(|[object, _]| !object.starts_with(own)) {
        for other in &dealt {
            if chosen.iter().any(|[_, word]| word == other) {
                continue;
            }
            let twin = with_word(tokens, object, word, other);
            if !referee.accepts(&twin) {
                continue;
            }
            let theirs = referee.0.query(&format!("view p{viewer}"));
            assert!(referee.accepts(tokens), "the game is its own twin");
            let view = referee.0.query(&format!("view p{viewer}"));
            assert_eq!(view, theirs, "the views differ");
            return Some(Pair {
                games: [tokens.join(" "), twin.join(" ")],
                view,
                viewer,
                phase: phase.to_owned(),
                words: [word.to_owned(), (*other).to_owned()],
                object: object.to_owned(),
            });
        }
    }
    assert!(referee.accepts(tokens), "the game goes on");
    None
}

/// A random game; pairs in every phase of it.
fn pairs(options: &[(&str, &str)], seed: u64, wanted: usize) -> Vec<Pair> {
    let mut referee = Referee::new(options);
    let seats: usize = referee.0.query("seats").parse().expect("a number");
    let (mut tokens, mut found, mut visits) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..700 {
        let turn = referee.0.query("turn");
        let phase = referee.field("phase");
        visits.push(phase.clone());
        let visit = visits.iter().filter(|other| **other == phase).count();
        if number > 0 && [2, 9].contains(&visit) && found.len() < wanted {
            // The seat whose turn it is, and in turn another.
            let mover = turn.strip_prefix('p').and_then(|digits| digits.parse().ok());
            let viewer = mover.unwrap_or(1 + number % seats);
            found.extend(pair(&mut referee, &tokens, viewer, &phase));
            found.extend(pair(&mut referee, &tokens, 1 + viewer % seats, &phase));
        }
        if turn == "none" {
            found.extend(pair(&mut referee, &tokens, 1, &phase));
            break;
        }
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
        let query = if turn.starts_with("chance") { "throw" } else { "random" };
        let token = referee.0.query(&format!("{query} {seed}"));
        referee.0.send(&format!("moves {token}"));
        tokens.push(token);
    }
    found
}

/// Everything that a player can type about a view.
fn questions(pair: &Pair) -> String {
    let Pair { view, words: [one, other], object, .. } = pair;
    let mut lines = String::new();
    let mut say = |line: &str| writeln!(lines, "{line}").expect("memory");
    for query in [
        "p1turn",
        "gameover",
        "result",
        "seats",
        "turn",
        "chances",
        "outcome",
        "points",
        "reason",
        "legalmoves",
        "legalmoves guess",
        "legalmoves ask",
        "legalmoves word",
        "fen",
        "rules",
        "table",
        "board",
        "step",
        "step roll",
        "step ask",
        "step guess",
        "step curse",
        "path",
        "path roll",
        "throw 1",
        "throw 2",
        "throw 77",
        "random 1",
        "random 2",
        "random 77",
        "view p1",
        "view p2",
        "view p3",
        "view p9",
        "nonsense",
    ] {
        say(&format!("query {query}"));
    }
    let mut tokens: Vec<String> = ["pass", "stop", "again", "roll", "r3", "jewels:1", "yes", "no"]
        .into_iter()
        .chain(["possibly", "dontknow", "right", "wrong", "give:e", "give:none"])
        .map(str::to_owned)
        .collect();
    for word in [one, other, "nosuchword"] {
        for form in ["guess", "curse:guess", "word"] {
            tokens.push(format!("{form}:{object}:{word}"));
        }
        tokens.push(format!("deal:{object}:{word},{word},{word},{word},{word},{word}"));
    }
    for form in ["letter", "curse:letter"] {
        tokens.push(format!("{form}:{object}"));
        tokens.push(format!("{form}:{object}:1"));
    }
    tokens.push(format!("ask:{object}:is_alive"));
    tokens.push(format!("show:{object}:has_legs"));
    tokens.push("first:p2".to_owned());
    for token in &tokens {
        say(&format!("query islegal {token}"));
        say(&format!("query path {token}"));
        // The error text, or what follows if it is taken.
        say(&format!("moves {token}"));
        say("query turn");
        say("query fen");
        say(&format!("position {view}"));
    }
    for line in ["d", "eval", "perft 1", "help", "stop", "ponderhit", "go nodes 1"] {
        say(line);
    }
    say(&format!("go nodes 40 searchmoves guess:{object}:{one} guess:{object}:{other} pass roll"));
    say("setoption name MultiPV value 5");
    say(&format!("position {view}"));
    say("go depth 1");
    say("setoption name MultiPV value 1");
    // In its fresh state too.
    say("uginewgame");
    say(&format!("position {view}"));
    say("go nodes 20");
    lines
}

/// What one process is told: each full state to think about, then the view and all questions.
fn script(pairs: &[Pair], which: usize, options: &[(&str, &str)]) -> String {
    let mut lines = String::new();
    for (name, value) in options {
        writeln!(lines, "setoption name {name} value {value}").expect("memory");
    }
    for pair in pairs {
        let full = &pair.games[which];
        let mark = format!("query {MARK}\n");
        write!(lines, "{mark}position startpos moves {full}\ngo nodes 20\neval\nd\n{mark}")
            .expect("memory");
        write!(lines, "position {}\n{}", pair.view, questions(pair)).expect("memory");
    }
    // The end of the input: the last search is finished.
    lines
}

/// Standard output and standard error of one process.
fn run(script: &str) -> [String; 2] {
    let mut child = Command::new(program("barbarossa"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("everything is read");
    assert!(output.status.success(), "{}", output.status);
    [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A line without its time figures.
fn timeless(line: &str) -> String {
    // Standard error: `[2026-01-01T00:00:00Z WARN ] text`.
    let line =
        line.split_once("] ").filter(|_| line.starts_with('[')).map_or(line, |(_, rest)| rest);
    let mut words: Vec<&str> = line.split(' ').collect();
    for index in 1..words.len() {
        if line.starts_with("info ") && ["time", "nps"].contains(&words[index - 1]) {
            words[index] = "T";
        }
    }
    words.join(" ")
}

/// The parts that are compared, a list of lines each: from a view to the next full state.
fn parts(text: &str) -> Vec<Vec<String>> {
    let mut parts = vec![Vec::new()];
    for line in text.lines() {
        match parts.last_mut() {
            Some(part) if !line.contains(MARK) => part.push(timeless(line)),
            _ => parts.push(Vec::new()),
        }
    }
    // Before the first mark, then full state and view in turn.
    parts.into_iter().skip(2).step_by(2).collect()
}

/// Compares what two processes say.
fn compare(pairs: &[Pair], options: &[(&str, &str)]) {
    let one = script(pairs, 0, options);
    let other = script(pairs, 1, options);
    let other = std::thread::spawn(move || run(&other));
    let (one, other) = (run(&one), other.join().expect("no panic"));
    for (stream, (one, other)) in ["stdout", "stderr"].into_iter().zip(one.iter().zip(&other)) {
        let (one, other) = (parts(one), parts(other));
        assert_eq!((one.len(), other.len()), (pairs.len(), pairs.len()), "{stream}");
        for (pair, (one, other)) in pairs.iter().zip(one.iter().zip(&other)) {
            let Pair { viewer, phase, words: [word, twin], object, .. } = pair;
            assert!(one.len() > 40, "{stream}: only {} lines", one.len());
            let differ = one.iter().zip(other).find(|(one, other)| one != other);
            assert!(
                one == other,
                "{options:?}, phase {phase}: p{viewer} can tell {word} from {twin} as {object}, on \
                 {stream}:\n{differ:#?}"
            );
        }
    }
}

/// Options, and how many pairs are compared where time is short and where it is not.
const OPTIONS: [&[(&str, &str)]; 10] = [
    &[],
    &[("Players", "4"), ("Answerer", "owner"), ("Words", "free")],
    &[("Players", "5"), ("JudgeNoise", "8"), ("Letters", "position")],
    &[("Players", "duel"), ("Blob", "true"), ("Round2", "either")],
    &[("Players", "6"), ("CurseWindows", "all"), ("Match", "synset")],
    &[("Answerer", "owner"), ("CurseWindows", "turn"), ("Round2", "moon"), ("NoBlobs", "true")],
    &[("Player", "greedy"), ("ZielEnd", "penalised")],
    &[("Player", "plain"), ("JudgeNoise", "20"), ("Players", "4")],
    &[("Player", "random"), ("Players", "duel"), ("Answerer", "owner")],
    &[("Threads", "2"), ("Hash", "1"), ("Diagram", "unicode"), ("UCI_ShowWDL", "true")],
];

#[test]
fn nothing_that_a_seat_can_ask_tells_two_hidden_words_apart() {
    let slow = std::env::var("PARLOR_SLOW_TESTS").is_ok_and(|value| value == "1");
    let (games, wanted) = if slow { (4, 60) } else { (1, 6) };
    let (mut phases, mut compared) = (BTreeSet::new(), 0);
    for (number, options) in OPTIONS.iter().enumerate() {
        for seed in 0..games {
            let pairs = pairs(options, seed * 100 + number as u64, wanted);
            assert!(!pairs.is_empty(), "{options:?}: no pair of states");
            phases.extend(pairs.iter().map(|pair| pair.phase.clone()));
            compared += pairs.len();
            compare(&pairs, options);
        }
    }
    let least = if slow { (11, 500) } else { (4, 40) };
    assert!(phases.len() >= least.0 && compared >= least.1, "{compared} pairs in {phases:?}");
}
