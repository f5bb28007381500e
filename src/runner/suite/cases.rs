//! Suites of positions: one a line, with the answers expected there.
//!
//! `fen ... ; set "Players=3" ; bm e2e4 ; am e2e3 ; perft 4 1234 ; win 5 ; id "..."`, in any
//! order; `startpos moves ...` may stand for `fen ...`. Lines of EPD are read as well: a position
//! alone, then operations; those that ask nothing are left out.

use anyhow::{Context, Result, bail, ensure};

use super::epd;
use crate::printing::printable;
use crate::protocol::without_comment;

/// The most positions of a suite with their options, moves and perft depths: two bytes of text may
/// become some hundred of memory.
const MOST: usize = 100_000;

/// The most parts of a line, and words of a part.
const MOST_PARTS: usize = 1000;

/// The most plies of a win.
const MOST_PLIES: u32 = 1000;

/// One line of a suite.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Case {
    /// Its name, or its line.
    pub(super) id: String,
    /// Its line, from 1.
    pub(super) line: usize,
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
    /// Operations of EPD that are not known here: nothing is asked for them.
    pub(super) unknown: Vec<String>,
}

impl Case {
    /// How much it holds.
    fn size(&self) -> usize {
        1 + self.options.len() + self.best.len() + self.avoid.len() + self.perft.len()
    }

    /// Whether the engine has to choose a move: also where nothing is asked but that it plays.
    pub(super) fn searches(&self) -> bool {
        let asks_else = self.win.is_some() || !self.perft.is_empty();
        !self.best.is_empty() || !self.avoid.is_empty() || !asks_else
    }
}

/// Reads a suite; empty lines and `#` comments are skipped.
///
/// # Errors
/// The first invalid line, and why.
pub(super) fn parse(text: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut size = 0;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if !line.is_empty() {
            let number = index + 1;
            let case = parse_line(line, number).with_context(|| format!("line {number}"))?;
            size += case.size();
            ensure!(size <= MOST, "more than {MOST} positions and answers; take a part of them");
            cases.push(case);
        }
    }
    ensure!(!cases.is_empty(), "no positions in it");
    Ok(cases)
}

fn parse_line(line: &str, number: usize) -> Result<Case> {
    let mut case = Case { id: format!("line {number}"), line: number, ..Case::default() };
    let (position, operations) = match epd::split(line) {
        Some((position, rest)) => (Some(position), operations(rest, true)?),
        None => (None, operations(line, false)?),
    };
    let is_epd = position.is_some();
    case.position = position.unwrap_or_default();
    for operation in operations {
        let (opcode, rest) =
            operation.split_once(char::is_whitespace).unwrap_or((operation.as_str(), ""));
        let rest = rest.trim();
        match opcode {
            "fen" | "startpos" | "position" => {
                ensure!(case.position.is_empty(), "two positions");
                case.position =
                    operation.strip_prefix("position").unwrap_or(&operation).trim().to_owned();
            }
            "id" => case.id = unquoted(rest),
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
                let numbers = rest.split_once(char::is_whitespace).and_then(|(depth, count)| {
                    Some((depth.parse().ok()?, count.trim().parse().ok()?))
                });
                let pair =
                    numbers.with_context(|| format!("perft {rest}: write perft DEPTH COUNT"))?;
                case.perft.push(pair);
            }
            "win" => {
                let plies = rest.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies));
                let wrong = || format!("win {rest}: write win PLIES, from 1 to {MOST_PLIES}");
                case.win = Some(plies.with_context(wrong)?);
            }
            "dm" => {
                let moves = rest.parse().ok().filter(|moves| (1..=MOST_PLIES / 2).contains(moves));
                let wrong = || format!("dm {rest}: write dm MOVES, from 1 to {}", MOST_PLIES / 2);
                case.win = Some(moves.with_context(wrong)? * 2 - 1);
            }
            _ if epd::is_silent(opcode) => {}
            _ if is_epd => case.unknown.push(printable(opcode, 60)),
            _ => bail!(
                "'{}' is not one of fen startpos set bm am dm perft win id",
                printable(opcode, 60)
            ),
        }
    }
    ensure!(!case.position.is_empty(), "no position; write fen ... or startpos");
    Ok(case)
}

fn tokens(opcode: &str, rest: &str) -> Result<Vec<String>> {
    let words = rest.split_whitespace().take(MOST_PARTS + 1);
    let tokens: Vec<String> = words.map(str::to_owned).collect();
    ensure!(!tokens.is_empty(), "{opcode} without a move");
    ensure!(tokens.len() <= MOST_PARTS, "{opcode} with more than {MOST_PARTS} moves");
    Ok(tokens)
}

/// Text without its quotes; a backslash takes the next character literally.
fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    let mut characters = inner.unwrap_or(text).chars();
    let mut found = String::new();
    while let Some(character) = characters.next() {
        found.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    found
}

