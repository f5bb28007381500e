//! `parlor rate` and `parlor merge`: results of several record files.

use std::path::Path;

use serde_json::Value;

use crate::support::{
    expect, games, mock, python, refusal, scratch, slow_tests, sorted_lines, with_checksum, within,
};

#[test]
fn merged_shards_are_one_run() {
    let (shards, total) = if slow_tests() { (8, 200) } else { (3, 30) };
    let total_text = total.to_string();
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let base = [
        "match",
        &one,
        &two,
        "--rule",
        "Dice=true",
        "--games",
        &total_text,
        "--reproducible",
        "--seed",
        "1",
        "-q",
        "--random-plies",
        "3",
        "--rule",
        "Counters=20",
        "--margin",
        "5000",
        "--report",
        "0",
    ];
    let whole = path("whole.jsonl");
    let mut words = base.to_vec();
    words.extend(["--records", &whole, "-c", "2"]);
    let table = expect(0, &words);
    let merged = path("merged.jsonl");
    let mut join = vec!["merge".to_owned(), "--output".to_owned(), merged.clone()];
    for number in 1..=shards {
        let (part, shard) = (path(&format!("{number}.jsonl")), format!("{number}/{shards}"));
        let mut words = base.to_vec();
        words.extend(["--records", &part, "--shard", &shard, "-c", "2"]);
        expect(0, &words);
        join.push(part);
    }
    let join: Vec<&str> = join.iter().map(String::as_str).collect();
    assert_eq!(expect(0, &join), table, "the merged table is different");
    assert_eq!(sorted_lines(&merged), sorted_lines(&whole));
    let numbers: Vec<u64> = games(Path::new(&merged)).1.into_keys().collect();
    assert_eq!(numbers, (1..=total).collect::<Vec<u64>>());
    // Shards of another match do not mix.
    let other = path("other.jsonl");
    expect(0, &["match", &one, &two, "--records", &other]);
    let text = refusal(&["merge", &whole, &other, "-o", &path("never.jsonl")]);
    assert!(text.contains("of another match"), "{text}");
}

#[test]
fn ratings_cross_table_and_plot_come_from_records() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let engine = |name: &str, extra: &str| format!("{} name={name}", mock(extra));
    let (strong, weak, other) =
        (engine("strong", ""), engine("weak", "--lose"), engine("other", "--lose"));
    let (first, second, svg) = (path("1.jsonl"), path("2.jsonl"), path("plot.svg"));
    let extra =
        ["--rule", "Counters=40", "--random-plies", "8", "--rounds", "10", "--seed", "1", "-q"];
    for (one, two, records) in [(&strong, &weak, &first), (&weak, &other, &second)] {
        let mut words = vec!["match", one, two, "--records", records];
        words.extend(extra);
        expect(0, &words);
    }
    let words = ["rate", &first, &second, "--json", "--svg", &svg, "--anchor", "weak=1000"];
    let rows: Vec<Value> = serde_json::from_str(&expect(0, &words)).unwrap();
    let elo = |name: &str| {
        let row = rows.iter().find(|row| row["engine"] == name).unwrap();
        assert!(row["low"].as_f64() <= row["elo"].as_f64(), "{row}");
        row["elo"].as_f64().unwrap()
    };
    assert_eq!(rows[0]["engine"], "strong");
    assert!((elo("weak") - 1000.0).abs() < 1e-6);
    assert!(elo("strong") > 1100.0);
    let drawing = std::fs::read_to_string(&svg).unwrap();
    assert!(drawing.starts_with("<svg ") && drawing.matches("<circle").count() == 3, "{drawing}");
    let text = expect(0, &["rate", &first, &second]);
    assert!(text.contains("score % / results"), "{text}");
    // Each row is from the side of its engine: the strong one has won all of its 20 games.
    let (_, cross) = text.split_once("score % / results").unwrap();
    let row = |name: &str| cross.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(row("strong ").contains(" 100.0 / 20"), "{text}");
    assert!(row("weak ").contains(" 0.0 / 20") && row("weak ").contains(" 50.0 / 20"), "{text}");
    // Engines without a result between them cannot be compared.
    let lone = path("3.jsonl");
    let (x, y) = (engine("x", ""), engine("y", ""));
    expect(0, &["match", &x, &y, "--records", &lone]);
    assert!(refusal(&["rate", &first, &lone]).contains("never met"));
}

