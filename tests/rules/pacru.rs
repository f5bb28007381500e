//! Pacru: rules, notation, evaluation, players.

mod bad_input;
mod evaluation;
mod notation;
mod options;
mod players;
mod reference;
pub mod symmetry;
mod vectors;

use parlor::game::{Game, MoveList, Notation, OptionValues, Random, Rules};
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

/// The listed moves that begin with a prefix.
pub fn tokens(position: &Position, prefix: &str) -> Vec<String> {
    match position.list_moves(prefix) {
        MoveList::Listed(list) => list,
        other => panic!("{prefix}: {other:?}"),
    }
}

/// The lines of a data file, without comments.
pub fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Positions of random games with something to choose and not too much to try.
pub fn for_positions(rules: &OptionValues, games: u64, mut check: impl FnMut(&Position)) {
    for game in 0..games {
        let mut random = Random::new(game + 77);
        let mut position = Position::start(rules, None).expect("the start");
        for ply in 0..80 {
            if ply % 5 == 0 && (40..4_000).contains(&position.count_moves()) {
                check(&position);
            }
            let Some(m) = position.random_move(&mut random) else { break };
            position.play(&m);
        }
    }
}
