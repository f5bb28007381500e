//! Results adjusted for luck, pairwise strength, and both as JSON.

use std::collections::BTreeSet;
use std::path::Path;

use parlor::runner::record::Record;
use serde_json::Value;

use crate::support::{expect, games, mock, parlor, refusal, scratch, sent, sorted_lines, within};

const SEATS: usize = 3;
const COUNTERS: i64 = 17;

/// What the scripted engine reports, as shares: its formula written a second time.
fn values(left: i64, thrown: i64, turn: usize) -> [f64; SEATS] {
    let mover = (left * 37 + thrown * 211 + turn as i64 * 59) % 900 + 50;
    let rest = (1000 - mover) / (SEATS as i64 - 1);
    let sum = (mover + rest * (SEATS as i64 - 1)) as f64;
    let mut values = [rest as f64 / sum; SEATS];
    values[turn] = mover as f64 / sum;
    values
}

/// The luck of every seat, from throws of 1, 2, 3 with weights 1, 2, 1.
fn expected_luck(game: &Record) -> [f64; SEATS] {
    let (mut left, mut turn) = (COUNTERS, 0);
    let mut sums = [0.0; SEATS];
    for m in &game.moves {
        if let Some(thrown) = m.token.strip_prefix('t') {
            let value = |thrown| values(left, thrown, turn);
            let came = value(thrown.parse().unwrap());
            for seat in 0..SEATS {
                let mean = (value(1)[seat] + 2.0 * value(2)[seat] + value(3)[seat]) / 4.0;
                sums[seat] += came[seat] - mean;
                assert!((m.luck[seat] - (came[seat] - mean)).abs() < 1e-6, "{m:?}");
            }
        } else {
            assert!(m.luck.is_empty(), "{m:?}");
            left -= m.token.parse::<i64>().unwrap();
            turn = (turn + 1) % SEATS;
        }
    }
    sums
}

/// The lines of games, without the header, which names the shard, and without the key.
fn game_lines(path: &str) -> Vec<String> {
    let mut lines = sorted_lines(path);
    lines.retain(|line| !line.starts_with("{\"parlor\"") && !line.starts_with("{\"game\":0,"));
    lines
}

#[test]
fn luck_is_the_value_after_a_throw_less_the_mean() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let luck = format!("--luck={} depth=1", mock("--vec"));
    let counters = format!("Counters={COUNTERS}");
    let base = [
        "match",
        &one,
        &two,
        "--rule",
        "Players=3",
        "--rule",
        "Dice=true",
        "--rule",
        &counters,
        "--rounds",
        "4",
        "--reproducible",
        "--seed",
        "1",
        &luck,
    ];
    let (records, json, text) = (path("records.jsonl"), path("out.json"), path("games.txt"));
    let mut words = base.to_vec();
    words.extend(["--records", &records, "--json", &json, "--text", &text]);
    let table = expect(0, &words);
    let (_, all) = games(Path::new(&records));
    assert_eq!(all.len(), 24);
    let mut adjusted = 0.0;
    for game in all.values() {
        let luck = game.luck.as_ref().unwrap();
        for (seat, expected) in expected_luck(game).into_iter().enumerate() {
            assert!((luck[seat] - expected).abs() < 2e-5, "game {} p{}", game.game, seat + 1);
            if game.seating[seat] == "A" {
                adjusted += game.shares[seat] - luck[seat];
            }
        }
        assert!(luck.iter().any(|gift| gift.abs() > 0.001));
    }
    let out: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let row = &out["engines"][0];
    assert_eq!((row["engine"].as_str(), row["games"].as_u64()), (Some("A"), Some(24)));
    let reported = row["share_less_luck"]["value"].as_f64().unwrap();
    assert!((reported - adjusted / 24.0).abs() < 1e-5, "{reported} {adjusted}");
    assert!(table.contains("less luck %"), "{table}");
    assert!(std::fs::read_to_string(&text).unwrap().contains("luck "));
    // Shards value throws in the same way.
    let mut lines = Vec::new();
    for shard in ["1/2", "2/2"] {
        let part = path(&format!("{}.jsonl", &shard[..1]));
        let mut words = base.to_vec();
        words.extend(["--records", &part, "--shard", shard, "-q", "-c", "2"]);
        expect(0, &words);
        lines.extend(game_lines(&part));
    }
    lines.sort();
    assert!(lines == game_lines(&records), "the shards differ from the whole match");
}

