//! The bytes of a tablebase: in memory, or in a file of compressed blocks that is mapped.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use memmap2::Mmap;
use rayon::prelude::*;

use super::file::TablebaseError;

/// Bytes of a block before compression.
pub(super) const BLOCK: usize = 1 << 14;
/// Bytes of the checksum after each block.
pub(super) const BLOCK_CHECKSUM: usize = 8;
/// Blocks of a file that are kept decompressed: 8 MiB.
const KEPT: usize = 512;

/// The verdicts with copper to move and with silver to move, as bytes.
pub(super) enum Values {
    Memory([Vec<u8>; 2]),
    File(Blocks),
}

impl Values {
    /// The byte of a state; `None` if there is none, or if its block is damaged.
    pub(super) fn byte(&self, side: usize, number: usize) -> Option<u8> {
        match self {
            Values::Memory(sides) => sides[side].get(number).copied(),
            Values::File(blocks) => blocks.byte(side, number),
        }
    }

    /// Calls a function with all bytes of one side in pieces, in parallel, and adds up what it
    /// returns.
    pub(super) fn fold<T: Send>(
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
pub(super) enum Content {
    Mapped(Mmap),
    Memory(Vec<u8>),
}

impl Content {
    /// Maps a file into memory.
    pub(super) fn map(path: &Path) -> std::io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the bytes are only read, and checked where they are used. This program replaces
        // such files as a whole and never changes them in place.
        Ok(Content::Mapped(unsafe { Mmap::map(&file)? }))
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Mapped(map) => map,
            Content::Memory(bytes) => bytes,
        }
    }
}

/// A block that was decompressed, with its number.
type Kept = Mutex<Option<(usize, Vec<u8>)>>;

/// The compressed blocks of a file: first those with copper to move, then those with silver to move.
pub(super) struct Blocks {
    content: Content,
    /// Where each block begins in the file; at the end, where the last one ends.
    starts: Vec<usize>,
    /// Bytes of one side before compression.
    states: usize,
    kept: Vec<Kept>,
    /// Whether damage was reported.
    reported: AtomicBool,
}

impl Blocks {
    /// The blocks of a file that begin at given places, and one more number where they end; `None`
    /// if the numbers do not fit.
    pub(super) fn new(content: Content, starts: Vec<usize>, states: usize) -> Option<Self> {
        let fits = starts.len() == 2 * states.div_ceil(BLOCK) + 1
            && starts.last() == Some(&content.len())
            && starts.windows(2).all(|pair| {
                pair[1].checked_sub(pair[0]).is_some_and(|length| length >= BLOCK_CHECKSUM)
            });
        let kept = (0..KEPT).map(|_| Mutex::default()).collect();
        let reported = AtomicBool::new(false);
        fits.then_some(Blocks { content, starts, states, kept, reported })
    }

    /// The number of blocks of one side.
    fn a_side(&self) -> usize {
        self.states.div_ceil(BLOCK)
    }

    /// The bytes of a block, checked.
    fn decompress(&self, block: usize) -> Result<Vec<u8>, TablebaseError> {
        let bytes = &self.content[self.starts[block]..self.starts[block + 1]];
        let (packed, checksum) = bytes.split_at(bytes.len() - BLOCK_CHECKSUM);
        if checksum_of(packed) != checksum {
            return Err(TablebaseError::Checksum);
        }
        let length = BLOCK.min(self.states - block % self.a_side() * BLOCK);
        let content = zstd::bulk::decompress(packed, length).ok();
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
pub(super) fn checksum_of(packed: &[u8]) -> [u8; BLOCK_CHECKSUM] {
    let mut checksum = [0; BLOCK_CHECKSUM];
    checksum.copy_from_slice(&blake3::hash(packed).as_bytes()[..BLOCK_CHECKSUM]);
    checksum
}
