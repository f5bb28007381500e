//! Search drivers, generic over the traits of [`crate::game`], and what a player is.
//!
//! A driver knows no game and no protocol. It gets a [`crate::game::Situation`] and a [`Request`],
//! reports [`Info`] as it goes, and returns a [`Choice`].

mod control;
mod player;

pub use control::{Control, Limits};
pub use player::{Bound, Choice, Info, Player, RandomPlayer, Report, Request, Score, Settings};
