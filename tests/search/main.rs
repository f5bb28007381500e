//! The search drivers, proved on small games whose values are known or can be computed naively.

mod barca;
mod dice;
mod games;
mod many_seats;
mod pvs;
mod references;
mod selfplay;
