//! The earlier hand-written evaluation, available as `Player terms`: a weighted sum of terms,
//! White's less Black's.
//!
//! [`count_terms`] counts the terms into a [`Sink`]: a weighted sum for the search, a list of
//! counts for tuning and explanations. The sum over the squares of the animals is kept
//! incrementally; all other terms follow from the squares that the animals reach safely and are
//! counted at the leaf.

use super::weights::{INITIAL, WEIGHTS};
use crate::game::Seat;
use crate::games::barca::rules::{
    HOLE_SET, HOLES, Kind, Move, NO_SQUARE, Position, SIZE, SQUARES, SquareSet, at, file_of,
    rank_of,
};
use crate::machine::dispatched;
use crate::search::Evaluate;

/// The terms: each constant is the index of the first weight of a group.
pub(crate) mod term {
    /// The square of an animal: by kind, rank from its own side, file from the edge.
    pub(crate) const SQUARE: usize = 0;
    /// One or two holes held.
    pub(crate) const HELD: usize = SQUARE + 150;
    /// Afraid on a hole, by kind.
    pub(crate) const HELD_IN_FEAR: usize = HELD + 2;
    /// Afraid elsewhere, by kind.
    pub(crate) const AFRAID: usize = HELD_IN_FEAR + 3;
    /// Afraid without an escape, by kind.
    pub(crate) const TRAPPED: usize = AFRAID + 3;
    /// The number of squares safely reached, by kind.
    pub(crate) const MOBILITY: usize = TRAPPED + 3;
    /// Weights of each kind's mobility.
    pub(crate) const MOBILITY_STEPS: usize = 10;
    /// One to three vacant holes in safe reach, by holes held.
    pub(crate) const ACCESS: usize = MOBILITY + 3 * MOBILITY_STEPS;
    /// Each further animal that reaches one of these holes.
    pub(crate) const MORE_ACCESS: usize = ACCESS + 9;
    /// Vacant holes denied to enemies, by their kind.
    pub(crate) const GUARD: usize = MORE_ACCESS + 1;
    /// Enemies that can be scared by one move, by their kind.
    pub(crate) const SCARE: usize = GUARD + 3;
    /// The same where they hold a hole.
    pub(crate) const SCARE_HOLDER: usize = SCARE + 3;
    /// Squares next to an own holder of a hole that the enemy it fears cannot enter safely, by
    /// kind.
    pub(crate) const PROTECTION: usize = SCARE_HOLDER + 3;
    /// The side to move.
    pub(crate) const TURN: usize = PROTECTION + 3;
    /// The side to move, with an afraid animal.
    pub(crate) const TURN_IN_FEAR: usize = TURN + 1;
    /// The number of weights.
    pub(crate) const COUNT: usize = TURN_IN_FEAR + 1;
}

/// Receives the terms: the term, its side (1 for White, -1 for Black), its count.
pub(super) trait Sink {
    fn add(&mut self, term: usize, sign: i32, count: i32);
}

/// The weighted sum of the terms.
struct Sum<'a> {
    weights: &'a [i32; term::COUNT],
    sum: i32,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, sign: i32, count: i32) {
        self.sum += sign * count * self.weights[term];
    }
}

/// The count of each term, White's less Black's.
pub(crate) struct Counts(pub [i32; term::COUNT]);

impl Sink for Counts {
    fn add(&mut self, term: usize, sign: i32, count: i32) {
        self.0[term] += sign * count;
    }
}

/// The counts of all terms of a position, those of squares included.
pub(crate) fn counts(position: &Position) -> Counts {
    let mut counts = Counts([0; term::COUNT]);
    for side in [0, 1] {
        for kind in Kind::ALL {
            for square in position.standing(side, kind) {
                counts.add(square_term(side, kind, square), sign(side), 1);
            }
        }
    }
    count_terms(position, &mut counts);
    counts
}

