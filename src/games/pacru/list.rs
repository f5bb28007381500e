//! Lists of moves as text, generated from the prefix they must begin with.
//!
//! Rotations can number hundreds of thousands, so those that cannot match are never made.

use std::ops::ControlFlow;

use super::board::Field;
use super::moves::{Move, Rotation, choices};
use super::position::Position;
use crate::game::{LIST_LIMIT, MoveList};

/// The moves that begin with `prefix`, sorted.
pub(super) fn moves(position: &Position, prefix: &str) -> MoveList {
    let mut list = List { prefix, found: Vec::new() };
    if list.collect(position).is_break() {
        return MoveList::Many;
    }
    list.found.sort_unstable();
    MoveList::Listed(list.found)
}

struct List<'a> {
    prefix: &'a str,
    found: Vec<String>,
}

impl List<'_> {
    /// Breaks as soon as there are too many.
    fn collect(&mut self, position: &Position) -> ControlFlow<()> {
        if position.is_over() {
            return ControlFlow::Continue(());
        }
        let seat = position.mover();
        position.for_each_landing(seat, |landing| {
            if !self.may_match(&landing.from.to_string()) {
                return ControlFlow::Continue(());
            }
            position.for_each_form(seat, landing, |m| self.offer(m))
        })?;
        if !position.variant.rotations {
            return ControlFlow::Continue(());
        }
        let payable = position.payable(seat);
        for &from in position.fields_of(seat) {
            for rotation in Rotation::ALL {
                let head = format!("{from}{}(", rotation.sign());
                if self.may_match(&head) {
                    self.pay(&payable, rotation.cost(), head)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a text that begins so can begin with the prefix.
    fn may_match(&self, begin: &str) -> bool {
        begin.starts_with(self.prefix) || self.prefix.starts_with(begin)
    }

    fn offer(&mut self, m: Move) -> ControlFlow<()> {
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

    /// Every rotation whose text begins with `head`, `left` fields of `payable` yet to be named.
    fn pay(&mut self, payable: &[Field], left: usize, head: String) -> ControlFlow<()> {
        let all_match = head.starts_with(self.prefix);
        let room = (LIST_LIMIT - self.found.len()) as u64;
        if all_match && choices(payable.len() as u64, left as u64) > room {
            return ControlFlow::Break(());
        }
        for (index, field) in payable.iter().enumerate() {
            let last = left == 1;
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