#[test]
fn the_balance_of_the_seats_comes_from_records() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, svg) = (path("1.jsonl"), path("balance.svg"));
    let engine = format!("{} name=one", mock(""));
    let words = ["match", &engine, "--seating", "one,one", "--rounds", "12", "--random-plies", "2"];
    expect(0, &[&words[..], &["--seed", "1", "-q", "--records", &records]].concat());
    let words = ["balance", &records, "--by-move", "1", "--json", "--svg", &svg];
    let groups: Vec<Value> = serde_json::from_str(&expect(0, &words)).unwrap();
    // Counted again from the records.
    let games: Vec<_> = games(Path::new(&records)).1.into_values().collect();
    let points = |token: Option<&str>| {
        let with = games.iter().filter(|game| token.is_none_or(|t| game.moves[0].token == t));
        with.fold((0, 0.0), |(count, sum), game| (count + 1, sum + game.shares[0]))
    };
    assert!(groups.len() > 1 && groups[0]["token"].is_null(), "{groups:?}");
    for group in &groups {
        let (count, sum) = points(group["token"].as_str());
        assert_eq!(group["games"], count, "{group}");
        let share = group["seats"][0]["share"].as_f64().unwrap();
        assert!((share - sum / f64::from(count)).abs() < 1e-6, "{group}");
    }
    let drawing = std::fs::read_to_string(&svg).unwrap();
    let marks = 2 * groups.len() + 2;
    assert_eq!(drawing.matches("<circle").count(), marks, "{drawing}");
    let text = expect(0, &["balance", &records, "--by-move", "1", "--least", "13"]);
    assert!(text.lines().count() == 3 && text.contains("all games"), "{text}");
    assert!(refusal(&["balance", &records, "--by-move", "0"]).contains("--by-move"));
    assert!(refusal(&["balance", &path("none.jsonl")]).contains("none.jsonl"));
}

#[test]
fn a_clean_sweep_has_a_bound_and_no_interval_of_nothing() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (strong, weak) =
        (format!("{} name=strong", mock("")), format!("{} name=weak", mock("--lose")));
    let (records, json, svg) = (path("1.jsonl"), path("1.json"), path("1.svg"));
    // The loser takes the last counter whoever begins: 20 pairs, all won.
    let words = ["match", &strong, &weak, "--rule", "Counters=40", "--rounds", "20", "-q"];
    let openings = ["--random-plies", "8", "--seed", "1"];
    let files = ["--records", &records, "--json", &json];
    let table = expect(0, &[&words[..], &openings, &files].concat());
    // The exact bounds with 95 %: 0.05^(1/20) of the points, 317 Elo.
    assert!(table.contains("100.0 (> 86.1)") && table.contains("0.0 (< 13.9)"), "{table}");
    assert!(table.contains("Elo > +316.6"), "{table}");
    let out: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let share = &out["engines"][0]["share"];
    assert!((share["low"].as_f64().unwrap() - 0.860_892).abs() < 1e-6 && share["high"] == 1.0);
    let elo = &out["duel"]["elo"];
    assert!((elo["low"].as_f64().unwrap() - 316.6).abs() < 0.1, "{elo}");
    assert!(elo["value"].is_null() && elo["high"].is_null(), "{elo}");
    let rates = expect(0, &["rate", &records, "--svg", &svg]);
    assert!(rates.contains("> +1") && rates.contains("< -1"), "{rates}");
    let rows: Vec<Value> = serde_json::from_str(&expect(0, &["rate", &records, "--json"])).unwrap();
    // Half of the difference, the mean of both being 0; the bounds are drawn at random.
    let low = rows[0]["low"].as_f64().unwrap();
    assert!((120.0..=200.0).contains(&low) && rows[0]["high"].is_null(), "{rows:?}");
    assert!(rows[1]["low"].is_null(), "{rows:?}");
    let drawing = std::fs::read_to_string(&svg).unwrap();
    assert!(!drawing.contains("inf") && !drawing.contains("NaN"), "{drawing}");
}

