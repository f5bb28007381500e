//! `parlor` from the outside: programs started, lines read, files looked into.

mod faults;
mod interrupts;
mod matches;
mod person;
mod resuming;
mod seats;
mod secrets;
mod support;
mod usage;
