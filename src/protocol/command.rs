//! The lines an engine understands, as values.

use super::error::ProtocolError;

/// One line of input, understood.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `ugi` or `uci`.
    Handshake(Dialect),
    /// `xboard`.
    XBoard,
    /// `isready`.
    IsReady,
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `uginewgame` or `ucinewgame`.
    NewGame,
    /// `debug on` or `debug off`; bare `debug` turns it on.
    Debug(bool),
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The name as written.
        name: String,
        /// The rest of the line after `value`, if it was there.
        value: Option<String>,
    },
    /// `position ...`.
    Position(PositionArgument),
    /// `moves ...`: append.
    Moves(Vec<String>),
    /// `go ...`.
    Go(Box<GoArguments>),
    /// `query NAME ...`.
    Query {
        /// What is asked.
        name: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// `d`: draw the board.
    Draw,
    /// `eval`.
    Evaluate,
    /// `perft N`.
    Perft(u32),
    /// `bench [N]`.
    Bench(Option<u32>),
    /// `help [WORD]`.
    Help(Option<String>),
}

/// The handshake a client opened with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// The native protocol: mate distances in plies, nothing after the `bestmove` token.
    #[default]
    Ugi,
    /// The alias: mate distances in moves, `bestmove ... ponder ...`.
    Uci,
}

/// What follows `position`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionArgument {
    /// Where the move list starts from.
    pub root: Root,
    /// The seat after `view`, as written.
    pub view: Option<String>,
    /// The tokens after `moves`.
    pub moves: Vec<String>,
}

/// Where a move list starts from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Root {
    /// `startpos`.
    #[default]
    Start,
    /// `fen TEXT`, words joined by single spaces.
    Fen(String),
}

impl std::fmt::Display for PositionArgument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.root {
            Root::Start => f.write_str("startpos")?,
            Root::Fen(text) => write!(f, "fen {text}")?,
        }
        if let Some(seat) = &self.view {
            write!(f, " view {seat}")?;
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

/// What follows `go`. Times are in milliseconds and may be negative or fractional.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GoArguments {
    /// Remaining time by seat index.
    pub time: [Option<f64>; 9],
    /// Increment by seat index.
    pub increment: [Option<f64>; 9],
    /// Moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// Time for this move.
    pub move_time: Option<f64>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Look for a win in this many plies (under `uci`: moves).
    pub mate: Option<u64>,
    /// Until `stop`.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// The only moves to consider; empty allows all.
    pub search_moves: Vec<String>,
    /// Arguments that were refused; the rest still counts, so that every `go` is answered.
    pub refused: Vec<ProtocolError>,
}

/// One line of input, read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParsedLine {
    /// The command, or why its arguments were refused; `None` for a blank line and for a line
    /// without any known command.
    pub command: Option<Result<Command, ProtocolError>>,
    /// Words that were skipped; for stderr only.
    pub warnings: Vec<String>,
}
