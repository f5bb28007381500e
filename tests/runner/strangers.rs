//! Files that strangers wrote: what they may make `parlor` start, read and print.

use serde_json::{Value, json};

use crate::support::{command, expect, mock, parlor, refusal, scratch, with_checksum, within};

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
            assert!(!std::path::Path::new(&witness).exists(), "{words:?} with {key} {value}");
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
                assert!(!std::path::Path::new(&witness).exists(), "{words:?}: {place}.{key}");
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
