//! Por'rika: rules, notation, evaluation, players, exact endings.

mod bad_input;
mod certificates;
mod evaluation;
mod figures;
mod notation;
mod options;
mod players;
mod properties;
mod reference;
mod solve;
mod symmetry;
mod tablebases;
mod vectors;

use parlor::game::{Game, Notation, OptionKind, OptionValues, Random, Rules};
use parlor::games::porrika::board::{BOARD, Space, spaces};
use parlor::games::porrika::{Position, RuleOptions, Side};

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
    assert!(position.is_legal(&m), "{token} in {}", position);
    position.play(&m);
}

/// The lines of a data file without comments, cut at the bars.
fn rows(file: &'static str) -> Vec<Vec<&'static str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let rows: Vec<_> = lines.map(|line| line.split(" | ").collect()).collect();
    assert!(!rows.is_empty(), "a file without data");
    rows
}

/// Every combination of rule options, 144 of them.
fn every_rules() -> Vec<OptionValues> {
    let mut list = vec![Position::default_rules()];
    for spec in Position::rule_options() {
        let OptionKind::Combo { values } = &spec.kind else { panic!("{} is a combo", spec.name) };
        let with = |rules: &OptionValues, value: &String| {
            let mut rules = rules.clone();
            rules.set(&spec.name, value).expect(value);
            rules
        };
        list = list.iter().flat_map(|rules| values.iter().map(move |v| with(rules, v))).collect();
    }
    assert_eq!(list.len(), 144);
    list
}

/// A valid position with random pieces on random spaces.
fn random_position(random: &mut Random, rules: &OptionValues) -> Position {
    loop {
        let mut pieces = [0; 3];
        // Half of the positions are crowded at the tip, where most rules apply.
        let region = if random.below(2) == 0 { BOARD } else { BOARD >> 64 << 64 };
        let places: Vec<Space> = spaces(region).collect();
        for (set, limit) in pieces.iter_mut().zip([3, 5, 5]) {
            for _ in 0..random.below(limit) {
                *set |= places[random.below(places.len() as u64) as usize].bit();
            }
        }
        let side = if random.below(2) == 0 { Side::Copper } else { Side::Silver };
        if let Ok(position) = Position::new(pieces, side, RuleOptions::from_options(rules)) {
            return position;
        }
    }
}
