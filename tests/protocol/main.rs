//! The protocol: the grammar, sessions of real programs, the one-shot subcommands.

#[path = "../common/client.rs"]
mod client;
#[path = "../common/fuzzing.rs"]
mod fuzzing;
#[path = "../common/programs.rs"]
mod programs;
#[path = "../common/table.rs"]
mod table;

mod adversary;
mod barbarossa;
mod chowka_bhara;
mod client_rules;
mod during_search;
mod errors;
mod grammar;
mod hostile;
mod laws;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod one_shot;
mod options;
mod pacru;
mod pictures;
mod porrika;
mod scarcity;
mod sessions;
mod short_searches;
mod signatures;
mod specification;
mod stepped;
mod teaching;
mod three_seats;
mod xboard;
