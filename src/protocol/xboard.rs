//! The third dialect: version 2 of the Chess Engine Communication Protocol (CECP), as XBoard speaks
//! it, for games on one board with one piece a square.
//!
//! Text to values and back, like the rest of the language. XBoard counts the ranks of a board with
//! exactly ten of them from 0; [`Board`] shifts.

use std::fmt::Write;

/// What XBoard must know of a game to draw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    /// The name of the variant.
    pub variant: &'static str,
    /// Columns, at most 26.
    pub files: usize,
    /// Rows.
    pub ranks: usize,
    /// The letter of each of XBoard's piece types, or a dot; black's are the same in lower case.
    pub piece_table: &'static str,
    /// The starting position as XBoard writes positions.
    pub start: &'static str,
    /// Letter and movement (Betza notation) of each piece.
    pub pieces: &'static [(&'static str, &'static str)],
}

impl Board {
    /// What XBoard subtracts from the number of a rank.
    fn shift(&self) -> usize {
        usize::from(self.ranks == 10)
    }

    /// The lines that describe the game after `variant`.
    pub(crate) fn setup(&self) -> Vec<String> {
        let Board { piece_table, files, ranks, start, .. } = self;
        let black = piece_table.to_lowercase();
        let setup = format!("setup ({piece_table}{black}) {files}x{ranks}+0_fairy {start}");
        let pieces = self.pieces.iter().map(|(id, movement)| format!("piece {id}& {movement}"));
        std::iter::once(setup).chain(pieces).collect()
    }

    /// Splits the first square off a text: (file, rank), both from 0, and the rest. `lowest` is the
    /// number of the bottom rank.
    fn square<'a>(&self, text: &'a str, lowest: usize) -> Option<(usize, usize, &'a str)> {
        let letter = *text.as_bytes().first()?;
        let file = usize::from(letter.checked_sub(b'a')?);
        let rest = text.get(1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let rank: usize = rest[..digits].parse().ok()?;
        let rank = rank.checked_sub(lowest)?;
        (file < self.files && rank < self.ranks).then(|| (file, rank, &rest[digits..]))
    }

    fn name(file: usize, rank: usize) -> String {
        format!("{}{rank}", char::from(b'a' + file as u8))
    }

    /// A square as XBoard names it, in the game's own name.
    pub(crate) fn square_in(&self, text: &str) -> Option<String> {
        let (file, rank, rest) = self.square(text, 1 - self.shift())?;
        rest.is_empty().then(|| Self::name(file, rank + 1))
    }

    /// A move as XBoard writes it, as the game writes it.
    pub(crate) fn move_in(&self, text: &str) -> Option<String> {
        let lowest = 1 - self.shift();
        let (file, rank, rest) = self.square(text, lowest)?;
        let (to_file, to_rank, rest) = self.square(rest, lowest)?;
        rest.is_empty().then(|| Self::name(file, rank + 1) + &Self::name(to_file, to_rank + 1))
    }

    /// A move of the game as XBoard writes it.
    pub(crate) fn move_out(&self, token: &str) -> Option<String> {
        let lowest = 1 - self.shift();
        let (file, rank, rest) = self.square(token, 1)?;
        let (to_file, to_rank, rest) = self.square(rest, 1)?;
        rest.is_empty()
            .then(|| Self::name(file, rank + lowest) + &Self::name(to_file, to_rank + lowest))
    }

    /// A text of the game's own in which squares and moves are written as XBoard does.
    pub(crate) fn text_out(&self, text: &str) -> String {
        let word_out = |word: &str| {
            let core = word.trim_end_matches([',', '.', ';', ':', ')']);
            match self.square(core, 1) {
                Some((file, rank, "")) => {
                    Self::name(file, rank + 1 - self.shift()) + &word[core.len()..]
                }
                _ => match self.move_out(core) {
                    Some(written) => written + &word[core.len()..],
                    None => word.to_string(),
                },
            }
        };
        text.split(' ').map(word_out).collect::<Vec<_>>().join(" ")
    }

    /// The `highlight` line that marks the targets of the piece on a square (the game's own name)
    /// among the legal moves.
    pub(crate) fn highlight<'a>(&self, from: &str, moves: impl Iterator<Item = &'a str>) -> String {
        let mut marked = vec![vec![false; self.files]; self.ranks];
        for token in moves {
            let Some((file, rank, rest)) = self.square(token, 1) else { continue };
            let Some((to_file, to_rank, _)) = self.square(rest, 1) else { continue };
            if Self::name(file, rank + 1) == from {
                marked[to_rank][to_file] = true;
            }
        }
        let rows: Vec<_> = marked.iter().rev().map(|row| colour_row(row)).collect();
        format!("highlight {}", rows.join("/"))
    }

    /// The game's own text of a position from XBoard's: board and side, the rest ignored.
    pub(crate) fn position_in(&self, text: &str) -> String {
        text.split_ascii_whitespace().take(2).collect::<Vec<_>>().join(" ")
    }
}

