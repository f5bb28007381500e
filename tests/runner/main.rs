//! `parlor` from the outside: its processes, its output, its files.

mod board;
mod broken;
mod chess;
mod conformance;
mod diagnoses;
mod faults;
mod human;
mod interrupts;
mod kills;
mod luck;
mod manual;
mod matches;
mod pictures;
mod plain;
mod played;
mod ratings;
mod resuming;
mod scarcity;
mod scripts;
mod seats;
mod secrets;
mod seeds;
mod suites;
mod support;
mod terminal;
mod usage;
