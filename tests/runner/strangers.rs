//! Files that strangers wrote: what they may make `parlor` start, read and print.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::{
    PARLOR, command, expect, mock, parlor, refusal, scratch, with_checksum, within,
};

/// A line of a record file with a valid checksum.
fn checked(value: &Value) -> String {
    let text = value.to_string();
    with_checksum(text.strip_suffix('}').unwrap())
}

/// A match of the game with itself, its header changed by somebody, as the text of a record file.
fn forged(game: &str, edit: impl Fn(&mut Value)) -> String {
    let directory = scratch();
    let records = within(&directory, "honest.jsonl");
    let name = format!("{game} name=two");
    expect(
        0,
        &[
            "match",
            game,
            &name,
            "--games",
            "2",
            "--nodes",
            "1",
            "--ply-limit",
            "6",
            "--records",
            &records,
        ],
    );
    let text = std::fs::read_to_string(&records).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    header.as_object_mut().unwrap().remove("check");
    edit(&mut header);
    checked(&header) + rest
}

/// Commands that leave a file behind, in every place of a header that names an engine.
fn hostile(witness: &str) -> Vec<(&'static str, Value)> {
    let touch = format!("touch {witness}");
    vec![
        ("engines", json!([touch, touch])),
        ("engines", json!([format!("cmd='{touch}'"), "porrika name=two"])),
        ("engines", json!([format!("porrika cmd='{touch}'"), "porrika name=two"])),
        ("referee", json!(touch)),
        ("referee", json!(format!("porrika 'cmd={touch}'"))),
        ("each", json!(format!("cmd='{touch}'"))),
        ("adjudicator", json!(format!("cmd='{touch}' nodes=1"))),
        ("luck", json!(touch)),
    ]
}

#[test]
fn a_record_file_starts_no_program() {
    let directory = scratch();
    let (file, witness) = (within(&directory, "sent.jsonl"), within(&directory, "witness"));
    for (key, value) in hostile(&witness) {
        std::fs::write(&file, forged("porrika", |header| header["config"][key] = value.clone()))
            .unwrap();
        let resume = format!("--resume={file}");
        for words in [
            &["replay", &file, "1", "--show"][..],
            &["svg", &file, "--game", "1"],
            &["rate", &file],
            &["balance", &file],
            &["export", &file, "-o", "/dev/null"],
            &["play", "--load", &file],
            &["match", &resume, "--games", "4"],
        ] {
            let output = parlor(words);
            assert!(!Path::new(&witness).exists(), "{words:?} with {key} {value}");
            assert!(output.status.code().is_some_and(|code| code <= 2), "{words:?}: {output:?}");
        }
        let text = refusal(&["match", &resume, "--games", "4"]);
        assert!(text.contains("touch") && text.contains("--yes"), "{key}: {text}");
    }
}

#[test]
fn the_game_of_a_record_is_shown_whoever_refereed_it() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    let text =
        forged("porrika", |header| header["config"]["referee"] = json!("porrika option.Hash=1"));
    std::fs::write(&file, text).unwrap();
    assert!(expect(0, &["replay", &file, "1", "--show"]).lines().count() > 30);
    assert!(expect(0, &["svg", &file, "--game", "1"]).contains("<svg"));
    // A program of somebody: only where the command line names it.
    let text = forged("porrika", |header| {
        header["config"]["referee"] = json!("./engine");
        header["variant"] = json!("another game");
    });
    std::fs::write(&file, text).unwrap();
    let told = refusal(&["replay", &file, "1", "--show"]);
    assert!(told.contains("'./engine', and a file starts no program"), "{told}");
    let shown = expect(0, &["replay", &file, "1", "--show", "--referee", "porrika"]);
    assert!(shown.lines().count() > 30);
}

#[test]
fn a_record_file_names_no_file_to_write() {
    let directory = scratch();
    let (file, witness) = (within(&directory, "sent.jsonl"), within(&directory, "witness"));
    for place in ["config", "run"] {
        for key in ["log", "stderr", "text", "json", "records", "save_config", "key_file"] {
            let text = forged("porrika", |header| header[place][key] = json!(witness));
            std::fs::write(&file, text).unwrap();
            for words in [
                vec!["replay".to_owned(), file.clone(), "1".to_owned(), "--show".to_owned()],
                vec![
                    "match".to_owned(),
                    format!("--resume={file}"),
                    "--games".to_owned(),
                    "4".to_owned(),
                ],
            ] {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let _ = command(&words).output().unwrap();
                assert!(!Path::new(&witness).exists(), "{words:?}: {place}.{key}");
            }
        }
    }
}

