//! Rules of pacru.
