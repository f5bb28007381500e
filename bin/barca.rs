//! The program `barca`.

fn main() {}
