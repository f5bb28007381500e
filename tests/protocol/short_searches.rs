//! Searches with hardly any time: the move that is played was looked at, and the memory of the table
//! was provided before.

use parlor::protocol::engine_output::{Line, read};

use crate::client::Client;
#[cfg(target_os = "linux")]
use crate::memory::memory;
use crate::programs::program;

/// Games whose engine searches, each with a position that has many moves.
const POSITIONS: [(&str, &str); 5] = [
    ("barca", "startpos"),
    ("porrika", "startpos"),
    ("pacru", "startpos"),
    ("chowka-bhara", "fen 2.5.18.18/-/3.3.7.16/- N SN - 2"),
    ("chowka-bhara", "fen 1.6.17.17/-/2.8.11.11/- N SN - 2"),
];

#[test]
fn a_move_is_looked_at_however_short_the_time() {
    for (name, position) in POSITIONS {
        let mut client = Client::program(program(name), &[]);
        for go in ["movetime 1", "p1time 1 p2time 1", "p1time 25 p2time 25 p1inc 1 p2inc 1"] {
            client.send(&format!("position {position}\ngo {go}"));
            let lines = client.until("bestmove");
            let infos: Vec<_> = lines
                .iter()
                .filter_map(|line| match read(line) {
                    Line::Info(info) => Some(info),
                    _ => None,
                })
                .collect();
            let last = infos.last().unwrap_or_else(|| panic!("{name}, {go}: {lines:?}"));
            assert!(last.depth >= Some(1) && last.nodes >= Some(1), "{name}, {go}: {lines:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_the_table_is_there_when_a_game_begins() {
    let ugi = ("position startpos\nisready", "readyok", "uginewgame\nisready");
    let resident = |client: &Client| memory(client.process(), "VmRSS") >> 10;
    let xboard = ("xboard\nprotover 2\nping 7", "pong 7", "new\nping 7");
    for (name, (look, answer, ask)) in
        [("barca", ugi), ("porrika", ugi), ("pacru", ugi), ("barca", xboard)]
    {
        let mut client = Client::program(program(name), &["--set", "Hash=64"]);
        client.send(look);
        client.until(answer);
        let before = resident(&client);
        assert!(before < 60, "{name}: what only looks has {before} MiB");
        client.send(ask);
        client.until(answer);
        // On a busy machine one answer may not be time enough; the next goes on from there.
        let again = ask.lines().last().unwrap_or(ask);
        for _ in 0..20 {
            if resident(&client) >= 64 {
                break;
            }
            client.send(again);
            client.until(answer);
        }
        let ready = resident(&client);
        assert!((64..64 + 60).contains(&ready), "{name}: {before} MiB, then {ready}");
    }
}

/// Between two positions with two seats, a look at one with four costs nothing: the table is still
/// there, with what was searched.
#[test]
fn a_position_with_other_seats_leaves_what_was_prepared() {
    let mut client = Client::program(program("pacru"), &["--set", "Hash=16"]);
    client.send("setoption name Players value 4\nposition startpos");
    let four = client.query("fen");
    client.send("setoption name Players value 2");
    let mut nodes = || {
        client.send("position startpos\nisready");
        client.until("readyok");
        client.send("go depth 5");
        let lines = client.until("bestmove");
        let last = lines.iter().rev().find_map(|line| match read(line) {
            Line::Info(info) => info.nodes,
            _ => None,
        });
        client.send(&format!("position fen {four}\nisready"));
        client.until("readyok");
        last.expect("a report")
    };
    let (first, second) = (nodes(), nodes());
    assert!(second < first, "{first} nodes, then {second}");
}
