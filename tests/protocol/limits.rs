//! What a player is asked: its limits for every seat, the options it is built with, and how what it
//! reports is written.

use std::collections::BTreeMap;

use parlor::engine::GameEngine;
use parlor::games::barca;

use crate::client::Client;
use crate::table::Position;

/// A session whose player tells what it is asked.
fn recorder() -> Client {
    let mut client = Client::session(GameEngine::<Position>::new());
    client.send("setoption name Player value recorder");
    client
}

/// What the player was asked, times in microseconds.
type Asked = BTreeMap<String, Option<u64>>;

fn asked(client: &mut Client, seat: usize, go: &str) -> Asked {
    client.send(&format!("position fen 1.2.3/0.0.0/take1 {seat} 0"));
    client.send(go);
    let lines = client.until("bestmove");
    let text = lines[0].strip_prefix("info string ").unwrap_or_else(|| panic!("{go}: {lines:?}"));
    let field = |word: &str| {
        let (name, value) = word.split_once('=').expect("a field");
        (name.to_owned(), value.parse().ok())
    };
    text.split(' ').map(field).collect()
}

/// Depth, nodes and mate; soft, least and hard time.
fn limits(client: &mut Client, seat: usize, go: &str) -> [Option<u64>; 6] {
    let asked = asked(client, seat, go);
    ["depth", "nodes", "mate", "soft", "least", "hard"].map(|name| asked[name])
}

#[test]
fn the_clock_is_that_of_the_seat_to_move() {
    let mut client = recorder();
    client.send("setoption name Move Overhead value 500\nsetoption name Move Time value 1234");
    let unlimited = [None, None, None, Some(1_234_000), None, Some(1_234_000)];
    let mut alone = Vec::new();
    for seat in 0..3 {
        let [own, next, last] = [0, 1, 2].map(|after| (seat + after) % 3 + 1);
        let own_clock = format!("go p{own}time 60000 p{own}inc 2000");
        alone.push(limits(&mut client, seat, &own_clock));
        let all = format!(
            "go p{next}inc 9000 p{last}time 7 p{last}inc 1 p{next}time 900000 p{own}inc 2000 \
             p9time 3 p{own}time 60000"
        );
        assert_eq!(limits(&mut client, seat, &all), alone[seat], "p{own}");
        // The last move before a control has the clock less the overhead, and nothing of others'.
        let go = format!("go movestogo 1 p{own}time 60000 p{next}time 900");
        let [.., hard] = limits(&mut client, seat, &go);
        assert_eq!(hard, Some(59_500_000), "p{own}");
        // Clocks of other seats are no limit, nor is an increment without a clock.
        for go in [
            "go".into(),
            format!("go p{next}time 5 p{last}time 5 p{next}inc 5"),
            format!("go p{own}inc 5"),
        ] {
            assert_eq!(limits(&mut client, seat, &go), unlimited, "{go}");
        }
        // Clocks at or below 0 count as 1.
        let least = limits(&mut client, seat, &format!("go p{own}time 1"));
        assert!(least[5] < Some(1_000), "{least:?}");
        for time in ["0", "-1", "-70000.5"] {
            assert_eq!(limits(&mut client, seat, &format!("go p{own}time {time}")), least);
        }
        // `w` is p1 and `b` is p2; nobody else has such a clock.
        let colours = limits(&mut client, seat, "go wtime 60000 winc 2000 btime 60000 binc 2000");
        assert_eq!(colours, if seat < 2 { alone[seat] } else { unlimited });
        for (of, colour) in [(0, "w"), (1, "b")] {
            let go = format!("go {colour}time 60000 {colour}inc 2000");
            let expected = if of == seat { alone[seat] } else { unlimited };
            assert_eq!(limits(&mut client, seat, &go), expected, "{go}, p{own} to move");
        }
    }
    assert!(alone[0][5] > Some(2_000_000), "{alone:?}");
    assert_eq!(alone[1..], [alone[0], alone[0]]);
}

#[test]
fn a_limit_is_not_lost_beside_another() {
    let mut client = recorder();
    for seat in 0..3 {
        let own = format!("p{}time", seat + 1);
        let clock = limits(&mut client, seat, &format!("go {own} 60000"));
        for (words, counts) in [
            ("depth 5", [Some(5), None, None]),
            ("nodes 6", [None, Some(6), None]),
            ("mate 7", [None, None, Some(7)]),
            ("mate 7 depth 5 nodes 6", [Some(5), Some(6), Some(7)]),
            ("depth 0 nodes 0", [Some(0), Some(0), None]),
        ] {
            // Alone: no time is added to it.
            let told = limits(&mut client, seat, &format!("go {words}"));
            assert_eq!((&told[..3], &told[3..]), (&counts[..], &[None; 3][..]), "{words}");
            // `movetime` is used to the end, the overhead too.
            let told = limits(&mut client, seat, &format!("go movetime 40.5 {words}"));
            let times = [Some(40_500), None, Some(40_500)];
            assert_eq!((&told[..3], &told[3..]), (&counts[..], &times[..]), "{words}");
            let told = limits(&mut client, seat, &format!("go {words} {own} 60000"));
            assert_eq!((&told[..3], &told[3..]), (&counts[..], &clock[3..]), "{words}");
        }
        // The shorter of two times.
        let told = limits(&mut client, seat, &format!("go {own} 60000 movetime 40"));
        assert_eq!(told[3..], [Some(40_000), None, Some(40_000)]);
        let told = limits(&mut client, seat, &format!("go movetime 90000 {own} 60000"));
        assert_eq!(told[3..], clock[3..]);
    }
    client.send("setoption name Move Time value 50");
    assert_eq!(limits(&mut client, 1, "go movetime 70")[5], Some(70_000));
    // Words that are refused are no limit.
    client.send("position fen 1.2.3/0.0.0/take1 0 0\ngo depth x movetime 1e3");
    let lines = client.until("bestmove");
    assert!(
        lines[0].contains("bad-number go depth") && lines[1].contains("bad-number go movetime")
    );
    assert!(lines[2].contains("depth=- ") && lines[2].contains("hard=50000 "), "{lines:?}");
}

