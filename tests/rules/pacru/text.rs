//! Text of Pacru: what is read, what is refused and why, lists, diagrams.

use std::time::{Duration, Instant};

use parlor::game::{DiagramStyle, Game, MoveList, Notation, Random, Rules};
use parlor::games::pacru::Position;
use proptest::prelude::*;

use super::{after, position, refusal, rules, start};
use crate::properties::check_position;

#[test]
fn valid_positions_are_read_and_written_back() {
    let text = include_str!("../../data/pacru/valid.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
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
    let text = include_str!("../../data/pacru/invalid.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
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
    let text = include_str!("../../data/pacru/refused.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
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

#[test]
fn options_forbid_what_they_say() {
    let strict = rules(&[("LandingMarker", "false")]);
    let strict = Position::start(&strict, None).unwrap();
    assert!(refusal(&strict, "a3-b4(b4)").contains("LandingMarker"));
    let quiet = rules(&[("Rotations", "false")]);
    let fen = "8[2SW]/9/9/9/4[1N]4/9/9/a7a/a7a 1 2";
    let quiet = Position::parse(fen, &quiet, None).unwrap();
    assert!(refusal(&quiet, "e5>(a1,a2)").contains("Rotations"));
}

#[test]
fn the_number_of_players_in_a_position_outranks_the_option() {
    let four = rules(&[("Players", "4")]);
    let text = start("3").to_string();
    let read = Position::parse(&text, &four, None).unwrap();
    assert_eq!(read.seats(), 3);
    assert!(read.rules().contains(&("Players", "3".into())));
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

fn listed(position: &Position, prefix: &str) -> Vec<String> {
    match position.list_moves(prefix) {
        MoveList::Listed(list) => list,
        other => panic!("{prefix}: {other:?}"),
    }
}

fn choose(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, i| product * (of - i) / (i + 1))
}

/// The quickest of some runs: how long it takes where nothing else is going on. What is asked of it
/// leaves room for a busy machine.
fn quickest(run: impl Fn()) -> Duration {
    let timed = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed()
    };
    (0..5).map(timed).min().unwrap_or_default()
}

#[test]
fn long_lists_are_listed_to_the_limit_and_no_further() {
    let position_33 = rich(33);
    let rotations = 2 * (choose(33, 2) + choose(33, 4));
    assert_eq!(position_33.count_moves(), 3 + rotations);
    assert_eq!(rotations, 82_896);
    let taken = quickest(|| {
        assert_eq!(listed(&position_33, "").len() as u64, 3 + rotations);
    });
    assert!(taken < Duration::from_secs(5), "{taken:?}");
    assert_eq!(rich(35).list_moves(""), MoveList::Many);
    assert!(rich(35).count_moves() > 100_000);
}

#[test]
fn a_prefix_among_two_hundred_thousand_is_generated_and_not_filtered() {
    let position = rich(41);
    assert_eq!(position.count_moves(), 3 + 2 * (choose(41, 2) + choose(41, 4)));
    let taken = quickest(|| {
        listed(&position, "e5>>(b7,");
    });
    assert!(taken < Duration::from_millis(500), "{taken:?}");
    let list = listed(&position, "e5>>(b7,");
    let after_b7 = listed(&position, "e5>(b7,").len() as u64;
    assert_eq!(list.len() as u64, choose(after_b7, 3));
    assert_eq!(listed(&position, "e5-"), ["e5-d6", "e5-e6", "e5-f6"]);
    assert_eq!(position.list_moves("e5>>"), MoveList::Many);
    assert_eq!(position.list_moves("e5"), MoveList::Many);
    assert_eq!(listed(&position, "e5>(").len() as u64, choose(41, 2));
    assert_eq!(listed(&position, "e6"), [""; 0]);
    assert_eq!(listed(&position, "e5>(b7,c7)x"), [""; 0]);
}

#[test]
fn every_prefix_of_every_move_lists_exactly_the_moves_that_begin_so() {
    let position = position("4[2S]4/9/9/9/9/1a7/1[2S]7/1a7/a[1N*]a6 1 2");
    let all = listed(&position, "");
    for token in &all {
        for end in 0..=token.len() {
            let prefix = &token[..end];
            let expected: Vec<&String> = all.iter().filter(|t| t.starts_with(prefix)).collect();
            assert_eq!(listed(&position, prefix).iter().collect::<Vec<_>>(), expected, "{prefix}");
        }
    }
}

#[test]
fn the_diagram_shows_facings_markers_and_borderlands() {
    let position = after(&start("2"), "a3-b4(b4)");
    let expected = "
   +----------------+----------------+----------------+
 9 | .    .    .    | .    2S   .    | .    .    1SW  |  p1 a: 1 of 42 markers; power e1:1 i3:1 b4:1 i9:1
 8 | .    .    .    | .    .    .    | .    .    .    |  p2 b to move: 0 of 42 markers; power a1:1 a7:1 i7:1 e9:1
 7 | 2E   .    .    | .    .    .    | .    .    2W   |
   +----------------+----------------+----------------+
 6 | .    .    .    | .    .    .    | .    .    .    |  1NE  chevron of p1 facing NE
 5 | .    .    .    | .    .    .    | .    .    .    |  1NE* the same on its own marker
 4 | .    1NE* .    | .    .    .    | .    .    .    |  a    marker of p1
   +----------------+----------------+----------------+  .    neutral
 3 | .    .    .    | .    .    .    | .    .    1W   |
 2 | .    .    .    | .    .    .    | .    .    .    |
 1 | 2NE  .    .    | .    1N   .    | .    .    .    |
   +----------------+----------------+----------------+
     a    b    c      d    e    f      g    h    i";
    assert_eq!(format!("\n{}", position.diagram(DiagramStyle::Ascii)), expected);
    let arrows = position.diagram(DiagramStyle::Unicode);
    assert!(arrows.contains("1\u{2197}*") && arrows.contains("2\u{2193}"), "{arrows}");
    assert!(position.diagram(DiagramStyle::Ascii).is_ascii());
}

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
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..Default::default() })]

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
