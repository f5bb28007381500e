//! What the server sends: `docs/board-messages.md` in types. `tests/board/types.d.ts` has the same
//! for the page; a test compares the two.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::message::{Phrase, SeatKind, TextKind, Throws};
use crate::picture::{Board, Lesson, Puzzle, Show, Step, Table};
use crate::protocol::Score;

/// A message to a page. Seats are named `p1`, `p2`, ...; times are milliseconds.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Outgoing {
    Welcome(Welcome),
    About(Box<About>),
    Rules(Rules),
    Records(Records),
    Games(Games),
    Table(TableMessage),
    Tree(Tree),
    State(Box<State>),
    Position(Position),
    Step(StepMessage),
    Path(Path),
    Moves(Moves),
    Hint(Hint),
    Analysis(Analysis),
    Review(Review),
    Text(Text),
    Lessons(LessonsMessage),
    Puzzles(PuzzlesMessage),
    Said(Said),
    Closed(Closed),
    Pong,
    /// What was asked for is done, and nothing else answers it.
    Done,
    Error(Problem),
}

/// The answer to `hello`.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Welcome {
    /// The version of the messages: 1.
    pub(super) v: u32,
    /// The version of the program.
    pub(super) version: &'static str,
    pub(super) role: RoleName,
    /// The game of a link; absent for a host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
    #[serde(flatten)]
    pub(super) host: Option<HostWelcome>,
}

impl Welcome {
    /// A greeting of this program.
    pub(super) fn new(role: RoleName, game: Option<String>) -> Self {
        Welcome { v: 1, version: env!("CARGO_PKG_VERSION"), role, game, host: None }
    }
}

/// What a token allows.
#[derive(Clone, Copy, Default, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RoleName {
    #[default]
    Host,
    Seat,
    Spectator,
}

/// What only a host is told.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct HostWelcome {
    pub(super) menu: Vec<MenuEntry>,
    pub(super) open: Vec<OpenGame>,
    pub(super) saved: Vec<SavedEntry>,
    /// The file of `--replay`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) records: Option<RecordFile>,
    pub(super) defaults: Defaults,
    /// Whether others can come by a link.
    pub(super) links: bool,
}

/// A game that can be started.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct MenuEntry {
    pub(super) game: String,
    pub(super) engines: Vec<MenuEngine>,
}

/// An engine of the menu.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct MenuEngine {
    pub(super) engine: usize,
    pub(super) name: String,
}

/// A game that is open.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct OpenGame {
    pub(super) game: String,
    pub(super) title: String,
    pub(super) phase: Phase,
    pub(super) plies: usize,
    /// The names of the players, by seat; `p1` and the like for people without one.
    pub(super) seats: Vec<String>,
    /// When it began, had its last move or ended, in milliseconds since 1970.
    pub(super) when: u64,
    /// Whether it may be closed to make room: nobody looks at it, and nothing of it is lost.
    #[serde(skip)]
    pub(super) idle: bool,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<GameResult>,
}

/// An unfinished game on the disk.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct SavedEntry {
    /// The name by which a page asks for it.
    pub(super) saved: String,
    pub(super) menu: String,
    pub(super) title: String,
    pub(super) plies: usize,
    /// When it had its last move, in milliseconds since 1970.
    pub(super) when: u64,
    /// The names of the players, by seat.
    pub(super) seats: Vec<String>,
}

/// A record file.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct RecordFile {
    pub(super) name: String,
    /// What the menu calls their game.
    pub(super) menu: String,
    /// The number of games.
    pub(super) count: usize,
}

/// What a new game has unless the page says otherwise.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Defaults {
    pub(super) rules: BTreeMap<String, String>,
    pub(super) tc: Option<String>,
    pub(super) movetime: u64,
    /// Whether the page may skip the menu.
    pub(super) start: bool,
}

