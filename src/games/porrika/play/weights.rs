//! The weights of the evaluation, written by `parlor-lab porrika tune`.

use super::features::Weights;
use crate::search::weight_text;

/// Copper to move, then silver to move.
pub(super) const WEIGHTS: Weights =
    weight_text::read(include_str!("../../../../data/porrika-weights.txt"));
