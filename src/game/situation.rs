//! A position with its history: how often each position has occurred.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::{Game, Outcome, Seat, Turn};

/// The keys of the positions of a game so far, with their counts. It belongs to sessions and drivers,
/// never to a position.
#[derive(Clone, Default, Debug)]
pub struct History {
    keys: Vec<u64>,
    counts: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
}

/// Keys are mixed already, and no one else chooses them: they are their own hashes.
#[derive(Clone, Default, Debug)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl History {
    /// Adds a position.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        *self.counts.entry(key).or_insert(0) += 1;
    }

    /// How often a position has occurred.
    #[must_use]
    pub fn count(&self, key: u64) -> u32 {
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// All keys, the loaded position first, the present one last.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }
}

/// A position and its history: what a player needs to choose a move.
#[derive(Clone, Debug)]
pub struct Situation<G: Game> {
    position: G,
    history: History,
}

impl<G: Game> Situation<G> {
    /// A loaded position, as its first occurrence.
    #[must_use]
    pub fn new(position: G) -> Self {
        let mut history = History::default();
        history.push(position.key());
        Situation { position, history }
    }

    /// A position with its history, which includes the position.
    #[must_use]
    pub fn with_history(position: G, history: History) -> Self {
        Situation { position, history }
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The history, which includes the position.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: &G::Move) {
        self.position.play(m);
        self.history.push(self.position.key());
    }

    /// The result, by the position itself or by its third occurrence.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| self.repeated())
    }

    /// Why the game is over.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        self.position.reason().or_else(|| self.repeated().map(|_| "repetition"))
    }

    /// Who decides next; [`Turn::Over`] also after a third occurrence that ends the game.
    #[must_use]
    pub fn turn(&self) -> Turn {
        if self.outcome().is_some() { Turn::Over } else { self.position.turn() }
    }

    /// The seat to decide, if any.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        self.turn().seat()
    }

    fn repeated(&self) -> Option<Outcome> {
        if self.history.count(self.position.key()) < 3 {
            return None;
        }
        self.position.repetition()
    }
}
