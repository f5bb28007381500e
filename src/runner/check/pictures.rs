//! Steps about extension 2: tables, boards, what a view shows, refusals.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;

use super::session::CheckSession;
use super::views::next_token;
use super::{Checker, Findings};
use crate::picture::{Board, MAX_BYTES, Table};
use crate::printing::printable;
use crate::protocol::PositionLine;
use crate::random::Random;

/// Findings after which a step ends: one error tends to show again and again.
pub(super) const ENOUGH: usize = 10;

/// Plies of the game that is looked at.
const PLIES: usize = 120;

/// A position of a random game: the session that stands there, and the line that led to it.
pub(super) struct Visited<'a> {
    pub(super) session: &'a mut CheckSession,
    pub(super) line: &'a PositionLine,
    pub(super) ply: usize,
}

/// Looks at some positions of a random game, more of them at its beginning, and at its end. Does
/// nothing with an engine that does not know the queries.
pub(super) fn along(
    checker: &Checker,
    findings: &mut Findings,
    mut look: impl FnMut(Visited<'_>, &mut Findings) -> Result<(), String>,
) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("uginewgame\nposition startpos\n")?;
    if session.query("table")?.starts_with("error unknown-query") {
        return Ok(());
    }
    let mut random = Random::new(41);
    let mut line = PositionLine::new("startpos", []);
    let mut looked = 0;
    for ply in 0..PLIES {
        let over = session.answer("gameover")? == "true";
        // 0 1 3 6 10 15 ...: the gaps grow.
        if over || ply == looked * (looked + 1) / 2 {
            looked += 1;
            look(Visited { session: &mut session, line: &line, ply }, findings)?;
        }
        if over || findings.len() >= ENOUGH {
            break;
        }
        let token = next_token(&mut session, &mut random)?;
        session.exchange(&format!("moves {token}\n"))?;
        line.append(&token);
    }
    Ok(())
}

/// The answer to a query of extension 2 as a value.
pub(super) fn read<T: DeserializeOwned>(query: &str, answer: &str) -> Result<T, String> {
    let shown = printable(query, 60);
    if !answer.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Err(format!("the answer of 'query {shown}' is not printable ASCII"));
    }
    serde_json::from_str(answer).map_err(|error| {
        let answer = printable(answer, 60);
        format!("the answer of 'query {shown}' is not what it should be: {error}: '{answer}'")
    })
}

/// Tables and boards are what the specification says, and fit each other.
pub(super) fn pictures(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    along(checker, findings, |Visited { session, ply, .. }, findings| {
        let (drawn, placed) = (session.answer("table")?, session.answer("board")?);
        for (name, answer) in [("table", &drawn), ("board", &placed)] {
            if answer.len() > MAX_BYTES {
                findings.push(format!("at ply {ply} the {name} has {} bytes", answer.len()));
            }
        }
        let (table, board): (Table, Board) = (read("table", &drawn)?, read("board", &placed)?);
        let turn = session.answer("turn")?;
        if board.turn != turn {
            findings.push(format!("at ply {ply} the board says turn {}, not {turn}", board.turn));
        }
        let unknown = unknown_names(&table, &board);
        findings.extend(unknown.into_iter().map(|what| format!("at ply {ply}: {what}")));
        Ok(())
    })
}

/// What a board names that its table does not know.
fn unknown_names(table: &Table, board: &Board) -> Vec<String> {
    let cells: BTreeSet<&str> = table.cells.iter().map(|cell| cell.id.as_str()).collect();
    let mut found = Vec::new();
    let mut require = |known: bool, what: &str, name: &str| {
        if !known {
            found.push(format!("there is no {what} '{}'", printable(name, 40)));
        }
    };
    if cells.len() != table.cells.len() {
        require(false, "second cell", "of the same name");
    }
    for cell in &table.cells {
        require(table.shapes.contains_key(&cell.shape), "shape", &cell.shape);
        let kind = cell.kind.as_deref().unwrap_or("");
        require(kind.is_empty() || table.kinds.contains_key(kind), "kind", kind);
    }
    for piece in &board.pieces {
        require(cells.contains(piece.cell.as_str()), "cell", &piece.cell);
        require(table.symbols.contains_key(&piece.symbol), "symbol", &piece.symbol);
    }
    for mark in &board.marks {
        require(cells.contains(mark.cell.as_str()), "cell", &mark.cell);
        require(table.kinds.contains_key(&mark.kind), "kind", &mark.kind);
    }
    let seats = board.panel.iter().map(|panel| &panel.seat);
    for seat in seats.chain(board.cards.iter().map(|card| &card.seat)) {
        require(table.seats.iter().any(|known| known.seat == *seat), "seat", seat);
    }
    found
}

/// A view is loaded by a session that has seen the whole game, and by one that has seen nothing
/// but views: both must show the same.
pub(super) fn secrets(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut knowing, mut blind) = (checker.session()?, checker.session()?);
    along(checker, findings, |Visited { session, line, ply }, findings| {
        let seats: usize = session.answer("seats")?.parse().unwrap_or(2);
        for seat in 1..=seats {
            let view = session.answer(&format!("view p{seat}"))?;
            knowing.exchange(&format!("position {line}\nquery board\n"))?;
            for other in [&mut knowing, &mut blind] {
                other.exchange(&format!("position {view}\n"))?;
            }
            for query in ["table", "board", "step", "board"] {
                let (ours, theirs) = (knowing.query(query)?, blind.query(query)?);
                if ours != theirs {
                    findings.push(format!(
                        "at ply {ply} the {query} of the view of p{seat} differs between two \
                         processes: '{}' and '{}'",
                        printable(&ours, 60),
                        printable(&theirs, 60)
                    ));
                }
            }
        }
        Ok(())
    })
}

/// Choices of a path that is too long for any game.
const TOO_MANY: usize = 10_000;

/// Bad paths, finished games and seats that do not decide are refused, and nothing changes.
pub(super) fn refusals(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut viewer = checker.session()?;
    along(checker, findings, |Visited { session, ply, .. }, findings| {
        let before = session.answer("fen")?;
        let turn = session.answer("turn")?;
        if turn == "none" {
            expect(session, "step", "game-over", "", findings)?;
        } else {
            let long = format!("step{}", " nowhere".repeat(TOO_MANY));
            expect(session, "step nowhere-at-all", "bad-value", "nowhere-at-all", findings)?;
            expect(session, "step %zz", "bad-value", "1", findings)?;
            expect(session, &long, "bad-value", "nowhere", findings)?;
        }
        if session.answer("fen")? != before {
            findings.push(format!("at ply {ply} a refused step changed the position"));
        }
        let other = if turn == "p1" { "p2" } else { "p1" };
        let view = session.answer(&format!("view {other}"))?;
        // A view without the marker `view` does not name a seat.
        if view.contains(" view ") && turn.starts_with('p') {
            viewer.exchange(&format!("position {view}\n"))?;
            expect(&mut viewer, "step", "not-to-act", "", findings)?;
        }
        Ok(())
    })
}

/// A query must be answered by an error with a code that names something.
fn expect(
    session: &mut CheckSession,
    query: &str,
    code: &str,
    named: &str,
    findings: &mut Findings,
) -> Result<(), String> {
    let answer = session.query(query)?;
    if !answer.starts_with(&format!("error {code}")) || !answer.contains(named) {
        findings.push(format!(
            "'query {}' is answered by '{}', not 'error {code} ...{named}...'",
            printable(query, 40),
            printable(&answer, 80)
        ));
    }
    Ok(())
}
