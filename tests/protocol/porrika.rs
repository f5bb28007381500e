//! The program `porrika`: a session from set-up to end, refusals, its own subcommands.

use std::process::Command;

use crate::client::Client;

const PROGRAM: &str = env!("CARGO_BIN_EXE_porrika");

#[test]
fn a_session_from_the_set_up_to_the_end_of_a_game() {
    let mut client = Client::program(PROGRAM, &[]);
    client.replay("porrika.txt", include_str!("../data/sessions/porrika.txt"));
    client.close();
    assert_eq!(client.rest(), [""; 0]);
    assert_eq!(client.exit_code(), 0);
}

/// Three locked pairs and four more pieces: an ending that `solve` can solve.
pub const ENDING: &str = "-,Ee,-,-/-,En,-,-/-,-,Gw,-/GnSs,GnSs,-,-/Se,-,-,-/-,GnSs,-,-/-,-,-,- c";

fn solve(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(PROGRAM).arg("solve").args(arguments).output().expect("started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// One egg is home, and two Ser'ra are free.
const LAST_EGG: &str = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,-,-/-,Ee,-,- c";

/// The file that `parlor-lab porrika endings --fen LAST_EGG` writes.
const LAST_EGG_FILE: &str = "tests/data/porrika/b7e-0-a3n-d3n.ending";

#[test]
fn the_subcommand_solve_reads_a_table() {
    let (code, printed, errors) = solve(&["--fen", LAST_EGG, "--table", LAST_EGG_FILE]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{printed}");
    assert!(printed.contains("value: copper wins in 5 plies\nbest: b4ea5n b4eb5n\n"), "{printed}");

    let (code, _, errors) = solve(&["--fen", LAST_EGG]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("give its table"), "{errors}");

    let other = LAST_EGG.replace("GnSs,-,-,GnSs", "GnSs,-,GnSs,-");
    let (code, _, errors) = solve(&["--fen", &other, "--table", LAST_EGG_FILE]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("the table is for other walls: a3n a3s d3n d3s"), "{errors}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("half.ending");
    let bytes = std::fs::read(LAST_EGG_FILE).expect("read");
    std::fs::write(&file, &bytes[..bytes.len() / 2]).expect("written");
    let (code, _, errors) = solve(&["--fen", LAST_EGG, "--table", file.to_str().expect("text")]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("the file is cut short or damaged"), "{errors}");
}

#[test]
fn the_subcommand_solve_explains_what_it_cannot_solve() {
    let (code, _, errors) = solve(&["--fen", &ENDING.replace("Ee", "-")]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("two E, one G and one S that are not locked"), "{errors}");
    let (code, _, errors) = solve(&["--fen", "nonsense"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("the side to move is missing"), "{errors}");
}

/// What is asked is solved, or refused by name.
#[test]
fn the_subcommand_solve_keeps_to_the_rule_options_or_refuses_them() {
    let asked = |setting: &str| solve(&["--fen", ENDING, "--set", setting]);
    for setting in ["SerraLock=allow", "EggSuicide=loss", "PorrikaEntry=any", "Hopeless=play"] {
        let (code, printed, errors) = asked(setting);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{setting}");
        assert!(errors.contains(&format!("not solved under {setting}")), "{errors}");
    }
    let (code, _, errors) = asked("Hash=4");
    assert_eq!(code, Some(1));
    assert!(errors.contains("solve takes rule options only: SerraLock, EggSuicide,"), "{errors}");
    let (code, _, errors) = asked("SerraLock=perhaps");
    assert_eq!(code, Some(1));
    assert!(errors.contains("option SerraLock takes one of forbid allow"), "{errors}");

    // A third occurrence changes what it means that nobody can force a win, and nothing else.
    let values = |printed: &str| {
        let lines = printed.lines().filter(|line| !line.starts_with("solved"));
        lines.map(String::from).collect::<Vec<_>>()
    };
    let (code, drawn, _) = solve(&["--fen", ENDING]);
    assert_eq!(code, Some(0));
    let (code, won, errors) = asked("Repetition=silver");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(values(&drawn.replace("drawn", "silver wins by repetition")), values(&won));
    assert!(won.contains("silver wins by repetition 0."), "{won}");
}

#[test]
fn the_subcommand_solve_needs_no_table_where_no_serra_is_free() {
    let text = ENDING.replace("-,-,Gw,-", "-,-,-,-").replace("/Se,-,-,-", "/SeGw,-,-,-");
    let (code, printed, errors) = solve(&["--fen", &text]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{printed}");
    // Silver can only pass: with silver to move copper needs one ply more.
    let plies = |printed: &str| -> Option<u32> {
        let (plies, rest) = printed.strip_prefix("value: copper wins in ")?.split_once(' ')?;
        (rest == "plies\nbound: exact\n").then(|| plies.parse().ok())?
    };
    let (_, passed, _) = solve(&["--fen", &text.replace("- c", "- s")]);
    let more = plies(&printed).map(|plies| plies + 1);
    assert!(more.is_some() && plies(&passed) == more, "{printed}{passed}");
    let (code, _, errors) = solve(&["--fen", &text, "--table", "walls.ending"]);
    assert_eq!(code, Some(1));
    assert!(errors.contains("--table: there is no table"), "{errors}");
}

/// Where the eggs have no way home, the value is at most a draw for copper, at least one for silver.
#[test]
fn the_subcommand_solve_tells_a_bound_from_the_side_to_move() {
    let board = "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,En,-,-/En,GnGeSsSw,GnSeSsGw,-/-,-,-,-";
    for (side, bound) in [("c", "upper"), ("s", "lower")] {
        let fen = format!("{board} {side}");
        let (code, printed, errors) =
            solve(&["--fen", &fen, "--set", "Hopeless=play", "--set", "Repetition=silver"]);
        assert_eq!((code, errors.as_str()), (Some(0), ""));
        let value = "value: copper cannot win, the eggs have no way home";
        assert_eq!(printed, format!("{value}\nbound: {bound}\n"), "{side}");
    }
}

/// Of the position that it is about, and of another one in it.
#[test]
fn the_subcommand_solve_tells_what_a_certificate_proves() {
    let file = "tests/data/porrika.certificate";
    let text = parlor::reading::text(file.as_ref()).expect("a certificate");
    let root = text.lines().nth(1).and_then(|line| line.strip_prefix("root ")).expect("a root");
    let (code, printed, _) = solve(&["--certificate", file]);
    let value = format!("position: {root}\nvalue: copper wins in 27 plies or fewer\n");
    assert!(code == Some(0) && printed.ends_with(&value), "{printed}");
    // The last line has the shortest way: one move.
    let last: Vec<&str> = text.lines().last().expect("lines").split(' ').collect();
    let [board, token, "1"] = last[..] else { panic!("{last:?}") };
    let (code, printed, _) = solve(&["--certificate", file, "--fen", &format!("{board} c")]);
    let value = format!("value: copper wins in 1 plies or fewer\nmove: {token}\n");
    assert!(code == Some(0) && printed.ends_with(&value), "{printed}");
    let (code, _, errors) = solve(&["--certificate", file, "--fen", LAST_EGG]);
    assert!(code == Some(1) && errors.contains("nothing is proved of this position"), "{errors}");
}

#[test]
fn a_folder_of_tables_is_probed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a name");
    std::fs::copy(LAST_EGG_FILE, folder.path().join("b7e-0-a3n-d3n.ending")).expect("copied");
    // What is no file is no table: opening a pipe would wait for ever.
    let pipe = folder.path().join("pipe.ending");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    std::fs::write(folder.path().join("wrong.ending"), "something else").expect("written");
    let mut client = Client::program(PROGRAM, &[]);
    client.send(&format!("setoption name EndgamePath value {path}\nposition fen {LAST_EGG}"));
    client.send("go depth 1");
    let lines = client.until("bestmove");
    let wrong = lines.iter().find(|line| line.starts_with("info string error bad-value"));
    assert!(wrong.is_some_and(|line| line.contains("wrong.ending")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("score mate 5 ")), "{lines:?}");

    let elsewhere = folder.path().join("nowhere");
    client.send(&format!("setoption name EndgamePath value {}", elsewhere.display()));
    client.send("go depth 1");
    let lines = client.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("nowhere: No such file")), "{lines:?}");
}
