//! Arbitrary bytes and texts: the parsers neither panic nor accept what they cannot write and read
//! again, and their errors are clear.

use parlor::game::{Game, Notation, Random};
use parlor::games::chowka_bhara::Position;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{VARIANTS, position, random_position, rules};
use crate::fuzzing::cases;
use crate::properties::check_position;

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
                let numbers: Vec<_> = list.iter().map(u8::to_string).collect();
                if numbers.is_empty() { "-".to_string() } else { numbers.join(by) }
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
    #![proptest_config(cases(20_000))]

    #[test]
    fn a_position_that_is_read_is_written_and_read_again(text in texts(), options in 0..4usize) {
        let rules = rules(OPTIONS[options]);
        match Position::parse(&text, &rules, None) {
            Ok(position) => {
                let written = position.to_string();
                let again = Position::parse(&written, &rules, None);
                prop_assert!(again.is_ok_and(|again| again == position), "{}", written);
                prop_assert_eq!(position.key(), position.fresh_key());
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

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn any_text_is_a_position_or_a_clear_error(
        text in "[0-9.]{0,12}/[-0-9.]{0,10}/[0-9.]{0,12}/[-0-9.]{0,9} [SENWx-] [SENW-]{1,3} [a-f0-9,-]{0,5} [0-9+-]{0,6}( [-a-e0-9SN]{1,3}){0,2}",
        options in 0..VARIANTS.len(),
    ) {
        check_text(&text, VARIANTS[options]);
    }

    #[test]
    fn any_bytes_are_a_position_or_a_clear_error(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        check_text(&String::from_utf8_lossy(&bytes), "");
    }

    #[test]
    fn any_token_is_a_move_or_a_clear_error(
        token in "(t?[0-9]{0,3}|pass|([a-f][0-9]{1,2}[a-f][0-9]d?,?){0,14}|.{0,9})",
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let options = VARIANTS[random.below(VARIANTS.len() as u64) as usize];
        let start = random_position(options, &mut random);
        match start.parse_move(&token) {
            Err(error) => prop_assert!(is_clear(&error.to_string()), "{error}"),
            Ok(m) if start.is_legal(&m) => {
                let mut next = start.clone();
                next.play(&m);
                check_position(&next, &rules(options));
            }
            Ok(m) => prop_assert!(is_clear(&start.explain_illegal(&m))),
        }
    }
}

fn is_clear(message: &str) -> bool {
    message.len() > 8 && !message.contains('\n')
}

fn check_text(text: &str, options: &str) {
    match Position::parse(text, &rules(options), None) {
        Ok(position) => check_position(&position, &rules(options)),
        Err(error) => assert!(is_clear(&error.to_string()), "{error}"),
    }
}
