//! The transposition table, shared by all threads of a search.
//!
//! An entry is 16 bytes: 64 bits of data and the key exclusive-or the data, so that an entry torn
//! between two writers does not match any key (Hyatt and Mann, *A lockless transposition table
//! implementation*, 2002). Four entries make a bucket of one cache line. The index of a bucket is the
//! high half of key times number of buckets, so that the table can have any size.

mod memory;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use memory::Memory;

use super::player::Bound;
use super::value::{MAX_EVALUATION, Value};
use crate::game::multiply_shift;
use crate::platform::Instant;

const SLOTS: usize = 4;
const AGES: u8 = 64;

/// The size of the smallest page of memory in bytes.
const PAGE: usize = 4096;

/// The size and alignment of a large page.
const LARGE_PAGE: usize = 2 << 20;

/// Marks an entry without an evaluation.
const NO_EVALUATION: i16 = i16::MIN;

#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The tag of the best move; 0 for none.
    pub tag: u16,
    /// The value, forced ends counted from this position, and its bound; `None` if only the move is
    /// known.
    pub value: Option<(Value, Bound)>,
    /// The static evaluation of the position.
    pub evaluation: Option<Value>,
    /// The depth of the search that found the value.
    pub depth: i32,
}

impl Entry {
    fn pack(&self, age: u8) -> u64 {
        let (value, bound) = match self.value {
            None => (0, 0),
            Some((value, Bound::Upper)) => (value, 1),
            Some((value, Bound::Lower)) => (value, 2),
            Some((value, Bound::Exact)) => (value, 3),
        };
        let evaluation = self
            .evaluation
            .map_or(NO_EVALUATION, |e| e.clamp(-MAX_EVALUATION, MAX_EVALUATION) as i16);
        u64::from(self.tag)
            | u64::from(value as i16 as u16) << 16
            | u64::from(evaluation as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(age << 2 | bound) << 56
    }

    fn unpack(data: u64) -> Self {
        let value = Value::from((data >> 16) as u16 as i16);
        let evaluation = (data >> 32) as u16 as i16;
        let value = match data >> 56 & 3 {
            1 => Some((value, Bound::Upper)),
            2 => Some((value, Bound::Lower)),
            3 => Some((value, Bound::Exact)),
            _ => None,
        };
        Entry {
            tag: data as u16,
            value,
            evaluation: (evaluation != NO_EVALUATION).then_some(Value::from(evaluation)),
            depth: depth_of(data),
        }
    }
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// The table. Any number of threads may read and write it at once.
pub struct TranspositionTable {
    buckets: NonNull<Bucket>,
    count: usize,
    age: AtomicU8,
    /// Owns the buckets; `None` for a table without any.
    _memory: Option<Memory>,
}

// SAFETY: the table owns the buckets, and they hold nothing but atomics.
unsafe impl Send for TranspositionTable {}
// SAFETY: as above.
unsafe impl Sync for TranspositionTable {}

impl TranspositionTable {
    /// A table of `mebibytes` MiB; 0 for none. Where memory is short, the table is smaller and a warning
    /// is logged.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        let mut count = mebibytes.saturating_mul(1 << 20) / size_of::<Bucket>();
        loop {
            if let Some((buckets, memory)) = allocate(count) {
                return TranspositionTable {
                    buckets,
                    count,
                    age: AtomicU8::new(0),
                    _memory: memory,
                };
            }
            log::warn!("no memory for a table of {} MiB", (count * size_of::<Bucket>()) >> 20);
            count /= 2;
        }
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.count * size_of::<Bucket>()
    }

    /// Begins another search: all present entries count as old from now on.
    pub(crate) fn next_age(&self) {
        let age = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(age, Ordering::Relaxed);
    }

    /// Writes to every page from a bucket on, so that the operating system provides the memory now
    /// and not while a search runs. Entries stay as they are. Stops after the time `most`, and
    /// returns the bucket at which to go on.
    pub(crate) fn touch(&self, from: usize, most: Duration) -> usize {
        let start = Instant::now();
        // SAFETY: the allocation has count buckets.
        let buckets = unsafe { std::slice::from_raw_parts(self.buckets.as_ptr(), self.count) };
        let mut touched = from.min(self.count);
        for part in buckets[touched..].chunks(LARGE_PAGE / size_of::<Bucket>()) {
            for bucket in part.iter().step_by(PAGE / size_of::<Bucket>()) {
                let data = &bucket.0[0].data;
                // `fetch_or(0)` would be compiled as a load, for which no memory is needed.
                let _ = data.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
            touched += part.len();
            if start.elapsed() > most {
                break;
            }
        }
        touched
    }

    fn bucket(&self, key: u64) -> Option<&Bucket> {
        if self.count == 0 {
            return None;
        }
        let index = multiply_shift(key, self.count as u64) as usize;
        // SAFETY: multiply_shift(_, count) is below count, and the allocation has count buckets.
        Some(unsafe { &*self.buckets.as_ptr().add(index) })
    }

    /// Prefetches the bucket of a position into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bucket) = self.bucket(key) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch of a valid address; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of a position.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)?.0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let matches = slot.check.load(Ordering::Relaxed) ^ data == key;
            (matches && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry. It replaces the entry of the same position, or the least deep and oldest of
    /// its bucket.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let Some(bucket) = self.bucket(key) else {
            return;
        };
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &bucket.0[0];
        let mut least = i32::MAX;
        for slot in &bucket.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                let old = Entry::unpack(data);
                let exact = matches!(entry.value, Some((_, Bound::Exact)));
                let deeper = old.value.is_some() && old.depth > entry.depth + 2;
                if age_of(data) == age && (deeper && !exact || entry.value.is_none()) {
                    return;
                }
                if entry.tag == 0 {
                    entry.tag = old.tag;
                }
                victim = slot;
                break;
            }
            let searches_ago = i32::from((AGES + age - age_of(data)) % AGES);
            let retention = if data == 0 { i32::MIN } else { depth_of(data) - 8 * searches_ago };
            if retention < least {
                (least, victim) = (retention, slot);
            }
        }
        let data = entry.pack(age);
        victim.check.store(key ^ data, Ordering::Relaxed);
        victim.data.store(data, Ordering::Relaxed);
    }

    /// How much of the table was written in this search, in permille of a sample.
    #[must_use]
    pub(crate) fn permille_full(&self) -> u16 {
        let sample = self.count.min(250);
        if sample == 0 {
            return 0;
        }
        let age = self.age.load(Ordering::Relaxed);
        // SAFETY: sample is at most count.
        let buckets = unsafe { std::slice::from_raw_parts(self.buckets.as_ptr(), sample) };
        let used = buckets.iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / (sample * SLOTS)) as u16
    }
}

