//! The solved two-player game on the 5 x 5 board: its tables read, played by and measured with.
//!
//! A state is seen by the player about to throw: its pawns and gate, and the opponent's pawns, gate
//! and fresh doubles. `ranking` numbers the states, `table` reads the values of all of them,
//! `player` plays by them, `equity` measures other players, `analysis` games that were played;
//! `command` is the subcommand `equity`.

mod analysis;
mod command;
mod equity;
mod player;
mod ranking;
mod table;

pub use analysis::{Analysis, Skill, analyse};
pub(crate) use command::subcommand;
pub use equity::{Loss, Mistake, equity};
pub use player::{TablePlayer, plays};
pub use ranking::{CELLS, CENTRE, Class, Placement, RING, Ranking, across, safe};
pub use table::{Checksum, Header, SolvedTable, TABLE};
