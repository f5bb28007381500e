//! Lists of moves as text, generated from the prefix they must begin with.
//!
//! A position can have hundreds of thousands of rotations; those that cannot match are not built.

use std::ops::ControlFlow;

use crate::game::{LIST_LIMIT, MoveList};
use crate::games::chevrons::Field;
use crate::games::pacru::rules::{Move, Position, Rotation, choices};

/// The moves that begin with `prefix`, sorted.
pub(super) fn list(position: &Position, prefix: &str) -> MoveList {
    let mut list = Lister { prefix, found: Vec::new(), built: 0 };
    if list.collect(position).is_break() {
        return MoveList::Many;
    }
    list.found.sort_unstable();
    MoveList::Listed(list.found)
}

struct Lister<'a> {
    prefix: &'a str,
    found: Vec<String>,
    /// How many texts were built, whole or in part: the work of the listing.
    built: usize,
}

impl Lister<'_> {
    /// Collects the moves; breaks as soon as there are too many.
    fn collect(&mut self, position: &Position) -> ControlFlow<()> {
        if position.is_over() {
            return ControlFlow::Continue(());
        }
        let seat = position.mover();
        position.for_each_landing(seat, |landing| {
            if !self.may_match(&landing.from.to_string()) {
                return ControlFlow::Continue(());
            }
            position.for_each_move_of(seat, landing, |m| self.offer(m))
        })?;
        if !position.options().rotations {
            return ControlFlow::Continue(());
        }
        let payable = position.payable(seat);
        for &from in position.chevron_fields(seat) {
            for rotation in Rotation::ALL {
                let head = format!("{from}{}(", rotation.sign());
                if self.may_match(&head) {
                    self.pay(&payable, rotation.cost(), head)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a text that begins with `begin` can begin with the prefix.
    fn may_match(&self, begin: &str) -> bool {
        begin.starts_with(self.prefix) || self.prefix.starts_with(begin)
    }

    fn offer(&mut self, m: Move) -> ControlFlow<()> {
        self.built += 1;
        let text = m.to_string();
        if text.starts_with(self.prefix) { self.push(text) } else { ControlFlow::Continue(()) }
    }

    fn push(&mut self, text: String) -> ControlFlow<()> {
        if self.found.len() == LIST_LIMIT {
            return ControlFlow::Break(());
        }
        self.found.push(text);
        ControlFlow::Continue(())
    }

    /// Collects the rotations whose text begins with `head`, with `left` fields of `payable` to add.
    fn pay(&mut self, payable: &[Field], left: usize, head: String) -> ControlFlow<()> {
        let all_match = head.starts_with(self.prefix);
        let room = (LIST_LIMIT - self.found.len()) as u64;
        if all_match && choices(payable.len() as u64, left as u64) > room {
            return ControlFlow::Break(());
        }
        for (index, field) in payable.iter().enumerate() {
            let last = left == 1;
            self.built += 1;
            let text = format!("{head}{field}{}", if last { ')' } else { ',' });
            if !all_match && !self.may_match(&text) {
                continue;
            }
            if !last {
                self.pay(&payable[index + 1..], left - 1, text)?;
            } else if text.starts_with(self.prefix) {
                self.push(text)?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Player 1 has one chevron, and 41 markers to pay with: over 200,000 rotations.
    const RICH: &str = "aaaaaaaa[2SW]/aaaaaaa1a/aaaaaaaaa/aaa3aaa/aaa1[1N]1aaa/aaaa5/9/9/9 1 2";

    fn listed(position: &Position, prefix: &str) -> (ControlFlow<()>, usize, usize) {
        let mut lister = Lister { prefix, found: Vec::new(), built: 0 };
        let end = lister.collect(position);
        (end, lister.found.len(), lister.built)
    }

    #[test]
    fn a_prefix_is_generated_and_not_filtered() {
        let position: Position = RICH.parse().expect("a position");
        let payable = position.payable_count(0) as u64;
        assert!(choices(payable, 4) > LIST_LIMIT as u64, "{payable}");
        let (end, found, built) = listed(&position, "e5>>(b7,");
        assert!(end.is_continue() && found > 1_000, "{found}");
        assert!(built < 2 * found, "{built} texts for {found} moves");
        let (end, found, built) = listed(&position, "e5>>(b7,c7,d7,");
        assert!(end.is_continue() && found > 10, "{found}");
        assert!(built < 3 * payable as usize + 10, "{built} texts for {found} moves");
    }

    #[test]
    fn a_list_that_would_be_too_long_is_not_begun() {
        let position: Position = RICH.parse().expect("a position");
        for prefix in ["e5>>", "e5>>("] {
            let (end, _, built) = listed(&position, prefix);
            assert!(end.is_break());
            assert!(built < 10, "{built} texts before giving up");
        }
    }
}
