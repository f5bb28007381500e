//! Recorded exchanges, replayed: those of real runners and clients, and the samples of the
//! specification, to the byte.

use crate::client::Client;

/// The program of a game.
pub fn program(name: &str) -> &'static str {
    match name {
        "barca" => env!("CARGO_BIN_EXE_barca"),
        other => panic!("no program {other}"),
    }
}

fn replay(name: &str, text: &str, arguments: &[&str]) {
    let mut client = Client::program(program("barca"), arguments);
    client.replay(name, text);
    client.close();
    assert_eq!(client.rest(), [""; 0], "{name}: more than was expected");
    assert_eq!(client.exit_code(), 0, "{name}");
}

macro_rules! recorded {
    ($($test:ident $file:literal $arguments:expr;)*) => {
        $(
            #[test]
            fn $test() {
                replay($file, include_str!(concat!("../data/sessions/", $file)), &$arguments);
            }
        )*
    };
}

recorded! {
    a_two_seat_runner_with_clocks "two-seat-runner.txt" [];
    a_runner_that_appends_moves "append-runner.txt" ["--game", "ataxx"];
    a_client_with_fractional_times "float-gui.txt" [];
    a_finished_game "finished-game.txt" [];
    a_conformance_tool_for_chess_engines "uci-conformance.txt" [];
}

#[test]
fn a_pipe_of_position_and_go() {
    let text = include_str!("../data/sessions/pipe.txt");
    let mut client = Client::program(program("barca"), &[]);
    let (sent, expected): (Vec<_>, Vec<_>) =
        text.lines().filter(|line| !line.starts_with('#')).partition(|line| line.starts_with("> "));
    let all: String = sent.iter().map(|line| format!("{}\n", &line[2..])).collect();
    client.send_bytes(all.as_bytes());
    client.close();
    client.replay("pipe.txt", &expected.join("\n"));
    assert_eq!(client.rest(), [""; 0]);
    assert_eq!(client.exit_code(), 0);
}

#[test]
fn the_sample_sessions_of_the_specification_are_true_to_the_byte() {
    let text = include_str!("../../protocol-spec.md");
    let mut samples = 0;
    for part in text.split("```session ").skip(1) {
        let (name, rest) = part.split_once('\n').expect("a line end");
        let (body, _) = rest.split_once("```").expect("the end of the sample");
        let body: Vec<_> = body.lines().map(|line| if line == ">" { "> " } else { line }).collect();
        samples += 1;
        let mut client = Client::program(program(name), &[]);
        for (number, line) in body.iter().enumerate() {
            match line.split_at(2) {
                ("> ", sent) => client.send(sent),
                ("< ", expected) => {
                    assert_eq!(client.line(), expected, "sample {samples} line {}", number + 1);
                }
                _ => panic!("sample {samples}: '{line}'"),
            }
        }
        client.close();
        assert_eq!(client.rest(), [""; 0], "sample {samples} ({name})");
    }
    assert!(samples >= 3, "only {samples} samples");
}
