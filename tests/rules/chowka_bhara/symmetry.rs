//! Properties: the generic ones, turned boards, conservation of pawns, any bytes.

use std::collections::BTreeSet;

use parlor::game::{Game, Notation, Random, Rules};
use parlor::games::chowka_bhara::Position;
use proptest::prelude::*;

use super::{VARIANTS, plays, position, random_position, rules};
use crate::properties::{check_position, random_walk};

#[test]
fn generic_properties_hold_in_random_games_under_every_option() {
    for words in VARIANTS {
        let options = rules(words);
        random_walk(&options, 6, 120, |position: &Position| check_position(position, &options));
    }
}

#[test]
fn generic_properties_hold_in_random_positions() {
    for (seed, words) in VARIANTS.iter().enumerate() {
        let mut random = Random::new(1000 + seed as u64);
        for _ in 0..60 {
            check_position(&random_position(words, &mut random), &rules(words));
        }
    }
}

/// A position turned by so many quarters; only for four seats, or by half for two.
fn turned(text: &str, quarters: usize) -> String {
    let words: Vec<_> = text.split(' ').collect();
    let letters = ['S', 'E', 'N', 'W'];
    let letter = |c: char| match letters.iter().position(|l| *l == c) {
        Some(side) => letters[(side + quarters) % 4],
        None => c,
    };
    let mut sides: Vec<_> = words[0].split('/').collect();
    sides.rotate_right(quarters);
    let mut hits: Vec<_> = words[2].chars().map(letter).collect();
    hits.sort_by_key(|c| letters.iter().position(|l| l == c));
    let cells = |word: &str| {
        let mut cells: Vec<_> = word.split(',').map(|cell| turned_cell(cell, quarters)).collect();
        cells.sort();
        cells.join(",")
    };
    let turn: String = words[1].chars().map(letter).collect();
    let hits: String = hits.into_iter().collect();
    format!("{} {turn} {hits} {} {}", sides.join("/"), cells(words[3]), words[4])
}

fn turned_cell(cell: &str, quarters: usize) -> String {
    if cell == "-" {
        return cell.into();
    }
    let bytes = cell.as_bytes();
    let (mut file, mut rank) = (bytes[0] - b'a', bytes[1] - b'1');
    for _ in 0..quarters {
        (file, rank) = (4 - rank, file);
    }
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

fn turned_play(token: &str, quarters: usize) -> String {
    if token == "pass" {
        return token.into();
    }
    let step = |text: &str| {
        format!(
            "{}{}{}",
            turned_cell(&text[..2], quarters),
            turned_cell(&text[2..4], quarters),
            &text[4..]
        )
    };
    token.split(',').map(step).collect::<Vec<_>>().join(",")
}

#[test]
fn turning_the_table_turns_the_plays() {
    for (words, by) in [("Players=4", 1), ("Players=4", 3), ("", 2)] {
        let mut random = Random::new(77);
        for _ in 0..400 {
            let here = random_position(words, &mut random);
            let there = position(&turned(&here.to_string(), by), words);
            assert_eq!(here.turn().is_chance(), there.turn().is_chance());
            if here.turn().seat().is_none() {
                continue;
            }
            let expected: BTreeSet<_> =
                plays(&here).iter().map(|token| turned_play(token, by)).collect();
            let found: BTreeSet<_> = plays(&there).into_iter().collect();
            assert_eq!(found, expected, "{}", here.to_string());
            for m in here.moves() {
                let mut next = here.clone();
                next.play(&m);
                let token = turned_play(&here.token(&m), by);
                let mut other = there.clone();
                other.play(&there.parse_move(&token).expect("a turned play"));
                assert_eq!(other.to_string(), turned(&next.to_string(), by));
            }
        }
    }
}

#[test]
fn pawns_are_never_lost_nor_made_and_only_hits_send_back() {
    for words in VARIANTS {
        let options = rules(words);
        let mut random = Random::new(5);
        let mut game = Position::start(&options, None).expect("a start");
        for _ in 0..600 {
            let before = game.clone();
            let Some(m) = game.random_move(&mut random) else {
                break;
            };
            game.play(&m);
            let mover = before.side();
            for side in game.sides() {
                assert_eq!(game.pawns(*side).len(), before.pawns(*side).len());
                let sent = |p: &Position| p.pawns(*side).iter().filter(|i| **i == 0).count();
                let kept: Vec<_> = game.pawns(*side).iter().filter(|i| **i != 0).collect();
                if *side != mover {
                    // What stays of an enemy stays where it was; the rest is at home.
                    assert!(kept.iter().all(|i| before.pawns(*side).contains(i)));
                    if sent(&game) > sent(&before) {
                        assert!(game.gate_open(mover), "a hit opens the gate");
                    }
                } else if !words.contains("circle") {
                    let sum =
                        |p: &Position| p.pawns(mover).iter().map(|i| u32::from(*i)).sum::<u32>();
                    let thrown: u32 = before.throws().iter().map(|v| u32::from(*v)).sum();
                    assert!(sum(&game) >= sum(&before) && sum(&game) <= sum(&before) + 2 * thrown);
                }
            }
        }
    }
}

#[test]
fn another_spelling_of_a_play_is_accepted_and_leads_to_the_same_position() {
    let start = position("0.0.0.0/-/0.0.0.0/- S - - 4+3", "");
    let listed = start.parse_move("c1e2,e2d5").expect("a play");
    let other = start.parse_move("c1e3,e3d5").expect("a play");
    assert!(start.is_legal(&listed) && start.is_legal(&other) && listed != other);
    let after = |m| {
        let mut next = start.clone();
        next.play(&m);
        next
    };
    assert_eq!(after(listed), after(other));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

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
        let words = VARIANTS[random.below(VARIANTS.len() as u64) as usize];
        let start = random_position(words, &mut random);
        match start.parse_move(&token) {
            Err(error) => prop_assert!(is_clear(&error.to_string()), "{error}"),
            Ok(m) if start.is_legal(&m) => {
                let mut next = start.clone();
                next.play(&m);
                check_position(&next, &rules(words));
            }
            Ok(m) => prop_assert!(is_clear(&start.explain_illegal(&m))),
        }
    }
}

fn is_clear(message: &str) -> bool {
    message.len() > 8 && !message.contains('\n')
}

fn check_text(text: &str, words: &str) {
    match Position::parse(text, &rules(words), None) {
        Ok(position) => check_position(&position, &rules(words)),
        Err(error) => assert!(is_clear(&error.to_string()), "{error}"),
    }
}
