//! Pacru.
