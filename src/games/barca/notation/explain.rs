//! Why a move is illegal, in a line.

use std::fmt;

use super::SIDES;
use crate::games::barca::rules::{Animal, IllegalMove, Kind, Move, square_name};

impl std::error::Error for IllegalMove {}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::GameOver { winner } => {
                write!(f, "the game is over: {} holds three watering holes", SIDES[winner])
            }
            Self::NoAnimal(square) => write!(f, "no animal stands on {}", square_name(square)),
            Self::NotYours(animal) => {
                let (owner, mover) = (SIDES[animal.side], SIDES[animal.side ^ 1]);
                write!(f, "the {} is {owner}'s, and {mover} is to move", placed(animal))
            }
            Self::NoPass(animal) => {
                let m = Move { from: animal.square, to: animal.square };
                write!(f, "{m} does not move the {}; there is no pass", animal.kind.name())
            }
            Self::OffLine { animal, to } => {
                let [from, to] = [animal.square, to].map(square_name);
                let (name, lines) = (animal.kind.name(), lines_of(animal.kind));
                write!(f, "the {name} moves along {lines}, and {from} to {to} is none")
            }
            Self::Occupied(Animal { side, kind, square }) => {
                let (owner, name, square) = (SIDES[side], kind.name(), square_name(square));
                write!(f, "{owner}'s {name} stands on {square}, and nothing is captured in Barca")
            }
            Self::Blocked { animal, by } => {
                let owner = SIDES[by.side];
                write!(f, "the {} cannot jump over {owner}'s {}", placed(animal), placed(by))
            }
            Self::StillAfraid { animal, to, scarer, escape } => write!(
                f,
                "an afraid animal must escape (such as {escape}), and on {} the {} would still be \
                 afraid of the {}",
                square_name(to),
                animal.kind.name(),
                placed(scarer)
            ),
            Self::EscapeFirst { afraid, scarer, escape } => write!(
                f,
                "{}'s {} is afraid of the {} and must escape first, such as by {escape}",
                SIDES[afraid.side],
                placed(afraid),
                placed(scarer)
            ),
            Self::IntoFear { animal, to, scarer } => write!(
                f,
                "a calm animal never moves into fear, and on {} the {} would be afraid of the {}",
                square_name(to),
                animal.kind.name(),
                placed(scarer)
            ),
        }
    }
}

/// Such as `lion on d5`.
pub(super) fn placed(animal: Animal) -> String {
    format!("{} on {}", animal.kind.name(), square_name(animal.square))
}

fn lines_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Mouse => "ranks and files",
        Kind::Lion => "diagonals",
        Kind::Elephant => "ranks, files and diagonals",
    }
}
