//! Rules of barca.
