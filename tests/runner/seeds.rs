//! Every seed follows from the key of the match, and nothing else tells the key before its end.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use parlor::game::splitmix64;
use parlor::runner::record::Record;
use serde_json::Value;

use crate::support::{expect, games, mock, refusal, scratch, sent, sorted_lines, within};

/// The lines of a record file.
fn lines(path: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The key that a file ends with.
fn last_key(path: &str) -> Option<[u8; 32]> {
    let lines = lines(path);
    let key = lines.last()?["key"].as_str().filter(|_| lines.len() > 1)?;
    let byte = |index| u8::from_str_radix(&key[2 * index..2 * index + 2], 16).unwrap();
    Some(std::array::from_fn(byte))
}

/// The seed of a purpose, as the specification says.
fn seed(key: &[u8; 32], numbers: [u64; 4]) -> u64 {
    let message: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let hash = blake3::keyed_hash(key, &message);
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().unwrap())
}

fn tokens(game: &Record) -> Vec<&str> {
    game.moves.iter().map(|m| m.token.as_str()).collect()
}

/// What chowka bhara throws by a seed: `t1:4 t2:6 t3:4 t4:1 t8:1`.
fn chowka_bhara_throw(seed: u64) -> &'static str {
    let r = (u128::from(splitmix64(seed)) * 16) >> 64;
    match r {
        0..4 => "t1",
        4..10 => "t2",
        10..14 => "t3",
        14 => "t4",
        _ => "t8",
    }
}

#[test]
fn every_throw_follows_from_the_key_in_the_last_line() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let each = ["--each", "option.Player=random", "--rounds", "2", "-c", "2", "-q"];
    let mut words = vec!["match", "chowka-bhara", "chowka-bhara", "--records", &records];
    words.extend(each);
    expect(0, &words);
    let key = last_key(&records).unwrap();
    let hash = blake3::hash(&key).to_hex().to_string();
    assert_eq!(lines(&records)[0]["key"].as_str(), Some(hash.as_str()));
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len(), 4);
    let mut count = 0;
    for game in games.values() {
        let mut thrown = BTreeMap::<usize, u64>::new();
        for m in game.moves.iter().filter(|m| m.token.starts_with('t')) {
            let k = thrown.entry(m.seat).or_default();
            let seed = seed(&key, [0, game.round, m.seat as u64, *k]);
            assert_eq!(m.token, chowka_bhara_throw(seed), "game {}, p{} {k}", game.game, m.seat);
            *k += 1;
            count += 1;
        }
    }
    assert!(count > 100, "only {count} throws");
}

#[test]
fn a_number_makes_the_key_and_stands_in_no_line() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    let (records, file) = (path("records.jsonl"), path("secret"));
    let number: u64 = 8_123_456_789_012_345_678;
    let number_text = number.to_string();
    let base = ["match", &one, &two, "--rule", "Dice=true", "--random-plies", "2", "-q"];
    let run = |more: &[&str]| {
        let mut words = base.to_vec();
        words.extend(more);
        expect(0, &words)
    };
    run(&["--seed", &number_text, "--records", &records]);
    let key = blake3::derive_key("parlor match key v1", &number.to_le_bytes());
    assert_eq!(last_key(&records), Some(key));
    let text = std::fs::read_to_string(&records).unwrap();
    assert!(!text.contains("seed") && !text.contains(&number_text), "{text}");
    for seat in 1..=2 {
        for k in 0..20 {
            for purpose in 0..5 {
                let seed = seed(&key, [purpose, 1, seat, k]).to_string();
                assert!(!text.contains(&seed), "purpose {purpose}: {text}");
            }
        }
    }
    // The same key from a file gives the same match.
    let again = path("again.jsonl");
    std::fs::write(&file, key).unwrap();
    run(&["--key-file", &file, "--records", &again]);
    let moves = |path: &str| {
        let games = games(Path::new(path)).1.into_values();
        games.map(|game| game.moves.into_iter().map(|m| m.token).collect()).collect::<Vec<Vec<_>>>()
    };
    assert_eq!(moves(&records), moves(&again));
    let other = path("other.jsonl");
    run(&["--records", &other]);
    assert_ne!(moves(&records), moves(&other));
}

