//! The move that leads from one position to another, found by the difference of their keys.
//!
//! The search asks it whether a position of its line can be reached again. The table holds the key
//! differences of all animals and pairs of squares on a line (the method of cuckoo tables in chess
//! engines, here with linear probing).

use std::sync::LazyLock;

use crate::game::Game;
use crate::games::barca::rules::{
    ANIMAL_KEYS, BLACK_KEY, Kind, Move, NO_SQUARE, Position, SQUARES,
};

/// Slots of the table, a power of two; about a third are used.
const SLOTS: usize = 1 << 14;

/// The change of the key by an animal that moves between two squares, either way.
#[derive(Clone, Copy)]
struct KeyDifference {
    difference: u64,
    squares: [u8; 2],
}

const EMPTY: KeyDifference = KeyDifference { difference: 0, squares: [NO_SQUARE; 2] };

/// Open addressing with linear probing; an entry with difference 0 is empty.
static KEY_DIFFERENCES: LazyLock<Vec<KeyDifference>> = LazyLock::new(|| {
    let mut table = vec![EMPTY; SLOTS];
    for keys in &ANIMAL_KEYS {
        for kind in Kind::ALL {
            let keys = &keys[kind as usize];
            for (a, b) in (0..SQUARES).flat_map(|a| (a + 1..SQUARES).map(move |b| (a, b))) {
                if kind.connects(a, b) {
                    let difference = keys[a as usize] ^ keys[b as usize] ^ BLACK_KEY;
                    let free = slots(difference).find(|slot| table[*slot].difference == 0);
                    table[free.unwrap_or(0)] = KeyDifference { difference, squares: [a, b] };
                }
            }
        }
    }
    table
});

/// The slots of a difference in probing order.
fn slots(difference: u64) -> impl Iterator<Item = usize> {
    let first = (difference >> 50) as usize;
    (first..first + SLOTS).map(|slot| slot % SLOTS)
}

/// The legal move that changes the key of a position by `difference`.
pub(super) fn upcoming_repetition(position: &Position, difference: u64) -> Option<Move> {
    let table = &**KEY_DIFFERENCES;
    let found = slots(difference)
        .map(|slot| table[slot])
        .find(|found| found.difference == difference || found.difference == 0)?;
    let [a, b] = found.squares;
    let own = |square| position.kind_at(position.side(), square).is_some();
    let m = if own(a) { Move { from: a, to: b } } else { Move { from: b, to: a } };
    (found.difference == difference && position.is_legal(&m)).then_some(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Random;

    #[test]
    fn every_move_is_found_by_the_keys_around_it_and_no_other() {
        let (mut random, mut position) = (Random::new(9), Position::default());
        let mut earlier = position;
        for _ in 0..300 {
            for m in position.moves() {
                let mut next = position;
                next.play(&m);
                assert_eq!(upcoming_repetition(&position, position.key() ^ next.key()), Some(m));
            }
            // No move connects positions two plies apart, nor a position with itself.
            assert_eq!(upcoming_repetition(&position, 0), None);
            if earlier != position {
                let unlike = earlier.side() == position.side();
                let found = upcoming_repetition(&position, position.key() ^ earlier.key());
                assert!(!unlike || found.is_none());
            }
            earlier = position;
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
    }
}
