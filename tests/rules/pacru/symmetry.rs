//! Properties of the rules: symmetry, markers that stay.

use parlor::game::{Game, Notation, RuleChecks, Rules, Seat, Symmetry};
use parlor::games::pacru::{Field, Gain, Move, Payment, Position};

use super::vectors::counts;
use super::{position, rules, start};
use crate::properties::random_walk;

/// The board turned a quarter clockwise, seats exchanged where `swap` says so.
pub fn turned(text: &str, swap: bool) -> String {
    let (board, rest) = text.split_once(' ').unwrap();
    let mut grid: Vec<Vec<String>> = Vec::new();
    for line in board.split('/') {
        let mut row = Vec::new();
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match c {
                '1'..='9' => (0..c as usize - '0' as usize).for_each(|_| row.push(".".into())),
                '[' => {
                    let body: String = chars.by_ref().take_while(|c| *c != ']').collect();
                    row.push(turned_chevron(&body, swap));
                }
                _ if swap => row.push(if c == 'a' { "b" } else { "a" }.into()),
                _ => row.push(c.into()),
            }
        }
        grid.push(row);
    }
    // Row by row from the top: the new row is the old column, read from the bottom.
    let lines: Vec<String> = (0..9)
        .map(|row| {
            let cells: Vec<&str> = grid.iter().rev().map(|line| line[row].as_str()).collect();
            written(&cells)
        })
        .collect();
    let mut rest = rest.to_string();
    if swap {
        rest = if rest.starts_with('1') {
            rest.replacen('1', "2", 1)
        } else {
            rest.replacen('2', "1", 1)
        };
    }
    format!("{} {rest}", lines.join("/"))
}

fn written(cells: &[&str]) -> String {
    let mut line = String::new();
    for run in cells.chunk_by(|a, b| *a == "." && *b == ".") {
        match run {
            [".", ..] => line += &run.len().to_string(),
            _ => line += &run.concat(),
        }
    }
    line
}

fn turned_chevron(body: &str, swap: bool) -> String {
    let names = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let star = if body.ends_with('*') { "*" } else { "" };
    let facing = names.iter().position(|n| *n == body[1..].trim_end_matches('*')).unwrap();
    let player = match (&body[..1], swap) {
        ("1", true) => "2",
        (_, true) => "1",
        (same, false) => same,
    };
    format!("[{player}{}{star}]", names[(facing + 2) % 8])
}

/// The two-player start is point-symmetric: half a turn exchanges the players. (A quarter turn would
/// carry a3 to c9, where nobody stands; that the rules themselves know no direction is the next test.)
#[test]
fn the_two_player_start_is_its_own_half_turn_with_the_players_exchanged() {
    let first = start("2").to_string();
    let exchanged = turned(&turned(&first, true), false);
    let second = first.replacen(" 1 2", " 2 2", 1);
    assert_eq!(exchanged, second);
    assert_eq!(counts(&position(&second), 3), counts(&position(&first), 3));
}

/// The same board, options included, as a quarter turn shows it.
fn image(position: &Position, swap: bool) -> Position {
    let mut rules = Position::default_rules();
    for (name, value) in position.rules() {
        rules.set(name, &value).expect("a value of the position");
    }
    let text = turned(&position.to_string(), swap);
    Position::parse(&text, &rules, None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn turned_field(field: Field) -> Field {
    Field::at(field.rank(), 8 - field.file()).expect("a field of the board")
}

fn turned_move(_: &Position, m: &Move) -> Move {
    match *m {
        Move::Advance { from, to, pincer, gain, meeting } => Move::Advance {
            from: turned_field(from),
            to: turned_field(to),
            pincer,
            gain: match gain {
                Gain::Claim(field) => Gain::Claim(turned_field(field)),
                other => other,
            },
            meeting: meeting.map(turned_field),
        },
        Move::Rotate { from, rotation, payment } => {
            let fields: Vec<Field> = payment.fields().iter().map(|f| turned_field(*f)).collect();
            Move::Rotate { from: turned_field(from), rotation, payment: Payment::new(&fields) }
        }
    }
}

const QUARTER_TURN: Symmetry<Position> = Symmetry {
    name: "a quarter turn",
    position: |position| image(position, false),
    token: turned_move,
    seat: |seat| seat,
};

const EXCHANGE: Symmetry<Position> = Symmetry {
    name: "a quarter turn with the players exchanged",
    position: |position| image(position, true),
    token: turned_move,
    seat: |seat| Seat::new(1 - seat.index()),
};

#[test]
fn the_rules_know_no_direction() {
    let positions = RuleChecks::new(2, 40).symmetry(QUARTER_TURN).check().unwrap();
    assert!(positions > 400, "{positions} positions");
}

#[test]
fn the_rules_treat_both_players_alike() {
    let mut checks = RuleChecks::new(10, 50).symmetry(EXCHANGE);
    let positions = checks.check_rules(&rules(&[])).unwrap();
    assert!(positions > 300, "{positions} positions");
}

#[test]
fn fields_under_chevrons_never_change_colour() {
    for players in ["2", "3", "4"] {
        random_walk::<Position>(&rules(&[("Players", players)]), 10, 100, |position| {
            let mut left = 400;
            let _ = position.for_each_move(|m| {
                let mut next = position.clone();
                next.play(&m);
                for field in Field::all() {
                    let here = position.chevron(field);
                    if here.is_some() && here == next.chevron(field) {
                        assert_eq!(position.marker(field), next.marker(field), "{m:?}");
                    }
                }
                left -= 1;
                if left == 0 {
                    return std::ops::ControlFlow::Break(());
                }
                std::ops::ControlFlow::Continue(())
            });
        });
    }
}
