//! The steps of every aspect, computed once: what a step passes, where it lands and which aspect
//! comes of it, so that following one is an addition and a read.
//!
//! Within a turn the flags of an aspect mark the doubles that were formed in this turn, so that a
//! turn may be taken apart: what an aspect can become with the values left does not depend on how it
//! came about. With one exception: a double that stood when the turn began, is broken up and formed
//! again is not fresh. Steps after which that can happen are marked.

use super::ranking::{CENTRE, RING, Ranking, VALUES, safe};

/// One step, by one pawn or by two together.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The aspect after it, if it hits nobody.
    pub target: u32,
    /// The same with an open gate: after a hit.
    pub opened: u32,
    /// Outer path indices that it passes over.
    pub path: u16,
    /// Where it lands.
    pub to: u8,
    /// Whether two pawns move together.
    pub together: bool,
    /// Whether an old double is broken up that can be formed again.
    pub reforms: bool,
}

/// The steps of all aspects.
pub struct Steps {
    list: Vec<Step>,
    /// By aspect and value: where its steps begin; one more at the end.
    starts: Vec<u32>,
    /// By aspect: its standing, and the cells where it meets others.
    standings: Vec<(u32, u32)>,
    /// By standing: its doubles that can be fresh, and its first aspect.
    doubles: Vec<(u32, u32)>,
}

impl Steps {
    /// Those of a ranking. `chain` is the most bonus throws of a turn.
    pub fn new(ranking: &Ranking, chain: u32) -> Self {
        let mut steps = Steps {
            list: Vec::new(),
            starts: Vec::new(),
            standings: Vec::new(),
            doubles: Vec::new(),
        };
        for standing in 0..ranking.standings() {
            let placement = ranking.placement(standing);
            let aspects = ranking.aspects(standing);
            steps.doubles.push((placement.outer_doubles, aspects.start as u32));
            for flags in 0..aspects.len() {
                steps.standings.push((standing as u32, placement.occupied));
                for value in VALUES {
                    steps.starts.push(steps.list.len() as u32);
                    steps.add(ranking, standing, flags, value, chain);
                }
            }
        }
        steps.starts.push(steps.list.len() as u32);
        steps
    }

    /// The steps of an aspect with a value, as numbers of [`VALUES`].
    #[inline]
    pub fn of(&self, aspect: usize, kind: usize) -> &[Step] {
        let at = aspect * VALUES.len() + kind;
        &self.list[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The standing of an aspect.
    #[inline]
    pub fn standing(&self, aspect: usize) -> usize {
        self.standings[aspect].0 as usize
    }

    /// The unsafe cells on which an aspect has pawns.
    #[inline]
    pub fn occupied(&self, aspect: usize) -> u32 {
        self.standings[aspect].1
    }

    /// The doubles of a standing that can be fresh, and its first aspect.
    #[inline]
    pub fn doubles(&self, standing: usize) -> (u32, usize) {
        let (doubles, first) = self.doubles[standing];
        (doubles, first as usize)
    }

    fn add(&mut self, ranking: &Ranking, standing: usize, flags: usize, value: u8, chain: u32) {
        let placement = ranking.placement(standing);
        let open = ranking.is_open(standing);
        let old = placement.outer_doubles & !ranking.fresh(standing, flags);
        for (from, count) in &placement.cells {
            let to = from + value;
            if to > CENTRE || !open && to >= RING {
                continue;
            }
            let most = if *count > 1 && safe() >> from & 1 == 0 { 2 } else { 1 };
            for moved in 1..=most {
                let list = moved_list(&placement.cells, *from, to, moved);
                let aspect = |open| {
                    let standing = ranking.standing(&list, open)?;
                    let doubles = ranking.placement(standing).outer_doubles;
                    Some(ranking.aspect(standing, doubles & !old) as u32)
                };
                let (Some(target), Some(opened)) = (aspect(open), aspect(true)) else { continue };
                let breaks = old >> from & 1 != 0 && count - moved < 2;
                let back = |i: &u8| i < from && (chain > 1 || VALUES.contains(&(from - i)));
                self.list.push(Step {
                    target,
                    opened,
                    path: passed(*from, to),
                    to,
                    together: moved == 2,
                    reforms: breaks && list.iter().any(back),
                });
            }
        }
    }
}

/// The path indices of all pawns after some have moved from one cell to another.
fn moved_list(cells: &[(u8, u8)], from: u8, to: u8, moved: u8) -> Vec<u8> {
    let mut list: Vec<u8> = Vec::new();
    for (index, count) in cells {
        let stay = if *index == from { count - moved } else { *count };
        list.extend(std::iter::repeat_n(*index, stay as usize));
    }
    list.extend(std::iter::repeat_n(to, moved as usize));
    list
}

/// The outer path indices between two.
fn passed(from: u8, to: u8) -> u16 {
    (from + 1..to.min(RING)).fold(0, |set, index| set | 1 << index)
}
