//! The plays of a turn, each result once.
//!
//! Steps are tried by value, then by start, a single before a double. So the first spelling that
//! reaches a result is the listed one. Of two ways to the same intermediate placement with the same
//! values left, the second can be dropped: whatever follows it also follows the first.

use std::collections::HashSet;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::moves::{Move, Play};
use super::position::Position;
use super::remaining::RemainingValues;
use super::turn_state::TurnState;

/// A set of numbers; small ones stay on the stack.
#[derive(Default)]
struct SmallSet {
    few: ArrayVec<u128, 48>,
    many: HashSet<u128>,
}

impl SmallSet {
    /// Adds a number; `false` if it was there.
    fn insert(&mut self, number: u128) -> bool {
        if self.many.is_empty() {
            if self.few.contains(&number) {
                return false;
            }
            if self.few.try_push(number).is_ok() {
                return true;
            }
            self.many.extend(self.few.iter());
        }
        self.many.insert(number)
    }
}

struct Generator<'a, F> {
    position: &'a Position,
    play: Play,
    /// Intermediate placements reached, with the values left.
    reached: SmallSet,
    /// Results already reported.
    reported: SmallSet,
    /// Whether two spellings may lead to one result.
    merges: bool,
    visit: F,
}

/// Calls `visit` with the listed spelling of every play of the turn.
pub(super) fn for_each_play<B>(
    position: &Position,
    mut visit: impl FnMut(Move) -> ControlFlow<B>,
) -> ControlFlow<B> {
    if position.voided() {
        return visit(Move::Play(Play::default()));
    }
    let state = TurnState::new(position);
    let values = RemainingValues::new(position.throws());
    let mut generator = Generator {
        position,
        play: Play::default(),
        reached: SmallSet::default(),
        reported: SmallSet::default(),
        merges: values.total() > 1,
        visit: |play: &Play| visit(Move::Play(*play)),
    };
    generator.walk(&state, values)
}

impl<B, F: FnMut(&Play) -> ControlFlow<B>> Generator<'_, F> {
    fn walk(&mut self, state: &TurnState, values: RemainingValues) -> ControlFlow<B> {
        if self.position.options().pass {
            self.report(state)?;
        }
        let mut stuck = true;
        for (kind, value) in values.kinds() {
            let left = values.without(kind);
            let mut broken = ControlFlow::Continue(());
            state.for_each_step(value, |step| {
                stuck = false;
                let mut next = state.clone();
                next.make(step);
                if left.total() > 0 && !self.play.steps().is_empty() {
                    let state = self.result_key(&next) | left.packed() << 116;
                    if !self.reached.insert(state) {
                        return true;
                    }
                }
                self.play.push(step);
                broken =
                    if left.total() == 0 { self.report(&next) } else { self.walk(&next, left) };
                self.play.pop();
                broken.is_continue()
            });
            broken?;
        }
        if stuck && !self.position.options().pass {
            self.report(state)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn report(&mut self, state: &TurnState) -> ControlFlow<B> {
        if self.merges && !self.reported.insert(self.result_key(state)) {
            return ControlFlow::Continue(());
        }
        (self.visit)(&self.play)
    }

    /// Own pawns in 80 bits, and one bit for every enemy pawn hit.
    fn result_key(&self, state: &TurnState) -> u128 {
        state.packed() | u128::from(self.position.enemies_on(state.hit)) << 80
    }
}
