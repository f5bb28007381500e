//! Tables and checkpoints as files: a header, the numbers, and a checksum over both.
//!
//! A table holds every value in 16 bits, in steps of 1/65535; rounding errs by less than 8e-6. A
//! checkpoint holds the values as they are, so that the work goes on as if it had never stopped.
//! Both are written beside their place and then renamed, so that no half-written file ever bears
//! the name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::ranking::Ranking;
use super::sweep::{Progress, Tables};
use crate::game::splitmix64;

const TABLE: &[u8; 8] = b"chowkaT1";
const CHECKPOINT: &[u8; 8] = b"chowkaC1";
const HEADER: usize = 40;

/// What a solution was computed with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Header {
    /// Pawns of a player.
    pub pawns: u8,
    /// Bonus throws of the longest chain.
    pub chain: u32,
    /// The greatest change of the last sweep of a group.
    pub change: f32,
}

/// A table read from a file.
#[derive(Debug)]
pub struct Table {
    /// What it was computed with.
    pub header: Header,
    /// The numbers of its states.
    pub ranking: Ranking,
    values: Vec<u16>,
}

impl Table {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let what = || format!("{} is no table of chowka-bhara", path.display());
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let (header, _, data) = unpack(&bytes, TABLE).with_context(what)?;
        let ranking = Ranking::new(header.pawns);
        let size = ranking.standings() * ranking.row();
        ensure!(
            data.len() == 2 * size,
            "{}: {} bytes of values where {} pawns have {}",
            what(),
            data.len(),
            header.pawns,
            2 * size
        );
        let values = data.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let values = values.collect();
        Ok(Table { header, ranking, values })
    }

    /// The value of a state.
    pub fn value(&self, index: usize) -> f32 {
        f32::from(self.values.get(index).copied().unwrap_or(32768)) / 65535.0
    }

    /// All values.
    pub fn values(&self) -> Vec<f32> {
        (0..self.values.len()).map(|index| self.value(index)).collect()
    }
}

/// Writes the values of a solution in 16 bits.
pub fn write_table(path: &Path, header: &Header, values: &[f32]) -> anyhow::Result<()> {
    let data = values
        .iter()
        .flat_map(|value| ((value.clamp(0.0, 1.0) * 65535.0).round() as u16).to_le_bytes());
    write(path, pack(TABLE, header, Progress::default(), data))
}

/// Where the checkpoint of a table stands.
pub fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// Writes the work so far.
pub fn write_checkpoint(
    path: &Path,
    header: &Header,
    progress: Progress,
    tables: &Tables,
) -> anyhow::Result<()> {
    let data = tables.iter().flatten().flat_map(|value| value.to_le_bytes());
    write(path, pack(CHECKPOINT, header, progress, data))
}

/// Reads the work so far into tables of the right size.
pub fn read_checkpoint(
    path: &Path,
    header: &Header,
    tables: &mut Tables,
) -> anyhow::Result<Progress> {
    let what = || format!("{} is no checkpoint to go on from", path.display());
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (found, progress, data) = unpack(&bytes, CHECKPOINT).with_context(what)?;
    ensure!(
        found == *header,
        "{}: it is of --pawns {} --chain {} --change {}; remove it or give these",
        what(),
        found.pawns,
        found.chain,
        found.change
    );
    let size: usize = tables.iter().map(Vec::len).sum();
    ensure!(data.len() == 4 * size, "{}: {} values, not {size}", what(), data.len() / 4);
    let numbers = data.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    for (value, number) in tables.iter_mut().flatten().zip(numbers) {
        *value = number;
    }
    Ok(progress)
}

fn pack(
    magic: &[u8; 8],
    header: &Header,
    progress: Progress,
    data: impl Iterator<Item = u8>,
) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(u32::from(header.pawns).to_le_bytes());
    bytes.extend(header.chain.to_le_bytes());
    bytes.extend(header.change.to_le_bytes());
    bytes.extend(progress.group.to_le_bytes());
    bytes.extend(progress.sweeps.to_le_bytes());
    bytes.extend([0; 4]);
    // The place of the checksum.
    bytes.extend([0; 8]);
    bytes.extend(data);
    let sum = checksum(&bytes);
    bytes[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
    bytes
}

fn unpack<'a>(bytes: &'a [u8], magic: &[u8; 8]) -> anyhow::Result<(Header, Progress, &'a [u8])> {
    let Some((head, data)) = bytes.split_first_chunk::<HEADER>() else {
        bail!("it has {} bytes, less than a header", bytes.len());
    };
    ensure!(head.starts_with(magic), "it does not begin with {}", magic.escape_ascii());
    let word = |at: usize| [head[at], head[at + 1], head[at + 2], head[at + 3]];
    let number = |at: usize| u32::from_le_bytes(word(at));
    let mut sum = [0; 8];
    sum.copy_from_slice(&head[HEADER - 8..]);
    ensure!(u64::from_le_bytes(sum) == checksum(bytes), "it is damaged: the checksum is wrong");
    let pawns = number(8);
    ensure!((1..=4).contains(&pawns), "it is for {pawns} pawns, not 1 to 4");
    let change = f32::from_le_bytes(word(16));
    let header = Header { pawns: pawns as u8, chain: number(12), change };
    Ok((header, Progress { group: number(20), sweeps: number(24) }, data))
}

/// A checksum of a file, its own place taken as zero.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = splitmix64(bytes.len() as u64);
    for (at, chunk) in bytes.chunks(8).enumerate() {
        if at != HEADER / 8 - 1 {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            sum = splitmix64(sum ^ u64::from_le_bytes(word));
        }
    }
    sum
}

fn write(path: &Path, bytes: Vec<u8>) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let beside = PathBuf::from(beside);
    fs::write(&beside, bytes).with_context(|| format!("cannot write {}", beside.display()))?;
    fs::rename(&beside, path).with_context(|| format!("cannot write {}", path.display()))
}
