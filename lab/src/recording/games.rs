//! Recorded games as text, one a line: a head, then the moves, those that were searched with a
//! value after a colon.
//!
//! ```text
//! HEAD MOVE MOVE:VALUE MOVE:VALUE ...
//! ```
//!
//! What the head says and how a value is written is the game's [`RecordFormat`]. A file of such
//! lines may be packed with zstd.

use std::fmt;
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::chunks::chunks_of;
use parlor::game::{Game, Notation, Outcome, Situation};
use parlor::reading;

/// What is special to the recorded games of one game.
pub trait RecordFormat: Sized + 'static {
    /// The game.
    type Position: Notation;

    /// What the search said of a move.
    type Value;

    /// Reads the head: the start of the game, and its outcome if the head states it.
    fn parse_head(head: &str) -> anyhow::Result<(Self::Position, Option<Outcome>)>;

    /// The head of a game.
    fn head(start: &Self::Position, outcome: &Outcome) -> String;

    /// Reads the value of a move in a position.
    fn parse_value(text: &str, before: &Self::Position) -> anyhow::Result<Self::Value>;

    /// Writes the value of a move in a position.
    fn value(value: &Self::Value, before: &Self::Position) -> String;
}

/// The move type of a format's game.
pub type MoveOf<F> = <<F as RecordFormat>::Position as Game>::Move;

/// A recorded game. It displays as its line.
pub struct RecordedGame<F: RecordFormat> {
    /// The first position.
    pub start: F::Position,
    /// The moves, and of those that were searched the value.
    pub moves: Vec<(MoveOf<F>, Option<F::Value>)>,
    /// The result. A game that was cut off is a draw of those who could still win.
    pub outcome: Outcome,
}

impl<F: RecordFormat> RecordedGame<F> {
    /// Reads a line.
    pub fn parse(line: &str) -> anyhow::Result<Self> {
        let mut tokens = line.split_whitespace();
        let (start, stated) = F::parse_head(tokens.next().unwrap_or_default())?;
        let mut recorder = Recorder::<F>::new(start);
        for token in tokens {
            let (text, value) = match token.split_once(':') {
                None => (token, None),
                Some((text, value)) => (text, Some(value)),
            };
            let position = recorder.situation.position();
            let m = position.parse_move(text).with_context(|| format!("move '{text}'"))?;
            if !position.is_legal(&m) {
                bail!("move '{text}': {}", position.explain_illegal(&m));
            }
            let value = value.map(|value| {
                F::parse_value(value, position).with_context(|| format!("value of '{token}'"))
            });
            recorder.play(m, value.transpose()?);
        }
        let mut game = recorder.finish();
        game.outcome = stated.unwrap_or(game.outcome);
        Ok(game)
    }

    /// Visits every position but the last, with the index and the value of the move played in it.
    pub fn for_each_position(&self, mut visit: impl FnMut(&F::Position, usize, Option<&F::Value>)) {
        let mut position = self.start.clone();
        for (index, (m, value)) in self.moves.iter().enumerate() {
            visit(&position, index, value.as_ref());
            position.play(m);
        }
    }
}

impl<F: RecordFormat> fmt::Display for RecordedGame<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&F::head(&self.start, &self.outcome))?;
        let mut position = self.start.clone();
        for (m, value) in &self.moves {
            write!(f, " {}", position.token(m))?;
            if let Some(value) = value {
                write!(f, ":{}", F::value(value, &position))?;
            }
            position.play(m);
        }
        Ok(())
    }
}

/// A game while it is recorded.
pub struct Recorder<F: RecordFormat> {
    start: F::Position,
    situation: Situation<F::Position>,
    moves: Vec<(MoveOf<F>, Option<F::Value>)>,
}

impl<F: RecordFormat> Recorder<F> {
    /// A game that begins with a position.
    pub fn new(start: F::Position) -> Self {
        let situation = Situation::new(start.clone());
        Recorder { start, situation, moves: Vec::new() }
    }

    /// The present position and its history.
    pub fn situation(&self) -> &Situation<F::Position> {
        &self.situation
    }

    /// How many moves were played.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Plays a legal move; with a value if it was searched.
    pub fn play(&mut self, m: MoveOf<F>, value: Option<F::Value>) {
        self.situation.play(&m);
        self.moves.push((m, value));
    }

    /// The game as it stands. Cut off, it is scored as a repetition, or else as a draw of all.
    pub fn finish(self) -> RecordedGame<F> {
        let position = self.situation.position();
        let outcome = self.situation.outcome().or_else(|| position.repetition());
        let outcome = outcome.unwrap_or_else(|| Outcome::draw(position.seats()));
        RecordedGame { start: self.start, moves: self.moves, outcome }
    }
}

