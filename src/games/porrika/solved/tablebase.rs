//! Endgame tablebases: the verdict of every state of an [`Ending`], in memory or in a file that is
//! probed without reading the whole of it.
//!
//! A file:
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

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::RangeInclusive;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::ending::{Ending, FreePieces, Layout};
use super::verdict::{Census, Verdict};
use crate::game::Game;
use crate::games::porrika::rules::board::{BOARD, DEAD, GOALS, Set, Space, across};
use crate::games::porrika::rules::{EndReason, Move, Phase, Position, Side};
use crate::reading;

/// Bytes of a block before compression.
pub const BLOCK: usize = 1 << 14;
/// Bytes of the checksum after each block.
const BLOCK_CHECKSUM: usize = 8;
/// Bytes of a block in a file with its checksum: packed, it is hardly longer than before.
const SIZES: RangeInclusive<u64> = BLOCK_CHECKSUM as u64..=2 * BLOCK as u64;
/// Blocks of a file that are kept decompressed: 8 MiB.
const KEPT: usize = 512;

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"porrika ending 3";
/// In place of a space: no egg is home.
const NO_HOME: u8 = 255;
/// Bytes of a header before it says where the blocks end.
const FIXED: u64 = 42;
/// Bytes of the checksum of the header.
const CHECKSUM: u64 = 32;

/// Why a file was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// An error of the operating system.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not start with the right bytes.
    #[error("not a file of a solved ending of Por'rika, or one of another version")]
    Foreign,
    /// Its walls are impossible.
    #[error("the walls in the file are no locked pairs")]
    Walls,
    /// It holds too much or too little, or cannot be decompressed.
    #[error("the file is cut short or damaged")]
    Damaged,
    /// It was changed or cut after it was written.
    #[error("the file is cut short or damaged: a checksum is wrong")]
    Checksum,
}

/// The verdict of every state of an ending.
pub struct Tablebase {
    layout: Layout,
    values: Values,
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase").field("ending", &self.ending()).finish_non_exhaustive()
    }
}

impl Tablebase {
    /// The ending that it was generated for.
    #[must_use]
    pub fn ending(&self) -> Ending {
        self.layout.ending
    }

    /// The tablebase whose verdicts with copper and with silver to move are these bytes, by the
    /// numbers of its [`Layout`].
    #[must_use]
    pub fn in_memory(ending: Ending, sides: [Vec<u8>; 2]) -> Self {
        Tablebase { layout: Layout::new(ending), values: Values::Memory(sides) }
    }

    /// These bytes; `None` if they are in a file.
    #[must_use]
    pub fn sides(&self) -> Option<&[Vec<u8>; 2]> {
        match &self.values {
            Values::Memory(sides) => Some(sides),
            Values::File(_) => None,
        }
    }

