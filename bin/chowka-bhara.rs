//! The program `chowka-bhara`.

fn main() {}