/// The numbers that processes were sent behind some words.
fn numbers(log: &str, process: &str, words: &str) -> Vec<u64> {
    let number = |line: String| line.strip_prefix(words)?.trim().parse().ok();
    sent(log, process).into_iter().filter_map(number).collect()
}

#[test]
fn seeds_of_engines_and_random_plies_follow_from_the_key() {
    let directory = scratch();
    let log = within(&directory, "log.txt");
    let key = blake3::derive_key("parlor match key v1", &7_u64.to_le_bytes());
    let fixed = format!("{} name=fixed restart=true option.Seed=100", mock("--lose"));
    let free = format!("{} name=free", mock("--lose"));
    let words = ["match", &fixed, &free, "--rounds", "2", "--seed", "7", "-q", "--log", &log];
    expect(0, &[&words[..], &["--random-plies", "3", "--rule", "Counters=30"]].concat());
    // One process plays all four games of this engine, as p2, p1, p2, p1: what it adds for the games
    // before is subtracted.
    let by_key = |game: u64| {
        let seed = seed(&key, [1, 1 + game / 2, 2 - game % 2, 0]);
        seed % (1 << 63) - game
    };
    let free = numbers(&log, "free@1", "setoption name Seed value");
    assert_eq!(free, (0..4).map(by_key).collect::<Vec<_>>());
    // The other one is started with its own `Seed` for every game, and plays game n by S + n - 1.
    let fixed = numbers(&log, "fixed@1", "setoption name Seed value");
    assert_eq!(fixed, [100, 100, 100, 101, 100, 102, 100, 103]);
    // The referee is the program of the first engine, without its options.
    assert!(numbers(&log, "referee@1", "setoption name Seed value").is_empty());
    let plies = [1, 1, 2, 2].iter().flat_map(|&round| {
        [(1, 0), (2, 0), (1, 1)].map(|(seat, k)| seed(&key, [2, round, seat, k]))
    });
    assert_eq!(numbers(&log, "referee@1", "query random"), plies.collect::<Vec<_>>());
}

#[test]
fn moves_in_the_place_of_a_faulty_engine_follow_from_the_key() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (plan, records, log) = (path("plan"), path("records.jsonl"), path("log.txt"));
    std::fs::write(&plan, "crash\n").unwrap();
    let key = blake3::derive_key("parlor match key v1", &7_u64.to_le_bytes());
    let sound = format!("{} name=sound", mock("--lose"));
    let faulty = format!("{} name=faulty", mock(&format!("--faults {plan}")));
    let words = ["match", &sound, &faulty, "--games", "2", "--on-fault", "random", "--seed", "7"];
    let files = ["--records", &records, "--log", &log, "--rule", "Counters=25", "-q"];
    expect(1, &[&words[..], &files].concat());
    let mut expected = Vec::new();
    for game in games(Path::new(&records)).1.values() {
        let seat = game.faults[0].seat;
        let count = game.moves.iter().filter(|m| m.from.is_some()).count();
        assert!(count > 0);
        expected.extend((0..count).map(|k| seed(&key, [3, 1, seat as u64, k as u64])));
    }
    assert_eq!(numbers(&log, "referee@1", "query random"), expected);
}

