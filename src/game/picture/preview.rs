//! What stands on a board, and what the changes that a step shows make of it.

use std::collections::BTreeMap;

use crate::picture::{Board, Show};

/// Cell, symbol and owner of a piece.
type Who = (String, String, u8);

/// Pieces with how they face, the marks of seats and the dice: what `show` tells. Marks of nobody,
/// such as fear, locks and fresh doubles, follow from the pieces.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Standing {
    /// How many stand there, and the degrees of those that face somewhere.
    pieces: BTreeMap<Who, (u32, Option<f64>)>,
    /// The owner of a mark, by cell and kind.
    marks: BTreeMap<(String, String), u8>,
    dice: Vec<i64>,
}

impl Standing {
    /// What stands on a board.
    pub(super) fn of(board: &Board) -> Self {
        let mut standing = Standing {
            pieces: BTreeMap::new(),
            marks: BTreeMap::new(),
            dice: board.dice.as_ref().map_or_else(Vec::new, |dice| dice.left.clone()),
        };
        for piece in &board.pieces {
            let who = (piece.cell.clone(), piece.symbol.clone(), piece.seat);
            standing.put(who, piece.count.unwrap_or(1), piece.turn);
        }
        let owned = board.marks.iter().filter(|mark| mark.seat != 0);
        standing
            .marks
            .extend(owned.map(|mark| ((mark.cell.clone(), mark.kind.clone()), mark.seat)));
        standing
    }

    fn put(&mut self, who: Who, count: u32, turn: Option<f64>) {
        let (standing, facing) = self.pieces.entry(who).or_insert((0, None));
        *standing += count;
        *facing = turn;
    }

    /// Takes pieces away; returns how they faced.
    fn take(&mut self, who: &Who, count: u32) -> Result<Option<f64>, String> {
        match self.pieces.get_mut(who) {
            Some((standing, facing)) if *standing > count => {
                *standing -= count;
                Ok(*facing)
            }
            Some((standing, facing)) if *standing == count => {
                let facing = *facing;
                self.pieces.remove(who);
                Ok(facing)
            }
            _ => Err(format!("{who:?} does not stand there {count} times")),
        }
    }

    /// Makes one change.
    ///
    /// # Errors
    /// A piece or a mark goes that is not there.
    pub(super) fn apply(&mut self, change: &Show) -> Result<(), String> {
        match change {
            Show::Move { r#move: [from, to], symbol, seat, turn, count } => {
                let (who, count) = (|cell: &String| (cell.clone(), symbol.clone(), *seat), *count);
                let faced = self.take(&who(from), count.unwrap_or(1))?;
                self.put(who(to), count.unwrap_or(1), turn.or(faced));
            }
            Show::Add { add, symbol, mark, seat, turn } => {
                if let Some(symbol) = symbol {
                    self.put((add.clone(), symbol.clone(), *seat), 1, *turn);
                }
                if let Some(kind) = mark {
                    self.marks.insert((add.clone(), kind.clone()), *seat);
                }
            }
            Show::Remove { remove, symbol, mark, seat } => {
                if let Some(symbol) = symbol {
                    self.take(&(remove.clone(), symbol.clone(), *seat), 1)?;
                }
                if let Some(kind) = mark {
                    let owner = self.marks.remove(&(remove.clone(), kind.clone()));
                    if owner != Some(*seat) {
                        return Err(format!("no {kind} of {seat} lies on {remove}"));
                    }
                }
            }
            Show::Dice { dice } => self.dice.clone_from(dice),
        }
        Ok(())
    }

    /// The first difference to another board, for a message.
    pub(super) fn difference(&self, other: &Standing) -> Option<String> {
        let apart = |name: &str, own: String, others: String| {
            (own != others).then(|| format!("{name}: shown {own}, on the board {others}"))
        };
        let only = |own: &Standing, other: &Standing| {
            let pieces =
                own.pieces.iter().filter(|(who, what)| other.pieces.get(*who) != Some(what));
            let marks = own.marks.iter().filter(|(at, seat)| other.marks.get(*at) != Some(seat));
            (
                format!("{:?}", pieces.collect::<Vec<_>>()),
                format!("{:?}", marks.collect::<Vec<_>>()),
            )
        };
        let ((pieces, marks), (others, other_marks)) = (only(self, other), only(other, self));
        apart("pieces", pieces, others)
            .or_else(|| apart("marks", marks, other_marks))
            .or_else(|| apart("dice", format!("{:?}", self.dice), format!("{:?}", other.dice)))
    }
}
