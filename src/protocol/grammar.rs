//! The grammar of the input lines, in nom.
//!
//! Every parser works on the rest of one line. [`Fault`] keeps the place where a parser stopped and
//! what it expected there, so that an error can name both.

use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{cut, eof, opt, recognize};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0;
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Parser};

use super::command::{Command, Dialect, GoArguments, ParsedLine, PositionArgument, Root};
use super::error::{Code, ProtocolError};

/// Where a parser stopped, and what it expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault<'a> {
    rest: &'a str,
    expected: &'static str,
}

impl<'a> ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Fault { rest, expected: "another word" }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Fault<'a>>;

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

fn spaces(input: &str) -> Parsed<'_, &str> {
    take_while(is_space).parse(input)
}

/// Any word and the blanks after it.
fn word(input: &str) -> Parsed<'_, &str> {
    terminated(take_while1(|c| !is_space(c)), spaces).parse(input)
}

/// Gives a parser's failure a name.
fn expect<'a, T>(
    expected: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Fault<'a>>,
) -> impl FnMut(&'a str) -> Parsed<'a, T> {
    move |input| parser.parse(input).map_err(|error| error.map(|_| Fault { rest: input, expected }))
}

/// One exact word.
fn keyword<'a>(wanted: &'static str) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| match word(input) {
        Ok((rest, found)) if found == wanted => Ok((rest, found)),
        _ => Err(Err::Error(Fault { rest: input, expected: wanted })),
    }
}

/// A word that does not end the list it stands in.
fn word_but<'a>(stops: &'static [&'static str]) -> impl FnMut(&'a str) -> Parsed<'a, &'a str> {
    move |input| match word(input) {
        Ok((_, found)) if stops.contains(&found) => {
            Err(Err::Error(Fault { rest: input, expected: "another word" }))
        }
        other => other,
    }
}

/// A whole number in one word; a number that is too large becomes the largest.
fn integer(input: &str) -> Parsed<'_, u64> {
    let (rest, digits) = word(input)?;
    match terminated(digit1::<&str, Fault<'_>>, eof).parse(digits) {
        Ok((_, digits)) => Ok((rest, digits.parse().unwrap_or(u64::MAX))),
        Err(_) => Err(Err::Error(Fault { rest: input, expected: "a whole number" })),
    }
}

/// A number with optional sign and fraction in one word.
fn number(input: &str) -> Parsed<'_, f64> {
    let fault = Err(Err::Error(Fault { rest: input, expected: "a number" }));
    let (rest, text) = word(input)?;
    let shape = recognize((opt(char('-')), digit1, opt(preceded(char('.'), digit1))));
    match terminated(shape, eof::<&str, Fault<'_>>).parse(text) {
        Ok((_, text)) => text.parse().map_or(fault, |value| Ok((rest, value))),
        Err(_) => fault,
    }
}

/// Runs a parser over all of a text; the error text names place, expectation and finding.
fn whole<'a, T>(
    mut parser: impl FnMut(&'a str) -> Parsed<'a, T>,
    text: &'a str,
) -> Result<T, String> {
    let blank = text.len() - text.trim_start_matches(is_space).len();
    let fault = match parser(&text[blank..]) {
        Ok(("", value)) => return Ok(value),
        Ok((rest, _)) => Fault { rest, expected: "the end of the line" },
        Err(Err::Error(fault) | Err::Failure(fault)) => fault,
        Err(Err::Incomplete(_)) => Fault { rest: "", expected: "more words" },
    };
    let at = text[..text.len() - fault.rest.len()].chars().count() + 1;
    let found = match word(fault.rest) {
        Ok((_, found)) => format!("'{}'", shorten(found)),
        Err(_) => "the end of the line".into(),
    };
    Err(format!("at character {at}: expected {}, found {found}", fault.expected))
}

/// A quotation short enough for an error line. It is cut between characters, never inside one.
fn shorten(text: &str) -> String {
    if text.len() <= 60 {
        return text.into();
    }
    let end = (0..=57).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}...", &text[..end])
}

/// A line gives at most this many warnings.
const MOST_WARNINGS: usize = 8;

/// Adds a warning, or one line for all that are too many.
fn warn(warnings: &mut Vec<String>, kind: &str, word: &str) {
    if warnings.len() < MOST_WARNINGS {
        warnings.push(format!("unknown {kind} '{}' skipped", shorten(word)));
    } else if warnings.len() == MOST_WARNINGS {
        warnings.push("more unknown words skipped".into());
    }
}

impl PositionArgument {
    /// Reads what follows the word `position`.
    ///
    /// # Errors
    /// When the text does not follow the grammar; the error names the place.
    pub fn parse(text: &str) -> Result<Self, ProtocolError> {
        whole(position_argument, text).map_err(|fault| ProtocolError::new(Code::BadPosition, fault))
    }
}

