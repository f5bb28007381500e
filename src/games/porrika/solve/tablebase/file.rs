//! A tablebase as a file.
//!
//! | bytes | content |
//! |---|---|
//! | 16 | `porrika ending 2` |
//! | 16 | the walls, little-endian |
//! | | the verdicts, compressed with Zstandard: copper to move, then silver |
//! | 32 | BLAKE3 of everything before |

use std::io::{Read, Write};
use std::path::Path;

use super::{Places, Tablebase};
use crate::files;
use crate::games::porrika::rules::board::{BOARD, DEAD, Set, across};

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"porrika ending 2";
const LEVEL: i32 = 3;

/// Bytes of the checksum.
const CHECKSUM: usize = 32;

/// Why a file was not written or not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// An error of the operating system.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// It does not start with the right bytes.
    #[error("not a file of a solved ending of Por'rika")]
    Foreign,
    /// Its walls are impossible.
    #[error("the walls in the file are no locked pairs")]
    Walls,
    /// It holds too much or too little, or cannot be decompressed.
    #[error("the file is cut short or damaged")]
    Damaged,
    /// It was changed or cut after it was written.
    #[error("the file is cut short or damaged: its checksum is wrong")]
    Checksum,
}

impl Tablebase {
    /// Writes the file; an old one stays as it was if that fails.
    pub fn save(&self, path: &Path) -> Result<(), TablebaseError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.places.walls.to_le_bytes());
        let mut packed = zstd::Encoder::new(bytes, LEVEL)?;
        packed.write_all(&self.copper)?;
        packed.write_all(&self.silver)?;
        let mut bytes = packed.finish()?;
        let checksum = blake3::hash(&bytes);
        bytes.extend(checksum.as_bytes());
        Ok(files::write(path, bytes)?)
    }

    /// Reads a file and checks every byte of it.
    pub fn load(path: &Path) -> Result<Tablebase, TablebaseError> {
        Tablebase::from_bytes(&std::fs::read(path)?)
    }

    /// Reads the bytes of such a file and checks every one of them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, TablebaseError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TablebaseError::Foreign);
        }
        let end = bytes.len().saturating_sub(CHECKSUM);
        let (content, checksum) = bytes.split_at(end);
        let content = content.strip_prefix(MAGIC).ok_or(TablebaseError::Damaged)?;
        if blake3::hash(&bytes[..end]).as_bytes() != checksum {
            return Err(TablebaseError::Checksum);
        }
        let (walls, packed) = content.split_first_chunk().ok_or(TablebaseError::Damaged)?;
        let walls = Set::from_le_bytes(*walls);
        if walls & (!BOARD | DEAD) != 0 || across(walls) != walls || walls.count_ones() > 6 {
            return Err(TablebaseError::Walls);
        }
        let places = Places::new(walls);
        let size = places.pairs() * places.width() * places.width();
        let (mut copper, mut silver) = (vec![0; size], vec![0; size]);
        let mut packed = zstd::Decoder::new(packed)?;
        packed.read_exact(&mut copper).map_err(|_| TablebaseError::Damaged)?;
        packed.read_exact(&mut silver).map_err(|_| TablebaseError::Damaged)?;
        if packed.read(&mut [0]).map_err(|_| TablebaseError::Damaged)? != 0 {
            return Err(TablebaseError::Damaged);
        }
        Ok(Tablebase { places, copper, silver })
    }
}