/// The names of the groups of terms, in order, each with its first weight.
const NAMES: [(&str, usize); 15] = [
    ("squares of mice", term::SQUARE),
    ("squares of lions", term::SQUARE + 50),
    ("squares of elephants", term::SQUARE + 100),
    ("holes held", term::HELD),
    ("afraid on holes", term::HELD_IN_FEAR),
    ("afraid elsewhere", term::AFRAID),
    ("trapped", term::TRAPPED),
    ("mobility", term::MOBILITY),
    ("holes in reach", term::ACCESS),
    ("holes in reach of more", term::MORE_ACCESS),
    ("holes denied to the enemy", term::GUARD),
    ("enemies to scare", term::SCARE),
    ("holders to scare", term::SCARE_HOLDER),
    ("protection of holders", term::PROTECTION),
    ("side to move", term::TURN),
];

/// The terms explained in lines: the contribution of each group, White's less Black's.
pub(super) fn explain(counts: &Counts) -> String {
    let ends = NAMES.iter().skip(1).map(|(_, first)| *first).chain([term::COUNT]);
    let mut lines = String::new();
    let mut total = 0;
    for ((name, first), end) in NAMES.iter().zip(ends) {
        let value: i32 = (*first..end).map(|i| counts.0[i] * i32::from(WEIGHTS[i])).sum();
        lines += &format!("  {name:<26}{value:>6}\n");
        total += value;
    }
    lines + &format!("  {:<26}{total:>6}\n", "all terms")
}

/// The weighted terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    weights: [i32; term::COUNT],
    /// The value of a square by side and kind: the same weights, faster to look up.
    squares: [[[i16; 128]; 3]; 2],
}

impl Default for Terms {
    /// With the tuned weights.
    fn default() -> Self {
        Terms::with_weights(WEIGHTS)
    }
}

impl Terms {
    /// With the hand-written weights that tuning starts from.
    #[must_use]
    pub fn plain() -> Self {
        Terms::with_weights(INITIAL)
    }

    /// With any weights.
    pub(super) fn with_weights(weights: [i16; term::COUNT]) -> Self {
        let mut squares = [[[0; 128]; 3]; 2];
        for side in [0, 1] {
            for kind in Kind::ALL {
                for square in 0..SQUARES {
                    squares[side][kind as usize][square as usize] =
                        weights[square_term(side, kind, square)];
                }
            }
        }
        Terms { weights: weights.map(i32::from), squares }
    }

    #[inline(always)]
    fn square_value(&self, side: usize, kind: Kind, square: u8) -> i32 {
        i32::from(self.squares[side & 1][kind as usize][(square & 127) as usize])
    }

    dispatched! {
        /// The sum of all terms except the squares, for White.
        fn weigh / weigh_fast = weighed(&self, position: &Position) -> i32
    }

    #[inline(always)]
    fn weighed(&self, position: &Position) -> i32 {
        let mut sink = Sum { weights: &self.weights, sum: 0 };
        count_terms(position, &mut sink);
        sink.sum
    }
}

impl Evaluate<Position> for Terms {
    /// The value of the squares of all animals for White.
    type Acc = i32;

    fn fresh(&self, position: &Position) -> i32 {
        let mut sum = 0;
        for side in [0, 1] {
            for kind in Kind::ALL {
                for square in position.standing(side, kind) {
                    sum += sign(side) * self.square_value(side, kind, square);
                }
            }
        }
        sum
    }

    #[inline]
    fn update(&self, acc: &i32, before: &Position, m: &Move, _: &Position, next: &mut i32) {
        let side = before.side();
        let kind = before.kind_at(side, m.from).unwrap_or(Kind::Mouse);
        let change = self.square_value(side, kind, m.to) - self.square_value(side, kind, m.from);
        *next = acc + sign(side) * change;
    }

    #[inline]
    fn score(&self, acc: &i32, position: &Position, seat: Seat) -> i32 {
        let white = acc + self.weigh(position);
        if seat.index() == 0 { white } else { -white }
    }
}

