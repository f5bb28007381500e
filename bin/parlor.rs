//! The program `parlor`.

fn main() {}
