//! A tablebase as a file that can be probed without reading the whole of it.
//!
//! | bytes | content |
//! |---|---|
//! | 16 | `porrika ending 3` |
//! | 16 | the walls, little-endian, as all numbers |
//! | 1 | the space of the egg that is home; 255 with two eggs on their way |
//! | 1 | the number of Guardians that are not locked |
//! | 8 | the number of blocks |
//! | 8 for each block | where it ends in the file |
//! | 32 | BLAKE3 of everything before |
//! | | the blocks: 16,384 verdicts compressed with Zstandard, and the first 8 bytes of their BLAKE3 |
//!
//! The blocks with copper to move come first. The last block of a side is shorter.

use std::io::Write;
use std::path::Path;

use rayon::prelude::*;

use super::values::{BLOCK, BLOCK_CHECKSUM, Blocks, Content, Values, checksum_of};
use super::{Ending, Tablebase};
use crate::files::NewFile;
use crate::games::porrika::rules::board::{BOARD, DEAD, GOALS, Set, Space, across};
use crate::games::porrika::solve::ending::{FreePieces, Layout};

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"porrika ending 3";
const LEVEL: i32 = 9;
/// In place of a space: no egg is home.
const NO_HOME: u8 = 255;
/// Bytes of the checksum of the header.
const CHECKSUM: usize = 32;

/// Why a file was not written or not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// An error of the operating system.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It does not start with the right bytes.
    #[error("not a file of a solved ending of Por'rika, or one of another version")]
    Foreign,
    /// Its walls are impossible.
    #[error("the walls in the file are no locked pairs")]
    Walls,
    /// It holds too much or too little, or cannot be decompressed.
    #[error("the file is cut short or damaged")]
    Damaged,
    /// A tablebase that is in a file already.
    #[error("the tablebase is in a file already: copy that")]
    InFile,
    /// It was changed or cut after it was written.
    #[error("the file is cut short or damaged: a checksum is wrong")]
    Checksum,
}

impl Tablebase {
    /// Writes the file; an old one stays as it was if that fails. Returns its size in bytes.
    ///
    /// # Errors
    /// When it cannot be written, or when the tablebase is in a file itself.
    pub fn save(&self, path: &Path) -> Result<u64, TablebaseError> {
        let Values::Memory(sides) = &self.values else { return Err(TablebaseError::InFile) };
        let blocks = sides.par_iter().flat_map(|side| side.par_chunks(BLOCK)).map(pack);
        let blocks = blocks.collect::<std::io::Result<Vec<Vec<u8>>>>()?;
        let header = self.header(&blocks);
        let mut file = NewFile::create(path)?;
        file.write_all(&header)?;
        for block in &blocks {
            file.write_all(block)?;
        }
        file.commit()?;
        Ok(header.len() as u64 + blocks.iter().map(|block| block.len() as u64).sum::<u64>())
    }

    fn header(&self, blocks: &[Vec<u8>]) -> Vec<u8> {
        let ending = self.layout.ending;
        let (home, guardians) = match ending.free() {
            FreePieces::TwoEggs => (NO_HOME, 1),
            FreePieces::LastEgg { home, guardians } => (home.index() as u8, guardians as u8),
        };
        let mut header = MAGIC.to_vec();
        header.extend(ending.walls().to_le_bytes());
        header.extend([home, guardians]);
        header.extend((blocks.len() as u64).to_le_bytes());
        let mut end = header.len() + 8 * blocks.len() + CHECKSUM;
        for block in blocks {
            end += block.len();
            header.extend((end as u64).to_le_bytes());
        }
        let checksum = blake3::hash(&header);
        header.extend(checksum.as_bytes());
        header
    }

    /// Opens a file: maps it into memory and checks its header. The blocks are checked when they
    /// are probed, or by [`check`](Tablebase::check).
    ///
    /// # Errors
    /// When it cannot be read, or is no such file.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::from_content(Content::map(path)?)
    }

    /// The same with the bytes of a file.
    ///
    /// # Errors
    /// When they are no such file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, TablebaseError> {
        Tablebase::from_content(Content::Memory(bytes.to_vec()))
    }

    fn from_content(content: Content) -> Result<Tablebase, TablebaseError> {
        let rest = content.strip_prefix(MAGIC).ok_or(TablebaseError::Foreign)?;
        let (walls, rest) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let (pieces, rest) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let (count, rest) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok();
        let ends = count.and_then(|count| rest.get(..count.checked_mul(8)?));
        let ends = ends.ok_or(TablebaseError::Damaged)?;
        let checked = content.len() - rest.len() + ends.len();
        let start = checked + CHECKSUM;
        let checksum = content.get(checked..start).ok_or(TablebaseError::Damaged)?;
        if blake3::hash(&content[..checked]).as_bytes() != checksum {
            return Err(TablebaseError::Checksum);
        }
        let layout = Layout::new(ending(Set::from_le_bytes(*walls), *pieces)?);
        let starts =
            [start].into_iter().chain(ends.chunks_exact(8).map(|end| {
                end.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
            }));
        let starts = starts.collect();
        let states = layout.states();
        let blocks = Blocks::new(content, starts, states).ok_or(TablebaseError::Damaged)?;
        Ok(Tablebase { layout, values: Values::File(blocks) })
    }

    /// Checks every byte of the file that the tablebase is in.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn check(&self) -> Result<(), TablebaseError> {
        for side in [0, 1] {
            self.values.fold(side, |_| (), |(), ()| ())?;
        }
        Ok(())
    }
}

/// A block as it is in the file.
fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = zstd::bulk::compress(bytes, LEVEL)?;
    packed.reserve_exact(BLOCK_CHECKSUM);
    let checksum = checksum_of(&packed);
    packed.extend(checksum);
    Ok(packed)
}

/// The ending that a header names.
fn ending(walls: Set, [home, guardians]: [u8; 2]) -> Result<Ending, TablebaseError> {
    if walls & (!BOARD | DEAD) != 0 || across(walls) != walls || walls.count_ones() > 6 {
        return Err(TablebaseError::Walls);
    }
    let free = match (home, guardians) {
        (NO_HOME, 1) => FreePieces::TwoEggs,
        (home, 0..=2) => {
            let space = Space::from_index(home.into()).filter(|home| home.bit() & GOALS != 0);
            let home = space.ok_or(TablebaseError::Damaged)?;
            FreePieces::LastEgg { home, guardians: guardians.into() }
        }
        _ => return Err(TablebaseError::Damaged),
    };
    Ok(Ending::new(walls, free))
}
