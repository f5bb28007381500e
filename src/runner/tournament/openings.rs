//! Positions that games start from.

pub(in crate::runner) mod book;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use book::Book;

use crate::protocol::without_comment;
use crate::random::Random;
use crate::reading;
use crate::runner::tournament::{RoundTripError, pgn};

/// How many openings a file may hold however small it is, and bytes of its text for each further one.
const OPENINGS: usize = 250_000;
const BYTES_PER_OPENING: usize = 64;

/// A position and the tokens that were played from it. Files hold millions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Opening {
    /// The argument of `position`.
    argument: Box<str>,
    /// Where it was read.
    pub(super) source: Source,
}

/// Where an opening was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Source {
    file: Arc<str>,
    /// What is counted there.
    part: Part,
    number: u32,
}

/// What is counted in a file of openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Nothing: the whole is one.
    Whole,
    Line,
    Game,
    Draw,
}

impl Source {
    fn whole(name: &str) -> Self {
        Source { file: name.into(), part: Part::Whole, number: 1 }
    }

    /// A part of the same file, counted from 1.
    fn part(&self, part: Part, number: usize) -> Self {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        Source { file: Arc::clone(&self.file), part, number }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Source { file, part, number } = self;
        match part {
            Part::Whole => write!(f, "{file}"),
            Part::Line => write!(f, "{file}, line {number}"),
            Part::Game => write!(f, "{file}, game {number}"),
            Part::Draw => write!(f, "{file}, draw {number}"),
        }
    }
}

impl Opening {
    /// The starting position of the game.
    pub(super) fn startpos() -> Self {
        Self::new("startpos", [], Source::whole("the starting position"))
    }

    fn new<'a>(start: &str, tokens: impl IntoIterator<Item = &'a str>, source: Source) -> Self {
        let mut argument = start.to_owned();
        for (index, token) in tokens.into_iter().enumerate() {
            argument += if index == 0 { " moves " } else { " " };
            argument += token;
        }
        Opening { argument: argument.into_boxed_str(), source }
    }

    /// The argument of `position`.
    pub(super) fn argument(&self) -> &str {
        &self.argument
    }

    /// `startpos` or `fen ...`.
    pub(super) fn start(&self) -> &str {
        self.argument.split_once(" moves ").map_or(&self.argument, |(start, _)| start)
    }

    /// The tokens after `moves`.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &str> + Clone {
        let tokens = self.argument.split_once(" moves ").map_or("", |(_, tokens)| tokens);
        tokens.split_ascii_whitespace()
    }

    /// The same with its first tokens alone.
    pub(super) fn cut(&self, plies: usize) -> Self {
        Self::new(self.start(), self.tokens().take(plies), self.source.clone())
    }

    /// Reads the argument of `position`, with or without `position` before it; a position without
    /// `fen` before it, also with the operations of EPD after it; bare tokens are moves from the
    /// start.
    pub(super) fn parse(line: &str, source: Source) -> Result<Self> {
        let line = line.strip_prefix("position ").unwrap_or(line).trim();
        let is_position = is_position(line);
        let line = line.split(';').next().unwrap_or(line).trim_end();
        let (start, moves) = match line.split_once(" moves ") {
            Some((start, moves)) => (start.trim(), moves),
            None => (line.strip_suffix(" moves").unwrap_or(line), ""),
        };
        if is_position {
            ensure!(!start.is_empty(), "{source}: a position is missing before ';' or 'moves'");
            let tokens = moves.split_whitespace();
            return Ok(Opening::new(&without_operations(start), tokens, source));
        }
        let (start, moves) = match start.split_once(' ') {
            _ if start == "startpos" => (start, moves),
            Some(("fen", _)) => (start, moves),
            _ if start.starts_with("startpos ") => {
                bail!("{source}: after startpos only 'moves' may follow")
            }
            _ => ("startpos", line),
        };
        Ok(Opening::new(start, moves.split_whitespace(), source))
    }
}

/// Whether a line begins with a position rather than a word of the protocol or a move: no move of a
/// known game has a stroke or an equals sign in it.
fn is_position(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    first.contains('/') || first.contains('=')
}

/// `fen` and the position of a line of EPD, cut at its first semicolon: what precedes the first
/// operation. Operations follow a semicolon, or in chess the four fields of a position, where the two counters are missing.
fn without_operations(line: &str) -> String {
    let position = line.trim();
    let words: Vec<&str> = position.split_whitespace().collect();
    let is_chess = words.first().is_some_and(|board| board.matches('/').count() == 7)
        && matches!(words.get(1), Some(&("w" | "b")))
        && words.len() >= 4;
    let counted = words.get(4).is_some_and(|word| word.parse::<u32>().is_ok());
    match words.get(..4) {
        Some(fields) if is_chess && !counted => format!("fen {} 0 1", fields.join(" ")),
        _ => format!("fen {position}"),
    }
}

