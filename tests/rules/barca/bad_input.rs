//! Any bytes at all: the parsers answer, and what they accept is right.

use parlor::game::{Notation, Rules};
use parlor::games::barca::{Position, START};
use proptest::prelude::*;

use super::position;
use crate::fuzzing::cases;

/// Bytes at random, and texts that are nearly right.
fn position_bytes() -> impl Strategy<Value = Vec<u8>> {
    let letters =
        prop::collection::vec(prop::sample::select(b"MLEmle1234567890/ wb".to_vec()), 0..60);
    let damaged =
        (any::<prop::sample::Index>(), any::<u8>(), any::<bool>()).prop_map(|(at, byte, drop)| {
            let mut text = START.as_bytes().to_vec();
            let at = at.index(text.len());
            if drop {
                text.remove(at);
            } else {
                text[at] = byte;
            }
            text
        });
    prop_oneof![prop::collection::vec(any::<u8>(), 0..80), letters, damaged]
}

fn move_bytes() -> impl Strategy<Value = Vec<u8>> {
    let letters =
        prop::collection::vec(prop::sample::select(b"abcdefghijk0123456789 ".to_vec()), 0..8);
    prop_oneof![prop::collection::vec(any::<u8>(), 0..12), letters]
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn position_texts(bytes in position_bytes()) {
        let text = String::from_utf8_lossy(&bytes);
        match Position::parse(&text, &Position::default_rules(), None) {
            Ok(position) => prop_assert_eq!(position.to_string(), text),
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'), "{}", message);
                prop_assert!(error.offset.is_none_or(|at| at <= text.len()), "{}", message);
            }
        }
    }

    #[test]
    fn move_texts(bytes in move_bytes()) {
        let text = String::from_utf8_lossy(&bytes);
        let start = position(START);
        match start.parse_move(&text) {
            Ok(m) => {
                prop_assert_eq!(start.token(&m), text);
                let why = start.explain_illegal(&m);
                prop_assert!(why.is_ascii() && !why.contains('\n'));
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'), "{}", message);
            }
        }
    }
}
