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

#[test]
fn each_seat_has_a_process_that_is_sent_nothing_between_its_decisions() {
    let directory = scratch();
    let log = within(&directory, "log.txt");
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    let rules = ["--rule", "Counters=8", "--rounds", "2", "--log", &log, "-q"];
    expect(0, &[&["match", &one, &two][..], &rules].concat());
    // What each process of the match, not those of the trial before it, is sent.
    let mut sent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(&log).unwrap().lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if let [_, process, ">", word, ..] = words[..]
            && process.contains('@')
        {
            sent.entry(process.to_owned()).or_default().push(word.to_owned());
        }
    }
    assert_eq!(sent.len(), 3, "two seats and a referee: {:?}", sent.keys());
    for (process, words) in sent.iter().filter(|(process, _)| !process.starts_with("referee")) {
        let mut games = words.split(|word| word == "uginewgame");
        let opening = games.next().unwrap();
        assert_eq!(opening[0], "ugi", "{process}");
        assert!(opening.iter().any(|word| word == "isready"), "{process}: {opening:?}");
        let games: Vec<_> = games.collect();
        assert_eq!(games.len(), 4, "{process}: {words:?}");
        for game in games {
            assert_eq!(game[0], "isready", "{process}: {game:?}");
            let last = game.iter().rposition(|word| word == "go").unwrap();
            let foreign = |word: &&String| !["position", "go", "isready"].contains(&word.as_str());
            assert_eq!(game[..last].iter().find(foreign), None, "{process}: {game:?}");
        }
    }
}

#[test]
fn a_referee_has_no_table() {
    let directory = scratch();
    let log = within(&directory, "log.txt");
    let limits = ["--nodes", "10", "--ply-limit", "4", "--rounds", "1", "--log", &log, "-q"];
    expect(0, &[&["match", "barca name=one", "barca name=two"][..], &limits].concat());
    let text = std::fs::read_to_string(&log).unwrap();
    let to = |process: &str, line: &str| {
        text.lines().any(|sent| sent.contains(&format!(" {process} > ")) && sent.ends_with(line))
    };
    assert!(to("referee@1", "setoption name Hash value 0"), "{text}");
    assert!(to("one@1.1", "uginewgame") && !to("one@1.1", "Hash value 0"), "{text}");
}
