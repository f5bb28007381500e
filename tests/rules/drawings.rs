//! Drawings say neither more nor less than the table and the board that they are made from: SVG and
//! text for a terminal, read again.

use std::collections::BTreeMap;

use parlor::game::{Random, Seat, rule_sets};
use parlor::games::{GameVisitor, NAMES, Playable, chowka_bhara, porrika, with_game};
use parlor::picture::terminal::{self, StyledLine, shares_symbols};
use parlor::picture::{
    Board, Card, Cell, Dice, Item, Label, Last, Mark, Options, Panel, Piece, Region, Show, Symbol,
    Table, TableSeat, Theme, draw,
};

/// By how much the board is turned for a seat, from 1.
fn degrees(table: &Table, seat: usize) -> f64 {
    seat.checked_sub(1).and_then(|index| table.seats[index].turn).unwrap_or(0.0)
}

/// A point of a table as a seat sees it.
fn turned(table: &Table, [x, y]: [f64; 2], seat: usize) -> [f64; 2] {
    let [width, height] = table.size;
    match degrees(table, seat) as i32 {
        90 => [height - y, x],
        180 => [width - x, height - y],
        270 => [y, width - x],
        _ => [x, y],
    }
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let (_, rest) =
        element.split_once(&format!(" {name}='")).unwrap_or_else(|| panic!("{element}"));
    rest.split('\'').next().unwrap()
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().unwrap()
}

fn near(one: [f64; 2], other: [f64; 2]) -> bool {
    (one[0] - other[0]).abs() < 0.0021 && (one[1] - other[1]).abs() < 0.0021
}

/// The corners of a polygon.
fn points(element: &str) -> Vec<[f64; 2]> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',').unwrap();
        [x.parse().unwrap(), y.parse().unwrap()]
    };
    attribute(element, "points").split(' ').map(point).collect()
}

fn seat_color(table: &Table, seat: u8) -> &'static str {
    let named = &table.seats[usize::from(seat) - 1];
    Theme::Light.color(named.fill.as_deref().unwrap_or(&seat.to_string()))
}

/// The middle of the corners of a cell as it is drawn.
fn outline(table: &Table, cell: &Cell, factor: f64, seat: usize) -> Vec<[f64; 2]> {
    let corner = |[dx, dy]: &[f64; 2]| {
        turned(table, [cell.at[0] + factor * dx, cell.at[1] + factor * dy], seat)
    };
    table.shapes[&cell.shape].iter().map(corner).collect()
}

fn is_outline(element: &str, corners: &[[f64; 2]]) -> bool {
    let drawn = points(element);
    drawn.len() == corners.len() && drawn.iter().zip(corners).all(|(one, other)| near(*one, *other))
}

/// Every cell as a polygon of its shape, place and colour, with its name.
fn check_cells(table: &Table, svg: &str, seat: usize) {
    let cells: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<polygon") && line.contains("<title>"))
        .collect();
    assert_eq!(cells.len(), table.cells.len());
    for (element, cell) in cells.iter().zip(&table.cells) {
        assert!(is_outline(element, &outline(table, cell, 1.0, seat)), "{cell:?}: {element}");
        let kind = cell.kind.as_ref().map(|kind| &table.kinds[kind]);
        let fill = kind.and_then(|kind| kind.fill.as_deref()).unwrap_or("light");
        assert_eq!(attribute(element, "fill"), Theme::Light.color(fill), "{cell:?}");
        let name = cell.label.as_ref().unwrap_or(&cell.id).replace('\'', "&#39;");
        assert!(element.contains(&format!("<title>{name}")), "{element}");
    }
}

