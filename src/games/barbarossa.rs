//! Barbarossa.

pub mod knowledge;
