//! Suites of positions: one a line, with the answers expected there.
//!
//! `fen ... ; set "Players=3" ; bm e2e4 ; am e2e3 ; perft 4 1234 ; win 5 ; id "..."`, in any
//! order; `startpos moves ...` may stand for `fen ...`.

use anyhow::{Context, Result, bail, ensure};

use crate::protocol::without_comment;

/// One line of a suite.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Case {
    /// Its name, or its line.
    pub(super) id: String,
    /// The argument of `position`.
    pub(super) position: String,
    /// Options that are set before it.
    pub(super) options: Vec<(String, String)>,
    /// The best moves: one of them must be played.
    pub(super) best: Vec<String>,
    /// The moves to avoid: none of them may be played.
    pub(super) avoid: Vec<String>,
    /// Depths and perft counts.
    pub(super) perft: Vec<(u32, u64)>,
    /// The number of plies within which the side to move wins.
    pub(super) win: Option<u32>,
}

impl Case {
    /// Whether the engine has to search for it.
    pub(super) fn searches(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }
}

/// Reads a suite; empty lines and `#` comments are skipped.
///
/// # Errors
/// The first invalid line, and why.
pub(super) fn parse(text: &str) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if !line.is_empty() {
            let number = index + 1;
            cases.push(parse_line(line, number).with_context(|| format!("line {number}"))?);
        }
    }
    ensure!(!cases.is_empty(), "no positions in it");
    Ok(cases)
}

fn parse_line(line: &str, number: usize) -> Result<Case> {
    let mut case = Case { id: format!("line {number}"), ..Case::default() };
    for operation in operations(line)? {
        let (opcode, rest) = operation.split_once(' ').unwrap_or((operation.as_str(), ""));
        let rest = rest.trim();
        match opcode {
            "fen" | "startpos" | "position" => {
                ensure!(case.position.is_empty(), "two positions");
                case.position =
                    operation.strip_prefix("position ").unwrap_or(&operation).trim().to_owned();
            }
            "id" => case.id = rest.trim_matches('"').to_owned(),
            "set" => {
                let (name, value) = rest
                    .trim_matches('"')
                    .split_once('=')
                    .with_context(|| format!("set {rest}: write set \"NAME=VALUE\""))?;
                case.options.push((name.trim().to_owned(), value.trim().to_owned()));
            }
            "bm" => case.best = tokens(opcode, rest)?,
            "am" => case.avoid = tokens(opcode, rest)?,
            "perft" => {
                let numbers = rest.split_once(' ').and_then(|(depth, count)| {
                    Some((depth.parse().ok()?, count.trim().parse().ok()?))
                });
                let pair =
                    numbers.with_context(|| format!("perft {rest}: write perft DEPTH COUNT"))?;
                case.perft.push(pair);
            }
            "win" => {
                let plies = rest.parse().with_context(|| format!("win {rest}: write win PLIES"))?;
                case.win = Some(plies);
            }
            _ => bail!("'{opcode}' is not one of fen startpos set bm am perft win id"),
        }
    }
    ensure!(!case.position.is_empty(), "no position; write fen ... or startpos");
    ensure!(
        case.searches() || case.win.is_some() || !case.perft.is_empty(),
        "nothing to find; write bm, am, perft or win"
    );
    Ok(case)
}

fn tokens(opcode: &str, rest: &str) -> Result<Vec<String>> {
    let tokens: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    ensure!(!tokens.is_empty(), "{opcode} without a move");
    Ok(tokens)
}

/// Splits at semicolons outside of quotes. A semicolon without a space before it belongs to a
/// position.
fn operations(line: &str) -> Result<Vec<String>> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        let current = parts.last_mut().context("no text")?;
        match character {
            '"' => {
                quoted = !quoted;
                current.push('"');
            }
            ';' if !quoted && (current.is_empty() || current.ends_with(' ')) => {
                parts.push(String::new());
            }
            _ => current.push(character),
        }
    }
    ensure!(!quoted, "a quote is not closed");
    let parts = parts.into_iter().map(|part| part.trim().to_owned());
    Ok(parts.filter(|part| !part.is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_holds_everything() {
        let text = "# a comment\n\n  # another\nfen 10/4E5 w ; set \"Players=3\" ; bm a1a2 b1b2 ; am c1c2 ; \
                    perft 4 1234 ; win 5 ; id \"three; # holes\" # why\nstartpos moves e2e4 ; perft 1 37\n";
        let cases = parse(text).unwrap();
        assert_eq!(cases.len(), 2);
        assert_eq!(
            cases[0],
            Case {
                id: "three; # holes".to_owned(),
                position: "fen 10/4E5 w".to_owned(),
                options: vec![("Players".to_owned(), "3".to_owned())],
                best: vec!["a1a2".to_owned(), "b1b2".to_owned()],
                avoid: vec!["c1c2".to_owned()],
                perft: vec![(4, 1234)],
                win: Some(5),
            }
        );
        assert_eq!(cases[1].position, "startpos moves e2e4");
        assert_eq!(cases[1].id, "line 5");
    }

    #[test]
    fn invalid_lines_are_named() {
        for (text, expected) in [
            ("bm a1a2", "line 1: no position"),
            ("startpos", "line 1: nothing to find"),
            ("\nstartpos ; bm", "line 2: bm without a move"),
            ("startpos ; perft 4", "write perft DEPTH COUNT"),
            ("startpos ; win soon", "write win PLIES"),
            ("startpos ; find a1", "'find' is not one of"),
            ("startpos ; set Players ; bm a", "write set"),
            ("startpos ; bm a ; id \"x", "a quote is not closed"),
            ("# nothing", "no positions in it"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
