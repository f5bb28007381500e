//! Recorded exchanges, replayed: those of real runners and clients, and the samples of the
//! specification, to the byte.

use crate::client::Client;
use crate::programs::program;

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

/// Whether a line is a sample; `...` in JSON stands for entries that are left out.
fn fits(sample: &str, line: &str) -> bool {
    if !sample.starts_with("response {") {
        return sample == line;
    }
    let parts: Vec<&str> = sample.split("...").collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    let mut at = first.len();
    line.starts_with(first)
        && parts[1..].iter().all(|part| {
            let found = line.get(at..).and_then(|rest| rest.find(part));
            at += found.unwrap_or(0) + part.len();
            found.is_some()
        })
        && line.ends_with(last)
        && (parts.len() > 1 || sample == line)
}

#[test]
fn a_sample_may_leave_out_entries_and_nothing_else() {
    let line = r#"response {"a":[1,2,3],"b":4}"#;
    for (sample, expected) in [
        (line, true),
        (r#"response {"a":[1...],"b":4}"#, true),
        (r#"response {"a":[1...],"b":5}"#, false),
        (r#"response {"a":[2...],"b":4}"#, false),
        (r#"response {"a":[1...]"#, false),
        (r#"response {"a":[1,2,3],"b":4"#, false),
    ] {
        assert_eq!(fits(sample, line), expected, "{sample}");
    }
}

/// The pages with sample sessions.
const PAGES: [&str; 2] =
    [include_str!("../../docs/sessions.md"), include_str!("../../docs/pictures.md")];

#[test]
fn the_sample_sessions_of_the_specification_are_true_to_the_byte() {
    let mut samples = 0;
    for part in PAGES.iter().flat_map(|text| text.split("```session ").skip(1)) {
        let (name, rest) = part.split_once('\n').expect("a line end");
        let (body, _) = rest.split_once("```").expect("the end of the sample");
        let body: Vec<_> = body.lines().map(|line| if line == ">" { "> " } else { line }).collect();
        samples += 1;
        let mut client = Client::program(program(name), &[]);
        for (number, line) in body.iter().enumerate() {
            match line.split_at(2) {
                ("> ", sent) => client.send(sent),
                ("< ", expected) => {
                    let (got, place) = (client.line(), format!("sample {samples} line {number}"));
                    assert!(fits(expected, &got), "{place}:\n{expected}\n{got}");
                }
                _ => panic!("sample {samples}: '{line}'"),
            }
        }
        client.close();
        assert_eq!(client.rest(), [""; 0], "sample {samples} ({name})");
    }
    assert!(samples >= 8, "only {samples} samples");
}
