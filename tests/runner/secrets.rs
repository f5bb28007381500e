//! No secret ever reaches the wrong process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::{expect, games, mock, scratch, within};

#[test]
fn the_traffic_holds_no_secret_of_another_seat() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (log, records) = (path("log.txt"), path("records.jsonl"));
    let (one, two) = (format!("{} name=one", mock("")), format!("{} name=two", mock("")));
    let words = [
        "match",
        &one,
        &two,
        "--rule",
        "Secrets=true",
        "--rule",
        "Players=3",
        "--rule",
        "Dice=true",
        "--rounds",
        "3",
        "--log",
        &log,
        "--records",
        &records,
        "-q",
        "--rule",
        "Counters=9",
    ];
    expect(0, &words);
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len(), 18);
    // Every secret of the match; only the process that chose it may know it.
    let secrets: BTreeSet<&str> = games
        .values()
        .flat_map(|game| &game.moves)
        .filter_map(|m| m.token.strip_prefix("secret:"))
        .collect();
    assert!(secrets.len() > 40, "{secrets:?}");
    let text = std::fs::read_to_string(&log).unwrap();
    let mut known_by: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut masked = 0;
    for line in text.lines() {
        let mut words = line.splitn(4, ' ');
        let (_, process, direction, said) =
            (words.next(), words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        if process.starts_with("referee") {
            continue;
        }
        masked += said.matches("secret:?").count();
        for token in said.split_whitespace().filter_map(|word| word.strip_prefix("secret:")) {
            if direction == "<" {
                *known_by.entry((process, token)).or_default() += 1;
            } else if token != "?" {
                assert!(
                    known_by.contains_key(&(process, token)),
                    "{process} was sent '{token}', which it never chose: {said}"
                );
            }
        }
    }
    assert!(masked > 100, "only {masked} masked tokens: nothing was hidden");
    let known: BTreeSet<&str> = known_by.keys().map(|(_, token)| *token).collect();
    assert_eq!(known, secrets);
}
