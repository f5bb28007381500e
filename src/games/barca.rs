//! Barca.
