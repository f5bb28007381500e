//! The rules of every game, proved: vectors, slow references, properties.

#[path = "../../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

#[path = "../common/damage.rs"]
mod damaged;
#[path = "../common/fuzzing.rs"]
mod fuzzing;
#[path = "../common/wander.rs"]
mod wander;

mod barbarossa;
mod barca;
mod boards;
mod chowka_bhara;
mod corpus;
mod damage;
mod drawings;
mod filling;
mod pacru;
mod pictures;
mod porrika;
mod properties;
mod rule_checks;
mod short_rules;
mod terminal;
