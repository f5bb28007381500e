//! `parlor check` finds nothing in ours, and each single fault of a faulty engine.

use std::path::Path;

use serde_json::Value;

use crate::support::{PARLOR, expect, parlor};

/// A built-in engine behind a filter that breaks one promise.
fn faulty(fault: &str, game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner/faulty_engine.py");
    format!("cmd='python3 -S -E -B {} {fault} {PARLOR} {game}'", path.display())
}

/// The names of the steps that failed.
fn failing(engine: &str, extra: &[&str]) -> Vec<String> {
    let mut words = vec!["check", engine, "--json", "--games", "1"];
    words.extend(extra);
    let output = parlor(&words);
    let text = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text} {}", String::from_utf8_lossy(&output.stderr))
    });
    let failed: Vec<String> = rows
        .iter()
        .filter(|row| row["passed"] == false)
        .map(|row| row["step"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(output.status.code(), Some(i32::from(!failed.is_empty())));
    failed
}

#[test]
fn our_engines_keep_the_protocol() {
    let engines = expect(0, &["engine"]);
    let names: Vec<&str> = engines.split_whitespace().collect();
    assert!(names.contains(&"barca"), "{engines}");
    for name in names {
        let text = expect(0, &["check", name, "--games", "1", "--patience", "60000"]);
        assert!(text.ends_with("nothing found\n"), "{name}: {text}");
    }
}

#[test]
fn our_engines_keep_it_at_larger_tables() {
    for (name, rule) in
        [("pacru", "Players=4"), ("chowka-bhara", "Players=3"), ("barbarossa", "Players=duel")]
    {
        let words = ["check", name, "--games", "1", "--rule", rule, "--patience", "60000"];
        let text = expect(0, &words);
        assert!(text.ends_with("nothing found\n"), "{name}: {text}");
    }
}

#[test]
fn a_filter_that_breaks_nothing_is_not_blamed() {
    let engine = faulty("nothing", "barca");
    let text = expect(0, &["check", &engine, "--games", "1", "--patience", "60000"]);
    assert!(text.ends_with("nothing found\n"), "{text}");
}

#[test]
fn every_single_fault_is_found_by_its_step() {
    let mut missed = Vec::new();
    for (fault, step) in [
        ("banner", "silent-start"),
        ("id-words", "handshake"),
        ("no-hash", "options"),
        ("no-uci", "uci"),
        ("noisy-unknown", "idle"),
        ("two-answers", "queries"),
        ("blank-answer", "queries"),
        ("result-words", "queries"),
        ("silent-errors", "bad-positions"),
        ("stale-plays", "bad-positions"),
        ("rejects-bad-only-later", "bad-positions"),
        ("no-append", "append"),
        ("no-nps", "go"),
        ("no-info", "go"),
        ("no-clocks", "clocks"),
        ("ponder-under-ugi", "bestmove"),
        ("illegal-bestmove", "bestmove"),
        ("chatter-after-bestmove", "bestmove"),
        ("slow", "movetime"),
        ("deaf-in-search", "during-search"),
        ("short-line", "during-search"),
        ("stop-unanswered", "during-search"),
        ("exit-code", "end"),
        ("stays", "end"),
        ("any-flag", "flags"),
        ("no-game-flag", "flags"),
        ("always-legal", "games"),
        ("unsorted", "games"),
        ("turn-disagrees", "games"),
        ("incomplete-list", "games"),
        ("no-reason", "games"),
        ("view-changes", "views"),
        ("no-view", "views"),
        ("accepts-nonsense", "options"),
        ("answers-nonsense", "bad-queries"),
        ("takes-long-lines", "bad-lines"),
        ("drops-moves-errors", "bad-positions"),
        ("lost-line", "pipe"),
        ("wrong-result", "games"),
        ("wrong-count", "games"),
        ("one-move-missing", "games"),
        ("random-illegal", "games"),
        ("loaded-dice", "games"),
        ("plays-for-others", "not-to-act"),
        ("own-token-masked", "views"),
        ("view-other-moves", "views"),
        ("view-tells", "view-law"),
    ] {
        // Only where there is something to throw or to hide can it go wrong.
        let game = match fault {
            "loaded-dice" => "chowka-bhara",
            "plays-for-others" | "own-token-masked" | "view-other-moves" | "view-tells" => {
                "barbarossa"
            }
            _ => "barca",
        };
        // A fault of silence shows itself only after the patience.
        let silent =
            ["no-uci", "no-clocks", "stop-unanswered", "stays", "deaf-in-search", "lost-line"];
        let patience = if silent.contains(&fault) { "3000" } else { "60000" };
        let failed = failing(&faulty(fault, game), &["--only", step, "--patience", patience]);
        if failed != [step] {
            missed.push(fault);
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn rule_options_are_checked_too() {
    let text = parlor(&["check", "barca", "--rule", "NoSuchRule=1", "--only", "handshake"]);
    // Unknown options say nothing on standard output: that is what the protocol asks for.
    assert_eq!(text.status.code(), Some(0));
    let output = parlor(&["check", "no-such-engine"]);
    assert_eq!(output.status.code(), Some(2));
}
