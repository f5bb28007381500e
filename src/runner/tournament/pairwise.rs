//! Who met whom, from places: in a game of several every two seats of different engines meet.
//!
//! Games of one bundle are not independent of each other; meetings are therefore kept bundle by
//! bundle.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::record::Record;
use crate::statistics::Pairing;

/// Which bundle: the number of the file, the round and the pairing.
pub(super) type BundleKey = (usize, u64, usize);

/// All meetings of a field, bundle by bundle.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Meetings {
    bundles: BTreeMap<BundleKey, Vec<Pairing>>,
}

impl Meetings {
    /// Adds a game; `engines` says who sat in each seat. The better place wins a meeting.
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
                    meet(bundle, one, other, score);
                }
            }
        }
    }

    /// The meetings of each bundle.
    pub(super) fn bundles(&self) -> impl Iterator<Item = &Vec<Pairing>> {
        self.bundles.values()
    }

    /// All meetings of every two, summed.
    pub(super) fn totals(&self) -> Vec<Pairing> {
        totals(self.bundles())
    }
}

fn meet(bundle: &mut Vec<Pairing>, one: usize, other: usize, score: f64) {
    let (one, other, score) =
        if one < other { (one, other, score) } else { (other, one, 1.0 - score) };
    match bundle.iter_mut().find(|meeting| meeting.one == one && meeting.other == other) {
        Some(meeting) => {
            meeting.score += score;
            meeting.games += 1.0;
        }
        None => bundle.push(Pairing { one, other, score, games: 1.0 }),
    }
}

/// The meetings of every two in some bundles, summed.
pub(super) fn totals<'a>(bundles: impl Iterator<Item = &'a Vec<Pairing>>) -> Vec<Pairing> {
    let mut sums: BTreeMap<(usize, usize), Pairing> = BTreeMap::new();
    for meeting in bundles.flatten() {
        let Pairing { one, other, score, games } = *meeting;
        let sum =
            sums.entry((one, other)).or_insert(Pairing { one, other, score: 0.0, games: 0.0 });
        sum.score += score;
        sum.games += games;
    }
    sums.into_values().collect()
}
