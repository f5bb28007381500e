//! Rules of Pacru: vectors, perft, properties, text.

mod play;
mod reference;
mod symmetry;
mod text;
mod vectors;

use parlor::game::{Game, Notation, OptionValues, Rules};
use parlor::games::pacru::Position;

/// Default rules with some options set.
pub fn rules(settings: &[(&str, &str)]) -> OptionValues {
    let mut rules = Position::default_rules();
    for (name, value) in settings {
        rules.set(name, value).expect("a known option");
    }
    rules
}

/// A position by the default rules.
pub fn position(text: &str) -> Position {
    Position::parse(text, &rules(&[]), None).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The start for a number of players.
pub fn start(players: &str) -> Position {
    Position::start(&rules(&[("Players", players)]), None).expect("the start")
}

/// The position after a legal move.
pub fn after(position: &Position, token: &str) -> Position {
    let m = position.parse_move(token).unwrap_or_else(|e| panic!("{token}: {e}"));
    assert!(position.is_legal(&m), "{token}: {}", position.explain_illegal(&m));
    let mut next = position.clone();
    next.play(&m);
    next
}

/// Why a move is refused, read or played.
pub fn refusal(position: &Position, token: &str) -> String {
    match position.parse_move(token) {
        Err(error) => error.to_string(),
        Ok(m) => {
            assert!(!position.is_legal(&m), "{token} is legal");
            position.explain_illegal(&m)
        }
    }
}
