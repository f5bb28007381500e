//! Which positions are possible.

use super::board::MAX_PAWNS;
use super::moves::MAX_THROWS;
use super::options::{Gate, RuleOptions};
use super::position::{Ending, Position};
use crate::game::Game;

/// What a position is made of, not yet checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// The number of seats, 2 to 4.
    pub seats: usize,
    /// The side whose turn it is.
    pub side: usize,
    /// By side in play, sorted path indices on the board; 0 beyond the pawns in play.
    pub pawns: [[u8; MAX_PAWNS]; 4],
    /// Sides that have hit, as a set.
    pub open_gates: u8,
    /// Cells with a fresh double, none twice.
    pub fresh: Vec<u8>,
    /// The throws of the turn.
    pub throws: Vec<u8>,
    /// Under `HitBonus`, the cells on which the mover had a double when the turn began; by default
    /// those on which it has one.
    pub doubles_before: Option<Vec<u8>>,
    /// Under `PlayOn`, the sides that are home, in order; may be left out for less than two.
    pub finished: Option<Vec<usize>>,
}

/// Why a position is impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Impossible {
    /// A side with a closed gate has a pawn inside.
    InsideClosedGate {
        /// The side.
        side: usize,
        /// The path index of its pawn.
        index: u8,
    },
    /// Two sides stand on one unsafe cell.
    Shared {
        /// The sides.
        sides: [usize; 2],
        /// The cell.
        cell: u8,
    },
    /// A cell that cannot have a fresh double.
    NotFresh(u8),
    /// A throw that cannot be made.
    Throw {
        /// Its place among the throws, from 0.
        at: usize,
        /// The rule that it breaks.
        error: ThrowError,
    },
    /// Two seats are home, but the game ends with the first.
    SecondHome,
    /// The order does not name exactly the seats that are home.
    WrongOrder,
    /// Several seats are home and no order is given.
    MissingOrder,
    /// All seats are home.
    AllHome,
    /// The seat whose turn it is is home.
    FinishedToMove,
}

/// Why a throw cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThrowError {
    /// No such value.
    NotAValue,
    /// The throw before it ended the throwing.
    AfterLast,
    /// A turn has at most [`MAX_THROWS`].
    TooMany,
    /// The third bonus throw voided the turn.
    AfterVoid,
}

impl Setup {
    /// The position, if the rules allow it.
    pub(crate) fn position(self, options: RuleOptions) -> Result<Position, Impossible> {
        let mut position = Position::starting(options, self.seats);
        position.pawns = self.pawns;
        position.side = self.side as u8;
        position.open_gates = self.open_gates;
        check_gates(&position)?;
        check_cells(&position)?;
        check_fresh(&position, &self.fresh)?;
        position.fresh = self.fresh.iter().fold(0, |set, cell| set | 1 << cell);
        add_throws(&mut position, &self.throws)?;
        if options.hit_bonus {
            position.doubles_before = match self.doubles_before {
                Some(cells) => unsafe_outer(&position, &cells),
                None => position.outer_doubles(position.side()),
            };
        }
        add_finished(&mut position, self.finished)?;
        position.ending = position.find_ending();
        if position.ending != Ending::None {
            position.doubles_before = 0;
        }
        position.key = position.fresh_key();
        Ok(position)
    }
}

fn check_gates(position: &Position) -> Result<(), Impossible> {
    let ring = position.options.geometry().ring;
    if position.options.gate == Gate::Off {
        return Ok(());
    }
    for side in position.sides().iter().copied().filter(|side| !position.gate_open(*side)) {
        let inside = position.pawns(side).iter().find(|index| **index >= ring);
        if let Some(index) = inside {
            return Err(Impossible::InsideClosedGate { side, index: *index });
        }
    }
    Ok(())
}

fn check_cells(position: &Position) -> Result<(), Impossible> {
    let geometry = position.options.geometry();
    let safe = geometry.safe(position.options.safe_corners);
    for cell in (0..geometry.centre).filter(|cell| safe >> cell & 1 == 0) {
        let stands = |side: &usize| position.pawns(*side).contains(&geometry.index(*side, cell));
        let mut here = position.sides().iter().copied().filter(stands);
        if let (Some(one), Some(other)) = (here.next(), here.next()) {
            return Err(Impossible::Shared { sides: [one, other], cell });
        }
    }
    Ok(())
}

/// A fresh double is one of another side than the mover's.
fn check_fresh(position: &Position, cells: &[u8]) -> Result<(), Impossible> {
    let others = position.sides().iter().filter(|side| **side != position.side());
    let doubles = others.fold(0, |set, side| set | position.outer_doubles(*side));
    let ring = position.options.geometry().ring;
    match cells.iter().find(|cell| **cell >= ring || doubles >> **cell & 1 == 0) {
        Some(cell) => Err(Impossible::NotFresh(*cell)),
        None => Ok(()),
    }
}

fn add_throws(position: &mut Position, throws: &[u8]) -> Result<(), Impossible> {
    let options = position.options;
    for (at, value) in throws.iter().enumerate() {
        let ended = position.throws().last().is_some_and(|last| !options.is_bonus(*last));
        let error = match () {
            () if !options.is_value(*value) => ThrowError::NotAValue,
            () if ended => ThrowError::AfterLast,
            () if position.throws().len() == MAX_THROWS => ThrowError::TooMany,
            () if position.voided() => ThrowError::AfterVoid,
            () => {
                position.add_throw(*value);
                continue;
            }
        };
        return Err(Impossible::Throw { at, error });
    }
    Ok(())
}

fn unsafe_outer(position: &Position, cells: &[u8]) -> u64 {
    let geometry = position.options.geometry();
    let safe = geometry.safe(position.options.safe_corners);
    let cells = cells.iter().filter(|cell| **cell < geometry.ring && safe >> **cell & 1 == 0);
    cells.fold(0, |set, cell| set | 1 << cell)
}

fn add_finished(position: &mut Position, order: Option<Vec<usize>>) -> Result<(), Impossible> {
    let sides = position.sides().iter().copied();
    let home: Vec<usize> = sides.filter(|side| position.is_home(*side)).collect();
    if !position.options.play_on {
        return if home.len() > 1 { Err(Impossible::SecondHome) } else { Ok(()) };
    }
    let given = order.is_some();
    let order = order.unwrap_or_else(|| home.clone());
    if order.len() != home.len() || home.iter().any(|side| !order.contains(side)) {
        return Err(Impossible::WrongOrder);
    }
    if home.len() > 1 && !given {
        return Err(Impossible::MissingOrder);
    }
    if home.len() == position.seats as usize {
        return Err(Impossible::AllHome);
    }
    for side in order {
        position.finished[position.finished_count as usize] = side as u8;
        position.finished_count += 1;
    }
    let over = home.len() + 1 >= position.seats as usize;
    if !over && home.contains(&position.side()) {
        return Err(Impossible::FinishedToMove);
    }
    Ok(())
}
