//! How good a position is: a weighted sum of terms, White's less Black's.
//!
//! The terms are counted once, by [`count_terms`], into whatever wants them: a sum for the search,
//! a list of counts for tuning and for people. Where animals stand is kept along the line; all
//! else follows from the squares they can safely reach and is counted at the end of it.

use super::moves::Move;
use super::path::dispatch;
use super::position::{ANIMALS, Position};
use super::square::{HOLE_SET, Kind, SIZE, SQUARES, Set, file_of, rank_of};
use super::tables::{NEAR, SQUARE_SETS};
use super::weights::{PLAIN, WEIGHTS};
use crate::game::Seat;
use crate::search::Evaluate;

/// The terms: each constant is the first of a run of weights.
pub(super) mod term {
    /// Where an animal stands: kind, then rank from its own side, then file from the edge.
    pub const SQUARE: usize = 0;
    /// One or two holes held.
    pub const HELD: usize = SQUARE + 150;
    /// Afraid on a hole, by kind.
    pub const HELD_IN_FEAR: usize = HELD + 2;
    /// Afraid elsewhere, by kind.
    pub const AFRAID: usize = HELD_IN_FEAR + 3;
    /// Afraid without an escape, by kind.
    pub const TRAPPED: usize = AFRAID + 3;
    /// Squares safely reached, by kind and number.
    pub const MOBILITY: usize = TRAPPED + 3;
    /// Numbers of squares told apart.
    pub const MOBILITY_STEPS: usize = 10;
    /// Vacant holes in safe reach, one to three, by holes held.
    pub const ACCESS: usize = MOBILITY + 3 * MOBILITY_STEPS;
    /// Further animals that reach one of these holes.
    pub const MORE_ACCESS: usize = ACCESS + 9;
    /// Vacant holes that enemies are kept from, by their kind.
    pub const GUARD: usize = MORE_ACCESS + 1;
    /// Enemies that can be scared by one move, by their kind.
    pub const SCARE: usize = GUARD + 3;
    /// The same where they hold a hole.
    pub const SCARE_HOLDER: usize = SCARE + 3;
    /// Squares beside an own animal on a hole that the enemy it fears dare not enter, by kind.
    pub const PROTECTION: usize = SCARE_HOLDER + 3;
    /// To be on move.
    pub const TURN: usize = PROTECTION + 3;
    /// To be on move with an afraid animal.
    pub const TURN_IN_FEAR: usize = TURN + 1;
    /// How many weights there are.
    pub const COUNT: usize = TURN_IN_FEAR + 1;
}

/// What takes the terms: the term, its side (1 for White, -1 for Black), how many times.
pub(super) trait Sink {
    fn add(&mut self, term: usize, sign: i32, count: i32);
}

/// Their weighted sum.
struct Sum<'a> {
    weights: &'a [i16; term::COUNT],
    sum: i32,
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, sign: i32, count: i32) {
        self.sum += sign * count * i32::from(self.weights[term]);
    }
}

/// How often each term occurs, White's less Black's.
pub(super) struct Counts(pub [i32; term::COUNT]);

impl Sink for Counts {
    fn add(&mut self, term: usize, sign: i32, count: i32) {
        self.0[term] += sign * count;
    }
}

