//! Value sets: the values that a player still has to play, and the rolls, the values of whole
//! turns.
//!
//! Rolls with more than `chain` bonus throws are left out. Their probability is shared among the
//! others.

/// The values that can be thrown; steps refer to them by index.
pub(super) const VALUES: [u8; 5] = [1, 2, 3, 4, 8];

/// The first value played of a value set, and what remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct First {
    /// The value, as an index into [`VALUES`].
    pub(super) kind: u8,
    /// The value set after it; `None` if it was the last value.
    pub(super) rest: Option<u8>,
}

/// All value sets that can occur.
#[derive(Debug)]
pub(super) struct ValueSets {
    /// The values of every set in ascending order, as indices into [`VALUES`].
    pub(super) sets: Vec<Vec<u8>>,
    /// The sets that are rolls, and their probabilities.
    pub(super) rolls: Vec<(u8, f64)>,
    /// How many sets can remain of a greater one. They come first.
    pub(super) remainders: usize,
    /// By set: its first values.
    pub(super) firsts: Vec<Vec<First>>,
    /// By value: the sets that can remain after it.
    pub(super) rests: [Vec<u8>; VALUES.len()],
}

impl ValueSets {
    /// Those of rolls with at most `chain` bonus throws.
    pub(super) fn new(chain: u32) -> Self {
        let rolls = rolls(chain);
        let mut remainders: Vec<Vec<u8>> = Vec::new();
        let mut waiting: Vec<Vec<u8>> = rolls.iter().map(|(values, _)| values.clone()).collect();
        while let Some(values) = waiting.pop() {
            for kind in distinct(&values) {
                let rest = without(&values, kind);
                if !rest.is_empty() && !remainders.contains(&rest) {
                    remainders.push(rest.clone());
                    waiting.push(rest);
                }
            }
        }
        remainders.sort_by_key(|values| (values.len(), values.clone()));
        let mut list = remainders.clone();
        list.extend(
            rolls.iter().map(|(values, _)| values).filter(|k| !remainders.contains(k)).cloned(),
        );
        let number = |values: &[u8]| list.iter().position(|known| known == values).map(|n| n as u8);
        let total: f64 = rolls.iter().map(|(_, probability)| probability).sum();
        let probabilities = rolls
            .iter()
            .filter_map(|(values, probability)| Some((number(values)?, probability / total)));
        let firsts = list.iter().map(|values| {
            let first = |kind| First { kind, rest: number(&without(values, kind)) };
            distinct(values).map(first).collect::<Vec<_>>()
        });
        let firsts: Vec<_> = firsts.collect();
        let rests = [0, 1, 2, 3, 4].map(|kind| {
            let of_kind = firsts.iter().flatten().filter(|first| first.kind == kind);
            let mut rests: Vec<u8> = of_kind.filter_map(|first| first.rest).collect();
            rests.sort_unstable();
            rests.dedup();
            rests
        });
        ValueSets {
            rolls: probabilities.collect(),
            remainders: remainders.len(),
            firsts,
            rests,
            sets: list,
        }
    }
}

/// The different values of a set.
pub(super) fn distinct(values: &[u8]) -> impl Iterator<Item = u8> {
    let new = |at: &usize| !values[..*at].contains(&values[*at]);
    (0..values.len()).filter(new).map(|at| values[at])
}

/// A set after one of its values is played.
pub(super) fn without(values: &[u8], kind: u8) -> Vec<u8> {
    let at = values.iter().position(|known| *known == kind);
    values.iter().enumerate().filter(|(i, _)| Some(*i) != at).map(|(_, kind)| *kind).collect()
}

/// All rolls with at most `chain` bonus throws in any order, with their probabilities.
fn rolls(chain: u32) -> Vec<(Vec<u8>, f64)> {
    let mut list = Vec::new();
    for bonuses in 0..=chain {
        for eights in 0..=bonuses {
            // One throw in eight is a bonus throw; four and eight are equally likely.
            let ways =
                (0..eights).fold(1.0, |ways, i| ways * f64::from(bonuses - i) / f64::from(i + 1));
            for (kind, weight) in [(0, 4.0), (1, 6.0), (2, 4.0)] {
                let probability = ways * weight / 16.0 / 16f64.powi(bonuses as i32);
                let mut values = vec![kind];
                values.extend((0..bonuses).map(|i| if i < bonuses - eights { 3 } else { 4 }));
                list.push((values, probability));
            }
        }
    }
    list
}

/// Where the results of the first values of value sets are kept during a backup: a slot for each
/// value played last, then one for each value and what remains after it.
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
        let of = |first: &First| match first.rest {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_of_all_rolls_add_up_to_one() {
        for chain in 0..=8 {
            let missing = 8f64.powi(-(chain as i32) - 1);
            let all: f64 = rolls(chain).iter().map(|(_, probability)| probability).sum();
            assert!((1.0 - all - missing).abs() < 1e-12);
            let sets = ValueSets::new(chain);
            let total: f64 = sets.rolls.iter().map(|(_, probability)| probability).sum();
            assert!((total - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn every_set_is_taken_apart_value_by_value() {
        let value_sets = ValueSets::new(1);
        // 1 2 3 4 8 can remain; 14 18 24 28 34 38 are rolls only.
        assert_eq!(
            (value_sets.remainders, value_sets.sets.len(), value_sets.rolls.len()),
            (5, 11, 9)
        );
        let probability = |values: &[u8]| {
            let set = value_sets.sets.iter().position(|known| known == values).expect("a set");
            value_sets
                .rolls
                .iter()
                .find(|(turn, _)| *turn as usize == set)
                .map(|(_, probability)| *probability)
        };
        // 6/16 for a 2, times 64/63 for the rolls left out; one throw in sixteen is a 4.
        assert!((probability(&[1]).expect("a roll") - 6.0 / 16.0 * 64.0 / 63.0).abs() < 1e-12);
        assert!((probability(&[1, 3]).expect("a roll") - 6.0 / 256.0 * 64.0 / 63.0).abs() < 1e-12);
        for (values, firsts) in value_sets.sets.iter().zip(&value_sets.firsts) {
            assert_eq!(firsts.len(), distinct(values).count());
            for first in firsts {
                let mut whole = first.rest.map_or(vec![], |r| value_sets.sets[r as usize].clone());
                whole.push(first.kind);
                whole.sort_unstable();
                assert_eq!(whole, *values);
                let rests = &value_sets.rests[first.kind as usize];
                assert!(first.rest.is_none_or(|rest| rests.contains(&rest)));
            }
        }
    }
}
