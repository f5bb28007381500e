//! Worked positions, whole turns with all their results, perft.

use std::collections::{BTreeMap, BTreeSet};

use parlor::game::{Chance, Chances, Game, MoveList, Notation, perft};
use parlor::games::chowka_bhara::Move;
use parlor::protocol::GameResult;

use super::{plays, position};

#[test]
fn worked_positions_have_exactly_their_plays() {
    for line in include_str!("../../data/chowka-bhara/moves.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let fields: Vec<_> = line.split(" | ").collect();
        let start = position(&format!("{} {}", fields[1], fields[2]), "");
        let mut expected = BTreeSet::new();
        for item in fields[3].split(" ; ") {
            let (token, after) =
                item.split_once(" => ").map_or((item, None), |(a, b)| (a, Some(b)));
            expected.insert(token.to_string());
            if let Some(after) = after {
                let mut next = start.clone();
                next.play(&start.parse_move(token).expect("a play"));
                assert_eq!(next.to_string(), after, "{line}");
            }
        }
        let found: BTreeSet<_> = plays(&start).into_iter().collect();
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn a_hit_on_the_way_makes_another_play() {
    let start = position("2.0.0.0/-/11.0.0.0/- S - - 4+1", "");
    let found = plays(&start);
    assert_eq!(found.len(), 6);
    assert!(found.contains(&"e1e2,e2d5".into()) && found.contains(&"e1e5,e5d5".into()));
}

#[test]
fn all_pawns_waiting_at_closed_gates_is_a_draw() {
    for throws in ["-", "1", "4+3"] {
        let dead = position(&format!("15.15.15.15/-/15.15.15.15/- S - - {throws}"), "");
        assert_eq!(dead.outcome().map(|o| GameResult::of(o.places()).name()), Some("draw"));
        assert_eq!(dead.reason(), Some("no-moves"));
        assert!(dead.turn().is_over() && dead.moves().is_empty());
    }
    let alive = position("15.15.15.15/-/15.15.15.14/- S - - -", "");
    assert!(alive.outcome().is_none());
    assert!(position("15.15.15.15/-/15.15.15.15/- S S - -", "").outcome().is_none());
    assert!(position("15.15.15.15/-/15.15.15.15/- S - - -", "Gate=circle").outcome().is_none());
}

#[test]
fn bringing_the_last_pawn_home_wins() {
    let mut game = position("24.24.24.21/-/0.0.0.1/- S SN - 3", "");
    game.play(&game.parse_move("d3c3").expect("a play"));
    assert_eq!(game.outcome().map(|o| GameResult::of(o.places()).name()), Some("p1win"));
    assert_eq!(game.reason(), Some("all-home"));
}

#[test]
fn whole_turns_have_exactly_their_results() {
    let mut lines = 0;
    for line in include_str!("../../data/chowka-bhara/results.txt").lines() {
        let (before, results) = line.split_once(" | ").expect("a line of results");
        let start = position(before, "");
        let expected: BTreeSet<_> = results.split(" ; ").map(str::trim).collect();
        let found: BTreeMap<_, _> = start
            .moves()
            .iter()
            .map(|m| {
                let mut next = start.clone();
                next.play(m);
                let text = next.to_string();
                (text.rsplit_once(' ').expect("a position").0.to_string(), start.token(m))
            })
            .collect();
        let found: BTreeSet<_> = found.keys().map(String::as_str).collect();
        assert_eq!(found, expected, "{before}");
        assert_eq!(start.count_moves() as usize, expected.len(), "{before}: each result once");
        lines += 1;
    }
    assert_eq!(lines, 400);
}

#[test]
fn perft_counts_are_known() {
    for line in include_str!("../../data/chowka-bhara/perft.txt").lines().skip(1) {
        let fields: Vec<_> = line.splitn(3, " | ").collect();
        let start = position(fields[1], fields[0]);
        for (depth, count) in fields[2].split(' ').enumerate() {
            let count = Ok(count.parse().expect("a count"));
            let depth = depth as u32 + 1;
            assert_eq!(perft(&start, depth, true), count, "{line}: {depth}");
            assert_eq!(perft(&start, depth, false), count, "{line}: {depth}");
        }
    }
}

#[test]
fn throws_are_weighted_and_follow_from_the_seed() {
    let start = position("0.0.0.0/-/0.0.0.0/- S - - 4", "");
    let weights = [(1, 4), (2, 6), (3, 4), (4, 1), (8, 1)].map(|(v, w)| (Move::Throw(v), w));
    assert_eq!(start.chances(), Chances::Listed(weights.to_vec()));
    let list = MoveList::Listed(["t1", "t2", "t3", "t4", "t8"].map(String::from).to_vec());
    assert_eq!(start.list_moves(""), list);
    for seed in 0..1000u64 {
        // splitmix64 of the seed, scaled to 16, against the running weights 4 10 14 15 16.
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        let value = match z >> 60 {
            0..4 => 1,
            4..10 => 2,
            10..14 => 3,
            14 => 4,
            _ => 8,
        };
        assert_eq!(start.throw(seed), Some(Move::Throw(value)));
    }
    assert_eq!(position("0.0.0.0/-/0.0.0.0/- S - - 1", "").throw(1), None);
}

#[test]
fn twelve_throws_end_the_throwing() {
    let eleven = position("0.0.0.0/-/0.0.0.0/- S - - 4+4+4+4+4+4+4+4+4+4+8", "");
    assert!(eleven.turn().is_chance());
    let mut twelve = eleven.clone();
    twelve.play(&Move::Throw(8));
    assert!(!twelve.turn().is_chance());
    assert!(twelve.is_legal(&twelve.moves()[0]));
}

#[test]
fn a_turn_of_seven_throws_on_the_largest_board_is_listed() {
    let text = "0.3.7.12.18.25.33.41.52.64/-/0.0.0.0.0.0.0.0.0.0/- S SN - 10+20+10+20+10+20+7";
    let start = position(text, "Board=11");
    let count = start.count_moves();
    assert!((100_000..2_000_000).contains(&count), "{count} plays");
    assert_eq!(start.list_moves(""), MoveList::Many);
}
