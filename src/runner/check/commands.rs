//! Steps without a search: handshake, options, queries, refusals.

use std::time::Duration;

use super::session::{CheckSession, best_token};
use super::{Checker, Findings};
use crate::printing::printable;
use crate::protocol::engine_output::{self, Line, OptionDeclaration};
use crate::protocol::{PositionLine, Turn};

/// The options that an engine should declare.
const DECLARED: [&str; 10] = [
    "Hash",
    "Threads",
    "Seed",
    "MultiPV",
    "Move Overhead",
    "Move Time",
    "Clear Hash",
    "OwnBook",
    "UCI_AnalyseMode",
    "UCI_ShowWDL",
];

pub(super) fn silent_start(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = CheckSession::start(&checker.launch, checker.patience)?;
    // The answer to the first exchange comes after everything printed at the start.
    for line in session.exchange("")? {
        findings.push(format!("printed before any command: '{}'", printable(&line, 60)));
    }
    Ok(())
}

pub(super) fn handshake(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (_, lines) = checker.greeted()?;
    let mut seen = Vec::new();
    for line in &lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["id", "name" | "author", ..] => {
                seen.extend(words.get(1).copied());
            }
            ["option", ..] => {
                if !matches!(engine_output::read(line), Line::Option(_)) {
                    findings.push(format!("'{}' declares no option", printable(line, 60)));
                }
            }
            ["ugiok" | "uciok"] => {}
            _ => findings.push(format!("'{}' does not belong here", printable(line, 60))),
        }
    }
    for name in ["name", "author"] {
        if seen.iter().filter(|word| **word == name).count() != 1 {
            findings.push(format!("not exactly one 'id {name}' line"));
        }
    }
    Ok(())
}

pub(super) fn names(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (_, lines) = checker.greeted()?;
    for line in lines.iter().filter(|line| line.starts_with("id ")) {
        let count = line.split_whitespace().count();
        if count != 3 {
            findings.push(format!("'{}' has {count} words, not 3", printable(line, 60)));
        }
    }
    Ok(())
}

pub(super) fn uci(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = CheckSession::start(&checker.launch, checker.patience)?;
    session.send("uci\n")?;
    let lines = session.until("uciok", |line| line == "uciok")?;
    if !lines.iter().any(|line| line.starts_with("option name ")) {
        findings.push("no options are declared under uci".to_owned());
    }
    session.exchange("ucinewgame\nposition startpos\n")?;
    let lines = session.search("go nodes 1\n")?;
    if !lines.iter().any(|line| line.starts_with("info ")) {
        findings.push("no info before bestmove under uci".to_owned());
    }
    Ok(())
}

/// The options that an engine declared, from its answer to the handshake.
fn declared(lines: &[String]) -> Vec<OptionDeclaration> {
    let option = |line: &String| match engine_output::read(line) {
        Line::Option(option) => Some(option),
        _ => None,
    };
    lines.iter().filter_map(option).collect()
}

pub(super) fn standard_options(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let declared = declared(&checker.greeted()?.1);
    for name in DECLARED {
        if !declared.iter().any(|option| option.name == name) {
            findings.push(format!("option {name} is not declared"));
        }
    }
    Ok(())
}

pub(super) fn options(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let (mut session, lines) = checker.greeted()?;
    for option in &declared(&lines) {
        let name = &option.name;
        let line = match (&option.default, option.kind.as_str()) {
            (_, "button") => format!("setoption name {name}\n"),
            (Some(value), _) => format!("setoption name {} value {value}\n", name.to_lowercase()),
            (None, _) => continue,
        };
        for answer in session.exchange(&line)? {
            findings.push(format!("'{}' is answered by '{}'", line.trim(), printable(&answer, 60)));
        }
        if option.kind == "spin" {
            let line = format!("setoption name {name} value nonsense\n");
            expect_error(&mut session, &line, "bad-value", findings)?;
        }
    }
    let unknown = session.exchange("setoption name No Such Option value 1\n")?;
    for line in unknown {
        findings
            .push(format!("an unknown option is answered by '{}' on stdout", printable(&line, 60)));
    }
    Ok(())
}

/// The line must be answered by one error line with this code.
fn expect_error(
    session: &mut CheckSession,
    line: &str,
    code: &str,
    findings: &mut Findings,
) -> Result<(), String> {
    let answers = session.exchange(line)?;
    let errors: Vec<_> = answers.iter().map(|line| engine_output::read(line)).collect();
    let right = matches!(errors.as_slice(), [Line::Error { code: found, .. }] if *found == code);
    if !right {
        findings.push(format!(
            "'{}' is answered by '{}', not 'info string error {code} ...'",
            printable(line.trim(), 60),
            printable(&answers.join(" / "), 80)
        ));
    }
    Ok(())
}

pub(super) fn idle(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    for (lines, what) in [
        ("", "isready"),
        ("stop\n", "stop when idle"),
        ("ponderhit\n", "ponderhit when idle"),
        ("joho nonsense\n", "an unknown command"),
        ("\n   \n", "an empty line"),
        ("uginewgame\n", "uginewgame"),
        ("debug off\n", "debug off"),
        ("joho uginewgame\r\n", "an unknown token before a command"),
    ] {
        for line in session.exchange(lines)? {
            findings.push(format!("{what} is answered by '{}'", printable(&line, 60)));
        }
    }
    for line in session.listen(Duration::from_millis(200)) {
        findings.push(format!("printed unasked: '{}'", printable(&line, 60)));
    }
    Ok(())
}

pub(super) fn dialects(checker: &Checker, _: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.send("xboard\nprotover 2\n")?;
    let known =
        |line: &str| line.starts_with("Error (unknown command)") || line.starts_with("feature");
    session.until("answer to xboard: an error line, or feature after protover", known)?;
    Ok(())
}

