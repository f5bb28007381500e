//! Steps about `query step` and `query path`: the laws of moves that are entered by pointing.

use std::collections::{BTreeMap, BTreeSet};

use super::pictures::{Visited, along, read};
use super::random_games::is_other_notation;
use super::session::CheckSession;
use super::{Checker, Findings};
use crate::picture::{MAX_BYTES, MAX_ENTRIES, Step};
use crate::printing::printable;
use crate::random::Random;

/// Steps of the walk into the choices of one position.
const WALK: usize = 100;
/// How many of the choices that a filter lists are followed.
const FILTERED: usize = 3;
/// Where more moves are listed than this, some are drawn at random.
const LISTED: usize = 500;
const DRAWN: usize = 50;

/// What a walk into the choices may find wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Law {
    /// The token of a leaf is legal.
    Leaf,
    /// Every choice leads to a leaf or a form.
    Offer,
    /// An answer has bounds.
    Limit,
}

pub(super) fn leaves(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    walks(checker, findings, Law::Leaf)
}

pub(super) fn offers(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    walks(checker, findings, Law::Offer)
}

pub(super) fn limits(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    walks(checker, findings, Law::Limit)
}

/// The query for a path.
fn step_query(path: &[String]) -> String {
    path.iter().fold("step".to_owned(), |query, choice| query + " " + choice)
}

/// Walks into the choices of positions and keeps what breaks one of the laws.
fn walks(checker: &Checker, findings: &mut Findings, law: Law) -> Result<(), String> {
    along(checker, findings, |Visited { session, ply, .. }, findings| {
        if session.answer("turn")? == "none" {
            return Ok(());
        }
        let mut open = vec![Vec::new()];
        for _ in 0..WALK {
            let Some(path) = open.pop() else { break };
            visit(session, &path, &mut open, &mut |broken, text| {
                if broken == law {
                    findings.push(format!("at ply {ply} '{}': {text}", shown(&path)));
                }
            })?;
        }
        Ok(())
    })
}

fn shown(path: &[String]) -> String {
    printable(&step_query(path), 60)
}

/// Looks at one step and adds what it offers to the open paths.
fn visit(
    session: &mut CheckSession,
    path: &[String],
    open: &mut Vec<Vec<String>>,
    report: &mut dyn FnMut(Law, String),
) -> Result<(), String> {
    let query = step_query(path);
    let answer = session.query(&query)?;
    if answer.starts_with("error ") {
        report(Law::Offer, format!("an offered choice is refused: {}", printable(&answer, 80)));
        return Ok(());
    }
    let step: Step = read(&query, &answer)?;
    if step.next.len() > MAX_ENTRIES || answer.len() > MAX_BYTES {
        let (choices, bytes) = (step.next.len(), answer.len());
        report(Law::Limit, format!("{choices} choices, {bytes} bytes"));
    }
    if let Some(next) = step.next.iter().find(|next| next.label.as_ref() == Some(&next.choice)) {
        report(Law::Limit, format!("the label of '{}' is the choice", printable(&next.choice, 40)));
    }
    let mut choices = BTreeSet::new();
    if let Some(twice) = step.next.iter().find(|next| !choices.insert(&next.choice)) {
        report(Law::Offer, format!("'{}' is offered twice", printable(&twice.choice, 40)));
    }
    let nothing = step.next.is_empty() && step.token.is_none() && step.form.is_none();
    // Where chance has too many outcomes, or hidden ones, nothing is listed.
    if nothing && step.chance.is_none() {
        report(Law::Offer, "a dead end".to_owned());
    }
    if let Some(token) = &step.token
        && session.query(&format!("islegal {token}"))? != "true"
    {
        report(Law::Leaf, format!("the token {} is not legal", printable(token, 40)));
    }
    // What a filter lists follows the choices before it.
    let filtered = step.path != path;
    if filtered && path.split_last().map(|(_, before)| before) != Some(&step.path) {
        report(Law::Offer, format!("the answer is about '{}'", shown(&step.path)));
        return Ok(());
    }
    let extended = |choice: &str| {
        let mut path = step.path.clone();
        path.push(choice.to_owned());
        path
    };
    if let Some(form) = step.form.as_ref().filter(|form| form.complete && !filtered) {
        open.push(extended(&format!("{}*", form.prefix)));
    }
    let followed = if filtered { FILTERED } else { step.next.len() };
    open.extend(step.next.iter().take(followed).rev().map(|next| extended(&next.choice)));
    Ok(())
}

/// The path of every legal token leads to it, or to another that reaches the same position.
pub(super) fn paths(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut second = checker.session()?;
    let mut random = Random::new(43);
    along(checker, findings, |Visited { session, line, ply }, findings| {
        if session.turn()?.decider().is_none() {
            return Ok(());
        }
        let mut known = BTreeMap::new();
        for token in tokens(session, &mut random)? {
            match leaf_of(session, &token, &mut known)? {
                Ok(leaf) if leaf == token => {}
                Ok(leaf) if is_other_notation(&mut second, line, &token, &[&leaf])? => {}
                Ok(leaf) => findings.push(format!(
                    "at ply {ply} the path of {} leads to {}",
                    printable(&token, 40),
                    printable(&leaf, 40)
                )),
                Err(why) => findings
                    .push(format!("at ply {ply} the path of {}: {why}", printable(&token, 40))),
            }
        }
        Ok(())
    })
}

/// Legal tokens of a position: the listed ones, or random ones where too many are.
fn tokens(session: &mut CheckSession, random: &mut Random) -> Result<Vec<String>, String> {
    let listed = session.answer("legalmoves")?;
    let mut tokens: Vec<String> = match listed.as_str() {
        "many" | "hidden" | "none" => Vec::new(),
        list => list.split(' ').map(str::to_owned).collect(),
    };
    if listed == "hidden" {
        return Ok(tokens);
    }
    if tokens.is_empty() || tokens.len() > LISTED {
        tokens.clear();
        for _ in 0..DRAWN {
            tokens.push(session.answer(&format!("random {}", random.next() >> 1))?);
        }
    }
    Ok(tokens)
}

/// The token at the end of the path of a token, each choice of which must be offered or fit a form;
/// else what is wrong.
fn leaf_of(
    session: &mut CheckSession,
    token: &str,
    known: &mut BTreeMap<Vec<String>, Step>,
) -> Result<Result<String, String>, String> {
    let query = format!("path {token}");
    let path: Vec<String> = read(&query, &session.answer(&query)?)?;
    let mut offered = true;
    let mut length = 0;
    loop {
        let (before, query) = (&path[..length], step_query(&path[..length]));
        if !offered {
            return Ok(Err(format!("'{query}' was not offered")));
        }
        if !known.contains_key(before) {
            let answer = session.query(&query)?;
            if answer.starts_with("error ") {
                return Ok(Err(format!("'{query}' is answered by '{}'", printable(&answer, 60))));
            }
            known.insert(before.to_vec(), read(&query, &answer)?);
        }
        let step = &known[before];
        match path.get(length) {
            Some(choice) => {
                offered =
                    step.form.is_some() || step.next.iter().any(|next| next.choice == *choice);
                length += 1;
            }
            None => {
                let none = || format!("'{query}' has no token");
                return Ok(step.token.clone().ok_or_else(none));
            }
        }
    }
}
