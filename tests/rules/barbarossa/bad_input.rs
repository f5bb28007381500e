//! Arbitrary bytes, tokens and position texts: read or refused, never a panic.

use parlor::game::{Game, Hidden, Notation, OptionValues, Random, Rules, Seat};
use parlor::games::barbarossa::Position;
use proptest::prelude::*;

use super::driver::{choose, options, random_options};
use super::notation::{EXAMPLE, read};
use crate::fuzzing::cases;

/// Everything that may be asked of a position that was read from somewhere.
fn use_position(position: &Position, options: &OptionValues) {
    let _ = (position.turn(), position.outcome(), position.moves().len(), position.fresh_key());
    let again = Position::parse(&position.to_string(), options, position.viewer());
    assert_eq!(again.as_ref(), Ok(position));
    let mut next = position.clone();
    let mut random = Random::new(1);
    for _ in 0..30 {
        let Some(m) = next.random_move(&mut random) else {
            break;
        };
        assert!(next.is_legal(&m));
        next.play(&m);
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_bytes_as_a_token_do_no_harm(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let table = Position::start(&options(&[("Words", "free")]), None).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(m) = table.parse_move(&text) {
            let written = table.token(&m);
            prop_assert_eq!(table.parse_move(&written), Ok(m.clone()));
            let _ = (table.is_legal(&m), table.explain_illegal(&m));
        }
    }

    #[test]
    fn any_change_of_a_line_is_read_or_refused(
        at in 0usize..EXAMPLE.len(),
        length in 0usize..12,
        piece in "[a-z0-9?:;|=,.-]{0,8}|[a-z]{1,9}=[a-z0-9]{0,3}|p[1-4][:.][a-z?]{1,6}",
    ) {
        let end = (at + length).min(EXAMPLE.len());
        let line = format!("{}{piece}{}", &EXAMPLE[..at], &EXAMPLE[end..]);
        match read(&line, Some(1)) {
            Ok(position) => use_position(&position, &options(&[])),
            Err(error) => prop_assert!(error.is_ascii() && !error.contains('\n')),
        }
    }

    #[test]
    fn any_change_of_a_line_of_any_rules_is_read_or_refused(
        seed in 0u64..1_000_000,
        at in 0usize..2_000,
        length in 0usize..12,
        piece in "[a-z0-9?:;|=,.-]{0,8}|[a-z]{1,9}=[a-z0-9]{0,3}|p[1-4][:.][a-z?]{1,6}",
    ) {
        let mut random = Random::new(seed);
        let players = ["3", "4", "5", "6", "duel"][random.below(5) as usize];
        let options = random_options(players, &mut random);
        let mut full = Position::start(&options, None).unwrap();
        for _ in 0..random.below(400) {
            let Some(m) = choose(&full, &mut random) else { break };
            full.play(&m);
        }
        let viewer = Seat::all(full.seats()).nth(random.below(7) as usize);
        let line = viewer.map_or(full.clone(), |seat| full.view(seat)).to_string();
        let (at, end) = (at % line.len(), (at % line.len() + length).min(line.len()));
        let changed = format!("{}{piece}{}", &line[..at], &line[end..]);
        match Position::parse(&changed, &options, viewer) {
            Ok(position) => use_position(&position, &options),
            Err(error) => {
                let text = error.to_string();
                prop_assert!(text.is_ascii() && !text.contains('\n'));
            }
        }
    }

    #[test]
    fn any_token_of_the_grammar_is_legal_or_explained(
        kind in "ask|guess|curse:guess|curse:letter|letter|word|show|done|deal|give|jewels|first|r",
        rest in "(:[a-f][1-4])?(:[a-z_]{3,12}|:[?]|:[0-9]{1,3})?",
        seed in 0u64..40,
    ) {
        let mut random = Random::new(seed);
        let mut position = Position::start(&options(&[("Words", "free")]), None).unwrap();
        for _ in 0..seed * 7 {
            let Some(m) = choose(&position, &mut random) else { break };
            position.play(&m);
        }
        if let Ok(m) = position.parse_move(&format!("{kind}{rest}")) {
            if position.is_legal(&m) {
                position.play(&m);
                prop_assert_eq!(position.key(), position.fresh_key());
            } else {
                prop_assert!(position.explain_illegal(&m) != "this move is legal");
            }
        }
    }
}
