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
    /// The number of plies after the loaded position at which the game is drawn.
    longest: Option<usize>,
}

impl<G: Game> Situation<G> {
    /// A loaded position, as its first occurrence.
    #[must_use]
    pub fn new(position: G) -> Self {
        let mut history = History::default();
        history.push(position.key());
        Situation { position, history, longest: None }
    }

    /// The same game, drawn after this number of plies, chance included, where its rules do not end
    /// it there; 0: never.
    #[must_use]
    pub fn drawn_after(self, plies: usize) -> Self {
        Situation { longest: (plies > 0).then_some(plies), ..self }
    }

    /// The same game with its positions as another type, whose keys follow from those of this one.
    #[must_use]
    pub fn seen_as<H: Game>(&self, position: H, key: impl Fn(u64) -> u64) -> Situation<H> {
        let mut history = History::default();
        self.history.keys().iter().for_each(|&old| history.push(key(old)));
        Situation { position, history, longest: self.longest }
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

    /// Plies until the game is drawn, if it ever is.
    #[must_use]
    pub fn plies_left(&self) -> Option<usize> {
        let played = self.history.keys().len().saturating_sub(1);
        self.longest.map(|longest| longest.saturating_sub(played))
    }

    /// The result, by the position itself, by its third occurrence, or by the number of plies.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let over = self.position.outcome().or_else(|| self.repeated());
        over.or_else(|| self.is_longest().then(|| Outcome::draw(self.position.seats())))
    }

    /// Why the game is over.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        let reason = self.position.reason().or_else(|| self.repeated().map(|_| "repetition"));
        reason.or_else(|| self.is_longest().then_some("max-plies"))
    }

    /// Who decides next; [`Turn::Over`] also after what ends the game beside its rules.
    #[must_use]
    pub fn turn(&self) -> Turn {
        if self.outcome().is_some() { Turn::Over } else { self.position.turn() }
    }

    /// The seat to decide, if any.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        self.turn().seat()
    }

    fn is_longest(&self) -> bool {
        self.plies_left() == Some(0)
    }

    fn repeated(&self) -> Option<Outcome> {
        if self.history.count(self.position.key()) < 3 {
            return None;
        }
        self.position.repetition()
    }
}
