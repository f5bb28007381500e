//! Perft counts, published positions and games, and worked examples of the rules.

use parlor::game::{Game, perft};
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::games::shacru::Shacru;

use super::reference::Reference;
use super::{after, azacru, lines, rules, shacru, start, tokens};
use crate::properties::check_position;

fn counts_are_those_of_the_table<K: Kind>() {
    for line in lines(include_str!("../../data/filling-perft.txt")) {
        for (depth, count) in (1..).zip(line[1].split(' ')) {
            let found = perft(&start::<K>(line[0]), depth, true).expect("a countable position");
            assert_eq!(found.to_string(), count, "{} players, depth {depth}", line[0]);
        }
    }
}

#[test]
fn perft_counts_are_those_of_the_table() {
    counts_are_those_of_the_table::<Shacru>();
    counts_are_those_of_the_table::<Azacru>();
}

/// The fast counts to depth 3 by the reference; to depth 6 in the slow tests.
fn the_reference_counts_the_same<K: Kind>() {
    let slow = std::env::var_os("PARLOR_SLOW_TESTS").is_some();
    for players in ["2", "3", "4"] {
        let position: Position<K> = start(players);
        let reference = Reference::read(&position.to_string(), K::POWER);
        for depth in 1..=if slow { 6 } else { 3 } {
            let fast = perft(&position, depth, true);
            assert_eq!(fast, Ok(reference.perft(depth as usize)), "{players} {depth}");
        }
    }
}

#[test]
fn the_reference_counts_the_same_games() {
    the_reference_counts_the_same::<Shacru>();
    the_reference_counts_the_same::<Azacru>();
}

fn have_the_published_moves<K: Kind>(file: &str) {
    let mut checked = 0;
    for line in lines(file) {
        let position: Position<K> = line[0].parse().expect(line[0]);
        assert_eq!(position.to_string(), line[0]);
        let mut expected: Vec<&str> = line[1].split(' ').collect();
        expected.sort_unstable();
        assert_eq!(tokens(&position, ""), expected.join(" "), "{}", line[0]);
        check_position(&position, &rules::<K>("2"));
        checked += 1;
    }
    assert_eq!(checked, 250);
}

#[test]
fn published_positions_have_the_published_moves() {
    have_the_published_moves::<Shacru>(include_str!("../../data/shacru/moves.txt"));
    have_the_published_moves::<Azacru>(include_str!("../../data/azacru/moves.txt"));
}

fn games_end_as_published<K: Kind>(file: &str) {
    let mut checked = 0;
    for line in lines(file) {
        let [players, moves, places, end] = line[..] else { panic!("{line:?}") };
        let position = after(&start::<K>(players), moves);
        assert_eq!(position.to_string(), end);
        let outcome = position.outcome().expect("the end");
        let found: Vec<String> = outcome.places().iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), places, "{end}");
        assert!(end.parse::<Position<K>>().expect(end).is_over(), "{end}");
        checked += 1;
    }
    assert_eq!(checked, 40);
}

#[test]
fn published_games_end_as_published() {
    games_end_as_published::<Shacru>(include_str!("../../data/shacru/games.txt"));
    games_end_as_published::<Azacru>(include_str!("../../data/azacru/games.txt"));
}

#[test]
fn a_move_marks_its_field_and_may_turn_the_chevron_over_a_border() {
    let next = after(&shacru("9/9/9/9/9/9/[1E]7[2W]/9/9 1 2 0"), "a3-b4<");
    assert_eq!(next.to_string(), "9/9/9/9/9/1[1N*]7/8[2W]/9/9 2 2 0");
    let list = tokens(&shacru("9/9/9/9/9/9/[1E]7[2W]/9/9 1 2 0"), "");
    assert_eq!(list, "a3-b2 a3-b3 a3-b4 a3-b4< a3-b4>");
}

#[test]
fn shacru_ends_when_nobody_can_gain_though_moves_are_left() {
    // Player 1 has a ring of own fields in the corner, and enemy markers around it.
    let ring = "4bbbbb/4bbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/bbbbbbbbb/aabbbbbbb/aabbbbbbb/[1N*]abbbbbb[2N*] 1 2 0";
    let position = shacru(ring);
    // The neutral corner lies behind markers of player 2, whose chevron can reach it.
    assert_eq!(position.reason(), None);
    let full = ring.replacen("4bbbbb/4bbbbb", "aaaabbbbb/aaaabbbbb", 1);
    assert_eq!(shacru(&full).reason(), Some("no-more-gain"));
    let over = shacru(&full);
    assert_eq!(over.outcome().expect("an end").places(), [2, 1]);
}

