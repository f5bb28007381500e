//! Any bytes at all: the parsers neither panic nor accept what they cannot write and read again.
//!
//! Each property reads 20,000 texts.

use parlor::game::{DiagramStyle, Game, Notation};
use parlor::games::chowka_bhara::Position;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{position, rules};

/// Options under which the texts are read: none, all that add fields, another board.
const OPTIONS: [&str; 4] = ["", "Players=4 HitBonus=true PlayOn=true", "Pawns=2", "Board=7"];

/// Texts that look like positions or plays, and some that do not.
fn texts() -> impl Strategy<Value = String> {
    let letters = b"SENW-/.,+ 0123456789abcdedtpass";
    let bytes = vec(any::<u8>(), 0..80).prop_map(|bytes| String::from_utf8_lossy(&bytes).into());
    let like = vec(proptest::sample::select(letters.to_vec()), 0..60)
        .prop_map(|bytes| String::from_utf8_lossy(&bytes).into());
    let mutated = (vec((0..60usize, any::<u8>()), 0..4), 0..400usize).prop_map(|(changes, row)| {
        let mut lines = include_str!("../../data/chowka-bhara/results.txt").lines();
        let line = lines.nth(row).unwrap_or("");
        let mut bytes = line.split(" | ").next().unwrap_or("").as_bytes().to_vec();
        for (at, byte) in changes {
            if let Some(old) = bytes.get_mut(at) {
                *old = if byte < 128 { byte } else { letters[usize::from(byte) % letters.len()] };
            }
        }
        String::from_utf8_lossy(&bytes).into()
    });
    let pawns = || vec(0..26u8, 1..5);
    let built = (pawns(), pawns(), 0..4usize, 0..4usize, vec(0..9u8, 0..14)).prop_map(
        |(south, north, hits, fresh, throws)| {
            let join = |list: Vec<u8>, by: &str| {
                let words: Vec<_> = list.iter().map(u8::to_string).collect();
                if words.is_empty() { "-".to_string() } else { words.join(by) }
            };
            let hits = ["-", "S", "N", "SN"][hits];
            let fresh = ["-", "e2", "d1,e2", "c3"][fresh];
            let (south, north) = (join(south, "."), join(north, "."));
            format!("{south}/-/{north}/- S {hits} {fresh} {}", join(throws, "+"))
        },
    );
    prop_oneof![bytes, like, mutated, built]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn a_position_that_is_read_is_written_and_read_again(text in texts(), options in 0..4usize) {
        let rules = rules(OPTIONS[options]);
        match Position::parse(&text, &rules, None) {
            Ok(position) => {
                let written = position.to_string();
                let again = Position::parse(&written, &rules, None);
                prop_assert!(again.is_ok_and(|again| again == position), "{}", written);
                prop_assert_eq!(position.key(), position.fresh_key());
                let _ = position.diagram(DiagramStyle::Unicode);
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'), "{}", message);
            }
        }
    }

    #[test]
    fn a_play_that_is_read_is_the_one_that_is_written(text in texts(), turn in 0..4usize) {
        let position = [
            position("0.0.0.0/-/0.0.0.0/- S - - -", ""),
            position("0.0.2.2/-/0.0.11.11/- S - e2 4+3", ""),
            position("15.2.0.0/-/11.0.0.0/- S - - 4+1", ""),
            position("24.24.22.22/-/0.0.0.1/- S SN - 2", ""),
        ][turn].clone();
        match position.parse_move(&text) {
            Ok(m) => {
                let written = position.token(&m);
                prop_assert_eq!(position.parse_move(&written).ok(), Some(m));
                let _ = position.is_legal(&m) || !position.explain_illegal(&m).is_empty();
            }
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.is_ascii() && !message.contains('\n'), "{}", message);
            }
        }
    }
}