/// What follows `position`.
fn position_argument(input: &str) -> Parsed<'_, PositionArgument> {
    let start = keyword("startpos").map(|_| Root::Start);
    let text = many0(word_but(&["view", "moves"])).map(|words| words.join(" "));
    let fen = preceded(keyword("fen"), text).map(Root::Fen);
    let view = opt(preceded(keyword("view"), cut(expect("a seat after view", word))));
    let moves = opt(preceded(keyword("moves"), tokens));
    let (rest, (root, view, moves)) =
        (expect("startpos or fen", alt((start, fen))), view, moves).parse(input)?;
    let moves = moves.unwrap_or_default();
    Ok((rest, PositionArgument { root, view: view.map(Into::into), moves }))
}

fn tokens(input: &str) -> Parsed<'_, Vec<String>> {
    many0(word.map(String::from)).parse(input)
}

/// `name NAME [value VALUE]`; both may hold spaces, the value is the rest of the line.
fn set_option(input: &str) -> Parsed<'_, Command> {
    let (rest, _) = expect("name", keyword("name")).parse(input)?;
    let (rest, words) = many0(word_but(&["value"])).parse(rest)?;
    if words.is_empty() {
        return Err(Err::Failure(Fault { rest, expected: "the name of an option" }));
    }
    let (rest, value) = opt(preceded(keyword("value"), take_while(|_| true))).parse(rest)?;
    let value = value.map(|text: &str| text.trim_end_matches(is_space).to_string());
    Ok((rest, Command::SetOption { name: words.join(" "), value }))
}

const GO_WORDS: &[&str] = &[
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

/// `p1time`, `p9inc`, `wtime`, ... as (seat index, is it an increment).
fn clock_word(text: &str) -> Option<(usize, bool)> {
    match text {
        "wtime" => return Some((0, false)),
        "btime" => return Some((1, false)),
        "winc" => return Some((0, true)),
        "binc" => return Some((1, true)),
        _ => {}
    }
    let rest = text.strip_prefix('p')?;
    let digit = rest.chars().next()?.to_digit(10)?;
    match rest.get(1..)? {
        "time" if digit > 0 => Some((digit as usize - 1, false)),
        "inc" if digit > 0 => Some((digit as usize - 1, true)),
        _ => None,
    }
}

fn is_go_word(text: &str) -> bool {
    GO_WORDS.contains(&text) || clock_word(text).is_some()
}

/// What follows `go`. It never fails: a bad argument is refused by itself and the rest counts.
fn go_arguments(mut rest: &str, warnings: &mut Vec<String>) -> GoArguments {
    let mut go = GoArguments::default();
    while let Ok((after, name)) = word(rest) {
        rest = go_argument(&mut go, name, after, warnings);
    }
    go
}

fn go_argument<'a>(
    go: &mut GoArguments,
    name: &str,
    after: &'a str,
    warnings: &mut Vec<String>,
) -> &'a str {
    if let Some((seat, increment)) = clock_word(name) {
        let clock = if increment { &mut go.increment[seat] } else { &mut go.time[seat] };
        return numeric(clock, number, name, after, &mut go.refused);
    }
    match name {
        "movestogo" => numeric(&mut go.moves_to_go, integer, name, after, &mut go.refused),
        "movetime" => numeric(&mut go.move_time, number, name, after, &mut go.refused),
        "depth" => numeric(&mut go.depth, integer, name, after, &mut go.refused),
        "nodes" => numeric(&mut go.nodes, integer, name, after, &mut go.refused),
        "mate" => numeric(&mut go.mate, integer, name, after, &mut go.refused),
        "infinite" => {
            go.infinite = true;
            after
        }
        "ponder" => {
            go.ponder = true;
            after
        }
        "searchmoves" => {
            let mut rest = after;
            while let Ok((next, token)) = word(rest)
                && !is_go_word(token)
            {
                go.search_moves.push(token.into());
                rest = next;
            }
            rest
        }
        _ => {
            warn(warnings, "go word", name);
            after
        }
    }
}

/// Reads the number after a `go` word, or notes why it was refused and skips what stands there.
fn numeric<'a, T>(
    into: &mut Option<T>,
    mut parser: impl FnMut(&'a str) -> Parsed<'a, T>,
    name: &str,
    after: &'a str,
    refused: &mut Vec<ProtocolError>,
) -> &'a str {
    if let Ok((rest, value)) = parser(after) {
        *into = Some(value);
        return rest;
    }
    let (rest, found) = match word(after) {
        Ok((rest, found)) if !is_go_word(found) => (rest, format!("'{}'", shorten(found))),
        _ => (after, "nothing".into()),
    };
    let text = format!("go {name} takes a number, found {found}");
    refused.push(ProtocolError::new(Code::BadNumber, text));
    rest
}

