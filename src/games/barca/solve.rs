//! Exact values.

mod shortest_win;

pub use shortest_win::{shortest_win, shortest_win_within};
