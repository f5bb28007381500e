//! The static evaluation: a weighted sum of features, in centipawns for copper, and what a network
//! adds to it.
//!
//! There are two sets of weights, one for positions with copper to move and one for positions with
//! silver to move. They were tuned on games of the engine against itself (`parlor-lab porrika tune`). The
//! network learned what the sum misses (`parlor-lab porrika train`).

use std::sync::{Arc, LazyLock};

use super::distance::home;
use super::features::{GROUPS, Weights, part_of};
use super::network::{Accumulator, Network};
use super::weights::WEIGHTS;
use crate::game::Seat;
use crate::games::porrika::rules::board::spaces;
use crate::games::porrika::rules::{Move, Phase, Position, Side};
#[cfg(feature = "engine")]
use crate::games::porrika::solved::TablebaseCache;
use crate::machine::dispatched;
use crate::search::Evaluate;
use crate::search::value::clip;

/// The network in the program.
static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(Arc::default);

/// The evaluation of the engine.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: Weights,
    /// `None`: the weighted sum alone.
    network: Option<Arc<Network>>,
    #[cfg(feature = "engine")]
    tablebases: Arc<TablebaseCache>,
}

impl Default for Evaluation {
    /// With the network in the program.
    fn default() -> Self {
        Evaluation { network: Some(BUILT_IN.clone()), ..Evaluation::terms() }
    }
}

impl Evaluation {
    /// The weighted sum alone.
    #[must_use]
    pub fn terms() -> Self {
        Evaluation::new(WEIGHTS)
    }

    /// The evaluation with another network.
    #[must_use]
    pub fn with_network(network: Network) -> Self {
        Evaluation { network: Some(Arc::new(network)), ..Evaluation::terms() }
    }

    /// A weighted sum with other weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Evaluation {
            weights,
            network: None,
            #[cfg(feature = "engine")]
            tablebases: Arc::default(),
        }
    }

    /// The tablebases that the search probes.
    #[cfg(feature = "engine")]
    pub(super) fn tablebases(&self) -> &Arc<TablebaseCache> {
        &self.tablebases
    }

    /// The value for copper.
    #[must_use]
    pub fn for_copper(&self, position: &Position) -> i32 {
        self.value(&self.fresh(position), position)
    }

    /// The weighted sum, for copper.
    #[must_use]
    pub fn weighted_sum(&self, position: &Position) -> i32 {
        position.weighted_sum(&self.weights)
    }

    /// The value for copper, from the accumulator of the network.
    #[inline]
    fn value(&self, sums: &Option<Accumulator>, position: &Position) -> i32 {
        if position.phase() == Phase::Setup {
            return 0;
        }
        let added = match (&self.network, sums) {
            (Some(network), Some(sums)) => network.value(sums, position),
            _ => 0,
        };
        self.weighted_sum(position) + added
    }
}

impl Evaluate<Position> for Evaluation {
    type Acc = Option<Accumulator>;

    fn fresh(&self, position: &Position) -> Self::Acc {
        self.network.as_ref().map(|network| network.fresh(position))
    }

    #[inline]
    fn update(
        &self,
        acc: &Self::Acc,
        before: &Position,
        _: &Move,
        after: &Position,
        next: &mut Self::Acc,
    ) {
        let Some(network) = &self.network else { return };
        match (acc, next) {
            (Some(sums), Some(next)) => network.update(sums, before, after, next),
            (_, next) => *next = self.fresh(after),
        }
    }

    fn score(&self, acc: &Self::Acc, position: &Position, seat: Seat) -> i32 {
        let value = self.value(acc, position);
        if seat == Side::Copper.seat() { value } else { -value }
    }
}

/// A reference evaluation that knows only how far the eggs are from the Por'rika.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distance;

impl Evaluate<Position> for Distance {
    type Acc = ();

    fn fresh(&self, _position: &Position) {}

    fn score(&self, (): &(), position: &Position, seat: Seat) -> i32 {
        let moves: i32 = spaces(position.eggs()).map(|egg| i32::from(home(egg))).sum();
        if seat == Side::Copper.seat() { -100 * moves } else { 100 * moves }
    }
}

impl Position {
    dispatched! {
        /// The sum of the weights of the position's features.
        fn weighted_sum / weighted_sum_fast = weighted_sum_body(&self, weights: &Weights) -> i32
    }

    #[inline(always)]
    fn weighted_sum_body(&self, weights: &Weights) -> i32 {
        let base = part_of(self.side());
        let mut sum = 0;
        self.for_each_feature(|index, count| sum += i32::from(weights[base + index]) * count);
        sum
    }
}

/// The evaluation group by group, as text.
pub(super) fn explain(position: &Position) -> String {
    let base = part_of(position.side());
    let mut sums = vec![0; GROUPS.len()];
    position.for_each_feature(|index, count| {
        let group = GROUPS.partition_point(|group| group.start <= index) - 1;
        sums[group] += i32::from(WEIGHTS[base + index]) * count;
    });
    let mut text = String::from("for copper, in hundredths\n");
    for (group, sum) in GROUPS.iter().zip(&sums) {
        let name = group.name.to_lowercase().replace('_', " ");
        text.push_str(&format!("{name:<16}{sum:>7}\n"));
    }
    let copper = Evaluation::default().for_copper(position);
    let network = copper - sums.iter().sum::<i32>();
    text.push_str(&format!("{:<16}{network:>7}\n", "network"));
    let copper = clip(copper);
    let score = if position.side() == Side::Copper { copper } else { -copper };
    text.push_str(&format!("score cp {score}"));
    text
}
