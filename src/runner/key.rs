//! The key of a match, from which every seed follows that a match hands out.
//!
//! A seat that knows a seed, or the dice that came of it, learns nothing about any other seed: each
//! is a keyed hash. Whoever knows the key knows them all.

use std::fmt;
#[cfg(feature = "runner")]
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

#[cfg(feature = "runner")]
use crate::{files, reading};

/// What the key of `--seed N` is derived with.
const CONTEXT: &str = "parlor match key v1";

/// Bytes of a key file; one has 65.
const LONGEST_FILE: u64 = 4096;

/// What a seed is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub(in crate::runner) enum Purpose {
    /// A throw, also a deal.
    Throw = 0,
    /// The option `Seed` of an engine.
    EngineSeed = 1,
    /// A random ply of an opening.
    RandomPly = 2,
    /// A move of the random mover that replaces a faulty engine.
    Substitute = 3,
    /// The order of the openings.
    OpeningOrder = 4,
}

/// 32 secret bytes.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::runner) struct MatchKey([u8; 32]);

impl fmt::Debug for MatchKey {
    /// A key must not get into a message by accident.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MatchKey(..)")
    }
}

impl MatchKey {
    /// The key of `--seed N`: always the same.
    pub(in crate::runner) fn of_seed(seed: u64) -> Self {
        MatchKey(blake3::derive_key(CONTEXT, &seed.to_le_bytes()))
    }

    /// A new key from the system's source of randomness.
    ///
    /// # Errors
    /// When the system gives none.
    pub(in crate::runner) fn from_system() -> Result<Self> {
        let mut bytes = [0; 32];
        fill_randomly(&mut bytes).context("no random key; add --seed N")?;
        Ok(MatchKey(bytes))
    }

    /// Reads a key file: 64 hexadecimal digits, or the 32 bytes themselves.
    ///
    /// # Errors
    /// When it cannot be read or holds something else.
    #[cfg(feature = "runner")]
    pub(in crate::runner) fn read(path: &Path) -> Result<Self> {
        Self::from_file(path, reading::open(path))
    }

    #[cfg(feature = "runner")]
    fn from_file(path: &Path, file: std::io::Result<File>) -> Result<Self> {
        let bytes = file.and_then(|file| reading::bytes(file, LONGEST_FILE));
        let bytes = bytes.with_context(|| path.display().to_string())?;
        if let Ok(key) = <[u8; 32]>::try_from(bytes.as_slice()) {
            return Ok(MatchKey(key));
        }
        let text = std::str::from_utf8(&bytes).ok().map(str::trim);
        text.and_then(Self::from_hex).with_context(|| {
            format!("{}: a key is 64 hexadecimal digits or 32 bytes", path.display())
        })
    }

    /// The key in a file that may not exist.
    ///
    /// # Errors
    /// When there is a file, but no key in it.
    #[cfg(feature = "runner")]
    pub(in crate::runner) fn read_if_any(path: &Path) -> Result<Option<Self>> {
        if path.exists() {
            Self::from_file(path, reading::regular(path)).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Keeps the key in a file beside records, which somebody else may have sent together with one of
    /// that name: only a key is replaced by it, and nothing that a link names.
    ///
    /// # Errors
    /// When something else is there, or it cannot be written.
    #[cfg(feature = "runner")]
    pub(in crate::runner) fn keep(&self, path: &Path) -> Result<()> {
        let Ok(found) = std::fs::symlink_metadata(path) else { return self.write(path) };
        let kept = Self::read_if_any(path).ok().flatten();
        if kept.as_ref() == Some(self) {
            return Ok(());
        }
        ensure!(
            found.is_file() && kept.is_some(),
            "match key {}: something else is there, which is not written over; move it away, or \
             give the records another name",
            path.display()
        );
        self.write(path)
    }

    /// Takes the file of this key away. Whatever else is there stays, and is told: there would be no
    /// room for the key.
    ///
    /// # Errors
    /// When something else is there, or it cannot be removed.
    #[cfg(feature = "runner")]
    pub(in crate::runner) fn take_away(&self, path: &Path) -> Result<()> {
        let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(()) };
        let kept = Self::read_if_any(path).ok().flatten();
        let name = path.display();
        ensure!(
            found.is_file() && kept.as_ref() == Some(self),
            "match key {name}: something else is there; move it away, or give the records another name"
        );
        std::fs::remove_file(path).with_context(|| format!("match key {name}"))
    }

    /// Writes a file that only its owner may read.
    ///
    /// # Errors
    /// When it cannot be written.
    #[cfg(feature = "runner")]
    fn write(&self, path: &Path) -> Result<()> {
        files::write_private(path, self.to_hex() + "\n")
            .with_context(|| format!("match key {}", path.display()))
    }

    /// The key as 64 hexadecimal digits.
    pub(in crate::runner) fn to_hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// Reads 64 hexadecimal digits.
    pub(in crate::runner) fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| MatchKey(*hash.as_bytes()))
    }

    /// What the header of the records holds: whoever has seen it can check the key later, and
    /// cannot find it before.
    pub(in crate::runner) fn commitment(&self) -> String {
        blake3::hash(&self.0).to_hex().to_string()
    }

    /// Refuses a key that is not the one that a header promised.
    ///
    /// # Errors
    /// When it is another key.
    pub(in crate::runner) fn ensure_is(&self, commitment: &str) -> Result<()> {
        ensure!(self.commitment() == commitment, "another key than that of the match");
        Ok(())
    }

    /// The seed for a purpose: round and seat count from 1 as in the records (seat 0: nobody), `k`
    /// counts from 0. The rotations of a round have the same seeds.
    pub(in crate::runner) fn seed(&self, purpose: Purpose, round: u64, seat: usize, k: u64) -> u64 {
        let mut message = [0; 32];
        let numbers = [purpose as u64, round, seat as u64, k];
        for (place, number) in message.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let hash = blake3::keyed_hash(&self.0, &message);
        hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }
}

