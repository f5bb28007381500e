//! Knockout and Swiss: who meets whom follows from the results.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::{expect, games, mock, refusal, scratch, sorted_lines, within};

/// How the last line of a complete match begins.
const KEY_LINE: &str = "{\"game\":0,\"key\":";

/// One engine that takes what wins and four that always take one counter.
fn field() -> Vec<String> {
    let weak = |name: &str| format!("{} name={name}", mock("--lose"));
    let mut engines = ["a", "b", "c", "d"].map(weak).to_vec();
    engines.insert(2, format!("{} name=strong", mock("")));
    engines
}

/// The words of a match of these engines that has dice and openings of its own in every round.
fn words<'a>(engines: &'a [String], options: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["match"];
    words.extend(engines.iter().map(String::as_str));
    words.extend(["--rule", "Counters=30", "--rule", "Dice=true", "--random-plies", "2"]);
    // Limits of time would tell slow machines from fast ones.
    words.extend(["--seed", "5", "--reproducible", "-q", "--nodes", "1"]);
    words.extend(options);
    words
}

#[test]
fn a_match_in_stages_is_the_same_however_it_is_run_and_goes_on_after_any_game() {
    let engines = field();
    for (tournament, least) in [("knockout", 4 * 4), ("swiss", 3 * 2 * 4)] {
        let directory = scratch();
        let path = |name: &str| within(&directory, name);
        let (whole, parallel, cut) = (path("whole"), path("parallel"), path("cut"));
        let options = ["--tournament", tournament, "--games", "4"];
        let play = |records: &str, more: &[&str]| {
            let options = [&options[..], &["--records", records], more].concat();
            expect(0, &words(&engines, &options))
        };
        let (one_by_one, json) = (play(&whole, &["--json", &path("json")]), path("json"));
        play(&parallel, &["-c", "3"]);
        assert_eq!(sorted_lines(&whole), sorted_lines(&parallel));
        let (_, all) = games(Path::new(&whole));
        assert!(all.len() >= least, "{} games", all.len());
        assert_eq!(
            all.keys().copied().collect::<Vec<_>>(),
            (1..=all.len() as u64).collect::<Vec<_>>()
        );
        // A complete match ends with its key, and so does what `merge` makes of it.
        let text = std::fs::read_to_string(&whole).unwrap();
        assert!(text.lines().last().unwrap().starts_with(KEY_LINE), "{tournament}");
        expect(0, &["merge", &parallel, "-o", &path("merged")]);
        assert_eq!(sorted_lines(&path("merged")), sorted_lines(&whole));

        // After any game, also in the middle of a stage.
        let lines: Vec<&str> = text.lines().collect();
        for count in [3, lines.len() - 2] {
            std::fs::write(&cut, lines[..count].join("\n") + "\n").unwrap();
            std::fs::copy(format!("{whole}.key"), format!("{cut}.key")).unwrap();
            // What is not complete is merged without the key.
            expect(0, &["merge", &cut, "-o", &path("part")]);
            let part = std::fs::read_to_string(path("part")).unwrap();
            assert!(!part.contains(KEY_LINE), "{tournament}, {count}");
            expect(0, &["match", &format!("--resume={cut}"), "-y", "-q", "-c", "2"]);
            assert_eq!(sorted_lines(&cut), sorted_lines(&whole), "{tournament}, {count} lines");
        }
        let report: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        let found = &report["tournament"];
        let winner = match tournament {
            "knockout" => &found["winner"],
            _ => &found["standings"][0]["engine"],
        };
        assert_eq!(winner, "strong", "{found}");
        let line = if tournament == "knockout" { "winner: strong" } else { "1. strong: " };
        assert!(one_by_one.contains(line), "{one_by_one}");
    }
}

#[test]
fn engines_of_a_swiss_tournament_meet_once_and_it_can_be_made_longer() {
    let directory = scratch();
    let records = within(&directory, "records");
    let engines = field();
    let swiss = ["--tournament", "swiss", "--records", &records, "--rounds"];
    expect(0, &words(&engines, &[&swiss[..], &["2"]].concat()));
    let (_, short) = games(Path::new(&records));
    expect(0, &["match", &format!("--resume={records}"), "-y", "-q", "--rounds", "3"]);
    let (_, long) = games(Path::new(&records));
    assert_eq!((short.len(), long.len()), (2 * 2 * 2, 3 * 2 * 2));
    assert!(short.iter().all(|(number, game)| long[number].moves == game.moves));
    // Nobody has met anybody twice from the same seat.
    let met: BTreeSet<&Vec<String>> = long.values().map(|game| &game.seating).collect();
    assert_eq!(met.len(), long.len());
    // Another length of the encounters would number the games anew.
    let again = ["match", &format!("--resume={records}"), "-y", "--games", "4"];
    let error = refusal(&again);
    assert!(error.contains("begun with no --games, now --games 4"), "{error}");
}

#[test]
fn what_makes_no_tournament_is_refused() {
    let engines = field();
    for (options, says) in [
        (&["--tournament", "knockout", "--rounds", "3"][..], "as many as its engines need"),
        (&["--tournament", "knockout", "--games", "3"], "a multiple of 2"),
        (&["--tournament", "swiss", "--rounds", "6"], "at most 5"),
        (&["--tournament", "swiss", "--shard", "1/2"], "leave out --shard"),
        (&["--tournament", "knockout", "--seating", "all"], "leave out --seating"),
    ] {
        let error = refusal(&words(&engines, options));
        assert!(error.contains(says), "{options:?}: {error}");
    }
}
