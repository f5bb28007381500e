//! Por'rika as a picture: triangles, locks, the start spaces of both sides; a move in two clicks,
//! the set-up in four.

use crate::game::picture::{StepError, offer};
use crate::game::{Game, Notation, Picture};
use crate::games::porrika::rules::board::{
    BOARD, COLUMNS, COPPER_STARTS, GOALS, ROWS, SERRA_STARTS, Space, spaces,
};
use crate::games::porrika::rules::{EndReason, Kind as Piece, Move, Phase, Position};
use crate::picture::{
    Board, Cell, Kind, Mark, Next, Panel, Piece as Drawn, Point, Show, Step, Symbol, Table,
    TableSeat,
};

/// Silver at level 1 to 9 has an even game against copper at these levels, measured by matches
/// (`lab/notes/porrika.md`).
const EVEN: [u8; 9] = [1, 1, 2, 2, 3, 5, 5, 6, 7];

/// Room around the board for the coordinates, in squares.
const MARGIN: f64 = 0.4;
/// The radius of the circle that fits into a triangle, which is half a unit square cut twice.
const INRADIUS: f64 = 0.207;
/// The shapes of the triangles n, e, s, w.
const SHAPES: [&str; 4] = ["north", "east", "south", "west"];
/// The two pieces of the set-up that are named: eggs first, then the spaces left empty.
const SETUP_CHOICES: usize = 4;

impl Picture for Position {
    fn table(&self) -> Table {
        let size = [COLUMNS as f64 + 2.0 * MARGIN, ROWS as f64 + 2.0 * MARGIN];
        let mut table = Table::new("Por'rika", size);
        table.piece = 0.18;
        for (side, name) in SHAPES.iter().enumerate() {
            table.shapes.insert((*name).into(), triangle(side));
        }
        table.kinds = [
            ("porrika", Kind::filled("Por'rika, where eggs are home", "goal").and_marked("star")),
            ("aerie", Kind::filled("aerie of the Ser'ra", "dark").and_marked("ring")),
            ("schelati", Kind::filled("start of the Schelati", "track").and_marked("dot")),
            ("locked", Kind::marked("locked for ever", "lock")),
        ]
        .map(|(name, kind)| (name.to_owned(), kind))
        .into();
        table.cells = spaces(BOARD).map(cell).collect();
        table.coordinates([COLUMNS, ROWS], MARGIN, true);
        table.seats = vec![
            TableSeat::new(1, "Copper", 0.0).filled("copper"),
            TableSeat::new(2, "Silver", 180.0).filled("silver").evened(&EVEN),
        ];
        table.symbols = [
            ("E", Symbol::icon("egg-carrier", "egg", "E")),
            ("G", Symbol::icon("guardian", "guardian", "G")),
            ("S", Symbol::icon("Ser'ra", "bird-of-prey", "S")),
        ]
        .map(|(name, symbol)| (name.to_owned(), symbol))
        .into();
        table
    }

    fn board(&self) -> Board {
        let mut board = Board::new(self.turn());
        for kind in Piece::ALL {
            let (symbol, seat) = (symbol_of(kind), kind.side().seat().index() as u8 + 1);
            board.pieces.extend(
                spaces(self.of(kind)).map(|space| Drawn::new(space.to_string(), symbol, seat)),
            );
        }
        board.marks =
            spaces(self.locked()).map(|space| Mark::new(space.to_string(), "locked")).collect();
        let decided = match self.phase() {
            Phase::Over(EndReason::EggsHome) => self.eggs(),
            Phase::Over(EndReason::EggCaptured) => self.eggs() & self.locked(),
            Phase::Over(EndReason::PorrikaTaken) => GOALS,
            _ => 0,
        };
        board.decided = spaces(decided).map(|space| space.to_string()).collect();
        let home = (self.eggs() & GOALS).count_ones();
        let free = (self.serra() & !self.locked()).count_ones();
        board.panel = vec![
            Panel {
                seat: "p1".into(),
                items: vec![crate::picture::Item::of("eggs home", home.into(), 2)],
            },
            Panel {
                seat: "p2".into(),
                items: vec![crate::picture::Item::of("Ser'ra free", free.into(), 4)],
            },
        ];
        if self.phase() == Phase::Setup {
            board.note = Some(
                "Copper places two eggs and four guardians on six of the eight start spaces."
                    .into(),
            );
        }
        board
    }

    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        match self.phase() {
            Phase::Setup => setup_step(self, path),
            _ => walk_step(self, path),
        }
    }

    fn path(&self, m: &Move) -> Vec<String> {
        match *m {
            Move::Pass => vec!["pass".into()],
            Move::Walk { from, to } => vec![from.to_string(), to.to_string()],
            Move::Setup { eggs, guardians } => {
                let named = |mask: u8| {
                    COPPER_STARTS.iter().enumerate().filter(move |(bit, _)| mask >> bit & 1 == 1)
                };
                named(eggs)
                    .chain(named(!(eggs | guardians)))
                    .map(|(_, space)| space.to_string())
                    .collect()
            }
        }
    }
}

/// Corners of the triangle of a side about its incentre; y grows towards the tip.
fn triangle(side: usize) -> Vec<Point> {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let [x, y] = incentre(side);
    let points = [corners[side], corners[(side + 1) % 4], [0.5, 0.5]];
    points.iter().map(|[px, py]| [px - x, py - y]).collect()
}

/// The incentre of the triangle of a side, from the corner of its square.
fn incentre(side: usize) -> Point {
    let far = 1.0 - INRADIUS;
    [[0.5, INRADIUS], [far, 0.5], [0.5, far], [INRADIUS, 0.5]][side]
}