/// Reads a file of openings: games in PGN, a book from which lines of `plies` are drawn with `seed`, or
/// one opening a line, without empty lines and `#` comments. Also returns the BLAKE3 hash of the file,
/// in hexadecimal digits.
///
/// # Errors
/// When the file cannot be read, is empty, or a line is not an opening.
pub(super) fn read(path: &Path, plies: Option<usize>, seed: u64) -> Result<(Vec<Opening>, String)> {
    let name = path.display().to_string();
    let context = || format!("openings {name}");
    let text = reading::text(path).with_context(context)?;
    let openings = match book::is_book(&text) {
        true => {
            let book = Book::parse(&text).with_context(context)?;
            book.openings(plies.unwrap_or(usize::MAX), seed, &name)
        }
        false => parse_all(&text, &name)?,
    };
    Ok((openings, blake3::hash(text.as_bytes()).to_hex().to_string()))
}

/// Reads the text of a file of openings; a line that is read must be read again from what it means.
///
/// # Errors
/// What is wrong with it.
pub(in crate::runner) fn check(text: &str) -> Result<()> {
    for opening in parse_all(text, "here")? {
        let again = Opening::parse(opening.argument(), opening.source.clone())?;
        ensure!(
            again == opening,
            RoundTripError(format!("{opening:?} is read again as {again:?}"))
        );
    }
    Ok(())
}

fn parse_all(text: &str, name: &str) -> Result<Vec<Opening>> {
    let most = OPENINGS + text.len() / BYTES_PER_OPENING;
    let file = Source::whole(name);
    let mut openings = Vec::new();
    let mut add = |opening: Opening| {
        openings.push(opening);
        ensure!(openings.len() <= most, "openings {name}: more than {most}; take a part of them");
        Ok(())
    };
    if pgn::is_pgn(text) {
        pgn::openings(text, |number, start, tokens| {
            let source = file.part(Part::Game, number as usize);
            let opening = Opening::new(&start, tokens.iter().copied(), source);
            let again = Opening::parse(opening.argument(), opening.source.clone())?;
            // Nor does it hold moves.
            let is_position = again == opening && opening.start() == start;
            ensure!(is_position, "the tag FEN holds no position");
            add(opening)
        })
        .with_context(|| format!("openings {name}"))?;
        return Ok(openings);
    }
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if !line.is_empty() {
            add(Opening::parse(line, file.part(Part::Line, index + 1))?)?;
        }
    }
    ensure!(!openings.is_empty(), "openings {name}: no opening in it");
    Ok(openings)
}