/// The words that begin a command.
const COMMANDS: &[&str] = &[
    "ugi",
    "uci",
    "xboard",
    "isready",
    "stop",
    "ponderhit",
    "quit",
    "uginewgame",
    "ucinewgame",
    "d",
    "eval",
    "go",
    "help",
    "position",
    "moves",
    "setoption",
    "debug",
    "perft",
    "bench",
    "query",
];

/// The word of the command that [`parse_line`] would find in a line; far cheaper than reading its
/// arguments, which may take a MiB.
#[must_use]
pub fn command_word(input: &str) -> Option<&str> {
    let mut words = input.split(is_space).filter(|word| !word.is_empty());
    words.find(|word| COMMANDS.contains(word))
}

/// Reads one line. Unknown words before the first known command are skipped with a warning.
#[must_use]
pub fn parse_line(input: &str) -> ParsedLine {
    let mut parsed = ParsedLine::default();
    let mut rest = input.trim_matches(is_space);
    while let Ok((after, name)) = word(rest) {
        if COMMANDS.contains(&name) {
            parsed.command = command(name, after, &mut parsed.warnings);
            return parsed;
        }
        warn(&mut parsed.warnings, "command", name);
        rest = after;
    }
    parsed
}

fn command(
    name: &str,
    rest: &str,
    warnings: &mut Vec<String>,
) -> Option<Result<Command, ProtocolError>> {
    let simple = |command| Some(Ok(command));
    match name {
        "ugi" => simple(Command::Handshake(Dialect::Ugi)),
        "uci" => simple(Command::Handshake(Dialect::Uci)),
        "xboard" => simple(Command::XBoard),
        "isready" => simple(Command::IsReady),
        "stop" => simple(Command::Stop),
        "ponderhit" => simple(Command::PonderHit),
        "quit" => simple(Command::Quit),
        "uginewgame" | "ucinewgame" => simple(Command::NewGame),
        "d" => simple(Command::Draw),
        "eval" => simple(Command::Evaluate),
        "go" => simple(Command::Go(Box::new(go_arguments(rest, warnings)))),
        "help" => simple(Command::Help(word(rest).ok().map(|(_, topic)| topic.into()))),
        "position" => Some(PositionArgument::parse(rest).map(Command::Position)),
        "moves" => Some(append(rest)),
        "setoption" => Some(refusable(set_option, rest, Code::BadOption, name)),
        "debug" => Some(refusable(debug, rest, Code::BadValue, name)),
        "perft" => Some(refusable(perft, rest, Code::BadNumber, name)),
        "bench" => Some(refusable(bench, rest, Code::BadNumber, name)),
        "query" => Some(query(rest)),
        _ => None,
    }
}

fn refusable<'a>(
    parser: impl FnMut(&'a str) -> Parsed<'a, Command>,
    rest: &'a str,
    code: Code,
    name: &str,
) -> Result<Command, ProtocolError> {
    whole(parser, rest).map_err(|fault| ProtocolError::new(code, format!("{name}: {fault}")))
}

fn append(rest: &str) -> Result<Command, ProtocolError> {
    match tokens(rest) {
        Ok((_, list)) if !list.is_empty() => Ok(Command::Moves(list)),
        _ => Err(ProtocolError::new(Code::BadMove, "moves: expected at least one move")),
    }
}

fn query(rest: &str) -> Result<Command, ProtocolError> {
    match word(rest) {
        Ok((rest, name)) => {
            let arguments = tokens(rest).map(|(_, list)| list).unwrap_or_default();
            Ok(Command::Query { name: name.into(), arguments })
        }
        Err(_) => Err(ProtocolError::new(
            Code::UnknownQuery,
            "query needs a word, such as turn or legalmoves; help query lists them",
        )),
    }
}

fn debug(input: &str) -> Parsed<'_, Command> {
    let on = keyword("on").map(|_| true);
    let off = keyword("off").map(|_| false);
    let nothing = eof.map(|_| true);
    expect("on or off", alt((on, off, nothing))).map(Command::Debug).parse(input)
}

fn depth(input: &str) -> Parsed<'_, u32> {
    let (rest, depth) = expect("a depth", integer).parse(input)?;
    match u32::try_from(depth) {
        Ok(depth) if depth <= 1000 => Ok((rest, depth)),
        _ => Err(Err::Failure(Fault { rest: input, expected: "a depth of at most 1000" })),
    }
}

fn bench(input: &str) -> Parsed<'_, Command> {
    if input.is_empty() {
        return Ok((input, Command::Bench(None)));
    }
    depth.map(|depth| Command::Bench(Some(depth))).parse(input)
}

fn perft(input: &str) -> Parsed<'_, Command> {
    depth.map(Command::Perft).parse(input)
}