/// One row of a colour diagram: `Y` yellow, runs of plain squares as numbers.
fn colour_row(row: &[bool]) -> String {
    let mut text = String::new();
    let mut plain = 0;
    for marked in row {
        if *marked {
            if plain > 0 {
                let _ = write!(text, "{plain}");
            }
            plain = 0;
            text.push('Y');
        } else {
            plain += 1;
        }
    }
    if plain > 0 {
        let _ = write!(text, "{plain}");
    }
    text
}

/// One command from XBoard.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum XBoardCommand {
    /// `protover N`.
    Version,
    /// `new`.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `force`.
    Force,
    /// `go`.
    Go,
    /// `playother`.
    PlayOther,
    /// `usermove MOVE`.
    Move(String),
    /// `undo`.
    Undo,
    /// `remove`.
    Remove,
    /// `setboard FEN`.
    SetBoard(String),
    /// `level MOVES BASE INCREMENT`; the times in milliseconds.
    Level {
        /// Moves a session; 0 for the whole game.
        moves: u64,
        /// Time for them.
        base: f64,
        /// Added after each move.
        increment: f64,
    },
    /// `st SECONDS`, in milliseconds.
    MoveTime(f64),
    /// `sd DEPTH`.
    Depth(u64),
    /// `time CENTISECONDS`, in milliseconds.
    OwnTime(f64),
    /// `otim CENTISECONDS`, in milliseconds.
    OpponentTime(f64),
    /// `post` and `nopost`.
    Post(bool),
    /// `analyze`.
    Analyze,
    /// `exit`: leave the analysis.
    ExitAnalysis,
    /// `.`: how far is the analysis?
    Status,
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(String),
    /// `hint`.
    Hint,
    /// `result ...`: the game has ended.
    Ended,
    /// `lift SQUARE`.
    Lift(String),
    /// `put SQUARE`.
    Put(String),
    /// `memory MEBIBYTES`.
    Memory(String),
    /// `cores N`.
    Cores(String),
    /// `option NAME[=VALUE]`.
    Option {
        /// Its name.
        name: String,
        /// Its value, if any.
        value: Option<String>,
    },
    /// `quit`.
    Quit,
    /// Something that asks for nothing: `accepted`, `random`, `hard`, a blank line, ...
    Nothing,
}

/// Reads one line; the error is the answer to it.
pub(crate) fn parse(line: &str) -> Result<XBoardCommand, String> {
    let line = line.trim();
    let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let rest = rest.trim();
    let error = |kind: &str| Err(format!("Error ({kind}): {line}"));
    let needed = |make: fn(String) -> XBoardCommand| match rest {
        "" => error("missing argument"),
        text => Ok(make(text.into())),
    };
    let scaled = |factor: f64, make: fn(f64) -> XBoardCommand| match rest.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(make(number * factor)),
        _ => error("not a number"),
    };
    match word {
        "protover" => Ok(XBoardCommand::Version),
        "new" => Ok(XBoardCommand::New),
        "variant" => needed(XBoardCommand::Variant),
        "force" => Ok(XBoardCommand::Force),
        "go" => Ok(XBoardCommand::Go),
        "playother" => Ok(XBoardCommand::PlayOther),
        "usermove" => needed(XBoardCommand::Move),
        "undo" => Ok(XBoardCommand::Undo),
        "remove" => Ok(XBoardCommand::Remove),
        "setboard" => needed(XBoardCommand::SetBoard),
        "level" => level(rest).map_or_else(|| error("not a level"), Ok),
        "st" => scaled(1000.0, XBoardCommand::MoveTime),
        "sd" => rest
            .parse()
            .map_or_else(|_| error("not a number"), |depth| Ok(XBoardCommand::Depth(depth))),
        "time" => scaled(10.0, XBoardCommand::OwnTime),
        "otim" => scaled(10.0, XBoardCommand::OpponentTime),
        "post" => Ok(XBoardCommand::Post(true)),
        "nopost" => Ok(XBoardCommand::Post(false)),
        "analyze" => Ok(XBoardCommand::Analyze),
        "exit" => Ok(XBoardCommand::ExitAnalysis),
        "." => Ok(XBoardCommand::Status),
        "?" => Ok(XBoardCommand::MoveNow),
        "ping" => needed(XBoardCommand::Ping),
        "hint" => Ok(XBoardCommand::Hint),
        "result" => Ok(XBoardCommand::Ended),
        "lift" => needed(XBoardCommand::Lift),
        "put" => needed(XBoardCommand::Put),
        "memory" => needed(XBoardCommand::Memory),
        "cores" => needed(XBoardCommand::Cores),
        "option" => match rest.split_once('=') {
            Some((name, value)) => Ok(XBoardCommand::Option {
                name: name.trim().into(),
                value: Some(value.trim().into()),
            }),
            None if rest.is_empty() => error("missing argument"),
            None => Ok(XBoardCommand::Option { name: rest.into(), value: None }),
        },
        "quit" => Ok(XBoardCommand::Quit),
        "" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name"
        | "rating" | "ics" | "hover" | "draw" | "white" | "black" | "xboard" => {
            Ok(XBoardCommand::Nothing)
        }
        _ => error("unknown command"),
    }
}

