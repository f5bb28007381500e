//! Arbitrary bytes and text: the parsers do not panic, and accept only what they write.

use parlor::game::{Game, Notation, Rules};
use parlor::games::porrika::{Illegal, Position};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fuzzing::cases;

/// Texts that look like positions or moves, and some that do not.
fn texts() -> impl Strategy<Value = String> {
    let bytes = vec(any::<u8>(), 0..80).prop_map(|bytes| String::from_utf8_lossy(&bytes).into());
    let letters = vec(proptest::sample::select(b"EGSnesw-,/ cp.abd1234567".to_vec()), 0..90)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into());
    let mutated = (vec((0..70usize, any::<u8>()), 0..4), 0..300usize).prop_map(|(changes, row)| {
        let line = include_str!("../../data/porrika/moves.txt").lines().nth(row).unwrap_or("");
        let mut bytes = line.split(" | ").next().unwrap_or("").as_bytes().to_vec();
        for (at, byte) in changes {
            if let Some(old) = bytes.get_mut(at) {
                *old = if byte < 128 { byte } else { b"EGSnesw-,/"[usize::from(byte) % 10] };
            }
        }
        String::from_utf8_lossy(&bytes).into()
    });
    let squares = proptest::sample::select(vec!["-", "-", "-", "En", "Gw", "Ss", "GnSs", "EeGs"]);
    let built = (vec(squares, 28), any::<bool>()).prop_map(|(squares, copper)| {
        let rows: Vec<String> = squares.chunks(4).map(|row| row.join(",")).collect();
        format!("{} {}", rows.join("/"), if copper { "c" } else { "s" })
    });
    prop_oneof![bytes, letters, mutated, built]
}

/// Texts of the length of moves, most of them well-formed.
fn tokens() -> impl Strategy<Value = String> {
    let space = (0..4u8, 0..7u8, 0..5usize).prop_map(|(column, row, side)| {
        let (column, row) = (char::from(b'a' + column), char::from(b'1' + row));
        format!("{column}{row}{}", ["n", "e", "s", "w", "x"][side])
    });
    let walk = (space.clone(), space).prop_map(|(from, to)| from + &to);
    let setup = Just(Vec::from(*b"EEGGGG..")).prop_shuffle();
    let setup = setup.prop_map(|letters| String::from_utf8_lossy(&letters).into_owned());
    prop_oneof![walk, setup, Just("pass".to_string())]
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn a_position_that_is_read_is_written_back(text in texts()) {
        match Position::parse(&text, &Position::default_rules(), None) {
            Ok(position) => {
                prop_assert_eq!(position.to_string(), text);
                prop_assert_eq!(position.moves().len() as u64, position.count_moves());
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'));
                prop_assert!(message.len() < 200);
            }
        }
    }

    #[test]
    fn a_move_that_is_read_is_written_back(text in prop_oneof![texts(), tokens()]) {
        let start = Position::start(&Position::default_rules(), None).expect("the start");
        match start.parse_move(&text) {
            Ok(m) => {
                prop_assert_eq!(start.token(&m), text.as_str());
                let legal = text.len() == 8;
                prop_assert_eq!(start.is_legal(&m), legal, "{}", text);
                prop_assert_eq!(start.why_illegal(m), (!legal).then_some(Illegal::SetupFirst));
                prop_assert!(start.explain_illegal(&m).is_ascii());
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && message.len() < 200, "{}", message);
            }
        }
    }
}
