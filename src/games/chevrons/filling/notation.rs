//! Positions and moves as text: after the board in Azacru who started the last round, then the turns
//! without a gain; `a3-b4`, with a twist `a3-b4<`.

use std::fmt;
use std::str::FromStr;

use super::rules::longest_idle;
use super::{Kind, Move, Position, Twist};
use crate::game::{Notation, NotationError, OptionValues, Rules, Seat};
use crate::games::chevrons::Field;
use crate::games::chevrons::text::{number, read};

impl<K: Kind> Default for Position<K> {
    /// The starting position with two players.
    fn default() -> Self {
        Position::start(&Self::default_rules(), None)
            .unwrap_or_else(|error| unreachable!("the default start: {error}"))
    }
}

impl<K: Kind> FromStr for Position<K> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, &Self::default_rules(), None)
    }
}

impl<K: Kind> fmt::Display for Position<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = match self.last() {
            _ if !K::POWER => String::new(),
            Some(seat) => format!(" p{}", seat + 1),
            None => " -".into(),
        };
        f.pad(&format!("{}{last} {}", **self, self.idle()))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}{}", self.from, self.to, self.twist.sign())
    }
}

/// The player who started the last round.
fn starter(word: &str, seats: usize) -> Result<Option<usize>, NotationError> {
    const WHAT: &str = "the player who started the last round, after p,";
    match word.strip_prefix('p') {
        _ if word == "-" => Ok(None),
        Some(digit) => Ok(Some(number(digit, 1..=seats, WHAT)? - 1)),
        None => Err(NotationError::new(format!(
            "the fourth word is the player who started the last round, p1 to p{seats}, or -, not '{word}'"
        ))),
    }
}

impl<K: Kind> Notation for Position<K> {
    fn parse(
        text: &str,
        _rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        let (board, last, idle) = if K::POWER {
            const FORM: &str = "five words, board, player to move, number of players, who started the last round or -, turns without a gain";
            let (board, [_, _, _, last, idle]) = read(text, FORM, Self::salt)?;
            (starter(last, board.seats()).map(|last| (board, last, idle)))?
        } else {
            const FORM: &str =
                "four words, board, player to move, number of players, turns without a gain";
            let (board, [_, _, _, idle]) = read(text, FORM, Self::salt)?;
            (board, None, idle)
        };
        let most = longest_idle(board.seats());
        let idle = number(idle, 0..=most, "the number of turns without a gain")?;
        let mut position = Position::new(board, last, idle);
        position.validate().map_err(|error| NotationError::new(error.to_string()))?;
        position.begin_turn(position.mover());
        Ok(position)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        if !token.is_ascii() {
            return Err(NotationError::new("a move is written in ASCII"));
        }
        let field = |at: usize| {
            let text = token.get(at..).map_or("", |rest| rest.get(..2).unwrap_or(rest));
            Field::parse(text).ok_or_else(|| {
                NotationError::at(at, format!("expected a field a1 to i9, found '{text}'"))
            })
        };
        let from = field(0)?;
        if token.get(2..3) != Some("-") {
            return Err(NotationError::at(2, "after the field comes -, as in a3-b4"));
        }
        let to = field(3)?;
        let twist = Twist::ALL.into_iter().find(|twist| twist.sign() == &token[5..]);
        let twist = twist.ok_or_else(|| {
            NotationError::at(5, "after the second field comes nothing, or < or > for a twist")
        })?;
        Ok(Move { from, to, twist })
    }

    fn token(&self, m: &Move) -> String {
        m.to_string()
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.check(m) {
            Ok(()) => "the move is legal".into(),
            Err(illegal) => illegal.to_string(),
        }
    }
}
