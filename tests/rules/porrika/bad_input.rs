//! Any bytes at all: the parsers neither panic nor accept what they do not write.
//!
//! Each property reads 20,000 texts.

use parlor::game::{DiagramStyle, Game, Notation, Rules};
use parlor::games::porrika::Position;
use proptest::collection::vec;
use proptest::prelude::*;

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_position_that_is_read_is_written_back(text in texts()) {
        match Position::parse(&text, &Position::default_rules(), None) {
            Ok(position) => {
                prop_assert_eq!(position.to_string(), text);
                prop_assert_eq!(position.moves().len() as u64, position.count_moves());
                let _ = position.diagram(DiagramStyle::Unicode);
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'));
                prop_assert!(message.len() < 200);
            }
        }
    }

    #[test]
    fn a_move_that_is_read_is_written_back(text in texts()) {
        let start = Position::start(&Position::default_rules(), None).expect("the start");
        match start.parse_move(&text) {
            Ok(m) => {
                prop_assert_eq!(start.token(&m), text);
                let _ = start.is_legal(&m) || !start.explain_illegal(&m).is_empty();
            }
            Err(error) => prop_assert!(error.to_string().is_ascii()),
        }
    }
}
