//! Bundles of games that only repeat earlier ones. Engines without chance of their own play alike
//! from equal openings; a copy tells nothing new, and counts once wherever games are a sample.

use std::collections::{BTreeMap, BTreeSet};

use super::pairwise::BundleKey;
use super::record::{Ending, Record};

/// Finds copies; of complete bundles only a checksum is kept.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Copies {
    /// The number of games of bundles with games still to come, and the sum of their checksums,
    /// which does not depend on their order.
    open: BTreeMap<BundleKey, (usize, u64)>,
    seen: BTreeSet<u64>,
    games: u64,
}

impl Copies {
    /// Adds a game of a bundle of `size`; whether it completes the copy of an earlier bundle.
    pub(super) fn add(&mut self, file: usize, record: &Record, size: usize) -> bool {
        let key = (file, record.round, record.pairing);
        let (games, sum) = self.open.entry(key).or_default();
        *games += 1;
        *sum = sum.wrapping_add(match record.ending {
            // Whatever went wrong, it was another time.
            Ending::Fault => checksum(["fault", &file.to_string(), &record.game.to_string()]),
            _ => play(record),
        });
        if *games < size {
            return false;
        }
        let Some((games, sum)) = self.open.remove(&key) else { return false };
        let is_copy = !self.seen.insert(sum);
        self.games += if is_copy { games as u64 } else { 0 };
        is_copy
    }

    /// The number of games in copied bundles.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// What a user must know of them.
    pub(super) fn note(&self) -> Option<String> {
        let games = self.games;
        (games > 0).then(|| {
            format!(
                "{games} games are copies of earlier ones: the engines play alike from equal openings. \
                 Intervals, Elo and tests count a copy once; --openings FILE or --random-plies N give \
                 other games"
            )
        })
    }
}

/// A checksum of how a game was played: the seating, the start and the tokens.
pub(super) fn play(record: &Record) -> u64 {
    let tokens = record.moves.iter().map(|m| m.token.as_str());
    let seating = record.seating.iter().map(String::as_str);
    checksum(seating.chain([record.start.as_str()]).chain(tokens))
}

fn checksum<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(text.as_bytes());
        hasher.update(b"\n");
    }
    let [a, b, c, d, e, f, g, h, ..] = *hasher.finalize().as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}