/// What there is to know of a game before it is started.
#[derive(Clone, Debug, Serialize)]
pub(super) struct About {
    pub(super) menu: String,
    pub(super) title: String,
    pub(super) seats: usize,
    pub(super) secrets: bool,
    pub(super) chance: bool,
    pub(super) table: Table,
    /// `None` in a game with secrets.
    pub(super) board: Option<Board>,
    pub(super) rules: Vec<RuleOption>,
    /// How many puzzles the first engine has.
    pub(super) puzzles: usize,
    pub(super) engines: Vec<AboutEngine>,
}

/// A rule option.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct RuleOption {
    pub(super) name: String,
    /// `spin`, `check` or `combo`.
    pub(super) kind: String,
    pub(super) value: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) choices: Vec<String>,
    #[serde(flatten)]
    pub(super) range: Option<Range>,
}

/// The smallest and the greatest value of a number.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Range {
    pub(super) min: i64,
    pub(super) max: i64,
}

/// An engine of a game.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct AboutEngine {
    pub(super) engine: usize,
    pub(super) name: String,
    /// Whether it starts.
    pub(super) ok: bool,
    /// Whether it answers the queries of pictures.
    pub(super) pictures: bool,
    /// The values of its option `Player`.
    pub(super) players: Vec<String>,
    /// The highest value of its option `Level`; 0 without levels.
    pub(super) levels: u8,
    /// Why it does not start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

/// The short rules of a game.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Rules {
    pub(super) menu: String,
    pub(super) markdown: String,
}

/// A part of the list of recorded games.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Records {
    pub(super) from: usize,
    /// The number of all games.
    pub(super) count: usize,
    pub(super) list: Vec<RecordEntry>,
}

/// A recorded game.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct RecordEntry {
    /// Its place in the file, from 0.
    pub(super) record: usize,
    /// The number that the file gives it.
    pub(super) game: u64,
    pub(super) seats: Vec<String>,
    pub(super) result: String,
    pub(super) reason: String,
    pub(super) plies: usize,
    /// Of a game that began as usual, to those who ask.
    #[serde(flatten)]
    pub(super) beginning: Option<Beginning>,
}

/// How a recorded game began, and ended.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Beginning {
    pub(super) places: Vec<u32>,
    pub(super) moves: Vec<FirstMove>,
}

/// One of its moves; the seat that decided, from 1.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct FirstMove {
    pub(super) token: String,
    pub(super) seat: usize,
}

/// The games that are open and that were saved, when one was ended or discarded.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Games {
    pub(super) open: Vec<OpenGame>,
    pub(super) saved: Vec<SavedEntry>,
}

/// The board without its pieces.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TableMessage {
    pub(super) game: String,
    #[serde(serialize_with = "shared")]
    pub(super) table: Arc<Table>,
}

fn shared<T: Serialize, S: Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    T::serialize(value, serializer)
}

/// Positions of the tree that are new or have changed.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Tree {
    pub(super) game: String,
    /// The list replaces the tree.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) reset: bool,
    pub(super) nodes: Vec<TreeNode>,
}

/// A position of the tree.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct TreeNode {
    pub(super) node: usize,
    pub(super) parent: Option<usize>,
    pub(super) ply: usize,
    /// `None` at the root.
    #[serde(flatten)]
    pub(super) arrival: Option<Arrival>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<u64>,
    #[serde(flatten)]
    pub(super) value: Option<Evaluation>,
    /// What a review says of the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mark: Option<Mark>,
    #[serde(flatten)]
    pub(super) better: Option<Better>,
}

/// What would have been better than the token that was played.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(super) struct Better {
    /// The best token.
    pub(super) best: String,
    /// What the played one loses against it, in permille of the first place.
    pub(super) loss: u32,
    /// How the engine would have gone on; begins with the best token.
    pub(super) line: Vec<String>,
}

/// How play came to a position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Arrival {
    /// The token as the viewer may see it.
    pub(super) token: Option<String>,
    /// The seat that decided or threw.
    pub(super) by: Option<String>,
    pub(super) origin: Origin,
}

