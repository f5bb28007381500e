//! What a proof-number search knows of positions: a hash table of bounded size, that can be written
//! to a file and read again.

use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use parlor::files::NewFile;
use parlor::reading;

/// No number of further positions proves it.
pub const INFINITE: u32 = 1 << 30;

/// How many positions at least are still to be proved, and to be disproved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// Copper wins.
    pub const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    /// Copper does not win.
    pub const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    /// Whether nothing is left to do.
    pub const fn decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub numbers: Numbers,
    /// Of a proved position: the plies within which copper wins.
    pub plies: u32,
}

/// An entry with its key and the work that went into it: 24 bytes.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    proof: u32,
    disproof: u32,
    plies: u32,
    work: u32,
}

const SLOT: usize = size_of::<Slot>();

/// The slots among which a position has its place.
const BUCKET: usize = 4;

/// The first bytes of a file.
const MAGIC: &[u8; 16] = b"porrika proofs 1";

/// Level of compression: most of a table is keys, which do not pack.
const LEVEL: i32 = 1;

/// The table.
pub struct Table {
    slots: Vec<Slot>,
}

impl Table {
    /// An empty table of so many MiB.
    pub fn new(mebibytes: usize) -> anyhow::Result<Self> {
        let mut slots = Vec::new();
        let count = (mebibytes << 20) / SLOT / BUCKET * BUCKET;
        slots
            .try_reserve_exact(count)
            .with_context(|| format!("--memory {mebibytes}: there is not so much"))?;
        slots.resize(count, Slot::default());
        Ok(Table { slots })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    /// The places of a key.
    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / BUCKET) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let start = self.bucket(key);
        let slot = self.slots[start..start + BUCKET].iter().find(|slot| slot.key == key)?;
        let numbers = Numbers { proof: slot.proof, disproof: slot.disproof };
        Some(Entry { numbers, plies: slot.plies })
    }

    /// Stores what is known, in place of the entry of its bucket that took the least work.
    pub fn put(&mut self, key: u64, entry: Entry, work: u64) {
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + BUCKET];
        let place = match bucket.iter().position(|slot| slot.key == key) {
            Some(place) => place,
            None => (0..BUCKET).min_by_key(|place| bucket[*place].work).unwrap_or(0),
        };
        let before = if bucket[place].key == key { bucket[place].work } else { 0 };
        bucket[place] = Slot {
            key,
            proof: entry.numbers.proof,
            disproof: entry.numbers.disproof,
            plies: entry.plies,
            work: before.saturating_add(u32::try_from(work).unwrap_or(u32::MAX)),
        };
    }

    /// Writes the entries to a file.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let context = || format!("--table {}", path.display());
        let mut file = NewFile::create(path).with_context(context)?;
        file.write_all(MAGIC)?;
        file.write_all(&(self.slots.len() as u64).to_le_bytes())?;
        let mut packer = zstd::Encoder::new(&mut file, LEVEL)?;
        for slot in &self.slots {
            packer.write_all(&slot.bytes())?;
        }
        packer.finish()?;
        file.commit().with_context(context)
    }

    /// Reads the entries of a file into a table of its own size.
    pub fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut file = reading::regular(path)?;
        let mut head = [0; 24];
        file.read_exact(&mut head)?;
        ensure!(head[..16] == *MAGIC, "it is no table of `parlor-lab porrika prove`");
        let count = u64::from_le_bytes(head[16..].try_into()?);
        let mut unpacked = io::BufReader::new(reading::unpack(file)?);
        let mut bytes = [0; SLOT];
        for _ in 0..count {
            unpacked.read_exact(&mut bytes).context("it is cut short or damaged")?;
            let slot = Slot::of(&bytes);
            if slot.key != 0 {
                let numbers = Numbers { proof: slot.proof, disproof: slot.disproof };
                self.put(slot.key, Entry { numbers, plies: slot.plies }, slot.work.into());
            }
        }
        Ok(())
    }
}

impl Slot {
    fn bytes(&self) -> [u8; SLOT] {
        let mut bytes = [0; SLOT];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        for (place, number) in
            bytes[8..].chunks_exact_mut(4).zip([self.proof, self.disproof, self.plies, self.work])
        {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn of(bytes: &[u8; SLOT]) -> Self {
        let number = |start: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&bytes[start..start + 4]);
            u32::from_le_bytes(four)
        };
        let key = u64::from(number(0)) | u64::from(number(4)) << 32;
        Slot { key, proof: number(8), disproof: number(12), plies: number(16), work: number(20) }
    }
}
