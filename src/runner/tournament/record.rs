//! The records of a match: a file of JSON lines, the first for the match, then one for each game.
//!
//! A record is written with one system call: a kill leaves at most one unfinished last line, which
//! is cut off before a match is resumed.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files::NewFile;
use crate::runner::process::Fault;

/// The version of the format.
pub(in crate::runner) const FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format, 1.
    pub parlor: u32,
    /// The number of seats.
    pub seats: usize,
    /// The names of the engines, in the order given.
    pub engines: Vec<String>,
    /// What the engines call themselves.
    pub identities: Vec<String>,
    /// The rule options of the match, as the referee reports them.
    pub rules: String,
    /// The seed of the match.
    pub seed: u64,
    /// The number of games in a bundle of each pairing.
    pub bundles: Vec<usize>,
    /// Everything that decides which games are played, as in a config file.
    pub config: Value,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By its rules.
    Rules,
    /// By the match's ply limit, or by scores.
    Adjudication,
    /// By an engine's fault.
    Fault,
}

/// Where a token came from, if not from the engine in the seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The opening, or its random plies.
    Opening,
    /// A throw or another chance event.
    Chance,
    /// The random mover that replaced a faulty engine.
    Substitute,
}

/// One token of a game.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The token.
    pub token: String,
    /// The seat that decided, from 1; for chance the seat that threw, or 0 for none.
    pub seat: usize,
    /// Where it came from, if not from the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// Milliseconds from `go` to `bestmove`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The score that the mover reported, in centipawns (a mate as 32,000 less its distance).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The distance of a mate, as the mover reported it: plies under `ugi`, moves under `uci`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The mover's probability of coming first in permille, if it reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<u32>,
    /// The depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The luck of a throw for each seat, in shares of the first place, where throws are valued.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<f64>,
}

/// A fault, and the engine at fault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatFault {
    /// The seat, from 1.
    pub seat: usize,
    /// The engine.
    pub engine: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the game, from 1; it decides the pairing, opening, seating and dice.
    pub game: u64,
    /// The round, from 1: one opening and one set of dice.
    pub round: u64,
    /// The pairing within the round, from 1. Games of one round and pairing form a bundle.
    pub pairing: usize,
    /// The engine in each seat.
    pub seating: Vec<String>,
    /// The seed of the game's dice.
    pub seed: u64,
    /// `startpos` or `fen ...`.
    pub start: String,
    /// Every token, in order.
    pub moves: Vec<Move>,
    /// `p1win`, `p2win` or `draw`, as in the protocol.
    pub result: String,
    /// The place of each seat, from 1; equal seats share a place.
    pub places: Vec<u32>,
    /// Each seat's share of the first place.
    pub shares: Vec<f64>,
    /// The summed luck of each seat, where throws are valued; the share less this is the share
    /// adjusted for luck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<f64>>,
    /// Points, in games with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
    /// Why it ended: the game's own reason, `ply-limit`, `resign`, `draw`, or the kind of fault.
    pub reason: String,
    /// How it ended.
    pub ending: Ending,
    /// The faults of engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<SeatFault>,
    /// Milliseconds from the start of the game to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

impl Record {
    /// Sums the luck of all throws.
    pub(in crate::runner) fn sum_luck(&mut self) {
        let mut sums = vec![0.0; self.places.len()];
        for m in &self.moves {
            for (sum, luck) in sums.iter_mut().zip(&m.luck) {
                *sum += luck;
            }
        }
        self.luck = Some(sums.into_iter().map(millionths).collect());
    }

    /// Removes wall-clock times.
    pub(in crate::runner) fn forget_times(&mut self) {
        self.ms = None;
        for m in &mut self.moves {
            m.ms = None;
        }
    }

    /// The argument of `position` after the first `count` tokens.
    pub(in crate::runner) fn position(&self, count: usize) -> String {
        let mut text = self.start.clone();
        for (index, m) in self.moves.iter().take(count).enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(&m.token);
        }
        text
    }
}

/// A share, rounded as the records hold it.
pub(in crate::runner) fn millionths(share: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (share * 1e6).round() / 1e6 + 0.0
}

/// Each seat's share of the first place.
pub(in crate::runner) fn shares(places: &[u32]) -> Vec<f64> {
    let firsts = places.iter().filter(|&&place| place == 1).count().max(1);
    let share = 1.0 / firsts as f64;
    places.iter().map(|&place| if place == 1 { share } else { 0.0 }).collect()
}

