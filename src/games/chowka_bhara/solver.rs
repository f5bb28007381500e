//! The two-player game on the 5 x 5 board solved: exact values by value iteration.
//!
//! A state is seen by the player about to throw: its pawns and gate, the other's pawns, gate and
//! fresh doubles. `ranking` numbers them, `sweep` improves their values group by group,
//! `file` keeps them, `player` plays by them, `command` is what the shell sees.

pub mod command;
pub mod file;
pub mod player;
pub mod ranking;
pub mod sweep;
