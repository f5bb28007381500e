//! The inputs of the network: binary features of one seat on the 5 x 5 board.
//!
//! They say how many pawns of a seat stand on a path index (its own and those of every other seat),
//! which pawns of two seats stand where, pair by pair, whose gate is open, how many seats throw
//! first, and where the seat has fresh doubles.

use arrayvec::ArrayVec;

use crate::games::chowka_bhara::rules::{Geometry, Position};

/// Path indices of the 5 x 5 board.
const CELLS: usize = 25;
/// Most pawns of a seat on it.
const PAWNS: usize = 4;
/// Path indices on which pawns of two seats are taken as a pair: all but the centre.
const PAIRED: usize = 24;
/// How an own pawn stands: alone, or with others.
const OWN_KINDS: usize = 2;
/// How another seat's pawn stands: alone, with others, in a fresh double.
const OTHER_KINDS: usize = 3;

/// Features that count the pawns of one seat on a path index.
const COUNTS: usize = CELLS * PAWNS;
/// Features that pair pawns of two seats.
const PAIRS: usize = OWN_KINDS * OTHER_KINDS * PAIRED * PAIRED;
/// Pairs of pawns of one seat, by their path indices.
const OWN_PAIRS: usize = CELLS * (CELLS + 1) / 2;
/// Cells of the outer ring.
const RING: usize = 16;

/// The active features of one seat.
pub type Features = ArrayVec<u16, 128>;

/// The active features of every seat, in the order of the seats.
pub type AllFeatures = ArrayVec<Features, 4>;

/// For how many seats a network is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seating {
    /// Two seats: the other seat is always the opposite one.
    Two,
    /// Three and four.
    More,
}

impl Seating {
    /// How many places there are for another seat.
    const fn others(self) -> usize {
        match self {
            Seating::Two => 1,
            Seating::More => 3,
        }
    }

    /// The place of the seat `further` quarters on.
    fn place(self, further: usize) -> usize {
        match self {
            Seating::Two => 0,
            Seating::More => further - 1,
        }
    }

    /// How many features there are.
    #[must_use]
    pub const fn features(self) -> usize {
        COUNTS + self.others() * (COUNTS + PAIRS + 1) + 4 + 1 + RING + self.own_pairs()
    }

    /// How many features there are of pairs of pawns of one seat, of every seat.
    const fn own_pairs(self) -> usize {
        (1 + self.others()) * OWN_PAIRS
    }
}

/// Path indices and how many pawns of a seat stand there.
type Placement = ArrayVec<(u8, u8), PAWNS>;

fn placement_of(position: &Position, side: usize) -> Placement {
    let mut list = Placement::new();
    for index in position.pawns(side).iter().take(PAWNS) {
        match list.last_mut() {
            Some((last, count)) if last == index => *count += 1,
            _ => list.push((*index, 1)),
        }
    }
    // A game with fewer pawns is one in which the others are home.
    let missing = PAWNS.saturating_sub(position.pawns(side).len()) as u8;
    if missing > 0 {
        match list.last_mut() {
            Some((24, count)) => *count += missing,
            _ => {
                let _ = list.try_push((24, missing));
            }
        }
    }
    list
}

/// The active features of a side, on the 5 x 5 board.
#[must_use]
pub fn features(position: &Position, side: usize, seating: Seating) -> Features {
    let geometry = position.options().geometry();
    let own = placement_of(position, side);
    let mut features = Features::new();
    let push_counts = |features: &mut Features, base: usize, placement: &Placement| {
        for (index, count) in placement {
            for more in 0..usize::from(*count).min(PAWNS) {
                features.push((base + *index as usize * PAWNS + more) as u16);
            }
        }
    };
    push_counts(&mut features, 0, &own);
    let mut base = COUNTS;
    for further in 1..4 {
        let other = (side + further) & 3;
        if !position.seated(other) {
            continue;
        }
        let base = base + seating.place(further) * (COUNTS + PAIRS + 1);
        let placement = placement_of(position, other);
        push_counts(&mut features, base, &placement);
        push_pairs(
            &mut features,
            base + COUNTS,
            &own,
            &placement,
            fresh(position, geometry, other),
        );
        if position.gate_open(other) {
            features.push((base + COUNTS + PAIRS) as u16);
        }
    }
    base += seating.others() * (COUNTS + PAIRS + 1);
    features.push((base + waits(position, side)) as u16);
    base += 4;
    if position.gate_open(side) {
        features.push(base as u16);
    }
    base += 1;
    let own_fresh = fresh(position, geometry, side);
    for (index, _) in own.iter().filter(|(index, _)| own_fresh >> index & 1 != 0) {
        features.push((base + *index as usize) as u16);
    }
    base += RING;
    push_own_pairs(&mut features, base, &own);
    for further in (1..4).filter(|further| position.seated((side + further) & 3)) {
        let base = base + (1 + seating.place(further)) * OWN_PAIRS;
        push_own_pairs(&mut features, base, &placement_of(position, (side + further) & 3));
    }
    features
}

/// The pairs of pawns of one seat; two on one cell are a pair, too.
fn push_own_pairs(features: &mut Features, base: usize, placement: &Placement) {
    for (at, (high, many)) in placement.iter().enumerate() {
        let row = usize::from(*high) * (usize::from(*high) + 1) / 2;
        for (low, _) in &placement[..at] {
            features.push((base + row + usize::from(*low)) as u16);
        }
        if *many > 1 {
            features.push((base + row + usize::from(*high)) as u16);
        }
    }
}

fn push_pairs(
    features: &mut Features,
    base: usize,
    own: &Placement,
    others: &Placement,
    fresh: u32,
) {
    for (there, many) in others.iter().filter(|(index, _)| (*index as usize) < PAIRED) {
        let other_kind = match () {
            () if fresh >> there & 1 != 0 => 2,
            () => usize::from(*many > 1),
        };
        for (here, count) in own.iter().filter(|(index, _)| (*index as usize) < PAIRED) {
            let kinds = usize::from(*count > 1) * OTHER_KINDS + other_kind;
            let feature = (kinds * PAIRED + *here as usize) * PAIRED + *there as usize;
            features.push((base + feature) as u16);
        }
    }
}

/// The fresh doubles of a side by its path index; other cells may be set, where it does not stand.
fn fresh(position: &Position, geometry: &Geometry, side: usize) -> u32 {
    let mut indices = 0;
    let mut cells = position.fresh();
    while cells != 0 {
        indices |= 1 << geometry.index(side, cells.trailing_zeros() as u8);
        cells &= cells - 1;
    }
    indices
}

/// How many seats throw before a side does.
fn waits(position: &Position, side: usize) -> usize {
    let sides = position.sides();
    let rank = |side: usize| sides.iter().position(|known| *known == side).unwrap_or(0);
    (rank(side) + sides.len() - rank(position.side())) % sides.len()
}

/// The active features of every seat.
#[must_use]
pub fn all_features(position: &Position, seating: Seating) -> AllFeatures {
    position.sides().iter().map(|side| features(position, *side, seating)).collect()
}
