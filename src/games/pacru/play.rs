//! How Pacru is played: evaluation, hints to the search, players.

mod attack_maps;
mod evaluation;
mod features;
mod hints;
mod marker_values;
mod players;
mod selective;
mod weights;

pub use evaluation::{Evaluation, SimpleEvaluation};
pub use selective::SelectivePosition;

#[cfg(feature = "learning")]
pub(super) use attack_maps::AttackMaps;
#[cfg(feature = "learning")]
pub(super) use evaluation::SCALE;
#[cfg(feature = "learning")]
pub(super) use features::{
    ATTACKED, CHEVRON, FEATURES, MARKERS, MOBILITY, feature_name, visit_features,
};
#[cfg(feature = "learning")]
pub(super) use players::EnginePlayer;
#[cfg(all(test, feature = "learning"))]
pub(super) use weights::WEIGHTS;
#[cfg(feature = "learning")]
pub(super) use weights::{Weights, weights};
