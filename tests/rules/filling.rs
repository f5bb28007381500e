//! Shacru and Azacru: rules, notation, evaluation, players.

mod bad_input;
mod endings;
mod reference;
mod symmetry;
mod vectors;

use parlor::game::{Game, MoveList, Notation, OptionValues, Rules};
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::games::{azacru, shacru};

/// The rules for a number of players.
pub fn rules<K: Kind>(players: &str) -> OptionValues {
    let mut rules = Position::<K>::default_rules();
    rules.set("Players", players).expect("a number of players");
    rules
}

/// The start for a number of players.
pub fn start<K: Kind>(players: &str) -> Position<K> {
    Position::start(&rules::<K>(players), None).expect("the start")
}

/// A position of Shacru.
pub fn shacru(text: &str) -> shacru::Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A position of Azacru.
pub fn azacru(text: &str) -> azacru::Position {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The position after legal moves.
pub fn after<K: Kind>(position: &Position<K>, tokens: &str) -> Position<K> {
    let mut position = position.clone();
    for token in tokens.split(' ') {
        let m = position.parse_move(token).unwrap_or_else(|e| panic!("{token}: {e}"));
        assert!(position.is_legal(&m), "{token}: {}", position.explain_illegal(&m));
        position.play(&m);
    }
    position
}

/// The listed moves that begin with a prefix, in one line.
pub fn tokens<K: Kind>(position: &Position<K>, prefix: &str) -> String {
    match position.list_moves(prefix) {
        MoveList::Listed(list) => list.join(" "),
        other => panic!("{other:?}"),
    }
}

/// The lines of a data file, without comments, split into fields.
pub fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split(" | ").collect())
}