#[test]
fn players_who_cannot_move_are_passed_over_and_the_game_ends_when_nobody_can() {
    // Both look off the board.
    let one = shacru("8[2N]/9/9/9/9/9/9/9/[1S]8 2 2 0");
    // From the corner no way leads on: neither chevron gains any more.
    assert_eq!(one.reason(), Some("no-more-gain"));
    // Player 1 is walled in by chevrons of player 2, who look off the board.
    let walled = "[2N]8/9/9/9/9/9/9/9/9 1 2 0";
    assert_eq!(shacru(walled).reason(), Some("no-more-gain"));
    let blocked = shacru("[1E*][2N]7/[2W*][2W]7/a8/9/9/9/9/9/9 1 2 0");
    assert_eq!(blocked.reason(), Some("blocked"));
    let passed = shacru("[1E*][2E]7/[2W*][2W]7/9/9/9/9/9/9/9 1 2 3");
    assert_eq!(passed.to_string(), "[1E*][2E]7/[2W*][2W]7/9/9/9/9/9/9/9 2 2 3");
}

#[test]
fn twenty_turns_a_player_without_a_gain_end_the_game() {
    let text = "aaaaaa3/[1E*]aaaaa3/aaaaaa3/9/9/9/3bbbbbb/3bbbbb[2W*]/3bbbbbb 1 2 39";
    let next = after(&shacru(text), "a8-b8");
    assert_eq!(next.reason(), Some("no-gain"));
    let next = after(&azacru(&text.replace(" 39", " - 39")), "a8-b8");
    assert_eq!(next.reason(), Some("no-gain"));
    assert_eq!(after(&shacru(&text.replace("39", "38")), "a8-b8").reason(), None);
}

#[test]
fn azacru_moves_as_far_as_its_power() {
    let position = azacru("8[2W]/9/9/9/9/9/9/a8/[1E*]a7 1 2 - 0");
    // Three markers in the borderland: three fields, the fourth is out of reach.
    assert_eq!(tokens(&position, "a1-d1"), "a1-d1 a1-d1< a1-d1>");
    assert_eq!(tokens(&position, "a1-e1"), "");
    assert_eq!(tokens(&position, "a1-b1"), "a1-b1");
}

#[test]
fn a_connection_replaces_markers_and_costs_the_chevron() {
    let position = azacru("8[2W]/9/9/9/9/9/9/aa7/[1E*]ba6 1 2 - 7");
    let next = after(&position, "a1-c1");
    assert_eq!(next.to_string(), "8[2W]/9/9/9/9/9/9/aa7/aaa6 2 2 - 0");
    // Only neutral fields between: the chevron stays, and over a border it may twist.
    let position = azacru("8[2W]/9/9/9/9/9/9/a8/[1E*]a1a5 1 2 - 0");
    assert_eq!(tokens(&position, "a1-d1"), "a1-d1 a1-d1< a1-d1>");
    let next = after(&position, "a1-d1<");
    assert_eq!(next.to_string(), "8[2W]/9/9/9/9/9/9/a8/aaa[1NE*]5 2 2 - 0");
    // A chevron between makes it a jump: nothing changes there.
    let position = azacru("8[2W]/9/9/9/9/9/9/a8/[1E*][2N]aa5 1 2 - 3");
    let next = after(&position, "a1-c1");
    assert_eq!(next.to_string(), "8[2W]/9/9/9/9/9/9/a8/a[2N][1E*]a5 2 2 - 4");
}

#[test]
fn the_first_player_who_cannot_move_starts_the_last_round() {
    // After the move of player 1 player 2 looks off the board.
    let position = azacru("8[2N]/9/9/[1N]8/9/9/8[3W]/9/9 1 3 - 0");
    let next = after(&position, "a6-a7");
    assert_eq!(next.to_string(), "8[2N]/9/[1N*]8/9/9/9/8[3W]/9/9 3 3 p2 0");
    // No twist over the border, and after player 3 and player 1 the game is over.
    assert_eq!(tokens(&next, ""), "i3-h2 i3-h3 i3-h4");
    let next = after(&next, "i3-h4 a7-a8");
    assert_eq!((next.reason(), next.last()), (Some("last-round"), Some(1)));
    assert_eq!(next.outcome().expect("an end").places(), [1, 3, 2]);
}