#[test]
fn a_match_of_other_programs_goes_on_when_somebody_agrees() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--games", "2", "--records", &records]);
    let resume = format!("--resume={records}");
    let told = refusal(&["match", &resume, "--games", "4"]);
    assert!(told.contains("mock_engine.py") && told.contains("add --yes"), "{told}");
    expect(0, &["match", &resume, "--games", "4", "--yes"]);
    // Named on the command line, the engines are those of the command line.
    expect(0, &["match", &one, &two, "--records", &records, "--resume", "--games", "6"]);
}

#[test]
fn a_match_goes_on_with_the_engines_and_the_rules_that_it_began_with() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    let edits: [fn(&mut Value); 2] = [
        |header| header["identities"][1] = json!("porrika by Somebody"),
        |header| header["rules"] = json!("Other=1"),
    ];
    for edit in edits {
        std::fs::write(&file, forged("porrika", edit)).unwrap();
        let told = refusal(&["match", &format!("--resume={file}"), "--games", "4"]);
        assert!(told.contains("the engines have changed: then "), "{told}");
    }
}

/// The only game of a file, changed by somebody.
fn forged_game(edit: impl Fn(&mut Value)) -> String {
    let text = forged("porrika", |_| {});
    let mut lines = text.lines().map(String::from).collect::<Vec<_>>();
    let mut game: Value = serde_json::from_str(&lines[1]).unwrap();
    game.as_object_mut().unwrap().remove("check");
    edit(&mut game);
    lines[1] = checked(&game).trim_end().to_owned();
    lines.join("\n") + "\n"
}

/// What every command that reads records says of a file that it must refuse.
fn refused_everywhere(text: &[u8], reason: &str) {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent.jsonl"), within(&directory, "out.jsonl"));
    std::fs::write(&file, text).unwrap();
    let resume = format!("--resume={file}");
    for words in [
        &["rate", &file][..],
        &["balance", &file],
        &["merge", &file, "-o", &out],
        &["export", &file, "-o", &out],
        &["replay", &file, "1"],
        &["svg", &file, "--game", "1"],
        &["match", &resume, "--yes"],
    ] {
        let told = refusal(words);
        assert!(told.contains(reason), "{words:?}: {told}");
    }
}

#[test]
fn numbers_of_a_header_that_no_game_has_are_refused() {
    for seats in [0_u64, 10, 9_999_999_999, 1 << 63] {
        let text = forged("porrika", |header| header["seats"] = json!(seats));
        refused_everywhere(text.as_bytes(), "seats; there are 1 to 9");
    }
}

#[test]
fn a_game_of_another_number_of_seats_than_its_match_is_refused() {
    for (list, value) in
        [("seating", json!(["a"])), ("places", json!([1, 2, 3])), ("shares", json!([]))]
    {
        let text = forged_game(|game| game[list] = value.clone());
        refused_everywhere(text.as_bytes(), &format!("'{list}' is of"));
    }
}

#[test]
fn texts_that_would_be_several_lines_to_an_engine_are_refused() {
    for hostile in ["startpos\nquit", "startpos\rquit", "startpos\u{1b}[2J"] {
        let text = forged_game(|game| game["start"] = json!(hostile));
        refused_everywhere(text.as_bytes(), "is neither a position nor a token");
        let text = forged_game(|game| game["moves"][1]["token"] = json!(hostile));
        refused_everywhere(text.as_bytes(), "is neither a position nor a token");
    }
}

/// A line without an end, packed into a few kilobytes.
#[test]
fn a_packed_line_without_an_end_is_refused_before_it_is_unpacked() {
    let header = forged("porrika", |_| {});
    let mut bomb = header.lines().next().unwrap().as_bytes().to_vec();
    bomb.push(b'\n');
    bomb.resize(64 << 20, b' ');
    let packed = zstd::encode_all(&*bomb, 3).unwrap();
    assert!(packed.len() < 100_000, "{}", packed.len());
    let directory = scratch();
    let file = within(&directory, "sent.jsonl.zst");
    std::fs::write(&file, packed).unwrap();
    for words in [&["rate", &file][..], &["balance", &file], &["replay", &file, "1"]] {
        let told = refusal(words);
        assert!(told.contains("a line of more than 16 MiB"), "{words:?}: {told}");
    }
}

