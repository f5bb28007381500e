//! Refusals: what is reported where, and that nothing changes except that the session is stale.

use parlor::engine::{GameEngine, session::Ending};

use crate::client::Client;
use crate::table::Position;

fn client() -> Client {
    Client::session(GameEngine::<Position>::new())
}

fn is_stale(client: &mut Client) {
    assert!(client.query("turn").starts_with("error stale"));
    assert_eq!(client.query("protocol"), "ugi 1 ext 3");
    client.send("go depth 1");
    assert_eq!(client.line(), "info depth 0 score cp 0 nodes 0 time 0 nps 0");
    assert_eq!(client.line(), "bestmove 0000");
}

#[test]
fn a_refused_position_leaves_the_board_and_makes_the_session_stale() {
    for (line, code, part) in [
        ("position fen 1.2.3/0.0.0/rest 0 0", "bad-position", "expected cards"),
        ("position fen", "bad-position", "expected cards"),
        ("position startpos view p7", "bad-position", "view"),
        ("position startpos view p4", "bad-position", "3 seats"),
        ("position middle", "bad-position", "startpos or fen"),
        ("position startpos moves deal:1 deal:9", "bad-move", "move 2 'deal:9'"),
        ("position startpos moves deal:1 take", "illegal-move", "move 2 'take'"),
        ("position fen 1.2.3/0.0.0/show 2 2 moves show:3 t1", "game-over", "move 2 't1'"),
        ("moves t1 t1", "illegal-move", "move 5 't1'"),
        ("moves", "bad-move", "at least one"),
        ("position startpos moves \u{e9}", "not-ascii", "character 25"),
        ("position \0", "not-ascii", "character 10"),
    ] {
        let mut client = client();
        client.send("position startpos moves deal:1 deal:1 deal:1");
        let answer = client.ask(line);
        assert!(answer.starts_with(&format!("info string error {code} ")), "{line}: {answer}");
        assert!(answer.contains(part), "{line}: {answer}");
        is_stale(&mut client);
        client.send("d");
        let drawn = client.until("stale: ");
        assert!(drawn.iter().any(|line| line == "fen: 1.1.1/0.0.0/throw 0 0"), "{drawn:?}");
        assert!(client.ask("moves t1").starts_with("info string error stale"));
        assert!(client.ask("perft 1").starts_with("info string error stale"));
        assert!(client.ask("eval").starts_with("info string error stale"));
        client.send("position startpos moves deal:1 deal:1 deal:1 t2");
        assert_eq!(client.query("turn"), "p1");
    }
}

#[test]
fn a_line_above_a_mebibyte_is_refused_without_being_stored() {
    let mut client = client();
    let long = format!("position startpos moves{}\n", " deal:1".repeat(1_500_000));
    client.send_bytes(long.as_bytes());
    assert!(client.line().starts_with("info string error too-long a line of 10500023 bytes"));
    is_stale(&mut client);
    client.send_bytes(format!("query {}\n", "x".repeat(2_000_000)).as_bytes());
    assert!(client.line().starts_with("response error too-long"));
    assert_eq!(client.ask("isready"), "readyok");
}

#[test]
fn bytes_that_are_no_text_are_refused_one_line_at_a_time() {
    let mut client = client();
    client.send_bytes(b"query \xff\xfe\n");
    assert!(client.line().starts_with("response error not-ascii"));
    client.send_bytes(b"\0\0\0\n");
    assert!(client.line().starts_with("info string error not-ascii"));
    assert_eq!(client.query("turn"), "chance");
}

#[test]
fn every_bad_query_is_answered_by_one_line_with_its_code() {
    let mut client = client();
    for (query, code) in [
        ("", "unknown-query"),
        ("weather", "unknown-query"),
        ("TURN", "unknown-query"),
        ("turn now", "bad-value"),
        ("throw", "bad-value"),
        ("throw x", "bad-number"),
        ("throw -1", "bad-number"),
        ("throw 18446744073709551616", "bad-number"),
        ("random", "bad-value"),
        ("islegal", "bad-value"),
        ("view", "bad-value"),
        ("view p4", "bad-value"),
        ("view white", "bad-value"),
        ("legalmoves a b", "bad-value"),
    ] {
        let answer = client.ask(&format!("query {query}"));
        assert!(answer.starts_with(&format!("response error {code} ")), "{query}: {answer}");
    }
    client.send("position fen 1.2.3/0.0.0/over 0 2");
    assert!(client.query("throw 1").starts_with("error game-over"));
    assert_eq!(client.query("random 1"), "none");
    assert_eq!(client.query("islegal take"), "false");
}