#[test]
fn a_game_that_is_in_two_files_is_refused_and_packed_files_are_read() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let base = ["match", &one, &two, "--games", "8", "--rule", "Counters=9", "--seed", "1", "-q"];
    let parts: Vec<String> = (1..=2)
        .map(|shard| {
            let (part, share) = (path(&format!("{shard}.jsonl")), format!("{shard}/2"));
            let mut words = base.to_vec();
            words.extend(["--records", &part, "--shard", &share]);
            expect(0, &words);
            part
        })
        .collect();
    let packed = path("whole.jsonl.zst");
    let table = expect(0, &["merge", &parts[0], &parts[1], "-o", &packed]);
    let rated = expect(0, &["rate", &parts[0], &parts[1]]);
    assert_eq!(expect(0, &["rate", &packed]), rated);
    assert!(expect(0, &["replay", &packed, "5"]).contains("Places"));
    for words in [vec!["rate", &packed, &parts[1]], vec!["rate", &parts[1], &parts[1]]] {
        assert!(refusal(&words).contains("of one match is in"), "{words:?}");
    }
    let again = path("again.jsonl");
    let text = refusal(&["merge", &packed, &parts[0], "-o", &again]);
    assert!(text.contains("game 1 is in") && !Path::new(&again).exists(), "{text}");
    // Unpacked by a merge of one file, the match can be continued; packed it cannot.
    assert_eq!(expect(0, &["merge", &packed, "-o", &again]), table);
    let text = refusal(&["match", "-y", &format!("--resume={packed}")]);
    assert!(text.contains(&format!("parlor merge {packed} -o ")), "{text}");
    let new = path("new.jsonl.zst");
    let text = refusal(&["match", &one, &two, "--games", "2", "--records", &new]);
    assert!(text.contains("pack it afterwards") && !Path::new(&new).exists(), "{text}");
    expect(0, &["match", "-y", &format!("--resume={again}"), "--games", "10"]);
    assert_eq!(games(Path::new(&again)).1.len(), 10);
}

#[test]
fn many_games_in_shards_merge_in_order_and_to_one_table() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let source = path("source.jsonl");
    expect(0, &["match", &one, &two, "--games", "20", "-q", "--records", &source]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner/multiply_records.py");
    let (count, shards) = (if slow_tests() { 100_000 } else { 4_001 }, 8);
    let status = std::process::Command::new(python())
        .arg(script)
        .args([&source, &count.to_string(), &shards.to_string()])
        .arg(directory.path())
        .status()
        .unwrap();
    assert!(status.success());
    let mut parts: Vec<String> =
        (1..=shards).map(|shard| path(&format!("shard-{shard}.jsonl"))).collect();
    let merge = |parts: &[String], output: &str| {
        let mut words = vec!["merge", "-o", output];
        words.extend(parts.iter().map(String::as_str));
        expect(0, &words)
    };
    let (merged, other) = (path("merged.jsonl"), path("other.jsonl"));
    let table = merge(&parts, &merged);
    assert!(table.starts_with(&format!("{count} games\n")), "{table}");
    let mut last = 0;
    parlor::runner::record::read(Path::new(&merged), |record| {
        last += 1;
        assert_eq!(record.game, last);
        Ok(())
    })
    .unwrap();
    assert_eq!(last, count);
    parts.reverse();
    assert_eq!(merge(&parts, &other), table);
    assert_eq!(std::fs::read(&merged).unwrap(), std::fs::read(&other).unwrap());
}

#[test]
fn a_match_that_is_played_again_counts_if_its_games_are_others() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let (first, again) = (path("1.jsonl"), path("2.jsonl"));
    expect(0, &["match", &one, &two, "--games", "6", "--seed", "1", "--records", &first]);
    let lines = std::fs::read_to_string(&first).unwrap();
    // Each game with another time of its first move, as a second run has it.
    let rewrite = |line: &str, edit: &dyn Fn(&str) -> String| {
        let Some((text, _)) = line.rsplit_once(",\"check\":") else { return format!("{line}\n") };
        if !line.contains("\"game\":") || !line.contains("\"moves\":") {
            return format!("{line}\n");
        }
        let text = edit(&text.replacen("\"ms\":", "\"ms\":1", 1));
        with_checksum(&text)
    };
    let later: String = lines.lines().map(|line| rewrite(line, &str::to_owned)).collect();
    std::fs::write(&again, later).unwrap();
    // Other times, the same games.
    let text = refusal(&["rate", &first, &again]);
    assert!(text.contains("game 1 of one match is in") && text.contains("--seed"), "{text}");
    // One game in which another counter was taken first, as another clock might have it.
    let other = |text: &str| text.replacen("\"token\":\"1\"", "\"token\":\"2\"", 1);
    // The match again, with the third game played otherwise and one line copied.
    let write_again = |copied: &str| {
        let line = |line: &str| match line {
            _ if line.contains(copied) => format!("{line}\n"),
            _ if line.contains("\"game\":3,") => rewrite(line, &other),
            _ => rewrite(line, &str::to_owned),
        };
        std::fs::write(&again, lines.lines().map(line).collect::<String>()).unwrap();
    };
    write_again("no line");
    let table = expect(0, &["rate", &first, &again]);
    assert!(table.lines().nth(1).unwrap().contains(" 12 "), "{table}");
    // A copied line is a double before the game that differs and after it.
    for number in [1, 5] {
        write_again(&format!("\"game\":{number},"));
        let text = refusal(&["rate", &first, &again]);
        assert!(text.contains(&format!("game {number} of one match is in")), "{text}");
    }
}