/// Every piece once, on its cell, in its colour, turned and counted as the board says.
fn check_pieces(table: &Table, board: &Board, svg: &str, seat: usize) {
    let groups: Vec<&str> =
        svg.split("<g><title>").skip(1).map(|rest| rest.split("</g>").next().unwrap()).collect();
    assert_eq!(groups.len(), board.pieces.len());
    let mut drawn = groups.clone();
    for piece in &board.pieces {
        let symbol = &table.symbols[&piece.symbol];
        let label = piece.label.as_ref().map_or(String::new(), |label| format!(", {label}"));
        let title =
            format!("{} on {}{label}</title>", symbol.label, piece.cell).replace('\'', "&#39;");
        let alone = board.pieces.iter().filter(|other| other.cell == piece.cell).count() == 1;
        let at = turned(table, table.cell(&piece.cell).unwrap().at, seat);
        // Where several of one kind stand together, the colour tells whose a drawing is.
        let is_own = |group: &&str| {
            let disc = group.lines().nth(2).filter(|line| line.starts_with("<circle"));
            let own = match piece.seat {
                0 => true,
                number => {
                    disc.is_some_and(|disc| attribute(disc, "fill") == seat_color(table, number))
                }
            };
            group.starts_with(&title) && own
        };
        let index = drawn.iter().position(is_own);
        let group = drawn.swap_remove(index.unwrap_or_else(|| panic!("{piece:?} in {groups:#?}")));
        if piece.seat > 0 {
            let disc = group.lines().nth(2).unwrap();
            let place = [number(disc, "cx"), number(disc, "cy")];
            let within = (place[0] - at[0]).abs().max((place[1] - at[1]).abs()) < table.piece;
            assert!(if alone { near(place, at) } else { within }, "{piece:?} at {place:?}");
        }
        if let Some(turn) = piece.turn.filter(|_| symbol.turns) {
            let turn = (turn + degrees(table, seat)) % 360.0;
            assert!(group.contains(&format!(" rotate({turn}) ")), "{group}");
        }
        // A chip of the colour of the last move counts, where there is more than one.
        // A disc is three circles.
        let circles = group.lines().filter(|line| line.starts_with("<circle"));
        let mut chips = circles.skip(if piece.seat > 0 { 3 } else { 0 });
        let counted = chips.any(|chip| attribute(chip, "fill") == Theme::Light.color("last"));
        assert_eq!(counted, piece.count.is_some(), "{piece:?}: {group}");
        if let Some(count) = piece.count {
            assert!(group.contains(&format!(">{count}</text>")), "{piece:?}: {group}");
        }
        let icon = symbol.icon.as_ref().filter(|_| alone || table.seats.len() <= 2);
        if let Some(icon) = icon {
            assert!(group.contains(&format!("'#icon-{icon}'")), "{group}");
            assert_eq!(svg.matches(&format!("<path id='icon-{icon}' ")).count(), 1);
        }
    }
}

