//! Rules of Barbarossa.

mod bad_input;
mod beliefs;
pub(crate) mod driver;
mod games;
mod knowledge;
mod notation;
mod options;
mod players;
mod questions;
mod reference;
mod strength;
mod vectors;
pub(crate) mod views;
mod windows;
mod word_lists;
