//! Rules of Barbarossa.

mod bad_input;
mod driver;
mod games;
mod knowledge;
mod notation;
mod options;
mod players;
mod reference;
mod vectors;
mod views;