#[test]
fn an_infinite_search_has_no_time_and_a_pondering_one_that_of_its_clock() {
    let mut client = recorder();
    let mut released = |seat: usize, go: &str, by: &str| {
        client.send(&format!("position fen 1.2.3/0.0.0/take1 {seat} 0\n{go}\n{by}"));
        let lines = client.until("bestmove");
        lines[0].clone()
    };
    for seat in 0..3 {
        let own = format!("p{}time 1000 p{0}inc 10", seat + 1);
        let text = released(seat, &format!("go infinite movetime 5 {own} depth 8 nodes 9"), "stop");
        assert!(text.contains("depth=8 nodes=9 mate=- soft=- least=- hard=- "), "{text}");
        let text = released(seat, "go infinite", "stop");
        assert!(text.contains("depth=- nodes=- mate=- soft=- least=- hard=- "), "{text}");
        let clock = released(seat, &format!("go {own}"), "");
        assert_eq!(released(seat, &format!("go ponder {own}"), "ponderhit"), clock);
        assert_eq!(released(seat, "go ponder movetime 5", "ponderhit"), {
            released(seat, "go movetime 5", "")
        });
        // Without any limit it thinks for `Move Time` once the clock runs.
        assert_eq!(released(seat, "go ponder", "ponderhit"), released(seat, "go", ""));
    }
}

#[test]
fn a_search_that_ponders_without_a_limit_ends_after_the_ponder_hit() {
    let mut client = Client::session(GameEngine::<Position>::new());
    client.send("setoption name Player value slow\nsetoption name Move Time value 20");
    client.send("position fen 1.2.3/0.0.0/take1 1 0\ngo ponder\nponderhit\nquery turn");
    let lines = client.until("response");
    assert_eq!(lines[lines.len() - 2..], ["bestmove take", "response p2"]);
}

#[test]
fn after_the_ponder_hit_waiting_lines_stop_nothing() {
    let mut client = Client::session(GameEngine::<Position>::new());
    client.send("setoption name Player value slow");
    client.send("position fen 1.2.3/0.0.0/take1 1 0");
    client.send("go ponder nodes 60\nponderhit\nquery turn");
    let lines = client.until("response");
    assert!(lines[lines.len() - 3].contains(" nodes 60 "), "{lines:?}");
}

#[test]
fn a_mate_is_asked_for_in_the_unit_of_the_last_handshake() {
    let mut client = recorder();
    for (handshake, plies) in [("isready", 3), ("uci", 5), ("ugi", 3), ("uci", 5)] {
        client.send(handshake);
        client.until(if handshake == "isready" { "readyok" } else { &handshake[..2] });
        client.ask("isready");
        assert_eq!(limits(&mut client, 2, "go mate 3")[2], Some(plies), "after {handshake}");
        assert_eq!(limits(&mut client, 2, "go mate 0")[2], Some(0), "after {handshake}");
    }
}

#[test]
fn a_player_has_the_options_that_were_set_last() {
    let mut client = recorder();
    let mut told = || {
        let asked = asked(&mut client, 1, "go depth 1");
        ["hash", "threads", "seed", "lines"].map(|name| asked[name].expect(name))
    };
    assert_eq!(told(), [64, 1, 1, 1]);
    let mut client = recorder();
    let mut told = |option: &str| {
        client.send(option);
        let asked = asked(&mut client, 1, "go depth 1");
        ["hash", "threads", "seed", "lines"].map(|name| asked[name].expect(name))
    };
    assert_eq!(told("setoption name hash value 3"), [3, 1, 1, 1]);
    assert_eq!(told("setoption name THREADS value 2"), [3, 2, 1, 1]);
    assert_eq!(told("setoption name Seed value 70"), [3, 2, 70, 1]);
    assert_eq!(told("setoption name MultiPV value 4"), [3, 2, 70, 4]);
    // The n-th game has `Seed` + n - 1.
    assert_eq!(told("uginewgame"), [3, 2, 70, 4]);
    assert_eq!(told("ucinewgame"), [3, 2, 71, 4]);
    assert_eq!(told("uginewgame\nuginewgame"), [3, 2, 73, 4]);
    assert_eq!(told("setoption name Seed value 9223372036854775807")[2], (1 << 63) + 2);
}

