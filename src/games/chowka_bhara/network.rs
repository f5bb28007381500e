//! The learned evaluation of the 5 x 5 board: one small network that says how strong a seat stands,
//! asked once a seat; the softmax of the answers is every seat's chance to be first.
//!
//! Its inputs are facts that are true or false: how many pawns of a seat stand on a path index, and
//! which pawns of two seats stand where, pair by pair. Each true fact adds a row of numbers; the
//! sums go through `x / (1 + |x|)` (the first as it is) into one weighted sum. Only additions,
//! multiplications and divisions, in a fixed order: equal on every machine.

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use super::geometry::Geometry;
use super::position::Position;
use crate::game::{Random, splitmix64};

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

const COUNTS: usize = CELLS * PAWNS;
const PAIRS: usize = OWN_KINDS * OTHER_KINDS * PAIRED * PAIRED;
const RING: usize = 16;

/// The facts that are true of one seat.
pub(super) type Facts = ArrayVec<u16, 96>;

/// Every seat's facts, in the order of the seats.
pub(super) type AllFacts = ArrayVec<Facts, 4>;

/// For how many seats a network is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Table {
    /// Two: the other seat always sits across.
    Two,
    /// Three and four.
    More,
}

impl Table {
    /// How many places another seat may sit at.
    const fn others(self) -> usize {
        match self {
            Table::Two => 1,
            Table::More => 3,
        }
    }

    /// The place of the seat `further` quarters on.
    fn place(self, further: usize) -> usize {
        match self {
            Table::Two => 0,
            Table::More => further - 1,
        }
    }

    const fn rows(self) -> usize {
        COUNTS + self.others() * (COUNTS + PAIRS + 1) + 4 + 1 + RING
    }
}

/// The weights of a network with `H` sums.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Network<const H: usize> {
    pub table: Table,
    pub rows: Vec<[f32; H]>,
    pub head: [f32; H],
}

/// Sums of the network for two seats.
pub(super) const WIDE: usize = 32;
/// Sums of the network for three and four.
pub(super) const NARROW: usize = 16;

/// The shipped networks.
pub(super) static TWO: LazyLock<Network<WIDE>> = LazyLock::new(|| {
    Network::read(Table::Two, include_bytes!("../../../data/chowka-bhara-2.weights"))
        .unwrap_or_else(|| Network::new(Table::Two, 0))
});
pub(super) static MORE: LazyLock<Network<NARROW>> = LazyLock::new(|| {
    Network::read(Table::More, include_bytes!("../../../data/chowka-bhara-34.weights"))
        .unwrap_or_else(|| Network::new(Table::More, 0))
});

/// One unit of a weight in a file.
const SCALE: f32 = 2048.0;
const MAGIC: &[u8; 8] = b"chowka01";

impl<const H: usize> Network<H> {
    /// A network that knows nothing: small random numbers.
    pub fn new(table: Table, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut small = |size: f32| (random.unit() as f32 - 0.5) * size;
        let mut rows = vec![[0.0; H]; table.rows()];
        for row in &mut rows {
            row[1..].fill_with(|| small(0.1));
        }
        let mut head = [1.0; H];
        head[1..].fill_with(|| small(1.0));
        Network { table, rows, head }
    }

    /// Reads a file; `None` if it is none of this kind, or damaged.
    pub fn read(table: Table, bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, data) = rest.split_first_chunk::<8>()?;
        if data.len() != (table.rows() + 1) * H * 2 || u64::from_le_bytes(*sum) != checksum(data) {
            return None;
        }
        let mut numbers = data
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / SCALE);
        let mut next = || [(); H].map(|()| numbers.next().unwrap_or(0.0));
        let head = next();
        let rows = (0..table.rows()).map(|_| next()).collect();
        Some(Network { table, rows, head })
    }

    /// Writes the weights, rounded to 16 bits each.
    pub fn write(&self) -> Vec<u8> {
        let numbers = self.head.iter().chain(self.rows.iter().flatten());
        let data: Vec<u8> = numbers
            .flat_map(|x| ((x * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes())
            .collect();
        [MAGIC.as_slice(), &checksum(&data).to_le_bytes(), &data].concat()
    }

    /// The sums of the rows of some facts.
    #[inline]
    pub fn sums(&self, facts: &Facts) -> [f32; H] {
        let mut sums = [0.0; H];
        for fact in facts {
            let row = &self.rows[*fact as usize];
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += x;
            }
        }
        sums
    }

    /// How strong a seat stands, by its sums.
    #[inline]
    pub fn strength(&self, sums: &[f32; H]) -> f32 {
        let mut parts = [0.0; H];
        for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(&self.head) {
            *part = sum / (1.0 + sum.abs()) * weight;
        }
        parts[0] = sums[0] * self.head[0];
        parts.iter().sum()
    }

    /// Every seat's chance to be first, in the order of the seats.
    pub fn shares(&self, position: &Position) -> [f32; 4] {
        let mut strengths = [f32::NEG_INFINITY; 4];
        for (strength, side) in strengths.iter_mut().zip(position.sides()) {
            let facts = facts(position, *side, self.table);
            *strength = self.strength(&self.sums(&facts));
        }
        softmax(strengths)
    }
}

