//! Barbarossa as a picture and its moves as steps.
//!
//! - `table`: the ring, the scoring track around it, the trays of jewels and curse tokens.
//! - `board`: what stands there, and the objects as cards.
//! - `sculpture`: the picture of a sculpture, from its features.
//! - `step`: a move choice by choice, phase by phase.

mod board;
mod sculpture;
mod step;
mod table;

use crate::game::Picture;
use crate::game::picture::StepError;
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::position::Position;
use crate::picture::{Board, Step, Table};

impl Picture for Position {
    fn table(&self) -> Table {
        table::draw(self.options())
    }

    fn board(&self) -> Board {
        board::draw(self)
    }

    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        step::step(self, path)
    }

    fn path(&self, m: &Move) -> Vec<String> {
        step::path(self, m)
    }

    fn told(&self, m: &Move) -> Option<String> {
        board::told(self, m)
    }
}
