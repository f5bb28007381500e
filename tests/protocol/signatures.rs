//! The signatures of every player of every game: what it answers to a few searches of each kind.
//!
//! `bench` counts the nodes of the player `engine` alone, one line of one kind of search. These
//! signatures notice a change of any driver, with any number of seats, several lines, a mate to be
//! found, a depth.

use std::fmt::Write;

use parlor::engine::{Engine, GameEngine};
use parlor::game::{Random, Situation};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::protocol::{GoArguments, PositionArgument};

use crate::laws::{engines, search};

/// The kinds of searches, with their number of lines.
fn kinds() -> [(&'static str, &'static str, GoArguments); 4] {
    let nodes = |nodes| GoArguments { nodes: Some(nodes), ..GoArguments::default() };
    [
        ("nodes", "1", nodes(300)),
        ("lines", "3", nodes(300)),
        ("mate", "1", GoArguments { mate: Some(2), ..nodes(300) }),
        ("depth", "1", GoArguments { depth: Some(2), ..GoArguments::default() }),
    ]
}

/// Plies of the random games after which a position is searched.
const PLIES: [usize; 3] = [4, 21, 50];

/// Tokens of a random game, to positions in which a seat is to move.
fn walks<G: Playable>(engine: &GameEngine<G>) -> Vec<Vec<String>> {
    let mut situation = Situation::new(G::start(engine.options(), None).expect("a start"));
    let mut random = Random::new(11);
    let (mut tokens, mut found) = (Vec::new(), Vec::new());
    while found.len() < PLIES.len() {
        if tokens.len() >= PLIES[found.len()] && situation.seat().is_some() {
            found.push(tokens.clone());
        }
        let Some(m) = situation.position().random_move(&mut random) else { break };
        tokens.push(situation.position().token(&m));
        situation.play(&m);
    }
    found
}

/// FNV-1a, as a number of 64 bits.
fn fold(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The last report of every line, and the move.
fn answer<G: Playable>(engine: &mut GameEngine<G>, go: &GoArguments) -> (u64, String) {
    let (lines, best) = search(engine, go);
    let mut text = best.unwrap_or_default();
    for rank in 1..=lines.iter().map(|line| line.multipv).max().unwrap_or(0) {
        let Some(line) = lines.iter().rfind(|line| line.multipv == rank) else { continue };
        write!(
            text,
            ";{} {} {} {:?} {:?} {:?}",
            line.depth, line.seldepth, line.score, line.bound, line.vec, line.pv
        )
        .expect("a string takes everything");
    }
    (lines.iter().map(|line| line.nodes).max().unwrap_or(0), text)
}

/// One line for each player and kind of search: seats, nodes, fold of the answers.
#[derive(Clone, Copy)]
struct Sign;

impl GameVisitor for Sign {
    type Output = String;

    fn visit<G: Playable>(self) -> String {
        let mut text = String::new();
        for mut engine in engines::<G>() {
            let seats = G::start(engine.options(), None).expect("a start").seats();
            let walks = walks(&engine);
            for player in G::player_names() {
                engine.set_option("Player", Some(player)).expect("a player");
                for (kind, lines, go) in kinds() {
                    engine.set_option("MultiPV", Some(lines)).expect("a number of lines");
                    let (mut nodes, mut answers) = (0, String::new());
                    for walk in &walks {
                        engine.new_game();
                        engine.set_position(&PositionArgument::default()).expect("the start");
                        engine.append_moves(walk).expect("legal moves");
                        let found = answer(&mut engine, &go);
                        nodes += found.0;
                        answers += &found.1;
                    }
                    let fold = fold(&answers);
                    writeln!(text, "{} {seats} {player} {kind}: {nodes} {fold:016x}", G::NAME)
                        .expect("a string takes everything");
                }
            }
        }
        text
    }
}

#[test]
fn every_player_has_the_signatures_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/signatures.txt");
    let signatures = |&name: &&str| with_game(name, Sign).expect("a game of the list");
    let found: String = NAMES.iter().map(signatures).collect();
    let recorded = std::fs::read_to_string(path).unwrap_or_default();
    let comments = |line: &&str| line.starts_with('#');
    let head: String = recorded.lines().filter(comments).map(|line| format!("{line}\n")).collect();
    let found = head + &found;
    if std::env::var_os("PARLOR_UPDATE").is_some() {
        std::fs::write(path, found).expect("the file of signatures");
        return;
    }
    let changed = || found.lines().filter(|line| !recorded.lines().any(|known| known == *line));
    assert!(
        found == recorded,
        "a change of play is recorded with PARLOR_UPDATE=1; changed:\n{}",
        changed().collect::<Vec<_>>().join("\n")
    );
}
