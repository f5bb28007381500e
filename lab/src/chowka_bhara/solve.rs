//! The two-player game on the 5 x 5 board solved: exact values by value iteration.
//!
//! A state is numbered by [`Ranking`](parlor::games::chowka_bhara::solved::Ranking). `transitions` lists the steps,
//! `value_sets` the rolls, `opponents` lays out what `sweep` computes values from values with,
//! `play_search` does the same play by play, `value_iteration` improves them group by group, `files`
//! writes them, `run` does all of it. `verify` checks a table by the rules; `command` has the
//! commands.

mod command;
mod files;
mod opponents;
mod play_search;
mod run;
mod sweep;
#[cfg(test)]
mod tests;
mod transitions;
mod value_iteration;
mod value_sets;
mod value_table;
mod verify;

pub use command::{Solve, Verify};