/// Puts openings into the order of play: shuffled or not, then from number `first`.
pub(super) fn arrange(openings: &mut [Opening], shuffled: bool, first: usize, seed: u64) {
    if shuffled {
        Random::new(seed).shuffle(openings);
    }
    let count = openings.len().max(1);
    openings.rotate_left(first.saturating_sub(1) % count);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> (String, Vec<String>) {
        let opening = Opening::parse(line, Source::whole("here")).unwrap();
        (opening.start().to_owned(), opening.tokens().map(str::to_owned).collect())
    }

    #[test]
    fn openings_are_read_in_every_form() {
        let tokens = vec!["e2e4".to_owned(), "e9e6".to_owned()];
        assert_eq!(parse("startpos"), ("startpos".to_owned(), vec![]));
        assert_eq!(parse("startpos moves e2e4 e9e6"), ("startpos".to_owned(), tokens.clone()));
        assert_eq!(parse("position startpos moves e2e4 e9e6").1, tokens);
        assert_eq!(parse("e2e4 e9e6"), ("startpos".to_owned(), tokens.clone()));
        let fen = "fen 4ee4/10 w";
        assert_eq!(parse(fen), (fen.to_owned(), vec![]));
        assert_eq!(parse("fen 4ee4/10 w moves e2e4 e9e6"), (fen.to_owned(), tokens));
        assert_eq!(parse("4ee4/10 w moves e2e4").0, fen);
        assert_eq!(parse("4ee4/10 w moves e2e4 ; bm e9e6").1, ["e2e4"]);
        for without_tokens in ["4ee4/10 w moves", "4ee4/10 w moves ; a", "4ee4/10 w moves;"] {
            assert_eq!(parse(without_tokens), (fen.to_owned(), vec![]), "{without_tokens}");
        }
        for nothing in ["startpos e2e4", ";4ee4/10 w"] {
            assert!(Opening::parse(nothing, Source::whole("here")).is_err(), "{nothing}");
        }
        // Suites and EPD: operations are left out.
        assert_eq!(parse("fen 4ee4/10 w ; bm e2e4 ; id \"x\""), (fen.to_owned(), vec![]));
        assert_eq!(parse("4ee4/10 w ; bm e2e4"), (fen.to_owned(), vec![]));
        assert_eq!(parse("4ee4/10 w"), (fen.to_owned(), vec![]));
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        let chess = format!("fen {board} w KQkq - 0 1");
        assert_eq!(parse(&format!("{board} w KQkq - bm Nf3; id \"open\";")).0, chess);
        assert_eq!(parse(&format!("{board} w KQkq -")).0, chess);
        assert_eq!(parse(&format!("{board} w KQkq - 3 7")).0, format!("fen {board} w KQkq - 3 7"));
    }

    #[test]
    fn games_in_pgn_are_openings() {
        let text = "[Event \"a\"]\n[Result \"*\"]\n\n1. e2e4 {+0.1/3} e9e6 (1... d9d6) *\n\n\
                    [FEN \"4ee4/10 w\"]\n\n1. a1a2 1-0\n";
        let found: Vec<(String, String)> = parse_all(text, "book")
            .unwrap()
            .into_iter()
            .map(|opening| (opening.argument().to_owned(), opening.source.to_string()))
            .collect();
        let expected = [
            ("startpos moves e2e4 e9e6", "book, game 1"),
            ("fen 4ee4/10 w moves a1a2", "book, game 2"),
        ];
        assert_eq!(found, expected.map(|(line, source)| (line.to_owned(), source.to_owned())));
        let error = format!("{:#}", parse_all("[FEN \"a moves b\"]\n", "book").unwrap_err());
        assert!(error.contains("game 1: the tag FEN"), "{error}");
    }

    fn numbered(number: usize) -> Opening {
        Opening { source: Source::whole(&number.to_string()), ..Opening::startpos() }
    }

    /// A line of two bytes becomes an opening of seventy.
    #[test]
    fn a_file_of_too_many_openings_is_refused() {
        let most = OPENINGS + 2 * OPENINGS / BYTES_PER_OPENING;
        assert!(parse_all(&"a\n".repeat(OPENINGS), "book").is_ok());
        let error = parse_all(&"a\n".repeat(most + 9000), "book").unwrap_err().to_string();
        assert!(error.contains("take a part of them"), "{error}");
    }

    #[test]
    fn openings_are_played_in_the_order_asked_for() {
        let mut openings: Vec<Opening> = (1..=5).map(numbered).collect();
        arrange(&mut openings, false, 3, 0);
        let order: String = openings.iter().map(|opening| opening.source.to_string()).collect();
        assert_eq!(order, "34512");
        let mut shuffled: Vec<Opening> = (1..=5).map(numbered).collect();
        let mut again = shuffled.clone();
        arrange(&mut shuffled, true, 1, 9);
        arrange(&mut again, true, 1, 9);
        assert_eq!(shuffled, again);
    }

    /// Every order has all of them; the seed decides which, and `first` counts in that order.
    #[test]
    fn a_shuffled_order_follows_from_the_seed_and_begins_where_it_is_asked_to() {
        let order = |shuffled, first, seed| {
            let mut openings: Vec<Opening> = (0..20).map(numbered).collect();
            arrange(&mut openings, shuffled, first, seed);
            openings
                .into_iter()
                .map(|opening| opening.source.to_string().parse().unwrap())
                .collect::<Vec<usize>>()
        };
        let from_one = order(true, 1, 9);
        let mut sorted = from_one.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..20).collect::<Vec<usize>>());
        assert!(from_one != sorted && from_one != order(true, 1, 10));
        let mut from_four = from_one.clone();
        from_four.rotate_left(3);
        assert_eq!(order(true, 4, 9), from_four);
        // Beyond the last one they begin again; 0 and 1 are the same.
        assert_eq!(order(true, 24, 9), from_four);
        assert_eq!(order(false, 0, 9), (0..20).collect::<Vec<usize>>());
    }

    #[test]
    fn a_file_of_openings_names_the_line_of_each() {
        let text = "# a comment\n\ne2e4 # another\n  fen 4ee4/10 w moves a1a2\n";
        let openings = parse_all(text, "book").unwrap();
        let found: Vec<(&str, String)> = openings
            .iter()
            .map(|opening| (opening.argument(), opening.source.to_string()))
            .collect();
        let expected =
            [("startpos moves e2e4", "book, line 3"), ("fen 4ee4/10 w moves a1a2", "book, line 4")];
        assert_eq!(found, expected.map(|(argument, source)| (argument, source.to_owned())));
        assert_eq!(Opening::startpos().argument(), "startpos");
        assert!(parse_all("# nothing\n", "book").is_err());
    }
}
