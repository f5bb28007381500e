//! A second implementation of the rules, slow and obvious, against the engine's: triangles as sets of
//! corners, positions as maps of names, the board as the figure draws it. The two share only the
//! text of positions and moves.

use std::collections::{BTreeMap, BTreeSet};

use parlor::game::{Game, Notation, OptionValues, Random, Rules};
use parlor::games::porrika::board::Space;
use parlor::games::porrika::{Phase, Position};
use parlor::protocol::GameResult;

use super::figures::figure;
use super::{every_rules, moves_of, random_position};

type Point = (usize, usize);

/// The corners of a triangle on a grid of half squares: its centre first.
fn corners(name: &str) -> [Point; 3] {
    let bytes = name.as_bytes();
    let (x, y) = (2 * (bytes[0] - b'a') as usize, 2 * (bytes[1] - b'1') as usize);
    let (left_top, right_top) = ((x, y), (x + 2, y));
    let (left_bottom, right_bottom) = ((x, y + 2), (x + 2, y + 2));
    let [one, two] = match bytes[2] {
        b'n' => [left_top, right_top],
        b'e' => [right_top, right_bottom],
        b's' => [left_bottom, right_bottom],
        _ => [left_top, left_bottom],
    };
    [(x + 1, y + 1), one, two]
}

fn common_corners(one: &str, other: &str) -> usize {
    let other = corners(other);
    corners(one).iter().filter(|corner| other.contains(corner)).count()
}

/// Two triangles share a side when they have two corners in common.
pub fn share_side(one: Space, other: Space) -> bool {
    common_corners(&one.to_string(), &other.to_string()) == 2
}

fn opposite(name: &str) -> String {
    let side = match &name[2..] {
        "n" => "s",
        "e" => "w",
        "s" => "n",
        _ => "e",
    };
    format!("{}{side}", &name[..2])
}

/// The triangles of the board and, for each, where a piece alone may go.
struct Board {
    spaces: BTreeSet<String>,
    targets: BTreeMap<String, Vec<String>>,
}

impl Board {
    fn read() -> Self {
        let spaces = figure("Figure 1").triangles;
        let targets = spaces.iter().map(|from| (from.clone(), targets(&spaces, from))).collect();
        Board { spaces, targets }
    }
}

fn targets(spaces: &BTreeSet<String>, from: &str) -> Vec<String> {
    let through = opposite(from);
    if !spaces.contains(&through) {
        return Vec::new();
    }
    let outer = &corners(&through)[1..];
    let touches = |to: &str| corners(to).iter().any(|corner| outer.contains(corner));
    let fits = |to: &&String| touches(to) && common_corners(&through, to) < 2;
    spaces.iter().filter(fits).cloned().collect()
}

/// A position of the reference.
#[derive(Clone)]
struct Reference<'b> {
    board: &'b Board,
    rules: &'b BTreeMap<String, String>,
    pieces: BTreeMap<String, char>,
    copper: bool,
}

const START: [&str; 8] = ["a1n", "a1w", "b1n", "b1e", "c1n", "c1w", "d1n", "d1e"];
const GOALS: [&str; 2] = ["b7e", "c7w"];

impl<'b> Reference<'b> {
    /// Reads the text of a valid position.
    fn read(board: &'b Board, rules: &'b BTreeMap<String, String>, text: &str) -> Self {
        let (rows, side) = text.split_once(' ').expect("a side");
        let mut pieces = BTreeMap::new();
        for (row, squares) in rows.split('/').enumerate() {
            for (column, square) in squares.split(',').enumerate() {
                let letters: Vec<char> = square.chars().filter(|letter| *letter != '-').collect();
                for pair in letters.chunks(2) {
                    let square = format!("{}{}", ["a", "b", "c", "d"][column], row + 1);
                    pieces.insert(format!("{square}{}", pair[1]), pair[0]);
                }
            }
        }
        Reference { board, rules, pieces, copper: side == "c" }
    }

    fn rule(&self, name: &str) -> &str {
        &self.rules[name]
    }

    fn has(&self, space: &str) -> bool {
        self.pieces.contains_key(space)
    }

    fn all(&self, kind: char) -> Vec<&String> {
        self.pieces.iter().filter(|(_, piece)| **piece == kind).map(|(space, _)| space).collect()
    }

    fn facing(&self, space: &str) -> Option<char> {
        self.pieces.get(&opposite(space)).copied()
    }

    fn in_setup(&self) -> bool {
        let starts = ["b6s", "b6w", "c6e", "c6s"];
        self.copper && self.pieces.len() == 4 && self.all('S') == starts
    }

    /// Whether a piece of a kind may end on a space that is empty.
    fn may_end(&self, kind: char, space: &str) -> bool {
        let goal = GOALS.contains(&space);
        let entry = self.rule("PorrikaEntry");
        let enters = kind == 'E' || entry == "any" || kind == 'G' && entry == "copper";
        if goal && !enters {
            return false;
        }
        match (kind, self.facing(space)) {
            (_, None) | ('S', Some('E')) | ('G', Some('S')) => true,
            ('E', Some('S')) => self.rule("EggSuicide") == "loss",
            ('S', Some('G')) => self.rule("SerraLock") == "allow",
            _ => false,
        }
    }

