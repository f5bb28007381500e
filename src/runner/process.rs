//! One engine process: how it is named and started, what is said to it, and its faults.

mod abilities;
#[cfg(feature = "runner")]
mod child;
mod client;
mod connection;
#[cfg(feature = "runner")]
mod crew;
mod fault;
#[cfg(feature = "household")]
mod inside;
#[cfg(feature = "runner")]
pub(in crate::runner) mod interrupt;
mod launcher;
mod limits;
#[cfg(feature = "runner")]
mod log;
#[cfg(feature = "runner")]
mod orphans;
mod own_program;
#[cfg(feature = "runner")]
mod proc_files;
mod specification;
#[cfg(feature = "runner")]
pub(in crate::runner) mod sweeper;
mod warnings;

pub(in crate::runner) use abilities::{Legality, RefereeAbilities};
#[cfg(feature = "runner")]
pub(in crate::runner) use child::{ErrorOutput, Launch, Process, pin_thread};
pub(in crate::runner) use client::{Answer, Client, NO_MOVE, SearchResult};
#[cfg(feature = "household")]
pub(in crate::runner) use client::{Heard, Search, judged};
pub(in crate::runner) use connection::{AnswerLines, Connection, ExitState, Failure};
#[cfg(feature = "runner")]
pub(in crate::runner) use crew::{ensure_threads, start_all};
pub use fault::{Fault, FaultKind};
#[cfg(feature = "household")]
pub(in crate::runner) use inside::Inside;
#[cfg(feature = "household")]
pub use inside::Session;
pub(in crate::runner) use launcher::Launcher;
pub(in crate::runner) use limits::{Clock, LONGEST_WAIT, Limits};
#[cfg(feature = "runner")]
pub(in crate::runner) use orphans::set_apart;
#[cfg(feature = "board")]
pub(in crate::runner) use own_program::own_program;
pub use own_program::set_own_program;
pub(in crate::runner) use specification::{Specification, make_names_unique};
pub(in crate::runner) use warnings::Warnings;
