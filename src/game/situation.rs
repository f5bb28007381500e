//! A position with what the past adds to it: how often it has stood before.

use std::collections::HashMap;

use super::{Game, Outcome, Seat, Turn};

/// The keys of the positions played so far, counted. It belongs to sessions and drivers, never to a
/// position.
#[derive(Clone, Default, Debug)]
pub struct History {
    keys: Vec<u64>,
    counts: HashMap<u64, u32>,
}

impl History {
    /// Adds a position.
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        *self.counts.entry(key).or_insert(0) += 1;
    }

    /// How often a position has stood.
    pub fn count(&self, key: u64) -> u32 {
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// All keys, the loaded position first, the present one last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }
}

/// A position and its history: what a player is shown when it must choose.
#[derive(Clone, Debug)]
pub struct Situation<G: Game> {
    position: G,
    history: History,
}

impl<G: Game> Situation<G> {
    /// A loaded position; it counts as standing for the first time.
    pub fn new(position: G) -> Self {
        let mut history = History::default();
        history.push(position.key());
        Situation { position, history }
    }

    /// A position with a history that is known already, this position included.
    pub fn with_history(position: G, history: History) -> Self {
        Situation { position, history }
    }

    /// The position.
    pub fn position(&self) -> &G {
        &self.position
    }

    /// The history, this position included.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: &G::Move) {
        self.position.play(m);
        self.history.push(self.position.key());
    }

    /// The result, by the position or by its third occurrence.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| self.repeated())
    }

    /// Why the game is over.
    pub fn reason(&self) -> Option<&'static str> {
        self.position.reason().or_else(|| self.repeated().map(|_| "repetition"))
    }

    /// Who decides next; `Over` also after a third occurrence.
    pub fn turn(&self) -> Turn {
        if self.outcome().is_some() { Turn::Over } else { self.position.turn() }
    }

    /// The seat to decide, if any.
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