#[test]
fn unknown_commands_and_options_are_silent_but_not_forgotten() {
    let mut client = client();
    client.send("hello\nsetoption name Nonsense value 3\ngo depth 1 sideways");
    let lines = client.until("bestmove");
    assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
    assert_eq!(client.ending(), Ending::Refusals);
    let mut client = self::client();
    client.send("joho debug off");
    assert_eq!(client.ask("isready"), "readyok");
    assert_eq!(client.ending(), Ending::Refusals);
}

#[test]
fn bad_option_values_name_what_would_be_right() {
    let mut client = client();
    for (line, part) in [
        ("setoption name Hash value 65537", "an integer from 0 to 65536"),
        ("setoption name Hash value many", "an integer from 0 to 65536"),
        ("setoption name Hash", "an integer"),
        ("setoption name OwnBook value yes", "true or false"),
        ("setoption name Player value nobody", "one of engine random"),
        ("setoption name Clear Hash value 3", "no value"),
    ] {
        let answer = client.ask(line);
        assert!(answer.starts_with("info string error bad-value option "), "{line}: {answer}");
        assert!(answer.contains(part), "{line}: {answer}");
    }
    assert!(client.ask("setoption Hash 3").starts_with("info string error bad-option"));
    client.send("setoption name clear hash\nsetoption name HASH value 0");
    assert_eq!(client.ask("isready"), "readyok");
}

#[test]
fn xboard_is_refused_in_the_words_of_its_own_protocol() {
    let mut client = client();
    assert_eq!(client.ask("xboard"), "Error (unknown command): xboard");
}

#[test]
fn a_go_with_a_bad_number_is_reported_and_still_answered() {
    let mut client = client();
    client.send("go depth three");
    assert!(client.line().starts_with("info string error bad-number"));
    client.until("bestmove");
    assert_eq!(client.ending(), Ending::Refusals);
}

#[test]
fn a_position_that_goes_on_from_the_last_one_is_the_same_as_a_new_one() {
    type Barca = parlor::games::barca::Position;
    let mut client = Client::session(GameEngine::<Barca>::new());
    let whole = |line: &str| {
        let mut fresh = Client::session(GameEngine::<Barca>::new());
        fresh.send(line);
        [fresh.query("fen"), fresh.query("reason")]
    };
    for (before, line) in [
        ("", "position startpos"),
        ("", "position startpos moves e2e4"),
        ("", "position startpos moves e2e4 e9e6"),
        ("", "position startpos moves e2e4 e9e6"),
        // Another command in between leads elsewhere.
        ("moves e1e2", "position startpos moves e2e4 e9e6 e1e3"),
        ("setoption name Hash value 1", "position startpos moves e2e4 e9e6 e1e3 f10e9"),
        // Not a continuation: shorter, or another token that begins alike.
        ("", "position startpos moves e2e3"),
        ("", "position startpos moves e2e30"),
        ("", "position startpos moves e2e4 e9e6"),
    ] {
        client.send(before);
        client.send(line);
        if line.ends_with("e30") {
            assert!(client.line().contains("move 1 'e2e30'"), "{line}");
            continue;
        }
        let found = [client.query("fen"), client.query("reason")];
        assert_eq!(found, whole(line), "{line}");
    }
    // A rule set in between holds for the continuation.
    client.send("setoption name MaxPlies value 3");
    client.send("position startpos moves e2e4 e9e6 e1e3");
    assert_eq!(client.query("reason"), "max-plies");
    let answer = client.ask("position startpos moves e2e4 e9e6 e1e3 f10e9");
    assert!(answer.contains("game-over move 4 'f10e9'"), "{answer}");
    // So it does after tokens that were taken back, since a later one was refused.
    client.send("position startpos moves e2e4");
    assert!(client.ask("position startpos moves e2e4 e9e6 e2e30").contains("'e2e30'"));
    client.send("position startpos moves e2e4 e9e6 e1e3");
    assert_eq!(client.query("reason"), "max-plies");
}
