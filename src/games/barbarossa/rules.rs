//! The rules of Barbarossa: the game and nothing else.
//!
//! - `options`: the rule options and what follows from them alone.
//! - `words`: objects, words and questions. `moves`: the moves.
//! - `position`: the state, full or as one seat sees it. `keys`: position keys.
//! - `awaited`: what a position waits for. `legality`: what is legal, and the rule that is broken.
//! - `generate`: the legal moves one by one. `random`: the random player's choice among them.
//! - `turn`: who decides, and what a move does. `scoring`: the points.
//! - `views`: what each seat may see. `validate`: which positions are possible.
//! - `game`: the traits of a game.

pub(super) mod awaited;
mod game;
mod generate;
mod keys;
pub(super) mod legality;
mod mixer;
pub(super) mod moves;
pub(super) mod options;
pub(super) mod position;
mod random;
pub(super) mod scoring;
mod turn;
mod validate;
mod views;
pub(super) mod words;
