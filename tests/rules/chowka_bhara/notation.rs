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

/// The pawn 8 cells before the centre may play the 3, after which no pawn can play the 8; the other
/// may play the 3, and then the 8 must be played.
#[test]
fn the_order_of_the_values_is_free_even_if_it_leaves_one_over() {
    let here = position("15.15.15.15/-/16.18.24.24/- N N - 8+3", "");
    for (token, is_legal) in [("d4c2", true), ("d2b3,d4c3", true), ("d2b3", false)] {
        let m = here.parse_move(token).expect(token);
        assert_eq!(here.is_legal(&m), is_legal, "{token}");
    }
    // The reason says what is free and what is not.
    let half = here.parse_move("d2b3").expect("a play");
    assert_eq!(
        here.explain_illegal(&half),
        "the value 8 can still be played, so it must be: the order is free, but the turn ends only \
         where no value that is left can be played"
    );
}

#[test]
fn refused_moves_get_the_reason() {
    for line in include_str!("../../data/chowka-bhara/refused.txt").lines().skip(1) {
        let fields: Vec<_> = line.splitn(4, " | ").collect();
        let [options, text, token, expected] = fields[..] else { panic!("{line}") };
        let start = position(text, options);
        let message = match start.parse_move(token) {
            Err(error) => error.to_string(),
            Ok(m) => {
                assert!(!start.is_legal(&m), "{line}");
                start.explain_illegal(&m)
            }
        };
        assert!(message.contains(expected), "{line}\nsays: {message}");
    }
}
