//! The steps of every flagged state, computed once: what a step passes over, where it lands and
//! which flagged state results, so that following a step is an addition and a read.
//!
//! Within a turn the flags mark the doubles that were formed in this turn. So a turn can be taken
//! apart: what a flagged state can become with the values left does not depend on how it was
//! reached. There is one exception: a double that existed when the turn began, is broken up and
//! formed again is not fresh. Steps after which that can happen are marked.

use parlor::games::chowka_bhara::solved::{CENTRE, RING, Ranking, safe};

use super::value_sets::VALUES;

/// One step, by one pawn or by two together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    /// The flagged state after it, if it hits nobody.
    pub(super) target: u32,
    /// The same with an open gate: after a hit.
    pub(super) opened: u32,
    /// Outer path indices that it passes over.
    pub(super) path: u16,
    /// Where it lands.
    pub(super) to: u8,
    /// Whether two pawns move together.
    pub(super) together: bool,
    /// Whether an old double is broken up that can be formed again.
    pub(super) reforms: bool,
}

/// The steps of all flagged states.
pub(super) struct Transitions {
    list: Vec<Transition>,
    /// By flagged state and value: where its steps begin; one more at the end.
    starts: Vec<u32>,
    /// By flagged state: its half-state, and its unsafe cells.
    half_states: Vec<(u32, u32)>,
    /// By half-state: its doubles that can be fresh, and its first flagged state.
    doubles: Vec<(u32, u32)>,
}

impl Transitions {
    /// The steps of a ranking; a turn has at most `chain` bonus throws.
    pub(super) fn new(ranking: &Ranking, chain: u32) -> Self {
        let mut steps = Transitions {
            list: Vec::new(),
            starts: Vec::new(),
            half_states: Vec::new(),
            doubles: Vec::new(),
        };
        for half_state in 0..ranking.half_states() {
            let placement = ranking.placement(half_state);
            let flagged_states = ranking.flagged_states(half_state);
            steps.doubles.push((placement.outer_doubles, flagged_states.start as u32));
            for flags in 0..flagged_states.len() {
                steps.half_states.push((half_state as u32, placement.occupied));
                for value in VALUES {
                    steps.starts.push(steps.list.len() as u32);
                    steps.add(ranking, half_state, flags, value, chain);
                }
            }
        }
        steps.starts.push(steps.list.len() as u32);
        steps
    }

    /// The steps of a flagged state with a value, an index into [`VALUES`].
    #[inline]
    pub(super) fn of(&self, flagged_state: usize, kind: usize) -> &[Transition] {
        let at = flagged_state * VALUES.len() + kind;
        &self.list[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The half-state of a flagged state.
    #[inline]
    pub(super) fn half_state(&self, flagged_state: usize) -> usize {
        self.half_states[flagged_state].0 as usize
    }

    /// The unsafe cells on which a flagged state has pawns.
    #[inline]
    pub(super) fn occupied(&self, flagged_state: usize) -> u32 {
        self.half_states[flagged_state].1
    }

    /// The doubles of a half-state that can be fresh, and its first flagged state.
    #[inline]
    pub(super) fn doubles(&self, half_state: usize) -> (u32, usize) {
        let (doubles, first) = self.doubles[half_state];
        (doubles, first as usize)
    }

    fn add(&mut self, ranking: &Ranking, half_state: usize, flags: usize, value: u8, chain: u32) {
        let placement = ranking.placement(half_state);
        let open = ranking.is_open(half_state);
        let old = placement.outer_doubles & !ranking.fresh(half_state, flags);
        for (from, count) in &placement.cells {
            let to = from + value;
            if to > CENTRE || !open && to >= RING {
                continue;
            }
            let most = if *count > 1 && safe() >> from & 1 == 0 { 2 } else { 1 };
            for moved in 1..=most {
                let list = moved_list(&placement.cells, *from, to, moved);
                let flagged_state = |open| {
                    let half_state = ranking.half_state(&list, open)?;
                    let doubles = ranking.placement(half_state).outer_doubles;
                    Some(ranking.flagged_state(half_state, doubles & !old) as u32)
                };
                let (Some(target), Some(opened)) = (flagged_state(open), flagged_state(true))
                else {
                    continue;
                };
                let breaks = old >> from & 1 != 0 && count - moved < 2;
                let back = |i: &u8| i < from && (chain > 1 || VALUES.contains(&(from - i)));
                self.list.push(Transition {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether one pawn that leaves `from` by a value breaks a double that may be formed again.
    fn reforms(list: &[u8], from: u8, value: u8, fresh: u32, chain: u32) -> bool {
        let ranking = Ranking::new(list.len() as u8);
        let transitions = Transitions::new(&ranking, chain);
        let half_state = ranking.half_state(list, true).expect("a half-state");
        let kind = VALUES.iter().position(|known| *known == value).expect("a value");
        let steps = transitions.of(ranking.flagged_state(half_state, fresh), kind);
        let step = steps.iter().find(|step| step.to == from + value && !step.together);
        step.expect("the step").reforms
    }

    #[test]
    fn a_double_that_loses_one_pawn_may_be_formed_again_from_behind() {
        assert!(reforms(&[1, 2, 2], 2, 4, 0, 1));
        // What is fresh stays so, and no pawn moves back.
        assert!(!reforms(&[1, 2, 2], 2, 4, 1 << 2, 1));
        assert!(!reforms(&[2, 2, 3], 2, 4, 0, 1));
        // Five is no value, but two values.
        assert!(!reforms(&[2, 7, 7], 7, 4, 0, 1));
        assert!(reforms(&[2, 7, 7], 7, 4, 0, 2));
    }
}
