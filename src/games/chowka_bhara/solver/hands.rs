//! Hands: the values that a player has left to play, and the turns that are thrown.
//!
//! Of the chains of bonus throws those with more than `chain` bonuses are left out. Their chance is
//! shared among the others, or counted wholly as won or as lost: then two tables are solved, one in
//! which every such chain is good for the player about to throw and bad for the other, and one the
//! other way round, and the true value lies between.

use super::ranking::VALUES;

/// What becomes of the chance of chains that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// It is shared among the others.
    Shared,
    /// It bounds the value: two tables.
    Bounds,
}

/// A first value of a hand, and what is left after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct First {
    /// The value, as a number of [`VALUES`].
    pub kind: u8,
    /// The hand after it; none if it was the last value.
    pub rest: Option<u8>,
}

/// All hands that can come up.
#[derive(Debug)]
pub struct Hands {
    /// The values of a hand in ascending order, as numbers of [`VALUES`].
    pub kinds: Vec<Vec<u8>>,
    /// The turns that can be thrown, and how likely they are.
    pub turns: Vec<(u8, f64)>,
    /// The chance of the chains left out, where it is not shared.
    pub lost: f32,
    /// How many hands are left over from a greater one. They come first.
    pub kept: usize,
    /// By hand: what it can begin with.
    pub firsts: Vec<Vec<First>>,
    /// By value: the hands that can be left after it.
    pub rests: [Vec<u8>; VALUES.len()],
}

impl Hands {
    /// Those of turns with at most `chain` bonus throws.
    pub fn new(chain: u32, tail: Tail) -> Self {
        let turns = turns(chain);
        let mut kept: Vec<Vec<u8>> = Vec::new();
        let mut waiting: Vec<Vec<u8>> = turns.iter().map(|(kinds, _)| kinds.clone()).collect();
        while let Some(kinds) = waiting.pop() {
            for kind in distinct(&kinds) {
                let rest = without(&kinds, kind);
                if !rest.is_empty() && !kept.contains(&rest) {
                    kept.push(rest.clone());
                    waiting.push(rest);
                }
            }
        }
        kept.sort_by_key(|kinds| (kinds.len(), kinds.clone()));
        let mut list = kept.clone();
        list.extend(turns.iter().map(|(kinds, _)| kinds).filter(|k| !kept.contains(k)).cloned());
        let number = |kinds: &[u8]| list.iter().position(|known| known == kinds).map(|n| n as u8);
        let total: f64 = turns.iter().map(|(_, chance)| chance).sum();
        let share = if tail == Tail::Shared { total } else { 1.0 };
        let chances =
            turns.iter().filter_map(|(kinds, chance)| Some((number(kinds)?, chance / share)));
        let firsts = list.iter().map(|kinds| {
            let first = |kind| First { kind, rest: number(&without(kinds, kind)) };
            distinct(kinds).map(first).collect::<Vec<_>>()
        });
        let firsts: Vec<_> = firsts.collect();
        let rests = [0, 1, 2, 3, 4].map(|kind| {
            let of_kind = firsts.iter().flatten().filter(|first| first.kind == kind);
            let mut rests: Vec<u8> = of_kind.filter_map(|first| first.rest).collect();
            rests.sort_unstable();
            rests.dedup();
            rests
        });
        Hands {
            turns: chances.collect(),
            lost: (1.0 - total / share) as f32,
            kept: kept.len(),
            firsts,
            rests,
            kinds: list,
        }
    }
}

/// Different values of a hand.
pub fn distinct(kinds: &[u8]) -> impl Iterator<Item = u8> {
    let new = |at: &usize| !kinds[..*at].contains(&kinds[*at]);
    (0..kinds.len()).filter(new).map(|at| kinds[at])
}

/// A hand after one of its values is played.
pub fn without(kinds: &[u8], kind: u8) -> Vec<u8> {
    let at = kinds.iter().position(|known| *known == kind);
    kinds.iter().enumerate().filter(|(i, _)| Some(*i) != at).map(|(_, kind)| *kind).collect()
}

/// All turns with at most so many bonus throws, orders of bonuses taken together, with their
/// chances.
fn turns(chain: u32) -> Vec<(Vec<u8>, f64)> {
    let mut list = Vec::new();
    for bonuses in 0..=chain {
        for eights in 0..=bonuses {
            // Bonus throws come one in eight, four and eight equally likely.
            let ways =
                (0..eights).fold(1.0, |ways, i| ways * f64::from(bonuses - i) / f64::from(i + 1));
            for (kind, weight) in [(0, 4.0), (1, 6.0), (2, 4.0)] {
                let chance = ways * weight / 16.0 / 16f64.powi(bonuses as i32);
                let mut kinds = vec![kind];
                kinds.extend((0..bonuses).map(|i| if i < bonuses - eights { 3 } else { 4 }));
                list.push((kinds, chance));
            }
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_have_all_the_chance_there_is() {
        for chain in 0..=8 {
            let missing = 8f64.powi(-(chain as i32) - 1);
            let bounds = Hands::new(chain, Tail::Bounds);
            assert!((f64::from(bounds.lost) - missing).abs() < 1e-7);
            let shared = Hands::new(chain, Tail::Shared);
            let total: f64 = shared.turns.iter().map(|(_, chance)| chance).sum();
            assert!((total - 1.0).abs() < 1e-12 && shared.lost == 0.0);
        }
    }

    #[test]
    fn every_hand_is_taken_apart_value_by_value() {
        let hands = Hands::new(1, Tail::Shared);
        // 1 2 3 4 8 are left over; 14 18 24 28 34 38 are whole turns only.
        assert_eq!((hands.kept, hands.kinds.len(), hands.turns.len()), (5, 11, 9));
        let chance = |kinds: &[u8]| {
            let hand = hands.kinds.iter().position(|known| known == kinds).expect("a hand");
            hands.turns.iter().find(|(turn, _)| *turn as usize == hand).map(|(_, chance)| *chance)
        };
        // 6/16 for a 2, times 64/63 for the chains left out; a 4 comes first in one of sixteen.
        assert!((chance(&[1]).expect("a turn") - 6.0 / 16.0 * 64.0 / 63.0).abs() < 1e-12);
        assert!((chance(&[1, 3]).expect("a turn") - 6.0 / 256.0 * 64.0 / 63.0).abs() < 1e-12);
        for (kinds, firsts) in hands.kinds.iter().zip(&hands.firsts) {
            assert_eq!(firsts.len(), distinct(kinds).count());
            for first in firsts {
                let mut whole = first.rest.map_or(vec![], |r| hands.kinds[r as usize].clone());
                whole.push(first.kind);
                whole.sort_unstable();
                assert_eq!(whole, *kinds);
                let rests = &hands.rests[first.kind as usize];
                assert!(first.rest.is_none_or(|rest| rests.contains(&rest)));
            }
        }
    }
}
