//! Which positions have stood before, in the game and on the line being searched.

use crate::game::{Game, History, Outcome, Situation};

const FILTER: usize = 1 << 12;

/// The line from the root to the position being searched, on top of the game's history.
///
/// A look-up costs one byte in nearly every case: both parts have a filter in front of them.
#[derive(Clone, Debug)]
pub struct Line {
    /// Keys from the root position (index 0) on.
    keys: Vec<u64>,
    /// How many keys of the line fall on each byte.
    on_line: Box<[u8; FILTER]>,
    /// Bits of the keys of the history.
    in_history: Vec<u64>,
    history: History,
    /// Keys that stood at least twice in the game.
    twice: Vec<u64>,
}

/// Where a position has stood before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Earlier {
    /// How often in the game so far, the root included.
    pub in_game: u32,
    /// How often on the line, the root excluded.
    pub on_line: u32,
    /// The ply of its last occurrence on the line, the root excluded; 0 if it has none.
    pub ply: usize,
}

impl Default for Line {
    fn default() -> Self {
        Line {
            keys: Vec::with_capacity(512),
            on_line: Box::new([0; FILTER]),
            in_history: vec![0],
            history: History::default(),
            twice: Vec::new(),
        }
    }
}

impl Line {
    /// The line that consists of the present position.
    pub fn new<G: Game>(situation: &Situation<G>) -> Self {
        let mut line = Line::default();
        line.restart(situation);
        line
    }

    /// Begins again at another situation.
    pub fn restart<G: Game>(&mut self, situation: &Situation<G>) {
        self.keys.clear();
        self.on_line.fill(0);
        self.history.clone_from(situation.history());
        let words = (self.history.keys().len() / 4).next_power_of_two();
        self.in_history.clear();
        self.in_history.resize(words, 0);
        for key in self.history.keys() {
            let (word, bit) = slot(*key, words);
            self.in_history[word] |= bit;
        }
        self.twice.clear();
        self.twice.extend(self.history.keys().iter().filter(|key| self.history.count(**key) > 1));
        self.twice.sort_unstable();
        self.twice.dedup();
        self.keys.push(situation.position().key());
    }

    /// Adds a position reached by a move.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
        let byte = &mut self.on_line[key as usize % FILTER];
        *byte = byte.wrapping_add(1);
    }

    /// Takes the last position off again.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let byte = &mut self.on_line[key as usize % FILTER];
            *byte = byte.wrapping_sub(1);
        }
    }

    /// How many plies the line is long.
    pub fn ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// Where the position with this key has stood before, the line's own last position not
    /// excepted.
    #[inline]
    pub fn earlier(&self, key: u64) -> Earlier {
        let mut earlier = Earlier::default();
        if self.on_line[key as usize % FILTER] != 0 {
            for (ply, _) in self.keys.iter().enumerate().skip(1).filter(|(_, k)| **k == key) {
                earlier.on_line += 1;
                earlier.ply = ply;
            }
        }
        let (word, bit) = slot(key, self.in_history.len());
        if self.in_history[word] & bit != 0 {
            earlier.in_game = self.history.count(key);
        }
        earlier
    }

    /// The keys of positions that one move from the end of the line may lead back to and by which
    /// it may end: those of the line from which an odd number of plies led here, three at least,
    /// and those that stood twice in the game.
    pub fn returns(&self) -> impl Iterator<Item = u64> {
        let on_line = self.keys.iter().skip(1).rev().skip(3).step_by(2);
        on_line.chain(&self.twice).copied()
    }

    /// The result of a position about to be entered, if it would stand for the third time.
    #[inline]
    pub fn third<G: Game>(&self, position: &G) -> Option<Outcome> {
        let earlier = self.earlier(position.key());
        if earlier.in_game + earlier.on_line < 2 {
            return None;
        }
        position.repetition()
    }
}

/// Word and bit of a key in a bit filter of a power of two of words.
fn slot(key: u64, words: usize) -> (usize, u64) {
    let hash = key >> 20;
    (hash as usize >> 6 & (words - 1), 1 << (hash & 63))
}
