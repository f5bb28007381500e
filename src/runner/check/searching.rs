//! Steps with searches.

use std::time::{Duration, Instant};

use super::session::{CheckSession, best_token, is_best_move};
use super::{Checker, Findings};
use crate::printing::printable;
use crate::protocol::PositionLine;
use crate::protocol::engine_output::{self, Line};

/// How much longer than `movetime` a move may take on a busy machine.
const SLACK: Duration = Duration::from_millis(1_500);

/// A session at the first decision of a seat, after the throws before it.
fn decision(checker: &Checker) -> Result<(CheckSession, String), String> {
    let mut session = checker.session()?;
    let mut line = PositionLine::new("startpos", []);
    session.exchange("position startpos\n")?;
    for seed in 1..=1_000 {
        if !session.turn()?.is_chance() {
            break;
        }
        let token = session.answer(&format!("throw {seed}"))?;
        line.append(&token);
        session.exchange(&format!("position {line}\n"))?;
    }
    Ok((session, format!("position {line}")))
}

/// What every search must give: an `info` with a score, an integer time and nps, a legal
/// `bestmove`.
fn judge(
    session: &mut CheckSession,
    go: &str,
    lines: &[String],
    findings: &mut Findings,
) -> Result<(), String> {
    let mut complete = false;
    for line in lines {
        if let Line::Info(info) = engine_output::read(line) {
            complete |= info.score.is_some() && info.time.is_some() && info.nps.is_some();
        }
    }
    if !complete {
        findings.push(format!("'{go}': no info with score, time and nps before bestmove"));
    }
    let token = best_token(lines);
    let legal = session.query(&format!("islegal {token}"))?;
    if legal != "true" {
        findings.push(format!("'{go}': bestmove {} is not legal", printable(&token, 40)));
    }
    Ok(())
}

fn each(checker: &Checker, findings: &mut Findings, lines: &[&str]) -> Result<(), String> {
    let (mut session, position) = decision(checker)?;
    for go in lines {
        let answer = session.search(&format!("{position}\n{go}\n"))?;
        judge(&mut session, go, &answer, findings)?;
    }
    Ok(())
}

pub(super) fn limits(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, _) = decision(checker)?;
    session.exchange("setoption name Move Time value 50\n")?;
    let lines = session.search("go\n")?;
    judge(&mut session, "go", &lines, findings)?;
    each(
        checker,
        findings,
        &[
            "go depth 1",
            "go depth 0",
            "go nodes 0",
            "go nodes 100",
            "go movetime 0",
            "go movetime 20",
            "go movetime 20 movestogo 0",
            "go mate 1",
            "go nodes 10 joho 3",
        ],
    )
}

pub(super) fn clocks(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    each(
        checker,
        findings,
        &[
            "go p1time 100 p2time 100 p1inc 1 p2inc 1",
            "go p2inc 1 p1inc 1 p2time 100 p1time 100",
            "go p1time 100.5 p2time 99.75",
            "go p1time -5 p2time -5",
            "go p1time 0",
            "go wtime 100 btime 100 winc 1 binc 1",
            "go wtime 50.0 btime 50.0 movestogo 3",
        ],
    )
}

pub(super) fn best_move(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, position) = decision(checker)?;
    session.send("ugi\n")?;
    session.until("ugiok", |line| line == "ugiok")?;
    let lines = session.search(&format!("{position}\ngo depth 2\n"))?;
    judge(&mut session, "go depth 2", &lines, findings)?;
    let last = lines.last().map_or("", String::as_str);
    if last.split_whitespace().count() != 2 {
        findings.push(format!("'{}': under ugi nothing follows the token", printable(last, 60)));
    }
    let exact = lines.iter().rev().find_map(|line| match engine_output::read(line) {
        Line::Info(info) if info.score.is_some() => Some(info.bound.is_exact()),
        _ => None,
    });
    if exact == Some(false) {
        findings.push("the last info before bestmove has only a bound".to_owned());
    }
    for line in session.listen(Duration::from_millis(200)) {
        findings.push(format!("printed after bestmove: '{}'", printable(&line, 60)));
    }
    Ok(())
}

pub(super) fn move_time(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, position) = decision(checker)?;
    time_search(&mut session, &position, findings)
}

/// Whether a search from a position keeps to its time.
pub(super) fn time_search(
    session: &mut CheckSession,
    position: &str,
    findings: &mut Findings,
) -> Result<(), String> {
    session.exchange(&format!("{position}\n"))?;
    let started = Instant::now();
    session.search("go movetime 200\n")?;
    let elapsed = started.elapsed();
    if elapsed > Duration::from_millis(200) + SLACK {
        findings.push(format!("'go movetime 200' took {} ms", elapsed.as_millis()));
    }
    Ok(())
}

pub(super) fn during_search(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, position) = decision(checker)?;
    let forced = !session.answer("legalmoves")?.contains(' ');
    session.send(&format!("{position}\ngo infinite\nisready\n"))?;
    let before = session.until("readyok during a search", |line| line == "readyok")?;
    if before.iter().any(|line| is_best_move(line)) && !forced {
        findings.push("'go infinite' ended by itself, or isready waited for it".to_owned());
        return Ok(());
    }
    let mut lines = session.listen(Duration::from_millis(100));
    session.send("stop\n")?;
    if !lines.iter().chain(&before).any(|line| is_best_move(line)) {
        lines.extend(session.until("bestmove after stop", is_best_move)?);
    }
    for line in before.iter().chain(&lines) {
        if line.len() < 8 && line != "readyok" {
            findings.push(format!("'{}' is shorter than 8 bytes", printable(line, 20)));
        }
    }
    let all: Vec<String> = before.into_iter().chain(lines).collect();
    judge(&mut session, "go infinite, stop", &all, findings)?;
    for line in session.exchange("stop\n")? {
        findings.push(format!("a second stop is answered by '{}'", printable(&line, 60)));
    }
    Ok(())
}

pub(super) fn not_to_act(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, position) = decision(checker)?;
    let turn = session.answer("turn")?;
    let other = if turn == "p1" { "p2" } else { "p1" };
    session.exchange(&format!("{position}\n"))?;
    let view = session.answer(&format!("view {other}"))?;
    session.exchange(&format!("position {view}\n"))?;
    let fen = session.answer("turn")?;
    if fen != turn {
        findings.push(format!("under the view of {other} the turn is {fen}, not {turn}"));
    }
    // A view without the marker `view` does not name a seat.
    if !view.contains(" view ") {
        return Ok(());
    }
    let lines = session.search("go nodes 1\n")?;
    if !lines.iter().any(|line| line.starts_with("info string error not-to-act")) {
        findings
            .push(format!("go under the view of {other} at {turn}'s turn: no error not-to-act"));
    }
    if best_token(&lines) != "0000" {
        findings.push(format!("go under the view of {other} plays {}", best_token(&lines)));
    }
    Ok(())
}
