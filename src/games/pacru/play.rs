//! How Pacru is played: evaluation, hints to the search, players.

mod attack_maps;
mod evaluation;
mod features;
mod hints;
mod inputs;
mod marker_values;
mod network;
mod players;
mod selective;
mod weights;

pub use evaluation::{Evaluation, SimpleEvaluation};
pub use network::Network;
pub use selective::SelectivePosition;

#[cfg(feature = "learning")]
pub(super) use attack_maps::AttackMaps;
#[cfg(feature = "learning")]
pub(super) use evaluation::{SCALE, linear_strengths};
#[cfg(feature = "learning")]
pub(super) use features::{
    ATTACKED, CHEVRON, FEATURES, MARKERS, MOBILITY, feature_name, visit_features,
};
#[cfg(feature = "learning")]
pub(super) use inputs::{
    Facts, OwnedFact, STRIDE, add_board, blocks_of, bucket_of, shape, symmetries, visit_moment,
};
#[cfg(feature = "learning")]
pub(super) use network::HIDDEN;
#[cfg(feature = "learning")]
pub(super) use players::{EnginePlayer, Judgement};
#[cfg(all(test, feature = "learning"))]
pub(super) use weights::WEIGHTS;
#[cfg(feature = "learning")]
pub(super) use weights::{Weights, weights};
