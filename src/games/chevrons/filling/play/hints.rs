//! Hints to the search: tags, the order of moves, what is known without search.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::bounds::{LONG, final_lead};
use super::evaluation::Evaluation;
use crate::games::chevrons::filling::{Kind, Move, Position, Twist};
use crate::games::chevrons::network::Network;
use crate::games::chevrons::{Cell, Direction, Field};
use crate::search::{Bound, Evaluate, KnownValue, MoveHint, Quiescence, Score, SearchHints};

/// An evaluation of the engine. The hints to the search are the same for all.
pub(super) trait Hinted<K: Kind>: Evaluate<Position<K>> {}

impl<K: Kind> Hinted<K> for Evaluation {}

impl<K: Kind, const VIEWS: usize> Hinted<K> for Arc<Network<Position<K>, VIEWS>> {}

impl<K: Kind, E: Hinted<K>> SearchHints<Position<K>> for E {
    fn tag(&self, m: &Move) -> u16 {
        let fields = m.from.index() * 81 + m.to.index();
        (1 + 3 * fields + m.twist as usize) as u16
    }

    fn move_of_tag(&self, position: &Position<K>, tag: u16) -> Option<Move> {
        let code = usize::from(tag).checked_sub(1)?;
        let (fields, twist) = (code / 3, Twist::ALL[code % 3]);
        let from = Field::at(fields / 81 % 9, fields / 81 / 9)?;
        let to = Field::at(fields % 81 % 9, fields % 81 / 9)?;
        let m = Move { from, to, twist };
        position.check(&m).is_ok().then_some(m)
    }

    /// By mover and target, and whether the chevron turns.
    fn history_slot(&self, position: &Position<K>, m: &Move) -> u16 {
        (position.mover() as u16) << 9 | (m.to.index() as u16) << 2 | m.twist as u16
    }

    fn hint_moves(&self, position: &Position<K>, moves: &[Move], hints: &mut [MoveHint]) {
        for (m, hint) in moves.iter().zip(hints) {
            *hint = MoveHint { priority: 0, bonus: 2_000 * swing(position, m).min(7) };
        }
    }

    /// The last round of Azacru is searched to its end; before it, connections that cost the chevron are.
    fn quiescence(&self, position: &Position<K>, _: u32) -> Quiescence {
        match position.last() {
            Some(_) => Quiescence::All,
            None if K::POWER => Quiescence::Noisy,
            None => Quiescence::Static,
        }
    }

    fn for_each_noisy<B>(
        &self,
        position: &Position<K>,
        _: u32,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        position.for_each_landing(position.mover(), |from, to, direction, connection| {
            let leaves = connection && position.connected(from, to, direction).1;
            match leaves {
                true => visit(Move { from, to, twist: Twist::Straight }),
                false => ControlFlow::Continue(()),
            }
        })
    }

    /// A race that no play can turn any more.
    fn known_value(&self, position: &Position<K>) -> Option<KnownValue> {
        let lead = final_lead(position)?;
        let (score, bound) = match (*lead.start(), *lead.end()) {
            (1.., _) => (Score::Mate(LONG), Bound::Lower),
            (_, ..=-1) => (Score::Mate(-LONG), Bound::Upper),
            (0, 0) => (Score::Cp(0), Bound::Exact),
            (0, _) => (Score::Cp(0), Bound::Lower),
            (_, 0) => (Score::Cp(0), Bound::Upper),
            _ => return None,
        };
        Some(KnownValue { score, bound })
    }
}

/// How a move is ordered: 3 for the field where it ends if that is neutral, and what a connection changes.
fn swing<K: Kind>(position: &Position<K>, m: &Move) -> i16 {
    let arrival = 3 * i16::from(position.cell(m.to).marker().is_none());
    let Some((direction, steps)) = m.from.line_to(m.to) else { return arrival };
    let linked = position.is_linked(m.from, m.to);
    let mut between = m.from.between(direction, steps);
    if !linked || between.any(|field| position.cell(field).is_occupied()) {
        return arrival;
    }
    change(position, m.from, m.to, direction)
}

/// By how much a connection changes the lead: 1 for every field that was neutral, 2 if it was an enemy's.
fn change<K: Kind>(position: &Position<K>, from: Field, to: Field, direction: Direction) -> i16 {
    let (fields, _) = position.connected(from, to, direction);
    fields.iter().map(|field| if position.cell(*field) == Cell::NEUTRAL { 1 } else { 2 }).sum()
}

/// By how many markers one turn of a seat changes the lead at most.
pub(super) fn gained<K: Kind>(position: &Position<K>, seat: usize) -> i32 {
    let mut most = 0;
    let _ = position.for_each_landing::<()>(seat, |from, to, direction, connection| {
        let changed = match connection {
            true => change(position, from, to, direction),
            false => i16::from(position.cell(to) == Cell::NEUTRAL),
        };
        most = most.max(changed);
        ControlFlow::Continue(())
    });
    i32::from(most)
}

#[cfg(test)]
#[cfg(all(feature = "shacru", feature = "azacru"))]
mod tests {
    use super::*;
    use crate::game::{Game, Random, Rules};
    use crate::games::azacru::Azacru;
    use crate::games::shacru::Shacru;

    fn start<K: Kind>() -> Position<K> {
        Position::start(&Position::<K>::default_rules(), None).expect("a game")
    }

    /// How many moves that cost a chevron occur in random games; each is searched at the leaves.
    fn costly<K: Kind>() -> usize {
        let mut random = Random::new(1);
        let mut found = 0;
        for _ in 0..20 {
            let mut position = start::<K>();
            while let Some(m) = position.random_move(&mut random) {
                let seat = position.mover();
                let costs = |m: &Move| {
                    let mut next = position.clone();
                    next.play(m);
                    next.chevron_fields(seat).len() < position.chevron_fields(seat).len()
                };
                let mut expected: Vec<Move> = position.moves().into_iter().filter(costs).collect();
                let mut visited = Vec::new();
                let _ = Evaluation.for_each_noisy::<()>(&position, 0, |m| {
                    visited.push(m);
                    ControlFlow::Continue(())
                });
                let order = |m: &Move| (m.from.index(), m.to.index());
                expected.sort_by_key(order);
                visited.sort_by_key(order);
                assert_eq!(visited, expected, "{position}");
                found += visited.len();
                position.play(&m);
            }
        }
        found
    }

    #[test]
    fn noisy_moves_are_those_that_cost_a_chevron() {
        assert!(costly::<Azacru>() > 100);
        assert_eq!(costly::<Shacru>(), 0);
    }

    #[test]
    fn leaves_of_azacru_are_not_quiet() {
        assert_eq!(Evaluation.quiescence(&start::<Azacru>(), 0), Quiescence::Noisy);
        assert_eq!(Evaluation.quiescence(&start::<Shacru>(), 0), Quiescence::Static);
    }
}
