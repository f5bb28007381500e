//! Books of recorded games: made, looked into, and played from.

use std::path::Path;

use parlor::runner::record::{Ending, Record};

use crate::support::{expect, games, mock, refusal, scratch, within};

#[test]
fn a_book_holds_what_was_played_and_what_it_won() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, book) = (path("records"), path("book"));
    let (strong, weak) = (mock("name=strong"), format!("{} name=weak", mock("--lose")));
    let rules = ["--rule", "Counters=20", "--random-plies", "3"];
    let engines = ["match", &strong, &weak, "--seed", "1", "-q"];
    let options = ["--rounds", "40", "--records", &records, "--wait", "1", "--pgn", &path("pgn")];
    expect(0, &[&engines[..], &rules, &options].concat());
    // What is written beside the records is what `export` makes of them.
    let mut exported = expect(0, &["export", &records]);
    assert_eq!(exported, std::fs::read_to_string(path("pgn")).unwrap());
    exported.clear();

    let referee = mock("");
    let error = refusal(&["book", &records, "-o", &book]);
    assert!(error.contains("a file starts no program"), "{error}");
    let make = ["book", &records, "-o", &book, "--referee", &referee, "--plies", "6"];
    let told = expect(0, &make);
    assert!(told.contains(" games, "), "{told}");
    let (_, all) = games(Path::new(&records));

    // The sums of the book against those of the records.
    let distinct: std::collections::BTreeSet<_> = all
        .values()
        .map(|game| (&game.seating, game.moves.iter().map(|m| &m.token).collect::<Vec<_>>()))
        .collect();
    assert!(told.starts_with(&format!("{} games", distinct.len())), "{told}");
    let mut checked = 0;
    for (position, first) in
        [("startpos", &[][..]), ("startpos moves 2", &["2"]), ("19 p2", &["1"])]
    {
        let fen = format!("fen {position}");
        let position = if position.starts_with('s') { position } else { &fen };
        let table = expect(0, &["book", &book, "--position", position]);
        for token in ["1", "2", "3"] {
            let begin = [first, &[token]].concat();
            let fits = |tokens: &[&String]| begin.iter().zip(tokens).all(|(a, b)| a == b);
            let won = |(seating, tokens): &&(&Vec<String>, Vec<&String>)| {
                let same = |game: &&Record| {
                    game.seating == **seating
                        && game.moves.iter().map(|m| &m.token).eq(tokens.iter().copied())
                };
                all.values().find(same).unwrap().shares[begin.len() - 1]
            };
            let games = distinct.iter().filter(|(_, tokens)| fits(tokens));
            let (count, points) =
                (games.clone().count(), games.map(|game| won(&game)).sum::<f64>());
            if count == 0 {
                continue;
            }
            checked += 1;
            let percent = format!("{:.1}", 100.0 * points / count as f64);
            let row = table.lines().find(|line| line.starts_with(&format!("{token} "))).unwrap();
            let words: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(words[1..3], [count.to_string().as_str(), percent.as_str()], "{table}");
        }
    }
    assert!(checked > 6, "{checked} rows");
    assert!(refusal(&["book", &book, "--position", "9"]).contains("no such position"));
    assert!(refusal(&["book", &records]).contains("does not begin with"));

    // A match begins with lines of the book, other ones for other keys.
    let played = |seed: &str, file: &str| {
        let openings =
            ["--openings", &book, "--opening-plies", "4", "--rounds", "6", "--random-plies", "0"];
        let engines = ["match", &strong, &weak, "--seed", seed, "-q", "--records", file];
        expect(0, &[&engines[..], &rules[..2], &openings].concat());
        let (_, games) = games(Path::new(file));
        let opening = |number: u64| -> Vec<String> {
            let moves = games[&number].moves.iter().take(4);
            moves.map(|m| m.token.clone()).collect()
        };
        for round in 0..6 {
            assert_eq!(opening(2 * round + 1), opening(2 * round + 2));
            let line = format!("startpos moves {}", opening(2 * round + 1).join(" "));
            expect(0, &["book", &book, "--position", &line]);
        }
        (0..6).map(|round| opening(2 * round + 1)).collect::<Vec<_>>()
    };
    let (one, two) = (played("1", &path("one")), played("2", &path("two")));
    assert_ne!(one, two);
    assert_eq!(one.iter().collect::<std::collections::BTreeSet<_>>().len(), 6);
    assert_eq!(played("1", &path("again")), one);
}

/// A game that a fault ended teaches no opening.
#[test]
fn games_that_a_fault_ended_are_in_no_book() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, faults) = (path("records"), path("faults"));
    std::fs::write(&faults, "crash\n-\n-\n-\n").unwrap();
    let sound = mock("name=sound");
    let faulty = format!("{} name=faulty", mock(&format!("--faults {faults}")));
    let rules = ["--rule", "Counters=20", "--random-plies", "3", "--rounds", "2", "--wait", "1"];
    let engines = ["match", &sound, &faulty, "--seed", "1", "-q", "--records", &records];
    expect(1, &[&engines[..], &rules].concat());
    let (_, all) = games(Path::new(&records));
    let is_fault = |game: &&Record| game.ending == Ending::Fault;
    assert_eq!((all.len(), all.values().filter(is_fault).count()), (4, 1));
    let told = expect(0, &["book", &records, "-o", &path("book"), "--referee", &mock("")]);
    assert!(told.starts_with("3 games"), "{told}");
}