/// Records that came with a link: the key of the match destroys nothing.
#[test]
fn a_link_beside_records_is_not_written_through() {
    let directory = scratch();
    let [file, link, victim] =
        ["sent.jsonl", "sent.jsonl.key", "precious"].map(|name| within(&directory, name));
    std::fs::write(&victim, "precious\n").unwrap();
    let complete = forged("porrika", |_| {});
    let incomplete = complete.lines().take(2).map(|line| line.to_owned() + "\n").collect();
    let resume = format!("--resume={file}");
    for text in [complete, incomplete] {
        std::fs::write(&file, &text).unwrap();
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        for seed in [&[][..], &["--seed", "1"]] {
            let told = refusal(&[&["match", &resume, "--games", "4"][..], seed].concat());
            assert!(told.contains("key"), "{told}");
            assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious\n");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
    }
    let new = within(&directory, "new.jsonl");
    std::fs::rename(&link, format!("{new}.key")).unwrap();
    let told = refusal(&["match", "porrika", "porrika name=two", "--records", &new]);
    assert!(told.contains("something else is there"), "{told}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious\n");
}

/// A finished match keeps its key in its last line alone, until it goes on.
#[test]
fn a_finished_match_writes_no_key_until_it_goes_on() {
    let directory = scratch();
    let (file, key) = (within(&directory, "sent.jsonl"), within(&directory, "sent.jsonl.key"));
    std::fs::write(&file, forged("porrika", |_| {})).unwrap();
    let resume = format!("--resume={file}");
    expect(0, &["match", &resume]);
    assert!(!Path::new(&key).exists());
    expect(0, &["match", &resume, "--games", "4"]);
    assert!(Path::new(&key).exists());
}

/// Every text of a header, whatever member it stands in, is one line.
#[test]
fn texts_of_a_header_that_would_be_several_lines_are_refused() {
    let edits: [fn(&mut Value); 8] = [
        |header| header["config"]["rules"] = json!(["MaxPlies=9\nquit"]),
        |header| header["config"]["each"] = json!("tc=1\rquit"),
        |header| header["config"]["engines"][0] = json!("porrika\u{1b}[2J"),
        |header| header["config"]["openings"] = json!("a\0b"),
        |header| header["config"]["luck"] = json!("a\u{9b}2J"),
        |header| header["variant"] = json!("porrika\nquit"),
        |header| header["run"]["cores"] = json!("1\n2"),
        |header| header["config"]["a\nb"] = json!(1),
    ];
    for edit in edits {
        let text = forged("porrika", edit);
        let reason =
            if text.contains("\\n") { "is more than one line" } else { "has control characters" };
        refused_everywhere(text.as_bytes(), reason);
    }
}

/// Runs a program with so little memory that a bomb of any kind would end it by a signal: 64 MiB
/// beyond the [honest](honest_data) need of a program that does nothing but start.
fn in_little_memory(program: &str, words: &[&str]) -> Output {
    let script = format!("ulimit -d {}; exec \"$0\" \"$@\"", (64 << 10) + 24_000);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, program]).args(words).stdin(Stdio::null());
    shell.env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"));
    shell.output().unwrap()
}

