//! A tablebase as a file: header with checksum, then the compressed verdicts.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

use super::{Places, Tablebase};
use crate::files::NewFile;
use crate::game::splitmix64;
use crate::games::porrika::rules::board::{BOARD, DEAD, Set, across};

/// The first bytes of such a file.
const MAGIC: &[u8; 16] = b"porrika ending 1";
const LEVEL: i32 = 3;

/// Why a file was not written or not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// An error of the operating system.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It does not start with the right bytes.
    #[error("not a file of a solved ending of Por'rika")]
    Foreign,
    /// Its walls are impossible.
    #[error("the walls in the file are no locked pairs")]
    Walls,
    /// It is too short or too long, or cannot be decompressed.
    #[error("the file is cut short or damaged")]
    Damaged,
    /// It decompresses to something else than was written.
    #[error("the checksum of the file is wrong")]
    Checksum,
}

impl Tablebase {
    /// Writes the file; an old one stays as it was if that fails.
    pub fn save(&self, path: &Path) -> Result<(), TablebaseError> {
        let mut out = NewFile::create(path)?;
        out.write_all(MAGIC)?;
        out.write_all(&self.places.walls.to_le_bytes())?;
        out.write_all(&self.checksum().to_le_bytes())?;
        let mut packed = zstd::Encoder::new(out, LEVEL)?;
        packed.write_all(&self.copper)?;
        packed.write_all(&self.silver)?;
        packed.finish()?.commit()?;
        Ok(())
    }

    /// Reads a file and checks every byte of it.
    pub fn load(path: &Path) -> Result<Tablebase, TablebaseError> {
        let mut input = BufReader::new(File::open(path)?);
        let (mut magic, mut walls, mut sum) = ([0; 16], [0; 16], [0; 8]);
        input.read_exact(&mut magic).map_err(|_| TablebaseError::Foreign)?;
        if &magic != MAGIC {
            return Err(TablebaseError::Foreign);
        }
        input.read_exact(&mut walls).map_err(|_| TablebaseError::Damaged)?;
        input.read_exact(&mut sum).map_err(|_| TablebaseError::Damaged)?;
        let walls = Set::from_le_bytes(walls);
        if walls & (!BOARD | DEAD) != 0 || across(walls) != walls || walls.count_ones() > 6 {
            return Err(TablebaseError::Walls);
        }
        let places = Places::new(walls);
        let size = places.pairs() * places.width() * places.width();
        let (mut copper, mut silver) = (vec![0; size], vec![0; size]);
        let mut packed = zstd::Decoder::new(input)?;
        packed.read_exact(&mut copper).map_err(|_| TablebaseError::Damaged)?;
        packed.read_exact(&mut silver).map_err(|_| TablebaseError::Damaged)?;
        if packed.read(&mut [0]).map_err(|_| TablebaseError::Damaged)? != 0 {
            return Err(TablebaseError::Damaged);
        }
        let tablebase = Tablebase { places, copper, silver };
        if tablebase.checksum().to_le_bytes() != sum {
            return Err(TablebaseError::Checksum);
        }
        Ok(tablebase)
    }

    /// A checksum over walls and verdicts.
    fn checksum(&self) -> u64 {
        let walls = self.places.walls;
        let mut sum = splitmix64(walls as u64) ^ splitmix64((walls >> 64) as u64).rotate_left(1);
        for bytes in [&self.copper, &self.silver] {
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                let word = u64::from_le_bytes(word);
                sum = (sum.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
        sum
    }
}
