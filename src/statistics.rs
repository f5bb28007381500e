//! Match scores: Elo, confidence intervals, likelihood of superiority, sequential tests (SPRT).
//!
//! Games that share an opening and dice are not independent. The unit of all statistics is therefore
//! the *bundle*: the mean score of the games of one opening, one game for each seating. With two
//! seats a bundle is a pair of games, and its five possible scores make the pentanomial model.
//!
//! ```
//! use parlor::statistics::{Scores, elo_interval};
//!
//! // Pairs of games with 0, 1/2, 1, 3/2 and 2 points.
//! let scores = Scores::pentanomial([5, 109, 748, 134, 4]);
//! assert!((scores.mean() - 0.505_75).abs() < 1e-9);
//! assert!((elo_interval(&scores, 0.95).value - 4.0).abs() < 0.005);
//! ```

mod bootstrap;
#[cfg(feature = "engine")]
mod cpu_time;
mod elo;
mod luck;
mod normal;
mod ratings;
mod scores;
mod sprt;

pub use bootstrap::bootstrap;
#[cfg(feature = "engine")]
pub use cpu_time::cpu_time;
pub use elo::{
    Interval, elo_interval, elo_of_score, likelihood_of_superiority, normalized_elo_interval,
    score_interval, score_of_elo, share_interval,
};
pub use luck::{expected_value, luck};
pub use ratings::{Pairing, ratings};
pub use scores::Scores;
pub use sprt::{Model, Sprt, Verdict};
