//! Chowka bhara as a picture: homes, safe cells, gates, fresh doubles, throws left; a play entered
//! pawn by pawn, the throws in any order.

use std::collections::BTreeMap;

use super::tokens::{cell_name, write};
use crate::game::picture::{StepError, offer};
use crate::game::{Game, Picture};
use crate::games::chowka_bhara::rules::{
    Gate, Geometry, Move, Play, Position, Step as PawnStep, TurnState,
};
use crate::picture::{
    Board, Cell, Dice, Item, Kind, Mark, Next, Panel, Piece, Point, Region, Show, Step, Symbol,
    Table, TableSeat,
};

/// Room around the board for the coordinates, in cells.
const MARGIN: f64 = 0.5;
const NAMES: [&str; 4] = ["South", "East", "North", "West"];
/// How the board is turned for South, East, North, West.
const TURNS: [f64; 4] = [0.0, 90.0, 180.0, 270.0];
/// The choice that moves two pawns together.
const BOTH: &str = "both";

impl Picture for Position {
    fn table(&self) -> Table {
        let geometry = self.options().geometry();
        let size = f64::from(geometry.size) + 2.0 * MARGIN;
        let mut table = Table::new("Chowka bhara", [size, size]);
        table.square("cell");
        table.piece = 0.36;
        table.cells = (0..=geometry.centre).map(|cell| draw_cell(self, cell)).collect();
        table.kinds = BTreeMap::from([
            ("outer".into(), Kind::filled("outer ring", "light")),
            ("inner".into(), Kind::filled("inner rings", "dark")),
            ("safe".into(), Kind::filled("safe cell", "safe").and_marked("cross")),
            ("centre".into(), Kind::filled("centre, the goal", "goal").and_marked("star")),
            ("fresh".into(), Kind::marked("fresh double: nobody passes", "lock")),
        ]);
        let inner = (geometry.ring..=geometry.centre).map(|cell| geometry.name(cell)).collect();
        table.regions =
            vec![Region { id: "inside".into(), label: "inside the gates".into(), cells: inner }];
        table.coordinates([geometry.size.into(); 2], MARGIN, false);
        let seats = self.sides().iter().enumerate();
        table.seats =
            seats.map(|(at, side)| TableSeat::new(at + 1, NAMES[*side], TURNS[*side])).collect();
        table.symbols = BTreeMap::from([("P".into(), Symbol::icon("pawn", "pawn", "P"))]);
        table
    }

    fn board(&self) -> Board {
        let mut board = Board::new(self.turn());
        for side in self.sides() {
            let mut cells: BTreeMap<u8, u32> = BTreeMap::new();
            for index in self.pawns(*side) {
                *cells.entry(*index).or_default() += 1;
            }
            for (index, count) in cells {
                let geometry = self.options().geometry();
                let cell = geometry.name(geometry.cell(*side, index));
                let piece = Piece::new(cell, "P", seat_number(self, *side));
                board.pieces.push(Piece { count: (count > 1).then_some(count), ..piece });
            }
        }
        board.marks = fresh_cells(self).map(|cell| Mark::new(cell, "fresh")).collect();
        if self.reason() == Some("all-home") {
            let geometry = self.options().geometry();
            board.decided = vec![geometry.name(geometry.centre)];
        }
        board.panel = self.sides().iter().map(|side| panel(self, *side)).collect();
        if !self.throws().is_empty() {
            let values: Vec<i64> = self.throws().iter().map(|value| i64::from(*value)).collect();
            board.dice = Some(Dice { of: "cowrie".into(), left: values.clone(), values });
        }
        board
    }

    fn step(&self, path: &[String]) -> Result<Step, StepError> {
        let mut entry = Entry::new(self);
        let mut at = 0;
        while at < path.len() {
            at = entry.take(path, at)?;
        }
        Ok(entry.answer(path))
    }

    fn path(&self, m: &Move) -> Vec<String> {
        let Move::Play(play) = m else {
            return vec![write(self, m)];
        };
        if play.steps().is_empty() {
            return vec!["pass".into()];
        }
        let mut path = Vec::new();
        for step in play.steps() {
            path.push(cell_name(self, step.from()));
            if step.together() {
                path.push(BOTH.into());
            }
            path.push(cell_name(self, step.to()));
        }
        if self.options().pass && !Entry::after(self, play).targets().is_empty() {
            path.push("pass".into());
        }
        path
    }
}