/// What `parlor` says of a file that it must refuse in little memory.
fn refused_in_little_memory(words: &[&str], reason: &str) {
    let output = in_little_memory(PARLOR, words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{words:?}: {output:?}");
    assert!(told.contains(reason), "{words:?}: {told}");
}

/// Packs a text that is made of a part many times.
fn bomb(path: &str, start: &str, part: &str, count: usize, end: &str) {
    let file = std::fs::File::create(path).unwrap();
    let mut packed = zstd::Encoder::new(file, 3).unwrap();
    packed.write_all(start.as_bytes()).unwrap();
    let block = part.repeat(1000);
    for _ in 0..count / 1000 {
        packed.write_all(block.as_bytes()).unwrap();
    }
    packed.write_all(end.as_bytes()).unwrap();
    packed.finish().unwrap();
}

/// A record file whose header or only game holds a list of many parts in place of a member. The
/// checksum is right.
fn list_bomb(path: &str, in_header: bool, member: &str, part: &str, count: usize) {
    let text = forged("porrika", |_| {});
    let mut lines: Vec<String> = text.lines().take(2).map(str::to_owned).collect();
    let line = &mut lines[usize::from(!in_header)];
    let mut value: Value = serde_json::from_str(line).unwrap();
    value.as_object_mut().unwrap().remove("check");
    value[member] = json!("HERE");
    let list = format!("[{}{part}]", format!("{part},").repeat(count - 1));
    let text = value.to_string().replace("\"HERE\"", &list);
    *line = with_checksum(text.strip_suffix('}').unwrap()).trim_end().to_owned();
    let packed = zstd::encode_all((lines.join("\n") + "\n").as_bytes(), 3).unwrap();
    assert!(packed.len() < 50_000, "{}", packed.len());
    std::fs::write(path, packed).unwrap();
}

/// A value of a few bytes may take some hundred: they are counted before any is made.
#[test]
fn records_of_too_many_values_are_refused_in_little_memory() {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent.jsonl.zst"), within(&directory, "out"));
    let commands: [&[&str]; 9] = [
        &["rate", &file],
        &["balance", &file],
        &["plot", &file],
        &["merge", &file, "-o", &out],
        &["export", &file, "-o", &out],
        &["book", &file, "-o", &out],
        &["replay", &file, "1"],
        &["svg", &file, "--game", "1"],
        &["play", "--load", &file],
    ];
    for (in_header, member, part, count, reason) in [
        (true, "config", "{\"\":0}", 2_000_000, "it has more than 2 MiB"),
        (true, "config", "{\"\":0}", 200_000, "it has more than 131072 values"),
        (true, "config", "{\"\":0}", 50_000, "it has more than 1024 objects"),
        (true, "engines", "\"\"", 100_000, "more than 256 engines"),
        (false, "moves", "{\"token\":\"a\",\"seat\":1}", 500_000, "it has more than"),
        (false, "luck", "0", 7_000_000, "it has more than 1000000 values"),
    ] {
        list_bomb(&file, in_header, member, part, count);
        for words in commands {
            refused_in_little_memory(words, reason);
        }
    }
    // As much as is allowed fits.
    list_bomb(&file, false, "moves", "{\"token\":\"a\",\"seat\":1}", 99_000);
    let output = in_little_memory(PARLOR, &["rate", &file]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn texts_of_too_many_parts_are_refused_in_little_memory() {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent.zst"), within(&directory, "out.jsonl"));
    let openings = ["match", "porrika", "porrika name=b", "--openings", &file, "--nodes", "1"];
    let tags = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n";
    let book = "# parlor book 1\nfen a ; startpos 1";
    let cases: [(&str, &str, usize, &[&str], &str); 8] = [
        (tags, "e4 ", 1_500_000, &["import", &file, "-o", &out], "more than 100000 moves"),
        (tags, "e4 ", 1_500_000, &openings, "more than 100000 moves"),
        ("", "a\n", 800_000, &openings, "take a part of them"),
        (book, " ; token a 1 1.000 1", 800_000, &["book", &file], "it has more than 500000"),
        (book, " ; token a 1 1.000 1", 400_000, &["book", &file], "'a' is there twice"),
        (book, " ; token a 1 1.000 1", 400_000, &openings, "'a' is there twice"),
        ("", "a/\n", 1_000_000, &["suite", &file, "porrika"], "take a part of them"),
        ("startpos", " ; set \"a=b\"", 1_000_000, &["suite", &file, "porrika"], "operations"),
    ];
    for (start, part, count, words, reason) in cases {
        bomb(&file, start, part, count, "\n");
        refused_in_little_memory(words, reason);
    }
    for words in [
        &["import", "/dev/zero", "-o", &out][..],
        &["suite", "/dev/zero", "porrika"],
        &["book", "/dev/zero"],
        &["match", "porrika", "porrika name=b", "--openings", "/dev/zero"],
    ] {
        refused_in_little_memory(words, "a line of more than 16 MiB");
    }
}

#[test]
fn files_for_an_engine_are_read_in_little_memory() {
    let directory = scratch();
    let file = within(&directory, "sent.zst");
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/chowka-bhara/two.table");
    let equity = ["chowka-bhara", "equity", "--table", table, "--records", &file];
    let program = |name: &str| Path::new(PARLOR).with_file_name(name).display().to_string();
    for (start, part, count, reason) in [
        ("{\"moves\":[", "{\"\":0},", 900_000, "it has more than"),
        ("position startpos moves ", "t2 ", 2_000_000, "t2 is not"),
    ] {
        bomb(&file, start, part, count, "0]}\n");
        let output = in_little_memory(&program(equity[0]), &equity[1..]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
        assert!(told.contains(reason), "{told}");
    }
    let words = ["perft", "1", "--positions", "/dev/zero"];
    let output = in_little_memory(&program("barca"), &words);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("a line of more than 16 MiB"), "{output:?}");
}

/// Control characters are refused where files become values, before an engine gets them.
#[test]
fn texts_with_control_characters_reach_no_engine() {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent"), within(&directory, "out.jsonl"));
    let openings = ["match", "porrika", "porrika name=b", "--openings", &file, "--nodes", "1"];
    let tags = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n";
    let suite = ["suite", &file, "porrika", "--nodes", "1"];
    for hostile in ["\r", "\u{1b}[2J", "\0", "\u{9b}2J"] {
        for (text, words) in [
            (format!("a{hostile}quit\n"), &openings[..]),
            (format!("startpos ; set \"Hash=1{hostile}quit\"\n"), &suite),
            (format!("{tags}[FEN \"x{hostile}quit\"]\n\na 1-0\n"), &openings),
            (format!("{tags}[FEN \"x{hostile}quit\"]\n\na 1-0\n"), &["import", &file, "-o", &out]),
            (format!("# parlor book 1\nfen a{hostile}quit ; startpos 1\n"), &["book", &file]),
        ] {
            std::fs::write(&file, text).unwrap();
            let told = refusal(words);
            assert!(told.contains("a control character"), "{words:?}: {told}");
        }
    }
    for symbol in ["T_a_0aquit", "T_a_20b"] {
        std::fs::write(&file, format!("{tags}\n{symbol} 1-0\n")).unwrap();
        let told = refusal(&["import", &file, "-o", &out]);
        assert!(told.contains("is no move"), "{told}");
    }
    std::fs::write(&file, format!("[White \"{}\"]\n{}", "a".repeat(2000), &tags[12..])).unwrap();
    assert!(refusal(&["import", &file, "-o", &out]).contains("is longer than 1024 bytes"));
    assert!(!Path::new(&out).exists());
}

#[test]
fn times_that_no_clock_can_hold_are_refused() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    let text = forged("porrika", |header| header["run"]["move_timeout"] = json!(u64::MAX));
    std::fs::write(&file, text).unwrap();
    let resume = format!("--resume={file}");
    let told = refusal(&["match", &resume, "--games", "4"]);
    assert!(told.contains("from 1 to 1000000000"), "{told}");
    let most = u64::MAX.to_string();
    for option in ["--move-timeout", "--patience", "--handshake", "--new-game", "--wait"] {
        let told = refusal(&["match", "porrika", "porrika name=b", option, &most]);
        assert!(told.contains(option) && told.contains("1000000000"), "{told}");
    }
    for option in ["--movetime", "--margin"] {
        let told = refusal(&["match", "porrika", "porrika name=b", option, &most]);
        assert!(told.contains(&option[2..]) && told.contains("1000000000"), "{told}");
    }
    let suite = within(&directory, "suite");
    std::fs::write(&suite, "startpos\n").unwrap();
    let told = refusal(&["suite", &suite, "porrika", "--timeout", &most]);
    assert!(told.contains("1000000000"), "{told}");
}

/// What a terminal would obey is an escape in all JSON that is written: the file may be a terminal.
#[test]
fn json_that_is_written_has_escapes() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    let name = "a\u{9b}2J\u{202e}b";
    let text = forged_game(|game| game["seating"][0] = json!(name));
    std::fs::write(&file, text.as_bytes()).unwrap();
    // The name in the header is the other one: what is there may be merged all the same.
    let merged = expect(0, &["merge", &file, "-o", "/dev/stdout"]);
    assert!(merged.contains("\\u009b2J\\u202e") && !merged.contains('\u{9b}'), "{merged}");
    let rated = expect(0, &["rate", &file, "--json"]);
    assert!(!rated.contains('\u{202e}'), "{rated}");
}

/// Lines are written anew, not with the spaces that somebody put into them.
#[test]
fn a_merged_match_is_no_larger_than_what_it_holds() {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent.jsonl"), within(&directory, "out.jsonl"));
    let text = forged("porrika", |_| {});
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (start, _) = lines[1].rsplit_once(",\"check\"").unwrap();
    lines[1] = with_checksum(&(start.to_owned() + &" ".repeat(1 << 20))).trim_end().to_owned();
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    expect(0, &["merge", &file, "-o", &out]);
    assert_eq!(std::fs::read_to_string(&out).unwrap().len(), text.len());
}

/// A number that only an exact reader gives back is in the header of a match that goes on.
#[test]
fn numbers_of_a_header_are_read_as_they_were_written() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    for number in ["4.444e+48", "0.1234567890123456789"] {
        let share: f64 = number.parse().unwrap();
        let text = forged("porrika", |header| header["run"]["fail_below"] = json!(share));
        assert!(text.contains(&serde_json::to_string(&share).unwrap()), "{text}");
        std::fs::write(&file, &text).unwrap();
        let out = within(&directory, "out.jsonl");
        expect(0, &["merge", &file, "-o", &out]);
        let written = std::fs::read_to_string(&out).unwrap();
        let header: Value = serde_json::from_str(written.lines().next().unwrap()).unwrap();
        assert_eq!(header["run"]["fail_below"].as_f64().map(f64::to_bits), Some(share.to_bits()));
    }
}

