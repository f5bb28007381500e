//! Rules of Chowka bhara: vectors, perft, a slow reference, notation, options, properties, bad
//! input, the solved game.

mod bad_input;
mod evaluation;
mod expectimax;
mod notation;
mod options;
mod players;
mod properties;
pub mod reference;
mod solved;
mod state_counts;
mod symmetry;
mod vectors;

use parlor::game::{Game, Notation, OptionValues, Random, Rules};
use parlor::games::chowka_bhara::Position;

/// Rule options from `Name=value` pairs separated by spaces.
pub fn rules(options: &str) -> OptionValues {
    let mut values = Position::default_rules();
    for pair in options.split_whitespace() {
        let (name, value) = pair.split_once('=').expect("Name=value");
        values.set(name, value).expect("a rule option");
    }
    values
}

/// A position that must be valid.
pub fn position(text: &str, options: &str) -> Position {
    Position::parse(text, &rules(options), None).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The listed plays of a position as text, in the order visited.
pub fn plays(position: &Position) -> Vec<String> {
    position.moves().iter().map(|m| position.token(m)).collect()
}

/// Rule options that together use every value of every option.
pub const VARIANTS: &[&str] = &[
    "",
    "Players=3",
    "Players=4",
    "Pawns=1",
    "Pawns=2",
    "Players=4 Safe=corners",
    "Inner=anticlockwise",
    "TripleVoid=true",
    "Pass=true",
    "DoubleBlock=always",
    "DoubleBlock=off Players=3",
    "OuterDoubles=false",
    "DoubleMove=half",
    "DoubleMove=none",
    "DoubleHitsDouble=false",
    "Gate=circle",
    "Gate=circle Players=4 DoubleMove=half",
    "Gate=off",
    "Players=3 PlayOn=true Pawns=2",
    "Players=4 PlayOn=true Pawns=2 HitBonus=true",
    "MouthUp=30",
    "HitBonus=true",
    "HitBonus=true Players=4 DoubleBlock=always Pass=true",
    "Board=7",
    "Board=7 Players=4 Pawns=3 Inner=anticlockwise",
    "Board=9 Players=3 Pawns=4 Safe=corners Gate=circle",
    "Board=11 Players=2 Pawns=3 MouthUp=51",
];

/// A random valid position with throws and its pawns near each other, after a few random moves.
pub fn random_position(options: &str, random: &mut Random) -> Position {
    let rules = rules(options);
    let start = Position::start(&rules, None).expect("options that go together");
    let seats = start.seats();
    let pawns = start.options().pawns;
    let board = u64::from(start.options().board);
    let cells = board * board;
    loop {
        let spread = if random.below(2) == 0 { 4 * (board - 1) } else { cells };
        let sides: Vec<String> = (0..4)
            .map(|side| {
                let empty = side == 3 && seats < 4 || side == 1 && seats < 3;
                if empty {
                    return "-".to_string();
                }
                let mut list: Vec<String> = Vec::new();
                for _ in 0..pawns {
                    match list.last() {
                        Some(last) if random.below(3) == 0 => list.push(last.clone()),
                        _ => list.push(random.below(spread).to_string()),
                    }
                }
                list.join(".")
            })
            .collect();
        let turn = ["S", "E", "N", "W"][start.sides()[random.below(seats as u64) as usize]];
        let gates = match (seats, random.below(3)) {
            (_, 0) => "-",
            (2, 1) => "S",
            (2, _) => "SN",
            (3, _) => "SEN",
            _ => "SENW",
        };
        let small = 1 + random.below(board - 2);
        let bonus = (board - 1) * (1 + random.below(2));
        let throws = match random.below(6) {
            0..3 => format!("{small}"),
            3 | 4 => format!("{bonus}+{small}"),
            _ => format!("{bonus}+{}+{small}", board - 1),
        };
        let text = format!("{} {turn} {gates} - {throws}", sides.join("/"));
        let Ok(mut position) = Position::parse(&text, &rules, None) else {
            continue;
        };
        for _ in 0..random.below(4) * 2 {
            if let Some(m) = position.random_move(random) {
                position.play(&m);
            }
        }
        return position;
    }
}
