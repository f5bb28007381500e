//! The programs of the games, as the tests run them.

/// The program of a game.
pub fn program(name: &str) -> &'static str {
    match name {
        "barca" => env!("CARGO_BIN_EXE_barca"),
        "porrika" => env!("CARGO_BIN_EXE_porrika"),
        "pacru" => env!("CARGO_BIN_EXE_pacru"),
        "chowka-bhara" => env!("CARGO_BIN_EXE_chowka-bhara"),
        "barbarossa" => env!("CARGO_BIN_EXE_barbarossa"),
        other => panic!("no program {other}"),
    }
}
