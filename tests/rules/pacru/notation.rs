//! Positions and moves as text: what is read, what is refused and why, lists.

use parlor::game::{Game, MoveList, Notation};
use parlor::games::pacru::Position;

use super::{data_lines, position, refusal, rules, start, tokens};
use crate::properties::check_position;

#[test]
fn valid_positions_are_read_and_written_back() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/pacru/valid.txt")) {
        // `given` or `given => written`, where blocked players go out on reading.
        let (given, written) = line.split_once(" => ").unwrap_or((line, line));
        assert_eq!(position(given).to_string(), written);
        check_position(&position(given), &rules(&[]));
        checked += 1;
    }
    assert!(checked >= 12);
}

#[test]
fn invalid_positions_are_refused_with_the_rule_they_break() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/pacru/invalid.txt")) {
        let (given, reason) = line.split_once(" => ").expect("position => reason");
        let error = Position::parse(given, &rules(&[]), None).expect_err(given);
        let error = error.to_string();
        assert!(error.contains(reason), "{given}: {error}");
        assert!(error.is_ascii() && !error.contains('\n'));
        checked += 1;
    }
    assert!(checked >= 25);
}

#[test]
fn refused_moves_name_the_rule_they_break() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/pacru/refused.txt")) {
        let [fen, token, reason] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let here = if fen == "startpos" { start("2") } else { position(fen) };
        let said = refusal(&here, token);
        assert!(said.contains(reason), "{token}: {said}");
        assert!(said.is_ascii() && !said.contains('\n'));
        checked += 1;
    }
    assert!(checked >= 35);
}

/// Player 1 to move with `own` markers on unoccupied fields and one chevron on e5.
fn rich(own: usize) -> Position {
    let mut lines: Vec<String> = Vec::new();
    let mut left = own;
    for rank in (1..=9).rev() {
        let mut line = String::new();
        let mut empty = 0;
        for file in 1..=9 {
            let cell = match (file, rank) {
                (5, 5) => "[1N]",
                (9, 9) => "[2SW]",
                (4..=6, 4..=6) | (8, 8) => "",
                _ if left > 0 => {
                    left -= 1;
                    "a"
                }
                _ => "",
            };
            if cell.is_empty() {
                empty += 1;
                continue;
            }
            if empty > 0 {
                line += &empty.to_string();
            }
            empty = 0;
            line += cell;
        }
        if empty > 0 {
            line += &empty.to_string();
        }
        lines.push(line);
    }
    position(&format!("{} 1 2", lines.join("/")))
}

fn choose(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, i| product * (of - i) / (i + 1))
}

#[test]
fn long_lists_are_listed_to_the_limit_and_no_further() {
    let position_33 = rich(33);
    let rotations = 2 * (choose(33, 2) + choose(33, 4));
    assert_eq!(position_33.count_moves(), 3 + rotations);
    assert_eq!(rotations, 82_896);
    assert_eq!(tokens(&position_33, "").len() as u64, 3 + rotations);
    assert_eq!(rich(35).list_moves(""), MoveList::Many);
    assert!(rich(35).count_moves() > 100_000);
}

#[test]
fn a_prefix_selects_among_two_hundred_thousand_moves() {
    let position = rich(41);
    assert_eq!(position.count_moves(), 3 + 2 * (choose(41, 2) + choose(41, 4)));
    let list = tokens(&position, "e5>>(b7,");
    let after_b7 = tokens(&position, "e5>(b7,").len() as u64;
    assert_eq!(list.len() as u64, choose(after_b7, 3));
    assert_eq!(tokens(&position, "e5-"), ["e5-d6", "e5-e6", "e5-f6"]);
    assert_eq!(position.list_moves("e5>>"), MoveList::Many);
    assert_eq!(position.list_moves("e5"), MoveList::Many);
    assert_eq!(tokens(&position, "e5>(").len() as u64, choose(41, 2));
    assert_eq!(tokens(&position, "e6"), [""; 0]);
    assert_eq!(tokens(&position, "e5>(b7,c7)x"), [""; 0]);
}

#[test]
fn every_prefix_of_every_move_lists_exactly_the_moves_that_begin_so() {
    let position = position("4[2S]4/9/9/9/9/1a7/1[2S]7/1a7/a[1N*]a6 1 2");
    let all = tokens(&position, "");
    for token in &all {
        for end in 0..=token.len() {
            let prefix = &token[..end];
            let expected: Vec<&String> = all.iter().filter(|t| t.starts_with(prefix)).collect();
            assert_eq!(tokens(&position, prefix).iter().collect::<Vec<_>>(), expected, "{prefix}");
        }
    }
}
