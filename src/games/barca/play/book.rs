//! The opening book: good moves in the positions of the first plies.
//!
//! `data/barca-book.txt` has a line for each position: its text, then the moves with their values for
//! the side to move, best first. Of two positions that are mirror images of each other, it has one.
//! `parlor-lab barca book` prints such a file.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::game::{Game, Random, Situation};
use crate::games::barca::rules::{Kind, Move, Position, SIZE, file_of, rank_of, square};
use crate::search::{Choice, Info, Player, Report, Request, Score};

/// The book of the engine.
static BOOK: LazyLock<Book> =
    LazyLock::new(|| Book::read(include_str!("../../../../data/barca-book.txt")));

/// Moves worth as much less than the best, in hundredths, are played as well.
const ALMOST_AS_GOOD: i32 = 5;

/// A move and its value in hundredths.
pub type BookMove = (Move, i32);

/// The moves of positions by their keys.
#[derive(Default)]
struct Book(HashMap<u64, Vec<BookMove>>);

impl Book {
    /// Reads the lines of a book; lines that are none, or not legal, are left out.
    fn read(text: &str) -> Book {
        let mut book = Book::default();
        for (position, moves) in text.lines().filter_map(read_line) {
            let mirrored_moves = moves.iter().map(|(m, value)| (mirrored_move(*m), *value));
            book.0.insert(mirrored(&position).key(), mirrored_moves.collect());
            book.0.insert(position.key(), moves);
        }
        book
    }

    /// The move to play: one of the best.
    fn choose(&self, position: &Position, seed: u64) -> Option<BookMove> {
        let moves = self.0.get(&position.key())?;
        let (_, best) = moves.first()?;
        let good = moves.iter().take_while(|(_, value)| value + ALMOST_AS_GOOD >= *best).count();
        let index = Random::new(seed ^ position.key()).below(good as u64) as usize;
        moves.get(index).copied()
    }
}

/// The position of a line and its moves.
fn read_line(line: &str) -> Option<(Position, Vec<BookMove>)> {
    let (position, moves) = line.split_once(" | ").filter(|_| !line.starts_with('#'))?;
    let position: Position = position.parse().ok()?;
    let moves: Option<Vec<BookMove>> = moves
        .split(", ")
        .map(|entry| {
            let (token, value) = entry.split_once(' ')?;
            let m = position.moves().into_iter().find(|m| m.to_string() == token)?;
            Some((m, value.parse().ok()?))
        })
        .collect();
    Some((position, moves.filter(|moves| !moves.is_empty())?))
}

/// A line of a book.
#[must_use]
pub fn line(position: &Position, moves: &[BookMove]) -> String {
    let moves: Vec<String> = moves.iter().map(|(m, value)| format!("{m} {value}")).collect();
    format!("{position} | {}", moves.join(", "))
}

/// The mirror image, files a and j exchanged.
#[must_use]
pub fn mirrored(position: &Position) -> Position {
    let mut image = Position::empty(position.side());
    for (side, kind) in [0, 1].into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
        for square in position.standing(side, kind) {
            image.put(side, kind, mirrored_square(square));
        }
    }
    image
}

fn mirrored_square(at: u8) -> u8 {
    square(SIZE - 1 - file_of(at), rank_of(at))
}

fn mirrored_move(m: Move) -> Move {
    Move { from: mirrored_square(m.from), to: mirrored_square(m.to) }
}

/// A player that plays by the book as long as it knows the position.
pub(super) struct BookPlayer {
    pub player: Box<dyn Player<Position>>,
    /// The seed of the choice between moves that are as good as each other.
    pub seed: u64,
}