fn cell(space: Space) -> Cell {
    let [x, y] = incentre(space.side());
    let at = [MARGIN + space.column() as f64 + x, MARGIN + space.row() as f64 + y];
    let cell = Cell::new(space.to_string(), at, SHAPES[space.side()]);
    if space.bit() & GOALS != 0 {
        cell.of_kind("porrika")
    } else if space.bit() & SERRA_STARTS != 0 {
        cell.of_kind("aerie")
    } else if COPPER_STARTS.contains(&space) {
        cell.of_kind("schelati")
    } else {
        cell
    }
}

fn symbol_of(kind: Piece) -> &'static str {
    match kind {
        Piece::Egg => "E",
        Piece::Guardian => "G",
        Piece::Serra => "S",
    }
}

/// From a piece to where it lands; a forced pass is a button.
fn walk_step(position: &Position, path: &[String]) -> Result<Step, StepError> {
    let moves = position.moves();
    let mut from: Vec<Space> = Vec::new();
    for m in &moves {
        match m {
            Move::Walk { from: space, .. }
                if from.last() != Some(space) && !from.contains(space) =>
            {
                from.push(*space);
            }
            _ => {}
        }
    }
    let Some(first) = path.first() else {
        if moves.contains(&Move::Pass) {
            let step = Step::new(path, "You cannot move");
            return Ok(offer(step, vec![Next::button("pass", "pass")]));
        }
        let next = from.iter().map(|space| Next::cell(space.to_string())).collect();
        return Ok(offer(Step::new(path, "Choose a piece"), next));
    };
    if first == "pass" && moves.contains(&Move::Pass) {
        return complete(path, 1, "pass");
    }
    let start = from.iter().find(|space| space.to_string() == *first);
    let start = start.ok_or_else(|| StepError::new(path, 0, "no piece of yours that can move"))?;
    let targets = moves.iter().filter_map(|m| match m {
        Move::Walk { from, to } if from == start => Some(*to),
        _ => None,
    });
    let Some(second) = path.get(1) else {
        let next = targets.map(|space| Next::cell(space.to_string())).collect();
        return Ok(offer(Step::new(path, "Choose where it goes"), next));
    };
    let target = targets.into_iter().find(|space| space.to_string() == *second);
    let Some(target) = target else {
        let m = Space::parse(second.as_bytes()).map(|to| Move::Walk { from: *start, to });
        let message = m.map_or("no space".into(), |m| position.explain_illegal(&m));
        return Err(StepError::new(path, 1, message));
    };
    let mut step = complete(path, 2, &format!("{start}{target}"))?;
    if let Some(kind) = position.piece_at(*start) {
        let seat = kind.side().seat().index() as u8 + 1;
        step.show = vec![Show::moved(first, second, symbol_of(kind), seat)];
    }
    Ok(step)
}

fn complete(path: &[String], length: usize, token: &str) -> Result<Step, StepError> {
    if path.len() > length {
        return Err(StepError::new(path, length, "the move is complete"));
    }
    Ok(Step::new(path, "Play it").with_token(token))
}

/// Two spaces for the eggs, then the two that stay empty; guardians take the rest.
fn setup_step(position: &Position, path: &[String]) -> Result<Step, StepError> {
    let mut chosen = Vec::new();
    for (index, choice) in path.iter().enumerate() {
        if index >= SETUP_CHOICES {
            return Err(StepError::new(path, index, "the set-up is complete"));
        }
        let bit = COPPER_STARTS.iter().position(|space| space.to_string() == *choice);
        let bit = bit.ok_or_else(|| StepError::new(path, index, "no start space"))?;
        if chosen.contains(&bit) {
            return Err(StepError::new(path, index, "this space is chosen already"));
        }
        chosen.push(bit);
    }
    let text = match chosen.len() {
        0 => "Choose the space of the first egg",
        1 => "Choose the space of the second egg",
        2 => "Choose the first space that stays empty",
        3 => "Choose the second space that stays empty",
        _ => "Play it",
    };
    let mut step = Step::new(path, text);
    step.show = chosen.iter().take(2).map(|bit| placed(*bit, "E")).collect();
    if chosen.len() == SETUP_CHOICES {
        let mask = |bits: &[usize]| bits.iter().fold(0u8, |mask, bit| mask | 1 << bit);
        let (eggs, empty) = (mask(&chosen[..2]), mask(&chosen[2..]));
        let m = Move::Setup { eggs, guardians: !(eggs | empty) };
        let guardians = (0..COPPER_STARTS.len()).filter(|bit| !chosen.contains(bit));
        step.show.extend(guardians.map(|bit| placed(bit, "G")));
        return Ok(step.with_token(position.token(&m)));
    }
    let open = (0..COPPER_STARTS.len()).filter(|bit| !chosen.contains(bit));
    Ok(offer(step, open.map(|bit| Next::cell(COPPER_STARTS[bit].to_string())).collect()))
}

fn placed(bit: usize, symbol: &str) -> Show {
    Show::Add {
        add: COPPER_STARTS[bit].to_string(),
        symbol: Some(symbol.into()),
        mark: None,
        seat: 1,
        turn: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Turn;

    #[test]
    fn every_triangle_has_room_for_a_piece() {
        let table = Position::default().table();
        for shape in table.shapes.values() {
            for at in 0..3 {
                let [[x1, y1], [x2, y2]] = [shape[at], shape[(at + 1) % 3]];
                let length = ((x2 - x1).powi(2) + (y2 - y1).powi(2)).sqrt();
                let distance = ((x2 - x1) * y1 - (y2 - y1) * x1).abs() / length;
                assert!(distance >= table.piece, "{distance} at {shape:?}");
            }
        }
        assert_eq!(table.cells.len(), 96);
        assert_eq!(Position::default().turn(), Turn::Seat(crate::game::Seat::new(0)));
    }
}
