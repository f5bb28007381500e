//! Rules of Barbarossa.

mod driver;
mod games;
mod players;
mod scoring;
mod text;
mod variants;
mod vectors;
mod views;
