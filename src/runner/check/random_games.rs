//! Steps that play random games with the engine as its own referee.

use super::session::{CheckSession, best_token};
use super::{Checker, Findings};
use crate::printing::printable;
use crate::protocol::engine_output::chances;
use crate::protocol::{GameResult, PositionLine, Turn, places};
use crate::random::{Random, multiply_shift, splitmix64};

/// Plies of each game at which everything is checked.
const EXAMINED: usize = 40;

/// Listed moves that are tried at each ply.
const TRIED: usize = 12;

/// Findings after which the step ends: one error tends to show again and again.
const ENOUGH: usize = 10;

pub(super) fn games(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    for number in 0..checker.games {
        let (mut session, mut second) = (checker.session()?, checker.session()?);
        let mut random = Random::new(splitmix64(number));
        session.exchange("uginewgame\nposition startpos\n")?;
        let mut line = PositionLine::new("startpos", []);
        let mut plies = 0;
        while session.answer("gameover")? == "false" && plies < checker.plies {
            let turn = session.turn()?;
            let chance = turn.is_chance();
            if plies < EXAMINED {
                turn_and_result(&mut session, turn, findings)?;
                if chance {
                    throws(&mut session, &mut random, findings)?;
                } else {
                    listing(&mut session, &mut second, &line, &mut random, findings)?;
                }
                if findings.len() >= ENOUGH {
                    return Ok(());
                }
            }
            let query = if chance { "throw" } else { "random" };
            let token = session.answer(&format!("{query} {}", random.next() >> 1))?;
            if plies < EXAMINED && session.answer(&format!("islegal {token}"))? != "true" {
                findings.push(format!("'query {query}' gives {token}, which is not legal"));
            }
            if let Some(answer) = session.exchange(&format!("moves {token}\n"))?.first() {
                return Err(format!("'moves {token}' is answered by '{}'", printable(answer, 60)));
            }
            line.append(&token);
            plies += 1;
        }
        if plies < checker.plies {
            finished(&mut session, findings)?;
        }
    }
    Ok(())
}

/// `perft 1` against the listed moves, over the first plies of a random game.
pub(super) fn perft(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("uginewgame\nposition startpos\n")?;
    for seed in 1..=EXAMINED {
        if session.answer("gameover")? != "false" {
            break;
        }
        let chance = session.turn()?.is_chance();
        let listed = if chance { "many".into() } else { session.answer("legalmoves")? };
        if listed != "many" && listed != "hidden" {
            let (counted, moves) = (session.count()?, listed.split_whitespace().count());
            if counted != Some(moves as u64) {
                let counted = counted.map_or("nothing".to_owned(), |count| count.to_string());
                findings.push(format!("perft 1 counts {counted}, legalmoves are {moves}"));
                return Ok(());
            }
        }
        let query = if chance { "throw" } else { "random" };
        let token = session.answer(&format!("{query} {seed}"))?;
        session.exchange(&format!("moves {token}\n"))?;
    }
    Ok(())
}

/// Different queries about the same fact must agree.
fn turn_and_result(
    session: &mut CheckSession,
    turn: Turn,
    findings: &mut Findings,
) -> Result<(), String> {
    let first = session.answer("p1turn")?;
    if turn != Turn::Deal && (first == "true") != (turn.seat() == Some(0)) {
        findings.push(format!("p1turn is {first} though turn is {turn}"));
    }
    for query in ["result", "outcome", "reason"] {
        let answer = session.answer(query)?;
        if answer != "none" {
            findings.push(format!("{query} is {answer} though gameover is false"));
        }
    }
    Ok(())
}

