//! What the evaluations of Barca have in common, and how they are explained.

use super::network::Network;
use super::terms::{Terms, counts, explain};
use crate::game::Seat;
use crate::games::barca::rules::Position;
use crate::search::Evaluate;

/// An evaluation of Barca. The hints to the search are the same for all.
pub trait Evaluation: Evaluate<Position> {}

impl Evaluation for Terms {}

impl Evaluation for Network {}

/// The static evaluation of a position, explained in lines; the last is the score of the network.
pub(super) fn explanation(position: &Position) -> String {
    let network = Network::default();
    let own = network.score(&network.fresh(position), position, Seat::new(position.side()));
    format!(
        "By how much each animal is better placed than on the average vacant square:\n{}\
         Weighted terms, White less Black (player terms):\n{}\
         score cp {own}",
        network.explain(position),
        explain(&counts(position))
    )
}
