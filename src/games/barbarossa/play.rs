//! How Barbarossa is played.
//!
//! - `players`: the players that option `Player` names.
//! - `bayes`: the engine, from beliefs. `plain`, `greedy`: simple players.
//! - `beliefs`: probabilities of words, from everything that a seat knows. `distribution`: what a
//!   belief is. `answer_table`: the shipped table laid out for counting.
//! - `unknown`: words besides the list. `makers`: how makers choose what they show. `rivals`: what the guesses of others tell.
//! - `curses`: when a curse token is spent.
//! - `questions`: the value of a question. `sculpt`: words and sculptures. `movement`: value
//!   iteration over ring and jewels. `evaluation`: values of arrows, tokens and points.
//! - `reasons`: why a move is played, in words.
//! - `habits`: how the levels below full strength play.
//! - `bench`: the positions of `bench`.

mod answer_table;
mod bayes;
mod beliefs;
mod bench;
mod curses;
mod distribution;
mod evaluation;
mod first_sights;
mod greedy;
mod habits;
mod makers;
mod movement;
mod options;
mod plain;
mod players;
mod questions;
mod reasons;
mod rivals;
mod sculpt;
mod unknown;
mod view_random;

pub use bayes::BayesPlayer;
pub use beliefs::{Beliefs, ObjectBelief};
pub use distribution::{Reliability, WordDistribution};
pub use options::PlayOptions;
pub use plain::PlainPlayer;
