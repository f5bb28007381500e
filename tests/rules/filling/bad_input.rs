//! Texts and tokens that are refused, and arbitrary ones: never a panic.

use parlor::game::{Game, Notation, Random};
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::games::shacru::Shacru;
use proptest::prelude::*;

use super::{lines, rules, start};
use crate::fuzzing::cases;
use crate::properties::check_position;

fn refuses<K: Kind>(positions: &str, tokens: &str) {
    for line in lines(positions) {
        let error = line[0].parse::<Position<K>>().expect_err(line[0]).to_string();
        assert!(error.contains(line[1]) && error.is_ascii(), "{}: {error}", line[0]);
    }
    for line in lines(tokens) {
        let here: Position<K> = match line[0] {
            "startpos" => start("2"),
            text => text.parse().expect(text),
        };
        let said = match here.parse_move(line[1]) {
            Err(error) => error.to_string(),
            Ok(m) => {
                assert!(!here.is_legal(&m), "{} is legal", line[1]);
                here.explain_illegal(&m)
            }
        };
        assert!(said.contains(line[2]) && said.is_ascii(), "{}: {said}", line[1]);
    }
}

#[test]
fn refused_positions_and_moves_name_the_rule_that_they_break() {
    refuses::<Shacru>(
        include_str!("../../data/shacru/invalid.txt"),
        include_str!("../../data/shacru/refused.txt"),
    );
    refuses::<Azacru>(
        include_str!("../../data/azacru/invalid.txt"),
        include_str!("../../data/azacru/refused.txt"),
    );
}

/// Player 1 was blocked by a chevron that has left its first field since.
#[test]
fn who_started_the_last_round_may_have_got_a_way_since() {
    for (text, is_over) in [
        ("9/9/8[3W]/[1S*][2NE*]7/1b7/9/9/9/9 3 3 p1 0", false),
        ("9/[1S*][2NE*]7/1b7/9/9/9/9/9/9 1 2 p1 0", true),
        // Both ways were closed, by one player each.
        ("9/9/8[3W*]/9/9/9/9/1[2NW*]1[1S*]1[4NE*]3/3b5 1 4 p1 0", true),
    ] {
        let position: Position<Azacru> = text.parse().expect(text);
        assert_eq!((position.is_over(), position.to_string().as_str()), (is_over, text));
    }
}

/// A text with one character changed is read or refused, and what is read is written back.
fn survives<K: Kind>(seed: u64, plies: u64, at: prop::sample::Index, byte: u8) {
    let players = ["2", "3", "4"][(seed % 3) as usize];
    let mut random = Random::new(seed);
    let mut here: Position<K> = start(players);
    for _ in 0..plies {
        let Some(m) = here.random_move(&mut random) else { break };
        here.play(&m);
    }
    let bend = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        let index = at.index(bytes.len());
        bytes[index] = byte;
        String::from_utf8_lossy(&bytes).into_owned()
    };
    if let Ok(read) = Position::<K>::parse(&bend(&here.to_string()), &rules::<K>(players), None) {
        check_position(&read, &rules::<K>(players));
    }
    if let Some(m) = here.random_move(&mut random)
        && let Ok(read) = here.parse_move(&bend(&here.token(&m)))
    {
        let listed = here.moves().contains(&read);
        assert_eq!(here.is_legal(&read), listed, "{read} in {here}");
        assert!(here.explain_illegal(&read).is_ascii());
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn bent_texts_are_read_or_refused(
        seed in any::<u64>(),
        plies in 0u64..80,
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        survives::<Shacru>(seed, plies, at, byte);
        survives::<Azacru>(seed, plies, at, byte);
    }
}
