//! What Pacru, Shacru and Azacru share: a board of nine borderlands, chevrons with facings, markers,
//! the starting positions, the text and the picture of all these. None of the games is known here.

mod board;
mod cell;
mod fields;
mod keys;
#[cfg(feature = "picture")]
pub(crate) mod picture;
mod start;
pub(crate) mod text;

pub use board::Board;
pub(crate) use cell::CHEVRONS;
pub(crate) use cell::Cell;
#[cfg(feature = "search")]
pub(crate) use fields::BORDERLANDS;
pub use fields::{Direction, Field, SEATS};
pub(crate) use fields::{FIELDS, WHOLE, count, fields_in};
