//! Arbitrary text and damaged tokens: read or refused, never a panic.

use parlor::game::{Game, MoveList, Notation, Random, Rules};
use parlor::games::pacru::Position;
use proptest::prelude::*;

use super::{position, rules};
use crate::fuzzing::cases;
use crate::properties::check_position;

/// Characters that positions and moves are made of, and some that they are not.
fn scraps() -> impl Strategy<Value = String> {
    const WORDS: [&str; 32] = [
        "[", "]", "*", "/", "1", "2", "3", "9", "N", "E", "SW", "a", "b", "d", "e5", "i9", "-",
        "x", ">", ">>", "<", "(", ")", ",", " ", "[1NE*]", "[2S]", "9/9/9", " 1 2", "a3-b4",
        "\u{e9}", "0",
    ];
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(cases(4_000))]

    #[test]
    fn no_text_breaks_the_readers(text in scraps(), noise in prop::collection::vec(any::<u8>(), 0..40)) {
        let rules = rules(&[]);
        let here = position("4[2S]4/9/9/9/9/1a7/1[2S]7/1a7/a[1N*]a6 1 2");
        for text in [text, String::from_utf8_lossy(&noise).into_owned()] {
            if let Ok(read) = Position::parse(&text, &rules, None) {
                check_position(&read, &rules);
            }
            if let Ok(m) = here.parse_move(&text) {
                let said = here.explain_illegal(&m);
                prop_assert!(said.is_ascii());
                let _ = here.token(&m);
            }
            let _ = here.list_moves(&text);
        }
    }

    #[test]
    fn bent_tokens_and_positions_are_read_or_refused(
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
        byte in 0x20u8..0x7f,
        players in 2usize..=4,
    ) {
        let rules = rules(&[("Players", &players.to_string())]);
        let mut random = Random::new(seed);
        let mut here = Position::start(&rules, None).unwrap();
        for _ in 0..random.below(60) {
            let Some(m) = here.random_move(&mut random) else { break };
            here.play(&m);
        }
        if let Some(m) = here.random_move(&mut random) {
            let bent = bend(&here.token(&m), at, byte);
            if let Ok(read) = here.parse_move(&bent) {
                let MoveList::Listed(list) = here.list_moves(&here.token(&read)) else {
                    return Ok(());
                };
                let legal = list.contains(&here.token(&read));
                prop_assert_eq!(here.is_legal(&read), legal, "{} in {}", bent, here.to_string());
            }
        }
        if let Ok(read) = Position::parse(&bend(&here.to_string(), at, byte), &rules, None) {
            let text = read.to_string();
            let again = Position::parse(&text, &rules, None).unwrap();
            prop_assert_eq!(&again, &read);
            prop_assert_eq!(read.turn().is_over(), read.count_moves() == 0);
        }
    }
}

fn bend(text: &str, at: prop::sample::Index, byte: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let index = at.index(bytes.len());
    bytes[index] = byte;
    String::from_utf8(bytes).expect("ASCII")
}