/// Who made a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Origin {
    /// A person at the host's pages.
    Here,
    /// A person by link.
    Link,
    /// An engine.
    Engine,
    /// A throw of the table.
    Chance,
    /// A recorded game.
    Record,
    /// Moves that a game began with.
    Opening,
    /// Tried out beside the game.
    Variation,
}

/// The value of a position.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub(super) struct Evaluation {
    /// Permille of the first place for each seat.
    pub(super) shares: Vec<u32>,
    /// As the engine said it: for p1 in games of two, otherwise for the seat that moves.
    pub(super) score: Option<Score>,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

/// What a game is there for now.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    #[default]
    Play,
    Over,
    Analysis,
}

/// Everything about a game but its positions.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct State {
    pub(super) game: String,
    /// Grows with each change.
    pub(super) seq: u64,
    /// The number of the game between these players, from 1.
    pub(super) round: u32,
    pub(super) title: String,
    pub(super) menu: String,
    pub(super) phase: Phase,
    pub(super) secrets: bool,
    /// In the words of `query turn`, at the live node.
    pub(super) turn: String,
    pub(super) live: usize,
    pub(super) throws: Throws,
    pub(super) seats: Vec<SeatState>,
    pub(super) you: You,
    pub(super) clocks: Option<ClockState>,
    pub(super) result: Option<GameResult>,
    pub(super) fault: Option<SeatFault>,
    pub(super) offer: Option<OfferState>,
    /// The message `review` of a review that runs.
    pub(super) review: Option<Box<Outgoing>>,
    /// The address for spectators; to the host only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) watch: Option<String>,
    /// How many pages look on by that address.
    pub(super) spectators: usize,
    pub(super) saved: bool,
    pub(super) saved_error: Option<String>,
}

/// A seat and its player.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct SeatState {
    pub(super) seat: String,
    pub(super) kind: Sitting,
    pub(super) name: String,
    pub(super) yours: bool,
    pub(super) online: bool,
    /// Whether the person has said so.
    pub(super) ready: bool,
    #[serde(flatten)]
    pub(super) engine: Option<EngineState>,
    /// The address for the person by link; to the host only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<String>,
}

/// The kind of a seat's player.
#[derive(Clone, Copy, Default, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sitting {
    Here,
    Link,
    Engine,
    /// Nobody: the game is looked at.
    #[default]
    None,
}

impl From<SeatKind> for Sitting {
    fn from(kind: SeatKind) -> Self {
        match kind {
            SeatKind::Here => Sitting::Here,
            SeatKind::Link => Sitting::Link,
            SeatKind::Engine => Sitting::Engine,
        }
    }
}

/// The engine in a seat.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct EngineState {
    pub(super) engine: usize,
    pub(super) player: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<u8>,
    pub(super) thinking: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) movetime: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nodes: Option<u64>,
}

/// What a connection is and may do now.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct You {
    pub(super) host: bool,
    pub(super) seats: Vec<String>,
    /// `all`, or the seat whose view the page gets; `None` while the screen is covered.
    pub(super) view: Option<String>,
    /// The seat to be asked for while the screen is covered.
    pub(super) curtain: Option<String>,
    pub(super) undo: bool,
    /// Whether a draw may be offered.
    pub(super) draw: bool,
    pub(super) analyse: bool,
    pub(super) variations: bool,
    pub(super) record: bool,
    pub(super) review: bool,
}

/// The clocks.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct ClockState {
    pub(super) tc: String,
    /// Milliseconds, by seat.
    pub(super) left: Vec<u64>,
    pub(super) running: Option<String>,
}

/// How a game ended.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct GameResult {
    pub(super) result: String,
    pub(super) places: Vec<u32>,
    pub(super) reason: String,
    pub(super) points: Option<String>,
    /// `rules` or `adjudication`.
    pub(super) ending: &'static str,
    /// Who has won and why, for people.
    pub(super) text: String,
    /// The reason, for people.
    pub(super) why: String,
}

