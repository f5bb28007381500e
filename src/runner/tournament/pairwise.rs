//! Results of every two engines against each other, from places: in a game of several seats, every
//! two seats of different engines give one pairwise result.
//!
//! Games of one bundle are not independent, so results are kept by bundle.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::record::Record;
use crate::statistics::Pairing;

/// Which bundle: the number of the file, the round and the pairing.
pub(super) type BundleKey = (usize, u64, usize);

/// The pairwise results of all games, by bundle.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct PairwiseResults {
    bundles: BTreeMap<BundleKey, Vec<Pairing>>,
}

impl PairwiseResults {
    /// Adds a game; `engines` are the engines in the seats. The better place wins.
    pub(super) fn add(&mut self, file: usize, record: &Record, engines: &[Option<usize>]) {
        let bundle = self.bundles.entry((file, record.round, record.pairing)).or_default();
        let seated: Vec<(usize, u32)> = engines
            .iter()
            .zip(&record.places)
            .filter_map(|(engine, &place)| engine.map(|engine| (engine, place)))
            .collect();
        for (index, &(one, place)) in seated.iter().enumerate() {
            for &(other, its_place) in seated.iter().skip(index + 1) {
                if one != other {
                    let score = match place.cmp(&its_place) {
                        Ordering::Less => 1.0,
                        Ordering::Equal => 0.5,
                        Ordering::Greater => 0.0,
                    };
                    add_result(bundle, one, other, score);
                }
            }
        }
    }

    /// The results of each bundle.
    pub(super) fn bundles(&self) -> impl Iterator<Item = &Vec<Pairing>> {
        self.bundles.values()
    }

    /// The sums over all bundles.
    pub(super) fn totals(&self) -> Vec<Pairing> {
        totals(self.bundles())
    }
}

fn add_result(bundle: &mut Vec<Pairing>, one: usize, other: usize, score: f64) {
    let (one, other, score) =
        if one < other { (one, other, score) } else { (other, one, 1.0 - score) };
    match bundle.iter_mut().find(|result| result.one == one && result.other == other) {
        Some(result) => {
            result.score += score;
            result.games += 1.0;
        }
        None => bundle.push(Pairing { one, other, score, games: 1.0 }),
    }
}

/// The sums of every pair over some bundles.
pub(super) fn totals<'a>(bundles: impl Iterator<Item = &'a Vec<Pairing>>) -> Vec<Pairing> {
    let mut sums: BTreeMap<(usize, usize), Pairing> = BTreeMap::new();
    for result in bundles.flatten() {
        let Pairing { one, other, score, games } = *result;
        let sum =
            sums.entry((one, other)).or_insert(Pairing { one, other, score: 0.0, games: 0.0 });
        sum.score += score;
        sum.games += games;
    }
    sums.into_values().collect()
}