fn sign(side: usize) -> i32 {
    1 - 2 * side as i32
}

#[inline(always)]
fn square_term(side: usize, kind: Kind, square: u8) -> usize {
    let (file, rank) = (file_of(square), rank_of(square));
    let rank = if side == 0 { rank } else { SIZE - 1 - rank };
    let edge = file.min(SIZE - 1 - file);
    term::SQUARE + kind as usize * 50 + (rank * 5 + edge) as usize
}

/// Counts every term except the squares. The code has no branch where a term is about as likely to
/// occur as not: adding a count of zero is cheaper than a mispredicted branch.
#[inline(always)]
pub(super) fn count_terms(position: &Position, sink: &mut impl Sink) {
    let white = Side::count(position, 0, sink);
    let black = Side::count(position, 1, sink);
    white.count_against(position, &black, sink);
    black.count_against(position, &white, sink);
    let mover = position.side();
    sink.add(term::TURN, sign(mover), 1);
    if [white.in_fear, black.in_fear][mover & 1] {
        sink.add(term::TURN_IN_FEAR, sign(mover), 1);
    }
}

/// The data of one side that the terms between the sides need.
struct Side {
    side: usize,
    /// Where its animals are afraid, by kind.
    feared: [u128; 3],
    /// Vacant squares that its animals of a kind reach safely.
    reached: [u128; 3],
    /// Whether one of its animals is afraid.
    in_fear: bool,
}

impl Side {
    /// Counts the terms of one side alone.
    #[inline(always)]
    fn count(position: &Position, side: usize, sink: &mut impl Sink) -> Side {
        let mut found = Side { side, feared: [0; 3], reached: [0; 3], in_fear: false };
        let mut access = Access::default();
        found.count_kind(position, Kind::Mouse, &mut access, sink);
        found.count_kind(position, Kind::Lion, &mut access, sink);
        found.count_kind(position, Kind::Elephant, &mut access, sink);
        let held = position.held(side).min(2) as usize;
        if held > 0 {
            sink.add(term::HELD + held - 1, sign(side), 1);
        }
        let holes = access.reached.count_ones() as i32;
        let step = (holes.max(1) - 1).min(2) as usize;
        sink.add(term::ACCESS + held * 3 + step, sign(side), (holes > 0) as i32);
        sink.add(term::MORE_ACCESS, sign(side), access.pairs - holes);
        found
    }

    /// Counts the terms of its animals of one kind.
    #[inline(always)]
    fn count_kind(
        &mut self,
        position: &Position,
        kind: Kind,
        access: &mut Access,
        sink: &mut impl Sink,
    ) {
        let [first, second] = position.pair(self.side, kind);
        let feared = position.feared(self.side, kind).0;
        let calm = !position.occupied().0 & !feared;
        let first_safe = position.reach(2 * kind as usize, first).0 & calm;
        let second_safe = position.reach(2 * kind as usize, second).0 & calm;
        self.feared[kind as usize] = feared;
        self.reached[kind as usize] = first_safe | second_safe;
        access.add(first, first_safe);
        access.add(second, second_safe);
        self.count_mobility(kind, first, first_safe, sink);
        self.count_mobility(kind, second, second_safe, sink);
        if (at(first).set.0 | at(second).set.0) & feared != 0 {
            self.in_fear = true;
            self.count_fear(kind, first, first_safe, sink);
            self.count_fear(kind, second, second_safe, sink);
        }
    }

    #[inline(always)]
    fn count_mobility(&self, kind: Kind, square: u8, safe: u128, sink: &mut impl Sink) {
        if square == NO_SQUARE {
            return;
        }
        let count = SquareSet(safe).count() as usize;
        let step = if kind == Kind::Elephant { count / 4 } else { count / 2 };
        let step = step.min(term::MOBILITY_STEPS - 1);
        let first = term::MOBILITY + kind as usize * term::MOBILITY_STEPS;
        sink.add(first + step, sign(self.side), 1);
    }

