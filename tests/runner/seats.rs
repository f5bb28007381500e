//! More than two seats, and dice.

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{expect, games, mock, scratch, within};

#[test]
fn a_seat_throws_the_same_dice_in_every_rotation_of_a_round() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let words = [
        "match",
        &one,
        &two,
        "--rule",
        "Players=4",
        "--rule",
        "Dice=true",
        "--rounds",
        "3",
        "--records",
        &records,
        "-c",
        "3",
        "--rule",
        "Counters=30",
    ];
    let text = expect(0, &words);
    let (header, games) = games(Path::new(&records));
    assert_eq!((header.seats, games.len()), (4, 24));
    let mut lone = Vec::new();
    for game in games.values().filter(|game| game.round == 1) {
        lone.push(game.seating.join(""));
    }
    assert_eq!(lone, ["ABBB", "BABB", "BBAB", "BBBA", "BAAA", "ABAA", "AABA", "AAAB"]);
    let mut dice: BTreeMap<(u64, usize), Vec<String>> = BTreeMap::new();
    for game in games.values() {
        for seat in 1..=4 {
            let thrown: Vec<String> = game
                .moves
                .iter()
                .filter(|m| m.seat == seat && m.token.starts_with('t'))
                .map(|m| m.token.clone())
                .collect();
            let known = dice.entry((game.round, seat)).or_default();
            // The k-th throw of a seat is the same, however many it makes.
            let common = known.len().min(thrown.len());
            assert_eq!(known[..common], thrown[..common], "round {} p{seat}", game.round);
            if thrown.len() > known.len() {
                *known = thrown;
            }
        }
        let shares: f64 = game.shares.iter().sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert_eq!(game.places.iter().filter(|&&place| place == 1).count(), 1);
    }
    // Seats and rounds have different dice.
    assert!(dice.values().collect::<std::collections::BTreeSet<_>>().len() > 8, "{dice:?}");
    assert!(text.contains("A against B"), "{text}");
    assert!(text.contains("50.0"), "{text}");
}

#[test]
fn seatings_can_be_listed() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let engine = |name: &str| format!("{} name={name}", mock(""));
    let (a, b, c) = (engine("A"), engine("B"), engine("C"));
    let words = [
        "match",
        &a,
        &b,
        &c,
        "--rule",
        "Players=3",
        "--seating",
        "A,B,C",
        "--seating",
        "B,A,C",
        "--rounds",
        "2",
        "--records",
        &records,
    ];
    expect(0, &words);
    let (_, games) = games(Path::new(&records));
    let seatings: Vec<String> = games.values().map(|game| game.seating.join("")).collect();
    assert_eq!(seatings, ["ABC", "BAC", "ABC", "BAC"]);
}