/// Fills bytes with what nobody can guess.
///
/// # Errors
/// When the system gives none.
pub(in crate::runner) fn fill_randomly(bytes: &mut [u8]) -> Result<()> {
    #[cfg(feature = "runner")]
    getrandom::fill(bytes)
        .map_err(|error| anyhow::anyhow!("the system gives no random numbers: {error}"))?;
    // A web page gives random numbers that are fit for keys; nothing else is without the runner.
    #[cfg(not(feature = "runner"))]
    for part in bytes.chunks_mut(8) {
        let random = crate::platform::random().to_le_bytes();
        part.copy_from_slice(random.get(..part.len()).unwrap_or_default());
    }
    Ok(())
}

/// The file beside the records that keeps their key.
pub(in crate::runner) fn file_beside(records: &Path) -> PathBuf {
    let mut name = records.as_os_str().to_owned();
    name.push(".key");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    // The expected values come from the Python package blake3.
    const ONE: &str = "4f9787f175c6ed7dfa24085880fe3b917f004f39ae53c0925dc43d4d91a1ac7e";
    const COMMITMENT: &str = "a20b08ebdfa598ee00ae7816f1a93069232755e109bc73cb37cbfc3e8808ca6d";

    #[test]
    fn the_key_of_a_seed_and_its_seeds_are_as_documented() {
        let key = MatchKey::of_seed(1);
        assert_eq!((key.to_hex().as_str(), key.commitment().as_str()), (ONE, COMMITMENT));
        for (purpose, round, seat, k, seed) in [
            (Purpose::Throw, 1, 1, 0, 5_121_404_926_970_863_871),
            (Purpose::Throw, 1, 1, 1, 11_217_022_399_578_517_621),
            (Purpose::EngineSeed, 1, 2, 0, 6_088_906_264_382_549_095),
            (Purpose::RandomPly, 3, 0, 0, 17_637_523_277_064_996_879),
            (Purpose::Substitute, 1, 4, 17, 5_523_248_691_271_514_387),
            (Purpose::OpeningOrder, 0, 0, 0, 13_376_859_545_214_155_993),
        ] {
            assert_eq!(key.seed(purpose, round, seat, k), seed, "{purpose:?} {round} {seat} {k}");
        }
    }

    #[test]
    fn keys_of_the_system_differ_and_are_not_printed() {
        let (one, other) = (MatchKey::from_system().unwrap(), MatchKey::from_system().unwrap());
        assert_ne!(one, other);
        assert_eq!(format!("{one:?}"), "MatchKey(..)");
        assert!(one.ensure_is(&one.commitment()).is_ok());
        assert!(one.ensure_is(&other.commitment()).is_err());
    }

    /// Records come with files beside them, and with links.
    #[test]
    fn only_a_key_is_replaced_by_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["match.jsonl.key", "precious"].map(|name| folder.path().join(name));
        let key = MatchKey::of_seed(1);
        for text in ["precious\n", ""] {
            for target in [&path, &other] {
                std::fs::write(target, text).unwrap();
                if target == &other {
                    std::fs::remove_file(&path).unwrap();
                    std::os::unix::fs::symlink(&other, &path).unwrap();
                }
                let error = key.keep(&path).unwrap_err().to_string();
                assert!(error.contains("something else is there"), "{error}");
                assert_eq!(std::fs::read_to_string(target).unwrap(), text);
            }
            std::fs::remove_file(&path).unwrap();
        }
        // Not even another key, where a link names it; and no file that is not there yet.
        MatchKey::of_seed(2).write(&other).unwrap();
        std::os::unix::fs::symlink(&other, &path).unwrap();
        assert!(key.keep(&path).is_err());
        assert_eq!(MatchKey::read(&other).unwrap(), MatchKey::of_seed(2));
        std::fs::remove_file(&other).unwrap();
        assert!(key.keep(&path).is_err() && !other.exists());
        std::fs::remove_file(&path).unwrap();
        key.keep(&path).unwrap();
        MatchKey::of_seed(3).keep(&path).unwrap();
        assert_eq!(MatchKey::read(&path).unwrap(), MatchKey::of_seed(3));
    }

    #[test]
    fn key_files_hold_digits_or_bytes_and_are_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl.key");
        assert_eq!(file_beside(&folder.path().join("match.jsonl")), path);
        assert_eq!(MatchKey::read_if_any(&path).unwrap(), None);
        let key = MatchKey::of_seed(1);
        key.write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{ONE}\n"));
        assert_eq!(MatchKey::read(&path).unwrap(), key);
        std::fs::write(&path, key.0).unwrap();
        assert_eq!(MatchKey::read(&path).unwrap(), key);
        // What an old file allowed does not stay.
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        key.write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for wrong in [&b""[..], b"4f97", &[7; 31], &[b'g'; 64], &[0xFF; 64]] {
            std::fs::write(&path, wrong).unwrap();
            let error = MatchKey::read(&path).unwrap_err().to_string();
            assert!(error.ends_with("a key is 64 hexadecimal digits or 32 bytes"), "{error}");
        }
    }
}