/// A record file that grows by a game at a time.
#[derive(Debug)]
pub(in crate::runner) struct Writer {
    file: File,
}

/// Writes a whole file; an old one stays as it was if that fails.
///
/// # Errors
/// When it cannot be written.
pub(in crate::runner) fn write<'a>(
    path: &Path,
    header: &Header,
    records: impl Iterator<Item = &'a Record>,
) -> Result<()> {
    let written = || -> Result<()> {
        let mut file = NewFile::create(path)?;
        file.write_all(line(header)?.as_bytes())?;
        for record in records {
            file.write_all(line(record)?.as_bytes())?;
        }
        Ok(file.commit()?)
    };
    written().with_context(|| format!("records {}", path.display()))
}

fn line(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value).context("record")? + "\n")
}

impl Writer {
    /// Starts a new file; one that exists is not overwritten.
    ///
    /// # Errors
    /// When it exists or cannot be written.
    pub(in crate::runner) fn create(path: &Path, header: &Header) -> Result<Self> {
        let file = File::options().create_new(true).append(true).open(path).with_context(|| {
            format!(
                "records {}: the file exists; use another name, or add --resume",
                path.display()
            )
        })?;
        let mut writer = Writer { file };
        writer.line(header)?;
        Ok(writer)
    }

    /// Opens a file to append to, after cutting off an unfinished last line; calls `seen` with each
    /// game in it. `None` if there is no complete header: then start a new file.
    ///
    /// # Errors
    /// When the file cannot be read or a line in it is not a record.
    pub(in crate::runner) fn resume(
        path: &Path,
        mut seen: impl FnMut(Record) -> Result<()>,
    ) -> Result<Option<(Header, Self)>> {
        if !path.exists() {
            return Ok(None);
        }
        let context = || format!("records {}", path.display());
        let mut file = File::options().read(true).append(true).open(path).with_context(context)?;
        let mut whole = 0;
        let mut header = None;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let count = reader.read_until(b'\n', &mut line).with_context(context)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            whole += count as u64;
            match header {
                None => header = Some(parse_header(&line).with_context(context)?),
                Some(_) => seen(serde_json::from_slice(&line).with_context(context)?)?,
            }
        }
        file.set_len(whole).with_context(context)?;
        file.seek(SeekFrom::End(0)).with_context(context)?;
        let Some(header) = header else {
            std::fs::remove_file(path).with_context(context)?;
            return Ok(None);
        };
        Ok(Some((header, Writer { file })))
    }

    /// Appends one game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game(&mut self, record: &Record) -> Result<()> {
        self.line(record)
    }

    fn line(&mut self, value: &impl Serialize) -> Result<()> {
        self.file.write_all(line(value)?.as_bytes()).context("records cannot be written")
    }
}

fn parse_header(line: &[u8]) -> Result<Header> {
    let header: Header =
        serde_json::from_slice(line).context("the first line is not the header of a match")?;
    ensure!(header.parlor == FORMAT, "written in format {}, not {FORMAT}", header.parlor);
    Ok(header)
}

/// Reads the first line of a file.
///
/// # Errors
/// When the file cannot be read or is not a record file.
pub(in crate::runner) fn header(path: &Path) -> Result<Header> {
    let context = || format!("records {}", path.display());
    let mut line = Vec::new();
    let mut reader = BufReader::new(File::open(path).with_context(context)?);
    reader.read_until(b'\n', &mut line).with_context(context)?;
    parse_header(&line).with_context(context)
}

/// Reads a whole file, game by game; an unfinished last line is skipped.
///
/// # Errors
/// When the file cannot be read or is not a record file.
pub fn read(path: &Path, mut seen: impl FnMut(Record) -> Result<()>) -> Result<Header> {
    let context = || format!("records {}", path.display());
    let mut reader = BufReader::new(File::open(path).with_context(context)?);
    let mut line = Vec::new();
    let mut header = None;
    let mut number = 0;
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).with_context(context)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number += 1;
        match header {
            None => header = Some(parse_header(&line).with_context(context)?),
            Some(_) => {
                let record = serde_json::from_slice(&line)
                    .with_context(|| format!("records {}, line {number}", path.display()))?;
                seen(record)?;
            }
        }
    }
    match header {
        Some(header) => Ok(header),
        None => bail!("records {}: no match in it", path.display()),
    }
}