/// Reads the games of a text, one a line. An error names the line.
pub fn parse_games<F: RecordFormat>(text: &str) -> anyhow::Result<Vec<RecordedGame<F>>> {
    if !text.is_empty() && !text.ends_with('\n') {
        bail!("the last line has no end: the file is cut short");
    }
    let lines = (1..).zip(text.lines());
    lines
        .map(|(number, line)| RecordedGame::parse(line).with_context(|| format!("line {number}")))
        .collect()
}

/// Reads the games of a file, packed with zstd or not, or of all files of a recording's directory.
pub fn read_games<F: RecordFormat>(path: &Path) -> anyhow::Result<Vec<RecordedGame<F>>> {
    let failed = || format!("cannot use the games of {}", path.display());
    if !path.is_dir() {
        let read = || parse_games(&reading::text(path)?);
        return read().with_context(failed);
    }
    let files = chunks_of(path).with_context(failed)?;
    ensure!(!files.is_empty(), "{} holds no files 'games-00001.txt' and so on", path.display());
    let mut games = Vec::new();
    for file in files {
        games.extend(read_games(&file)?);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Zstandard has a bit that means nothing, so what counts is that no other text is read.
    #[test]
    fn damaged_files_are_refused() {
        let good = include_bytes!("../../../data/pacru-games.txt.zst");
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games");
        let unpacked = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("a file");
            reading::text(&path)
        };
        let text = unpacked(good).expect("whole");
        for at in (0..good.len()).step_by(good.len() / 40) {
            let mut damaged = good.to_vec();
            damaged[at] ^= 1 << (at % 8);
            assert!(unpacked(&damaged).map_or(true, |read| read == text), "byte {at}");
            assert!(unpacked(&good[..at]).map_or(true, |read| at == 0 && read.is_empty()));
        }
    }

    use crate::recording::scored::Scored;
    use parlor::games::barca;

    type Line = RecordedGame<Scored<barca::Position>>;

    /// The start, the moves, which of them were searched, and the result, which is that of the head
    /// though the game has no end.
    #[test]
    fn a_game_is_written_as_it_was_read() {
        for line in ["0-1 e2e4 e9e6:30 e4g4:-7 e6g6", "1/2", "1-0 e2e4:2000"] {
            assert_eq!(Line::parse(line).expect(line).to_string(), line);
        }
        let game = Line::parse("0-1 e2e4 e9e6:30 e4g4:-7").expect("a game");
        let (mut position, mut visits) = (game.start, 0);
        game.for_each_position(|before, index, value| {
            assert_eq!(index, visits);
            assert_eq!(before.to_string(), position.to_string(), "the position before the move");
            assert_eq!(value, [None, Some(&30), Some(&-7)][index]);
            position.play(&game.moves[index].0);
            visits += 1;
        });
        assert_eq!(visits, 3);
    }

    /// A game of the rules ends as the rules say, and one that is cut off is a draw.
    #[test]
    fn a_game_that_is_cut_off_is_a_draw() {
        let mut recorder = Recorder::<Scored<barca::Position>>::new(barca::Position::default());
        assert_eq!(recorder.plies(), 0);
        let m = recorder.situation().position().parse_move("e2e4").expect("a move");
        recorder.play(m, Some(5));
        assert_eq!(recorder.plies(), 1);
        assert_eq!(recorder.finish().to_string(), "1/2 e2e4:5");
    }

    /// Plain and packed, in the order of their names; a text without its last end is refused.
    #[test]
    fn the_files_of_a_directory_are_read_one_after_the_other() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = |name: &str| directory.path().join(name);
        let empty = read_games::<Scored<barca::Position>>(directory.path());
        assert!(empty.is_err_and(|error| error.to_string().contains("games-00001.txt")));
        let packed = zstd::encode_all(&b"0-1 e2e4:1\n1/2 e2e4:2\n"[..], 1).expect("packed");
        fs::write(path("games-00001.txt.zst"), packed).expect("a file");
        fs::write(path("games-00002.txt"), "1-0 e2e4:3\n").expect("a file");
        let read = |at: &Path| -> anyhow::Result<Vec<String>> {
            let games = read_games::<Scored<barca::Position>>(at)?;
            Ok(games.iter().map(ToString::to_string).collect())
        };
        let all = read(directory.path()).expect("games");
        assert_eq!(all, ["0-1 e2e4:1", "1/2 e2e4:2", "1-0 e2e4:3"]);
        assert_eq!(read(&path("games-00002.txt")).expect("a game"), all[2..]);
        fs::write(path("games-00002.txt"), "1-0 e2e4:3\n1-0 e2e").expect("a file");
        let error = read(directory.path()).expect_err("cut short");
        assert!(format!("{error:#}").contains("cut short"), "{error:#}");
    }
}
