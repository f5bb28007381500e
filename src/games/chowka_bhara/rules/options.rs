//! The rule options: how they are declared, and how a position stores them.

use super::board::{Geometry, MAX_PAWNS};
use crate::game::{NotationError, OptionSpec, OptionValues};

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

impl RuleOptions {
    /// The options by their values; an error says which of them contradict each other.
    pub(crate) fn new(options: &OptionValues) -> Result<Self, NotationError> {
        let board = options.integer("Board").clamp(5, 11) as u8;
        let pawns = options.integer("Pawns").clamp(0, MAX_PAWNS as i64) as u8;
        if pawns >= board {
            return Err(NotationError::new(format!(
                "Pawns is {pawns}, but a {board} x {board} board has 1 to {} a seat",
                board - 1
            )));
        }
        Ok(RuleOptions {
            board,
            pawns: if pawns == 0 { board - 1 } else { pawns },
            safe_corners: options.text("Safe") == "corners",
            inner_anticlockwise: options.text("Inner") == "anticlockwise",
            triple_void: options.flag("TripleVoid"),
            pass: options.flag("Pass"),
            double_block: match options.text("DoubleBlock") {
                "always" => DoubleBlock::Always,
                "off" => DoubleBlock::Off,
                _ => DoubleBlock::Turn,
            },
            outer_doubles: options.flag("OuterDoubles"),
            double_move: match options.text("DoubleMove") {
                "half" => DoubleMove::Half,
                "none" => DoubleMove::None,
                _ => DoubleMove::Full,
            },
            double_hits_double: options.flag("DoubleHitsDouble"),
            gate: match options.text("Gate") {
                "circle" => Gate::Circle,
                "off" => Gate::Off,
                _ => Gate::Stop,
            },
            play_on: options.flag("PlayOn"),
            mouth_up: options.integer("MouthUp").clamp(1, 99) as u8,
            hit_bonus: options.flag("HitBonus"),
        })
    }

    /// Every option with its value, in declared order.
    pub(super) fn values(&self, seats: usize) -> Vec<(&'static str, String)> {
        let choice = |condition: bool, yes: &str, no: &str| if condition { yes } else { no }.into();
        let double_block = match self.double_block {
            DoubleBlock::Turn => "turn",
            DoubleBlock::Always => "always",
            DoubleBlock::Off => "off",
        };
        let double_move = match self.double_move {
            DoubleMove::Full => "full",
            DoubleMove::Half => "half",
            DoubleMove::None => "none",
        };
        let gate = match self.gate {
            Gate::Stop => "stop",
            Gate::Circle => "circle",
            Gate::Off => "off",
        };
        vec![
            ("Players", seats.to_string()),
            ("Board", self.board.to_string()),
            ("Pawns", self.pawns.to_string()),
            ("Safe", choice(self.safe_corners, "corners", "homes")),
            ("Inner", choice(self.inner_anticlockwise, "anticlockwise", "clockwise")),
            ("TripleVoid", self.triple_void.to_string()),
            ("Pass", self.pass.to_string()),
            ("DoubleBlock", double_block.into()),
            ("OuterDoubles", self.outer_doubles.to_string()),
            ("DoubleMove", double_move.into()),
            ("DoubleHitsDouble", self.double_hits_double.to_string()),
            ("Gate", gate.into()),
            ("PlayOn", self.play_on.to_string()),
            ("MouthUp", self.mouth_up.to_string()),
            ("HitBonus", self.hit_bonus.to_string()),
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
        OptionSpec::combo("Players", &["2", "3", "4"], "number of seats"),
        OptionSpec::combo("Board", &["5", "7", "9", "11"], "cells of a side of the board"),
        OptionSpec::spin("Pawns", 0, 0, 10, "pawns of a seat, below Board; 0 for Board - 1"),
        OptionSpec::combo("Safe", &["homes", "corners"], "safe cells besides the centre"),
        OptionSpec::combo(
            "Inner",
            &["clockwise", "anticlockwise"],
            "direction of the first inner ring; further rings alternate",
        ),
        OptionSpec::check("TripleVoid", false, "a third bonus throw in a turn voids the turn"),
        OptionSpec::check("Pass", false, "passing or stopping early is always legal"),
        OptionSpec::combo(
            "DoubleBlock",
            &["turn", "always", "off"],
            "outer doubles stop enemies until the owner's next turn, always, or never",
        ),
        OptionSpec::check("OuterDoubles", true, "doubles may be formed on the outer ring"),
        OptionSpec::combo(
            "DoubleMove",
            &["full", "half", "none"],
            "two pawns together move by the value, by half an even value, or not at all",
        ),
        OptionSpec::check("DoubleHitsDouble", true, "a double may hit a double"),
        OptionSpec::combo(
            "Gate",
            &["stop", "circle", "off"],
            "without a hit, pawns wait at the end of the outer ring, go round again, or go in",
        ),
        OptionSpec::check("PlayOn", false, "the game goes on for the places after the first"),
        OptionSpec::spin(
            "MouthUp",
            50,
            1,
            99,
            "probability in percent that a cowrie falls mouth up",
        ),
        OptionSpec::check("HitBonus", false, "after a hit the same seat throws again"),
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
