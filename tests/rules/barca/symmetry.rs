//! Mirrored and colour-swapped positions have the moves that belong to them.

use parlor::game::{Game, Random};
use parlor::games::barca::Move;

use super::reference::Board;
use super::{position, random_position};

/// Files in reverse order.
pub fn mirrored(text: &str) -> String {
    let mut board = Board::read(text);
    board.squares.iter_mut().for_each(|rank| rank.reverse());
    board.text()
}

/// Ranks in reverse order, colours exchanged.
pub fn swapped(text: &str) -> String {
    let mut board = Board::read(text);
    board.squares.reverse();
    for letter in board.squares.iter_mut().flatten() {
        *letter = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
    }
    board.side = if board.side == 'w' { 'b' } else { 'w' };
    board.text()
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

#[test]
fn mirrored_positions_have_mirrored_moves() {
    let mut random = Random::new(4);
    let turn = |square: u8| square / 10 * 10 + 9 - square % 10;
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let moves = position(&text).moves();
        let expected = moves.iter().map(|m| Move { from: turn(m.from), to: turn(m.to) }).collect();
        assert_eq!(sorted(position(&mirrored(&text)).moves()), sorted(expected), "{text}");
    }
}

#[test]
fn colour_swapped_positions_have_swapped_moves() {
    let mut random = Random::new(5);
    let turn = |square: u8| (9 - square / 10) * 10 + square % 10;
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let moves = position(&text).moves();
        let expected = moves.iter().map(|m| Move { from: turn(m.from), to: turn(m.to) }).collect();
        assert_eq!(sorted(position(&swapped(&text)).moves()), sorted(expected), "{text}");
    }
}
