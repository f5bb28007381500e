//! Barbarossa as a picture and its moves as steps.
//!
//! - `table`: the ring, the scoring track around it, the trays of jewels and curse tokens.
//! - `board`: what stands there, and the objects as cards.
//! - `sculpture`: the picture of a sculpture, from its features. `sketch`: the same in text.
//! - `step`: a move choice by choice, phase by phase.

mod board;
mod sculpture;
mod sketch;
mod step;
mod table;

use crate::game::picture::StepError;
use crate::game::{DiagramStyle, Picture};
use crate::games::barbarossa::knowledge::PredicateId;
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::position::Position;
use crate::picture::{Board, Step, Table};

/// The width of a sketch in characters.
pub(super) const SKETCH_WIDTH: usize = sketch::WIDTH;

/// The sketch of a sculpture in text, a line each; nothing where nothing is shown.
pub(super) fn sketch(shown: &[PredicateId], style: DiagramStyle) -> Vec<String> {
    let shapes = sculpture::draw(shown);
    if shapes.is_empty() { Vec::new() } else { sketch::sketch(&shapes, style) }
}

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
}
