//! Lines that come while a search runs, and how sessions end.

use std::time::Duration;

use parlor::engine::{GameEngine, session::Ending};

use crate::client::Client;
use crate::table::Position;

/// A session whose player thinks until it must stop, at a position with two moves.
fn slow() -> Client {
    let mut client = Client::session(GameEngine::<Position>::new());
    client.send("setoption name Player value slow");
    client.send(POSITION);
    client
}

const POSITION: &str = "position fen 1.2.3/0.0.0/take1 1 0";

fn bestmoves(lines: &[String]) -> Vec<&str> {
    lines.iter().filter(|line| line.starts_with("bestmove")).map(String::as_str).collect()
}

#[test]
fn isready_is_answered_at_once_and_stop_ends_the_search() {
    let mut client = slow();
    client.send("go infinite");
    assert!(client.line().starts_with("info depth 1"));
    assert_eq!(client.ask("isready"), "readyok");
    client.send("debug off");
    assert_eq!(client.line_within(Duration::from_millis(30)), None);
    // Nothing but `stop` ends this search.
    client.send("stop");
    assert_eq!(client.until("bestmove").len(), 2);
}

#[test]
fn a_bounded_search_is_finished_before_waiting_lines() {
    let mut client = slow();
    client.send("go nodes 30\nquery turn\ngo depth 20\nquery fen\nisready");
    client.close();
    let lines: Vec<_> =
        client.rest().into_iter().filter(|line| !line.starts_with("info")).collect();
    let position = lines.iter().position(|line| line == "readyok").unwrap();
    assert!(position <= 1, "{lines:?}");
    let others: Vec<_> = lines.iter().filter(|line| *line != "readyok").collect();
    assert_eq!(
        others,
        ["bestmove take", "response p2", "bestmove take", "response 1.2.3/0.0.0/take1 1 0"]
    );
}

#[test]
fn stop_also_ends_a_search_without_a_limit_that_waits_before_it() {
    let mut client = slow();
    client.send("go movetime 60000\nquery turn\ngo infinite\nquery turn\ngo infinite\nstop");
    for _ in 0..3 {
        client.until("bestmove");
    }
    assert_eq!(client.ending(), Ending::Quiet);
}

#[test]
fn an_unbounded_search_is_stopped_by_a_waiting_line() {
    let mut client = slow();
    for go in ["go infinite", "go ponder", "go ponder p2time 1000"] {
        client.send(go);
        assert!(client.line().starts_with("info"));
        client.send("query turn");
        assert_eq!(client.until("response").last().unwrap(), "response p2");
    }
}

#[test]
fn a_line_already_waiting_stops_an_unbounded_search_too() {
    let mut client = slow();
    client.send("go nodes 5\ngo infinite\ngo infinite\nquery turn");
    let lines = client.until("response");
    assert_eq!(bestmoves(&lines).len(), 3, "{lines:?}");
}

#[test]
fn the_end_of_the_input_lets_bounded_searches_finish_and_stops_others() {
    let mut client = slow();
    client.send("go nodes 40\ngo nodes 50\ngo infinite");
    client.close();
    let lines = client.rest();
    assert_eq!(bestmoves(&lines).len(), 3, "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("nodes 50 ")), "{lines:?}");
    assert_eq!(client.ending(), Ending::Quiet);
}

#[test]
fn quit_ends_the_search_with_its_bestmove_and_answers_what_waited() {
    let mut client = slow();
    client.send("go movetime 60000\ngo movetime 60000\nquery turn\nquit");
    let lines = client.rest();
    assert_eq!(bestmoves(&lines).len(), 2, "{lines:?}");
    assert_eq!(lines.last().unwrap(), "response p2");
    assert_eq!(client.ending(), Ending::Quiet);
}

#[test]
fn quit_waits_for_no_search_that_has_told_its_move() {
    let mut client = slow();
    client.send("setoption name Player value deaf\ngo infinite");
    client.until("info");
    client.send("quit");
    let answer = client.line_within(Duration::from_secs(15)).expect("the search was waited for");
    assert!(answer.starts_with("bestmove "), "{answer}");
}

#[test]
fn an_answer_to_go_infinite_is_held_until_stop() {
    let mut client = slow();
    client.send("go infinite depth 3");
    assert!(client.line().starts_with("info"));
    assert!(client.line().contains("nodes 3 "));
    assert_eq!(client.line_within(Duration::from_millis(100)), None);
    client.send("stop");
    assert_eq!(client.line(), "bestmove take");
}

#[test]
fn ponderhit_starts_the_clock_and_the_answer_follows() {
    let mut client = slow();
    client.send("uci");
    client.until("uciok");
    client.send("go ponder movetime 50");
    assert!(client.line().starts_with("info"));
    assert_eq!(client.line_within(Duration::from_millis(200)), None);
    client.send("ponderhit");
    let lines = client.until("bestmove");
    assert_eq!(lines.last().unwrap(), "bestmove take");
    client.send("go ponder depth 3");
    client.until("info depth 1 seldepth 1 multipv 1 score cp 0 nodes 3");
    assert_eq!(client.line_within(Duration::from_millis(50)), None);
    client.send("ponderhit");
    assert_eq!(client.line(), "bestmove take");
}

#[test]
fn stop_and_ponderhit_when_idle_are_silent() {
    let mut client = slow();
    client.send("stop\nponderhit\nstop");
    assert_eq!(client.ask("isready"), "readyok");
}

#[test]
fn unknown_words_during_a_search_neither_stop_it_nor_wait() {
    let mut client = slow();
    client.send("go infinite");
    assert!(client.line().starts_with("info"));
    client.send("joho\n\n   \nnonsense more");
    assert_eq!(client.line_within(Duration::from_millis(50)), None);
    client.send("joho stop");
    assert_eq!(client.until("bestmove").len(), 2);
}

#[test]
fn every_kind_of_limit_ends_a_search() {
    let mut client = slow();
    for go in [
        "go depth 2",
        "go depth 0",
        "go nodes 3",
        "go nodes 0",
        "go movetime 30.5",
        "go movetime 0",
        "go movetime -3",
        "go p2time 100",
        "go p2time 100 p2inc 1 movestogo 0",
        "go p2time -100",
        "go btime 30 movestogo 1",
        "go mate 3 movetime 20",
        "go searchmoves take nodes 2",
    ] {
        assert_eq!(client.go(go), "take", "{go}");
    }
    assert_eq!(client.go("go nodes 2 searchmoves leave"), "leave");
}

#[test]
fn a_go_without_limits_thinks_for_the_move_time() {
    let mut client = slow();
    client.send("setoption name Move Time value 40");
    for go in ["go", "go p1time 100000 p3time 3"] {
        client.send(go);
        let lines = client.until("bestmove");
        assert!(!lines[1].contains("nodes 0 "), "{lines:?}");
    }
}

#[test]
fn bad_searchmoves_are_reported_and_the_good_ones_count() {
    let mut client = slow();
    client.send("go nodes 2 searchmoves leave t1 xyz");
    assert!(client.line().starts_with("info string error illegal-move move 2 't1'"));
    assert!(client.line().starts_with("info string error bad-move move 3 'xyz'"));
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove leave");
}
