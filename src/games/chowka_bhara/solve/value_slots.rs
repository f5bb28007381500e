//! Where the results of the first values of value sets are kept during a backup.

use super::ranking::VALUES;
use super::value_sets::ValueSets;

/// A slot for each value played last, then one for each value and what remains after it.
#[derive(Debug)]
pub(super) struct Slots {
    /// How many there are.
    pub(super) count: usize,
    /// By value set: the slots of its first values.
    pub(super) by_set: Vec<Vec<u16>>,
    /// By value and remainder.
    after: Vec<[u16; VALUES.len()]>,
    /// By value: the remainders after it in rolls and remainders; in remainders alone.
    rests: [Vec<u8>; VALUES.len()],
    inner_rests: [Vec<u8>; VALUES.len()],
}

impl Slots {
    /// Those of all value sets.
    pub(super) fn new(value_sets: &ValueSets) -> Self {
        let mut count = VALUES.len();
        let mut after = vec![[0; VALUES.len()]; value_sets.remainders];
        for (kind, rests) in value_sets.rests.iter().enumerate() {
            for rest in rests {
                after[usize::from(*rest)][kind] = count as u16;
                count += 1;
            }
        }
        let of = |first: &super::value_sets::First| match first.rest {
            None => u16::from(first.kind),
            Some(rest) => after[usize::from(rest)][usize::from(first.kind)],
        };
        let by_set = value_sets.firsts.iter().map(|firsts| firsts.iter().map(of).collect());
        let by_set = by_set.collect();
        let inner_rests = [0, 1, 2, 3, 4].map(|kind| {
            let firsts = value_sets.firsts[..value_sets.remainders].iter().flatten();
            let rests = firsts.filter(|first| first.kind == kind).filter_map(|first| first.rest);
            let mut rests: Vec<u8> = rests.collect();
            rests.sort_unstable();
            rests.dedup();
            rests
        });
        Slots { count, by_set, after, rests: value_sets.rests.clone(), inner_rests }
    }

    /// The slot of a value and what remains after it.
    #[inline]
    pub(super) fn of(&self, kind: usize, rest: u8) -> usize {
        usize::from(self.after[usize::from(rest)][kind])
    }

    /// What can remain after a value: of whole rolls, or of remainders alone.
    #[inline]
    pub(super) fn rests(&self, kind: usize, of_rolls: bool) -> &[u8] {
        if of_rolls { &self.rests[kind] } else { &self.inner_rests[kind] }
    }
}
