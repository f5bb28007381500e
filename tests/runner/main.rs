//! `parlor` from the outside: programs started, lines read, files looked into.

mod conformance;
mod faults;
mod interrupts;
mod luck;
mod manual;
mod matches;
mod person;
mod ratings;
mod resuming;
mod seats;
mod secrets;
mod suites;
mod support;
mod usage;