/// The terms of a position, where animals stand among them.
pub(super) fn counts(position: &Position) -> Counts {
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

/// The names of the runs of terms, for people, in order, each with its first weight.
const NAMES: [(&str, usize); 15] = [
    ("squares of mice", term::SQUARE),
    ("squares of lions", term::SQUARE + 50),
    ("squares of elephants", term::SQUARE + 100),
    ("holes held", term::HELD),
    ("afraid on holes", term::HELD_IN_FEAR),
    ("afraid elsewhere", term::AFRAID),
    ("trapped", term::TRAPPED),
    ("mobility", term::MOBILITY),
    ("holes at hand", term::ACCESS),
    ("holes at hand again", term::MORE_ACCESS),
    ("holes kept from the enemy", term::GUARD),
    ("enemies to scare", term::SCARE),
    ("holders to scare", term::SCARE_HOLDER),
    ("protection of holders", term::PROTECTION),
    ("turn", term::TURN),
];

/// The evaluation as lines for people: what each kind of term adds, White's less Black's.
pub(super) fn explain(position: &Position, counts: &Counts) -> String {
    let mut lines = vec!["White less Black:".to_string()];
    let ends = NAMES.iter().skip(1).map(|(_, first)| *first).chain([term::COUNT]);
    let mut total = 0;
    for ((name, first), end) in NAMES.iter().zip(ends) {
        let run = *first..end;
        let value: i32 = run.map(|i| counts.0[i] * i32::from(WEIGHTS[i])).sum();
        lines.push(format!("  {name:<26}{value:>6}"));
        total += value;
    }
    let own = total * sign(position.side());
    lines.push(format!("score cp {own}"));
    lines.join("\n")
}

/// The evaluation of Barca.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    weights: [i16; term::COUNT],
    /// What a square is worth to an animal, by side and kind: the same weights, looked up faster.
    squares: [[[i16; 128]; 3]; 2],
}

impl Default for Evaluation {
    /// With the tuned weights.
    fn default() -> Self {
        Evaluation::with_weights(WEIGHTS)
    }
}

impl Evaluation {
    /// With the weights that tuning starts from.
    pub fn plain() -> Self {
        Evaluation::with_weights(PLAIN)
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
        Evaluation { weights, squares }
    }

    #[inline(always)]
    fn square_value(&self, side: usize, kind: Kind, square: u8) -> i32 {
        i32::from(self.squares[side & 1][kind as usize][(square & 127) as usize])
    }

    #[inline]
    fn weigh(&self, position: &Position) -> i32 {
        dispatch!(self.weigh_portably(position), self.weigh_fast(position))
    }

