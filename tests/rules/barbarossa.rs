//! Rules of Barbarossa.

mod driver;
mod games;
mod scoring;
mod text;
mod vectors;
mod views;
