//! What the documents promise, held against the tree.

#[path = "../common/programs.rs"]
mod programs;

mod architecture;
mod commands;
mod dependencies;
mod licences;
mod paths;
mod pictures;
mod security;
mod specification;