    fn weigh_portably(&self, position: &Position) -> i32 {
        self.weighed(position)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    fn weigh_fast(&self, position: &Position) -> i32 {
        self.weighed(position)
    }

    #[inline(always)]
    fn weighed(&self, position: &Position) -> i32 {
        let mut sink = Sum { weights: &self.weights, sum: 0 };
        count_terms(position, &mut sink);
        sink.sum
    }
}

impl Evaluate<Position> for Evaluation {
    /// What the squares of all animals are worth to White.
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
    fn update(&self, acc: &i32, before: &Position, m: &Move, _after: &Position) -> i32 {
        let side = before.side();
        let kind = before.kind_at(side, m.from).unwrap_or(Kind::Mouse);
        let change = self.square_value(side, kind, m.to) - self.square_value(side, kind, m.from);
        acc + sign(side) * change
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

/// Counts every term but the squares.
#[inline(always)]
pub(super) fn count_terms(position: &Position, sink: &mut impl Sink) {
    let sides = [Side::new(position, 0), Side::new(position, 1)];
    for (side, own) in sides.iter().enumerate() {
        let sign = sign(side);
        own.count_holes(position, sign, sink);
        own.count_fear(position, sign, sink);
        own.count_mobility(position, sign, sink);
        own.count_reach_of_enemies(position, &sides[side ^ 1], sign, sink);
    }
    let mover = position.side();
    sink.add(term::TURN, sign(mover), 1);
    if sides[mover].afraid != 0 {
        sink.add(term::TURN_IN_FEAR, sign(mover), 1);
    }
}

/// What several terms of one side need.
struct Side {
    side: usize,
    /// Where its animals are afraid, by kind.
    feared: [u128; 3],
    /// Its own animals that are.
    afraid: u128,
    /// Vacant squares safely reached by each animal.
    safe: [u128; ANIMALS],
}

impl Side {
    #[inline(always)]
    fn new(position: &Position, side: usize) -> Side {
        let feared = Kind::ALL.map(|kind| position.feared(side, kind).0);
        let mut afraid = 0;
        for kind in Kind::ALL {
            afraid |= position.standing(side, kind).0 & feared[kind as usize];
        }
        let vacant = !position.occupied().0;
        let mut safe = [0; ANIMALS];
        for (slot, square) in position.animals(side).iter().enumerate() {
            safe[slot] = position.reach(slot, *square).0 & vacant & !feared[slot / 2];
        }
        Side { side, feared, afraid, safe }
    }

    /// Holes held and holes at hand.
    #[inline(always)]
    fn count_holes(&self, position: &Position, sign: i32, sink: &mut impl Sink) {
        let held = position.held(self.side).min(2) as usize;
        if held > 0 {
            sink.add(term::HELD + held - 1, sign, 1);
        }
        let vacant = HOLE_SET.0 & !position.occupied().0;
        let (mut reached, mut pairs) = (0, 0);
        for (slot, square) in position.animals(self.side).iter().enumerate() {
            if bit(*square) & HOLE_SET.0 == 0 {
                let holes = self.safe[slot] & vacant;
                reached |= holes;
                pairs += Set(holes).count();
            }
        }
        if reached != 0 {
            let holes = Set(reached).count();
            let step = holes.min(3) as usize - 1;
            sink.add(term::ACCESS + held * 3 + step, sign, 1);
            sink.add(term::MORE_ACCESS, sign, (pairs - holes) as i32);
        }
    }

    #[inline(always)]
    fn count_fear(&self, position: &Position, sign: i32, sink: &mut impl Sink) {
        if self.afraid == 0 {
            return;
        }
        for (slot, square) in position.animals(self.side).iter().enumerate() {
            let here = bit(*square);
            if here & self.afraid == 0 {
                continue;
            }
            let base = if here & HOLE_SET.0 != 0 { term::HELD_IN_FEAR } else { term::AFRAID };
            sink.add(base + slot / 2, sign, 1);
            if self.safe[slot] == 0 {
                sink.add(term::TRAPPED + slot / 2, sign, 1);
            }
        }
    }

    #[inline(always)]
    fn count_mobility(&self, position: &Position, sign: i32, sink: &mut impl Sink) {
        for (slot, square) in position.animals(self.side).iter().enumerate() {
            if bit(*square) == 0 {
                continue;
            }
            let count = Set(self.safe[slot]).count() as usize;
            let step = if slot < 4 { count / 2 } else { count / 4 };
            let step = step.min(term::MOBILITY_STEPS - 1);
            sink.add(term::MOBILITY + slot / 2 * term::MOBILITY_STEPS + step, sign, 1);
        }
    }

    /// Holes kept from the enemy, enemies in danger, and protection from theirs.
    #[inline(always)]
    fn count_reach_of_enemies(
        &self,
        position: &Position,
        enemy: &Side,
        sign: i32,
        sink: &mut impl Sink,
    ) {
        let vacant = HOLE_SET.0 & !position.occupied().0;
        for kind in Kind::ALL {
            let victim = kind as usize;
            let barred = Set(enemy.feared[victim] & vacant).count();
            sink.add(term::GUARD + victim, sign, barred as i32);
            let scarer = kind.feared() as usize;
            let reach = self.safe[2 * scarer] | self.safe[2 * scarer + 1];
            for square in position.pair(enemy.side, kind) {
                if NEAR[(square & 127) as usize].0 & reach != 0 {
                    let held = bit(square) & HOLE_SET.0 != 0;
                    let base = if held { term::SCARE_HOLDER } else { term::SCARE };
                    sink.add(base + victim, sign, 1);
                }
            }
            for square in position.pair(self.side, kind) {
                if bit(square) & HOLE_SET.0 != 0 {
                    let near = NEAR[(square & 127) as usize].0;
                    let barred = Set(near & enemy.feared[scarer]).count();
                    sink.add(term::PROTECTION + victim, sign, barred as i32);
                }
            }
        }
    }
}

#[inline(always)]
fn bit(square: u8) -> u128 {
    SQUARE_SETS[(square & 127) as usize].0
}
