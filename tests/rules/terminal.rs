//! Positions drawn for a terminal: they fit, and every piece stands where its coordinates say.

use parlor::game::{Picture, Random, Rules, Seat};
use parlor::games::{
    GameVisitor, NAMES, Playable, barbarossa, barca, chowka_bhara, pacru, porrika, with_game,
};
use parlor::picture::terminal::{Options, draw, named, shares_symbols};
use parlor::picture::{Board, Table};

fn lines(table: &Table, board: &Board, options: &Options) -> Vec<String> {
    draw(table, board, options).iter().map(|line| line.plain()).collect()
}

/// Draws positions of random games as every seat sees them.
fn walk<G: Picture>(games: u64, plies: usize, mut check: impl FnMut(&Table, &Board, &Options)) {
    for game in 0..games {
        let mut random = Random::new(game);
        let rules = G::default_rules();
        let mut position = G::start(&rules, None).unwrap();
        for _ in 0..plies {
            let seat = random.below(position.seats() as u64) as usize;
            let shown = if G::SECRETS { position.view(Seat::new(seat)) } else { position.clone() };
            let (table, board) = (shown.table(), shown.board());
            let options = Options {
                unicode: random.below(2) == 0,
                legend: random.below(2) == 0,
                seat: seat + 1,
                you: vec![seat + 1],
                lowercase: shares_symbols(&table, &board),
                ..Options::default()
            };
            check(&table, &board, &options);
            let m = match position.turn().is_chance() {
                true => position.throw(random.next()),
                false => position.random_move(&mut random),
            };
            let Some(m) = m else { break };
            position.play(&m);
        }
    }
}

fn fits(table: &Table, board: &Board, options: &Options) {
    let lines = lines(table, board, options);
    let text = lines.join("\n");
    assert!(lines.len() <= 22, "{} lines:\n{text}", lines.len());
    for line in &lines {
        assert!(line.chars().count() <= 80, "{} characters: {line}", line.chars().count());
        assert!(options.unicode || line.is_ascii(), "not ASCII: {line}");
    }
}

struct Fits;

impl GameVisitor for Fits {
    type Output = ();

    fn visit<G: Playable>(self) {
        // Barbarossa's games are long, and its cards grow until the end.
        walk::<G>(4, if G::SECRETS { 300 } else { 120 }, fits);
    }
}

#[test]
fn boards_of_default_size_fit_a_terminal_of_80_by_24() {
    for name in NAMES {
        with_game(name, Fits).unwrap();
    }
}

/// The character at the crossing of a row's and a column's coordinates.
fn at(lines: &[String], cell: &str) -> char {
    let (file, rank) = cell.split_at(1);
    let labels = lines.iter().rfind(|line| {
        line.split_whitespace().take(3).eq(["a", "b", "c"]) || line.trim_start().starts_with("j")
    });
    let column = labels.unwrap().chars().position(|c| file.starts_with(c)).unwrap();
    let row = lines.iter().find(|line| line.split_whitespace().next() == Some(rank)).unwrap();
    row.chars().nth(column).unwrap_or(' ')
}

#[test]
fn every_piece_stands_where_its_coordinates_say() {
    walk::<barca::Position>(3, 60, |table, board, options| {
        let options = Options { seat: 0, ..options.clone() };
        let lines = lines(table, board, &options);
        for cell in &table.cells {
            let piece = board.pieces.iter().find(|piece| piece.cell == cell.id);
            let expected = match piece {
                Some(piece) if piece.seat == 1 => piece.symbol.clone(),
                Some(piece) => piece.symbol.to_lowercase(),
                None => ".\u{b7} ".into(),
            };
            let found = at(&lines, &cell.id);
            assert!(expected.contains(found), "{}: '{found}' in\n{}", cell.id, lines.join("\n"));
        }
    });
    walk::<pacru::Position>(3, 60, |table, board, options| {
        let lines = lines(table, board, &Options { unicode: true, ..options.clone() });
        for piece in &board.pieces {
            // The chevron is two characters wide, with its marker three: the middle is the arrow or
            // the letter before it.
            let place = at(&lines, &piece.cell);
            let arrows = "\u{2191}\u{2197}\u{2192}\u{2198}\u{2193}\u{2199}\u{2190}\u{2196}";
            let eighth = (piece.turn.unwrap() / 45.0) as usize;
            let arrow = arrows.chars().nth(eighth).unwrap();
            assert_eq!(place, arrow, "{}:\n{}", piece.cell, lines.join("\n"));
        }
    });
}

