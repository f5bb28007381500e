//! Before the first move: the start, the moves that are there already, the clocks.

use anyhow::{Result, ensure};

use super::{Game, Origin};
use crate::protocol::{PositionLine, Turn};
use crate::runner::board::tree;
use crate::runner::tournament::record::{self, Move};

/// Of longer lists of moves that do not say who moved nobody asks: it takes the square of their
/// length.
const MAX_UNNAMED: usize = 3_000;

impl Game {
    /// Loads the start and the tokens that are there already.
    pub(super) fn set_up(&mut self) -> Result<()> {
        let line = self.tree.position(0);
        if let Err((_, text)) = self.load(&line)? {
            anyhow::bail!("{text}");
        }
        self.seat_all()?;
        let moves = std::mem::take(&mut self.setup.moves);
        ensure!(moves.len() < tree::MAX_NODES, "more than {} tokens", tree::MAX_NODES - 1);
        let seats = self.seats();
        ensure!(moves.iter().all(|m| m.seat <= seats), "a move of a seat beyond {seats}");
        if !moves.is_empty() {
            let tokens = moves.iter().map(|m| m.token.as_str());
            let line = PositionLine::new(self.tree.start(), tokens);
            if let Err((_, text)) = self.load(&line)? {
                anyhow::bail!("{text}");
            }
        }
        let turns = self.unnamed_turns(&moves)?;
        for (at, m) in moves.iter().enumerate() {
            let turn = turns.get(at).copied();
            let by = m.seat.checked_sub(1).or(turn.and_then(Turn::seat));
            let origin = self.origin_of(m, turn);
            self.tree.play(&m.token, by, origin, m.ms.map(|ms| ms as u64));
        }
        self.turn = self.referee.turn();
        self.tree.note_turn(self.tree.live(), self.turn);
        self.tree.note_clocks(self.clocks.all());
        Ok(())
    }

    /// Where a move came from that was there already; `turn` only where the record does not say.
    fn origin_of(&self, m: &Move, turn: Option<Turn>) -> Origin {
        match (m.from, turn) {
            (Some(record::Origin::Chance), _) | (_, Some(Turn::Chance(_) | Turn::Deal)) => {
                Origin::Chance
            }
            (Some(record::Origin::Opening), _) | (_, Some(_)) if !self.setup.analysis => {
                Origin::Opening
            }
            _ => Origin::Record,
        }
    }

    /// Whose turn it was before each move, for moves of which nothing but the token is known.
    fn unnamed_turns(&mut self, moves: &[Move]) -> Result<Vec<Turn>> {
        let unnamed = moves.iter().any(|m| m.seat == 0 && m.from.is_none());
        if !unnamed || moves.len() > MAX_UNNAMED {
            return Ok(Vec::new());
        }
        let mut line = self.tree.position(0);
        let mut turns = Vec::new();
        for m in moves {
            if let Err((_, text)) = self.load(&line)? {
                anyhow::bail!("{text}");
            }
            turns.push(self.referee.turn());
            line.append(&m.token);
        }
        // The position after all of them is the live one.
        if let Err((_, text)) = self.load(&line)? {
            anyhow::bail!("{text}");
        }
        Ok(turns)
    }
}