#[test]
fn the_key_is_kept_beside_the_records_until_the_match_is_complete() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    let (records, file) = (path("records.jsonl"), path("records.jsonl.key"));
    let resume = format!("--resume={records}");
    expect(0, &["match", &one, &two, "--games", "4", "--rule", "Dice=true", "--records", &records]);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let whole = games(Path::new(&records)).1;
    let key = last_key(&records).unwrap();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(kept.trim(), blake3::Hash::from_bytes(key).to_hex().as_str());
    // As after a kill: two games, and no key in the file.
    let cut = || {
        let text = std::fs::read_to_string(&records).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').take(3).collect();
        std::fs::write(&records, lines.concat()).unwrap();
    };
    cut();
    std::fs::remove_file(&file).unwrap();
    let text = refusal(&["match", &resume]);
    assert!(text.contains("without its key") && text.contains("records.jsonl.key"), "{text}");
    std::fs::write(&file, kept.replace(&kept[..1], "x")).unwrap();
    assert!(refusal(&["match", &resume]).contains("a key is 64 hexadecimal digits"));
    std::fs::write(&file, "1".repeat(64)).unwrap();
    assert!(refusal(&["match", &resume]).contains("another key than that of the match"));
    std::fs::write(&file, &kept).unwrap();
    assert!(refusal(&["match", "-y", &resume, "--seed", "1"]).contains("another key than that"));
    expect(0, &["match", "-y", &resume]);
    assert_eq!(games(Path::new(&records)).1.len(), 4);
    for (number, game) in games(Path::new(&records)).1 {
        assert_eq!(tokens(&game), tokens(&whole[&number]));
    }
    assert_eq!(last_key(&records), Some(key));
    // A complete match holds its key, and a longer one holds it once.
    std::fs::remove_file(&file).unwrap();
    expect(0, &["match", "-y", &resume, "--games", "6"]);
    assert_eq!(last_key(&records), Some(key));
    assert_eq!(std::fs::read_to_string(&records).unwrap().matches(kept.trim()).count(), 1);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), kept);
    // Nothing follows the key.
    let text = std::fs::read_to_string(&records).unwrap();
    let game = text.lines().nth(1).unwrap().to_owned();
    std::fs::write(&records, text + &game + "\n").unwrap();
    assert!(refusal(&["rate", &records]).contains("nothing may follow the match key"));
}

#[test]
fn shards_keep_the_key_and_the_merged_match_ends_with_it() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (format!("{} name=A", mock("")), format!("{} name=B", mock("--lose")));
    let base = ["match", &one, &two, "--games", "8", "--rule", "Counters=9", "-q"];
    let mut unnamed = base.to_vec();
    unnamed.extend(["--shard", "1/2"]);
    assert!(refusal(&unnamed).contains("--shard needs --seed N or --key-file FILE"));
    unnamed = base.to_vec();
    unnamed.push("--reproducible");
    assert!(refusal(&unnamed).contains("--reproducible needs --seed N or --key-file FILE"));
    for shard in ["1", "2"] {
        let (part, share) = (path(&format!("{shard}.jsonl")), format!("{shard}/2"));
        let mut words = base.to_vec();
        words.extend(["--records", &part, "--shard", &share, "--seed", "7"]);
        expect(0, &words);
        assert_eq!(last_key(&part), None);
    }
    let key = blake3::derive_key("parlor match key v1", &7_u64.to_le_bytes());
    let (first, second) = (path("1.jsonl"), path("2.jsonl"));
    let (half, whole, packed) = (path("half.jsonl"), path("whole.jsonl"), path("w.jsonl.zst"));
    // Half a match can be played on, also if it was packed in between.
    let small = path("half.jsonl.zst");
    expect(0, &["merge", &first, "-o", &small]);
    std::fs::rename(format!("{first}.key"), path("elsewhere")).unwrap();
    expect(0, &["merge", &small, "-o", &half]);
    std::fs::rename(path("elsewhere"), format!("{first}.key")).unwrap();
    assert_eq!(last_key(&half), None);
    expect(0, &["match", "-y", &format!("--resume={half}"), "-q"]);
    assert_eq!((games(Path::new(&half)).1.len(), last_key(&half)), (8, Some(key)));
    expect(0, &["merge", &first, &second, "-o", &packed]);
    expect(0, &["merge", &packed, "-o", &whole]);
    assert_eq!(last_key(&whole), Some(key));
    // Without the files beside them the key is asked for.
    for part in [&first, &second] {
        std::fs::remove_file(format!("{part}.key")).unwrap();
    }
    expect(0, &["merge", &first, &second, "-o", &whole]);
    assert_eq!(last_key(&whole), None);
    let text = refusal(&["merge", &first, &second, "-o", &whole, "--seed", "8"]);
    assert!(text.contains("another key than that of the match"), "{text}");
    expect(0, &["merge", &first, &second, "-o", &whole, "--seed", "7"]);
    assert_eq!(last_key(&whole), Some(key));
}

