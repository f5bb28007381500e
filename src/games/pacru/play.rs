//! How Pacru is played: evaluation, hints to the search, players.

mod attack_maps;
mod evaluation;
mod explain;
mod features;
mod hints;
mod inputs;
mod marker_values;
mod network;
mod players;
pub mod policy;
mod selective;
mod weights;
pub mod wins;

pub use crate::games::chevrons::strengths::Strengths;
pub use attack_maps::{AttackMaps, FieldSet, Reach};
pub use evaluation::{Evaluation, SimpleEvaluation, linear_strengths};
pub use features::{ATTACKED, CHEVRON, FEATURES, MARKERS, MOBILITY, feature_name, visit_features};
pub use players::EnginePlayer;
pub use selective::SelectivePosition;
pub use weights::{WEIGHTS, Weights, weights};
