//! Steps about the end of a session and about the command line.

use super::session::{CheckSession, is_best_move};
use super::{Checker, Findings};
use crate::runner::process::ExitState;

fn expect_end(what: &str, exit: ExitState, findings: &mut Findings) {
    match exit {
        ExitState::Exited(0) => {}
        ExitState::Exited(code) => findings.push(format!("{what}: exit code {code}, not 0")),
        ExitState::Signalled(signal) => findings.push(format!("{what}: ended by {signal}")),
        ExitState::StillRunning => findings.push(format!("{what}: the engine still runs")),
    }
}

pub(super) fn pipe(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.send("position startpos\ngo depth 1\nposition startpos\ngo nodes 50\nposition startpos\ngo movetime 20\n")?;
    let (lines, exit) = session.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 3 {
        findings.push(format!("three searches in a pipe gave {moves} bestmoves"));
    }
    expect_end("end of input after searches", exit, findings);
    // A search without a limit is stopped by the next command that changes the position.
    let mut session = checker.session()?;
    session.send("position startpos\ngo infinite\nposition startpos\ngo nodes 50\n")?;
    let (lines, _) = session.finish();
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 2 {
        findings.push(format!("go infinite, position, go in a pipe gave {moves} bestmoves"));
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
        let (lines, exit) = session.finish();
        let found = lines.iter().filter(|line| is_best_move(line)).count();
        if found != moves {
            findings.push(format!("{what}: {found} bestmoves, not {moves}"));
        }
        expect_end(what, exit, findings);
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
    let (_, exit) = session.finish();
    if exit != ExitState::Exited(2) {
        findings.push(format!("an unknown flag: {exit:?}, not exit code 2"));
    }
    Ok(())
}