/// Chances in proportion to the exponentials; those of minus infinity have none.
pub(super) fn softmax(strengths: [f32; 4]) -> [f32; 4] {
    let most = strengths.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let powers = strengths.map(|strength| {
        if strength == f32::NEG_INFINITY { 0.0 } else { libm::expf(strength - most) }
    });
    let total: f32 = powers.iter().sum();
    powers.map(|power| power / total)
}

fn checksum(data: &[u8]) -> u64 {
    data.chunks(8).fold(0, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        splitmix64(sum ^ u64::from_le_bytes(word))
    })
}

/// Path indices with how many pawns of a seat stand there.
type Standing = ArrayVec<(u8, u8), PAWNS>;

fn standing(position: &Position, side: usize) -> Standing {
    let mut list = Standing::new();
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

/// What is true of a side, for a 5 x 5 board.
pub(super) fn facts(position: &Position, side: usize, table: Table) -> Facts {
    let geometry = position.variant().geometry();
    let own = standing(position, side);
    let mut facts = Facts::new();
    let push_counts = |facts: &mut Facts, base: usize, standing: &Standing| {
        for (index, count) in standing {
            for more in 0..usize::from(*count).min(PAWNS) {
                facts.push((base + *index as usize * PAWNS + more) as u16);
            }
        }
    };
    push_counts(&mut facts, 0, &own);
    let mut base = COUNTS;
    for further in 1..4 {
        let other = (side + further) & 3;
        if !position.seated(other) {
            continue;
        }
        let base = base + table.place(further) * (COUNTS + PAIRS + 1);
        let standing = standing(position, other);
        push_counts(&mut facts, base, &standing);
        push_pairs(&mut facts, base + COUNTS, &own, &standing, fresh(position, geometry, other));
        if position.gate_open(other) {
            facts.push((base + COUNTS + PAIRS) as u16);
        }
    }
    base += table.others() * (COUNTS + PAIRS + 1);
    facts.push((base + waits(position, side)) as u16);
    base += 4;
    if position.gate_open(side) {
        facts.push(base as u16);
    }
    base += 1;
    let own_fresh = fresh(position, geometry, side);
    for (index, _) in own.iter().filter(|(index, _)| own_fresh >> index & 1 != 0) {
        facts.push((base + *index as usize) as u16);
    }
    facts
}

fn push_pairs(facts: &mut Facts, base: usize, own: &Standing, others: &Standing, fresh: u32) {
    for (there, many) in others.iter().filter(|(index, _)| (*index as usize) < PAIRED) {
        let other_kind = match () {
            () if fresh >> there & 1 != 0 => 2,
            () => usize::from(*many > 1),
        };
        for (here, count) in own.iter().filter(|(index, _)| (*index as usize) < PAIRED) {
            let kinds = usize::from(*count > 1) * OTHER_KINDS + other_kind;
            let fact = (kinds * PAIRED + *here as usize) * PAIRED + *there as usize;
            facts.push((base + fact) as u16);
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

/// Every seat's facts.
pub(super) fn all_facts(position: &Position, table: Table) -> AllFacts {
    position.sides().iter().map(|side| facts(position, *side, table)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_a_file_to_their_precision() {
        let network = Network::<WIDE>::new(Table::Two, 7);
        let bytes = network.write();
        let again = Network::<WIDE>::read(Table::Two, &bytes).expect("a file just written");
        for (a, b) in network.rows.iter().flatten().zip(again.rows.iter().flatten()) {
            assert!((a - b).abs() <= 0.5 / SCALE);
        }
        assert_eq!(again.write(), bytes);
    }

    #[test]
    fn damaged_and_truncated_files_are_refused() {
        let bytes = Network::<NARROW>::new(Table::More, 7).write();
        assert!(Network::<NARROW>::read(Table::More, &bytes).is_some());
        assert!(Network::<NARROW>::read(Table::More, &bytes[..bytes.len() - 1]).is_none());
        assert!(Network::<NARROW>::read(Table::Two, &bytes).is_none());
        let mut damaged = bytes;
        damaged[5000] ^= 1;
        assert!(Network::<NARROW>::read(Table::More, &damaged).is_none());
    }

    #[test]
    fn the_shipped_files_are_whole() {
        let two = include_bytes!("../../../data/chowka-bhara-2.weights");
        let more = include_bytes!("../../../data/chowka-bhara-34.weights");
        assert!(Network::<WIDE>::read(Table::Two, two).is_some());
        assert!(Network::<NARROW>::read(Table::More, more).is_some());
    }
}