/// `MOVES BASE INCREMENT`: base in minutes or `minutes:seconds`, increment in seconds.
fn level(text: &str) -> Option<XBoardCommand> {
    let mut words = text.split_ascii_whitespace();
    let moves = words.next()?.parse().ok()?;
    let base = words.next()?;
    let (minutes, seconds) = base.split_once(':').unwrap_or((base, "0"));
    let (minutes, seconds): (f64, f64) = (minutes.parse().ok()?, seconds.parse().ok()?);
    let increment: f64 = words.next()?.parse().ok()?;
    let base = (minutes * 60.0 + seconds) * 1000.0;
    let sound = words.next().is_none() && base.is_finite() && increment.is_finite();
    sound.then_some(XBoardCommand::Level { moves, base, increment: increment * 1000.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Board =
        Board { variant: "ten", files: 10, ranks: 10, piece_table: "", start: "", pieces: &[] };
    const EIGHT: Board = Board { variant: "eight", files: 8, ranks: 8, ..TEN };

    #[test]
    fn ten_ranks_are_counted_from_0_and_others_from_1() {
        assert_eq!(TEN.move_in("e0a9").as_deref(), Some("e1a10"));
        assert_eq!(TEN.move_out("e10a10").as_deref(), Some("e9a9"));
        assert_eq!(TEN.move_out("e1e2").as_deref(), Some("e0e1"));
        assert_eq!(TEN.square_in("j9").as_deref(), Some("j10"));
        assert_eq!(EIGHT.move_in("e1a8").as_deref(), Some("e1a8"));
        assert_eq!(EIGHT.move_out("h8a1").as_deref(), Some("h8a1"));
    }

    #[test]
    fn what_is_not_on_the_board_is_no_square() {
        for text in ["", "e", "e10", "k1", "5e", "E1", "e1 ", "e-1", "e1x"] {
            assert_eq!(TEN.square_in(text), None, "{text}");
        }
        for text in ["e1", "e1e10", "e1e2q", "e1k2", "@@@@", "e1e2e3", "\u{e9}1e2"] {
            assert_eq!(TEN.move_in(text), None, "{text}");
        }
        assert_eq!(EIGHT.square_in("e0"), None);
        assert_eq!(EIGHT.square_in("e9"), None);
    }

    #[test]
    fn every_move_of_ten_ranks_comes_back() {
        for rank in 1..=10 {
            let token = format!("a{rank}j{}", 11 - rank);
            assert_eq!(TEN.move_in(&TEN.move_out(&token).unwrap()), Some(token));
        }
    }

    #[test]
    fn targets_are_marked_from_the_top_rank_down() {
        let moves = ["a1a2", "a1c1", "a10b9", "b1b2"];
        let highlight = TEN.highlight("a1", moves.into_iter());
        assert_eq!(highlight, "highlight 10/10/10/10/10/10/10/10/Y9/2Y7");
    }

    #[test]
    fn clocks_are_read_in_all_their_forms() {
        let read = |text| match parse(text) {
            Ok(XBoardCommand::Level { moves, base, increment }) => (moves, base, increment),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(read("level 40 5 0"), (40, 300_000.0, 0.0));
        assert_eq!(read("level 0 2:30 12"), (0, 150_000.0, 12_000.0));
        assert_eq!(read("level 0 0:01 0.1"), (0, 1_000.0, 100.0));
        assert_eq!(parse("st 2"), Ok(XBoardCommand::MoveTime(2000.0)));
        assert_eq!(parse("time 1234"), Ok(XBoardCommand::OwnTime(12340.0)));
        assert_eq!(parse("otim 1234"), Ok(XBoardCommand::OpponentTime(12340.0)));
        assert_eq!(parse("level 1 2"), Err("Error (not a level): level 1 2".into()));
        assert_eq!(parse("level 1 2 3 4"), Err("Error (not a level): level 1 2 3 4".into()));
        assert_eq!(parse("st soon"), Err("Error (not a number): st soon".into()));
        assert_eq!(parse("st inf"), Err("Error (not a number): st inf".into()));
    }
}