/// `legalmoves`: sorted, consistent with `islegal`, with and without a prefix. The
/// session `second` tries moves without disturbing the game.
fn listing(
    session: &mut CheckSession,
    second: &mut CheckSession,
    line: &PositionLine,
    random: &mut Random,
    findings: &mut Findings,
) -> Result<(), String> {
    let answer = session.answer("legalmoves")?;
    if answer == "many" || answer == "hidden" {
        return Ok(());
    }
    if answer == "none" {
        findings.push("legalmoves is none though gameover is false".to_owned());
        return Ok(());
    }
    let moves: Vec<&str> = answer.split_whitespace().collect();
    if !moves.is_sorted() {
        findings.push(format!("legalmoves are not sorted: {}", printable(&answer, 60)));
    }
    let drawn = session.answer(&format!("random {}", random.next() >> 1))?;
    if !moves.contains(&drawn.as_str()) && !is_other_notation(second, line, &drawn, &moves)? {
        findings.push(format!("random gives {drawn}, which is not in legalmoves"));
    }
    for _ in 0..TRIED.min(moves.len()) {
        let Some(token) = moves.get(random.below(moves.len() as u64) as usize) else { break };
        if session.query(&format!("islegal {token}"))? != "true" {
            findings.push(format!("{token} is in legalmoves, but not islegal"));
        }
    }
    let reversed: String =
        moves.first().map_or(String::new(), |token| token.chars().rev().collect());
    let last = line.tokens().next_back().unwrap_or_default();
    for token in [last, &reversed] {
        if !token.is_empty() && !moves.contains(&token) {
            probably_illegal(session, second, token, line, findings)?;
        }
    }
    if let Some(prefix) = moves.first().and_then(|token| token.get(..1)) {
        let listed = session.answer(&format!("legalmoves {prefix}"))?;
        let expected: Vec<&str> =
            moves.iter().copied().filter(|token| token.starts_with(prefix)).collect();
        if listed != expected.join(" ") {
            findings.push(format!("legalmoves {prefix} is not legalmoves cut to that prefix"));
        }
    }
    Ok(())
}

/// A token that is not listed, such as the last one or a listed one reversed. If `islegal` accepts
/// it all the same, as another notation of a listed move, then it can be played.
fn probably_illegal(
    session: &mut CheckSession,
    second: &mut CheckSession,
    token: &str,
    line: &PositionLine,
    findings: &mut Findings,
) -> Result<(), String> {
    if session.query(&format!("islegal {token}"))? != "true" {
        return Ok(());
    }
    if let Some(refusal) = second.exchange(&format!("position {}\n", line.with(token)))?.first() {
        findings.push(format!("{token} is islegal, but refused: {}", printable(refusal, 80)));
    }
    Ok(())
}

/// Whether a token leads to the same position as a listed move.
pub(super) fn is_other_notation(
    second: &mut CheckSession,
    line: &PositionLine,
    token: &str,
    moves: &[&str],
) -> Result<bool, String> {
    let mut fen_after = |token: &str| {
        second.exchange(&format!("position {}\n", line.with(token)))?;
        second.query("fen")
    };
    let wanted = fen_after(token)?;
    for listed in moves {
        if fen_after(listed)? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The throw of a seed, as the protocol defines it, where outcomes are listed.
fn throws(
    session: &mut CheckSession,
    random: &mut Random,
    findings: &mut Findings,
) -> Result<(), String> {
    let answer = session.answer("chances")?;
    if answer == "many" || answer == "hidden" {
        return Ok(());
    }
    let Some(outcomes) = chances(&answer) else {
        return Err(format!("'query chances' is answered by '{}'", printable(&answer, 60)));
    };
    let total = outcomes.iter().map(|(_, weight)| weight).sum();
    for _ in 0..4 {
        let seed = random.next();
        let mut left = multiply_shift(splitmix64(seed), total);
        let mut expected = "";
        for (token, weight) in &outcomes {
            if left < *weight {
                expected = token;
                break;
            }
            left -= weight;
        }
        let thrown = session.answer(&format!("throw {seed}"))?;
        if thrown != expected {
            findings.push(format!("throw {seed} is {thrown}, by the chances {expected}"));
        }
    }
    Ok(())
}

/// Checks the answers about a finished game.
fn finished(session: &mut CheckSession, findings: &mut Findings) -> Result<(), String> {
    let seats: usize = session.answer("seats")?.parse().unwrap_or(0);
    let result = session.answer("result")?;
    let outcome = session.answer("outcome")?;
    match outcome.strip_prefix("rank ").and_then(|ranks| places(ranks, seats)) {
        None => findings.push(format!("outcome of a finished game is '{outcome}'")),
        Some(places) if result != GameResult::of(&places).name() => {
            findings.push(format!("result is {result}, though outcome is {outcome}"));
        }
        Some(_) => {}
    }
    for (query, expected) in [("turn", "none"), ("legalmoves", "none")] {
        let answer = session.query(query)?;
        if answer != expected && !answer.starts_with("error ") {
            findings.push(format!("{query} of a finished game is '{}'", printable(&answer, 60)));
        }
    }
    if session.answer("reason")? == "none" {
        findings.push("a finished game has no reason".to_owned());
    }
    let lines = session.search("go nodes 1\n")?;
    if best_token(&lines) != "0000" || !lines.iter().any(|line| line.starts_with("info depth 0 ")) {
        findings.push(format!("go on a finished game plays '{}'", best_token(&lines)));
    }
    Ok(())
}
