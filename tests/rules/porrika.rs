//! Rules of Por'rika: vectors, the figures, a slow reference, properties, bad input.

mod bad_input;
mod evaluation;
mod figures;
mod notation;
mod properties;
mod reference;
mod solve;
mod tactics;
mod vectors;

use parlor::game::{Game, Notation, OptionValues, Rules};
use parlor::games::porrika::Position;

/// The rule options that a list `Name=value Name=value` sets.
fn rules(list: &str) -> OptionValues {
    let mut rules = Position::default_rules();
    for setting in list.split_whitespace() {
        let (name, value) = setting.split_once('=').expect("Name=value");
        rules.set(name, value).expect(setting);
    }
    rules
}

fn position(text: &str) -> Position {
    position_under("", text)
}

fn position_under(options: &str, text: &str) -> Position {
    Position::parse(text, &rules(options), None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The legal moves as sorted text, of one piece if a space is named.
fn moves_of(position: &Position, prefix: &str) -> Vec<String> {
    let mut moves: Vec<String> = position.moves().iter().map(|m| position.token(m)).collect();
    moves.retain(|m| m.starts_with(prefix));
    moves.sort_unstable();
    moves
}

fn play(position: &mut Position, token: &str) {
    let m = position.parse_move(token).unwrap_or_else(|error| panic!("{token}: {error}"));
    assert!(position.is_legal(&m), "{token} in {}", position.to_string());
    position.play(&m);
}

/// The lines of a data file that say something, cut at the bars.
fn rows(file: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| line.split(" | ").collect())
}
