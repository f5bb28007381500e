//! Steps about what one seat may see.

use super::session::CheckSession;
use super::{Checker, Findings};
use crate::printing::printable;
use crate::protocol::PositionLine;
use crate::random::Random;

/// Plies of the game whose views are checked.
const EXAMINED: usize = 60;

/// Pairs of games for the view law.
const PAIRS: u64 = 8;
/// Plies of each game of a pair.
const LONGEST_PAIR: usize = 80;
/// How many plies later each pair may differ than the pair before it.
const DIFFERENT_AFTER: usize = 3;

/// Findings after which a step ends: one error tends to show again and again.
const ENOUGH: usize = 10;

/// A possible next token: a throw, or a move of the random mover.
pub(super) fn next_token(
    session: &mut CheckSession,
    random: &mut Random,
) -> Result<String, String> {
    let query = if session.turn()?.is_chance() { "throw" } else { "random" };
    session.answer(&format!("{query} {}", random.next() >> 1))
}

/// Every view along a random game can be read back and agrees with the game in what is public.
pub(super) fn views(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut full, mut seen) = (checker.session()?, checker.session()?);
    full.exchange("uginewgame\nposition startpos\n")?;
    let seats: usize = full.answer("seats")?.parse().unwrap_or(2);
    let mut random = Random::new(77);
    // Who decided each token, and the token.
    let mut played: Vec<(String, String)> = Vec::new();
    for _ in 0..EXAMINED {
        if findings.len() >= ENOUGH {
            break;
        }
        let over = full.answer("gameover")? == "true";
        for seat in 1..=seats {
            view_of(seat, &mut full, &mut seen, &played, findings)?;
        }
        if over {
            break;
        }
        let turn = full.answer("turn")?;
        let token = next_token(&mut full, &mut random)?;
        full.exchange(&format!("moves {token}\n"))?;
        played.push((turn, token));
    }
    Ok(())
}

/// One view: it can be read, agrees in what is public, and shows its seat's own decisions.
fn view_of(
    seat: usize,
    full: &mut CheckSession,
    seen: &mut CheckSession,
    played: &[(String, String)],
    findings: &mut Findings,
) -> Result<(), String> {
    let name = format!("p{seat}");
    let view = full.answer(&format!("view {name}"))?;
    let refused = seen.exchange(&format!("position {view}\n"))?;
    if let Some(line) = refused.first() {
        findings.push(format!(
            "the view of {name} is refused: '{}' for 'position {}'",
            printable(line, 80),
            printable(&view, 120)
        ));
        return Ok(());
    }
    for query in ["turn", "gameover", "result", "outcome", "points"] {
        let (ours, theirs) = (full.answer(query)?, seen.answer(query)?);
        if ours != theirs {
            findings.push(format!("{query} is {ours}, but {theirs} in the view of {name}"));
        }
    }
    if full.answer("turn")? == name {
        let (ours, theirs) = (full.answer("legalmoves")?, seen.answer("legalmoves")?);
        if ours != theirs {
            findings.push(format!(
                "{name} decides, but its view has other legalmoves: '{}', not '{}'",
                printable(&theirs, 60),
                printable(&ours, 60)
            ));
        }
    }
    if seen.answer(&format!("view {name}"))? != view {
        findings.push(format!("the view of a view of {name} is another"));
    }
    let shown = tokens(&view);
    if shown.len() == played.len() {
        let own = played.iter().zip(&shown).filter(|((who, _), _)| *who == name);
        for ((_, token), shown) in own {
            if token != shown {
                findings.push(format!("{name} played {token}, its view says {shown}"));
            }
        }
    }
    Ok(())
}

fn tokens(view: &str) -> Vec<String> {
    let tokens = |line: PositionLine| line.tokens().map(str::to_owned).collect();
    PositionLine::read(view).map_or_else(Vec::new, tokens)
}

/// The view law, on pairs of games that differ in one event. As long as a seat is shown the same
/// tokens of both games, its two views must be identical.
pub(super) fn law(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut one, mut other) = (checker.session()?, checker.session()?);
    for number in 0..PAIRS {
        let mut random = Random::new(900 + number);
        for session in [&mut one, &mut other] {
            session.exchange("uginewgame\nposition startpos\n")?;
        }
        let seats: usize = one.answer("seats")?.parse().unwrap_or(2);
        let mut shown_alike = vec![true; seats];
        let mut different = false;
        for ply in 0..LONGEST_PAIR {
            if one.answer("gameover")? == "true" || findings.len() >= ENOUGH {
                break;
            }
            let token = next_token(&mut one, &mut random)?;
            let mut twin = token.clone();
            // From some ply on another event is tried, until the two games differ.
            if !different && ply >= DIFFERENT_AFTER * number as usize {
                twin = next_token(&mut one, &mut random)?;
            }
            different |= twin != token;
            one.exchange(&format!("moves {token}\n"))?;
            if !other.exchange(&format!("moves {twin}\n"))?.is_empty() {
                // The first game's move is not legal in the second: the pair ends here.
                break;
            }
            if different && !compare(&mut one, &mut other, &mut shown_alike, findings)? {
                break;
            }
        }
    }
    Ok(())
}

/// Compares both views of every seat that has been shown the same tokens; whether there is one.
fn compare(
    one: &mut CheckSession,
    other: &mut CheckSession,
    shown_alike: &mut [bool],
    findings: &mut Findings,
) -> Result<bool, String> {
    for (index, alike) in shown_alike.iter_mut().enumerate() {
        if !*alike {
            continue;
        }
        let name = format!("p{}", index + 1);
        let query = format!("view {name}");
        let (first, second) = (one.answer(&query)?, other.answer(&query)?);
        let (ours, theirs) = (tokens(&first), tokens(&second));
        if ours != theirs || ours.is_empty() {
            *alike = false;
        } else if first != second {
            findings.push(format!(
                "two games that look the same to {name} have different views: '{}' and '{}'",
                printable(&first, 120),
                printable(&second, 120)
            ));
            *alike = false;
        }
    }
    Ok(shown_alike.contains(&true))
}