#[test]
fn games_go_to_pgn_and_back() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let (records, pgn, again) = (path("1.jsonl"), path("1.pgn"), path("2.jsonl"));
    for players in ["2", "3"] {
        let rule = format!("Players={players}");
        let words = [
            "match",
            &one,
            &two,
            "--rounds",
            "3",
            "--rule",
            "Dice=true",
            "--rule",
            &rule,
            "--random-plies",
            "1",
            "--records",
            &records,
            "-q",
        ];
        expect(0, &words);
        expect(0, &["export", &records, "-o", &pgn]);
        let second = expect(0, &["export", &records, "--game", "2"]);
        let found: Vec<&str> = second.lines().filter(|line| line.starts_with("[Game ")).collect();
        assert_eq!(found, ["[Game \"2\"]"]);
        expect(0, &["import", &pgn, "-o", &again]);
        let (before, after) = (games(Path::new(&records)).1, games(Path::new(&again)).1);
        assert_eq!(before.len(), after.len());
        for (game, read) in before.values().zip(after.values()) {
            assert_eq!((&game.seating, &game.places), (&read.seating, &read.places));
            assert_eq!((&game.reason, &game.result), (&read.reason, &read.result));
            let play = |m: &parlor::runner::record::Move| {
                (m.token.clone(), m.seat, m.from, m.cp, m.mate, m.depth)
            };
            let played = game.moves.iter().map(play);
            assert!(played.eq(read.moves.iter().map(play)), "game {}", game.game);
        }
        let line = |file: &str| expect(0, &["rate", file]).lines().nth(1).map(str::to_owned);
        let score = |file: &str| line(file).unwrap().split_whitespace().last().map(str::to_owned);
        assert_eq!(score(&records), score(&again));
        for file in [&records, &pgn, &again] {
            std::fs::remove_file(file).unwrap();
        }
    }
    assert!(refusal(&["import", "/no/such.pgn", "-o", &again]).contains("/no/such.pgn"));
    let tags = "[White \"A\"]\n[Black \"B\"]\n";
    let text = format!("{tags}[Result \"1-0\"]\n\n1. e4 1-0\n\n{tags}[Result \"*\"]\n\n1. e4 *\n");
    std::fs::write(&pgn, text).unwrap();
    let told = expect(0, &["import", &pgn, "-o", &again]);
    assert_eq!(told, "1 games\n1 without a result (*) left out\n");
    assert_eq!(games(Path::new(&again)).1.len(), 1);
}

/// A test is decided over the games of all shards; then none of them begins another game.
#[test]
fn a_sequential_test_over_shards_stops_them_all() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let engine = |name: &str, extra: &str| format!("{} name={name}", mock(extra));
    let (strong, weak) = (engine("strong", ""), engine("weak", "--lose"));
    let (stop, json) = (path("stop"), path("merged.json"));
    let play = |one: &str, two: &str, shard: &str, rounds: &str| {
        let part = path(&format!("{}.jsonl", &shard[..1]));
        let mut words = vec!["match", one, two, "--rule", "Counters=40", "--random-plies", "8"];
        words.extend(["--seed", "1", "--rounds", rounds, "--shard", shard, "-q"]);
        words.extend(["--records", &part, "--resume", "--stop-file", &stop]);
        expect(0, &words);
        games(Path::new(&part)).1.len()
    };
    let [first, second] = ["1.jsonl", "2.jsonl"].map(&path);
    let merge = |code, elo1: &str| {
        let sprt = format!("elo0=0 elo1={elo1}");
        let words = ["--sprt", &sprt, "--stop-file", &stop, "--json", &json];
        expect(code, &[&["merge", &first, &second][..], &words].concat())
    };
    assert_eq!((play(&strong, &weak, "1/2", "2"), play(&strong, &weak, "2/2", "2")), (2, 2));
    assert!(merge(0, "100").contains(", open\n"));
    assert!(!Path::new(&stop).exists(), "nothing is decided");
    assert_eq!(play(&strong, &weak, "1/2", "100"), 100);
    assert!(merge(0, "100").contains("elo1 accepted"));
    assert!(std::fs::read_to_string(&stop).unwrap().contains("elo1 accepted"));
    let told: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(told["sprt"]["verdict"], "elo1 accepted");
    assert_eq!(play(&strong, &weak, "2/2", "100"), 2, "games were begun after the end");
    // Lost, as a match tells it.
    for file in [&first, &second, &stop] {
        std::fs::remove_file(file).unwrap();
    }
    play(&weak, &strong, "1/2", "100");
    play(&weak, &strong, "2/2", "100");
    assert!(merge(3, "100").contains("elo0 accepted"));
}
