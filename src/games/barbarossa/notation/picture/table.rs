//! The table: two circles, the pawn ring within the scoring track, and the trays of the seats.

use std::f64::consts::TAU;

use crate::games::barbarossa::rules::options::RuleOptions;
use crate::picture::{Cell, Kind, Label, Point, Symbol, Table, TableSeat};

/// The length of a space along the ring and across it.
const RING: [f64; 2] = [1.3, 1.3];
/// The same for the scoring track.
const TRACK: [f64; 2] = [0.85, 0.85];
/// The smallest radius of the ring, through the middle of its spaces.
const LEAST_RADIUS: f64 = 2.3;
/// Between ring and track, and around the track, where its numbers stand.
const GAP: f64 = 0.35;
const MARGIN: f64 = 0.7;
/// The distance between the numbered spaces of the track.
const NUMBERED: usize = 5;
/// The symbols of pieces.
pub(super) const PAWN: &str = "P";
pub(super) const CONE: &str = "C";
pub(super) const BLOB: &str = "B";
pub(super) const JEWEL: &str = "J";
pub(super) const TOKEN: &str = "T";

/// A space of the pawn ring, by its index.
pub(super) fn ring_cell(index: usize) -> String {
    format!("ring{index}")
}

/// A space of the scoring track, by the points it stands for.
pub(super) fn score_cell(points: u8) -> String {
    format!("score{points}")
}

/// Where the jewels of a seat lie, by its number from 1.
pub(super) fn jewel_cell(seat: u8) -> String {
    format!("jewels{seat}")
}

/// Where the curse tokens of a seat lie, by its number from 1.
pub(super) fn token_cell(seat: u8) -> String {
    format!("tokens{seat}")
}

/// A circle that is cut into equal spaces, clockwise from the top.
struct Circle {
    spaces: usize,
    /// The radius through the middle of the spaces.
    radius: f64,
    depth: f64,
    centre: Point,
}

impl Circle {
    fn new(spaces: usize, [length, depth]: [f64; 2], least: f64) -> Self {
        let radius = (spaces as f64 * length / TAU).max(least);
        Circle { spaces, radius, depth, centre: [0.0, 0.0] }
    }

    fn outer(&self) -> f64 {
        self.radius + self.depth / 2.0
    }

    /// A point `turn` spaces clockwise of the top. The functions of `libm` give the same bits on
    /// every machine, those of the platform need not.
    fn point(&self, turn: f64, radius: f64) -> Point {
        let angle = TAU * turn / self.spaces as f64;
        let [x, y] = self.centre;
        [x + radius * libm::sin(angle), y - radius * libm::cos(angle)]
    }

    /// The corners of a space about the point at which pieces stand; arcs as short lines.
    fn outline(&self, index: usize, at: Point) -> Vec<Point> {
        let bends = 30_usize.div_ceil(self.spaces).max(1);
        let arc = |step: usize| index as f64 - 0.5 + step as f64 / bends as f64;
        let outer = (0..=bends).map(|step| self.point(arc(step), self.outer()));
        let inner =
            (0..=bends).rev().map(|step| self.point(arc(step), self.radius - self.depth / 2.0));
        outer.chain(inner).map(|[x, y]| [x - at[0], y - at[1]]).collect()
    }

    /// Adds a space as a cell whose pieces stand at this radius.
    fn add(&self, table: &mut Table, index: usize, id: String, radius: f64, kind: &str) {
        let at = self.point(index as f64, radius);
        table.shapes.insert(id.clone(), self.outline(index, at));
        table.cells.push(Cell::new(id.clone(), at, &id).of_kind(kind));
    }
}

/// Draws the table of some rules.
pub(super) fn draw(options: &RuleOptions) -> Table {
    let mut ring = Circle::new(options.ring.len(), RING, LEAST_RADIUS);
    let finish = usize::from(options.finish);
    // One space is left out between the finish and the start.
    let inside = ring.outer() + GAP + TRACK[1] / 2.0;
    let mut track = Circle::new(finish + 2, TRACK, inside);
    let middle = track.outer() + MARGIN;
    ring.centre = [middle, middle];
    track.centre = [middle, middle];
    let mut table = Table::new("Barbarossa", [2.0 * middle + 3.0, 2.0 * middle]);
    table.piece = 0.36;
    add_ring(&mut table, &ring, options);
    add_track(&mut table, &track, finish);
    add_trays(&mut table, options.seats, 2.0 * middle);
    add_looks(&mut table);
    table.seats = (1..=options.seats)
        .map(|number| TableSeat::new(number, &format!("Player {number}"), 0.0))
        .collect();
    table
}