/// Tiles of seats in their colours; nothing else is as large.
fn check_marks(table: &Table, board: &Board, svg: &str, seat: usize) {
    let owned: Vec<&Mark> = board.marks.iter().filter(|mark| mark.seat > 0).collect();
    let tiles: Vec<&str> = svg
        .lines()
        .filter(|line| line.starts_with("<polygon") && line.contains("stroke-width='0.03'"))
        .collect();
    assert_eq!(tiles.len(), owned.len());
    for (element, mark) in tiles.iter().zip(owned) {
        let cell = table.cell(&mark.cell).unwrap();
        assert!(is_outline(element, &outline(table, cell, 0.86, seat)), "{mark:?}: {element}");
        assert_eq!(attribute(element, "fill"), seat_color(table, mark.seat), "{mark:?}");
    }
    // Marks of nobody are signs in the colour of a warning, at least one each.
    let free = board.marks.iter().filter(|mark| mark.seat == 0);
    let places: BTreeMap<String, usize> = free.fold(BTreeMap::new(), |mut places, mark| {
        let [x, y] = turned(table, table.cell(&mark.cell).unwrap().at, seat).map(rounded);
        *places.entry(format!("translate({x} {y})")).or_default() += 1;
        places
    });
    let alert = format!("stroke='{}'", Theme::Light.color("alert"));
    let rings = svg.lines().filter(|line| line.contains(&alert) && line.starts_with("<path"));
    let rings: Vec<&str> = rings.collect();
    let missed = rings.iter().find(|line| !places.keys().any(|place| line.contains(place)));
    assert_eq!(missed, None);
    assert!(places.keys().all(|place| rings.iter().any(|line| line.contains(place))), "{places:?}");
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Whose turn it is, the throw, and the numbers of the seats.
fn check_beside(table: &Table, board: &Board, svg: &str) {
    let mover = board.turn.split(' ').next_back().unwrap();
    for panel in &board.panel {
        let named = table.seats.iter().find(|seat| seat.seat == panel.seat).unwrap();
        let weight = if panel.seat == mover { "bold" } else { "normal" };
        let name = named.name.replace('\'', "&#39;");
        let row = svg.lines().position(|line| {
            line.contains("font-weight='") && line.ends_with(&format!(">{name}</text>"))
        });
        let row = svg.lines().skip(row.unwrap()).collect::<Vec<_>>();
        assert!(row[0].contains(&format!("font-weight='{weight}'")), "{}: {}", board.turn, row[0]);
        let mut after = row.iter().skip(1);
        for item in &panel.items {
            let name = item.name.replace('\'', "&#39;");
            let line = after.next().unwrap();
            let dots = item.value.as_i64().zip(item.of.filter(|of| (1..=6).contains(of)));
            let Some((value, of)) = dots.filter(|(value, of)| value <= of) else {
                let value = item.value.as_str().map_or(item.value.to_string(), str::to_owned);
                let value = item.of.map_or(value.clone(), |of| format!("{value}/{of}"));
                assert!(line.ends_with(&format!(">{name}</tspan> {value}</text>")), "{line}");
                continue;
            };
            assert!(line.ends_with(&format!(">{name}</text>")), "{line}");
            let discs: Vec<&str> = after.by_ref().take(of as usize).copied().collect();
            let full = discs.iter().filter(|disc| attribute(disc, "fill") != "none").count();
            assert_eq!(full, value as usize, "{item:?}");
        }
    }
    let dice: Vec<&str> =
        svg.lines().skip_while(|line| !line.ends_with(">Thrown:</text>")).skip(1).collect();
    assert_eq!(!dice.is_empty(), board.dice.is_some());
    for (index, value) in board.dice.iter().flat_map(|dice| dice.values.iter().enumerate()) {
        assert!(dice[2 * index].starts_with("<rect"));
        assert!(dice[2 * index + 1].ends_with(&format!(">{value}</text>")));
    }
}

/// Positions of random games under every rule set, seen by each seat in turn.
struct Walk(fn(&Table, &Board, usize));

impl GameVisitor for Walk {
    type Output = ();

    fn visit<G: Playable>(self) {
        let sets = rule_sets::<G>();
        for (index, rules) in sets.iter().enumerate() {
            let mut random = Random::new(index as u64);
            let Ok(mut position) = G::start(rules, None) else { continue };
            for ply in 0..if G::SECRETS { 120 } else { 40 } {
                if ply % 4 == 3 {
                    let seat = (ply / 4) % position.seats();
                    let shown = match G::SECRETS {
                        true => position.view(Seat::new(seat)),
                        false => position.clone(),
                    };
                    self.0(&shown.table(), &shown.board(), seat + 1);
                }
                let m = match position.turn().is_chance() {
                    true => position.throw(random.next()),
                    false => position.random_move(&mut random),
                };
                let Some(m) = m else { break };
                position.play(&m);
            }
        }
    }
}

#[test]
fn an_svg_holds_exactly_what_stands_on_the_board() {
    for name in NAMES {
        let check = |table: &Table, board: &Board, seat: usize| {
            let svg = draw(table, board, &Options { seat, ..Options::default() });
            check_cells(table, &svg, seat);
            check_pieces(table, board, &svg, seat);
            check_marks(table, board, &svg, seat);
            check_beside(table, board, &svg);
        };
        with_game(name, Walk(check)).unwrap();
    }
}

/// Two seats, three cells in a row; the second seat sits at the left.
fn small() -> (Table, Board) {
    let mut table = Table::new("Small", [4.0, 2.0]);
    table.square("sq");
    for (id, x) in [("a", 1.0), ("b", 2.0), ("c", 3.0)] {
        table.cells.push(Cell::new(id, [x, 0.75], "sq"));
    }
    table.labels.push(Label { at: [0.25, 0.75], text: "1".into() });
    table.seats = vec![TableSeat::new(1, "One", 0.0), TableSeat::new(2, "Two", 270.0)];
    table.symbols.insert("A".into(), Symbol::path("arrow", "M0 -1L1 1L-1 1Z", true));
    let turning = Piece { turn: Some(45.0), ..Piece::new("a", "A", 1) };
    (table, Board { pieces: vec![turning], ..Board::new("p1") })
}

#[test]
fn what_faces_somewhere_is_turned_with_the_board() {
    let (mut table, board) = small();
    // 45 degrees and a quarter more or less; the board stands on its side.
    for (degrees, expected, at) in [
        (0.0, "45", [1.0, 0.75]),
        (90.0, "135", [1.25, 1.0]),
        (180.0, "225", [3.0, 1.25]),
        (270.0, "315", [0.75, 3.0]),
        (-90.0, "315", [0.75, 3.0]),
    ] {
        table.seats[1] = TableSeat::new(2, "Two", degrees);
        let svg = draw(&table, &board, &Options { seat: 2, ..Options::default() });
        let [x, y] = at;
        let place = format!("translate({x} {y}) rotate({expected}) ");
        assert!(svg.contains(&place), "{degrees}: {place} in {svg}");
        let arrows = ["\u{2197}", "\u{2198}", "\u{2199}", "\u{2196}"];
        let quarter = (degrees / 90.0_f64).rem_euclid(4.0) as usize;
        let options = terminal::Options { seat: 2, ..terminal::Options::default() };
        let text: String = terminal::draw(&table, &board, &options)
            .iter()
            .map(|line| line.plain() + "\n")
            .collect();
        assert!(text.contains(arrows[quarter]), "{degrees}: {text}");
        // Letters of the compass are those of the board, however it lies.
        let ascii = terminal::Options { unicode: false, ..options };
        let text: String =
            terminal::draw(&table, &board, &ascii).iter().map(|line| line.plain() + "\n").collect();
        assert!(text.contains("NE") && text.is_ascii(), "{degrees}: {text}");
    }
}

/// Where a card has no room for all that is known of it, what was said last stays.
#[test]
fn a_card_at_a_terminal_shows_what_is_known_last() {
    let lines = (1..=40).map(|number| format!("question {number}? no")).collect();
    let badges = vec!["arrow p2".into()];
    let card = Card { id: "c".into(), seat: "p1".into(), lines, badges, ..Card::default() };
    let table = Table::new("Cards", [0.0, 0.0]);
    let board = Board { cards: vec![card], ..Board::new("p1") };
    let options = terminal::Options { height: 4, ..terminal::Options::default() };
    let drawn: String =
        terminal::draw(&table, &board, &options).iter().map(|line| line.plain() + "\n").collect();
    assert!(drawn.contains("question 40? no") && drawn.contains("arrow p2"), "{drawn}");
    assert!(!drawn.contains("question 1? no") && drawn.lines().count() <= 4, "{drawn}");
}

/// Two of the three cells are a region, whose edge is told from a line between squares.
#[test]
fn regions_and_seats_are_told_apart_at_a_terminal() {
    let (mut table, board) = small();
    let cells = ["a", "b"].map(str::to_owned).into();
    table.regions.push(Region { id: "r".into(), label: "region".into(), cells });
    table.seats[0] = TableSeat::new(1, "One", 0.0).filled("copper");
    let options = terminal::Options { unicode: false, ..terminal::Options::default() };
    let lines = terminal::draw(&table, &board, &options);
    let drawn = |line: &StyledLine| -> String {
        line.plain().chars().filter(|c| "+|!".contains(*c)).collect()
    };
    assert_eq!((&drawn(&lines[0])[..], &drawn(&lines[1])[..]), ("++++", "||!|"));
    // The nearest of 256 colours to #b0602a, copper on a dark ground: 3, 1 and 0 in the cube.
    let ground = 16 + 36 * 3 + 6;
    assert!(lines.iter().any(|line| line.styled().contains(&format!("48;5;{ground}m"))));
}

#[test]
fn an_arrow_ends_where_the_piece_goes() {
    let (table, board) = small();
    let best = vec![Show::moved("a", "c", "A", 1)];
    let svg = draw(&table, &board, &Options { best, ..Options::default() });
    let arrow = svg.lines().find(|line| line.contains("fill-opacity='0.85'")).unwrap();
    let corners = points(arrow);
    // The tip is the middle of c, the tail lies beside a on the way to it, as wide on both sides.
    assert!(near(corners[3], [3.0, 0.75]), "{corners:?}");
    assert!(corners[0][0] > 1.0 && corners[0][0] < 1.5 && corners[6][0] == corners[0][0]);
    assert!((corners[0][1] + corners[6][1] - 1.5).abs() < 0.002);
    // What changes in place is framed, and with no changes the choices themselves.
    let frames = |options: Options| {
        let svg = draw(&table, &board, &options);
        let best = format!("fill-opacity='0.15' stroke='{}'", Theme::Light.color("best"));
        svg.lines().filter(|line| line.contains(&best)).map(points).collect::<Vec<_>>()
    };
    let around = |x: f64| {
        vec![[x - 0.475, 0.275], [x + 0.475, 0.275], [x + 0.475, 1.225], [x - 0.475, 1.225]]
    };
    let marked =
        vec![Show::mark("b", "m", 1), Show::removed("c", "A", 2), Show::moved("a", "a", "A", 1)];
    let path = vec!["a".to_owned()];
    let best = Options { best: marked, best_path: path.clone(), ..Options::default() };
    assert_eq!(frames(best), [around(2.0), around(3.0), around(1.0)]);
    assert_eq!(frames(Options { best_path: path, ..Options::default() }), [around(1.0)]);
}

#[test]
fn values_that_are_played_are_faint_each_as_often_as_it_was_thrown() {
    let (table, mut board) = small();
    for (left, full) in [
        (vec![4, 4, 1], [true, true, true]),
        (vec![4, 1], [true, false, true]),
        (vec![1], [false, false, true]),
        (vec![4, 4], [true, true, false]),
        (vec![], [false, false, false]),
    ] {
        board.dice = Some(Dice { of: "die".into(), values: vec![4, 4, 1], left: left.clone() });
        let svg = draw(&table, &board, &Options::default());
        let lines: Vec<&str> =
            svg.lines().skip_while(|line| !line.ends_with(">Thrown:</text>")).skip(1).collect();
        let drawn = [0, 2, 4].map(|at| attribute(lines[at], "fill") == Theme::Light.color("last"));
        assert_eq!(drawn, full, "{left:?}");
        let text: String = terminal::draw(&table, &board, &terminal::Options::default())
            .iter()
            .map(|line| line.plain() + "\n")
            .collect();
        let list: Vec<String> = left.iter().map(ToString::to_string).collect();
        let rest =
            if left.len() == 3 { String::new() } else { format!(" (left: {})", list.join(" ")) };
        assert!(text.contains(&format!("Thrown: 4 4 1{rest}\n")), "{text}");
    }
}

#[test]
fn numbers_marks_and_turns_are_told_in_words() {
    let (mut table, mut board) = small();
    let text = |table: &Table, board: &Board, options: &terminal::Options| -> String {
        terminal::draw(table, board, options).iter().map(|line| line.plain() + "\n").collect()
    };
    let options = terminal::Options { you: vec![2], ..terminal::Options::default() };
    table.kinds.insert("late".into(), parlor::picture::Kind::marked("too late", "ring"));
    board.marks = vec![Mark::new("b", "late"), Mark { seat: 2, ..Mark::new("c", "late") }];
    let items = vec![Item::of("home", 2, 7), Item::new("gate", "shut")];
    board.panel = vec![Panel { seat: "p2".into(), items }];
    board.last = Some(Last::new(vec!["a".into(), "c".into()]));
    board.note = Some("p2 waits for p1.".into());
    let drawn = text(&table, &board, &options);
    for line in ["home 2 of 7, gate shut", "too late: b\n", "Last move: a c", "Two waits for One."]
    {
        assert!(drawn.contains(line), "'{line}' in {drawn}");
    }
    assert!(drawn.contains("Two (you)") && !drawn.contains("One (you)"), "{drawn}");
    // Brackets around the first and the third cell alone; the mark of nobody and that of a seat.
    let row = drawn.lines().find(|line| line.contains('[')).unwrap();
    let cells = row.split("home").next().unwrap().chars().filter(|c| "[]!tO".contains(*c));
    assert_eq!(cells.collect::<String>(), "[O]![t]", "{row}");
    for (turn, sentence) in [
        ("p2", "Two (you) to move."),
        ("p1", "One to move."),
        ("chance p1", "One throws."),
        ("chance", "Chance decides."),
        ("none", "The game is over."),
    ] {
        board.turn = turn.into();
        assert!(text(&table, &board, &options).contains(sentence), "{turn}");
        let svg = draw(&table, &board, &Options::default());
        assert!(svg.contains(&format!(">{}</text>", sentence.replace(" (you)", ""))), "{turn}");
    }
}

#[test]
fn seats_and_roles_have_colours_of_their_own() {
    for theme in [Theme::Light, Theme::Dark] {
        let seats: Vec<&str> = (1..=6).map(|seat| theme.color(&seat.to_string())).collect();
        let roles =
            ["light", "dark", "water", "goal", "safe", "blocked", "track", "copper", "silver"];
        let roles = roles.map(|role| theme.color(role));
        let signs = ["ground", "text", "faint", "line", "last", "best", "alert"]
            .map(|role| theme.color(role));
        for colors in [&seats[..], &roles, &signs] {
            for (index, color) in colors.iter().enumerate() {
                assert!(color.len() == 7 && !colors[..index].contains(color), "{color}");
            }
        }
        assert_eq!(theme.color("no such role"), theme.color("light"));
    }
}

/// The pieces of a board as a terminal shows them, in the order in which they are read.
fn reading(table: &Table, board: &Board, seat: usize) -> Vec<Piece> {
    let mut pieces: Vec<(i64, i64, Piece)> = board
        .pieces
        .iter()
        .map(|piece| {
            let [x, y] = turned(table, table.cell(&piece.cell).unwrap().at, seat);
            ((y * 10.0).round() as i64, (x * 10.0).round() as i64, piece.clone())
        })
        .collect();
    pieces.sort_by_key(|(y, x, _)| (*y, *x));
    pieces.into_iter().map(|(.., piece)| piece).collect()
}

/// What stands left of whose turn it is.
fn left(table: &Table, board: &Board, seat: usize) -> Vec<String> {
    let options = terminal::Options {
        seat,
        width: 200,
        lowercase: shares_symbols(table, board),
        ..terminal::Options::default()
    };
    let lines: Vec<String> =
        terminal::draw(table, board, &options).iter().map(|line| line.plain()).collect();
    let beside =
        lines[0].find(|c: char| c.is_ascii_uppercase()).map(|at| lines[0][..at].chars().count());
    lines.iter().map(|line| line.chars().take(beside.unwrap()).collect()).collect()
}

#[test]
fn a_terminal_shows_the_pieces_of_triangles_and_of_crowded_squares() {
    let check = |table: &Table, board: &Board, seat: usize| {
        let shown: String = left(table, board, seat).concat();
        let shown: String = shown.chars().filter(|c| "EGS".contains(*c)).collect();
        let symbols: String =
            reading(table, board, seat).iter().map(|piece| piece.symbol.as_str()).collect();
        assert_eq!(shown, symbols);
    };
    with_game(<porrika::Position as Playable>::NAME, Walk(check)).unwrap();
    let check = |table: &Table, board: &Board, seat: usize| {
        let shown: String = left(table, board, seat).join("\n");
        let is_pawn = |c: char| "SENW".contains(c);
        let mut found = Vec::new();
        let mut letters = shown.chars().peekable();
        while let Some(letter) = letters.next() {
            let digit =
                letters.peek().and_then(|next| next.to_digit(10)).filter(|_| is_pawn(letter));
            if is_pawn(letter) {
                found.push((letter, digit));
            }
        }
        let expected: Vec<_> = reading(table, board, seat)
            .iter()
            .map(|piece| {
                let name = &table.seats[usize::from(piece.seat) - 1].name;
                // Ten pawns have two digits, of which the first is read.
                (name.chars().next().unwrap(), piece.count.map(|n| if n > 9 { 1 } else { n }))
            })
            .collect();
        assert_eq!(found, expected, "{shown}");
    };
    with_game(<chowka_bhara::Position as Playable>::NAME, Walk(check)).unwrap();
}
