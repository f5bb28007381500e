//! Puzzles: positions with one right answer, from games of weak play, each with its proof.
//!
//! - `forced`: wins in a few moves, and the only way out of a loss. `wins`: their proofs; `payments`:
//!   what they need in Pacru;
//! - `counting`: the ends of games that are counted, solved to their last move;
//! - `dice`: plays by the solved game of Chowka bhara; `words`: the word of a sculpture;
//! - `rating`: how hard a puzzle is.
//!
//! ```text
//! parlor-lab puzzles make barca -o src/games/barca/puzzles.jsonl
//! parlor-lab puzzles check barca
//! parlor-lab puzzles rate barca -o src/games/barca/puzzles.jsonl
//! ```

mod counting;
mod dice;
mod forced;
mod payments;
mod rating;
mod sources;
mod wins;
mod words;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use parlor::game::{Notation, Rules, Seat};
use parlor::games::azacru::{self, Azacru};
use parlor::games::chevrons::filling::{self, Kind};
use parlor::games::shacru::{self, Shacru};
use parlor::games::{
    GameVisitor, Playable, barbarossa, barca, chowka_bhara, pacru, porrika, with_game,
};
use parlor::picture::{Place, Puzzle, Solution, to_line};
use parlor::search::first_visited;
use parlor::{files, reading};

use crate::printing::{note_line, print_line};

/// Make and check the puzzles of a game
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play games, find puzzles in them, prove them, and write them from the easiest on
    Make(Make),
    /// Prove every puzzle of a game again
    Check(Check),
    /// Find the weakest level of every puzzle again, after the levels of a game have changed
    Rate(Rate),
}

/// Arguments of `make`.
#[derive(Args, Debug)]
pub struct Make {
    /// Game
    game: String,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// How many puzzles
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Most games played
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Fewest own moves of a win; above 2 wins alone are sought, twenty times as long
    #[arg(long, default_value_t = forced::LEAST, value_parser = clap::value_parser!(u32).range(2..=6))]
    least: u32,
    /// Solved games of Chowka bhara, from `chowka-bhara solve`
    #[arg(long = "table", value_name = "FILE")]
    tables: Vec<PathBuf>,
    /// Puzzles to keep: those that were made are added to them
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,
}

/// Arguments of `check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Game
    game: String,
    /// Puzzles to check [default: those of the game]
    file: Option<PathBuf>,
    /// Solved games of Chowka bhara
    #[arg(long = "table", value_name = "FILE")]
    tables: Vec<PathBuf>,
}

/// Arguments of `rate`.
#[derive(Args, Debug)]
pub struct Rate {
    /// Game
    game: String,
    /// Puzzles to rate [default: those of the game]
    file: Option<PathBuf>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Moves one after the other: of a kind there are many, of which few are needed.
type Moves<M> = Box<dyn Iterator<Item = M>>;

/// A game with puzzles of a kind that a full search proves.
trait Provable: Playable {
    /// A number of own moves without which the seat cannot have won.
    fn least_moves(&self, _seat: Seat) -> u32 {
        1
    }

    /// A move of the seat that decides that wins at once.
    fn winning_move(&self, seat: Seat) -> Option<Self::Move> {
        if self.least_moves(seat) > 1 {
            return None;
        }
        first_visited(Self::for_each_possible_win, self, |m| wins_by(self, m, seat))
    }

    /// What a right first move is an example of.
    fn theme(&self, _m: &Self::Move) -> Option<&'static str> {
        None
    }

    /// Whether a position may be one of a puzzle.
    fn is_near_end(&self) -> bool {
        true
    }

    /// All moves, but one alone of each kind that is proved as a whole: see `payments`.
    fn main_moves(&self) -> Vec<Self::Move> {
        self.moves()
    }

    /// Whether a move has a kind.
    fn is_of_kind(&self, _m: &Self::Move) -> bool {
        false
    }

    /// All moves of the kind of a move.
    fn kind(&self, m: &Self::Move) -> Moves<Self::Move> {
        Box::new(std::iter::once(m.clone()))
    }

    /// The moves of the kind of a move after which its seat may win within `left` further own moves.
    fn hopeful(&self, m: &Self::Move, _left: u32) -> Moves<Self::Move> {
        Box::new(std::iter::once(m.clone()))
    }

    /// Whether the other wins at once after every move of the kind.
    fn falls(&self, _m: &Self::Move) -> bool {
        false
    }

    /// The position under rules without the moves of a kind, where there are such.
    fn without_kinds(&self) -> Option<Self> {
        None
    }

    /// Own moves in which the other wins after a wrong escape.
    const LOST_IN: u32 = 2;

    /// Positions of a proof, when one is sought.
    const SEEKING: u64 = 4_000_000;

    /// The rule options of the games.
    const RULES: &'static [(&'static str, &'static str)] = &[("Players", "2")];
}

