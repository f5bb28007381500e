//! The fast generator against a slow and obvious one: a board of letters, one square at a time.

use parlor::game::{Game, OptionValues, Random, Rules, perft};
use parlor::games::barca::{Move, Position};
use parlor::machine::use_portable;

use super::super::properties::{check_position, random_walk};
use super::{move_line, position, random_position};

/// A board of letters, `.` for vacant squares; `squares[rank][file]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Board {
    pub squares: [[char; 10]; 10],
    pub side: char,
}

const HOLES: [(usize, usize); 4] = [(3, 3), (6, 3), (3, 6), (6, 6)];

type At = (usize, usize);

impl Board {
    /// Reads a position known to be well-formed.
    pub fn read(text: &str) -> Board {
        let (placement, side) = text.split_once(' ').expect("a side to move");
        let mut squares = [['.'; 10]; 10];
        for (row, rank) in placement.split('/').enumerate() {
            let spelled = rank.replace("10", "..........");
            let mut file = 0;
            for letter in spelled.chars() {
                match letter.to_digit(10) {
                    Some(run) => file += run as usize,
                    None => {
                        squares[9 - row][file] = letter;
                        file += 1;
                    }
                }
            }
            assert_eq!(file, 10, "{text}");
        }
        Board { squares, side: side.chars().next().expect("w or b") }
    }

    /// Writes the position.
    pub fn text(&self) -> String {
        let ranks: Vec<String> = self.squares.iter().rev().map(spell).collect();
        format!("{} {}", ranks.join("/"), self.side)
    }

    fn at(&self, (file, rank): At) -> char {
        self.squares[rank][file]
    }

    fn is_own(&self, letter: char) -> bool {
        letter != '.' && letter.is_ascii_uppercase() == (self.side == 'w')
    }

    fn animals(&self) -> Vec<At> {
        all_squares().filter(|at| self.is_own(self.at(*at))).collect()
    }

    /// Whether an animal, given by its letter, would be afraid on a square.
    pub fn afraid(&self, letter: char, square: At) -> bool {
        let feared = match letter {
            'M' => 'l',
            'L' => 'e',
            'E' => 'm',
            'm' => 'L',
            'l' => 'E',
            'e' => 'M',
            _ => panic!("no animal: {letter}"),
        };
        all_squares().any(|other| {
            other != square
                && other.0.abs_diff(square.0) <= 1
                && other.1.abs_diff(square.1) <= 1
                && self.at(other) == feared
        })
    }

    fn targets(&self, from: At) -> Vec<At> {
        let straight = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let diagonal = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        let directions: Vec<(i32, i32)> = match self.at(from).to_ascii_lowercase() {
            'm' => straight.to_vec(),
            'l' => diagonal.to_vec(),
            _ => [straight, diagonal].concat(),
        };
        let mut targets = Vec::new();
        for (across, up) in directions {
            let (mut file, mut rank) = (from.0 as i32 + across, from.1 as i32 + up);
            while (0..10).contains(&file) && (0..10).contains(&rank) {
                let square = (file as usize, rank as usize);
                if self.at(square) != '.' {
                    break;
                }
                targets.push(square);
                (file, rank) = (file + across, rank + up);
            }
        }
        targets
    }

    /// Whether somebody holds three watering holes.
    pub fn is_won(&self) -> bool {
        let held = |white: bool| {
            HOLES
                .iter()
                .filter(|at| self.at(**at) != '.' && self.at(**at).is_ascii_uppercase() == white)
                .count()
        };
        held(true) >= 3 || held(false) >= 3
    }

    fn moves(&self) -> Vec<(At, At)> {
        if self.is_won() {
            return Vec::new();
        }
        let mut escapes = Vec::new();
        let mut others = Vec::new();
        for from in self.animals() {
            let letter = self.at(from);
            let afraid = self.afraid(letter, from);
            for to in self.targets(from) {
                match (afraid, self.afraid(letter, to)) {
                    (true, false) => escapes.push((from, to)),
                    (false, false) | (true, true) => others.push((from, to)),
                    (false, true) => {}
                }
            }
        }
        if escapes.is_empty() { others } else { escapes }
    }

    /// The legal moves as one sorted line.
    pub fn move_line(&self) -> String {
        let mut moves: Vec<String> =
            self.moves().iter().map(|(from, to)| format!("{}{}", name(*from), name(*to))).collect();
        moves.sort_unstable();
        moves.join(" ")
    }

    /// Perft, one move at a time.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves().into_iter().map(|(from, to)| self.after(from, to).perft(depth - 1)).sum()
    }

    fn after(&self, from: At, to: At) -> Board {
        let mut next = self.clone();
        next.squares[to.1][to.0] = self.at(from);
        next.squares[from.1][from.0] = '.';
        next.side = if self.side == 'w' { 'b' } else { 'w' };
        next
    }
}

fn all_squares() -> impl Iterator<Item = At> {
    (0..10).flat_map(|rank| (0..10).map(move |file| (file, rank)))
}

fn name((file, rank): At) -> String {
    format!("{}{}", (b'a' + file as u8) as char, rank + 1)
}

fn spell(rank: &[char; 10]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in rank.iter().chain(&['/']) {
        if *letter == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(*letter);
    }
    text.pop();
    text
}

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
fn the_reference_generator_agrees_on_random_positions() {
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
fn the_reference_generator_agrees_along_random_games() {
    random_walk::<Position>(&no_options(), 30, 200, |position| {
        let text = position.to_string();
        assert_eq!(move_line(position), Board::read(&text).move_line(), "{text}");
    });
}

#[test]
fn the_reference_generator_agrees_on_perft() {
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
                let legal = position.check(&m).is_ok();
                assert_eq!(legal, moves.contains(&m), "explanation of {m} in {text}");
            }
        }
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
