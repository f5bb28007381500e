//! Turned boards have turned plays.

use std::collections::BTreeSet;

use parlor::game::{Game, Notation, Random};

use super::{plays, position, random_position};

/// A position turned by quarters: by any number for four seats, by two for two seats.
pub fn turned(text: &str, quarters: usize) -> String {
    let fields: Vec<_> = text.split(' ').collect();
    let letters = ['S', 'E', 'N', 'W'];
    let letter = |c: char| match letters.iter().position(|l| *l == c) {
        Some(side) => letters[(side + quarters) % 4],
        None => c,
    };
    let mut sides: Vec<_> = fields[0].split('/').collect();
    sides.rotate_right(quarters);
    let mut hits: Vec<_> = fields[2].chars().map(letter).collect();
    hits.sort_by_key(|c| letters.iter().position(|l| l == c));
    let cells = |field: &str| {
        let mut cells: Vec<_> = field.split(',').map(|cell| turned_cell(cell, quarters)).collect();
        cells.sort();
        cells.join(",")
    };
    let turn: String = fields[1].chars().map(letter).collect();
    let hits: String = hits.into_iter().collect();
    format!("{} {turn} {hits} {} {}", sides.join("/"), cells(fields[3]), fields[4])
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
    for (options, by) in [("Players=4", 1), ("Players=4", 3), ("", 2)] {
        let mut random = Random::new(77);
        for _ in 0..400 {
            let here = random_position(options, &mut random);
            let there = position(&turned(&here.to_string(), by), options);
            assert_eq!(here.turn().is_chance(), there.turn().is_chance());
            if here.turn().seat().is_none() {
                continue;
            }
            let expected: BTreeSet<_> =
                plays(&here).iter().map(|token| turned_play(token, by)).collect();
            let found: BTreeSet<_> = plays(&there).into_iter().collect();
            assert_eq!(found, expected, "{}", here);
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
