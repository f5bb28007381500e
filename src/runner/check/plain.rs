//! Steps for engines of plain UGI or UCI, which only play: no query is asked.

use super::searching::time_search;
use super::session::{best_token, is_best_move};
use super::{Checker, Findings};
use crate::printing::printable;
use crate::protocol::engine_output::{self, Line};
use crate::runner::process::ExitState;

pub(super) fn idle(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    for (lines, what) in [("", "isready"), ("stop\n", "stop when idle"), ("\n", "an empty line")] {
        for line in session.exchange(lines)? {
            findings.push(format!("{what} is answered by '{}'", printable(&line, 60)));
        }
    }
    Ok(())
}

pub(super) fn limits(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    let clocks = match checker.is_uci {
        true => "go wtime 100 btime 100 winc 1 binc 1",
        false => "go p1time 100 p2time 100 p1inc 1 p2inc 1",
    };
    for go in ["go depth 1", "go nodes 100", "go movetime 20", clocks] {
        session.exchange(&format!("{}newgame\n", checker.greeting()))?;
        let lines = session.search(&format!("position startpos\n{go}\n"))?;
        let token = best_token(&lines);
        if ["", "0000", "(none)"].contains(&token.as_str()) {
            findings.push(format!("'{go}' at the start plays '{}'", printable(&token, 40)));
        }
    }
    Ok(())
}

pub(super) fn scores(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    let lines = session.search("position startpos\ngo movetime 20\n")?;
    let has_score = lines
        .iter()
        .any(|line| matches!(engine_output::read(line), Line::Info(info) if info.score.is_some()));
    if !has_score {
        findings.push("no info with a score before bestmove".to_owned());
    }
    Ok(())
}

pub(super) fn move_time(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    time_search(&mut session, "position startpos", findings)
}

pub(super) fn stop(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    session.send("position startpos\ngo infinite\nisready\n")?;
    let mut lines = session.until("readyok during a search", |line| line == "readyok")?;
    session.send("stop\n")?;
    if !lines.iter().any(|line| is_best_move(line)) {
        lines.extend(session.until("bestmove after stop", is_best_move)?);
    }
    lines.extend(session.exchange("")?);
    let moves = lines.iter().filter(|line| is_best_move(line)).count();
    if moves != 1 {
        findings.push(format!("'go infinite', 'stop': {moves} bestmoves, not 1"));
    }
    Ok(())
}

pub(super) fn quit(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = checker.greeted()?;
    session.send("quit\n")?;
    match session.finish().1 {
        ExitState::Exited(0) => {}
        exit => findings.push(format!("'quit': {exit:?}, not exit code 0")),
    }
    Ok(())
}