    /// The verdict of a position of the ending; `None` for any other position, and where the file
    /// is damaged.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        self.verdict(self.layout.number(position)?, position.side())
    }

    /// The verdict of the state with a number.
    #[must_use]
    pub fn verdict(&self, number: usize, side: Side) -> Option<Verdict> {
        Verdict::from_byte(self.values.byte(side as usize, number)?, side)
    }

    /// The verdict of a position that may be over; `None` if the tablebase does not cover it.
    #[must_use]
    pub fn verdict_after(&self, next: &Position) -> Option<Verdict> {
        match next.phase() {
            Phase::Over(EndReason::EggsHome) => Some(Verdict::CopperWins(0)),
            Phase::Over(_) => Some(Verdict::SilverWins(0)),
            _ => self.probe(next),
        }
    }

    /// Whether a move keeps the verdict of a position and its distance.
    #[must_use]
    pub(crate) fn is_best(&self, position: &Position, m: &Move) -> bool {
        let mut next = *position;
        next.play(m);
        let after = self.verdict_after(&next).map(Verdict::one_ply_before);
        after.is_some() && after == self.probe(position)
    }

    /// Counts the states with one side to move.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn census(&self, side: Side) -> Result<Census, TablebaseError> {
        let count = |bytes: &[u8]| Census::of(bytes, side);
        Ok(self.values.fold(side as usize, count, Census::plus)?.unwrap_or_default())
    }

    /// Opens a file and checks its header. The blocks are read and checked when they are probed, or
    /// by [`check`](Tablebase::check).
    ///
    /// # Errors
    /// When it cannot be read, or is no such file.
    pub fn open(path: &Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::from_content(Content::File(reading::regular(path)?))
    }

    /// The same with the bytes of a file.
    ///
    /// # Errors
    /// When they are no such file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, TablebaseError> {
        Tablebase::from_content(Content::Memory(bytes.to_vec()))
    }

    fn from_content(content: Content) -> Result<Tablebase, TablebaseError> {
        let length = content.length()?;
        let mut header = content.read(0, length.min(FIXED))?;
        let rest = header.strip_prefix(MAGIC).ok_or(TablebaseError::Foreign)?;
        let (walls, rest) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let (pieces, rest) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let (count, _) = rest.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let (walls, pieces) = (Set::from_le_bytes(*walls), *pieces);
        // As many blocks as its ending has: a count is believed no more than a length, for a file of
        // a terabyte need not take any room.
        let layout = Layout::new(ending(walls, pieces)?);
        let blocks = 2 * layout.states().div_ceil(BLOCK) as u64;
        let ends = 8 * blocks;
        if u64::from_le_bytes(*count) != blocks || ends > length {
            return Err(TablebaseError::Damaged);
        }
        header.extend(content.read(FIXED, ends)?);
        let checked = FIXED + ends;
        if content.read(checked, CHECKSUM)? != blake3::hash(&header).as_bytes() {
            return Err(TablebaseError::Checksum);
        }
        let ends = header[FIXED as usize..].chunks_exact(8);
        let ends =
            ends.map(|end| end.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)));
        let starts = [checked + CHECKSUM].into_iter().chain(ends).collect();
        let states = layout.states();
        let blocks = Blocks::new(content, starts, states)?;
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