#[test]
fn reports_have_the_order_and_the_units_of_the_specification() {
    let mut client = recorder();
    client.send("setoption name UCI_ShowWDL value true");
    for (handshake, mate) in [("ugi", -3), ("uci", -2)] {
        client.send(handshake);
        client.until(&format!("{handshake}ok"));
        client.send("position fen 1.2.3/0.0.0/take1 1 0\ngo depth 1");
        let lines = client.until("bestmove");
        // The second `take` follows a decision, where something is thrown.
        assert_eq!(
            lines[1],
            "info depth 3 seldepth 7 multipv 2 score cp -31 lowerbound vec 100 200 700 nodes 4000 \
             nps 1600000 time 2 hashfull 12 pv take"
        );
        let last = format!(
            "info depth 4 seldepth 4 multipv 1 score mate {mate} upperbound wdl 5 15 980 nodes 0 \
             nps 0 time 0 hashfull 0"
        );
        assert_eq!(lines[2..], [last, "bestmove take".into()]);
    }
}

#[test]
fn a_player_without_a_legal_move_costs_no_move() {
    for (player, fault) in [
        ("cheat", "internal the player chose an illegal move; a random one is played"),
        ("silent", "internal the player chose no move; a random one is played"),
    ] {
        let mut client = Client::session(GameEngine::<Position>::new());
        client.send(&format!("setoption name Player value {player}"));
        client.send("position fen 1.2.3/0.0.0/take1 1 0\ngo depth 3");
        let lines = client.until("bestmove");
        assert_eq!(lines[0], format!("info string error {fault}"));
        assert!(lines[1].contains(" score cp 0 ") && lines.len() == 3, "{lines:?}");
        assert!(["bestmove take", "bestmove leave"].contains(&lines[2].as_str()), "{lines:?}");
    }
}

#[test]
fn a_view_belongs_to_its_line() {
    let mut client = Client::session(GameEngine::<Position>::new());
    for (line, chances) in [
        ("position startpos", "deal:1:1 deal:2:1 deal:3:1"),
        ("position startpos view p2", "hidden"),
        ("position startpos view p1", "deal:1:1 deal:2:1 deal:3:1"),
        ("position startpos view p3", "hidden"),
        ("position startpos", "deal:1:1 deal:2:1 deal:3:1"),
        ("position startpos view p1 moves deal:2", "hidden"),
        ("position startpos view p2 moves deal:?", "deal:1:1 deal:2:1 deal:3:1"),
    ] {
        client.send(line);
        assert_eq!(client.query("chances"), chances, "{line}");
    }
}

#[test]
fn a_view_changes_nothing_where_nothing_is_secret() {
    let mut client = Client::session(GameEngine::<barca::Position>::new());
    let start = "10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b";
    for viewer in ["p1", "p2"] {
        client.send(&format!("position fen {start} view {viewer} moves a3b2"));
        assert_eq!(client.query("view p1"), format!("fen {start} moves a3b2"));
        assert_eq!(client.query("view p2"), format!("fen {start} moves a3b2"));
        client.send("go depth 1");
        let lines = client.until("bestmove");
        assert!(lines.iter().all(|line| !line.contains("error")), "{viewer}: {lines:?}");
        assert_eq!(client.query(&format!("islegal {}", &lines[lines.len() - 1][9..])), "true");
    }
}

#[test]
fn a_position_goes_on_after_one_that_was_refused() {
    let mut client = Client::session(GameEngine::<barca::Position>::new());
    client.send("position startpos moves e2e4");
    let refused = client.ask("position startpos moves e2e4 e9e6 e9e6");
    assert!(refused.contains("move 3 'e9e6'"), "{refused}");
    assert!(client.query("fen").starts_with("error stale"));
    client.send("position startpos moves e2e4 e9e6");
    assert_eq!(client.query("fen"), "4ee4/3l1ml3/10/10/4m5/10/4M5/10/3L1ML3/4EE4 w");
    assert!(client.ask("moves e1e1").contains("error"));
    assert!(client.ask("moves e4e5").contains("error stale"));
    client.send("position startpos moves e2e4 e9e6 e1e2");
    assert_eq!(client.query("turn"), "p2");
}

/// A win of three plies is none where the game is drawn after two.
#[test]
fn a_search_announces_no_win_beyond_max_plies() {
    let mut client = Client::session(GameEngine::<barca::Position>::new());
    let wins = include_str!("../data/barca/wins.txt").lines();
    for position in wins.filter_map(|line| line.strip_prefix("3 | ")).take(3) {
        for (plies, wins) in [(2, false), (3, true)] {
            client.send(&format!("setoption name MaxPlies value {plies}\nposition fen {position}"));
            client.send("go depth 5");
            let lines = client.until("bestmove");
            let wins_told = lines.iter().any(|line| line.contains("score mate 3"));
            let mates = lines.iter().filter(|line| line.contains("score mate")).count();
            assert!(wins_told == wins && (wins || mates == 0), "{position}: {lines:?}");
        }
    }
}
