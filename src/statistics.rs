//! Scores and what they prove: Elo, intervals, likelihood of superiority, sequential tests.
//!
//! Games that share an opening and dice are not independent; the unit of everything here is
//! therefore the *bundle*: the mean score of the games of one opening, each seating once. With two
//! seats a bundle is a pair, its five scores the pentanomial model.
//!
//! ```
//! use parlor::statistics::{Scores, elo_interval};
//!
//! // Pairs of games that brought 0, 1/2, 1, 3/2 and 2 points.
//! let scores = Scores::pentanomial([5, 109, 748, 134, 4]);
//! assert!((scores.mean() - 0.505_75).abs() < 1e-9);
//! assert!((elo_interval(&scores, 0.95).value - 4.0).abs() < 0.005);
//! ```

mod bootstrap;
mod cpu_time;
mod elo;
mod luck;
mod ratings;
mod scores;
mod sprt;

pub use bootstrap::bootstrap;
pub use cpu_time::cpu_time;
pub use elo::{
    Interval, elo_interval, elo_of_score, likelihood_of_superiority, normalized_elo_interval,
    score_interval, score_of_elo,
};
pub use luck::{expected_value, luck};
pub use ratings::{Meeting, ratings};
pub use scores::Scores;
pub use sprt::{Model, Sprt, Verdict};