/// Zeroed buckets and the memory that holds them.
fn allocate(count: usize) -> Option<(NonNull<Bucket>, Option<Memory>)> {
    if count == 0 {
        return Some((NonNull::dangling(), None));
    }
    let mut memory = Memory::zeroed(count.checked_mul(size_of::<Bucket>())?)?;
    // The memory is aligned to a cache line, as a bucket is; all zeroes is a valid bucket.
    let buckets = memory.pointer()?.cast();
    Some((buckets, Some(memory)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, splitmix64};

    fn entry(value: Value, depth: i32) -> Entry {
        let value = Some((value, Bound::Lower));
        Entry { tag: 77, value, evaluation: Some(-value.map_or(0, |v| v.0) / 2), depth }
    }

    #[test]
    fn entries_come_back_as_they_were() {
        let table = TranspositionTable::new(1);
        let mut random = Random::new(3);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for evaluation in [None, Some(-MAX_EVALUATION), Some(MAX_EVALUATION), Some(0)] {
                let key = random.next();
                let value = Some((random.below(64_000) as Value - 32_000, bound));
                let entry = Entry { tag: random.next() as u16, value, evaluation, depth: 13 };
                table.store(key, entry);
                assert_eq!(table.probe(key), Some(entry));
            }
        }
    }

    #[test]
    fn the_size_is_honoured_within_five_percent_and_zero_works() {
        for mebibytes in [1, 3, 16, 100] {
            let bytes = TranspositionTable::new(mebibytes).bytes() as f64;
            assert!((bytes / (mebibytes << 20) as f64 - 1.0).abs() < 0.05);
        }
        let none = TranspositionTable::new(0);
        none.store(5, entry(1, 1));
        assert_eq!(none.probe(5), None);
        assert_eq!(none.permille_full(), 0);
        none.prefetch(5);
    }

    #[test]
    fn deep_entries_of_this_search_outlive_shallow_ones() {
        let table = TranspositionTable::new(1);
        // The same high bits: one bucket.
        let key = |low: u64| 0xABCD_EF01 << 32 | low;
        for low in 0..4 {
            table.store(key(low), entry(9, 10));
        }
        table.store(key(4), entry(9, 3));
        let deep = (0..4).filter(|low| table.probe(key(*low)).is_some()).count();
        assert_eq!(deep, 3);
        assert!(table.probe(key(4)).is_some());
        table.store(key(5), entry(9, 2));
        assert_eq!(table.probe(key(4)), None, "the least deep entry goes first");
        table.next_age();
        table.next_age();
        for low in 6..10 {
            table.store(key(low), entry(9, 1));
        }
        assert!((6..10).all(|low| table.probe(key(low)).is_some()), "old entries go first");
    }

    /// Of the same search, an entry that is clearly deeper stays, and one with a value stays before a
    /// mere move; of an older search, nothing does.
    #[test]
    fn an_entry_of_the_same_position_stays_where_it_says_more() {
        let (old, exact) =
            (entry(9, 10), |depth| Entry { value: Some((9, Bound::Exact)), ..entry(9, depth) });
        for (new, stays) in [
            (entry(9, 8), false),
            (entry(9, 7), true),
            (exact(1), false),
            (Entry { value: None, ..entry(9, 10) }, true),
        ] {
            for searches in [0, 1, 2] {
                let table = TranspositionTable::new(1);
                table.store(5, old);
                (0..searches).for_each(|_| table.next_age());
                table.store(5, new);
                let found = table.probe(5);
                let expected = if stays && searches == 0 { old } else { new };
                assert_eq!(found, Some(expected), "{new:?} {searches} searches later");
            }
        }
    }

    #[test]
    fn a_full_table_says_so() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.permille_full(), 0);
        for n in 0..1_000_000 {
            table.store(splitmix64(n), entry(1, 1));
        }
        assert!(table.permille_full() > 990);
        table.next_age();
        assert_eq!(table.permille_full(), 0);
    }

    /// The number of a search wraps around; the next ones are still after it.
    #[test]
    fn a_long_game_wears_the_table_out_in_no_search() {
        for searches in 0..150 {
            let table = TranspositionTable::new(1);
            (0..searches).for_each(|_| table.next_age());
            // One bucket, the first.
            table.store(1, entry(9, 60));
            table.next_age();
            table.next_age();
            assert_eq!(table.permille_full(), 0, "after {searches} searches");
            (2..5).for_each(|key| table.store(key, entry(9, 20)));
            table.store(5, entry(9, 30));
            assert_eq!(table.permille_full(), 3, "after {searches} searches");
            // 60 less twice 8 is still more than 20.
            let kept = (1..5).filter(|key| table.probe(*key).is_some()).count();
            assert!(kept == 3 && table.probe(1).is_some(), "after {searches} searches");
            table.store(5, entry(9, 25));
            assert_eq!(table.probe(5), Some(entry(9, 30)), "deeper, and of the same search");
        }
    }

    #[test]
    fn touching_goes_on_where_it_stopped_and_changes_no_entry() {
        let table = TranspositionTable::new(7);
        let entries: Vec<_> = (0..100).map(|n| (splitmix64(n), entry(n as Value, 5))).collect();
        entries.iter().for_each(|(key, entry)| table.store(*key, *entry));
        let mut touched = vec![0];
        while touched.last() != Some(&table.count) {
            touched.push(table.touch(touched[touched.len() - 1], Duration::ZERO));
        }
        assert_eq!(touched.len(), 5, "four parts of at most 2 MiB: {touched:?}");
        assert!(touched.is_sorted());
        assert_eq!(table.touch(table.count, Duration::MAX), table.count);
        assert!(entries.iter().all(|(key, entry)| table.probe(*key) == Some(*entry)));
        assert_eq!(TranspositionTable::new(0).touch(0, Duration::MAX), 0);
    }

    #[test]
    fn torn_entries_are_not_found() {
        let table = TranspositionTable::new(1);
        table.store(42, entry(1, 1));
        let slot = &table.bucket(42).expect("a bucket").0[0];
        slot.data.store(slot.data.load(Ordering::Relaxed) ^ 1 << 20, Ordering::Relaxed);
        assert_eq!(table.probe(42), None);
    }
}