/// Whether the seat wins at once by a move.
fn wins_by<G: Playable>(position: &G, m: &G::Move, seat: Seat) -> bool {
    wins::after(position, m).outcome().is_some_and(|result| result.share(seat) == 1.0)
}

impl Provable for barca::Position {
    const RULES: &'static [(&'static str, &'static str)] = &[];

    fn least_moves(&self, seat: Seat) -> u32 {
        // A move takes one hole.
        3_u32.saturating_sub(u32::from(self.held(seat.index())))
    }

    fn theme(&self, _m: &Self::Move) -> Option<&'static str> {
        self.is_afraid().then_some("fear")
    }
}

impl Provable for porrika::Position {
    const RULES: &'static [(&'static str, &'static str)] = &[];

    fn theme(&self, m: &Self::Move) -> Option<&'static str> {
        let locked = wins::after(self, m).locked();
        (locked != self.locked()).then_some("lock")
    }
}

impl<K: Kind> Provable for filling::Position<K> {}

impl Command {
    /// Does the work.
    ///
    /// # Errors
    /// When the game has no puzzles, a file cannot be read or written, or a puzzle is wrong.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Make(make) => make.run(),
            Command::Check(check) => check.run(),
            Command::Rate(rate) => {
                let game = rate.game.clone();
                with_game(&game, rate).with_context(|| format!("no game '{game}'"))?
            }
        }
    }
}

/// What tells a puzzle from others.
fn subject(puzzle: &Puzzle) -> &str {
    words::sculpture(puzzle).unwrap_or(&puzzle.place.position)
}

/// What makes puzzles of a game.
type Source<'a> = Box<dyn FnMut(u64) -> Vec<Puzzle> + 'a>;

impl Make {
    fn run(self) -> Result<()> {
        files::ensure_writable(&self.out)?;
        let seed = self.seed;
        let mut source: Source = match self.game.as_str() {
            "barca" => Box::new(forced::source::<barca::Position>(seed, self.least)?),
            "pacru" => Box::new(forced::source::<pacru::Position>(seed, self.least)?),
            "porrika" => Box::new(forced::source::<porrika::Position>(seed, self.least)?),
            "shacru" => Box::new(counting::source::<Shacru>(seed)?),
            "azacru" => Box::new(counting::source::<Azacru>(seed)?),
            "chowka-bhara" => Box::new(dice::source(seed, &self.tables)?),
            "barbarossa" => Box::new(words::source(seed)?),
            other => bail!("no puzzles of '{other}' are made"),
        };
        let mut kept: Vec<Puzzle> = match &self.with {
            Some(path) => read(&reading::text(path)?)?,
            None => Vec::new(),
        };
        // None of the kinds is more than half of the puzzles.
        let most = self.count.div_ceil(2);
        for game in 0..self.games {
            for puzzle in source(game) {
                let same = kept.iter().filter(|old| old.themes.first() == puzzle.themes.first());
                let is_new = kept.iter().all(|old| subject(old) != subject(&puzzle));
                let is_single_kind = ["count the end", "best play", "which word"]
                    .contains(&puzzle.themes.first().map_or("", String::as_str));
                if is_new && (is_single_kind || same.count() < most) {
                    kept.push(puzzle);
                }
            }
            if game % 10 == 9 {
                note_line!("{} games, {} puzzles", game + 1, kept.len());
                files::write(&self.out, write(&self.game, &mut kept))?;
            }
            if kept.len() >= self.count {
                break;
            }
        }
        kept.truncate(self.count);
        files::write(&self.out, write(&self.game, &mut kept))?;
        print_line!("{} puzzles", kept.len());
        Ok(())
    }
}

impl Check {
    fn run(self) -> Result<()> {
        match self.game.as_str() {
            "barca" => self.every::<barca::Position>(forced::check),
            "pacru" => self.every::<pacru::Position>(forced::check),
            "porrika" => self.every::<porrika::Position>(forced::check),
            "shacru" => self.every::<shacru::Position>(counting::check),
            "azacru" => self.every::<azacru::Position>(counting::check),
            "chowka-bhara" => {
                let tables = dice::read_tables(&self.tables)?;
                self.every::<chowka_bhara::Position>(|_, puzzle| dice::check(&tables, puzzle))
            }
            "barbarossa" => self.every::<barbarossa::Position>(words::check),
            other => bail!("no puzzles of '{other}'"),
        }
    }

