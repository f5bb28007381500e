//! What Pacru, Shacru and Azacru share: a board of nine borderlands, chevrons with facings, markers,
//! the starting positions, the text and the picture of all these, the networks that see them. None of
//! the games is known here.

// A game compiled alone does not use all of the room.
#![cfg_attr(
    not(all(feature = "pacru", feature = "shacru", feature = "azacru")),
    allow(dead_code, unused_imports)
)]

mod board;
mod cell;
mod fields;
#[cfg(any(feature = "shacru", feature = "azacru"))]
pub mod filling;
#[cfg(feature = "search")]
pub mod inputs;
mod keys;
mod landing;
#[cfg(feature = "search")]
pub mod network;
#[cfg(feature = "picture")]
pub(crate) mod picture;
mod start;
#[cfg(feature = "search")]
pub mod strengths;
pub(crate) mod text;

pub use board::Board;
pub(crate) use cell::CHEVRONS;
pub(crate) use cell::Cell;
#[cfg(feature = "search")]
pub(crate) use fields::BORDERLANDS;
pub use fields::{Direction, Field, SEATS};
pub(crate) use fields::{FIELDS, WHOLE, count, fields_in};
pub use landing::LandingError;
pub(crate) use landing::Ray;
