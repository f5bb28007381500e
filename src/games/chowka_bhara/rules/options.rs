//! The rule options: how they are declared, and how a position stores them.

use super::board::{Geometry, MAX_PAWNS};
use crate::game::{Check, Combo, NotationError, OptionSpec, OptionValues, Spin};

/// When a double on the outer ring stops enemies from passing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DoubleBlock {
    /// While it is fresh: until its owner's next turn.
    Turn,
    /// At all times.
    Always,
    /// Never.
    Off,
}

/// How far two pawns of a double move together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DoubleMove {
    /// Each by the whole value.
    Full,
    /// Each by half of an even value.
    Half,
    /// Never together.
    None,
}

/// What a seat without a hit does at the end of the outer ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// Its pawns wait.
    Stop,
    /// Its pawns go round again.
    Circle,
    /// There is no gate.
    Off,
}

/// Every rule option except the number of seats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleOptions {
    /// Cells of a side: 5, 7, 9 or 11.
    pub board: u8,
    /// Pawns of a seat.
    pub pawns: u8,
    /// Corners of the outer ring are safe.
    pub safe_corners: bool,
    /// The first inner ring runs anti-clockwise.
    pub inner_anticlockwise: bool,
    /// A third bonus throw voids the turn.
    pub triple_void: bool,
    /// Passing, and stopping early, is always legal.
    pub pass: bool,
    /// When doubles block.
    pub double_block: DoubleBlock,
    /// Doubles may be formed on the outer ring.
    pub outer_doubles: bool,
    /// How doubles move.
    pub double_move: DoubleMove,
    /// A double hits a double.
    pub double_hits_double: bool,
    /// The gate.
    pub gate: Gate,
    /// The game goes on for the places after the first.
    pub play_on: bool,
    /// Probability in percent that a cowrie falls mouth up.
    pub mouth_up: u8,
    /// A hit gives another throw.
    pub hit_bonus: bool,
}

impl Default for RuleOptions {
    fn default() -> Self {
        RuleOptions {
            board: 5,
            pawns: 4,
            safe_corners: false,
            inner_anticlockwise: false,
            triple_void: false,
            pass: false,
            double_block: DoubleBlock::Turn,
            outer_doubles: true,
            double_move: DoubleMove::Full,
            double_hits_double: true,
            gate: Gate::Stop,
            play_on: false,
            mouth_up: 50,
            hit_bonus: false,
        }
    }
}

pub(super) const PLAYERS: Combo<usize> =
    Combo::new("Players", &[("2", 2), ("3", 3), ("4", 4)], "number of seats");
const BOARD: Combo<u8> = Combo::new(
    "Board",
    &[("5", 5), ("7", 7), ("9", 9), ("11", 11)],
    "cells of a side of the board",
);
pub(crate) const PAWNS: Spin =
    Spin::new("Pawns", 0, 0, MAX_PAWNS as i64, "pawns of a seat, below Board; 0 for Board - 1");
const SAFE: Combo<bool> =
    Combo::new("Safe", &[("homes", false), ("corners", true)], "safe cells besides the centre");
const INNER: Combo<bool> = Combo::new(
    "Inner",
    &[("clockwise", false), ("anticlockwise", true)],
    "direction of the first inner ring; further rings alternate",
);
const TRIPLE_VOID: Check =
    Check::new("TripleVoid", false, "a third bonus throw in a turn voids the turn");
const PASS: Check = Check::new("Pass", false, "passing or stopping early is always legal");
const DOUBLE_BLOCK: Combo<DoubleBlock> = Combo::new(
    "DoubleBlock",
    &[("turn", DoubleBlock::Turn), ("always", DoubleBlock::Always), ("off", DoubleBlock::Off)],
    "outer doubles stop enemies until the owner's next turn, always, or never",
);
const OUTER_DOUBLES: Check =
    Check::new("OuterDoubles", true, "doubles may be formed on the outer ring");
const DOUBLE_MOVE: Combo<DoubleMove> = Combo::new(
    "DoubleMove",
    &[("full", DoubleMove::Full), ("half", DoubleMove::Half), ("none", DoubleMove::None)],
    "two pawns together move by the value, by half an even value, or not at all",
);
const DOUBLE_HITS_DOUBLE: Check = Check::new("DoubleHitsDouble", true, "a double may hit a double");
const GATE: Combo<Gate> = Combo::new(
    "Gate",
    &[("stop", Gate::Stop), ("circle", Gate::Circle), ("off", Gate::Off)],
    "without a hit, pawns wait at the end of the outer ring, go round again, or go in",
);
const PLAY_ON: Check =
    Check::new("PlayOn", false, "the game goes on for the places after the first");
const MOUTH_UP: Spin =
    Spin::new("MouthUp", 50, 1, 99, "probability in percent that a cowrie falls mouth up");
const HIT_BONUS: Check = Check::new("HitBonus", false, "after a hit the same seat throws again");

impl RuleOptions {
    /// The options by their values; an error says which of them contradict each other.
    pub(crate) fn new(options: &OptionValues) -> Result<Self, NotationError> {
        let (board, pawns) = (BOARD.get(options), PAWNS.get(options) as u8);
        if pawns >= board {
            return Err(NotationError::new(format!(
                "Pawns is {pawns}, but a {board} x {board} board has 1 to {} a seat",
                board - 1
            )));
        }
        Ok(RuleOptions {
            board,
            pawns: if pawns == 0 { board - 1 } else { pawns },
            safe_corners: SAFE.get(options),
            inner_anticlockwise: INNER.get(options),
            triple_void: TRIPLE_VOID.get(options),
            pass: PASS.get(options),
            double_block: DOUBLE_BLOCK.get(options),
            outer_doubles: OUTER_DOUBLES.get(options),
            double_move: DOUBLE_MOVE.get(options),
            double_hits_double: DOUBLE_HITS_DOUBLE.get(options),
            gate: GATE.get(options),
            play_on: PLAY_ON.get(options),
            mouth_up: MOUTH_UP.get(options) as u8,
            hit_bonus: HIT_BONUS.get(options),
        })
    }