fn add_ring(table: &mut Table, ring: &Circle, options: &RuleOptions) {
    for (index, space) in options.ring.iter().enumerate() {
        let name = space.name();
        ring.add(table, index, ring_cell(index), ring.radius + 0.2, name);
        if let Some(cell) = table.cells.last_mut() {
            cell.label = Some(format!("ring space {index}"));
        }
        let [x, y] = ring.point(index as f64, ring.radius - 0.43);
        // The letter of the name; a whole name is wider than the space there.
        let text = name.chars().take(1).collect();
        table.labels.push(Label { at: [x, y], text });
    }
}

fn add_track(table: &mut Table, track: &Circle, finish: usize) {
    for points in 0..=finish {
        let kind = match points {
            0 => "start",
            _ if points == finish => "finish",
            _ if points % NUMBERED == 0 => "fifth",
            _ => "score",
        };
        track.add(table, points, score_cell(points as u8), track.radius, kind);
        if points % NUMBERED == 0 || points == finish {
            let [x, y] = track.point(points as f64, track.outer() + 0.3);
            table.labels.push(Label { at: [x, y], text: points.to_string() });
        }
    }
}

/// A row for each seat: its jewels and its curse tokens.
fn add_trays(table: &mut Table, seats: usize, left: f64) {
    table.square("tray");
    for number in 1..=seats as u8 {
        let y = 0.2 + f64::from(number);
        table.labels.push(Label { at: [left + 0.4, y], text: format!("p{number}") });
        let jewels = Cell::new(jewel_cell(number), [left + 1.2, y], "tray").of_kind("jewels");
        let tokens = Cell::new(token_cell(number), [left + 2.3, y], "tray").of_kind("tokens");
        let named = |cell: Cell, what: &str| Cell {
            label: Some(format!("{what} of Player {number}")),
            ..cell
        };
        table.cells.extend([named(jewels, "jewels"), named(tokens, "curse tokens")]);
    }
}

fn add_looks(table: &mut Table) {
    let space = |label: &str, fill: &str, symbol: &str| Kind {
        symbol: Some(symbol.into()),
        ..Kind::filled(label, fill)
    };
    table.kinds = [
        ("Stairs", space("Stairs: one jewel more", "goal", "stairs")),
        ("Dragon", space("Dragon: all others score 1", "dark", "dragon")),
        ("Ghosts", space("Ghosts: all others score 2", "water", "ghost")),
        ("Elf", space("Elf: ask for a letter", "safe", "elf")),
        ("?", space("?: ask questions, then guess", "light", "questions")),
        ("start", Kind::filled("no points", "track")),
        ("score", Kind::filled("scoring track", "light")),
        ("fifth", Kind::filled("scoring track", "dark")),
        ("finish", Kind::filled("finish", "goal")),
        ("jewels", Kind::filled("jewels", "track")),
        ("tokens", Kind::filled("curse tokens", "track")),
    ]
    .map(|(name, kind)| (name.to_owned(), kind))
    .into();
    table.symbols = [
        (PAWN, Symbol::icon("pawn", "pawn", "P")),
        (CONE, Symbol::path("cone", "M0 -0.95L0.7 0.6Q0 1 -0.7 0.6Z", false)),
        (
            BLOB,
            Symbol::path(
                "blob of clay",
                "M-0.8 0.3C-1 -0.3 -0.5 -0.5 -0.3 -0.7C0 -1 0.5 -0.8 0.6 -0.4C1 -0.1 0.9 0.5 0.4 0.7C0 0.9 -0.7 0.9 -0.8 0.3Z",
                false,
            ),
        ),
        (JEWEL, Symbol::icon("jewel", "jewel", "J")),
        (TOKEN, Symbol::icon("curse token", "curse", "T")),
        ("stairs", Symbol::icon("Stairs", "stairs", "S")),
        ("dragon", Symbol::icon("Dragon", "dragon", "D")),
        ("ghost", Symbol::icon("Ghosts", "ghost", "G")),
        ("elf", Symbol::icon("Elf", "elf", "E")),
        ("questions", Symbol::letter("questions", "?")),
    ]
    .map(|(name, symbol)| (name.to_owned(), symbol))
    .into();
}
