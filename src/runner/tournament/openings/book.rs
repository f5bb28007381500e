//! `parlor book`: which tokens were played in the positions of recorded games, and what they won.
//!
//! A book is a text. After a first line that names its form, every line is a position: its text, how
//! many games began there, and its tokens with games, points and the line of the position after it:
//!
//! ```text
//! fen TEXT ; startpos 20 ; token e2e4 12 7.500 2 ; token d2d4 8 3.000 5
//! ```
//!
//! Points are shares of the first place of the seat that decided; they are the weights, as in books of
//! the Polyglot kind. A throw has a point for each game. Positions that are reached in several ways
//! are one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::{Opening, Part, Source};
use crate::printing;
use crate::random::Random;
use crate::reading;
use crate::runner::lock;
use crate::runner::output;
use crate::runner::process::Client;
use crate::runner::tournament::record::{Ending, Move, Origin, Record, RecordFile};
use crate::runner::tournament::{copies, recorded_referee};

/// How a book begins.
const FIRST_LINE: &str = "# parlor book 1";

/// The most positions and tokens of a book that is read.
const MOST: usize = 500_000;

/// Points of a game that was won.
const WON: u64 = 1000;

/// The most lines that are drawn for a match, and how many known ones in a row end the drawing.
const DRAWN: usize = 1000;
const MISSES: usize = 50;

/// Make a book of recorded games, or look a position up in one.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct BookOptions {
    /// The records to make a book of; without --output one book to look into
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write a book
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Tokens of each game that the book holds
    #[arg(long, value_name = "N", default_value_t = 20, requires = "output")]
    plies: usize,
    /// Leave out tokens that were played in fewer games
    #[arg(long, value_name = "GAMES", default_value_t = 1, requires = "output")]
    least: u64,
    /// The engine that knows the game [default: the match's referee, if it is a game of this program]
    #[arg(long, value_name = "ENGINE", requires = "output")]
    referee: Option<String>,
    /// The position to look up: startpos moves ..., fen ..., or tokens [default: the start]
    #[arg(long, value_name = "POSITION", conflicts_with = "output")]
    position: Option<String>,
}

/// A token in a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct BookToken {
    token: Box<str>,
    games: u64,
    points: u64,
    /// The position after it, by index.
    next: usize,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Node {
    /// `fen ...`.
    text: String,
    /// Games that began here as `startpos`, and as this text.
    startpos: u64,
    start: u64,
    tokens: Vec<BookToken>,
}

/// The positions of recorded games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::runner::tournament) struct Book {
    nodes: Vec<Node>,
}

/// Makes a book, or looks into one.
///
/// # Errors
/// When a file cannot be read or written, or no engine knows the games.
pub(in crate::runner) fn run(options: &BookOptions, built_in: &[&str]) -> Result<ExitCode> {
    if let Some(path) = &options.output {
        let (book, games) = made(options, built_in)?;
        ensure!(!book.nodes.is_empty(), "no game that ended without a fault has two tokens");
        lock::write(path, "--output", book.text())?;
        printing::print(&format!("{games} games, {} positions", book.nodes.len()));
        return Ok(ExitCode::SUCCESS);
    }
    let [path] = options.files.as_slice() else {
        bail!("to make a book of records add -o FILE; to look a position up name one book");
    };
    let context = || format!("book {}", path.display());
    let text = reading::text(path).with_context(context)?;
    ensure!(is_book(&text), "{}: it does not begin with '{FIRST_LINE}'", context());
    let book = Book::parse(&text).with_context(context)?;
    let position = options.position.as_deref().unwrap_or("startpos");
    let wanted = Opening::parse(position, Source::whole(&format!("--position {position}")))?;
    let node = book.find(&wanted).with_context(|| format!("{}: no such position", context()))?;
    printing::print(&node.table());
    Ok(ExitCode::SUCCESS)
}

/// The book of some files, and how many games are in it: copies count once, and a game that a fault
/// ended tells nothing of its moves.
fn made(options: &BookOptions, built_in: &[&str]) -> Result<(Book, u64)> {
    let mut maker = Maker { plies: options.plies, ..Maker::default() };
    let (mut variant, mut rules): (Option<String>, Option<String>) = (None, None);
    for path in &options.files {
        let mut file = RecordFile::open(path)?;
        let header = file.header().clone();
        for (known, told) in [(&mut variant, &header.variant), (&mut rules, &header.rules)] {
            ensure!(
                known.get_or_insert_with(|| told.clone()) == told,
                "{}: of another game, or by other rules, than the file before it",
                path.display()
            );
        }
        let mut referee = recorded_referee::start(&header, options.referee.as_deref(), built_in)?;
        while let Some(record) = file.next()? {
            maker
                .add(&record, &mut referee)
                .with_context(|| format!("records {}, game {}", path.display(), record.game))?;
        }
        referee.quit();
    }
    Ok((maker.book.kept(options.least), maker.games))
}

