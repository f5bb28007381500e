//! Tables and checkpoints as files: a header, the values of all states in the order of their
//! numbers, and a checksum over both.
//!
//! A table holds every value in 16 bits, in steps of 1/65535; the rounding error is below 8e-6. Of
//! each opponent the high bytes come first, then the low bytes, and the whole is compressed. A
//! checkpoint holds the values in full precision, so that an interrupted solution continues
//! exactly. No partial file has the final name: see [`crate::files`].

use std::fs::{self, File};
use std::io::{BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::ranking::Ranking;
use super::value_iteration::{Progress, Tables};
use super::value_table::ValueTable;
use crate::files::NewFile;
use crate::game::splitmix64;
use crate::games::chowka_bhara::rules::Position;

const TABLE: &[u8; 8] = b"chowkaT3";
const CHECKPOINT: &[u8; 8] = b"chowkaC3";
const HEADER: usize = 40;
/// Compression level: higher ones cost time and gain little, the low bytes being noise.
const LEVEL: i32 = 6;

/// What a solution was computed with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Header {
    /// Pawns of a player.
    pub pawns: u8,
    /// Most bonus throws of a turn.
    pub chain: u32,
    /// The greatest change of the last sweep of a group.
    pub change: f32,
    /// Whether there were an upper and a lower value of every state.
    pub bracket: bool,
}

/// A table read from a file.
#[derive(Debug)]
pub struct SolvedTable {
    /// What it was computed with.
    pub(super) header: Header,
    /// The numbers of its states.
    pub(super) ranking: Ranking,
    values: Vec<u16>,
}

impl SolvedTable {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let what = || format!("{} is no table of chowka-bhara", path.display());
        let (header, _) = check(path, TABLE).with_context(what)?;
        let ranking = Ranking::new(header.pawns);
        let mut values = vec![0; ranking.numbers()];
        let mut file = File::open(path).with_context(what)?;
        file.seek(std::io::SeekFrom::Start(HEADER as u64)).with_context(what)?;
        let mut data = zstd::Decoder::new(file).with_context(what)?;
        let mut bytes = Vec::new();
        let mut row = Vec::new();
        for other in 0..ranking.half_states() {
            row.clear();
            ranking.for_each_run_of(other, |run| row.extend(run));
            bytes.resize(2 * row.len(), 0);
            data.read_exact(&mut bytes).context("it ends too early").with_context(what)?;
            let (high, low) = bytes.split_at(row.len());
            for (index, (high, low)) in row.iter().zip(high.iter().zip(low)) {
                values[*index] = u16::from_be_bytes([*high, *low]);
            }
        }
        let rest = data.read(&mut [0]).with_context(what)?;
        ensure!(rest == 0, "{}: it has bytes after the last value", what());
        Ok(SolvedTable { header, ranking, values })
    }

    /// The pawns of a seat.
    #[must_use]
    pub fn pawns(&self) -> u8 {
        self.header.pawns
    }

    /// The value of a state.
    pub(super) fn value(&self, index: usize) -> f32 {
        f32::from(self.values.get(index).copied().unwrap_or(32768)) / 65535.0
    }

    /// The value of a position at the start of a turn, for the player about to throw; `None` if the
    /// table does not know it.
    #[must_use]
    pub fn value_of(&self, position: &Position) -> Option<f32> {
        self.ranking.index(position).map(|index| self.value(index))
    }

    /// Changes one value, to see that it is found.
    #[cfg(test)]
    pub(super) fn replace(&mut self, index: usize, value: f32) {
        self.values[index] = (value * 65535.0).round() as u16;
    }
}

/// Writes the values of a solution in 16 bits.
pub(super) fn write_table(
    path: &Path,
    header: &Header,
    ranking: &Ranking,
    values: &ValueTable,
) -> anyhow::Result<()> {
    write(path, TABLE, header, Progress::default(), |file| {
        let mut data = zstd::Encoder::new(file, LEVEL)?;
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for other in 0..ranking.half_states() {
            high.clear();
            low.clear();
            ranking.for_each_run_of(other, |run| {
                for value in run.map(|index| values.get(index)) {
                    let [first, second] =
                        ((value.clamp(0.0, 1.0) * 65535.0).round() as u16).to_be_bytes();
                    high.push(first);
                    low.push(second);
                }
            });
            data.write_all(&high)?;
            data.write_all(&low)?;
        }
        data.finish()?;
        Ok(())
    })
}

/// The path of the checkpoint of a table.
#[must_use]
pub fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// Writes the work so far.
pub(super) fn write_checkpoint(
    path: &Path,
    header: &Header,
    progress: Progress,
    ranking: &Ranking,
    tables: &Tables,
) -> anyhow::Result<()> {
    write(path, CHECKPOINT, header, progress, |file| {
        let mut bytes = Vec::new();
        for table in tables {
            for other in 0..ranking.half_states() {
                bytes.clear();
                ranking.for_each_run_of(other, |run| {
                    bytes.extend(run.flat_map(|index| table.get(index).to_le_bytes()));
                });
                file.write_all(&bytes)?;
            }
        }
        Ok(())
    })
}

