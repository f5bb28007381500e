//! Engines that are broken in one way each: what is said of them is what they did.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use parlor::runner::record::{Ending, Record};

use crate::support::{expect, games, mock, python_script, refusal, scratch, slow_tests, within};

/// A fault, the kind that is named, and what its detail begins or goes on with.
type Case = (&'static str, &'static str, &'static [&'static str]);

/// Faults at the start of a process, after the trial of the match.
const AT_START: [Case; 11] = [
    ("start-exit", "no-handshake", &["exited with code 3 before ugiok"]),
    ("start-exit-0", "no-handshake", &["exited with code 0 before ugiok"]),
    ("start-signal", "no-handshake", &["ended by SIGSEGV before ugiok"]),
    ("start-hang", "no-handshake", &["no ugiok within 8 s"]),
    ("start-slow", "no-handshake", &["no ugiok within 8 s"]),
    ("start-closed-output", "no-handshake", &["closed its output before ugiok"]),
    ("start-flood", "no-handshake", &["endless output and no ugiok"]),
    ("start-garbage", "no-handshake", &["no ugiok within 8 s"]),
    ("start-other-dialect", "no-handshake", &["no ugiok within 8 s, but uciok: say proto=uci"]),
    (
        "start-never-ready",
        "no-handshake",
        &["no answer within 8000 ms at 'isready' after 'setoption"],
    ),
    (
        "start-exit-at-isready",
        "no-handshake",
        &["exited with code 5 at 'isready' after 'setoption name Counters value 25'"],
    ),
];

/// Faults in the middle of a game.
const IN_GAME: [Case; 31] = [
    ("exit", "crash", &["exited with code 3 at 'go movetime 20'"]),
    ("exit-0", "closed-pipe", &["exited with code 0 at 'go movetime 20'"]),
    ("segfault", "crash", &["ended by SIGSEGV at 'go movetime 20'"]),
    ("abort", "crash", &["ended by SIGABRT at 'go movetime 20'"]),
    ("killed", "crash", &["ended by SIGKILL at 'go movetime 20'"]),
    ("terminated", "crash", &["ended by SIGTERM at 'go movetime 20'"]),
    // Python's own exit code.
    ("exception", "crash", &["exited with code 1 at 'go movetime 20'"]),
    ("hang", "hang", &["no bestmove, and no answer within 2500 ms at 'isready'"]),
    ("suspended", "hang", &["no bestmove, and no answer within 2500 ms", "; it is suspended"]),
    ("deaf", "silence-after-stop", &["no bestmove 2500 ms after stop"]),
    ("closed-output", "closed-pipe", &["closed its output and still runs at 'go movetime 20'"]),
    ("closed-output-and-exit", "crash", &["exited with code 6 at 'go movetime 20'"]),
    ("closed-input", "closed-pipe", &["closed its input and still runs at 'go movetime 20'"]),
    (
        "closed-input-after-move",
        "closed-pipe",
        &["closed its input and still runs before 'go movetime 20'"],
    ),
    (
        "child-holds-output",
        "closed-pipe",
        &["exited with code 0 at 'go movetime 20'", "; a process that it started holds its output"],
    ),
    (
        "background",
        "closed-pipe",
        &["exited with code 0 at 'go movetime 20'", "; a process that it started holds its output"],
    ),
    // Its end is seen before or while the next command is written.
    ("exit-after-move", "crash", &["exited with code 3 ", " 'go movetime 20'"]),
    (
        "half-line-and-exit",
        "crash",
        &["exited with code 3 at 'go movetime 20'", "; no line end after 'bestmo'"],
    ),
    ("no-line-end", "hang", &["no bestmove, and no answer", "; no line end after 'bestmove 1'"]),
    ("flood", "endless-output", &["still no answer at 'go movetime 20'"]),
    (
        "huge-line",
        "endless-output",
        &["still no answer at 'go movetime 20'", "; one line of it is above 1 MiB"],
    ),
    ("late", "overtime", &["1 after 3", "1520 ms allowed"]),
    ("illegal", "illegal-move", &["9: illegal-move 9"]),
    ("other-game", "malformed-move", &["e2e4: bad-move"]),
    ("empty-move", "malformed-move", &["'' is not a move"]),
    ("zero-byte", "malformed-move", &["'1\\u{0}' is not a move"]),
    ("not-ascii", "malformed-move", &["'\\u{e4}' is not a move"]),
    ("huge-move", "malformed-move", &["'1111", "...' is not a move"]),
    ("no-move", "disagreement", &["sees no move where the referee sees one"]),
    ("no-move-in-brackets", "disagreement", &["sees no move where the referee sees one"]),
    ("refusal", "disagreement", &["refuses: illegal-move 1 is token 1"]),
];

/// Faults at the end of a game, which do not change its result.
const AT_END: [Case; 5] = [
    ("exit-at-query", "crash", &["exited with code 4 at 'query gameover'"]),
    ("hang-at-query", "hang", &["no answer within 2500 ms at 'query gameover'"]),
    ("other-result", "disagreement", &["sees gameover true, result draw where the referee sees"]),
    ("never-over", "disagreement", &["sees gameover false, result p"]),
    ("nonsense-answers", "disagreement", &["result \\u{7} 42 \\u{2603} where"]),
];

/// Faults between two games, of every process in its second game.
const BETWEEN_GAMES: [Case; 2] = [
    ("exit-at-new-game", "crash", &["exited with code 3 at 'isready' after 'uginewgame'"]),
    ("hang-at-new-game", "hang", &["no answer within 2500 ms at 'isready' after 'uginewgame'"]),
];

