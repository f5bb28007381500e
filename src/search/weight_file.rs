//! The container of every file of trained weights.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `ParlorW` and a zero byte |
//! | 4 | version of the container, 1 |
//! | 4 | length of the description |
//! | 8 | length of the payload |
//! | | the description: what the weights are for, UTF-8 |
//! | | the payload: the weights |
//! | 32 | BLAKE3 of everything before |
//!
//! Numbers are little-endian. The description names the game and the shape of the network; a reader
//! states the description that it expects and is refused any other.
//!
//! ```
//! use parlor::search::weight_file::{WeightFileError, pack, unpack};
//!
//! let file = pack("tic-tac-toe, 9 weights", &[7; 18]);
//! assert_eq!(unpack(&file, "tic-tac-toe, 9 weights"), Ok(&[7; 18][..]));
//!
//! let mut damaged = file.clone();
//! damaged[50] ^= 1;
//! assert_eq!(unpack(&damaged, "tic-tac-toe, 9 weights"), Err(WeightFileError::Checksum));
//! ```

use std::path::Path;

use crate::reading;

/// The first bytes of every file.
const MAGIC: [u8; 8] = *b"ParlorW\0";

/// The version that is written and read.
const VERSION: u32 = 1;

/// Bytes before the description.
const HEADER: usize = 24;

/// Bytes of the checksum.
const CHECKSUM: usize = 32;

/// Bytes of the largest file: ten times the largest network.
const LARGEST: u64 = 16 << 20;

/// Why a file of weights was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightFileError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The first bytes are others.
    #[error("is not a file of weights: it does not begin with 'ParlorW'")]
    NotWeights,
    /// Written by another version of the program.
    #[error("has version {0} of the format; this program reads version {VERSION}")]
    Version(u32),
    /// Bytes are missing or left over.
    #[error("has {found} bytes; its header states {stated}")]
    Length {
        /// The length of the file.
        found: usize,
        /// The length by the header.
        stated: u128,
    },
    /// The content was changed after it was written.
    #[error("is damaged: the checksum does not match")]
    Checksum,
    /// The weights of something else.
    #[error("holds weights for '{found}', not for '{expected}'")]
    Purpose {
        /// The description in the file.
        found: String,
        /// The description that was asked for.
        expected: String,
    },
    /// The payload does not fit the shape of the network.
    #[error("holds {found} bytes of weights; the network takes {expected}")]
    Payload {
        /// The length of the payload.
        found: usize,
        /// The length that the network takes.
        expected: usize,
    },
}

/// The bytes of a file with this description and payload.
#[must_use]
pub fn pack(description: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + description.len() + payload.len() + CHECKSUM);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(description.as_bytes());
    bytes.extend(payload);
    let checksum = blake3::hash(&bytes);
    bytes.extend(checksum.as_bytes());
    bytes
}

/// The payload of a file that must have this description.
pub fn unpack<'a>(bytes: &'a [u8], description: &str) -> Result<&'a [u8], WeightFileError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(WeightFileError::NotWeights);
    }
    let [version, described] = [8, 12].map(|at| number::<4>(bytes, at));
    if bytes.len() >= HEADER && version != u64::from(VERSION) {
        return Err(WeightFileError::Version(version as u32));
    }
    let length = number::<8>(bytes, 16);
    let stated = (HEADER + CHECKSUM) as u128 + u128::from(described) + u128::from(length);
    if bytes.len() < HEADER || bytes.len() as u128 != stated {
        return Err(WeightFileError::Length { found: bytes.len(), stated });
    }
    let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
    if blake3::hash(content).as_bytes() != checksum {
        return Err(WeightFileError::Checksum);
    }
    let (found, payload) = content[HEADER..].split_at(described as usize);
    if found != description.as_bytes() {
        let found = String::from_utf8_lossy(found).into_owned();
        return Err(WeightFileError::Purpose { found, expected: description.into() });
    }
    Ok(payload)
}

/// The little-endian number of `N` bytes at an offset; 0 beyond the end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..at + N).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The bytes of a file on disk.
pub fn read(path: &Path) -> Result<Vec<u8>, WeightFileError> {
    let read = reading::regular(path).and_then(|file| reading::bytes(file, LARGEST));
    read.map_err(|error| WeightFileError::Unreadable(error.to_string()))
}

/// A payload as 16-bit numbers.
pub fn numbers_16(payload: &[u8]) -> impl Iterator<Item = i16> {
    payload.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Vec<u8> {
        pack("test, 3 weights", &[1, 2, 3, 4, 5, 6])
    }

    #[test]
    fn a_payload_comes_back_for_its_description_alone() {
        assert_eq!(unpack(&file(), "test, 3 weights"), Ok(&[1, 2, 3, 4, 5, 6][..]));
        assert_eq!(numbers_16(&[1, 2, 3, 4, 5, 6]).collect::<Vec<_>>(), [513, 1027, 1541]);
        let error = unpack(&file(), "test, 4 weights").expect_err("other weights").to_string();
        assert_eq!(error, "holds weights for 'test, 3 weights', not for 'test, 4 weights'");
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let file = file();
        for bit in 0..8 * file.len() {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(unpack(&damaged, "test, 3 weights").is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_missing_and_every_further_byte_is_found() {
        let file = file();
        for length in 0..file.len() {
            assert!(unpack(&file[..length], "test, 3 weights").is_err(), "{length} bytes");
        }
        let mut longer = file.clone();
        longer.push(0);
        let stated = file.len() as u128;
        let error = WeightFileError::Length { found: file.len() + 1, stated };
        assert_eq!(unpack(&longer, "test, 3 weights"), Err(error));
    }

    #[test]
    fn random_bytes_of_the_right_length_and_other_versions_are_refused() {
        let mut random = crate::game::Random::new(3);
        let bytes: Vec<u8> = file().iter().map(|_| random.next() as u8).collect();
        assert_eq!(unpack(&bytes, "test, 3 weights"), Err(WeightFileError::NotWeights));
        let mut later = file();
        later[8] = 2;
        assert_eq!(unpack(&later, "test, 3 weights"), Err(WeightFileError::Version(2)));
    }

    #[test]
    fn a_header_that_states_huge_lengths_is_refused() {
        let mut bytes = file();
        bytes[12..24].fill(0xFF);
        assert!(matches!(unpack(&bytes, "test, 3 weights"), Err(WeightFileError::Length { .. })));
    }
}