/// Reads the work so far into tables of the right size.
pub(super) fn read_checkpoint(
    path: &Path,
    header: &Header,
    ranking: &Ranking,
    tables: &mut Tables,
) -> anyhow::Result<Progress> {
    let what = || format!("{} is no checkpoint to go on from", path.display());
    let (found, progress) = check(path, CHECKPOINT).with_context(what)?;
    ensure!(
        found == *header,
        "{}: it is of --pawns {} --chain {} --change {}{}; remove it or give these",
        what(),
        found.pawns,
        found.chain,
        found.change,
        if found.bracket { " --bracket" } else { ", without --bracket" }
    );
    let size = HEADER as u64 + 4 * ranking.count().1 * tables.len() as u64;
    let length = fs::metadata(path).with_context(what)?.len();
    ensure!(length == size, "{}: it has {length} bytes, not {size}", what());
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(what)?);
    file.seek_relative(HEADER as i64).with_context(what)?;
    let mut result = Ok(());
    for table in tables {
        ranking.for_each_run(|run| {
            for index in run {
                let mut bytes = [0; 4];
                match file.read_exact(&mut bytes) {
                    Ok(()) => table.set(index, f32::from_le_bytes(bytes)),
                    Err(error) => result = Err(error),
                }
            }
        });
    }
    result.with_context(what)?;
    Ok(progress)
}

/// The header and the progress of a file, after a check of its checksum.
fn check(path: &Path, magic: &[u8; 8]) -> anyhow::Result<(Header, Progress)> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut file = BufReader::with_capacity(1 << 20, file);
    let mut head = Vec::new();
    file.by_ref().take(HEADER as u64).read_to_end(&mut head)?;
    let Some(head) = head.first_chunk::<HEADER>() else {
        bail!("it has {} bytes, less than a header", head.len());
    };
    ensure!(head.starts_with(magic), "it does not begin with {}", magic.escape_ascii());
    let (fields, sum) = head.split_at(HEADER - 8);
    let mut hashing = ChecksumWriter::new(std::io::sink());
    hashing.write_all(fields)?;
    std::io::copy(&mut file, &mut hashing)?;
    ensure!(hashing.sum().to_le_bytes() == sum, "it is damaged: the checksum is wrong");
    let bytes = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
    let number = |at: usize| u32::from_le_bytes(bytes(at));
    let pawns = number(8);
    ensure!((1..=4).contains(&pawns), "it is for {pawns} pawns, not 1 to 4");
    let change = f32::from_le_bytes(bytes(16));
    let bracket = number(28) != 0;
    let header = Header { pawns: pawns as u8, chain: number(12), change, bracket };
    Ok((header, Progress { group: number(20), sweeps: number(24) }))
}

/// Writes a file whose data comes from `data`.
fn write(
    path: &Path,
    magic: &[u8; 8],
    header: &Header,
    progress: Progress,
    data: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    let written = || -> std::io::Result<()> {
        let mut file = NewFile::create(path)?;
        let mut fields = magic.to_vec();
        fields.extend(u32::from(header.pawns).to_le_bytes());
        fields.extend(header.chain.to_le_bytes());
        fields.extend(header.change.to_le_bytes());
        fields.extend(progress.group.to_le_bytes());
        fields.extend(progress.sweeps.to_le_bytes());
        fields.extend(u32::from(header.bracket).to_le_bytes());
        // The header is written last, when the checksum is known.
        file.write_all(&[0; HEADER])?;
        let mut hashing = ChecksumWriter::new(&mut file);
        hashing.add(&fields);
        data(&mut hashing)?;
        fields.extend(hashing.sum().to_le_bytes());
        file.seek(std::io::SeekFrom::Start(0))?;
        file.write_all(&fields)?;
        file.commit()
    };
    written().with_context(|| format!("cannot write {}", path.display()))
}

/// Passes bytes on and computes their checksum.
struct ChecksumWriter<W> {
    inner: W,
    sum: u64,
    length: u64,
    /// The last bytes, fewer than eight.
    rest: [u8; 8],
}

impl<W> ChecksumWriter<W> {
    fn new(inner: W) -> Self {
        ChecksumWriter { inner, sum: 0, length: 0, rest: [0; 8] }
    }

    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let at = (self.length % 8) as usize;
            let (words, rest) = bytes.as_chunks();
            if at == 0 && !words.is_empty() {
                let word = |sum, word: &[u8; 8]| splitmix64(sum ^ u64::from_le_bytes(*word));
                self.sum = words.iter().fold(self.sum, word);
                self.length += 8 * words.len() as u64;
                bytes = rest;
                continue;
            }
            let (first, others) = bytes.split_at(bytes.len().min(8 - at));
            self.rest[at..at + first.len()].copy_from_slice(first);
            self.length += first.len() as u64;
            if self.length.is_multiple_of(8) {
                self.sum = splitmix64(self.sum ^ u64::from_le_bytes(self.rest));
                self.rest = [0; 8];
            }
            bytes = others;
        }
    }

    fn sum(&self) -> u64 {
        splitmix64(splitmix64(self.sum ^ u64::from_le_bytes(self.rest)) ^ self.length)
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.add(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}
