//! Perft counts, published positions, and the worked examples of the rules.

use parlor::game::{Game, Notation, Outcome, Rules, Seat, Situation, perft};
use parlor::games::pacru::{Field, Position};

use super::{after, data_lines, position, refusal, rules, start, tokens};
use crate::properties::check_position;

pub fn counts(position: &Position, depths: usize) -> Vec<u64> {
    let perft = |depth| perft(position, depth as u32, true).expect("a countable position");
    (1..=depths).map(perft).collect()
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
fn perft_counts_are_those_of_the_table() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/pacru/perft.txt")) {
        let [settings, text, counts] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let mut rules = rules(&[]);
        for setting in settings.split(' ').filter(|setting| *setting != "-") {
            let (name, value) = setting.split_once('=').expect("name=value");
            rules.set(name, value).expect("a known option");
        }
        let position = match text {
            "startpos" => Position::start(&rules, None),
            fen => Position::parse(fen, &rules, None),
        };
        let position = position.expect(text);
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let found = perft(&position, depth, true).expect("a countable position");
            assert_eq!(found.to_string(), count, "{settings} {text} depth {depth}");
        }
        checked += 1;
    }
    assert_eq!(checked, 10);
}

#[test]
fn perft_is_the_same_without_bulk_counting() {
    for (players, expected) in [("2", 16_168), ("3", 11_363), ("4", 10_389)] {
        assert_eq!(perft(&start(players), 3, false), Ok(expected));
    }
}

#[test]
fn cases_have_the_published_number_of_moves() {
    let mut checked = 0;
    for line in data_lines(include_str!("../../data/pacru/cases.txt")) {
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

/// Compares the moves of the positions of a file, complete without rotations and counted with them;
/// returns how many positions there were.
fn check_moves(file: &str) -> usize {
    let mut checked = 0;
    for line in data_lines(file) {
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
    checked
}

#[test]
fn published_positions_have_the_published_moves() {
    assert_eq!(check_moves(include_str!("../../data/pacru/moves.txt")), 250);
}

/// Meetings, pincers, last neutral fields.
#[test]
fn published_rare_positions_have_the_published_moves() {
    assert_eq!(check_moves(include_str!("../../data/pacru/rare.txt")), 163);
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
