//! The language of the programs: text to values and back.