/// A book that is being made.
#[derive(Default)]
struct Maker {
    book: Book,
    plies: usize,
    games: u64,
    /// Nodes by the text of their position, and by how they were reached.
    by_text: BTreeMap<String, usize>,
    by_line: BTreeMap<String, usize>,
    seen: BTreeSet<u64>,
}

impl Maker {
    fn add(&mut self, record: &Record, referee: &mut Client) -> Result<()> {
        // After the last token there is nothing to play.
        let count = record.moves.len().saturating_sub(1).min(self.plies);
        if record.ending == Ending::Fault || count == 0 || !self.seen.insert(copies::play(record)) {
            return Ok(());
        }
        self.games += 1;
        let mut at = self.node(record, 0, referee)?;
        if let Some(node) = self.book.nodes.get_mut(at) {
            *if record.start == "startpos" { &mut node.startpos } else { &mut node.start } += 1;
        }
        for (index, m) in record.moves.iter().take(count).enumerate() {
            let next = self.node(record, index + 1, referee)?;
            if let Some(node) = self.book.nodes.get_mut(at) {
                node.add(m, next, record);
            }
            at = next;
        }
        Ok(())
    }

    /// The position after some tokens of a game.
    fn node(&mut self, record: &Record, count: usize, referee: &mut Client) -> Result<usize> {
        let line = record.position(count).to_string();
        if let Some(&node) = self.by_line.get(&line) {
            return Ok(node);
        }
        if let Some(error) = referee.send_synced(&format!("position {line}\n"))?.first() {
            bail!("the referee refuses token {count}: {error}");
        }
        let text = referee.probe("fen")?.and_then(Result::ok);
        let text = format!("fen {}", text.context("the referee does not answer 'query fen'")?);
        let next = self.book.nodes.len();
        let node = *self.by_text.entry(text.clone()).or_insert(next);
        if node == next {
            self.book.nodes.push(Node { text, ..Node::default() });
        }
        self.by_line.insert(line, node);
        Ok(node)
    }
}

impl Node {
    fn add(&mut self, m: &Move, next: usize, record: &Record) {
        let share = m.seat.checked_sub(1).and_then(|seat| record.shares.get(seat));
        let points = match m.from {
            Some(Origin::Chance) => WON,
            _ => (share.copied().unwrap_or(0.0).clamp(0.0, 1.0) * WON as f64).round() as u64,
        };
        let found = self.tokens.iter_mut().find(|known| *known.token == *m.token);
        match found {
            Some(known) => {
                known.games += 1;
                known.points += points;
            }
            None => {
                let token = m.token.as_str().into();
                self.tokens.push(BookToken { token, games: 1, points, next });
            }
        }
    }

    /// The tokens with their games, points and weights.
    fn table(&self) -> String {
        let mut table = output::table();
        table.set_header(vec!["token", "games", "points %", "weight %"]);
        let all: u64 = self.tokens.iter().map(|token| token.points).sum();
        for token in &self.tokens {
            let percent = |whole: u64| 100.0 * token.points as f64 / whole.max(1) as f64;
            table.add_row(vec![
                token.token.to_string(),
                token.games.to_string(),
                format!("{:.1}", percent(token.games.saturating_mul(WON))),
                format!("{:.1}", percent(all)),
            ]);
        }
        output::aligned(table)
    }
}

/// Whether a text begins as a book.
pub(in crate::runner::tournament) fn is_book(text: &str) -> bool {
    text.lines().next() == Some(FIRST_LINE)
}

impl Book {
    /// What is left without rare tokens: the positions that can still be reached, from those in which
    /// games began; in every position the token with most points first.
    fn kept(&self, least: u64) -> Book {
        let began = |node: &Node| node.startpos + node.start > 0;
        let roots = self.nodes.iter().enumerate().filter(|(_, node)| began(node));
        let mut order: Vec<usize> = roots.map(|(index, _)| index).collect();
        let mut places: BTreeMap<usize, usize> =
            order.iter().enumerate().map(|(place, &index)| (index, place)).collect();
        let mut nodes = Vec::new();
        let mut done = 0;
        while let Some(node) = order.get(done).and_then(|&index| self.nodes.get(index)) {
            done += 1;
            let mut node = node.clone();
            node.tokens.retain(|token| token.games >= least);
            node.tokens.sort_by(|one, other| {
                other.points.cmp(&one.points).then_with(|| one.token.cmp(&other.token))
            });
            for token in &mut node.tokens {
                token.next = *places.entry(token.next).or_insert_with(|| {
                    order.push(token.next);
                    order.len() - 1
                });
            }
            nodes.push(node);
        }
        Book { nodes }
    }

    fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        for node in &self.nodes {
            text += &node.text;
            for (word, count) in [("startpos", node.startpos), ("start", node.start)] {
                if count > 0 {
                    let _ = write!(text, " ; {word} {count}");
                }
            }
            for BookToken { token, games, points, next } in &node.tokens {
                let (whole, rest) = (points / WON, points % WON);
                let _ = write!(text, " ; token {token} {games} {whole}.{rest:03} {}", next + 1);
            }
            text.push('\n');
        }
        text
    }

    /// Reads the text of a book.
    ///
    /// # Errors
    /// The first line that is none of a book.
    pub(in crate::runner::tournament) fn parse(text: &str) -> Result<Self> {
        let count = text.lines().count().saturating_sub(1);
        ensure!(
            count + text.matches(" ; token ").count() <= MOST,
            "it has more than {MOST} positions and tokens; make it with a larger --least, or with \
             smaller --plies"
        );
        let node = |(index, line): (usize, &str)| {
            node(line, count).with_context(|| format!("line {}", index + 1))
        };
        let nodes = text.lines().enumerate().skip(1).map(node).collect::<Result<Vec<Node>>>()?;
        ensure!(
            nodes.iter().any(|node| node.startpos + node.start > 0),
            "no game begins in it: a position needs 'startpos N' or 'start N'"
        );
        Ok(Book { nodes })
    }

    /// The position that a line leads to.
    fn find(&self, wanted: &Opening) -> Option<&Node> {
        let mut node = match wanted.start() {
            "startpos" => self.nodes.iter().find(|node| node.startpos > 0)?,
            text => self.nodes.iter().find(|node| node.text == text)?,
        };
        for token in wanted.tokens() {
            let found = node.tokens.iter().find(|known| &*known.token == token)?;
            node = self.nodes.get(found.next)?;
        }
        Some(node)
    }

    /// Lines through the book, none twice: each token is drawn by its points, until `plies` are played
    /// or the book ends. `name` says where they come from.
    pub(in crate::runner::tournament) fn openings(
        &self,
        plies: usize,
        seed: u64,
        name: &str,
    ) -> Vec<Opening> {
        let mut random = Random::new(seed);
        let (mut openings, mut seen): (Vec<Opening>, _) = (Vec::new(), BTreeSet::new());
        let (mut misses, file) = (0, Source::whole(name));
        while openings.len() < DRAWN && misses < MISSES {
            let source = file.part(Part::Draw, openings.len() + 1);
            let Some(opening) = self.line(plies, &mut random, source) else { break };
            if seen.insert(opening.argument().to_owned()) {
                openings.push(opening);
                misses = 0;
            } else {
                misses += 1;
            }
        }
        openings
    }

    fn line(&self, plies: usize, random: &mut Random, source: Source) -> Option<Opening> {
        let weights = self.nodes.iter().map(|node| node.startpos.saturating_add(node.start));
        let mut at = drawn(weights, random)?;
        let mut node = self.nodes.get(at)?;
        let start = if node.startpos > 0 { "startpos" } else { &node.text };
        let (mut tokens, mut visited) = (Vec::new(), BTreeSet::from([at]));
        while tokens.len() < plies {
            let weights = node.tokens.iter().map(|token| token.points);
            let Some(index) = drawn(weights, random) else { break };
            let token = node.tokens.get(index)?;
            // A position twice may be the end of a game.
            if !visited.insert(token.next) {
                break;
            }
            at = token.next;
            tokens.push(&*token.token);
            node = self.nodes.get(at)?;
        }
        Some(Opening::new(start, tokens, source))
    }
}

/// An index, each as likely as its weight; `None` if all are 0.
fn drawn(weights: impl Iterator<Item = u64> + Clone, random: &mut Random) -> Option<usize> {
    let sum = weights.clone().fold(0_u64, u64::saturating_add);
    if sum == 0 {
        return None;
    }
    let mut left = random.below(sum);
    for (index, weight) in weights.enumerate() {
        match left.checked_sub(weight) {
            Some(rest) => left = rest,
            None => return Some(index),
        }
    }
    None
}

/// Reads a position of a book of `count`.
fn node(line: &str, count: usize) -> Result<Node> {
    let mut parts = line.split(" ; ");
    let text = parts.next().unwrap_or_default();
    ensure!(text.starts_with("fen "), "'fen' and a position are missing at its start");
    let mut node = Node { text: text.to_owned(), ..Node::default() };
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for part in parts {
        let words: Vec<&str> = part.split(' ').collect();
        match words.as_slice() {
            ["startpos", games] => node.startpos = number(games)?,
            ["start", games] => node.start = number(games)?,
            ["token", token, games, points, next] => {
                let next = usize::try_from(number(next)?).ok();
                let next = next.filter(|next| (1..=count).contains(next)).with_context(|| {
                    let part = printing::printable(part, 60);
                    format!("'{part}': the last number is a position from 1 to {count}")
                })?;
                let games = number(games)?;
                let points = thousandths(points).with_context(|| {
                    format!("'{}': points are written as 7.500", printing::printable(part, 60))
                })?;
                ensure!(known.insert(token), "'{}' is there twice", printing::printable(token, 60));
                let token = (*token).into();
                node.tokens.push(BookToken { token, games, points, next: next - 1 });
            }
            _ => bail!(
                "'{}' is none of 'startpos N', 'start N' and 'token TOKEN GAMES POINTS POSITION'",
                printing::printable(part, 60)
            ),
        }
    }
    Ok(node)
}

