//! What an engine prints, read by a client: text to values, nothing else.
//!
//! Engines of other people are read here, so that nothing is taken on trust: a field that does not
//! parse is left out, a line of no known kind is [`Line::Other`].

use super::info::Info;

/// One line of an engine's output.
#[derive(Clone, PartialEq, Debug)]
pub enum Line<'a> {
    /// `bestmove e2e4 [ponder e9e6]`; the token is empty if the line ends after the word.
    BestMove {
        /// The move, or what stands in its place.
        token: &'a str,
        /// The reply the engine would like to think about.
        ponder: Option<&'a str>,
    },
    /// `info ...` with at least one field of a search report.
    Info(Info),
    /// `info string error <code> <text>`.
    Error {
        /// The code, such as `illegal-move`.
        code: &'a str,
        /// The rest of the line.
        text: &'a str,
    },
    /// `info string because ...`: why the move of a search is played.
    Reason(&'a str),
    /// `response ...`: the rest of the line.
    Response(&'a str),
    /// `readyok`.
    ReadyOk,
    /// `ugiok` or `uciok`: the word.
    HandshakeOk(&'a str),
    /// `id name ...`.
    Name(&'a str),
    /// `id author ...`.
    Author(&'a str),
    /// `option name ...`.
    Option(OptionDeclaration),
    /// Anything else.
    Other,
}

impl Line<'_> {
    /// Whether only a search prints the line; outside of one it is a stray line.
    #[must_use]
    pub fn is_of_search(&self) -> bool {
        matches!(self, Line::BestMove { .. } | Line::Info(_) | Line::Reason(_))
    }
}

/// `option name <name> type <type> ...`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The name, which may hold spaces.
    pub name: String,
    /// `spin`, `check`, `combo`, `string` or `button`.
    pub kind: String,
    /// The value after `default`, if there was one.
    pub default: Option<String>,
    /// The values after `var`.
    pub choices: Vec<String>,
    /// The number after `min`.
    pub min: Option<i64>,
    /// The number after `max`.
    pub max: Option<i64>,
}

/// Reads one line without its line end.
#[must_use]
pub fn read(line: &str) -> Line<'_> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    match word {
        "bestmove" => best_move(rest),
        "info" => info(rest),
        "response" => Line::Response(rest),
        "readyok" => Line::ReadyOk,
        "ugiok" | "uciok" => Line::HandshakeOk(word),
        "id" => match rest.split_once(' ') {
            Some(("name", name)) => Line::Name(name.trim()),
            Some(("author", author)) => Line::Author(author.trim()),
            _ => Line::Other,
        },
        "option" => option(rest).map_or(Line::Other, Line::Option),
        _ => Line::Other,
    }
}

fn best_move(rest: &str) -> Line<'_> {
    let mut words = rest.split_whitespace();
    let token = words.next().unwrap_or("");
    let ponder = match words.next() {
        Some("ponder") => words.next(),
        _ => None,
    };
    Line::BestMove { token, ponder }
}

fn info(rest: &str) -> Line<'_> {
    if let Some(text) = rest.strip_prefix("string") {
        return message(text.trim());
    }
    Info::read(rest).map_or(Line::Other, Line::Info)
}

fn message(text: &str) -> Line<'_> {
    match text.split_once(' ') {
        Some(("error", error)) => {
            let error = error.trim_start();
            let (code, text) = error.split_once(' ').unwrap_or((error, ""));
            Line::Error { code, text }
        }
        Some(("because", reason)) => Line::Reason(reason.trim_start()),
        _ => Line::Other,
    }
}

/// Reads the answer to `query chances`: every outcome with its weight. `None` if none are listed.
#[must_use]
pub fn chances(text: &str) -> Option<Vec<(&str, u64)>> {
    let outcome = |word| {
        let (token, weight) = str::rsplit_once(word, ':')?;
        let weight = weight.parse().ok().filter(|&weight| weight > 0)?;
        (!token.is_empty()).then_some((token, weight))
    };
    let outcomes: Option<Vec<_>> = text.split_whitespace().map(outcome).collect();
    outcomes.filter(|outcomes| !outcomes.is_empty())
}

fn option(rest: &str) -> Option<OptionDeclaration> {
    let rest = rest.strip_prefix("name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let (kind, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let default = rest.strip_prefix("default ").map(|text| {
        let end = [" min ", " max ", " var "].iter().filter_map(|word| text.find(word)).min();
        text[..end.unwrap_or(text.len())].trim().to_owned()
    });
    // A text may hold any word: only its default is read.
    let limits = if kind.trim() == "string" { "" } else { rest };
    let number = |word: &str| {
        let (_, after) = limits.split_once(word)?;
        after.split_whitespace().next()?.parse().ok()
    };
    Some(OptionDeclaration {
        name: name.trim().to_owned(),
        kind: kind.trim().to_owned(),
        default,
        choices: values(limits),
        min: number(" min "),
        max: number(" max "),
    })
}

/// The values after `var`, each of which may hold blanks.
fn values(declaration: &str) -> Vec<String> {
    let padded = format!(" {declaration} ");
    let parts = padded.split(" var ").skip(1);
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind_are_distinguished() {
        assert_eq!(read("bestmove e2e4"), Line::BestMove { token: "e2e4", ponder: None });
        let ponder = Line::BestMove { token: "a1a2", ponder: Some("b1b2") };
        assert_eq!(read("bestmove a1a2 ponder b1b2\r"), ponder);
        assert_eq!(read("bestmove"), Line::BestMove { token: "", ponder: None });
        let error = Line::Error { code: "illegal-move", text: "e2e5 is token 2" };
        assert_eq!(read("info string error illegal-move e2e5 is token 2"), error);
        assert_eq!(read("response chance p3"), Line::Response("chance p3"));
        assert_eq!(read("response"), Line::Response(""));
        assert_eq!(read("readyok"), Line::ReadyOk);
        assert_eq!(read("info string hello"), Line::Other);
        assert_eq!(read("info string because  no is rare "), Line::Reason("no is rare"));
        assert_eq!(read("hello"), Line::Other);
        assert_eq!(read(""), Line::Other);
    }

    #[test]
    fn option_declarations_keep_names_with_spaces() {
        let Line::Option(option) =
            read("option name Move Overhead type spin default 20 min 0 max 5000")
        else {
            panic!("no option")
        };
        assert_eq!(option.name, "Move Overhead");
        assert_eq!((option.kind.as_str(), option.default.as_deref()), ("spin", Some("20")));
        assert_eq!((option.min, option.max), (Some(0), Some(5000)));
        assert_eq!(read("option Hash"), Line::Other);
        let Line::Option(option) =
            read("option name Player type combo default engine var engine var a b var c")
        else {
            panic!("no option")
        };
        assert_eq!(option.choices, ["engine", "a b", "c"]);
        assert_eq!(option.default.as_deref(), Some("engine"));
    }

    #[test]
    fn chances_are_tokens_with_weights() {
        let two = chances("first:p1:1 t2:6");
        assert_eq!(two, Some(vec![("first:p1", 1), ("t2", 6)]));
        for none in ["", "none", "many", "hidden", "t1:", ":3", "t1:0", "t1:1 t2"] {
            assert_eq!(chances(none), None, "{none}");
        }
    }
}