/// What is odd and no fault, with the stray lines of a game.
const NO_FAULTS: [(&str, u64); 8] = [
    ("two-moves", 1),
    ("garbage-before-move", 0),
    ("carriage-return", 0),
    ("error-output", 0),
    ("many-lines", 0),
    ("stray-before-go", 1),
    ("stray-at-position", 2),
    ("quit-ignored", 0),
];

fn broken(fault: &str, file: &str) -> String {
    format!(
        "cmd='{}' args='{fault} {file}' name=broken",
        python_script("tests/runner/broken_engine.py")
    )
}

/// A match of a broken engine and a sound one; every game must be recorded.
fn play(fault: &str, settings: &str, handshake: &str, count: u64) -> Vec<Record> {
    let directory = scratch();
    let (records, starts) = (within(&directory, "records"), within(&directory, "starts"));
    let engine = format!("{} {settings}", broken(fault, &starts));
    let (sound, referee, count_text) = (mock("--lose"), mock(""), count.to_string());
    let words = ["match", &sound, &engine, "--referee", &referee, "--games", &count_text];
    // Long enough for a busy machine; what waits for the start of a process waits longer.
    let patience = if settings.is_empty() { "2500" } else { "8000" };
    let times = ["--movetime", "20", "--margin", "1500", "--patience", patience];
    let rest = ["-c", "4", "--allow-faults", "--rule", "Counters=25", "--handshake", handshake];
    let words = [&words[..], &times, &rest, &["--records", &records]].concat();
    expect(0, &words);
    let games: Vec<Record> = games(Path::new(&records)).1.into_values().collect();
    assert_eq!(games.len() as u64, count, "{fault}");
    games
}

/// Checks that the fault of a game is this one.
fn check(case: &Case, game: &Record, ending: Ending) {
    let (name, kind, details) = case;
    let place = game.seating.iter().position(|engine| engine == "broken").unwrap();
    let [fault] = game.faults.as_slice() else { panic!("{name}: {:?}", game.faults) };
    assert_eq!((fault.engine.as_str(), fault.seat), ("broken", place + 1), "{name}");
    let (found, detail) = (fault.fault.kind.name(), &fault.fault.detail);
    assert_eq!(found, *kind, "{name}: {detail}");
    let mut rest = detail.as_str();
    for part in *details {
        let at = rest.find(part).unwrap_or_else(|| panic!("{name}: no '{part}' in '{detail}'"));
        rest = &rest[at + part.len()..];
    }
    assert!(detail.is_ascii() && detail.len() < 300, "{name}: {detail}");
    assert_eq!(game.ending, ending, "{name}");
    if ending == Ending::Fault {
        assert_eq!((game.reason.as_str(), game.places[place]), (*kind, 2), "{name}");
    } else {
        // The last counter is taken by the winner, whatever the broken engine makes of it.
        let last = game.moves.last().unwrap().seat;
        assert_eq!(game.places[last - 1], 1, "{name}");
    }
}

/// Does work for each of a list, several at a time: most of it is waiting.
fn for_each<T: Sync>(list: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                while let Some(item) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

/// Games with each fault.
fn count() -> u64 {
    if slow_tests() { 20 } else { 1 }
}

#[test]
fn faults_in_a_game_are_named_rightly() {
    for_each(&IN_GAME, |case| {
        for game in play(case.0, "", "20000", count()) {
            check(case, &game, Ending::Fault);
        }
    });
}

#[test]
fn faults_at_the_start_of_a_process_are_named_rightly() {
    for_each(&AT_START, |case| {
        for game in play(case.0, "restart=true", "8000", count()) {
            check(case, &game, Ending::Fault);
        }
    });
}

#[test]
fn faults_at_the_end_of_a_game_leave_its_result() {
    for_each(&AT_END, |case| {
        for game in play(case.0, "", "20000", count()) {
            check(case, &game, Ending::Rules);
        }
    });
}

#[test]
fn faults_between_two_games_belong_to_the_second() {
    for_each(&BETWEEN_GAMES, |case| {
        let games = play(case.0, "", "20000", 8 * count());
        // A process is replaced after each fault: so every second game of it has one.
        let faulty: Vec<&Record> = games.iter().filter(|game| !game.faults.is_empty()).collect();
        let expected = 4 * count();
        assert!(faulty.len() as u64 >= expected - 4, "{}: {} faults", case.0, faulty.len());
        for game in faulty {
            check(case, game, Ending::Fault);
            assert!(game.moves.is_empty());
            // No position of this game was sent.
            assert_eq!(game.faults[0].fault.position, "", "{}", case.0);
        }
    });
}

#[test]
fn what_is_odd_and_no_fault_costs_no_game() {
    for_each(&NO_FAULTS, |&(name, strays)| {
        for game in play(name, "", "20000", count()) {
            assert_eq!((game.ending, game.faults.len()), (Ending::Rules, 0), "{name}");
            let place = game.seating.iter().position(|engine| engine == "broken").unwrap();
            let found = game.strays.get(place).copied().unwrap_or(0);
            assert_eq!(found, strays, "{name}");
        }
    });
}

#[test]
fn an_engine_that_fails_in_the_trial_is_refused_with_the_reason() {
    let directory = scratch();
    let starts = within(&directory, "starts");
    std::fs::write(&starts, ".").unwrap();
    let (sound, engine) = (mock("--lose"), broken("start-exit", &starts));
    let text = refusal(&["match", &sound, &engine]);
    let expected = "engine broken: no-handshake: exited with code 3 before ugiok";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_slow_start_may_take_as_long_as_is_allowed() {
    let directory = scratch();
    let starts = within(&directory, "starts");
    let (sound, engine) = (mock("--lose"), broken("start-slow", &starts));
    let words = ["match", &sound, &engine, "--games", "1", "--handshake", "60000"];
    let mut command = crate::support::command(&words);
    let output = command.env("BROKEN_SLOW", "0.5").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
