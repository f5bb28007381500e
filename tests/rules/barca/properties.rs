//! What holds in every position.

use parlor::game::{Game, Notation, OptionValues, Random, Rules, perft};
use parlor::games::barca::{Move, Position};
use parlor::machine::use_portable;

use super::super::properties::{check_position, random_walk};
use super::slow::Board;
use super::{move_line, position, random_position};

fn no_options() -> OptionValues {
    Position::default_rules()
}

#[test]
fn generic_properties_hold_in_random_games() {
    random_walk::<Position>(&no_options(), 40, 150, |position| {
        check_position(position, &no_options());
    });
}

#[test]
fn generic_properties_hold_in_random_positions() {
    let mut random = Random::new(11);
    for _ in 0..4_000 {
        check_position(&position(&random_position(&mut random)), &no_options());
    }
}

#[test]
fn the_slow_generator_agrees_on_random_positions() {
    let mut random = Random::new(1);
    let (mut afraid, mut stuck, mut won) = (0, 0, 0);
    for _ in 0..30_000 {
        let text = random_position(&mut random);
        let (fast, slow) = (position(&text), Board::read(&text));
        assert_eq!(move_line(&fast), slow.move_line(), "{text}");
        assert_eq!(slow.text(), text);
        assert_eq!(fast.to_string(), text);
        assert_eq!(fast.reason() == Some("watering-holes"), slow.is_won(), "{text}");
        afraid += !fast.afraid(fast.side()).is_empty() as u32;
        stuck += (fast.reason() == Some("no-moves")) as u32;
        won += slow.is_won() as u32;
    }
    assert!(afraid > 5_000 && won > 100, "the sample shows too little: {afraid} {stuck} {won}");
}

#[test]
fn the_slow_generator_agrees_along_random_games() {
    random_walk::<Position>(&no_options(), 30, 200, |position| {
        let text = position.to_string();
        assert_eq!(move_line(position), Board::read(&text).move_line(), "{text}");
    });
}

#[test]
fn the_slow_generator_agrees_on_perft() {
    let mut random = Random::new(2);
    for _ in 0..6 {
        let text = random_position(&mut random);
        assert_eq!(perft(&position(&text), 2, true), Ok(Board::read(&text).perft(2)), "{text}");
    }
}

#[test]
fn legality_without_a_list_agrees_with_the_list_on_every_pair_of_squares() {
    let mut random = Random::new(3);
    for _ in 0..400 {
        let text = random_position(&mut random);
        let position = position(&text);
        let moves = position.moves();
        for from in 0..100 {
            for to in 0..100 {
                let m = Move { from, to };
                assert_eq!(position.is_legal(&m), moves.contains(&m), "{m} in {text}");
                let legal = position.explain_illegal(&m).ends_with("is legal");
                assert_eq!(legal, moves.contains(&m), "explanation of {m} in {text}");
            }
        }
    }
}

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
pub fn mirrored_positions_have_mirrored_moves() {
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

#[test]
fn the_portable_path_gives_the_same_moves_in_the_same_order() {
    let mut random = Random::new(6);
    for _ in 0..3_000 {
        let text = random_position(&mut random);
        let position = position(&text);
        use_portable(true);
        let portable = (position.moves(), position.count_moves());
        use_portable(false);
        assert_eq!((position.moves(), position.count_moves()), portable, "{text}");
    }
}

#[test]
fn keys_tell_positions_apart_and_like_animals_not() {
    let mut keys = std::collections::HashMap::new();
    let mut random = Random::new(7);
    for _ in 0..50_000 {
        let text = random_position(&mut random);
        let other = keys.entry(position(&text).key()).or_insert_with(|| text.clone());
        assert_eq!(*other, text);
    }
}
