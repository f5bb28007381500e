//! Tables as files: a header, the values of all states in the order of their numbers, and a checksum
//! over both.
//!
//! Every value has 16 bits, in steps of 1/65535; the rounding error is below 8e-6. Of each opponent
//! the high bytes come first, then the low bytes, and the whole is compressed.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};

use super::ranking::Ranking;
use crate::game::splitmix64;
use crate::games::chowka_bhara::rules::{Position, RuleOptions};
use crate::{free_memory, reading};

/// The first bytes of a table.
pub const TABLE: &[u8; 8] = b"chowkaT3";

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

impl Header {
    /// Bytes of a header in a file: what kind of file it is, eight bytes; six numbers of 32 bits;
    /// the checksum of these and of all that follows.
    pub const BYTES: usize = 40;

    /// The start of the game that was solved.
    #[must_use]
    pub fn start(&self) -> Position {
        Position::starting(RuleOptions { pawns: self.pawns, ..RuleOptions::default() }, 2)
    }

    /// The header as its six numbers, little-endian; `work` is how far the work has come, in a file
    /// of work that is not finished.
    #[must_use]
    pub fn to_bytes(&self, kind: &[u8; 8], work: [u32; 2]) -> Vec<u8> {
        let [change, bracket] = [self.change.to_bits(), u32::from(self.bracket)];
        let numbers = [u32::from(self.pawns), self.chain, change, work[0], work[1], bracket];
        kind.iter().copied().chain(numbers.iter().flat_map(|number| number.to_le_bytes())).collect()
    }

    /// The header of a file of a kind, and how far its work has come, after a check of its checksum.
    ///
    /// # Errors
    /// When the file cannot be read, is of another kind, or is damaged.
    pub fn read(path: &Path, kind: &[u8; 8]) -> anyhow::Result<(Header, [u32; 2])> {
        let file = reading::regular(path);
        let file = file.with_context(|| format!("cannot read {}", path.display()))?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut head = Vec::new();
        file.by_ref().take(Header::BYTES as u64).read_to_end(&mut head)?;
        let Some(head) = head.first_chunk::<{ Header::BYTES }>() else {
            bail!("it has {} bytes, less than a header", head.len());
        };
        ensure!(head.starts_with(kind), "it does not begin with {}", kind.escape_ascii());
        let (fields, sum) = head.split_at(Header::BYTES - 8);
        let mut checksum = Checksum::default();
        checksum.add(fields);
        io::copy(&mut file, &mut checksum)?;
        ensure!(checksum.sum().to_le_bytes() == sum, "it is damaged: the checksum is wrong");
        let (numbers, _) = fields[kind.len()..].as_chunks();
        let number = |at: usize| u32::from_le_bytes(numbers[at]);
        let pawns = number(0);
        ensure!((1..=4).contains(&pawns), "it is for {pawns} pawns, not 1 to 4");
        let change = f32::from_bits(number(2));
        let bracket = number(5) != 0;
        let header = Header { pawns: pawns as u8, chain: number(1), change, bracket };
        Ok((header, [number(3), number(4)]))
    }
}

/// Refuses a table that takes more than its file can tell, or than there is.
fn ensure_worth(bytes: u64, size: u64) -> anyhow::Result<()> {
    ensure!(
        bytes <= size.saturating_mul(reading::MOST_UNPACKED),
        "its {size} bytes are too few for {bytes} of values"
    );
    if let Some(most) = free_memory::largest_table(0).filter(|most| bytes >> 20 > *most) {
        bail!("it takes {} MiB; {most} MiB of memory are free", bytes >> 20);
    }
    Ok(())
}

/// A table read from a file.
#[derive(Debug)]
pub struct SolvedTable {
    header: Header,
    ranking: Ranking,
    values: Vec<u16>,
}

impl SolvedTable {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let what = || format!("{} is no table of chowka-bhara", path.display());
        let (header, _) = Header::read(path, TABLE).with_context(what)?;
        let ranking = Ranking::new(header.pawns);
        let mut file = reading::regular(path).with_context(what)?;
        let size = file.metadata().with_context(what)?.len();
        ensure_worth(ranking.numbers() as u64 * 2, size).with_context(what)?;
        let mut values = vec![0; ranking.numbers()];
        file.seek(SeekFrom::Start(Header::BYTES as u64)).with_context(what)?;
        let mut data = reading::unpack(file).with_context(what)?;
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

    /// What it was computed with.
    #[must_use]
    pub fn header(&self) -> Header {
        self.header
    }

    /// The numbers of its states.
    #[must_use]
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The value of a state, for the player about to throw.
    #[must_use]
    pub fn value(&self, index: usize) -> f32 {
        f32::from(self.values.get(index).copied().unwrap_or(32768)) / 65535.0
    }

    /// The value of a position at the start of a turn, for the player about to throw; `None` if the
    /// table does not know it.
    #[must_use]
    pub fn value_of(&self, position: &Position) -> Option<f32> {
        self.ranking.index(position).map(|index| self.value(index))
    }
}

/// The checksum of the bytes written to it.
#[derive(Default)]
pub struct Checksum {
    sum: u64,
    length: u64,
    /// The last bytes, fewer than eight.
    rest: [u8; 8],
}

impl Checksum {
    /// Adds bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
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

    /// The checksum of all bytes so far.
    #[must_use]
    pub fn sum(&self) -> u64 {
        splitmix64(splitmix64(self.sum ^ u64::from_le_bytes(self.rest)) ^ self.length)
    }
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
