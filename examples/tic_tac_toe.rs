//! A whole engine outside the crate: tic-tac-toe on the public library alone.
//!
//! ```text
//! cargo run --release --example tic_tac_toe                      a session: position, go, query, d
//! parlor match "cmd=target/release/examples/tic_tac_toe" "cmd=target/release/examples/tic_tac_toe"
//! parlor check target/release/examples/tic_tac_toe
//! ```
//!
//! `docs/adding-a-game.md` explains every part in the order in which it is written.

use std::fmt;
use std::ops::ControlFlow;

use parlor::game::{
    Chance, Game, Hidden, Notation, NotationError, OptionSpec, OptionValues, Outcome, Rules, Seat,
    Turn, splitmix64,
};
use parlor::games::{BenchPosition, NamedPlayer, Playable};
use parlor::search::{Evaluate, PvsConfig, PvsPlayer, RandomPlayer, SearchHints};

/// Rows, columns and diagonals, a bit for each of the nine squares; square 0 is a1, square 8 is c3.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A position: the squares of p1 (`x`) and of p2 (`o`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    squares: [u16; 2],
}

/// A move: the square that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u8);

impl Position {
    /// The seat to move: p1 while both have as many squares.
    fn mover(&self) -> usize {
        usize::from(self.squares[0].count_ones() > self.squares[1].count_ones())
    }

    fn is_free(&self, square: u8) -> bool {
        (self.squares[0] | self.squares[1]) & 1 << square == 0
    }

    fn winner(&self) -> Option<Seat> {
        let has_line = |own: u16| LINES.iter().any(|line| own & line == *line);
        (0..2).find(|seat| has_line(self.squares[*seat])).map(Seat::new)
    }
}

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.outcome().is_some() { Turn::Over } else { Turn::Seat(Seat::new(self.mover())) }
    }

    fn for_each_move<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.outcome().is_some() {
            return ControlFlow::Continue(());
        }
        (0..9).filter(|square| self.is_free(*square)).try_for_each(|square| visit(Move(square)))
    }

    fn is_legal(&self, m: &Move) -> bool {
        self.outcome().is_none() && m.0 < 9 && self.is_free(m.0)
    }

    fn play(&mut self, m: &Move) {
        let mover = self.mover();
        self.squares[mover] |= 1 << m.0;
    }

    fn outcome(&self) -> Option<Outcome> {
        let full = self.squares[0] | self.squares[1] == 0o777;
        let won = self.winner().map(|seat| Outcome::win(2, seat));
        won.or_else(|| full.then(|| Outcome::draw(2)))
    }

    fn reason(&self) -> Option<&'static str> {
        self.outcome()
            .map(|_| if self.winner().is_some() { "three-in-a-row" } else { "board-full" })
    }

    fn key(&self) -> u64 {
        self.fresh_key()
    }

    fn fresh_key(&self) -> u64 {
        splitmix64(u64::from(self.squares[0]) << 16 | u64::from(self.squares[1]))
    }
}

impl Chance for Position {}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        Vec::new()
    }

    fn start(_rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        Ok(Position { squares: [0, 0] })
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

impl fmt::Display for Position {
    /// Rank 3 first, `.` for a free square: `.../.x./o..`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter =
            |square: usize| match (self.squares[0] >> square & 1, self.squares[1] >> square & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            };
        let rank = |rank: usize| (0..3).map(|file| letter(rank * 3 + file)).collect::<String>();
        write!(f, "{}/{}/{}", rank(2), rank(1), rank(0))
    }
}

parlor::position_traits!(Position);

impl parlor::game::Picture for Position {}

impl Notation for Position {
    fn parse(text: &str, _: &OptionValues, _: Option<Seat>) -> Result<Self, NotationError> {
        let mut squares = [0; 2];
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 3 || ranks.iter().any(|rank| rank.chars().count() != 3) {
            return Err(NotationError::new("expected three ranks of three, such as .../.x./o.."));
        }
        for (square, letter) in ranks.iter().rev().flat_map(|rank| rank.chars()).enumerate() {
            match letter {
                'x' => squares[0] |= 1 << square,
                'o' => squares[1] |= 1 << square,
                '.' => {}
                other => {
                    return Err(NotationError::new(format!(
                        "'{}' is not x, o or .",
                        other.escape_default()
                    )));
                }
            }
        }
        let position = Position { squares };
        let [x, o] = squares.map(u16::count_ones);
        let late = position.winner().is_some_and(|seat| seat.index() == position.mover());
        if !(x == o || x == o + 1) || late {
            return Err(NotationError::new(
                "no game can lead here: x begins, and a line ends the game",
            ));
        }
        Ok(position)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        match token.as_bytes() {
            [file @ b'a'..=b'c', rank @ b'1'..=b'3'] => Ok(Move((rank - b'1') * 3 + file - b'a')),
            _ => Err(NotationError::new("a move is a square from a1 to c3")),
        }
    }

    fn token(&self, m: &Move) -> String {
        format!("{}{}", char::from(b'a' + m.0 % 3), m.0 / 3 + 1)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.outcome() {
            Some(_) => "the game is over".into(),
            None => format!("{} is taken", self.token(m)),
        }
    }
}

/// Lines that are still open, own less the other's; the search sees the rest.
pub struct OpenLines;

impl Evaluate<Position> for OpenLines {
    type Acc = ();

    fn fresh(&self, _: &Position) {}

    fn score(&self, _: &(), position: &Position, seat: Seat) -> i32 {
        let open = |other: usize| {
            LINES.iter().filter(|line| position.squares[other] & **line == 0).count() as i32
        };
        10 * (open(1 - seat.index()) - open(seat.index()))
    }
}

impl SearchHints<Position> for OpenLines {}

impl Playable for Position {
    const NAME: &'static str = "tic-tac-toe";
    const TITLE: &'static str = "Tic-tac-toe";
    const SHORT_RULES: &'static str = "# Tic-tac-toe\n\nThree in a row win. Type a cell: `b2`.\n";
    const PLAYERS: &'static [NamedPlayer<Self>] = &[
        NamedPlayer::new("engine", |settings| {
            Box::new(PvsPlayer::new(OpenLines, PvsConfig::default(), settings))
        }),
        NamedPlayer::new("random", |settings| Box::new(RandomPlayer::new(settings.seed))),
    ];

    fn explain_evaluation(&self) -> String {
        let score = OpenLines.score(&(), self, Seat::new(self.mover()));
        format!("open lines, 10 each\nscore cp {score}")
    }

    fn bench() -> Vec<BenchPosition> {
        vec![BenchPosition { rules: "", position: "startpos", depth: 9 }]
    }
}

#[allow(dead_code)] // The tests include this file as a module.
fn main() -> std::process::ExitCode {
    parlor::engine::run::<Position>(&[])
}