    fn every<G: Playable>(&self, prove: impl Fn(&G, &Puzzle) -> Result<()>) -> Result<()> {
        let puzzles = read_or_shipped::<G>(self.file.as_deref())?;
        let mut seen = HashSet::new();
        let mut easiest = 0;
        for puzzle in &puzzles {
            let mut look = || {
                let position = position_of::<G>(&puzzle.place)?;
                let seat = position.turn().seat().map(|seat| seat.to_string());
                ensure!(seat.as_ref() == Some(&puzzle.place.seat), "{seat:?} decides");
                ensure!(puzzle.rating >= easiest, "it is easier than the one before");
                ensure!(seen.insert(subject(puzzle)), "it is there twice");
                prove(&position, puzzle)
            };
            look().with_context(|| puzzle.id.clone())?;
            easiest = puzzle.rating;
        }
        print_line!("{} puzzles of {} are proved", puzzles.len(), G::TITLE);
        Ok(())
    }
}

impl GameVisitor for Rate {
    type Output = Result<()>;

    fn visit<G: Playable>(self) -> Result<()> {
        files::ensure_writable(&self.out)?;
        let mut puzzles = read_or_shipped::<G>(self.file.as_deref())?;
        let mut changed = 0;
        for puzzle in &mut puzzles {
            let position = position_of::<G>(&puzzle.place)?;
            let rules = puzzle.place.rules.iter();
            let rules: Vec<_> =
                rules.map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let is_right = |m: &G::Move| puzzle.solution.accept.contains(&position.token(m));
            let level =
                rating::weakest_level(&position, &sources::options::<G>(&rules)?, &is_right)?;
            changed += usize::from(level != puzzle.level);
            match words::sculpture(puzzle) {
                Some(_) => words::rate(puzzle, level),
                None => puzzle.level = level,
            }
        }
        files::write(&self.out, write(&self.game, &mut puzzles))?;
        print_line!("{} puzzles, {changed} have another level", puzzles.len());
        Ok(())
    }
}

/// The puzzles of a file, else those of the game.
fn read_or_shipped<G: Playable>(file: Option<&Path>) -> Result<Vec<Puzzle>> {
    match file {
        Some(path) => read(&reading::text(path)?),
        None => read(G::PUZZLES.context("the game has no puzzles")?),
    }
}

fn read(text: &str) -> Result<Vec<Puzzle>> {
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The file: from the easiest on. A puzzle keeps its name when others are added.
fn write(game: &str, puzzles: &mut [Puzzle]) -> String {
    let order = |puzzle: &Puzzle| (puzzle.nodes, puzzle.place.position.clone());
    puzzles.sort_by_cached_key(order);
    for puzzle in puzzles.iter_mut() {
        let hash = blake3::hash(puzzle.place.position.as_bytes()).to_hex();
        puzzle.id = format!("{game}-{}", &hash[..6]);
    }
    puzzles.iter().map(|puzzle| to_line(puzzle) + "\n").collect()
}

/// Own moves of the longest line of a solution.
fn length(solution: &Solution) -> usize {
    1 + solution.replies.values().map(length).max().unwrap_or(0)
}

/// What a move does, without what it gains or how it turns where it may choose.
fn stem<G: Notation>(position: &G, m: &G::Move) -> String {
    let token = position.token(m);
    match token.split_once('(') {
        Some((stem, _)) => stem.to_owned(),
        None => token.trim_end_matches(['<', '>']).to_owned(),
    }
}

/// Whether all moves do the same thing.
fn is_one<G: Notation>(position: &G, moves: &[G::Move]) -> bool {
    let first = moves.first().map(|m| stem(position, m));
    moves.iter().all(|m| Some(stem(position, m)) == first)
}

/// The task of a puzzle, which names the set where several forms of one move are right.
fn task(text: &str, right: usize) -> String {
    match right {
        0 | 1 => text.to_owned(),
        _ => format!("{text} {right} forms of the move are right."),
    }
}

/// Where a position stands, for the seat that decides.
fn place_of<G: Playable>(position: &G, seat: Seat) -> Place {
    let defaults = G::default_rules();
    let rules = position.rules().into_iter();
    let differs = |(name, value): &(&str, String)| {
        defaults.find(name).is_some_and(|(_, usual)| usual != value)
    };
    let rules = rules.filter(differs).map(|(name, value)| (name.to_owned(), value)).collect();
    let view = if G::SECRETS { format!(" view {seat}") } else { String::new() };
    Place { rules, position: format!("fen {position}{view}"), seat: seat.to_string() }
}

/// The position of a place.
fn position_of<G: Notation + Rules>(place: &Place) -> Result<G> {
    let mut rules = G::default_rules();
    for (name, value) in &place.rules {
        rules.set(name, value)?;
    }
    let text = place.position.strip_prefix("fen ").context("no fen")?;
    let (text, viewer) = match text.split_once(" view ") {
        Some((text, _)) => {
            let digits = place.seat.strip_prefix('p').context("a seat is p1, p2, ...")?;
            (text, Some(Seat::new(digits.parse::<usize>()? - 1)))
        }
        None => (text, None),
    };
    Ok(G::parse(text, &rules, viewer)?)
}