fn seat_number(position: &Position, side: usize) -> u8 {
    position.seat_of(side).index() as u8 + 1
}

/// The middle of a cell.
fn place(geometry: &Geometry, cell: u8) -> Point {
    let (file, rank) = geometry.place(cell);
    let y = f64::from(geometry.size - 1 - rank);
    [MARGIN + f64::from(file) + 0.5, MARGIN + y + 0.5]
}

fn draw_cell(position: &Position, cell: u8) -> Cell {
    let options = position.options();
    let geometry = options.geometry();
    let safe = geometry.safe(options.safe_corners) >> cell & 1 == 1;
    let kind = match cell {
        _ if cell == geometry.centre => "centre",
        _ if safe => "safe",
        _ if cell < geometry.ring => "outer",
        _ => "inner",
    };
    let home = (0..4).find(|side| geometry.cell(*side, 0) == cell);
    Cell {
        label: home.map(|side| format!("{}, home of {}", geometry.name(cell), NAMES[side])),
        ..Cell::new(geometry.name(cell), place(geometry, cell), "cell").of_kind(kind)
    }
}

fn fresh_cells(position: &Position) -> impl Iterator<Item = String> {
    let geometry = position.options().geometry();
    let fresh = position.fresh();
    (0..geometry.ring).filter(move |cell| fresh >> cell & 1 == 1).map(|cell| geometry.name(cell))
}

fn panel(position: &Position, side: usize) -> Panel {
    let centre = position.centre();
    let home = position.pawns(side).iter().filter(|index| **index == centre).count() as i64;
    let mut items = vec![Item::of("pawns in the centre", home, position.pawns(side).len() as i64)];
    if position.options().gate != Gate::Off {
        items.push(Item::new("gate", if position.gate_open(side) { "open" } else { "closed" }));
    }
    Panel { seat: position.seat_of(side).to_string(), items }
}

/// A play that is being entered.
struct Entry<'a> {
    position: &'a Position,
    state: TurnState<'a>,
    left: Vec<u8>,
    play: Play,
    show: Vec<Show>,
    /// The pawn that is chosen and not yet moved, and whether two go together.
    pawn: Option<(u8, bool)>,
    /// The play is ended by a choice.
    ended: bool,
}

impl<'a> Entry<'a> {
    fn new(position: &'a Position) -> Self {
        // In a voided turn nothing can be played.
        let left = if position.voided() { Vec::new() } else { position.throws().to_vec() };
        Entry {
            position,
            state: TurnState::new(position),
            left,
            play: Play::default(),
            show: Vec::new(),
            pawn: None,
            ended: false,
        }
    }

    /// The entry after the steps of a play.
    fn after(position: &'a Position, play: &Play) -> Self {
        let mut entry = Entry::new(position);
        play.steps().iter().for_each(|step| entry.make(*step));
        entry
    }

    /// Every step that a value left allows now.
    fn targets(&self) -> Vec<PawnStep> {
        let mut steps = Vec::new();
        let mut values = self.left.clone();
        values.sort_unstable();
        values.dedup();
        for value in values {
            self.state.for_each_step(value, |step| {
                if !steps.contains(&step) {
                    steps.push(step);
                }
                true
            });
        }
        steps
    }

    fn name(&self, index: u8) -> String {
        cell_name(self.position, index)
    }

