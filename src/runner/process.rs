//! One engine process: how it is named and started, what is said to it, and its faults.

mod abilities;
mod child;
mod client;
mod crew;
mod fault;
pub(in crate::runner) mod interrupt;
mod launcher;
mod limits;
mod log;
mod orphans;
mod own_program;
mod proc_files;
mod specification;
pub(in crate::runner) mod sweeper;
mod warnings;

pub(in crate::runner) use abilities::{Legality, RefereeAbilities};
pub(in crate::runner) use child::{ErrorOutput, ExitState, Failure, Launch, Process, pin_thread};
pub(in crate::runner) use client::{Answer, Client, NO_MOVE, SearchResult};
pub(in crate::runner) use crew::{ensure_threads, start_all};
pub use fault::{Fault, FaultKind};
pub(in crate::runner) use launcher::Launcher;
pub(in crate::runner) use limits::{Clock, Limits};
pub(in crate::runner) use orphans::set_apart;
#[cfg(feature = "board")]
pub(in crate::runner) use own_program::own_program;
pub use own_program::set_own_program;
pub(in crate::runner) use specification::{Specification, make_names_unique};
pub(in crate::runner) use warnings::Warnings;
