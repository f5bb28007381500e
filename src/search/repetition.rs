//! What ends a line beside the rules: positions that have occurred before, in the game and on the line
//! being searched, and the number of plies.

use crate::game::{Game, History, Outcome, Situation};

const FILTER: usize = 1 << 12;

/// The line from the root to the position being searched, on top of the history of the game.
///
/// A look-up costs one byte in nearly every case: both parts have a filter in front of them.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Keys from the root position (index 0) on.
    keys: Vec<u64>,
    /// How many keys of the line fall on each byte.
    line_filter: Box<[u8; FILTER]>,
    /// A bit filter of the keys of the history.
    history_filter: Vec<u64>,
    history: History,
    /// Keys that occurred at least twice in the game.
    twice_in_game: Vec<u64>,
    /// The ply of the line at which the game is drawn by their number.
    last_ply: usize,
}

/// How often, and where, a position has occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Occurrences {
    /// How often in the game so far, the root included.
    pub in_game: u32,
    /// How often on the line, the root excluded.
    pub on_line: u32,
    /// The ply of its last occurrence on the line, the root excluded; 0 if it has none.
    pub ply: usize,
}

impl Occurrences {
    /// All occurrences.
    pub(super) fn total(self) -> u32 {
        self.in_game + self.on_line
    }
}

impl Default for Line {
    fn default() -> Self {
        Line {
            keys: Vec::with_capacity(512),
            line_filter: Box::new([0; FILTER]),
            history_filter: vec![0],
            history: History::default(),
            twice_in_game: Vec::new(),
            last_ply: usize::MAX,
        }
    }
}

impl Line {
    /// The line that consists of the present position.
    pub(super) fn new<G: Game>(situation: &Situation<G>) -> Self {
        let mut line = Line::default();
        line.restart(situation);
        line
    }

    /// Begins again at another situation.
    pub(super) fn restart<G: Game>(&mut self, situation: &Situation<G>) {
        self.keys.clear();
        self.line_filter.fill(0);
        self.history.clone_from(situation.history());
        let words = (self.history.keys().len() / 4).next_power_of_two();
        self.history_filter.clear();
        self.history_filter.resize(words, 0);
        for key in self.history.keys() {
            let (word, bit) = filter_bit(*key, words);
            self.history_filter[word] |= bit;
        }
        let history = &self.history;
        self.twice_in_game.clear();
        self.twice_in_game.extend(history.keys().iter().filter(|key| history.count(**key) > 1));
        self.twice_in_game.sort_unstable();
        self.twice_in_game.dedup();
        self.keys.push(situation.position().key());
        self.last_ply = situation.plies_left().unwrap_or(usize::MAX);
    }

    /// Adds a position reached by a move.
    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let byte = &mut self.line_filter[key as usize % FILTER];
        *byte = byte.wrapping_add(1);
    }

    /// Removes the last position.
    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let byte = &mut self.line_filter[key as usize % FILTER];
            *byte = byte.wrapping_sub(1);
        }
    }

    /// The earlier occurrences of the position with this key. The last position of the line counts
    /// as one.
    #[inline]
    pub(super) fn occurrences(&self, key: u64) -> Occurrences {
        let mut occurrences = Occurrences::default();
        if self.line_filter[key as usize % FILTER] != 0 {
            for (ply, _) in self.keys.iter().enumerate().skip(1).filter(|(_, k)| **k == key) {
                occurrences.on_line += 1;
                occurrences.ply = ply;
            }
        }
        let (word, bit) = filter_bit(key, self.history_filter.len());
        if self.history_filter[word] & bit != 0 {
            occurrences.in_game = self.history.count(key);
        }
        occurrences
    }

    /// The keys that an upcoming repetition can have: positions that one move from the end of the
    /// line may lead back to and that would end it. These are the positions of the line an odd
    /// number of plies above its end, at least three, and those that occurred twice in the game.
    pub(super) fn repeatable(&self) -> impl Iterator<Item = u64> {
        let on_line = self.keys.iter().skip(1).rev().skip(3).step_by(2);
        on_line.chain(&self.twice_in_game).copied()
    }

    /// The ply at which the game is drawn by their number; `usize::MAX` if at none.
    #[inline]
    pub(super) fn last_ply(&self) -> usize {
        self.last_ply
    }

    /// The result of a position about to be entered that its rules do not end: by its third
    /// occurrence, or by the number of plies.
    #[inline]
    pub(super) fn end<G: Game>(&self, position: &G) -> Option<Outcome> {
        let third = self.occurrences(position.key()).total() >= 2;
        let repeated = if third { position.repetition() } else { None };
        // The root counts as no ply.
        let is_last = self.keys.len() >= self.last_ply;
        repeated.or_else(|| is_last.then(|| Outcome::draw(position.seats())))
    }
}

/// Word and bit of a key in a bit filter whose number of words is a power of two.
fn filter_bit(key: u64, words: usize) -> (usize, u64) {
    let hash = key >> 20;
    (hash as usize >> 6 & (words - 1), 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_on_the_line_are_counted_and_taken_back() {
        let mut line = Line { keys: vec![5], ..Line::default() };
        // Two keys with the same byte of the filter.
        for key in [7, 8, 7, 7 + FILTER as u64] {
            line.push(key);
        }
        assert_eq!(line.occurrences(7), Occurrences { in_game: 0, on_line: 2, ply: 3 });
        assert_eq!(line.occurrences(7 + FILTER as u64).ply, 4);
        assert_eq!(line.occurrences(5), Occurrences::default(), "the root belongs to the game");
        line.pop();
        line.pop();
        assert_eq!(line.occurrences(7), Occurrences { in_game: 0, on_line: 1, ply: 1 });
    }

    #[test]
    fn only_an_odd_number_of_plies_leads_back() {
        let mut line = Line { keys: vec![5], twice_in_game: vec![99], ..Line::default() };
        for key in 11..=16 {
            line.push(key);
        }
        // The end is at ply 6: plies 3 and 1 are three and five plies above it.
        assert_eq!(line.repeatable().collect::<Vec<_>>(), [13, 11, 99]);
    }
}
