//! Perft and the worked positions, and the slow reference on random games.

use std::collections::BTreeMap;

use parlor::game::{Game, MoveList, Notation, Outcome, Random, Rules, Seat, Situation, perft};
use parlor::games::pacru::{Field, Position};

use super::reference::Reference;
use super::{after, position, refusal, rules, start};
use crate::properties::check_position;

pub fn counts(position: &Position, depths: usize) -> Vec<u64> {
    let perft = |depth| perft(position, depth as u32, true).expect("a countable position");
    (1..=depths).map(perft).collect()
}

fn tokens(position: &Position, prefix: &str) -> Vec<String> {
    match position.list_moves(prefix) {
        MoveList::Listed(list) => list,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_starting_positions_are_written_as_published() {
    let expected = [
        ("2", "4[2S]3[1SW]/9/[2E]7[2W]/9/9/9/[1E]7[1W]/9/[2NE]3[1N]4 1 2"),
        ("3", "2[2S]1[3S]1[1S]2/9/[3E]7[3W]/9/[2E]7[1W]/9/9/9/2[2N]3[1N]2 1 3"),
        ("4", "2[2S]1[3S]1[1S]2/9/[3E]7[3W]/9/[2E]7[1W]/9/[4E]7[4W]/9/2[2N]1[4N]1[1N]2 1 4"),
    ];
    for (players, text) in expected {
        assert_eq!(start(players).to_string(), text);
        assert_eq!(position(text).to_string(), text);
    }
}

#[test]
fn perft_from_the_starts() {
    assert_eq!(counts(&start("2"), 4), [28, 734, 16_168, 345_579]);
    assert_eq!(counts(&start("3"), 4), [24, 531, 11_363, 194_663]);
    assert_eq!(counts(&start("4"), 4), [23, 487, 10_389, 202_471]);
}

#[test]
fn perft_is_the_same_without_bulk_counting() {
    for (players, expected) in [("2", 16_168), ("3", 11_363), ("4", 10_389)] {
        assert_eq!(perft(&start(players), 3, false), Ok(expected));
    }
}

#[test]
fn perft_without_markers_on_the_landing_field() {
    let expected = [("2", [26, 630, 13_097]), ("3", [22, 443, 8_611]), ("4", [21, 403, 7_805])];
    for (players, counted) in expected {
        let rules = rules(&[("Players", players), ("LandingMarker", "false")]);
        assert_eq!(counts(&Position::start(&rules, None).unwrap(), 3), counted);
    }
}

const M1: &str = "1[2NW]5[1W]1/9/[2E]1b6/1a7/6[2SW]1b/1[1NE]1a3a1/4[1SW]4/[2N]2a5/4[1N]4 1 2";
const M4: &str = "3a[3S]4/5[1SW]1a[1NE]/9/b3acc2/[2S][2E]1c1[3SW]3/2c[3SE]1[1N]3/9/4[2E]b3/4a4 3 3";

#[test]
fn perft_of_middle_games_with_and_without_rotations() {
    let quiet = rules(&[("Rotations", "false")]);
    assert_eq!(counts(&position(M1), 2), [67, 2_330]);
    assert_eq!(counts(&position(M4), 2), [74, 4_055]);
    let without = |text| Position::parse(text, &quiet, None).unwrap();
    assert_eq!(counts(&without(M1), 3), [11, 242, 5_234]);
    assert_eq!(counts(&without(M4), 3), [32, 405, 2_729]);
}

#[test]
fn cases_have_the_published_number_of_moves() {
    let text = include_str!("../../data/pacru/cases.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let [name, fen, count] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let position = position(fen);
        assert_eq!(position.count_moves().to_string(), count, "{name}");
        assert_eq!(tokens(&position, "").len().to_string(), count, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 13);
}

#[test]
fn published_positions_have_the_published_moves() {
    let text = include_str!("../../data/pacru/moves.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let [fen, moves, rotations] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let quiet = Position::parse(fen, &rules(&[("Rotations", "false")]), None).unwrap();
        let mut expected: Vec<&str> = moves.split(' ').collect();
        expected.sort_unstable();
        assert_eq!(tokens(&quiet, ""), expected, "{fen}");
        let count = position(fen).count_moves() - quiet.count_moves();
        assert_eq!(count.to_string(), rotations, "{fen}");
        checked += 1;
    }
    assert_eq!(checked, 250);
}

#[test]
fn a_crossing_may_mark_the_field_it_lands_on() {
    let next = after(&start("2"), "a3-b4(b4)");
    let text = "4[2S]3[1SW]/9/[2E]7[2W]/9/9/1[1NE*]7/8[1W]/9/[2NE]3[1N]4 2 2";
    assert_eq!(next.to_string(), text);
}

#[test]
fn power_counts_own_markers_of_the_borderland() {
    let position = position("4[2S]4/9/9/9/9/9/9/1[1N]7/aaa6 1 2");
    let mut landings: Vec<String> =
        tokens(&position, "b2-").iter().map(|token| token[3..5].to_string()).collect();
    landings.dedup();
    assert_eq!(landings, ["a3", "b3", "b4", "b5", "c3", "d4", "e5"]);
}

#[test]
fn connection_jumps_need_own_markers_at_both_ends() {
    let position = position("4[2S]4/9/9/9/9/1a7/1[2S]7/1a7/a[1N*]a6 1 2");
    let forms = ["a4", "a5", "a6", "b5", "b6", "c4", "c5", "c6"];
    assert_eq!(tokens(&position, "b1-b4"), forms.map(|claim| format!("b1-b4({claim})")));
    assert!(refusal(&position, "b1-b3").contains("enemy chevron"));
    assert!(refusal(&position, "b1-b5").contains("b3 is in the way"));
    let next = after(&position, "b1-b4(c6)");
    assert_eq!(next.marker(Field::parse("b2").unwrap()), Some(Seat::new(0)));
    assert_eq!(next.marker(Field::parse("b3").unwrap()), None);
}

#[test]
fn a_long_move_between_own_markers_connects_or_claims() {
    let position_7 = position("7[2S]1/9/9/9/9/9/a8/a8/[1E*]1ba5 1 2");
    let forms = ["*", "d2", "d3", "e1", "e2", "e3", "f1", "f2", "f3"];
    assert_eq!(tokens(&position_7, "a1-d1"), forms.map(|gain| format!("a1-d1({gain})")));
    let connected = after(&position_7, "a1-d1(*)");
    assert_eq!(connected.to_string(), "7[2S]1/9/9/9/9/9/a8/a8/aaa[1E*]5 2 2");
    let claimed = after(&position_7, "a1-d1(d2)");
    assert_eq!(claimed.marker(Field::parse("c1").unwrap()), Some(Seat::new(1)));
    let position_8 = position("7[2S]1/9/9/9/9/9/9/a8/[1E*]ba6 1 2");
    assert_eq!(tokens(&position_8, "a1-c1"), ["a1-c1(*)"]);
    assert!(refusal(&position_8, "a1-c1").contains("compulsory"));
}

#[test]
fn a_full_borderland_is_transformed_unless_a_chevron_hides_a_neutral_field() {
    let full = position("7[2S]1/9/9/9/9/9/3bbb3/2[1E]a[2W*]a3/2abbb3 1 2");
    let forms = ["d1", "d3", "e1", "e3", "f1", "f3"];
    assert_eq!(tokens(&full, "c2-d2"), forms.map(|claim| format!("c2-d2({claim})")));
    let hidden = position("7[2S]1/9/9/9/9/9/3bbb3/2[1E]a[2W]a3/2abbb3 1 2");
    assert_eq!(tokens(&hidden, "c2-d2"), ["c2-d2"]);
}

#[test]
fn a_pincer_needs_two_attackers() {
    let two = position("7[2S]1/9/9/9/9/2[1E][2S*]5/3[1N]5/9/9 1 2");
    let claims = ["d5", "d6", "e4", "e5", "e6", "f4", "f5", "f6"];
    assert_eq!(tokens(&two, "c4x"), claims.map(|claim| format!("c4xd4({claim})")));
    assert_eq!(tokens(&two, "d3x"), claims.map(|claim| format!("d3xd4({claim})")));
    let next = after(&two, "c4xd4(d6)");
    assert_eq!(next.to_string(), "7[2S]1/9/9/3a5/9/3[1E*]5/3[1N]5/9/9 2 2");
    let one = position("7[2S]1/9/9/9/9/2[1E][2S]5/9/3[1N]5/[1N]8 1 2");
    assert!(tokens(&one, "").iter().all(|token| !token.contains('x')));
    assert!(refusal(&one, "c4xd4(d6)").contains("two attackers"));
}

#[test]
fn capturing_the_last_enemy_chevron_wins() {
    let position = position("9/9/9/9/9/2[1E][2S*]5/3[1N]5/9/9 1 2");
    // Player 2 has one chevron left, so the game is on.
    assert_eq!(position.outcome(), None);
    let won = after(&position, "c4xd4(d6)");
    assert_eq!(won.outcome(), Some(Outcome::win(2, Seat::new(0))));
    assert_eq!(won.reason(), Some("last-chevrons"));
    assert_eq!(won.count_moves(), 0);
}

#[test]
fn a_meeting_needs_an_opponent_with_nine_markers() {
    let eight = "7[2S]1/9/4[1S*]4/4a4/3a[1N*]4/3aa4/bb7/bbb6/bbb6 1 2";
    assert_eq!(tokens(&position(eight), "e5-e6"), ["e5-e6"]);
    assert!(refusal(&position(eight), "e5-e6(a9)").contains("at least 9"));
    let nine = position("7[2S]1/9/4[1S*]4/4a4/4[1N*]4/3a5/bbb6/bbb6/bbb6 1 2");
    assert_eq!(tokens(&nine, "e5-e6").len(), 76);
    assert!(refusal(&nine, "e5-e6").contains("a meeting is compulsory"));
    assert!(refusal(&nine, "e5-e6(d4)").contains("own marker"));
    assert!(refusal(&nine, "e5-e6(h9)").contains("occupied"));
    let next = after(&nine, "e5-e6(c3)");
    assert_eq!(next.marker(Field::parse("c3").unwrap()), Some(Seat::new(0)));
    let basic = rules(&[("MeetingThreshold", "0")]);
    let basic = Position::parse(eight, &basic, None).unwrap();
    // Neither occupied (3 chevrons) nor own (5 markers, two of them under chevrons).
    assert_eq!(tokens(&basic, "e5-e6").len(), 81 - 3 - 4);
}

#[test]
fn rotations_are_paid_with_markers_from_unoccupied_fields() {
    let position = position("8[2SW]/9/9/9/4[1N]4/9/9/a7a/a7a 1 2");
    let list = tokens(&position, "e5");
    assert_eq!(list.iter().filter(|token| token.contains('-')).count(), 3);
    assert_eq!(list.iter().filter(|token| !token.contains('-')).count(), 14);
    let next = after(&position, "e5>(a1,a2)");
    assert_eq!(next.to_string(), "8[2SW]/9/9/9/4[1NE]4/9/9/8a/8a 2 2");
    let next = after(&position, "e5<<(i2,a1,i1,a2)");
    assert_eq!(next.to_string(), "8[2SW]/9/9/9/4[1W]4/9/9/9/9 2 2");
}

#[test]
fn a_blocked_player_is_out_and_has_no_rotation() {
    let position = position("7[2S]1/9/9/3bbb3/4[1N]4/9/9/9/[1S]8 1 2");
    assert!(position.turn().is_over());
    assert_eq!(position.outcome(), Some(Outcome::win(2, Seat::new(1))));
    assert_eq!(position.reason(), Some("last-chevrons"));
    assert_eq!(position.to_string(), "7[2S]1/9/9/3bbb3/9/9/9/9/9 2 2");
    check_position(&position, &rules(&[]));
}

#[test]
fn an_eliminated_player_keeps_markers_and_place_by_them() {
    // Player 2 (a1, facing the corner) is blocked and out as soon as player 1 has moved.
    let text = "8[3SW]/9/9/9/3cc4/9/bbb6/9/[2SW]7[1N] 1 3";
    let next = after(&position(text), "i1-i2");
    assert_eq!(next.to_string(), "8[3SW]/9/9/9/3cc4/9/bbb6/8[1N]/9 3 3");
    assert_eq!(next.outcome(), None);
    let drawn = next.repetition().unwrap();
    assert_eq!(drawn.places(), [1, 3, 1], "those with chevrons share the first place");
}

/// A board with a chevron of player 1 on a3 about to cross into the neutral borderland of a4, and
/// `own` markers of player 1 elsewhere.
fn about_to_cross(players: usize, own: usize) -> Position {
    let mut left = own;
    let mut lines = Vec::new();
    for rank in (1..=9).rev() {
        let mut line = String::new();
        for file in 1..=9 {
            line += match (file, rank) {
                (1, 3) => "[1N]",
                (9, 9) => "[2SW]",
                (1..=3, 4..=6) | (8, 8) => "1",
                _ if left > 0 => {
                    left -= 1;
                    "a"
                }
                _ => "1",
            };
        }
        let runs = line.replace("[1N]", "x").replace("[2SW]", "y");
        let runs = (2..=9).rev().fold(runs, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
        lines.push(runs.replace('x', "[1N]").replace('y', "[2SW]"));
    }
    position(&format!("{} 1 {players}", lines.join("/")))
}

#[test]
fn enough_markers_win() {
    for (players, goal) in [(2, 42), (3, 28), (4, 24)] {
        let short = after(&about_to_cross(players, goal - 2), "a3-a4(c6)");
        assert_eq!((short.outcome(), short.reason()), (None, None), "{players} players");
        let won = after(&about_to_cross(players, goal - 1), "a3-a4(c6)");
        assert_eq!(won.markers(Seat::new(0)), goal);
        assert_eq!(won.outcome(), Some(Outcome::win(players, Seat::new(0))));
        assert_eq!(won.reason(), Some("markers"));
        assert!(won.turn().is_over());
        assert_eq!(won.count_moves(), 0);
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    // Each player circles with his one chevron over three borderlands that are all his own.
    let text =
        "3bbbbbb/3bbbbb[2SE*]/3bbbbbb/aaa3bbb/aaa3bbb/aaa3bbb/aaaaaa3/[1NW*]aaaaa3/aaaaaa3 1 2";
    let one = ["a2", "a3", "b4", "c4", "d3", "d2", "c1", "b1", "a2"];
    let two = ["i8", "i7", "h6", "g6", "f7", "f8", "g9", "h9", "i8"];
    let mut situation = Situation::new(position(text));
    for round in 1..=2 {
        for step in 0..8 {
            for ring in [one, two] {
                assert_eq!(situation.outcome(), None, "round {round} step {step}");
                let token = format!("{}-{}", ring[step], ring[step + 1]);
                let here = situation.position();
                let m = here.parse_move(&token).unwrap();
                assert!(here.is_legal(&m), "{token}: {}", here.explain_illegal(&m));
                situation.play(&m);
            }
        }
    }
    assert_eq!(situation.position().to_string(), text);
    assert_eq!(situation.reason(), Some("repetition"));
    assert_eq!(situation.outcome(), Some(Outcome::draw(2)));
}

#[test]
fn the_traditional_order_lets_the_middle_player_begin() {
    let traditional = rules(&[("Players", "3"), ("Order", "traditional")]);
    let start = Position::start(&traditional, None).unwrap();
    assert_eq!(start.turn().to_string(), "p3");
    assert!(start.rules().contains(&("Order", "traditional".into())));
    let two = rules(&[("Order", "traditional")]);
    assert_eq!(Position::start(&two, None).unwrap().turn().to_string(), "p1");
}

/// Plays random games and compares every position with the reference: its moves, and what they
/// lead to.
fn compare(settings: &[(&str, &str)], games: u64) {
    let rules = rules(settings);
    let mut checked = 0;
    for game in 0..games {
        let mut random = Random::new(game);
        let mut position = Position::start(&rules, None).unwrap();
        for _ in 0..100 {
            checked += 1;
            compare_one(&position, &rules);
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
    }
    assert!(checked > 30 * games, "{checked} positions");
}

fn compare_one(position: &Position, rules: &parlor::game::OptionValues) {
    let text = position.to_string();
    let mut slow = Reference::read(&text);
    slow.threshold = rules.integer("MeetingThreshold") as usize;
    slow.landing_marker = rules.flag("LandingMarker");
    if position.outcome().is_some() {
        return;
    }
    let expected = slow.advances();
    let mut found = BTreeMap::new();
    let _ = position.for_each_move::<()>(|m| {
        let token = position.token(&m);
        if token.contains(['-', 'x']) {
            let mut next = position.clone();
            next.play(&m);
            found.insert(token, next);
        }
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{text}");
    for (token, state) in expected {
        let state = state.end_turn();
        let next = &found[&token];
        assert_eq!(next.to_string(), state.write(), "{token} in {text}");
        assert_eq!(next.outcome().map(|o| o.places().to_vec()), state.places(), "{token} {text}");
        assert_eq!(next.key(), next.fresh_key(), "{token} in {text}");
    }
    if position.count_moves() < 2_000 {
        compare_rotations(position, &slow);
    }
}

fn compare_rotations(position: &Position, slow: &Reference) {
    let rotations = slow.rotations();
    let text = position.to_string();
    let listed = tokens(position, "");
    let listed = listed.iter().filter(|token| token.contains(['<', '>'])).count();
    assert_eq!(listed, rotations.len(), "{text}");
    for (token, state) in rotations {
        assert_eq!(after(position, &token).to_string(), state.end_turn().write(), "{token}");
    }
}

#[test]
fn the_reference_agrees_on_random_games_of_two() {
    compare(&[], 14);
}

#[test]
fn the_reference_agrees_on_random_games_of_three_and_four() {
    compare(&[("Players", "3")], 8);
    compare(&[("Players", "4")], 8);
}

#[test]
fn the_reference_agrees_on_the_other_options() {
    compare(&[("MeetingThreshold", "0")], 10);
    compare(&[("LandingMarker", "false"), ("MeetingThreshold", "0")], 6);
    compare(&[("Players", "4"), ("LandingMarker", "false")], 4);
}

#[test]
fn the_reference_agrees_on_the_published_positions() {
    for line in include_str!("../../data/pacru/moves.txt").lines().step_by(5) {
        let (fen, _) = line.split_once(" | ").unwrap();
        let slow = Reference::read(fen);
        let quiet = Position::parse(fen, &rules(&[("Rotations", "false")]), None).unwrap();
        if position(fen).count_moves() < 3_000 {
            let count = position(fen).count_moves() - quiet.count_moves();
            assert_eq!(count, slow.rotation_count() as u64, "{fen}");
        }
        compare_one(&position(fen), &rules(&[]));
    }
}