#[test]
fn every_piece_stands_on_the_board_of_triangles() {
    walk::<porrika::Position>(3, 60, |table, board, options| {
        // So high that a unit has four lines and ten characters: four columns, and what is left of them.
        let options = Options { height: usize::MAX, legend: false, ..options.clone() };
        let lines = lines(table, board, &options);
        let drawn: String = lines.iter().flat_map(|line| line.chars().take(44)).collect();
        for symbol in table.symbols.keys() {
            let standing = board.pieces.iter().filter(|piece| piece.symbol == *symbol).count();
            assert_eq!(drawn.matches(symbol).count(), standing, "{symbol}:\n{}", lines.join("\n"));
        }
    });
}

#[test]
fn a_board_is_turned_for_the_seat_that_looks_at_it() {
    let position = barca::Position::default();
    let (table, board) = (position.table(), position.board());
    let options = Options { seat: 2, unicode: false, lowercase: true, ..Options::default() };
    let lines = lines(&table, &board, &options);
    assert!(lines[0].trim_start().starts_with("1 "), "{}", lines.join("\n"));
    assert!(lines[9].trim_start().starts_with("10"), "{}", lines.join("\n"));
    assert_eq!(at(&lines, "e10"), 'e');
}

/// The two lines of a ring run round: from each space to the next it is at most one place, and so it
/// is from the last one back to the first.
#[test]
fn a_ring_closes_where_it_is_drawn() {
    for spaces in [6, 7, 12, 25, 40] {
        let mut rules = barbarossa::Position::default_rules();
        rules.set("Ring", &"D".repeat(spaces)).unwrap();
        let position = barbarossa::Position::start(&rules, None).unwrap();
        let options = Options { unicode: false, ..Options::default() };
        // The last space of a line may have no room for more than its number.
        let text = lines(&position.table(), &position.board(), &options).join(" \n");
        let place = |space: usize| {
            let found = text.lines().map(|line| line.find(&format!("{space:>2} "))).enumerate();
            let mut found = found.filter_map(|(row, column)| Some((row, column?)));
            found.next().unwrap_or_else(|| panic!("no {space} in\n{text}"))
        };
        let width = place(1).1 - place(0).1;
        for space in 0..spaces {
            let next = (space + 1) % spaces;
            let ((row, column), (below, beside)) = (place(space), place(next));
            let is_near = column.abs_diff(beside) <= width && row.abs_diff(below) <= 2;
            assert!(is_near, "{space} and {next} are far apart in\n{text}");
        }
    }
}

#[test]
fn a_drawing_without_bounds_tells_all_that_is_known_of_each_card() {
    let mut known = 0;
    walk::<barbarossa::Position>(2, 400, |table, board, options| {
        let options = Options { width: 50, height: usize::MAX, ..options.clone() };
        let text = lines(table, board, &options).join(" ");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in board.cards.iter().flat_map(|card| &card.lines) {
            let line = named(table, line);
            let told = line.split(": ").last().unwrap();
            // A verb is said once: `is flat, long`.
            let (_, rest) = told.split_once(' ').unwrap_or(("", told));
            let is_told = text.contains(told) || text.contains(&format!(", {rest}"));
            assert!(is_told, "{told} is missing in {text}");
            known += 1;
        }
    });
    assert!(known > 1_000, "{known}");
}

#[test]
fn larger_boards_keep_to_the_width() {
    for rules in parlor::game::rule_sets::<chowka_bhara::Position>() {
        let Ok(position) = chowka_bhara::Position::start(&rules, None) else { continue };
        for line in lines(&position.table(), &position.board(), &Options::default()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn strange_tables_are_drawn_or_left_out() {
    use parlor::picture::{Cell, Label, Piece};
    for far in [0.0, 3.0, -7.5, 1e6, -1e18, f64::MAX, f64::INFINITY, f64::NAN] {
        for shape in [vec![[far, far], [far + 1.0, far], [far, 1.0]], vec![[0.0, far]], Vec::new()]
        {
            let mut table = Table::new("Strange \u{1b}[31m", [far, far]);
            table.square("square");
            table.shapes.insert("shape".into(), shape);
            table.cells.push(Cell::new("a", [0.5, 0.5], "shape"));
            table.cells.push(Cell::new("b", [far, 0.5], "square"));
            table.labels.push(Label { at: [far, 0.5], text: "l".into() });
            let piece = Piece { count: Some(u32::MAX), ..Piece::new("a", "\u{1b}", 200) };
            let board = Board { pieces: vec![piece], ..Board::new("p9 \u{1b}") };
            for line in lines(&table, &board, &Options::default()) {
                assert!(line.chars().count() <= 80 && !line.contains('\u{1b}'), "{line}");
            }
        }
    }
}
