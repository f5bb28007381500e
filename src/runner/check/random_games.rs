//! Steps that play random games with the engine as its own referee.

use super::session::{CheckSession, best_token};
use super::{Checker, Findings};
use crate::protocol::engine_output::chances;
use crate::random::{Random, multiply_shift, splitmix64};
use crate::runner::process::printable;

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
        let mut last_token = String::new();
        let mut position = "position startpos".to_owned();
        let mut plies = 0;
        while session.answer("gameover")? == "false" && plies < checker.plies {
            let turn = session.answer("turn")?;
            let chance = turn.starts_with("chance");
            if plies < EXAMINED {
                turn_and_result(&mut session, &turn, findings)?;
                if chance {
                    throws(&mut session, &mut random, findings)?;
                } else {
                    let tokens = [&last_token, &position];
                    listing(&mut session, &mut second, tokens, &mut random, findings)?;
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
            if let Some(line) = session.exchange(&format!("moves {token}\n"))?.first() {
                return Err(format!("'moves {token}' is answered by '{}'", printable(line, 60)));
            }
            position += if plies == 0 { " moves " } else { " " };
            position += &token;
            last_token = token;
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
        let chance = session.answer("turn")?.starts_with("chance");
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
    turn: &str,
    findings: &mut Findings,
) -> Result<(), String> {
    let first = session.answer("p1turn")?;
    let named = turn.strip_prefix("chance").unwrap_or(turn).trim();
    if !named.is_empty() && (first == "true") != (named == "p1") {
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
/// session `second` tries moves without disturbing the game; the tokens are the last one and the
/// position line.
fn listing(
    session: &mut CheckSession,
    second: &mut CheckSession,
    [last_token, position]: [&String; 2],
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
    if !moves.contains(&drawn.as_str()) && !is_other_notation(second, position, &drawn, &moves)? {
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
    for token in [last_token.as_str(), &reversed] {
        if !token.is_empty() && !moves.contains(&token) {
            probably_illegal(session, second, token, position, findings)?;
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
    position: &str,
    findings: &mut Findings,
) -> Result<(), String> {
    if session.query(&format!("islegal {token}"))? != "true" {
        return Ok(());
    }
    let moves = if position.contains(" moves ") { "" } else { " moves" };
    if let Some(refusal) = second.exchange(&format!("{position}{moves} {token}\n"))?.first() {
        findings.push(format!("{token} is islegal, but refused: {}", printable(refusal, 80)));
    }
    Ok(())
}

/// Whether a token leads to the same position as a listed move.
pub(super) fn is_other_notation(
    second: &mut CheckSession,
    position: &str,
    token: &str,
    moves: &[&str],
) -> Result<bool, String> {
    let words = if position.contains(" moves ") { "" } else { " moves" };
    let mut fen_after = |token: &str| {
        second.exchange(&format!("{position}{words} {token}\n"))?;
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
    let ranks = outcome.strip_prefix("rank ").unwrap_or("");
    let places: Vec<&str> = ranks.split_whitespace().collect();
    if places.len() != seats || !places.contains(&"1") {
        findings.push(format!("outcome of a finished game is '{outcome}'"));
    }
    let firsts = places.iter().filter(|place| **place == "1").count();
    let expected = match (places.first(), firsts) {
        (Some(&"1"), 1) => "p1win",
        (Some(&"1"), _) => "draw",
        _ => "p2win",
    };
    if result != expected {
        findings.push(format!("result is {result}, though outcome is {outcome}"));
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
