//! Text: positions good and bad, moves, and what the program says about mistakes.

use parlor::game::{Game, Notation, Rules};
use parlor::games::barca::{Position, START};

use super::position;

fn refusal(text: &str) -> String {
    match Position::parse(text, &Position::default_rules(), None) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("'{text}' was read"),
    }
}

#[test]
fn valid_positions_are_read_and_written_back() {
    let mut count = 0;
    for text in include_str!("../../data/barca/valid.txt").lines() {
        if !text.starts_with('#') {
            assert_eq!(position(text).to_string(), text);
            count += 1;
        }
    }
    assert_eq!(count, 11);
}

#[test]
fn invalid_positions_are_refused_with_what_where_and_what_would_be_right() {
    let mut count = 0;
    for line in include_str!("../../data/barca/invalid.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let (text, expected) = line.split_once(" | ").expect("a text and a message");
        let message = refusal(text);
        assert!(message.contains(expected), "'{text}' says: {message}");
        count += 1;
    }
    assert_eq!(count, 27);
}

#[test]
fn a_foreign_letter_is_escaped() {
    let message = refusal("4ee4/3lmml3/10/10/10/10/10/10/3L\u{e9}ML3/4EE4 w");
    assert_eq!(
        message,
        "at character 33: unknown animal '\\u{e9}'; M L E are White's, m l e Black's"
    );
    assert!(refusal("10/10/10/10/10/10/10/10/10/10 \u{1f98a}").is_ascii());
}

#[test]
fn moves_are_read_greedily() {
    let start = position(START);
    for text in ["e10a10", "a1a10", "a10a1", "j1j2"] {
        assert_eq!(start.parse_move(text).expect("a move").to_string(), text);
    }
}

#[test]
fn malformed_moves_are_refused() {
    let start = position(START);
    let cases = [
        ("", "at character 1: the first square is missing; a move is two squares, such as e2e4"),
        ("e2", "at character 3: the second square is missing; a move is two squares, such as e2e4"),
        ("e", "at character 2: the rank is missing; it is a number from 1 to 10"),
        ("k2e4", "at character 1: 'k' is no file; a square begins with a to j"),
        ("E2E4", "at character 1: 'E' is no file; a square begins with a to j"),
        ("e2z4", "at character 3: 'z' is no file; a square begins with a to j"),
        ("e11e4", "at character 2: 11 is no rank; it is a number from 1 to 10"),
        ("e0e4", "at character 2: 0 is no rank; it is a number from 1 to 10"),
        ("e02e4", "at character 2: 02 is no rank; it is a number from 1 to 10"),
        ("e2e4q", "at character 5: 'q' after a whole move; a move is two squares, such as e2e4"),
        ("0000", "at character 1: '0' is no file; a square begins with a to j"),
    ];
    for (token, expected) in cases {
        let message = start.parse_move(token).expect_err(token).to_string();
        assert_eq!(message, expected);
    }
}

#[test]
fn illegal_moves_are_explained_by_the_rule_they_break() {
    let trapped = "10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b";
    let cases = [
        (START, "a5a6", "no animal stands on a5"),
        (START, "e9e7", "the mouse on e9 is Black's, and White is to move"),
        (START, "e2e2", "e2e2 does not move the mouse; there is no pass"),
        (START, "e2f3", "the mouse moves along ranks and files, and e2 to f3 is none"),
        (START, "d2d3", "the lion moves along diagonals, and d2 to d3 is none"),
        (
            START,
            "e1f3",
            "the elephant moves along ranks, files and diagonals, and e1 to f3 is none",
        ),
        (START, "e2e10", "the mouse on e2 cannot jump over Black's mouse on e9"),
        (START, "e2e9", "Black's mouse stands on e9, and nothing is captured in Barca"),
        (START, "e1e2", "White's mouse stands on e2, and nothing is captured in Barca"),
        (START, "e1c3", "the elephant on e1 cannot jump over White's lion on d2"),
        (
            START,
            "e2e8",
            "a calm animal never moves into fear, and on e8 the mouse would be afraid of the lion on d9",
        ),
        (
            trapped,
            "f5f6",
            "Black's lion on a3 is afraid of the elephant on b4 and must escape first, such as by a3c1",
        ),
        (
            trapped,
            "a4b3",
            "an afraid animal must escape (such as a3c1), and on b3 the lion would still be afraid of the elephant on b4",
        ),
        (
            "10/10/10/3M2M3/10/10/3L6/10/10/10 b",
            "a1a2",
            "the game is over: White holds three watering holes",
        ),
    ];
    for (text, token, expected) in cases {
        let position = position(text);
        let m = position.parse_move(token).expect(token);
        assert!(!position.is_legal(&m));
        assert_eq!(position.explain_illegal(&m), expected);
    }
}