/// What a file begins with, before its blocks of given lengths, checksums included.
#[must_use]
pub fn header(ending: Ending, blocks: &[usize]) -> Vec<u8> {
    let (home, guardians) = match ending.free() {
        FreePieces::TwoEggs => (NO_HOME, 1),
        FreePieces::LastEgg { home, guardians } => (home.index() as u8, guardians as u8),
    };
    let mut header = MAGIC.to_vec();
    header.extend(ending.walls().to_le_bytes());
    header.extend([home, guardians]);
    header.extend((blocks.len() as u64).to_le_bytes());
    let mut end = header.len() + 8 * blocks.len() + CHECKSUM as usize;
    for block in blocks {
        end += block;
        header.extend((end as u64).to_le_bytes());
    }
    let checksum = blake3::hash(&header);
    header.extend(checksum.as_bytes());
    header
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

/// The verdicts with copper to move and with silver to move, as bytes.
enum Values {
    Memory([Vec<u8>; 2]),
    File(Blocks),
}

impl Values {
    /// The byte of a state; `None` if there is none, or if its block is damaged.
    fn byte(&self, side: usize, number: usize) -> Option<u8> {
        match self {
            Values::Memory(sides) => sides[side].get(number).copied(),
            Values::File(blocks) => blocks.byte(side, number),
        }
    }

    /// Calls a function with all bytes of one side in pieces, in parallel, and adds up what it
    /// returns.
    fn fold<T: Send>(
        &self,
        side: usize,
        of: impl Fn(&[u8]) -> T + Sync + Send,
        plus: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<Option<T>, TablebaseError> {
        match self {
            Values::Memory(sides) => Ok(sides[side].par_chunks(BLOCK).map(of).reduce_with(plus)),
            Values::File(blocks) => (0..blocks.a_side())
                .into_par_iter()
                .map(|block| Ok(of(&blocks.decompress(side * blocks.a_side() + block)?)))
                .try_reduce_with(|one, other| Ok(plus(one, other)))
                .transpose(),
        }
    }
}

/// The content of a file.
enum Content {
    /// Read where it is needed: a file that is cut or replaced meanwhile gives an error.
    File(File),
    Memory(Vec<u8>),
}

impl Content {
    fn length(&self) -> io::Result<u64> {
        match self {
            Content::File(file) => file.metadata().map(|file| file.len()),
            Content::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// So many bytes from a place on.
    fn read(&self, start: u64, length: u64) -> Result<Vec<u8>, TablebaseError> {
        let size = usize::try_from(length).map_err(|_| TablebaseError::Damaged)?;
        match self {
            Content::File(file) => {
                let mut bytes = vec![0; size];
                match file.read_exact_at(&mut bytes, start) {
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                        Err(TablebaseError::Damaged)
                    }
                    read => Ok(read.map(|()| bytes)?),
                }
            }
            Content::Memory(bytes) => {
                let start = usize::try_from(start).ok();
                let found = start.and_then(|start| bytes.get(start..)?.get(..size));
                found.map(<[u8]>::to_vec).ok_or(TablebaseError::Damaged)
            }
        }
    }
}

/// A block that was decompressed, with its number.
type Kept = Mutex<Option<(usize, Vec<u8>)>>;

/// The compressed blocks of a file: first those with copper to move, then those with silver to move.
struct Blocks {
    content: Content,
    /// Where each block begins in the file; at the end, where the last one ends.
    starts: Vec<u64>,
    /// Bytes of one side before compression.
    states: usize,
    kept: Vec<Kept>,
    /// Whether damage was reported.
    reported: AtomicBool,
}

impl Blocks {
    /// The blocks of a file that begin at given places, and one more number where they end.
    ///
    /// # Errors
    /// When the numbers do not fit.
    fn new(content: Content, starts: Vec<u64>, states: usize) -> Result<Self, TablebaseError> {
        let fits = starts.len() == 2 * states.div_ceil(BLOCK) + 1
            && starts.last() == Some(&content.length()?)
            && starts.windows(2).all(|pair| {
                let length = pair[1].checked_sub(pair[0]);
                length.is_some_and(|length| SIZES.contains(&length))
            });
        if !fits {
            return Err(TablebaseError::Damaged);
        }
        let kept = (0..KEPT).map(|_| Mutex::default()).collect();
        Ok(Blocks { content, starts, states, kept, reported: AtomicBool::new(false) })
    }

    /// The number of blocks of one side.
    fn a_side(&self) -> usize {
        self.states.div_ceil(BLOCK)
    }

    /// The bytes of a block, checked.
    fn decompress(&self, block: usize) -> Result<Vec<u8>, TablebaseError> {
        let start = self.starts[block];
        let bytes = self.content.read(start, self.starts[block + 1] - start)?;
        let (packed, checksum) = bytes.split_at(bytes.len() - BLOCK_CHECKSUM);
        if checksum_of(packed) != checksum {
            return Err(TablebaseError::Checksum);
        }
        let length = BLOCK.min(self.states - block % self.a_side() * BLOCK);
        let content = reading::unpack_block(packed, length).ok();
        content.filter(|content| content.len() == length).ok_or(TablebaseError::Damaged)
    }

    fn byte(&self, side: usize, number: usize) -> Option<u8> {
        if number >= self.states {
            return None;
        }
        let block = side * self.a_side() + number / BLOCK;
        let mut kept = self.kept[block % KEPT].lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|(held, _)| *held != block) {
            match self.decompress(block) {
                Ok(bytes) => *kept = Some((block, bytes)),
                Err(error) => {
                    if !self.reported.swap(true, Ordering::Relaxed) {
                        log::warn!("a tablebase is not used: {error}");
                    }
                    return None;
                }
            }
        }
        kept.as_ref().and_then(|(_, bytes)| bytes.get(number % BLOCK).copied())
    }
}

/// The checksum that follows a block.
#[must_use]
pub fn checksum_of(packed: &[u8]) -> [u8; BLOCK_CHECKSUM] {
    let mut checksum = [0; BLOCK_CHECKSUM];
    checksum.copy_from_slice(&blake3::hash(packed).as_bytes()[..BLOCK_CHECKSUM]);
    checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many blocks of each side as are kept: a block of copper and the same one of silver have one
    /// place.
    #[test]
    fn blocks_with_one_place_are_told_apart() {
        let states = KEPT * BLOCK;
        let mut content = Vec::new();
        let mut starts = vec![0];
        for side in [0, 1] {
            let packed = zstd::bulk::compress(&[side; BLOCK], 1).unwrap();
            for _ in 0..KEPT {
                content.extend(&packed);
                content.extend(checksum_of(&packed));
                starts.push(content.len() as u64);
            }
        }
        let blocks = Blocks::new(Content::Memory(content), starts, states).unwrap();
        for number in [0, 3 * BLOCK + 5, states - 1] {
            for side in [0, 1, 1, 0] {
                assert_eq!(blocks.byte(side, number), Some(side as u8), "state {number}");
            }
        }
    }
}