#[test]
fn records_do_not_depend_on_how_many_games_are_played_at_once() {
    let directory = scratch();
    for (game, engines, plies) in [
        ("barca", ["option.Player=random", "option.Player=greedy option.Seed=5"], "12"),
        ("porrika", ["nodes=30", "option.Player=random"], "30"),
        ("pacru", ["option.Player=greedy", "nodes=20"], "12"),
        ("chowka-bhara", ["option.Player=careful", "option.Player=random option.Seed=3"], "40"),
        ("barbarossa", ["option.Player=plain", "option.Player=random"], "40"),
    ] {
        let [one, two] = engines.map(|settings| format!("{game} {settings}"));
        let (two, files) = (two + " name=two", ["1", "2"]);
        let files = files.map(|number| within(&directory, &format!("{game}-{number}.jsonl")));
        for (file, concurrency) in files.iter().zip(["1", "2"]) {
            let words = [
                "match",
                &one,
                &two,
                "--rounds",
                if game == "barbarossa" { "1" } else { "3" },
                "--nodes",
                "1",
                "--ply-limit",
                plies,
                "--random-plies",
                "2",
                "--reproducible",
                "--seed",
                "9",
                "-q",
                "-c",
                concurrency,
                "--records",
                file,
            ];
            expect(0, &words);
        }
        assert_eq!(sorted_lines(&files[0]), sorted_lines(&files[1]), "{game}");
        let all = games(Path::new(&files[0])).1;
        let (first, last) = (all.values().next().unwrap(), all.values().next_back().unwrap());
        let differ = first.round == last.round || tokens(first) != tokens(last);
        assert!(differ, "{game}: two rounds with the same moves");
    }
}

#[test]
fn in_games_with_secrets_every_game_has_new_processes() {
    let directory = scratch();
    let (one, two) = (format!("{} name=one", mock("")), format!("{} name=two", mock("")));
    for (secrets, expected) in [("true", 4), ("false", 1)] {
        let log = within(&directory, secrets);
        let rule = format!("Secrets={secrets}");
        expect(0, &["match", &one, &two, "--games", "4", "-q", "--log", &log, "--rule", &rule]);
        let text = std::fs::read_to_string(&log).unwrap();
        let processes = text.lines().filter_map(|line| line.split(' ').nth(1));
        let processes: BTreeSet<&str> = processes.filter(|name| name.starts_with("one@")).collect();
        assert_eq!(processes.len(), expected, "{processes:?}");
    }
}

#[test]
fn a_match_of_an_older_version_is_rated_and_replayed_but_not_continued() {
    let directory = scratch();
    let records = within(&directory, "old.jsonl");
    // Written by version 0.1.0.
    let old = concat!(
        r#"{"parlor":1,"game":0,"seats":2,"engines":["barca","barca#2"],"identities":["a","a"],"#,
        r#""rules":"","seed":1,"bundles":[2],"config":{"engines":["barca","barca"],"seed":1},"#,
        r#""run":{"games":2}}"#,
        "\n",
        r#"{"game":1,"round":1,"pairing":1,"seating":["barca","barca#2"],"seed":77,"#,
        r#""start":"startpos","moves":[{"token":"e2e4","seat":1}],"result":"draw","#,
        r#""places":[1,1],"shares":[0.5,0.5],"reason":"ply-limit","ending":"adjudication"}"#,
        "\n",
    );
    std::fs::write(&records, old).unwrap();
    expect(0, &["rate", &records]);
    assert!(expect(0, &["replay", &records, "1", "--show"]).contains("e2e4"));
    let merged = within(&directory, "merged.jsonl");
    expect(0, &["merge", &records, "-o", &merged]);
    assert_eq!(lines(&merged)[1]["seed"].as_u64(), Some(77));
    let text = refusal(&["match", &format!("--resume={records}")]);
    assert!(text.contains("of an older version") && text.contains("not continued"), "{text}");
}
