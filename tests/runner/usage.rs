//! A wrong command is reported before the first game, with exit code 2.

use crate::support::{expect, minimal, mock, refusal, scratch, slow_tests, within};

#[test]
fn a_wrong_path_is_named() {
    let text = refusal(&["match", "./no/such/engine", "./no/such/engine"]);
    assert!(text.contains("no program at ./no/such/engine"), "{text}");
    let text = refusal(&["match", "no-such-engine", "no-such-engine"]);
    assert!(text.contains("'no-such-engine' is neither a built-in engine"), "{text}");
}

#[test]
fn a_missing_handshake_is_reported_with_the_engines_last_line() {
    let (good, bad) = (mock(""), format!("{} name=bad", mock("--no-handshake")));
    let text = refusal(&["match", &good, &bad]);
    assert!(text.contains("engine bad"), "{text}");
    assert!(text.contains("exited with code 1 before ugiok"), "{text}");
    assert!(text.contains("I will not shake hands"), "{text}");
    // The client's own tests wait for a shorter time.
    if slow_tests() {
        let text = refusal(&["match", &good, "cmd='sleep 100' name=mute"]);
        assert!(text.contains("engine mute: no-handshake: no ugiok within 10 s"), "{text}");
    }
}

#[test]
fn refused_and_unknown_options_are_reported() {
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    let text = refusal(&["match", &one, &two, "--rule", "Players=7"]);
    assert!(text.contains("--rule Players=7 is refused: bad-value Players is 2 to 4"), "{text}");
    let text = refusal(&["match", &one, &two, "--rule", "Colour=red"]);
    assert!(text.contains("no option for --rule Colour=red; it declares: Counters"), "{text}");
    let odd = format!("{two} option.Colour=red");
    let text = refusal(&["match", &one, &odd]);
    assert!(text.contains("engine two: no option for option.Colour=red"), "{text}");
}

#[test]
fn engines_that_start_elsewhere_do_not_play() {
    let (one, two) = (mock(""), format!("{} name=two", mock("--version-of-rules 1")));
    let text = refusal(&["match", &one, &two]);
    assert!(
        text.contains("engine two: it starts from '13 p1', the referee from '12 p1'"),
        "{text}"
    );
}

#[test]
fn openings_are_tried_before_the_first_game() {
    let directory = scratch();
    let path = within(&directory, "openings.txt");
    let (one, two) = (minimal(), format!("{} name=two", minimal()));
    std::fs::write(&path, "startpos moves 1\n\nstartpos moves 1 4\n").unwrap();
    let text = refusal(&["match", &one, &two, "--openings", &path]);
    assert!(text.contains("line 3: the referee refuses it: illegal-move 4"), "{text}");
    std::fs::write(&path, "fen 3 p1 moves 3\n").unwrap();
    let text = refusal(&["match", &one, &two, "--openings", &path]);
    assert!(text.contains("line 1: the game is over there"), "{text}");
}

#[test]
fn commands_that_make_no_sense_are_refused() {
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    for (words, expected) in [
        (vec!["--shard", "3/2"], "--shard 3/2"),
        (vec!["--shard", "1/2", "--seed", "1", "--sprt", "elo1=9"], "--sprt 'elo1=9' --stop-file"),
        (vec!["--tc", "fast"], "'fast' is not a time control"),
        (vec!["--resign", "3"], "--resign 3: write MOVES,CP"),
        (vec!["--sprt", "elo0=5 elo1=0"], "elo0 must be below elo1"),
        (vec!["--seating", "A,B"], "--seating A,B"),
        (vec!["--rule", "Players"], "--rule Players: write NAME=VALUE"),
        (vec!["--show", "-c", "2"], "--show draws one game"),
        (vec!["--resume"], "--resume needs --records"),
        (vec!["--config", "/no/such/file"], "config /no/such/file"),
        (vec!["--nodes", "0"], "nodes=0"),
        (vec!["--games", "0"], "--games 0"),
        (vec!["--rounds", "0"], "--rounds 0"),
        (vec!["-c", "0"], "--concurrency 0"),
        (vec!["--cores", "60000"], "there is no core 60000"),
    ] {
        let mut line = vec!["match", &one, &two];
        line.extend(words);
        let text = refusal(&line);
        assert!(text.contains(expected), "{line:?}: {text}");
    }
    assert!(refusal(&["match"]).contains("no engines"));
    assert!(refusal(&["merge", "1.jsonl"]).contains("--output <FILE>"));
    assert!(refusal(&["match", "--resume"]).contains("--resume=FILE"));
    // As other match runners write it.
    assert!(refusal(&["match", &one, "name=two"]).contains("are one argument"));
    let text = refusal(&["match", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "tc=1"]);
    assert!(text.contains("'-engine' is no option here"), "{text}");
    assert!(refusal(&["match", &one]).contains("two engines"));
    assert!(refusal(&["match", &one, &two, "--no-such-flag"]).contains("--no-such-flag"));
    assert!(expect(0, &["match", "--help"]).contains("Exit codes"));
}
