//! Steps about how a session ends, and the command line.

use super::session::{CheckSession, is_best_move};
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

pub(super) fn pipe(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.send("position startpos\ngo depth 1\nposition startpos\ngo nodes 50\nposition startpos\ngo movetime 20\n")?;
    let (lines, departure) = session.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 3 {
        findings.push(format!("three searches in a pipe brought {moves} bestmoves"));
    }
    expect_end("end of input after searches", departure, findings);
    // A search without a bound is stopped by the line that waits for it.
    let mut session = checker.session()?;
    session.send("position startpos\ngo infinite\nposition startpos\ngo nodes 50\n")?;
    let (lines, _) = session.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 2 {
        findings.push(format!("go infinite, position, go in a pipe brought {moves} bestmoves"));
    }
    Ok(())
}

pub(super) fn endings(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    for (lines, what, moves) in [
        ("", "end of input", 0),
        ("quit\n", "quit", 0),
        ("position startpos\ngo infinite\nquit\n", "quit during a search", 1),
        ("position startpos\ngo infinite\n", "end of input during a search", 1),
    ] {
        let mut session = checker.session()?;
        session.send(lines)?;
        let (lines, departure) = session.finish();
        let found = lines.iter().filter(|line| is_best_move(line)).count();
        if found != moves {
            findings.push(format!("{what}: {found} bestmoves, not {moves}"));
        }
        expect_end(what, departure, findings);
    }
    Ok(())
}

pub(super) fn flags(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut launch = checker.launch.clone();
    launch.arguments.extend(["--game".to_owned(), "anything".to_owned()]);
    let mut session = CheckSession::start(&launch, checker.patience)?;
    if let Err(finding) = session.exchange("") {
        findings.push(format!("with --game anything: {finding}"));
    }
    let mut launch = checker.launch.clone();
    launch.arguments.push("--no-such-flag".to_owned());
    let mut session = CheckSession::start(&launch, checker.patience)?;
    let (_, departure) = session.finish();
    if departure != Departure::Exited(2) {
        findings.push(format!("an unknown flag: {departure:?}, not exit code 2"));
    }
    Ok(())
}