    fn steps(&self, copper: bool) -> Vec<String> {
        let mut list = Vec::new();
        for (from, kind) in &self.pieces {
            if (*kind != 'S') != copper || self.has(&opposite(from)) {
                continue;
            }
            for to in &self.board.targets[from] {
                if !self.has(to) && self.may_end(*kind, to) {
                    list.push(format!("{from}{to}"));
                }
            }
        }
        list
    }

    /// The result as the protocol names it.
    fn result(&self) -> Option<&'static str> {
        let eggs = self.all('E');
        if GOALS.iter().all(|goal| self.pieces.get(*goal) == Some(&'E')) {
            return Some("p1win");
        }
        if eggs.iter().any(|egg| self.facing(egg) == Some('S')) {
            return Some("p2win");
        }
        if self.rule("Hopeless") == "silver" && self.is_hopeless() {
            return Some("p2win");
        }
        if self.in_setup() || !self.steps(self.copper).is_empty() {
            return None;
        }
        if self.steps(!self.copper).is_empty() {
            return Some("p2win");
        }
        match (self.rule("Stuck"), self.copper) {
            ("pass", _) => None,
            ("draw", _) => Some("draw"),
            (_, true) => Some("p2win"),
            (_, false) => Some("p1win"),
        }
    }

    fn is_hopeless(&self) -> bool {
        let outside: Vec<&String> =
            self.all('E').into_iter().filter(|egg| !GOALS.contains(&egg.as_str())).collect();
        let stranded = outside.iter().any(|egg| !self.board.spaces.contains(&opposite(egg)));
        let taken = GOALS.iter().any(|goal| matches!(self.pieces.get(*goal), Some('G' | 'S')));
        let axes = ["b6n", "b6e", "b6s", "b6w", "c6n", "c6e", "c6s", "c6w"];
        let sealed = axes.iter().all(|space| self.has(space)) && !outside.is_empty();
        stranded || taken || sealed
    }

    /// The legal moves, sorted.
    fn moves(&self) -> Vec<String> {
        if self.result().is_some() {
            return Vec::new();
        }
        let mut list = if self.in_setup() { setups() } else { self.steps(self.copper) };
        if list.is_empty() {
            list.push("pass".into());
        }
        list.sort_unstable();
        list
    }

    fn play(&mut self, token: &str) {
        if token.len() == 8 {
            for (space, letter) in START.iter().zip(token.chars()).filter(|(_, l)| *l != '.') {
                self.pieces.insert((*space).into(), letter);
            }
            return;
        }
        if token != "pass" {
            let piece = self.pieces.remove(&token[..3]).expect("a piece");
            self.pieces.insert(token[3..].into(), piece);
        }
        self.copper = !self.copper;
    }
}

/// Every token of eight letters with two E and four G.
fn setups() -> Vec<String> {
    let mut tokens = vec![String::new()];
    for _ in 0..8 {
        let longer = |token: &String| ["E", "G", "."].map(|letter| format!("{token}{letter}"));
        tokens = tokens.iter().flat_map(longer).collect();
    }
    let count = |token: &str, letter: &str| token.matches(letter).count();
    tokens.retain(|token| count(token, "E") == 2 && count(token, "G") == 4);
    tokens
}

fn as_map(rules: &OptionValues) -> BTreeMap<String, String> {
    rules.iter().map(|(spec, value)| (spec.name.clone(), value.to_string())).collect()
}

fn agree(position: &Position, reference: &Reference) {
    let text = position.to_string();
    assert_eq!(
        position.outcome().map(|o| GameResult::of(o.places()).name()),
        reference.result(),
        "result of {text}"
    );
    assert_eq!(moves_of(position, ""), reference.moves(), "moves of {text}");
    assert_eq!(position.phase() == Phase::Setup, in_setup(reference), "set-up phase of {text}");
}

fn in_setup(reference: &Reference) -> bool {
    reference.result().is_none() && reference.in_setup()
}

#[test]
fn the_reference_agrees_on_random_placements() {
    let board = Board::read();
    let mut random = Random::new(1);
    for rules in every_rules() {
        let map = as_map(&rules);
        for _ in 0..60 {
            let position = random_position(&mut random, &rules);
            agree(&position, &Reference::read(&board, &map, &position.to_string()));
        }
    }
}

#[test]
fn the_reference_agrees_along_random_games() {
    let board = Board::read();
    let mut random = Random::new(2);
    for rules in every_rules() {
        let map = as_map(&rules);
        let mut position = Position::start(&rules, None).expect("the start");
        let mut reference = Reference::read(&board, &map, &position.to_string());
        for _ in 0..80 {
            agree(&position, &reference);
            let Some(m) = position.random_move(&mut random) else { break };
            reference.play(&position.token(&m));
            position.play(&m);
        }
    }
}
