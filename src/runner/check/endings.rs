//! Steps about how a session ends, and the command line.

use super::desk::{Desk, is_best_move};
use super::{Checker, Findings};
use crate::runner::process::Departure;

fn expect_end(what: &str, departure: Departure, findings: &mut Findings) {
    match departure {
        Departure::Exited(0) => {}
        Departure::Exited(code) => findings.push(format!("{what}: exit code {code}, not 0")),
        Departure::Signalled(signal) => findings.push(format!("{what}: ended by {signal}")),
        Departure::StillRunning => findings.push(format!("{what}: the engine runs on")),
    }
}

pub fn pipe(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut desk = checker.desk()?;
    desk.send("position startpos\ngo depth 1\nposition startpos\ngo nodes 50\nposition startpos\ngo movetime 20\n")?;
    let (lines, departure) = desk.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 3 {
        findings.push(format!("three searches in a pipe brought {moves} bestmoves"));
    }
    expect_end("end of input after searches", departure, findings);
    // A search without a bound is stopped by the line that waits for it.
    let mut desk = checker.desk()?;
    desk.send("position startpos\ngo infinite\nposition startpos\ngo nodes 50\n")?;
    let (lines, _) = desk.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 2 {
        findings.push(format!("go infinite, position, go in a pipe brought {moves} bestmoves"));
    }
    Ok(())
}

pub fn endings(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    for (lines, what, moves) in [
        ("", "end of input", 0),
        ("quit\n", "quit", 0),
        ("position startpos\ngo infinite\nquit\n", "quit during a search", 1),
        ("position startpos\ngo infinite\n", "end of input during a search", 1),
    ] {
        let mut desk = checker.desk()?;
        desk.send(lines)?;
        let (lines, departure) = desk.finish();
        let found = lines.iter().filter(|line| is_best_move(line)).count();
        if found != moves {
            findings.push(format!("{what}: {found} bestmoves, not {moves}"));
        }
        expect_end(what, departure, findings);
    }
    Ok(())
}

pub fn flags(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut launch = checker.launch.clone();
    launch.arguments.extend(["--game".to_owned(), "anything".to_owned()]);
    let mut desk = Desk::start(&launch, checker.patience)?;
    if let Err(finding) = desk.exchange("") {
        findings.push(format!("with --game anything: {finding}"));
    }
    let mut launch = checker.launch.clone();
    launch.arguments.push("--no-such-flag".to_owned());
    let mut desk = Desk::start(&launch, checker.patience)?;
    let (_, departure) = desk.finish();
    if departure != Departure::Exited(2) {
        findings.push(format!("an unknown flag: {departure:?}, not exit code 2"));
    }
    Ok(())
}
