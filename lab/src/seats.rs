//! The networks of Pacru, Shacru and Azacru, which see the same board: games to learn from, training.

pub mod record;
pub mod train;

use parlor::game::{Game as _, multiply_shift};
use parlor::games::chevrons::filling::{self, Kind};
use parlor::games::chevrons::network::{Judged, Judgement};
use parlor::games::pacru::SelectivePosition;
use parlor::games::{Playable, pacru};
use parlor::search::{Player, Settings};

/// A game whose networks are made here.
pub trait Trained: Playable {
    /// The game as the networks see it.
    type Seen: Judged<Move = Self::Move>;

    /// The position as the networks see it.
    fn seen(&self) -> Self::Seen;

    /// The engine with other networks.
    fn engine(settings: &Settings, judgement: Judgement<Self::Seen>) -> Box<dyn Player<Self>>;

    /// One of the moves that the engine considers: in Pacru most others are rotations with odd payments.
    fn considered_move(&self, drawn: u64) -> Self::Move {
        let mut moves = self.seen().moves();
        moves.swap_remove(multiply_shift(drawn, moves.len() as u64) as usize)
    }
}

impl Trained for pacru::Position {
    type Seen = SelectivePosition;

    fn seen(&self) -> SelectivePosition {
        SelectivePosition::new(self.clone())
    }

    fn engine(settings: &Settings, judgement: Judgement<Self::Seen>) -> Box<dyn Player<Self>> {
        Box::new(pacru::play::EnginePlayer::new(settings, judgement))
    }
}

impl<K: Kind> Trained for filling::Position<K> {
    type Seen = Self;

    fn seen(&self) -> Self {
        self.clone()
    }

    fn engine(settings: &Settings, judgement: Judgement<Self>) -> Box<dyn Player<Self>> {
        Box::new(filling::play::EnginePlayer::new(settings, judgement))
    }
}
