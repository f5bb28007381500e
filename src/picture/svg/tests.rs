use super::*;
use crate::picture::{
    Card, Cell, Dice, Item, Kind, Label, Last, Mark, Panel, Piece, Symbol, TableSeat,
};

#[test]
fn what_an_engine_says_never_becomes_markup() {
    let evil = "</text><script>alert('x')</script>\"& ]]> \u{0}\u{1b}\u{7f}\u{fffe}<!-- <![CDATA[";
    let mut table = Table::new(evil, [2.0, 1.0]);
    table.square("sq");
    table.cells.push(Cell::new(evil, [0.5, 0.5], "sq").of_kind("k"));
    table.kinds.insert("k".into(), Kind::filled(evil, evil));
    table.labels.push(Label { at: [0.0, 0.0], text: evil.into() });
    table.symbols.insert("A".into(), Symbol::path(evil, "M0 0'/><script>", false));
    let mut board = Board::new(evil);
    let piece = Piece { label: Some(evil.into()), ..Piece::new(evil, "A", 1) };
    board.pieces = vec![piece, Piece::new(evil, evil, 9)];
    board.marks = vec![Mark::new(evil, evil), Mark::new(evil, "k")];
    board.cards = vec![Card { title: evil.into(), lines: vec![evil.into()], ..Card::default() }];
    let item = Item { of: Some(3), ..Item::new(evil, evil) };
    let number = Item::of(evil, 2, 3);
    board.panel = vec![Panel { seat: evil.into(), items: vec![item, number] }];
    board.dice = Some(Dice { of: evil.into(), values: vec![1, i64::MIN], left: vec![1] });
    board.last = Some(Last::new(vec![evil.into()]));
    board.note = Some(evil.into());
    board.text = Some(evil.into());
    table.seats = vec![TableSeat::new(1, evil, f64::NAN).filled(evil)];
    table.shapes.insert(evil.into(), vec![[f64::NAN, f64::INFINITY]]);
    let best = vec![Show::moved(evil, evil, evil, 1), Show::mark(evil, evil, 1)];
    let options = Options { best, best_path: vec![evil.into()], seat: 1, ..Options::default() };
    let svg = draw(&table, &board, &options);
    for markup in ["<script", "]]>", "<!", "NaN", "inf", "\u{fffe}"] {
        assert!(!svg.contains(markup), "{markup} in {svg}");
    }
    assert!(svg.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(svg.contains("&lt;script&gt;alert(&#39;x&#39;)"));
    // Every element that is opened is closed: the drawing is well-formed.
    let opened = svg.matches('<').count();
    assert_eq!(opened, svg.matches('>').count());
}

#[test]
fn a_region_is_outlined_where_it_ends() {
    let mut table = Table::new("", [2.0, 1.0]);
    table.square("sq");
    for (id, x) in [("a", 0.5), ("b", 1.5)] {
        table.cells.push(Cell::new(id, [x, 0.5], "sq"));
    }
    let cells = vec!["a".to_owned(), "b".to_owned()];
    table.regions.push(crate::picture::Region { id: "r".into(), label: "r".into(), cells });
    let svg = draw(&table, &Board::new("p1"), &Options::default());
    // Two squares side by side have eight edges, of which the shared one is drawn by neither; the
    // board and the region are outlined.
    let outlines: Vec<&str> = svg.lines().filter(|line| line.starts_with("<path d=")).collect();
    assert_eq!(outlines.len(), 2);
    assert!(outlines.iter().all(|line| line.matches('L').count() == 6), "{outlines:?}");
}