/// The first engine, whose program is the referee's, has other limits.
#[test]
fn throws_are_valued_at_depth_1_unless_the_analyst_has_limits_of_its_own() {
    let directory = scratch();
    let log = within(&directory, "log.txt");
    let (one, two) = (format!("{} name=A nodes=7", mock("")), format!("{} name=B", mock("")));
    let rules = ["--rule", "Dice=true", "--rule", "Counters=6", "--games", "1", "-q"];
    for (luck, go) in [
        ("--luck".to_owned(), "go depth 1"),
        (format!("--luck={} nodes=9", mock("")), "go nodes 9"),
    ] {
        let words = ["match", &one, &two, &luck, "--log", &log];
        expect(0, &[&words[..], &rules].concat());
        let mut searches = BTreeSet::from_iter(sent(&log, "analyst@1"));
        searches.retain(|line| line.starts_with("go"));
        assert_eq!(searches, BTreeSet::from([go.to_owned()]));
    }
}

#[test]
fn intervals_of_results_less_luck_are_narrower() {
    let directory = scratch();
    let json = within(&directory, "out.json");
    let player = |player: &str| format!("chowka-bhara name={player} option.Player={player}");
    let (one, two) = (player("careful"), player("greedy"));
    let words = [
        "match", &one, &two, "--rule", "Pawns=2", "--rounds", "20", "--luck", "--json", &json,
        "-q", "--seed", "1",
    ];
    let table = expect(0, &words);
    assert!(table.contains("adjusted for luck: Elo"), "{table}");
    let out: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let width = |value: &Value| value["high"].as_f64().unwrap() - value["low"].as_f64().unwrap();
    let row = &out["engines"][0];
    let (raw, adjusted) = (&row["share"], &row["share_less_luck"]);
    assert!(width(adjusted) < 0.8 * width(raw), "{table}");
    let difference = adjusted["value"].as_f64().unwrap() - raw["value"].as_f64().unwrap();
    assert!(difference.abs() < width(raw), "{table}");
    let elo = |duel: &str| width(&out[duel]["elo"]);
    assert!(elo("duel_less_luck") < 0.8 * elo("duel"), "{table}");
}

#[test]
fn an_analyst_that_cannot_value_throws_is_refused() {
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("")));
    let rules = ["--rule", "Players=3", "--rule", "Dice=true"];
    let refused = |luck: &str| {
        let mut words = vec!["match", &one, &two, luck];
        words.extend(rules);
        refusal(&words)
    };
    // Without `vec` there is no value for each of three seats.
    let text = refused(&format!("--luck={}", mock("")));
    assert!(text.contains("--luck") && text.contains("reports no vec"), "{text}");
    assert!(refused("--luck=no-such-engine").contains("--luck"));
    // An analyst that crashes later ends the match, and is named.
    let luck = format!("--luck={}", mock("--vec --fragile 40"));
    let output =
        parlor(&["match", &one, &two, &luck, "--rule", "Players=3", "--rule", "Dice=true"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("the engine that values throws failed"), "{errors}");
}

#[test]
fn pairwise_strength_has_an_interval() {
    let directory = scratch();
    let json = within(&directory, "out.json");
    let engine = |name: &str, extra: &str| format!("{} name={name}", mock(extra));
    let (a, b, c) = (engine("A", ""), engine("B", "--lose"), engine("C", "--lose"));
    let words = [
        "match",
        &a,
        &b,
        &c,
        "--rule",
        "Players=3",
        "--rule",
        "Dice=true",
        "--rule",
        "Counters=30",
        "--seating",
        "all",
        "--rounds",
        "12",
        "--json",
        &json,
        "-q",
    ];
    let table = expect(0, &words);
    let out: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let pairs = out["pairs"].as_array().unwrap();
    let names: Vec<String> = pairs
        .iter()
        .map(|pair| format!("{}{}", pair["engine"], pair["against"]).replace('"', ""))
        .collect();
    assert_eq!(names, ["AB", "AC", "BC"]);
    for pair in pairs {
        // Six seatings a round; every two engines give one result in each.
        assert_eq!(pair["meetings"], 72.0);
        let score = pair["score"].as_f64().unwrap();
        let end = |end: &str| pair["elo"][end].as_f64().unwrap();
        assert!((end("value") - 400.0 * (score / (1.0 - score)).log10()).abs() < 1e-6);
        if pair["engine"] == "A" {
            assert!(end("low") < end("value") && end("value") < end("high"), "{pair}");
        } else {
            // Two that play identically in all seats are even in every round.
            assert_eq!((end("low"), end("high")), (0.0, 0.0), "{pair}");
        }
    }
    assert!(table.contains("B against C") && table.contains(" to "), "{table}");
}