    fn count_fear(&self, kind: Kind, square: u8, safe: u128, sink: &mut impl Sink) {
        if at(square).set.0 & self.feared[kind as usize] == 0 {
            return;
        }
        let base = if is_hole(square) { term::HELD_IN_FEAR } else { term::AFRAID };
        sink.add(base + kind as usize, sign(self.side), 1);
        if safe == 0 {
            sink.add(term::TRAPPED + kind as usize, sign(self.side), 1);
        }
    }

    /// Counts the terms between this side and its enemy.
    #[inline(always)]
    fn count_against(&self, position: &Position, enemy: &Side, sink: &mut impl Sink) {
        let vacant = holes(!position.occupied().0);
        self.count_victims(position, enemy, Kind::Mouse, vacant, sink);
        self.count_victims(position, enemy, Kind::Lion, vacant, sink);
        self.count_victims(position, enemy, Kind::Elephant, vacant, sink);
        if position.held(self.side) > 0 {
            self.count_protection(position, enemy, sink);
        }
    }

    /// Counts holes denied to the enemy's animals of a kind, and those that can be scared.
    #[inline(always)]
    fn count_victims(
        &self,
        position: &Position,
        enemy: &Side,
        victim: Kind,
        vacant: u64,
        sink: &mut impl Sink,
    ) {
        let barred = holes(enemy.feared[victim as usize]) & vacant;
        sink.add(term::GUARD + victim as usize, sign(self.side), barred.count_ones() as i32);
        let reached = self.reached[victim.feared() as usize];
        let [first, second] = position.pair(enemy.side, victim);
        self.count_victim(victim, first, reached, sink);
        self.count_victim(victim, second, reached, sink);
    }

    #[inline(always)]
    fn count_victim(&self, victim: Kind, square: u8, reached: u128, sink: &mut impl Sink) {
        let base = if is_hole(square) { term::SCARE_HOLDER } else { term::SCARE };
        let hit = at(square).near.0 & reached != 0;
        sink.add(base + victim as usize, sign(self.side), hit as i32);
    }

    /// Counts squares next to own animals on holes that the enemies they fear cannot enter safely.
    #[inline(always)]
    fn count_protection(&self, position: &Position, enemy: &Side, sink: &mut impl Sink) {
        for kind in Kind::ALL {
            for square in position.pair(self.side, kind) {
                if is_hole(square) {
                    let barred = at(square).near.0 & enemy.feared[kind.feared() as usize];
                    let count = SquareSet(barred).count() as i32;
                    sink.add(term::PROTECTION + kind as usize, sign(self.side), count);
                }
            }
        }
    }
}

/// Which vacant holes a side can reach safely.
#[derive(Default)]
struct Access {
    reached: u64,
    /// The number of pairs of such a hole and an animal that reaches it.
    pairs: i32,
}

impl Access {
    /// Adds the squares that an animal reaches, unless it holds a hole already.
    #[inline(always)]
    fn add(&mut self, square: u8, safe: u128) {
        let found = holes(safe) & off_hole(square);
        self.reached |= found;
        self.pairs += found.count_ones() as i32;
    }
}

/// The holes of a set, as different bits of one word.
#[inline(always)]
fn holes(set: u128) -> u64 {
    set as u64 & HOLE_SET.0 as u64 | (set >> 64) as u64 & (HOLE_SET.0 >> 64) as u64
}

#[inline(always)]
fn is_hole(square: u8) -> bool {
    off_hole(square) == 0
}

/// All bits unless the square is a watering hole.
#[inline(always)]
fn off_hole(square: u8) -> u64 {
    OFF_HOLE[(square & 127) as usize] as u64
}

static OFF_HOLE: [i8; 128] = {
    let mut table = [-1; 128];
    let mut hole = 0;
    while hole < HOLES.len() {
        table[HOLES[hole] as usize] = 0;
        hole += 1;
    }
    table
};
