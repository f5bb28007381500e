//! `parlor check` finds nothing in the built-in engines, and every fault of a faulty one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::support::{
    PARLOR, command, expect, mock, parlor, python_script, scratch, slow_tests, within,
};

/// A built-in engine behind a filter that breaks one rule of the protocol.
fn faulty(fault: &str, game: &str) -> String {
    format!("cmd='{} {fault} {PARLOR} {game}'", python_script("tests/runner/faulty_engine.py"))
}

/// The names of the steps that failed.
fn failing(engine: &str, extra: &[&str]) -> Vec<String> {
    let mut words = vec!["check", engine, "--strict", "--json", "--games", "1"];
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

/// Checks a built-in engine, or a command for one; random games of Barca are long.
fn passes(engine: &str, extra: &[&str]) {
    let plies = if slow_tests() { "20000" } else { "300" };
    let mut words = vec!["check", engine, "--games", "1", "--patience", "60000", "--plies", plies];
    words.extend(extra);
    let text = expect(0, &words);
    assert!(text.ends_with("nothing found\n"), "{engine}: {text}");
}

#[test]
fn our_engines_follow_the_protocol() {
    let engines = expect(0, &["engine"]);
    let names: Vec<&str> = engines.split_whitespace().collect();
    assert!(names.contains(&"barca"), "{engines}");
    for name in names {
        passes(name, &[]);
    }
}

#[test]
fn our_engines_follow_it_with_more_seats() {
    for (name, rule) in
        [("pacru", "Players=4"), ("chowka-bhara", "Players=3"), ("barbarossa", "Players=duel")]
    {
        passes(name, &["--rule", rule]);
    }
}

#[test]
fn a_filter_that_breaks_nothing_passes() {
    let game = if slow_tests() { "barca" } else { "porrika" };
    passes(&faulty("nothing", game), &[]);
}

/// Each fault of the filter, and the step that must find it.
const FAULTS: [(&str, &str); 58] = [
    ("banner", "silent-start"),
    ("id-words", "names"),
    ("no-hash", "standard-options"),
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
    ("wrong-count", "perft"),
    ("one-move-missing", "games"),
    ("random-illegal", "games"),
    ("loaded-dice", "games"),
    ("plays-for-others", "not-to-act"),
    ("own-token-masked", "views"),
    ("view-other-moves", "views"),
    ("view-tells", "view-law"),
    ("piece-nowhere", "pictures"),
    ("board-in-utf-8", "pictures"),
    ("board-remembers", "picture-secrets"),
    ("leaf-illegal", "step-leaves"),
    ("path-cut-short", "step-paths"),
    ("dead-end", "step-offers"),
    ("refuses-its-offers", "step-offers"),
    ("too-many-choices", "step-limits"),
    ("needless-label", "step-limits"),
    ("takes-any-path", "step-refusals"),
    ("step-moves", "step-refusals"),
];

/// The steps that fail under one fault.
fn steps_against(fault: &str, step: &str) -> Vec<String> {
    // Games with dice or secrets where the fault concerns them; else one with short random games
    // for the step that plays some.
    let game = match (fault, step) {
        ("loaded-dice", _) => "chowka-bhara",
        ("plays-for-others" | "own-token-masked" | "view-other-moves" | "view-tells", _) => {
            "barbarossa"
        }
        (_, "games") => "porrika",
        _ => "barca",
    };
    // A missing answer shows only after the patience.
    let silent = ["no-uci", "no-clocks", "stop-unanswered", "stays", "deaf-in-search", "lost-line"];
    let patience = if silent.contains(&fault) { "3000" } else { "60000" };
    failing(&faulty(fault, game), &["--only", step, "--patience", patience])
}

#[test]
fn every_fault_is_found_by_its_step() {
    // One fault of each step, or all.
    let mut steps = BTreeSet::new();
    let wanted = |(_, step): &&(&str, &'static str)| steps.insert(*step) || slow_tests();
    let faults: Vec<_> = FAULTS.iter().filter(wanted).collect();
    let next = AtomicUsize::new(0);
    let missed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((fault, step)) = faults.get(next.fetch_add(1, Ordering::SeqCst)) {
                    if steps_against(fault, step) != [*step] {
                        missed.lock().unwrap().push(*fault);
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().unwrap();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn an_engine_without_pictures_is_not_blamed() {
    for step in ["picture", "step-"] {
        assert!(failing(&faulty("no-pictures", "porrika"), &["--only", step]).is_empty());
    }
}

#[test]
fn the_minimal_engine_has_all_that_is_required() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/minimal_engine.py");
    let engine = path.to_str().unwrap();
    let text = expect(0, &["check", engine, "--patience", "3000"]);
    assert!(text.contains("note standard-options") && !text.contains("FAIL"), "{text}");
    assert!(text.contains("everything required holds; "), "{text}");
    let strict = parlor(&["check", engine, "--strict", "--json", "--only", "standard-options"]);
    assert_eq!(strict.status.code(), Some(1));
    let rows: Vec<Value> = serde_json::from_slice(&strict.stdout).unwrap();
    assert_eq!((&rows[0]["level"], &rows[0]["passed"]), (&"recommended".into(), &false.into()));
    let broken = parlor(&["check", &faulty("unsorted", "porrika"), "--only", "games"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&broken.stdout).contains("found in what is required"));
}

#[test]
fn rule_options_are_checked_too() {
    let text = parlor(&["check", "barca", "--rule", "NoSuchRule=1", "--only", "handshake"]);
    // The protocol wants no answer to an unknown option.
    assert_eq!(text.status.code(), Some(0));
    let output = parlor(&["check", "no-such-engine"]);
    assert_eq!(output.status.code(), Some(2));
    // One line, not one for every step.
    let output = parlor(&["check", "/etc/passwd"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), errors.trim().lines().count()), (Some(2), 1), "{errors}");
    assert!(errors.contains("engine passwd does not start: "), "{errors}");
}

/// Neither answers a query; one speaks UCI, the other never finds a move.
#[test]
fn engines_that_only_play_have_steps_of_their_own() {
    let plain = |extra: &str| {
        let script = python_script("tests/runner/plain_ugi.py");
        format!("cmd='{script}' args='--answers nothing {extra}'")
    };
    let text = expect(0, &["check", &plain("--exits"), "--plain"]);
    assert!(text.contains("ok   go: ") && text.contains("note score: "), "{text}");
    let uci = format!("{} proto=uci", mock("--plain"));
    assert!(expect(0, &["check", &uci]).contains("nothing found"));
    let directory = scratch();
    let junit = within(&directory, "out.xml");
    let mut command = command(&["check", &plain("--no-move"), "--plain", "--junit", &junit]);
    let output = command.env("GITHUB_ACTIONS", "true").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("::error title=go::") && text.contains("::warning title=score::"),
        "{text}"
    );
    assert!(text.contains("FAIL go: ") && text.contains("plays '0000'"), "{text}");
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("tests=\"9\" failures=\"1\" errors=\"0\""), "{xml}");
}

/// Section 2 wants three words; clients show more all the same.
#[test]
fn a_name_of_several_words_is_noted_and_passes() {
    let engine = faulty("id-words", "porrika");
    let text = expect(0, &["check", &engine, "--only", "names"]);
    assert!(
        text.starts_with("note names: ") && text.contains("id name porrika and more"),
        "{text}"
    );
    expect(1, &["check", &engine, "--only", "names", "--strict"]);
}