/// An engine that failed and waits for a decision.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct SeatFault {
    pub(super) seat: String,
    pub(super) engine: String,
    pub(super) kind: &'static str,
    pub(super) text: String,
}

/// Somebody asks the others to agree.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct OfferState {
    /// `undo` or `draw`.
    pub(super) kind: &'static str,
    pub(super) by: String,
    /// Who has not answered yet.
    pub(super) wait: Vec<String>,
}

/// What a connection looks at.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Position {
    pub(super) game: String,
    pub(super) seq: u64,
    pub(super) node: usize,
    pub(super) ply: usize,
    pub(super) view: Option<String>,
    pub(super) turn: Option<String>,
    /// The seat for which the page may act here.
    pub(super) act: Option<String>,
    pub(super) board: Option<Box<Board>>,
    pub(super) step: Option<Box<Step>>,
}

/// What may follow some choices.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct StepMessage {
    pub(super) node: usize,
    pub(super) step: Step,
}

/// The choices of a token.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Path {
    pub(super) node: usize,
    pub(super) token: String,
    /// Empty where the engine names none.
    #[serde(flatten)]
    pub(super) arrow: Arrow,
    /// What each choice is called.
    pub(super) words: Vec<String>,
}

/// What teaches a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LessonsMessage {
    pub(super) menu: String,
    pub(super) lessons: Vec<Lesson>,
}

/// Some puzzles of a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PuzzlesMessage {
    pub(super) menu: String,
    pub(super) from: usize,
    /// The number of all.
    pub(super) count: usize,
    pub(super) puzzles: Vec<Puzzle>,
}

/// What somebody says.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Said {
    pub(super) game: String,
    /// The seats of who says it; empty for who looks on.
    pub(super) by: Vec<String>,
    pub(super) phrase: Phrase,
}

/// The legal tokens with a prefix.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Moves {
    pub(super) node: usize,
    pub(super) tokens: Vec<String>,
    /// Whether there are more.
    pub(super) many: bool,
}

/// What the engine would play.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Hint {
    pub(super) node: usize,
    pub(super) token: String,
    #[serde(flatten)]
    pub(super) value: Evaluation,
    #[serde(flatten)]
    pub(super) arrow: Option<Arrow>,
}

/// A move as choices, and what it changes on the board.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Arrow {
    pub(super) path: Vec<String>,
    pub(super) show: Vec<Show>,
}

/// What an analysis has found so far.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Analysis {
    pub(super) game: String,
    pub(super) node: usize,
    pub(super) running: bool,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) nps: Option<u64>,
    pub(super) time: Option<u64>,
    pub(super) lines: Vec<AnalysisLine>,
}

/// A line of an analysis.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct AnalysisLine {
    /// From 1.
    pub(super) rank: u32,
    #[serde(flatten)]
    pub(super) value: Evaluation,
    pub(super) pv: Vec<String>,
    pub(super) depth: Option<u32>,
    #[serde(flatten)]
    pub(super) arrow: Option<Arrow>,
}

/// How far a review has come.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Review {
    pub(super) game: String,
    pub(super) running: bool,
    pub(super) done: usize,
    pub(super) of: usize,
    pub(super) left_ms: Option<u64>,
}

/// A text to copy or save.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Text {
    pub(super) what: TextKind,
    /// A name for its file.
    pub(super) name: String,
    pub(super) text: String,
}

/// The game has ended, or the connection is not in it any more.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Closed {
    pub(super) game: String,
}

/// Why something is refused: a code and a text for people.
#[derive(Clone, Default, Debug, Serialize)]
pub(super) struct Problem {
    pub(super) code: String,
    pub(super) text: String,
}

impl Problem {
    pub(super) fn new(code: &str, text: impl Into<String>) -> Self {
        Problem { code: code.into(), text: text.into() }
    }
}

impl<E: std::fmt::Display> From<E> for Problem
where
    E: Into<anyhow::Error>,
{
    fn from(error: E) -> Self {
        Problem::new("engine", format!("{:#}", error.into()))
    }
}

#[cfg(test)]
mod tests;
