//! Barca as a picture: watering holes, animals, who is afraid and who is trapped; a move in two
//! clicks.

use std::collections::BTreeMap;

use crate::game::picture::{StepError, offer};
use crate::game::{Game, Picture};
use crate::games::barca::rules::{
    HOLES, Kind as Animal, Move, Position, SIZE, SQUARES, file_of, rank_of, square_name,
};
use crate::picture::{
    Board, Cell, Item, Kind, Mark, Next, Panel, Piece, Show, Step, Symbol, Table, TableSeat,
};

/// Room around the board for the coordinates, in squares.
const MARGIN: f64 = 0.5;

impl Picture for Position {
    fn table(&self) -> Table {
        let side = f64::from(SIZE) + 2.0 * MARGIN;
        let mut table = Table::new("Barca", [side, side]);
        table.square("square");
        table.piece = 0.42;
        table.cells = (0..SQUARES).map(cell).collect();
        table.kinds = BTreeMap::from([
            ("light".into(), Kind::filled("square", "light")),
            ("dark".into(), Kind::filled("square", "dark")),
            ("hole".into(), Kind::filled("watering hole", "water").and_marked("waves")),
            ("afraid".into(), Kind::marked("afraid", "ring")),
            ("trapped".into(), Kind::marked("afraid and trapped", "cross")),
        ]);
        table.coordinates([SIZE.into(); 2], MARGIN, false);
        table.seats = vec![TableSeat::new(1, "White", 0.0), TableSeat::new(2, "Black", 180.0)];
        table.symbols = Animal::ALL
            .into_iter()
            .map(|kind| {
                let letter = kind.letter(0).to_string();
                (letter.clone(), Symbol::icon(kind.name(), kind.name(), &letter))
            })
            .collect();
        table
    }

    fn board(&self) -> Board {
        let mut board = Board::new(self.turn());
        for side in [0, 1] {
            for kind in Animal::ALL {
                let symbol = kind.letter(0).to_string();
                let standing = self.standing(side, kind);
                board.pieces.extend(
                    standing.map(|square| Piece::new(square_name(square), &symbol, side as u8 + 1)),
                );
                let afraid = standing & self.feared(side, kind);
                board.marks.extend(afraid.map(|square| {
                    let escapes = self.slides(kind, square) & !self.feared(side, kind);
                    Mark::new(
                        square_name(square),
                        if escapes.is_empty() { "trapped" } else { "afraid" },
                    )
                }));
            }
        }
        board.decided = [0, 1]
            .into_iter()
            .filter(|side| self.held(*side) >= 3)
            .flat_map(|side| Animal::ALL.map(|kind| self.standing(side, kind)))
            .flat_map(|standing| standing.filter(|square| HOLES.contains(square)))
            .map(square_name)
            .collect();
        board.panel = [0, 1]
            .map(|side| Panel {
                seat: format!("p{}", side + 1),
                items: vec![Item::of("watering holes", self.held(side).into(), 3)],
            })
            .into();
        board
    }

    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        let moves = self.moves();
        let Some(first) = path.first() else {
            let mut starts: Vec<u8> = moves.iter().map(|m| m.from).collect();
            starts.dedup();
            let text = match self.afraid(self.side()).is_empty() {
                true => "Choose an animal",
                false => "Choose an animal; who is afraid and can escape must",
            };
            let next = starts.iter().map(|square| Next::cell(square_name(*square))).collect();
            return Ok(offer(Step::new(path, text), next));
        };
        let targets: Vec<&Move> = moves.iter().filter(|m| square_name(m.from) == *first).collect();
        if targets.is_empty() {
            return Err(StepError::new(path, 0, "no animal of yours that may move"));
        }
        let Some(second) = path.get(1) else {
            let next = targets.iter().map(|m| Next::cell(square_name(m.to))).collect();
            return Ok(offer(Step::new(path, "Choose where it goes"), next));
        };
        let chosen = targets.iter().find(|m| square_name(m.to) == *second);
        let chosen =
            chosen.ok_or_else(|| StepError::new(path, 1, "the animal may not go there"))?;
        if path.len() > 2 {
            return Err(StepError::new(path, 2, "the move is complete"));
        }
        let mut step = Step::new(path, "Play it").with_token(chosen.to_string());
        if let Some((side, kind)) = self.animal_at(chosen.from) {
            let symbol = kind.letter(0).to_string();
            step.show = vec![Show::moved(first, second, &symbol, side as u8 + 1)];
        }
        Ok(step)
    }

    fn path(&self, m: &Move) -> Vec<String> {
        vec![square_name(m.from), square_name(m.to)]
    }
}

fn cell(square: u8) -> Cell {
    let (file, rank) = (file_of(square), rank_of(square));
    let at = [MARGIN + f64::from(file) + 0.5, MARGIN + f64::from(SIZE - 1 - rank) + 0.5];
    let kind = match (HOLES.contains(&square), (file + rank) % 2) {
        (true, _) => "hole",
        (false, 0) => "dark",
        (false, _) => "light",
    };
    Cell::new(square_name(square), at, "square").of_kind(kind)
}
