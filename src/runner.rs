//! Matches between processes.