/// A number of at most ten digits, so that sums do not overflow.
fn number(word: &str) -> Result<u64> {
    let number = word.parse().ok().filter(|_| word.len() <= 10);
    number.with_context(|| format!("'{}' is no number of games", printing::printable(word, 20)))
}

fn thousandths(word: &str) -> Option<u64> {
    let (whole, rest) = word.split_once('.')?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = digits(whole) && digits(rest) && whole.len() <= 10 && rest.len() == 3;
    Some(whole.parse::<u64>().ok().filter(|_| fits)? * WON + rest.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "# parlor book 1\n\
        fen a ; startpos 4 ; token x 3 2.500 2 ; token y 1 0.000 3\n\
        fen b ; token y 2 1.000 3 ; token z 1 0.000 1\n\
        fen c ; start 1 ; token t:u 1 1.000 1\n";

    #[test]
    fn a_book_is_read_as_it_was_written_and_what_is_none_is_refused() {
        let book = Book::parse(BOOK).unwrap();
        assert_eq!(book.text(), BOOK);
        for (from, to, says) in [
            ("fen b", "b", "line 3"),
            ("token z 1 0.000 1", "token z 1 0.000 4", "from 1 to 3"),
            ("token z 1 0.000 1", "token z 1 0.000 0", "from 1 to 3"),
            ("token z 1 0.000 1", "token z 1 .5 1", "written as"),
            ("token z 1 0.000 1", "token z one 0.000 1", "'one' is no number"),
            ("token z 1 0.000 1", "zoken z", "is none of"),
            ("start 1", "start 99999999999", "no number"),
            ("token z 1 0.000 1", "token y 1 0.000 1", "'y' is there twice"),
        ] {
            let error = format!("{:#}", Book::parse(&BOOK.replace(from, to)).unwrap_err());
            assert!(error.contains(says), "{to}: {error}");
        }
        assert!(Book::parse("# parlor book 1\nfen a\n").is_err());
    }

    #[test]
    fn positions_are_found_by_text_and_by_tokens() {
        let book = Book::parse(BOOK).unwrap();
        let find = |line: &str| {
            let wanted = Opening::parse(line, Source::whole("")).unwrap();
            book.find(&wanted).map(|node| node.text.clone())
        };
        assert_eq!(find("startpos").as_deref(), Some("fen a"));
        assert_eq!(find("startpos moves x y").as_deref(), Some("fen c"));
        assert_eq!(find("x y t:u").as_deref(), Some("fen a"));
        assert_eq!(find("fen b moves z").as_deref(), Some("fen a"));
        assert_eq!(find("fen d"), None);
        assert_eq!(find("y y"), None);
    }

    /// Tokens are drawn by points: one without is never played, and no position comes twice.
    #[test]
    fn lines_are_drawn_by_points() {
        let book = Book::parse(BOOK).unwrap();
        let lines = |plies, seed| -> BTreeSet<String> {
            let openings = book.openings(plies, seed, "book");
            openings.iter().map(|opening| opening.argument().to_owned()).collect()
        };
        let expected = ["startpos moves x y", "fen c moves t:u x"].map(str::to_owned);
        assert_eq!(lines(9, 1), BTreeSet::from(expected));
        assert_eq!(lines(1, 2).len(), 2);
        let mut counts = BTreeMap::new();
        let mut random = Random::new(3);
        for _ in 0..5000 {
            let line = book.line(9, &mut random, Source::whole("")).unwrap();
            *counts.entry(line.start().to_owned()).or_insert(0) += 1;
        }
        // Four of five games began at the start.
        assert!((3900..4100).contains(&counts["startpos"]), "{counts:?}");
    }

    #[test]
    fn rare_tokens_and_what_only_they_lead_to_are_left_out() {
        let book = Book::parse(BOOK).unwrap();
        let kept = book.kept(2).text();
        // c is a place where a game began, b is reached.
        let expected = "# parlor book 1\nfen a ; startpos 4 ; token x 3 2.500 3\nfen c ; start 1\n\
                        fen b ; token y 2 1.000 2\n";
        assert_eq!(kept, expected);
    }
}