/// Splits at semicolons outside of quotes. But in EPD a semicolon without a space before it belongs to
/// a position.
fn operations(line: &str, is_epd: bool) -> Result<Vec<String>> {
    let mut parts = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for character in line.chars() {
        let current = parts.last_mut().context("no text")?;
        let ends = is_epd || current.is_empty() || current.ends_with(char::is_whitespace);
        if character == ';' && !quoted && ends {
            ensure!(parts.len() < MOST_PARTS, "more than {MOST_PARTS} operations");
            parts.push(String::new());
            continue;
        }
        quoted ^= character == '"' && !escaped;
        escaped = quoted && character == '\\' && !escaped;
        current.push(character);
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
                line: 4,
                position: "fen 10/4E5 w".to_owned(),
                options: vec![("Players".to_owned(), "3".to_owned())],
                best: vec!["a1a2".to_owned(), "b1b2".to_owned()],
                avoid: vec!["c1c2".to_owned()],
                perft: vec![(4, 1234)],
                win: Some(5),
                unknown: Vec::new(),
            }
        );
        assert_eq!(cases[1].position, "startpos moves e2e4");
        assert_eq!(cases[1].id, "line 5");
    }

    /// The first positions of the suites WAC and STS, and one with all that EPD may hold.
    #[test]
    fn lines_of_epd_are_read() {
        let text = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n\
            1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - bm f5; id \"STS(v1.0) Undermine.001\"; \
            c0 \"f5=10, Be5+=2, Bf2=3, Bg4=2\";\n\
            8/8/8/8/8/4k3/4p3/4K3 b - - hmvc 3; fmvn 40; dm 2; acd 9; id \"a \\\"mate\\\"; really\";\n\
            rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
            x5o/7/7/7/7/7/o5x x 0 1 ; am g2\n";
        let cases = parse(text).unwrap();
        let of = |index: usize| (cases[index].id.as_str(), cases[index].position.as_str());
        let wac = "fen 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
        assert_eq!(of(0), ("WAC.001", wac));
        assert_eq!(
            (&cases[0].best[..], &cases[1].best[..]),
            (&["Qg6".to_owned()][..], &["f5".to_owned()][..])
        );
        assert_eq!(of(2), ("a \"mate\"; really", "fen 8/8/8/8/8/4k3/4p3/4K3 b - - 3 40"));
        assert_eq!(cases[2].win, Some(3));
        assert!(of(3).1.ends_with("RNBQKBNR w KQkq - 0 1") && cases[3].searches());
        assert_eq!(of(4).1, "fen x5o/7/7/7/7/7/o5x x 0 1");
        assert_eq!(cases[4].avoid, ["g2"]);
    }

    /// Any white space parts an opcode from its operands; one that nobody knows is named.
    #[test]
    fn operations_are_read_after_tabs_and_unknown_ones_are_kept() {
        let text = "8/8/8/8/8/4k3/4p3/4K3 b - -\tbm\tKd3;\tid\t\"a\tb\";\n\
            8/8/8/8/8/4k3/4p3/4K3 b - - bn Kd3; zz; draw_offer; c3 \"x\"; am\t Kd4;\n\
            startpos\t; perft\t1\t38\t; win\t3\n";
        let cases = parse(text).unwrap();
        assert_eq!((&cases[0].best[..], cases[0].id.as_str()), (&["Kd3".to_owned()][..], "a\tb"));
        assert!(cases[0].unknown.is_empty());
        assert_eq!(cases[1].unknown, ["bn", "zz"]);
        assert_eq!(cases[1].avoid, ["Kd4"]);
        assert_eq!((&cases[2].perft[..], cases[2].win), (&[(1, 38)][..], Some(3)));
        assert_eq!(cases[2].position, "startpos");
    }

    #[test]
    fn invalid_lines_are_named() {
        for (text, expected) in [
            ("bm a1a2", "line 1: no position"),
            ("startpos ; dm 0", "write dm MOVES"),
            ("\nstartpos ; bm", "line 2: bm without a move"),
            ("startpos ; perft 4", "write perft DEPTH COUNT"),
            ("startpos ; win soon", "write win PLIES"),
            ("startpos ; find a1", "'find' is not one of"),
            ("startpos ; set Players ; bm a", "write set"),
            ("startpos ; bm a ; id \"x", "a quote is not closed"),
            ("# nothing", "no positions in it"),
            ("startpos ; win 4294967295", "from 1 to 1000"),
            ("startpos ; dm 4294967295", "from 1 to 500"),
            (&("startpos".to_owned() + &" ; id a".repeat(2000)), "more than 1000 operations"),
            (&("startpos ; bm".to_owned() + &" a".repeat(2000)), "more than 1000 moves"),
            (&"a/\n".repeat(MOST + 1), "take a part of them"),
            (&("startpos ; bm".to_owned() + &" a".repeat(999) + "\n").repeat(101), "take a part"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(expected), "{}: {error}", printable(text, 60));
        }
    }
}
