//! The two-player game on the 5 x 5 board solved: exact values by value iteration.
//!
//! A state is seen by the player about to throw: its pawns and gate, the other's pawns, gate and
//! fresh doubles. `ranking` numbers them, `steps` knows what every step makes of them, `hands` what
//! can be thrown, `plays` follows a turn play by play, `sweep` improves the values group by group,
//! `file` keeps them, `player` plays by them, `command` is what the shell sees.

pub mod command;
pub mod file;
mod hands;
pub mod player;
mod plays;
pub mod ranking;
mod steps;
pub mod sweep;
pub mod values;

pub use hands::Tail;
