//! The search drivers, proved on small games whose values are known or can be computed naively.

#[path = "../../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

mod barca;
mod dice;
mod drivers;
mod games;
mod graph;
mod graphs;
mod levels;
mod many_seats;
mod pvs;
mod references;
mod selfplay;
mod stopping;
#[path = "../common/wander.rs"]
mod wander;
