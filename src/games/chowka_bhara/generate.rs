//! The plays of a turn, each result once.
//!
//! Steps are tried by value, then start, a single before a double. So the first spelling that
//! reaches a result is the listed one, and of two ways to the same intermediate placement with the
//! same values left the second can be dropped: whatever follows it follows the first as well.

use std::collections::HashSet;
use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::field::{Field, Values};
use super::moves::{Move, Play};
use super::position::Position;

/// A set of numbers; small ones stay on the stack.
#[derive(Default)]
struct Seen {
    few: ArrayVec<u128, 48>,
    many: HashSet<u128>,
}

impl Seen {
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
    /// Intermediate placements met, with the values left.
    met: Seen,
    /// Results told.
    told: Seen,
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
    let field = Field::new(position);
    let values = Values::new(position.throws());
    let mut generator = Generator {
        position,
        play: Play::default(),
        met: Seen::default(),
        told: Seen::default(),
        merges: values.total() > 1,
        visit: |play: &Play| visit(Move::Play(*play)),
    };
    generator.walk(&field, values)
}

impl<B, F: FnMut(&Play) -> ControlFlow<B>> Generator<'_, F> {
    fn walk(&mut self, field: &Field, values: Values) -> ControlFlow<B> {
        if self.position.variant().pass {
            self.tell(field)?;
        }
        let mut stuck = true;
        for (kind, value) in values.kinds() {
            let left = values.without(kind);
            let mut broken = ControlFlow::Continue(());
            field.for_each_step(value, |step| {
                stuck = false;
                let mut next = field.clone();
                next.make(step);
                if left.total() > 0 && !self.play.steps().is_empty() {
                    let state = self.result(&next) | left.packed() << 116;
                    if !self.met.insert(state) {
                        return true;
                    }
                }
                self.play.push(step);
                broken = if left.total() == 0 { self.tell(&next) } else { self.walk(&next, left) };
                self.play.pop();
                broken.is_continue()
            });
            broken?;
        }
        if stuck && !self.position.variant().pass {
            self.tell(field)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn tell(&mut self, field: &Field) -> ControlFlow<B> {
        if self.merges && !self.told.insert(self.result(field)) {
            return ControlFlow::Continue(());
        }
        (self.visit)(&self.play)
    }

    /// Own pawns in 80 bits, and one bit for every enemy pawn hit.
    fn result(&self, field: &Field) -> u128 {
        field.packed() | u128::from(self.position.enemies_on(field.hit)) << 80
    }
}