pub(super) fn queries(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("position startpos\n")?;
    let seats = session.answer("seats")?;
    let count: usize =
        seats.parse().map_err(|_| format!("'query seats' is answered by '{seats}'"))?;
    let boolean = |text: &str| text == "true" || text == "false";
    let turn = |text: &str| Turn::read(text, count).is_some_and(|turn| turn != Turn::Over);
    type Shape<'a> = (&'a str, &'a dyn Fn(&str) -> bool, &'a str);
    let shapes: [Shape; 13] = [
        ("p1turn", &boolean, "true or false"),
        ("gameover", &|text| text == "false", "false at the start"),
        ("result", &|text| text == "none", "none at the start"),
        ("outcome", &|text| text == "none", "none at the start"),
        ("reason", &|text| text == "none", "none at the start"),
        ("turn", &turn, "a seat or chance"),
        ("fen", &|text| !text.is_empty(), "a position"),
        ("legalmoves", &|text| !text.is_empty(), "moves"),
        ("random 7", &|text| !text.contains(' '), "one token"),
        ("points", &|_| true, "scores or none"),
        ("chances", &|_| true, "outcomes, many, hidden or none"),
        ("rules", &|_| true, "the current rules"),
        ("protocol", &|text| text.starts_with("ugi 1"), "ugi 1 ..."),
    ];
    for (query, shape, expected) in shapes {
        match session.answer(query) {
            Ok(answer) if shape(&answer) => {}
            Ok(answer) => findings.push(format!(
                "'query {query}' is answered by '{}', not {expected}",
                printable(&answer, 60)
            )),
            Err(finding) => findings.push(finding),
        }
    }
    for seat in 1..=count {
        let view = session.answer(&format!("view p{seat}"))?;
        if PositionLine::read(&view).is_none() {
            findings
                .push(format!("'query view p{seat}' is answered by '{}'", printable(&view, 60)));
        }
    }
    Ok(())
}

pub(super) fn bad_queries(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("position startpos\n")?;
    for (query, code) in [
        ("nonsense", "unknown-query"),
        ("", ""),
        ("islegal", ""),
        ("random", ""),
        ("random x", ""),
        ("view p9", ""),
        ("view", ""),
        ("throw nothing", ""),
    ] {
        match session.query(query) {
            Ok(answer) if answer.starts_with(&format!("error {code}")) => {}
            Ok(answer) => findings.push(format!(
                "'query {query}' is answered by '{}', not 'error {code} ...'",
                printable(&answer, 60)
            )),
            Err(finding) => findings.push(finding),
        }
    }
    for token in ["nonsense", "0000", "[[[["] {
        let answer = session.query(&format!("islegal {token}"))?;
        if answer != "false" && !answer.starts_with("error ") {
            findings.push(format!("'query islegal {token}' is answered by '{answer}'"));
        }
    }
    Ok(())
}

pub(super) fn bad_positions(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    for (line, code) in [
        ("position fen this is no position\n", "bad-position"),
        ("position nonsense\n", "bad-position"),
        ("position startpos moves [[[[\n", "bad-move"),
        ("moves [[[[\n", ""),
    ] {
        if code.is_empty() {
            session.exchange("position startpos\n")?;
        }
        let answers = session.exchange(line)?;
        let reported = answers.iter().any(|answer| {
            let Line::Error { code: found, .. } = engine_output::read(answer) else { return false };
            code.is_empty() || found == code
        });
        let shown = line.trim();
        if !reported {
            findings.push(format!(
                "'{shown}' is answered by '{}', not 'info string error {code} ...'",
                printable(&answers.join(" / "), 80)
            ));
            continue;
        }
        let answer = session.query("fen")?;
        if !answer.starts_with("error stale") {
            findings.push(format!("after '{shown}' queries are not stale: '{answer}'"));
        }
        let lines = session.search("go nodes 1\n")?;
        if best_token(&lines) != "0000" {
            findings.push(format!("after '{shown}' go plays '{}'", best_token(&lines)));
        }
    }
    session.exchange("position startpos\n")?;
    session.answer("fen")?;
    Ok(())
}

pub(super) fn bad_lines(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("position startpos\n")?;
    let before = session.answer("fen")?;
    let long = format!("joho {}\n", "x".repeat(3 << 20));
    session.exchange(&long)?;
    let umlauts = "joho \u{e4}\u{f6}\u{fc}\n";
    session.exchange(umlauts)?;
    let after = session.query("fen")?;
    if after != before && !after.starts_with("error stale") {
        findings.push("a bad line changed the position".to_owned());
    }
    let long = format!("position startpos moves {}\n", "x".repeat(2 << 20));
    let answers = session.exchange(&long)?;
    if !answers.iter().any(|line| line.starts_with("info string error too-long")) {
        findings.push("a position line of 2 MiB is not refused as too-long".to_owned());
    }
    Ok(())
}

pub(super) fn append(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut session = checker.session()?;
    session.exchange("position startpos\n")?;
    let mut tokens = Vec::new();
    for seed in 1..=6 {
        if session.answer("gameover")? == "true" {
            break;
        }
        let token = if session.turn()?.is_chance() {
            session.answer(&format!("throw {seed}"))?
        } else {
            session.answer(&format!("random {seed}"))?
        };
        for line in session.exchange(&format!("moves {token}\n"))? {
            findings.push(format!("'moves {token}' is answered by '{}'", printable(&line, 60)));
        }
        tokens.push(token);
    }
    let appended = session.answer("fen")?;
    session.exchange(&format!("position startpos moves {}\n", tokens.join(" ")))?;
    let whole = session.answer("fen")?;
    if appended != whole {
        findings.push(format!("appended one by one: '{appended}', at once: '{whole}'"));
    }
    Ok(())
}
