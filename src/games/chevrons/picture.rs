//! The board as a picture: borderlands, markers, chevrons and where they face.

use std::collections::BTreeMap;

use super::board::{Board, chevrons_each};
use super::fields::{BORDERLANDS, Direction, Field};
use crate::game::{Game, Seat};
use crate::picture::{
    self, Cell, Item, Kind, Mark, Panel, Piece, Region, Show, Symbol, Table, TableSeat,
};

/// Room around the board for the coordinates, in fields.
const MARGIN: f64 = 0.5;
const SIZE: usize = 9;
/// An arrow-head that points up, in a box from -1 to 1.
const CHEVRON: &str = "M0 -0.95L0.8 0.75L0 0.3L-0.8 0.75Z";
const NAMES: [&str; 4] = ["White", "Black", "Blue", "Pink"];

/// The table of a game of that title.
pub(crate) fn table(title: &str, seats: usize) -> Table {
    let side = SIZE as f64 + 2.0 * MARGIN;
    let mut table = Table::new(title, [side, side]);
    table.square("field");
    table.piece = 0.4;
    table.cells = Field::all().map(cell).collect();
    table.kinds = BTreeMap::from([
        ("light".into(), Kind::filled("field", "light")),
        ("dark".into(), Kind::filled("field", "dark")),
        ("marker".into(), Kind { label: "marker".into(), ..Kind::default() }),
    ]);
    table.regions = (0..BORDERLANDS).map(region).collect();
    table.coordinates([SIZE; 2], MARGIN, false);
    table.seats = Seat::all(seats)
        .map(|seat| TableSeat::new(seat.index() + 1, NAMES[seat.index()], 0.0))
        .collect();
    table.symbols = BTreeMap::from([("C".into(), Symbol::path("chevron", CHEVRON, true))]);
    table
}

/// What stands where. The panel tells markers, of a goal if the game has one, chevrons, and their power
/// where the game has power. A finished game is decided by the markers of who is first, or by the
/// chevrons that only that seat still has.
pub(crate) fn board(
    game: &impl Game,
    board: &Board,
    goal: Option<usize>,
    power: bool,
) -> picture::Board {
    let mut shown = picture::Board::new(game.turn());
    if let Some(outcome) = game.outcome() {
        let by_chevrons = game.reason() == Some("last-chevrons");
        let owner = |field| match by_chevrons {
            true => board.chevron(field).map(|(seat, _)| seat),
            false => board.marker(field),
        };
        let is_first = |seat: Seat| outcome.place(seat) == 1;
        let counts = Field::all().filter(|field| owner(*field).is_some_and(is_first));
        shown.decided = counts.map(|field| field.to_string()).collect();
    }
    for field in Field::all() {
        let name = field.to_string();
        if let Some((seat, facing)) = board.chevron(field) {
            shown.pieces.push(Piece {
                turn: Some(degrees(facing)),
                label: Some(format!("facing {}", facing.name())),
                ..Piece::new(name.clone(), "C", seat.index() as u8 + 1)
            });
        }
        if let Some(seat) = board.marker(field) {
            shown.marks.push(Mark { seat: seat.index() as u8 + 1, ..Mark::new(name, "marker") });
        }
    }
    shown.panel = Seat::all(board.seats()).map(|seat| panel(board, seat, goal, power)).collect();
    shown
}

fn cell(field: Field) -> Cell {
    let at = [MARGIN + field.file() as f64 + 0.5, MARGIN + (SIZE - 1 - field.rank()) as f64 + 0.5];
    let kind = if field.borderland().is_multiple_of(2) { "light" } else { "dark" };
    Cell::new(field.to_string(), at, "field").of_kind(kind)
}

fn region(borderland: usize) -> Region {
    let cells: Vec<Field> = Field::all().filter(|field| field.borderland() == borderland).collect();
    let name = cells.first().map_or(String::new(), |first| {
        let last = cells.last().unwrap_or(first);
        format!("{first}-{last}")
    });
    Region {
        label: format!("borderland {name}"),
        id: name,
        cells: cells.iter().map(ToString::to_string).collect(),
    }
}

/// Degrees clockwise from north.
fn degrees(facing: Direction) -> f64 {
    45.0 * facing.index() as f64
}

fn panel(board: &Board, seat: Seat, goal: Option<usize>, power: bool) -> Panel {
    let (markers, chevrons) = (board.markers(seat) as i64, board.chevrons(seat));
    let mut items = vec![
        match goal {
            Some(goal) => Item::of("markers", markers, goal as i64),
            None => Item::new("markers", markers.to_string()),
        },
        Item::of("chevrons", chevrons.len() as i64, chevrons_each(board.seats()) as i64),
    ];
    if power && !chevrons.is_empty() {
        let powers = chevrons.iter().map(|field| format!("{field}: {}", board.power(seat, *field)));
        items.push(Item::new("power", powers.collect::<Vec<_>>().join(", ")));
    }
    Panel { seat: seat.to_string(), items }
}

/// A chevron goes to a field, perhaps its own, and faces a direction there.
pub(crate) fn moved(from: Field, to: Field, seat: usize, facing: Direction) -> Show {
    Show::Move {
        r#move: [from.to_string(), to.to_string()],
        symbol: "C".into(),
        seat: seat as u8 + 1,
        turn: Some(degrees(facing)),
        count: None,
    }
}
