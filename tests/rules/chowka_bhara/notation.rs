//! Valid and invalid positions, malformed moves, and the reasons given for illegal ones.

use parlor::game::{Game, Notation};
use parlor::games::chowka_bhara::Position;

use super::{position, rules};

#[test]
fn valid_positions_are_read_and_written_back() {
    for line in include_str!("../../data/chowka-bhara/valid.txt").lines().skip(1) {
        let (options, text) = line.split_once(" | ").expect("options | text");
        assert_eq!(position(text, options).to_string(), text);
    }
}

#[test]
fn pawns_may_stand_in_any_order_and_are_written_sorted() {
    let given = position("9.0.24.3/-/0.0.0.0/- S NS - 2", "");
    assert_eq!(given.to_string(), "0.3.9.24/-/0.0.0.0/- S SN - 2");
}

#[test]
fn invalid_positions_are_refused_and_the_rule_is_named() {
    for line in include_str!("../../data/chowka-bhara/invalid.txt").lines().skip(1) {
        let fields: Vec<_> = line.splitn(3, " | ").collect();
        match Position::parse(fields[1], &rules(fields[0]), None) {
            Ok(_) => panic!("accepted: {line}"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(fields[2]), "{line}\nsays: {message}");
                assert!(message.is_ascii() && !message.contains('\n'));
            }
        }
    }
}

#[test]
fn illegal_moves_are_refused_and_the_rule_is_named() {
    let cases = [
        ("0.0.0.0/-/0.0.0.0/- S - - 4+3", "c1e2", "the value 4 can still be played, so it must be"),
        ("0.0.0.0/-/0.0.0.0/- S - - 1", "pass", "the value 1 can still be played"),
        ("0.0.0.0/-/0.0.0.0/- S - - 1", "c1e1", "c1e1 is a step of 2, but left to play is 1"),
        ("0.0.0.0/-/0.0.0.0/- S - - 1", "c1d1,c1d1", "step of 1, but no value is left"),
        ("0.0.0.0/-/0.0.0.0/- S - - 1", "d1e1", "S has no pawn on d1 to move 1 to e1"),
        ("0.0.0.0/-/0.0.0.0/- S - - 1", "c1d1d", "c1 is a safe cell, and pawns on safe cells are"),
        ("0.0.0.2/-/0.0.0.0/- S - - 1", "e1e2d", "S has no two pawns on e1"),
        ("15.0.0.0/-/0.0.0.0/- S - - 1", "b1b2", "the gate is closed: S has hit nobody"),
        ("0.0.2.2/-/0.0.11.11/- S - e2 2", "e1e3", "an enemy double on e2 may not be passed now"),
        ("2.0.0.0/-/11.11.0.0/- S - - 1", "e1e2", "cannot land on the enemy double on e2"),
        ("24.24.24.22/-/0.0.0.1/- S SN - 3", "d2d1", "d2d1 leads nowhere on S's path"),
        ("24.24.24.22/-/0.0.0.1/- S SN - 3", "t1", "S has thrown 3 and must play now"),
        ("0.0.0.0/-/0.0.0.0/- S - - 4", "c1e2", "S must throw first: a throw is t1 to t4 or t8"),
        ("24.24.24.24/-/0.0.0.1/- N SN - -", "t1", "the game is over"),
    ];
    for (text, token, expected) in cases {
        let start = position(text, "");
        let m = start.parse_move(token).unwrap_or_else(|e| panic!("{token}: {e}"));
        assert!(!start.is_legal(&m), "{token} in {text}");
        let message = start.explain_illegal(&m);
        assert!(message.contains(expected), "{token} in {text}: {message}");
    }
}

#[test]
fn malformed_moves_are_refused_where_they_break() {
    let start = position("0.0.0.0/-/0.0.0.0/- S - - 1", "");
    let cases = [
        ("t5", "'t5' is no throw: t1 to t4 or t8"),
        ("t01", "is no throw"),
        ("", "at character 1: a cell of this board is expected"),
        ("c1", "at character 3: a cell of this board is expected"),
        ("c1d6", "at character 3: a cell of this board"),
        ("c1d1x", "at character 5: ',' or 'd' or the end is expected"),
        ("c1d1,,c1d1", "at character 6: a cell"),
        ("c1d1;c1d1", "at character 5: ','"),
    ];
    for (token, expected) in cases {
        let message = start.parse_move(token).expect_err(token).to_string();
        assert!(message.contains(expected), "{token}: {message}");
    }
    let long = ["c1d1"; 13].join(",");
    assert!(start.parse_move(&long).expect_err("too long").to_string().contains("at most 12"));
}
