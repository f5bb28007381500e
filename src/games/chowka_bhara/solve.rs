//! The two-player game on the 5 x 5 board solved: exact values by value iteration.
//!
//! A state is seen by the player about to throw: its pawns and gate, and the opponent's pawns, gate
//! and fresh doubles. `ranking` numbers the states, `transitions` lists the steps, `value_sets` the
//! rolls, `opponents`, `value_slots` and `lanes` lay out what `sweep` computes values from values
//! with, `play_search` does the same play by play, `value_iteration` improves them group by group,
//! `table_file` stores them, `run` does all of it. `verify` checks a table by the rules, `phases`
//! sums it up, `table_player` plays by one, `equity` measures other players, `analysis` games that
//! were played; `command` and `equity_command` are the subcommands.

mod analysis;
mod command;
mod equity;
mod equity_command;
mod lanes;
mod opponents;
mod phases;
mod play_search;
mod ranking;
mod run;
mod sweep;
mod table_file;
mod table_player;
mod transitions;
mod value_iteration;
mod value_sets;
mod value_slots;
mod value_table;
mod verify;

pub use analysis::{Analysis, Skill, analyse};
pub(super) use command::subcommands;
pub use equity::{Loss, Mistake, equity};
pub use ranking::Ranking;
#[cfg(test)]
pub(super) use run::solved;
pub use run::{Solution, Task, bounds, solve};
pub use table_file::{Header, SolvedTable, checkpoint_path};
pub use table_player::{TablePlayer, plays};
pub use value_iteration::{Progress, Solver, Tables};
pub use value_sets::Tail;
pub use value_table::ValueTable;
pub use verify::{Checked, allowed, check_block, check_random};