impl Player<Position> for BookPlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        // Playing the same move once more would repeat the positions that follow, too.
        let is_new = situation.history().count(situation.position().key()) <= 1;
        if is_new
            && is_game(request)
            && let Some((best, value)) = BOOK.choose(situation.position(), self.seed)
        {
            let mut next = *situation.position();
            next.play(&best);
            let ponder = BOOK.choose(&next, self.seed).map(|(m, _)| m);
            let line = [Some(best), ponder].into_iter().flatten().collect();
            report(Report::Text("this move is from the book".into()));
            report(Report::Info(Info::new(1, Score::Cp(value), line)));
            return Some(Choice { best, ponder });
        }
        self.player.choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn get_ready(&mut self, position: &Position) {
        self.player.get_ready(position);
    }
}

/// Whether a move of a game is asked for, not an analysis.
fn is_game(request: &Request<Move>) -> bool {
    let limits = &request.limits;
    let limited = limits.hard.is_some() || limits.nodes.is_some() || limits.depth.is_some();
    limited
        && limits.mate.is_none()
        && request.search_moves.is_none()
        && request.multi_pv <= 1
        && !request.control.pondering()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, RandomPlayer};

    #[test]
    fn every_line_of_the_book_is_read_and_its_moves_are_legal() {
        let text = include_str!("../../../../data/barca-book.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let (position, moves) = read_line(line).expect(line);
            assert!(moves.is_sorted_by(|a, b| a.1 >= b.1), "{line}");
            assert!(moves.iter().all(|(m, _)| position.is_legal(m)), "{line}");
            assert_eq!(super::line(&position, &moves), line);
        }
        assert!(BOOK.choose(&Position::default(), 1).is_some(), "the start is in the book");
    }

    #[test]
    fn a_mirrored_position_has_the_mirrored_moves() {
        let text = "4ee4/3lm5/5ml3/10/10/10/10/10/3LMML3/4EE4 w | e2e7 12, f2f6 9, d2c3 2";
        let book = Book::read(text);
        let position: Position =
            text.split(" | ").next().unwrap_or("").parse().expect("a position");
        assert_ne!(mirrored(&position), position);
        assert_eq!(mirrored(&mirrored(&position)), position);
        let tokens = |position: &Position| -> Vec<String> {
            let moves = (1..200).filter_map(|seed| book.choose(position, seed));
            let mut tokens: Vec<String> = moves.map(|(m, _)| m.to_string()).collect();
            tokens.sort();
            tokens.dedup();
            tokens
        };
        assert_eq!(tokens(&position), ["e2e7", "f2f6"], "the third move is worse by too much");
        assert_eq!(tokens(&mirrored(&position)), ["e2e6", "f2f7"]);
    }

    #[test]
    fn the_book_answers_in_games_only() {
        let situation = Situation::new(Position::default());
        let mut player = BookPlayer { player: Box::new(RandomPlayer::new(1)), seed: 1 };
        let mut from_book_in = |situation: &Situation<Position>, request: &Request<Move>| {
            let mut is_from_book = false;
            let choice = player.choose(situation, request, &mut |report| {
                is_from_book |= matches!(report, Report::Text(_));
            });
            assert!(choice.is_some());
            is_from_book
        };
        let mut repeated = situation.clone();
        for token in ["e2e4", "e9e6", "e4e2", "e6e9"] {
            let m = repeated.position().moves().into_iter().find(|m| m.to_string() == token);
            repeated.play(&m.expect(token));
        }
        assert!(!from_book_in(&repeated, &Request::new(Limits::nodes(10))), "a second time");
        let mut from_book = |request: &Request<Move>| from_book_in(&situation, request);
        assert!(from_book(&Request::new(Limits::nodes(10))));
        assert!(!from_book(&Request::new(Limits::default())), "an analysis without end");
        let analysis = Request { multi_pv: 2, ..Request::new(Limits::nodes(10)) };
        assert!(!from_book(&analysis));
        let moves = situation.position().moves();
        let chosen = Request { search_moves: Some(moves), ..Request::new(Limits::nodes(10)) };
        assert!(!from_book(&chosen));
    }
}
