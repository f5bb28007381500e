//! Results of every two engines against each other, from places: in a game of several seats, every
//! two seats of different engines give one pairwise result.
//!
//! Games of one bundle are not independent, so results are kept by bundle. Of complete bundles only
//! the number of each kind is kept: memory does not grow with the number of games.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::record::Record;
use crate::statistics::Pairing;

/// Which bundle: the number of the file, the round and the pairing.
pub(super) type BundleKey = (usize, u64, usize);

/// The result of two engines in a bundle, in half points: exact, so that equal bundles are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PairResult {
    one: usize,
    other: usize,
    half_points: u32,
    games: u32,
}

/// A bundle with games still to come.
#[derive(Clone, PartialEq, Default, Debug)]
struct OpenBundle {
    games: usize,
    results: Vec<PairResult>,
}

/// The pairwise results of all games, by bundle.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct PairwiseResults {
    open: BTreeMap<BundleKey, OpenBundle>,
    /// Complete bundles by their results, with their number.
    complete: BTreeMap<Vec<PairResult>, u64>,
}

impl PairwiseResults {
    /// Adds a game; `engines` are the engines in the seats, `size` is the number of games in its
    /// bundle. The better place wins. `is_copy`: the game completes a bundle that counts already.
    pub(super) fn add(
        &mut self,
        file: usize,
        record: &Record,
        engines: &[Option<usize>],
        size: usize,
        is_copy: bool,
    ) {
        let key = (file, record.round, record.pairing);
        let bundle = self.open.entry(key).or_default();
        bundle.games += 1;
        let seated: Vec<(usize, u32)> = engines
            .iter()
            .zip(&record.places)
            .filter_map(|(engine, &place)| engine.map(|engine| (engine, place)))
            .collect();
        for (index, &(one, place)) in seated.iter().enumerate() {
            for &(other, its_place) in seated.iter().skip(index + 1) {
                if one != other {
                    let half_points = match place.cmp(&its_place) {
                        Ordering::Less => 2,
                        Ordering::Equal => 1,
                        Ordering::Greater => 0,
                    };
                    add_result(&mut bundle.results, one, other, half_points);
                }
            }
        }
        if bundle.games >= size
            && let Some(mut whole) = self.open.remove(&key)
            && !is_copy
        {
            // The order of the seats does not matter.
            whole.results.sort_unstable();
            *self.complete.entry(whole.results).or_default() += 1;
        }
    }

    /// The results of each kind of bundle, and how many there are of the kind.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (Vec<Pairing>, u64)> {
        let complete = self.complete.iter().map(|(results, &count)| (results, count));
        let open = self.open.values().map(|bundle| (&bundle.results, 1));
        complete.chain(open).map(|(results, count)| (pairings(results), count))
    }

    /// The sums over all bundles.
    pub(super) fn totals(&self) -> Vec<Pairing> {
        totals(self.kinds())
    }
}

fn add_result(bundle: &mut Vec<PairResult>, one: usize, other: usize, half_points: u32) {
    let (one, other, half_points) =
        if one < other { (one, other, half_points) } else { (other, one, 2 - half_points) };
    match bundle.iter_mut().find(|result| result.one == one && result.other == other) {
        Some(result) => {
            result.half_points += half_points;
            result.games += 1;
        }
        None => bundle.push(PairResult { one, other, half_points, games: 1 }),
    }
}

fn pairings(results: &[PairResult]) -> Vec<Pairing> {
    let pairing = |result: &PairResult| Pairing {
        one: result.one,
        other: result.other,
        score: f64::from(result.half_points) / 2.0,
        games: f64::from(result.games),
    };
    results.iter().map(pairing).collect()
}

/// The sums of every pair over some kinds of bundles, each with its number.
pub(super) fn totals(kinds: impl Iterator<Item = (Vec<Pairing>, u64)>) -> Vec<Pairing> {
    let mut sums: BTreeMap<(usize, usize), Pairing> = BTreeMap::new();
    for (results, count) in kinds {
        for Pairing { one, other, score, games } in results {
            let sum =
                sums.entry((one, other)).or_insert(Pairing { one, other, score: 0.0, games: 0.0 });
            sum.score += score * count as f64;
            sum.games += games * count as f64;
        }
    }
    sums.into_values().collect()
}