/// A header names a file of openings: a pipe would be waited for, without end.
#[test]
fn openings_that_a_header_names_are_a_regular_file() {
    let directory = scratch();
    let (file, pipe) = (within(&directory, "sent.jsonl"), within(&directory, "pipe"));
    nix::unistd::mkfifo(Path::new(&pipe), nix::sys::stat::Mode::S_IRWXU).unwrap();
    for named in [pipe.as_str(), "/dev/zero", directory.path().to_str().unwrap()] {
        let text = forged("porrika", |header| header["config"]["openings"] = json!(named));
        std::fs::write(&file, text).unwrap();
        let told = refusal(&["match", &format!("--resume={file}"), "--games", "4"]);
        assert!(told.contains(named) && told.contains("file"), "{told}");
    }
    // It stands in what is asked.
    let text = forged("porrika", |header| {
        header["config"]["openings"] = json!(file);
        header["config"]["referee"] = json!("./engine");
    });
    std::fs::write(&file, text).unwrap();
    let told = refusal(&["match", &format!("--resume={file}"), "--games", "4"]);
    assert!(told.contains(&format!("and reads {file}")), "{told}");
}

/// Names cost no more than their number squared.
#[test]
fn many_names_are_rated_in_time_and_too_many_refused() {
    let directory = scratch();
    let file = within(&directory, "sent.jsonl");
    let text = forged("porrika", |_| {});
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let mut game: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    game.as_object_mut().unwrap().remove("check");
    for (count, reason) in [(500, "e0"), (2100, "more than 2000 engines")] {
        let mut text = header.to_owned() + "\n";
        for number in 1..=count {
            game["game"] = json!(number);
            game["round"] = json!(number);
            game["seating"] = json!([format!("e{}", number - 1), format!("e{number}")]);
            text += &checked(&game);
        }
        std::fs::write(&file, text).unwrap();
        let output = parlor(&["rate", &file]);
        let told = [output.stdout, output.stderr].concat();
        let told = String::from_utf8_lossy(&told);
        assert!(told.contains(reason), "{told}");
        assert!(!told.contains("score % / results"), "a cross table of {count}");
    }
}

/// A position that asks for a win in four billion plies is searched no longer than the command line
/// says.
#[test]
fn a_suite_does_not_override_the_limits_of_the_command_line() {
    let directory = scratch();
    let suite = within(&directory, "suite");
    std::fs::write(&suite, "startpos ; win 1000\n").unwrap();
    let words = ["suite", &suite, "barca", "--nodes", "100", "--timeout", "300"];
    assert!(expect(1, &words).contains("win 1000: the engine says"));
}

/// The file in which a person's progress is kept may be another one's.
#[test]
fn a_file_of_progress_is_read_in_little_memory() {
    let directory = scratch();
    let path = directory.path().join("parlor/progress.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let value = format!("{{\"x\":[{}{{}}]}}", "{\"\":0},".repeat(140_000));
    std::fs::write(&path, value).unwrap();
    let mut puzzle = command(&["puzzle", "barca"]);
    let output = puzzle.env("XDG_STATE_HOME", directory.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("progress.json: it has more than 32768 values"), "{told}");
}
