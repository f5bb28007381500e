//! Barca: rules, notation, evaluation, forced wins.

mod bad_input;
mod evaluation;
mod notation;
mod reference;
mod solve;
mod symmetry;
mod vectors;

use parlor::game::{Game, Notation, Rules};
use parlor::games::barca::Position;

/// Reads a position that must be right.
pub fn position(text: &str) -> Position {
    Position::parse(text, &Position::default_rules(), None)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays moves that must be legal.
fn played(text: &str, moves: &str) -> Position {
    let mut position = position(text);
    for token in moves.split_whitespace() {
        let m = position.parse_move(token).unwrap_or_else(|error| panic!("{token}: {error}"));
        assert!(position.is_legal(&m), "{token}: {}", position.explain_illegal(&m));
        position.play(&m);
    }
    position
}

/// The lines of a data file, without comments.
fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The legal moves as one sorted line.
fn move_line(position: &Position) -> String {
    let mut moves: Vec<_> = position.moves().iter().map(|m| m.to_string()).collect();
    moves.sort_unstable();
    moves.join(" ")
}

/// A random position: each animal is absent now and then, and boards are crowded now and then.
pub fn random_position(random: &mut parlor::game::Random) -> String {
    let mut board = [['.'; 10]; 10];
    let width = 3 + random.below(8);
    for letter in "MMLLEEmmllee".chars() {
        if random.below(12) == 0 {
            continue;
        }
        let (file, rank) = (random.below(width) as usize, random.below(width) as usize);
        board[rank][file] = letter;
    }
    // Somewhere on the board, not always in its corner.
    let shift = random.below(11 - width) as usize;
    board.rotate_right(shift);
    board.iter_mut().for_each(|rank| rank.rotate_right(shift));
    let side = if random.below(2) == 0 { 'w' } else { 'b' };
    reference::Board { squares: board, side }.text()
}
