//! Whether a move is legal, decided from the move itself; if not, which rule it breaks.

use std::fmt;

use super::board::{Kind, NO_SQUARE, SIDES, SIZE, file_of, rank_of, square_name};
use super::generate::is_on;
use super::moves::Move;
use super::position::Position;
use super::tables::at;

/// An animal on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Animal {
    /// Its side: 0 is White, 1 is Black.
    pub side: usize,
    /// Its kind.
    pub kind: Kind,
    /// Where it stands.
    pub square: u8,
}

impl Animal {
    fn owner(self) -> &'static str {
        SIDES[self.side]
    }
}

/// Such as `lion on d5`.
impl fmt::Display for Animal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.kind.name(), square_name(self.square))
    }
}

/// The rule that a move breaks. `Display` explains it in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// A side holds three watering holes.
    #[error("the game is over: {} holds three watering holes", SIDES[*.winner])]
    GameOver {
        /// That side.
        winner: usize,
    },
    /// No animal stands where the move starts.
    #[error("no animal stands on {}", square_name(*.0))]
    NoAnimal(u8),
    /// The animal is of the side that is not to move.
    #[error("the {0} is {owner}'s, and {mover} is to move", owner = .0.owner(), mover = SIDES[.0.side ^ 1])]
    NotYours(Animal),
    /// The move ends where it starts.
    #[error("{m} does not move the {kind}; there is no pass", m = no_move(.0), kind = .0.kind.name())]
    NoPass(Animal),
    /// The two squares are not on a line of the kind.
    #[error("the {kind} moves along {lines}, and {from} to {to} is none", kind = .animal.kind.name(), lines = lines_of(.animal.kind), from = square_name(.animal.square), to = square_name(*.to))]
    OffLine {
        /// What moves.
        animal: Animal,
        /// Where to.
        to: u8,
    },
    /// An animal stands where the move ends.
    #[error("{owner}'s {kind} stands on {square}, and nothing is captured in Barca", owner = .0.owner(), kind = .0.kind.name(), square = square_name(.0.square))]
    Occupied(Animal),
    /// An animal stands in the way.
    #[error("the {animal} cannot jump over {owner}'s {by}", owner = .by.owner())]
    Blocked {
        /// What moves.
        animal: Animal,
        /// What stands in its way.
        by: Animal,
    },
    /// An afraid animal moves to where it would still be afraid, though some escape is possible.
    #[error("an afraid animal must escape (such as {escape}), and on {to} the {kind} would still be afraid of the {scarer}", to = square_name(*.to), kind = .animal.kind.name())]
    StillAfraid {
        /// What moves.
        animal: Animal,
        /// Where to.
        to: u8,
        /// What it would be afraid of.
        scarer: Animal,
        /// A legal escape.
        escape: Move,
    },
    /// Another animal is afraid and must escape first.
    #[error("{owner}'s {afraid} is afraid of the {scarer} and must escape first, such as by {escape}", owner = .afraid.owner())]
    EscapeFirst {
        /// What is afraid.
        afraid: Animal,
        /// What it is afraid of.
        scarer: Animal,
        /// A legal escape.
        escape: Move,
    },
    /// An animal that is not afraid moves to where it would be.
    #[error("a calm animal never moves into fear, and on {to} the {kind} would be afraid of the {scarer}", to = square_name(*.to), kind = .animal.kind.name())]
    IntoFear {
        /// What moves.
        animal: Animal,
        /// Where to.
        to: u8,
        /// What it would be afraid of.
        scarer: Animal,
    },
}

/// The move of an animal to where it stands.
fn no_move(animal: &Animal) -> Move {
    Move { from: animal.square, to: animal.square }
}

fn lines_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Mouse => "ranks and files",
        Kind::Lion => "diagonals",
        Kind::Elephant => "ranks, files and diagonals",
    }
}

impl Position {
    /// Whether a move is legal, without listing any.
    pub(super) fn allows(&self, m: Move) -> bool {
        let side = self.side();
        let Some(kind) = self.kind_at(side, m.from) else {
            return false;
        };
        if self.winner().is_some() || m.to > NO_SQUARE || !is_on(m.to, self.slides(kind, m.from)) {
            return false;
        }
        let feared = self.feared(side, kind);
        match (is_on(m.from, feared), is_on(m.to, feared)) {
            (true, false) => true,
            (false, true) => false,
            (_, _) => self.must_escape().is_none(),
        }
    }

    /// Whether a move is legal, and if not, which rule it breaks.
    pub fn check(&self, m: &Move) -> Result<(), IllegalMove> {
        if let Some(winner) = self.winner() {
            return Err(IllegalMove::GameOver { winner });
        }
        let animal = self.animal_on(m.from).ok_or(IllegalMove::NoAnimal(m.from))?;
        if animal.side != self.side() {
            return Err(IllegalMove::NotYours(animal));
        }
        if m.from == m.to {
            return Err(IllegalMove::NoPass(animal));
        }
        if !animal.kind.connects(m.from, m.to) {
            return Err(IllegalMove::OffLine { animal, to: m.to });
        }
        self.check_path(animal, m.to)?;
        self.check_fear(animal, m.to)
    }

    /// Whether the squares of a move are vacant, the first excepted.
    fn check_path(&self, animal: Animal, to: u8) -> Result<(), IllegalMove> {
        let step = |from: u8, to: u8| (i32::from(to) - i32::from(from)).signum();
        let across = step(file_of(animal.square), file_of(to));
        let up = step(rank_of(animal.square), rank_of(to));
        let mut square = i32::from(animal.square);
        while square != i32::from(to) {
            square += across + i32::from(SIZE) * up;
            match self.animal_on(square as u8) {
                Some(other) if other.square == to => return Err(IllegalMove::Occupied(other)),
                Some(by) => return Err(IllegalMove::Blocked { animal, by }),
                None => {}
            }
        }
        Ok(())
    }

    /// Whether the rules of fear allow a move along a free path.
    fn check_fear(&self, animal: Animal, to: u8) -> Result<(), IllegalMove> {
        let Animal { side, kind, square } = animal;
        match (self.scarer(side, kind, square), self.scarer(side, kind, to), self.escape()) {
            (Some(_), None, _) => Ok(()),
            (Some(_), Some(scarer), Some((_, _, escape))) => {
                Err(IllegalMove::StillAfraid { animal, to, scarer, escape })
            }
            (None, _, Some((afraid, scarer, escape))) => {
                Err(IllegalMove::EscapeFirst { afraid, scarer, escape })
            }
            (None, Some(scarer), None) => Err(IllegalMove::IntoFear { animal, to, scarer }),
            (_, _, None) => Ok(()),
        }
    }

    /// An afraid animal of the side to move that can escape, what it is afraid of, and its escape.
    fn escape(&self) -> Option<(Animal, Animal, Move)> {
        let (kind, from) = self.must_escape()?;
        let scarer = self.scarer(self.side(), kind, from)?;
        let to = self.calm_slides(kind, from).next()?;
        Some((Animal { side: self.side(), kind, square: from }, scarer, Move { from, to }))
    }

    /// The animal on a square.
    pub(crate) fn animal_on(&self, square: u8) -> Option<Animal> {
        self.animal_at(square).map(|(side, kind)| Animal { side, kind, square })
    }

    /// The enemy that makes an animal afraid on a square.
    pub(crate) fn scarer(&self, side: usize, kind: Kind, square: u8) -> Option<Animal> {
        let (side, kind) = (side ^ 1, kind.feared());
        let square = (self.standing(side, kind) & at(square).near).next()?;
        Some(Animal { side, kind, square })
    }
}