    /// Every option with its value, in declared order.
    pub(super) fn values(&self, seats: usize) -> Vec<(&'static str, String)> {
        vec![
            PLAYERS.with(seats),
            BOARD.with(self.board),
            PAWNS.with(self.pawns),
            SAFE.with(self.safe_corners),
            INNER.with(self.inner_anticlockwise),
            TRIPLE_VOID.with(self.triple_void),
            PASS.with(self.pass),
            DOUBLE_BLOCK.with(self.double_block),
            OUTER_DOUBLES.with(self.outer_doubles),
            DOUBLE_MOVE.with(self.double_move),
            DOUBLE_HITS_DOUBLE.with(self.double_hits_double),
            GATE.with(self.gate),
            PLAY_ON.with(self.play_on),
            MOUTH_UP.with(self.mouth_up),
            HIT_BONUS.with(self.hit_bonus),
        ]
    }

    /// The tables of the board.
    pub(crate) fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.board, self.inner_anticlockwise)
    }

    /// The lower value of a bonus throw; the other is twice as high.
    #[must_use]
    pub fn bonus(&self) -> u8 {
        self.board - 1
    }

    /// Whether a value is a bonus throw.
    #[must_use]
    pub(crate) fn is_bonus(&self, value: u8) -> bool {
        value == self.bonus() || value == 2 * self.bonus()
    }

    /// Whether a value can be thrown.
    #[must_use]
    pub(crate) fn is_value(&self, value: u8) -> bool {
        (1..=self.bonus()).contains(&value) || value == 2 * self.bonus()
    }

    /// Every value and its weight, in the order of the tokens.
    #[inline]
    pub(crate) fn weighted_values(&self) -> impl Iterator<Item = (u8, u64)> {
        let cowries = self.bonus();
        let weights = self.weights();
        (1..=cowries)
            .map(move |value| (value, weights[value as usize]))
            .chain([(2 * cowries, weights[0])])
    }

    /// Integer weights by the number of mouths up, in lowest terms; scaled down, by a power of two
    /// and to no less than 1, where their sum would not fit into 64 bits.
    #[inline]
    fn weights(&self) -> [u64; MAX_PAWNS + 1] {
        match self.mouth_up {
            50 => FAIR[(self.board.clamp(5, 11) - 5) as usize / 2],
            percent => weights(self.bonus(), percent),
        }
    }
}

/// The weights of fair cowries, by board.
const FAIR: [[u64; MAX_PAWNS + 1]; 4] =
    [weights(4, 50), weights(6, 50), weights(8, 50), weights(10, 50)];

const fn weights(cowries: u8, percent: u8) -> [u64; MAX_PAWNS + 1] {
    let mut exact = [0u128; MAX_PAWNS + 1];
    let (yes, no) = (percent as u128, 100 - percent as u128);
    let mut ways = 1u128;
    let mut divisor = 0;
    let mut up = 0;
    while up <= cowries {
        let left = cowries - up;
        exact[up as usize] = ways * yes.pow(up as u32) * no.pow(left as u32);
        divisor = greatest_common_divisor(divisor, exact[up as usize]);
        ways = ways * left as u128 / (up as u128 + 1);
        up += 1;
    }
    // All weights together are 100 to the power of the cowries.
    let total = 100u128.pow(cowries as u32) / divisor;
    let bits = 128 - total.leading_zeros();
    let shift = bits.saturating_sub(63);
    let mut weights = [0; MAX_PAWNS + 1];
    let mut up = 0;
    while up <= cowries as usize {
        let weight = ((exact[up] / divisor) >> shift) as u64;
        weights[up] = if weight == 0 { 1 } else { weight };
        up += 1;
    }
    weights
}

const fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The declarations of the rule options.
pub(crate) fn specs() -> Vec<OptionSpec> {
    vec![
        PLAYERS.spec(),
        BOARD.spec(),
        PAWNS.spec(),
        SAFE.spec(),
        INNER.spec(),
        TRIPLE_VOID.spec(),
        PASS.spec(),
        DOUBLE_BLOCK.spec(),
        OUTER_DOUBLES.spec(),
        DOUBLE_MOVE.spec(),
        DOUBLE_HITS_DOUBLE.spec(),
        GATE.spec(),
        PLAY_ON.spec(),
        MOUTH_UP.spec(),
        HIT_BONUS.spec(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(board: u8, mouth_up: u8) -> Vec<(u8, u64)> {
        let options = RuleOptions { board, mouth_up, ..RuleOptions::default() };
        options.weighted_values().collect()
    }

    #[test]
    fn weights_are_binomial() {
        assert_eq!(weights(5, 50), [(1, 4), (2, 6), (3, 4), (4, 1), (8, 1)]);
        assert_eq!(weights(7, 50), [(1, 6), (2, 15), (3, 20), (4, 15), (5, 6), (6, 1), (12, 1)]);
        // Three quarters mouth up: 3^k times 1.
        assert_eq!(weights(5, 75), [(1, 12), (2, 54), (3, 108), (4, 81), (8, 1)]);
    }

    #[test]
    fn weights_fit_whatever_the_cowries() {
        for board in [5, 7, 9, 11] {
            for mouth_up in 1..100 {
                let list = weights(board, mouth_up);
                let total: u128 = list.iter().map(|(_, weight)| u128::from(*weight)).sum();
                assert!(total < 1 << 64 && list.iter().all(|(_, weight)| *weight > 0));
            }
        }
    }
}