    /// Takes the choice at an index; returns the index of the next one.
    fn take(&mut self, path: &[String], at: usize) -> Result<usize, StepError> {
        let choice = &path[at];
        let targets = self.targets();
        if self.ended || targets.is_empty() && (choice != "pass" || !self.play.steps().is_empty()) {
            return Err(StepError::new(path, at, "the play is complete"));
        }
        let Some((from, together)) = self.pawn else {
            if choice == "pass" && (targets.is_empty() || self.position.options().pass) {
                self.ended = true;
                return Ok(at + 1);
            }
            let step = targets.iter().find(|step| self.name(step.from()) == *choice);
            let step =
                step.ok_or_else(|| StepError::new(path, at, "no pawn of yours that can move"))?;
            self.pawn = Some((step.from(), false));
            return Ok(at + 1);
        };
        let mine = |step: &&PawnStep| step.from() == from && step.together() == together;
        if choice == BOTH
            && !together
            && targets.iter().any(|step| step.from() == from && step.together())
        {
            self.pawn = Some((from, true));
            return Ok(at + 1);
        }
        let step = targets.iter().filter(mine).find(|step| self.name(step.to()) == *choice);
        let step =
            *step.ok_or_else(|| StepError::new(path, at, "no throw left takes the pawn there"))?;
        self.make(step);
        self.pawn = None;
        Ok(at + 1)
    }

    /// Plays a step with the value that it needs.
    fn make(&mut self, step: PawnStep) {
        let value = self.state.value_of(step);
        if let Some(used) = self.left.iter().position(|left| Some(*left) == value) {
            self.left.remove(used);
        }
        let hit = self.state.hit;
        self.state.make(step);
        let (from, to) = (self.name(step.from()), self.name(step.to()));
        let seat = seat_number(self.position, self.position.side());
        if self.state.hit != hit {
            self.show.extend(self.hits(step.to()));
        }
        self.show.push(Show::Move {
            r#move: [from, to],
            symbol: "P".into(),
            seat,
            turn: None,
            count: step.together().then_some(2),
        });
        self.play.push(step);
    }

    /// The enemy pawns that go home from a cell of the mover's path.
    fn hits(&self, index: u8) -> Vec<Show> {
        let geometry = self.position.options().geometry();
        let cell = geometry.cell(self.position.side(), index);
        let enemies = self.position.sides().iter().filter(|side| **side != self.position.side());
        let mut gone = Vec::new();
        for side in enemies {
            let stands = geometry.index(*side, cell);
            let pawns = self.position.pawns(*side).iter().filter(|pawn| **pawn == stands).count();
            if pawns > 0 {
                gone.push(Show::Move {
                    r#move: [geometry.name(cell), geometry.name(geometry.cell(*side, 0))],
                    symbol: "P".into(),
                    seat: seat_number(self.position, *side),
                    turn: None,
                    count: (pawns > 1).then_some(pawns as u32),
                });
            }
        }
        gone
    }

    fn answer(self, path: &[String]) -> Step {
        let targets = if self.ended { Vec::new() } else { self.targets() };
        let mut next = Vec::new();
        let text = match self.pawn {
            Some((from, together)) => {
                let own = targets.iter().filter(|step| step.from() == from);
                let (both, single): (Vec<PawnStep>, Vec<PawnStep>) =
                    own.partition(|step| step.together());
                let shown = if together { &both } else { &single };
                next.extend(shown.iter().map(|step| Next::cell(self.name(step.to()))));
                if !together && !both.is_empty() {
                    next.push(Next::button(BOTH, "both pawns together"));
                }
                "Choose where it goes"
            }
            None => {
                let mut starts: Vec<u8> = targets.iter().map(|step| step.from()).collect();
                starts.sort_unstable();
                starts.dedup();
                next.extend(starts.iter().map(|from| Next::cell(self.name(*from))));
                let may_pass = self.position.options().pass && !targets.is_empty();
                let must_pass = targets.is_empty() && self.play.steps().is_empty() && !self.ended;
                if may_pass || must_pass {
                    let label = if self.play.steps().is_empty() { "pass" } else { "stop here" };
                    next.push(Next::button("pass", label));
                }
                if must_pass { "Nothing can be played" } else { "Choose a pawn" }
            }
        };
        let complete = self.pawn.is_none()
            && (self.ended || targets.is_empty() && !self.play.steps().is_empty());
        let mut step = offer(Step::new(path, text), next);
        step.show = self.show.clone();
        if !path.is_empty() {
            // Values that cannot be played are lost with the end of the play.
            let left = if complete { &[] } else { self.left.as_slice() };
            let dice = left.iter().map(|value| i64::from(*value)).collect();
            step.show.push(Show::Dice { dice });
        }
        if complete {
            step.text = "Play it".into();
            step.token = Some(write(self.position, &Move::Play(self.play)));
        }
        step
    }
}
