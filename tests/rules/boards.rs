//! Boards of random games against boards made again from the text of the position alone: pieces,
//! marks, panels, throws, the places of cells, what is written of them as JSON.

use std::collections::{BTreeMap, BTreeSet};

use parlor::game::{OptionValues, Picture, Random, Seat, rule_sets};
use parlor::games::{GameVisitor, NAMES, Playable, with_game};
use parlor::picture::{Board, Table, to_line};

use crate::chowka_bhara::reference::{Cell, path};

/// What a board says, in the order of the names: cell, symbol, seat, degrees, number of a piece;
/// cell, kind, seat of a mark; seat, name, value, greatest value of an item; values thrown.
#[derive(Default, PartialEq, Debug)]
struct Facts {
    pieces: BTreeSet<(String, String, u8, Option<i32>, u32)>,
    marks: BTreeSet<(String, String, u8)>,
    panel: Vec<(String, String, String, Option<i64>)>,
    dice: Option<Vec<i64>>,
}

impl Facts {
    fn of(board: &Board) -> Self {
        let mut facts = Facts::default();
        for piece in &board.pieces {
            // A count is there where it is not one, and no piece is there twice.
            assert!(piece.count.is_none_or(|count| count >= 2), "{piece:?}");
            let turn = piece.turn.map(|turn| turn as i32);
            let count = piece.count.unwrap_or(1);
            let (cell, symbol) = (piece.cell.clone(), piece.symbol.clone());
            assert!(facts.pieces.insert((cell, symbol, piece.seat, turn, count)), "{piece:?}");
        }
        for mark in &board.marks {
            assert!(facts.marks.insert((mark.cell.clone(), mark.kind.clone(), mark.seat)));
        }
        for panel in &board.panel {
            let value = |value: &serde_json::Value| match value.as_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            };
            facts.panel.extend(
                panel.items.iter().map(|item| {
                    (panel.seat.clone(), item.name.clone(), value(&item.value), item.of)
                }),
            );
        }
        if let Some(dice) = &board.dice {
            assert_eq!(dice.values, dice.left, "before a play all values are left");
            facts.dice = Some(dice.values.clone());
        }
        facts
    }

    fn piece(&mut self, cell: String, symbol: &str, seat: u8) {
        assert!(self.pieces.insert((cell, symbol.into(), seat, None, 1)));
    }

    fn item(&mut self, seat: usize, name: &str, value: impl ToString, of: Option<i64>) {
        self.panel.push((format!("p{seat}"), name.into(), value.to_string(), of));
    }
}

/// The value of an option, as text.
fn setting<'a>(rules: &'a OptionValues, name: &str) -> &'a str {
    rules.iter().find(|(spec, _)| spec.name == name).map(|(_, value)| value).unwrap()
}

fn square((file, rank): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// The squares that a slide from a square reaches in some directions.
fn slides(
    animals: &BTreeMap<(i32, i32), char>,
    from: (i32, i32),
    allows: impl Fn(i32, i32) -> bool,
) -> Vec<(i32, i32)> {
    let mut reached = Vec::new();
    for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
        if (dx, dy) == (0, 0) || !allows(dx, dy) {
            continue;
        }
        let mut at = (from.0 + dx, from.1 + dy);
        while (0..10).contains(&at.0) && (0..10).contains(&at.1) && !animals.contains_key(&at) {
            reached.push(at);
            at = (at.0 + dx, at.1 + dy);
        }
    }
    reached
}

fn barca(text: &str) -> Facts {
    let mut animals = BTreeMap::new();
    for (row, line) in text.split(' ').next().unwrap().split('/').enumerate() {
        let mut file = 0;
        for letter in line.replace("10", "..........").chars() {
            match letter.to_digit(10) {
                Some(run) => file += run as i32,
                None => {
                    animals.insert((file, 9 - row as i32), letter);
                    file += 1;
                }
            }
        }
    }
    animals.retain(|_, letter| *letter != '.');
    let is_white = |letter: char| letter.is_ascii_uppercase();
    // A mouse fears lions, a lion elephants, an elephant mice, beside it in any direction.
    let afraid = |letter: char, at: (i32, i32)| {
        let feared = match letter.to_ascii_uppercase() {
            'M' => 'L',
            'L' => 'E',
            _ => 'M',
        };
        animals.iter().any(|(other, enemy)| {
            is_white(*enemy) != is_white(letter)
                && enemy.to_ascii_uppercase() == feared
                && (other.0 - at.0).abs().max((other.1 - at.1).abs()) == 1
        })
    };
    let mut facts = Facts::default();
    let mut held = [0, 0];
    for (at, letter) in &animals {
        let seat = if is_white(*letter) { 1 } else { 2 };
        facts.piece(square(*at), &letter.to_ascii_uppercase().to_string(), seat);
        let holes = [(3, 3), (6, 3), (3, 6), (6, 6)];
        held[usize::from(seat) - 1] += usize::from(holes.contains(at));
        if afraid(*letter, *at) {
            let targets = slides(&animals, *at, |dx, dy| match letter.to_ascii_uppercase() {
                'M' => dx == 0 || dy == 0,
                'L' => dx != 0 && dy != 0,
                _ => true,
            });
            let escapes = targets.iter().any(|to| !afraid(*letter, *to));
            let kind = if escapes { "afraid" } else { "trapped" };
            facts.marks.insert((square(*at), kind.into(), 0));
        }
    }
    for seat in [1, 2] {
        facts.item(seat, "watering holes", held[seat - 1], Some(3));
    }
    facts
}

/// Pacru, Shacru and Azacru: the same board, but for a goal and for power.
fn chevrons(name: &str, text: &str) -> Facts {
    let words: Vec<&str> = text.split(' ').collect();
    let seats: usize = words[2].parse().unwrap();
    let facings = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let (mut markers, mut chevrons) = (BTreeMap::new(), BTreeMap::new());
    for (row, line) in words[0].split('/').enumerate() {
        let (mut file, mut letters) = (0, line.chars());
        while let Some(letter) = letters.next() {
            let at = (8 - row as i32, file);
            match letter {
                '1'..='9' => file += letter as i32 - '1' as i32,
                '[' => {
                    let body: String = letters.by_ref().take_while(|c| *c != ']').collect();
                    let seat = body[..1].parse::<usize>().unwrap();
                    let facing = body[1..].trim_end_matches('*');
                    chevrons.insert(at, (seat, facings.iter().position(|f| *f == facing).unwrap()));
                    if body.ends_with('*') {
                        markers.insert(at, seat);
                    }
                }
                _ => drop(markers.insert(at, letter as usize - 'a' as usize + 1)),
            }
            file += 1;
        }
    }
    let mut facts = Facts::default();
    for ((rank, file), (seat, facing)) in &chevrons {
        let turn = Some(45 * *facing as i32);
        facts.pieces.insert((square((*file, *rank)), "C".into(), *seat as u8, turn, 1));
    }
    for ((rank, file), seat) in &markers {
        facts.marks.insert((square((*file, *rank)), "marker".into(), *seat as u8));
    }
    for seat in 1..=seats {
        let count = markers.values().filter(|owner| **owner == seat).count();
        let goal = (name == "pacru").then(|| [42, 28, 24][seats - 2]);
        let own: Vec<_> = chevrons.iter().filter(|(_, (owner, _))| *owner == seat).collect();
        facts.item(seat, "markers", count, goal);
        facts.item(seat, "chevrons", own.len(), Some(if seats == 2 { 4 } else { 3 }));
        // As many fields as there are own markers in its borderland, and never less than one.
        let power = |(rank, file): (i32, i32)| {
            let near = markers.iter().filter(|((r, f), owner)| {
                **owner == seat && (r / 3, f / 3) == (rank / 3, file / 3)
            });
            format!("{}: {}", square((file, rank)), near.count().max(1))
        };
        let powers: Vec<String> = own.iter().map(|(at, _)| power(**at)).collect();
        if name != "shacru" && !powers.is_empty() {
            facts.item(seat, "power", powers.join(", "), None);
        }
    }
    facts
}

fn porrika(text: &str) -> Facts {
    let mut pieces = BTreeMap::new();
    for (row, line) in text.split(' ').next().unwrap().split('/').enumerate() {
        for (column, place) in line.split(',').enumerate() {
            let letters: Vec<char> = place.chars().filter(|c| *c != '-').collect();
            for pair in letters.chunks(2) {
                pieces.insert((square((column as i32, row as i32)), pair[1]), pair[0]);
            }
        }
    }
    let mut facts = Facts::default();
    let (mut home, mut free) = (0, 0);
    for ((at, side), kind) in &pieces {
        facts.piece(format!("{at}{side}"), &kind.to_string(), if *kind == 'S' { 2 } else { 1 });
        let across = ['n', 'e', 's', 'w'].into_iter().zip(['s', 'w', 'n', 'e']);
        let across = across.filter(|(own, _)| own == side).map(|(_, other)| other).next().unwrap();
        let locked = pieces.contains_key(&(at.clone(), across));
        if locked {
            facts.marks.insert((format!("{at}{side}"), "locked".into(), 0));
        }
        home += usize::from(*kind == 'E' && ["b7e", "c7w"].contains(&&*format!("{at}{side}")));
        free += usize::from(*kind == 'S' && !locked);
    }
    facts.item(1, "eggs home", home, Some(2));
    facts.item(2, "Ser'ra free", free, Some(4));
    facts
}

/// The way of a side in cells: South's, turned anticlockwise side by side.
fn way(size: i32, inner_anticlockwise: bool, side: usize) -> Vec<Cell> {
    let turned = |(x, y): Cell| (0..side).fold((x, y), |(x, y), _| (-y, x));
    path(size, inner_anticlockwise).into_iter().map(turned).collect()
}

fn chowka_bhara(text: &str, rules: &OptionValues) -> Facts {
    let size = setting(rules, "Board").parse::<i32>().unwrap();
    let inner = setting(rules, "Inner") == "anticlockwise";
    let fields: Vec<&str> = text.split(' ').collect();
    let mut facts = Facts::default();
    let sides: Vec<(usize, &str)> =
        fields[0].split('/').enumerate().filter(|(_, pawns)| *pawns != "-").collect();
    for (number, (side, pawns)) in (1..).zip(&sides) {
        let way = way(size, inner, *side);
        let mut cells: BTreeMap<Cell, u32> = BTreeMap::new();
        let indices: Vec<usize> = pawns.split('.').map(|index| index.parse().unwrap()).collect();
        for index in &indices {
            *cells.entry(way[*index]).or_default() += 1;
        }
        for ((x, y), count) in cells {
            let cell = square((x + size / 2, y + size / 2));
            facts.pieces.insert((cell, "P".into(), number as u8, None, count));
        }
        let done = indices.iter().filter(|index| **index + 1 == way.len()).count();
        facts.item(number, "pawns in the centre", done, Some(indices.len() as i64));
        if setting(rules, "Gate") != "off" {
            let open = fields[2].contains(["S", "E", "N", "W"][*side]);
            facts.item(number, "gate", if open { "open" } else { "closed" }, None);
        }
    }
    for cell in fields[3].split(',').filter(|cell| *cell != "-") {
        facts.marks.insert((cell.into(), "fresh".into(), 0));
    }
    if fields[4] != "-" {
        facts.dice = Some(fields[4].split('+').map(|value| value.parse().unwrap()).collect());
    }
    facts
}

fn barbarossa(text: &str) -> Facts {
    let fields: BTreeMap<&str, &str> =
        text.split(' ').filter_map(|word| word.split_once('=')).collect();
    let list = |key: &str| -> Vec<u32> {
        fields[key].split(',').map(|number| number.parse().unwrap()).collect()
    };
    let mut facts = Facts::default();
    let seats = fields["n"].parse::<usize>().unwrap();
    let goal = fields["goal"].parse().unwrap();
    for index in 0..seats {
        let seat = index as u8 + 1;
        facts.piece(format!("ring{}", list("pawn")[index]), "P", seat);
        facts.piece(format!("score{}", list("score")[index]), "C", seat);
        for (key, cell, symbol) in [("jewels", "jewels", "J"), ("curse", "tokens", "T")] {
            let count = list(key)[index];
            if count > 0 {
                facts.pieces.insert((format!("{cell}{seat}"), symbol.into(), seat, None, count));
            }
        }
        // 13 jewels at most, three curse tokens for everybody.
        facts.item(index + 1, "score", list("score")[index], Some(goal));
        facts.item(index + 1, "jewels", list("jewels")[index], Some(13));
        facts.item(index + 1, "curse tokens", list("curse")[index], Some(3));
    }
    if fields["blob"] != "-" {
        facts.piece(format!("score{}", fields["blob"]), "B", 0);
    }
    facts
}

/// The cards of Barbarossa from the text: name, owner, title, whether it is secret, arrows, how many
/// lines of what is known.
fn cards(text: &str) -> Vec<(String, String, String, bool, Vec<String>, usize)> {
    let field = |key: &str| text.split(' ').find_map(|word| word.strip_prefix(key)).unwrap();
    let arrows: Vec<&str> = field("arrows=").split(',').filter(|arrow| !arrow.is_empty()).collect();
    let card = |object: &str| {
        let mut parts = object.split('|');
        let name = parts.next().unwrap();
        let parts: BTreeMap<&str, &str> = parts.filter_map(|part| part.split_once('=')).collect();
        let owner = format!("p{}", name.as_bytes()[0] - b'a' + 1);
        let deal = parts.get("deal").is_some_and(|deal| *deal != "-");
        let known = field("v=") != "-" && (parts["w"] != "-" || deal);
        let seats = arrows.iter().filter_map(|arrow| arrow.strip_prefix(name)?.strip_prefix(':'));
        let count = |key: &str| parts[key].split(',').filter(|item| !item.is_empty()).count();
        let lines: usize = ["show", "qa", "letters", "wrong"].map(count).iter().sum();
        (
            name.to_owned(),
            owner,
            parts["w"].to_owned(),
            known,
            seats.map(|seat| format!("arrow {seat}")).collect(),
            lines + usize::from(deal),
        )
    };
    field("objects=").split(';').map(card).collect()
}

fn check_cards(board: &Board, text: &str) {
    let told: Vec<_> = board
        .cards
        .iter()
        .map(|card| {
            let arrows = card.badges.iter().filter(|badge| badge.starts_with("arrow")).cloned();
            let arrows: Vec<String> = arrows.collect();
            let rest: Vec<_> = card.badges.iter().skip(arrows.len()).collect();
            assert!(rest.is_empty() || rest == ["closed"], "{rest:?}");
            let owner = card.seat.clone();
            let lines = card.lines.len();
            (card.id.clone(), owner, card.title.clone(), card.secret, arrows, lines)
        })
        .collect();
    assert_eq!(told, cards(text), "{text}");
}

/// Plays random games under every rule set and shows every position, of games with secrets as some
/// seat sees it.
fn walk<G: Playable>(plies: usize, mut check: impl FnMut(&G, &OptionValues)) {
    for (number, rules) in (0..).zip(rule_sets::<G>()) {
        let mut random = Random::new(300 + number);
        let Ok(mut position) = G::start(&rules, None) else { continue };
        for _ in 0..plies {
            if G::SECRETS && random.below(2) == 0 {
                let seat = random.below(position.seats() as u64) as usize;
                check(&position.view(Seat::new(seat)), &rules);
            } else {
                check(&position, &rules);
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

/// Shows one position of so many of a game to a check that is for all games.
struct Show(&'static str, usize, fn(&'static str, &Table, &Board, &str, &OptionValues));

impl GameVisitor for Show {
    type Output = ();

    fn visit<G: Playable>(self) {
        let plies = if G::SECRETS { 150 } else { 60 };
        let mut positions = 0;
        walk::<G>(plies, |position, rules| {
            positions += 1;
            if (positions - 1) % self.1 != 0 {
                return;
            }
            let (table, board) = (position.table(), position.board());
            self.2(self.0, &table, &board, &position.to_string(), rules);
        });
    }
}

#[test]
fn a_board_shows_what_the_text_of_its_position_says() {
    for name in NAMES {
        let check = |name: &'static str, _: &Table, board: &Board, text: &str, rules: &_| {
            let expected = match name {
                "barca" => barca(text),
                "pacru" | "shacru" | "azacru" => chevrons(name, text),
                "porrika" => porrika(text),
                "chowka-bhara" => chowka_bhara(text, rules),
                "barbarossa" => barbarossa(text),
                other => panic!("{other} has no board made again"),
            };
            assert_eq!(Facts::of(board), expected, "{text}");
            match name {
                "barbarossa" => check_cards(board, text),
                _ => assert!(board.cards.is_empty()),
            }
            assert!(board.v == 1 && board.text.is_none() && board.last.is_none());
        };
        with_game(name, Show(name, 1, check)).unwrap();
    }
}

/// Animals of Barca that stand at random frighten each other much more than those of games.
#[test]
fn fear_on_random_boards_of_barca() {
    let mut random = Random::new(8);
    let mut kinds = BTreeMap::new();
    for _ in 0..200 {
        let text = crate::barca::random_position(&mut random);
        let facts = Facts::of(&crate::barca::position(&text).board());
        assert_eq!(facts, barca(&text), "{text}");
        facts.marks.iter().for_each(|(_, kind, _)| *kinds.entry(kind.clone()).or_insert(0) += 1);
    }
    assert!(kinds["afraid"] > 300 && kinds["trapped"] > 10, "{kinds:?}");
}

/// Eggs at home and locked pieces, which random games seldom reach.
#[test]
fn constructed_boards_of_porrika() {
    use parlor::game::{Notation, Rules};
    use parlor::games::porrika::Position;
    let mut home = 0;
    for line in include_str!("../data/porrika/valid.txt").lines() {
        let Some(text) = line.strip_prefix(" | ").and_then(|rest| rest.split(" | ").next()) else {
            continue;
        };
        let Ok(position) = Position::parse(text, &Position::default_rules(), None) else {
            continue;
        };
        let facts = Facts::of(&position.board());
        assert_eq!(facts, porrika(text), "{text}");
        home += usize::from(facts.panel[0].2 != "0");
    }
    assert!(home > 0, "no egg is at home");
}

/// What is written has each optional member exactly where the documentation says, and is read back.
#[test]
fn json_of_boards_and_tables_reads_back() {
    for name in NAMES {
        let check = |_: &'static str, table: &Table, board: &Board, _: &str, _: &OptionValues| {
            let line = to_line(board);
            assert_eq!(serde_json::from_str::<Board>(&line).unwrap(), *board, "{line}");
            let value: serde_json::Value = serde_json::from_str(&line).unwrap();
            for (piece, written) in board.pieces.iter().zip(value["pieces"].as_array().unwrap()) {
                assert_eq!(written.get("seat").is_some(), piece.seat != 0, "{written}");
                assert_eq!(written.get("count").is_some(), piece.count.is_some(), "{written}");
                assert_eq!(written.get("turn").is_some(), piece.turn.is_some(), "{written}");
            }
            for (member, present) in [
                ("marks", !board.marks.is_empty()),
                ("panel", !board.panel.is_empty()),
                ("dice", board.dice.is_some()),
                ("cards", !board.cards.is_empty()),
                ("note", board.note.is_some()),
                ("last", false),
                ("text", false),
            ] {
                assert_eq!(value.get(member).is_some(), present, "{member} in {line}");
            }
            let line = to_line(table);
            let read: Table = serde_json::from_str(&line).unwrap();
            assert_eq!(to_line(&read), line);
            let near = |one: f64, other: f64| (one - other).abs() <= 0.0005;
            for (cell, back) in table.cells.iter().zip(&read.cells) {
                assert!(near(cell.at[0], back.at[0]) && near(cell.at[1], back.at[1]), "{back:?}");
                assert_eq!((&cell.kind, &cell.label), (&back.kind, &back.label));
            }
            assert_eq!((&read.seats, &read.symbols), (&table.seats, &table.symbols));
            assert_eq!((&read.kinds, &read.regions), (&table.kinds, &table.regions));
        };
        with_game(name, Show(name, 10, check)).unwrap();
    }
}

/// Names a cell of a board of squares by file and rank from 0.
fn parsed(id: &str) -> (i32, i32) {
    let (file, rank) = id.split_at(1);
    (i32::from(file.as_bytes()[0] - b'a'), rank.parse::<i32>().unwrap() - 1)
}

/// The kind of a square: by the rules, not by the table.
fn kind_of(name: &str, (file, rank): (i32, i32), size: i32, rules: &OptionValues) -> &'static str {
    match name {
        "barca" if [3, 6].contains(&file) && [3, 6].contains(&rank) => "hole",
        // a1 is dark, as in chess.
        "barca" => ["dark", "light"][((file + rank) % 2) as usize],
        "pacru" | "shacru" | "azacru" => ["light", "dark"][((file / 3 + rank / 3) % 2) as usize],
        _ => {
            let (x, y) = ((file - size / 2).abs(), (rank - size / 2).abs());
            let edge = x.max(y) == size / 2;
            let safe = x.min(y) == 0 || setting(rules, "Safe") == "corners" && x == y;
            match (x.max(y), edge) {
                (0, _) => "centre",
                (_, true) if safe => "safe",
                (_, true) => "outer",
                _ => "inner",
            }
        }
    }
}

/// Boards of squares: `a1` lies at the lower left as p1 sits, and coordinates stand beside their
/// files and ranks.
#[test]
fn squares_lie_where_their_names_say() {
    for name in ["barca", "pacru", "shacru", "azacru", "chowka-bhara"] {
        let check = |name: &'static str, table: &Table, _: &Board, _: &str, rules: &_| {
            let size = (table.cells.len() as f64).sqrt() as i32;
            assert_eq!(table.cells.len(), (size * size) as usize);
            assert_eq!(table.size, [f64::from(size) + 1.0; 2]);
            let place = |(file, rank): (i32, i32)| [f64::from(file) + 1.0, f64::from(size - rank)];
            for cell in &table.cells {
                let at = parsed(&cell.id);
                assert_eq!(cell.at, place(at), "{}", cell.id);
                let kind = kind_of(name, at, size, rules);
                assert_eq!(cell.kind.as_deref(), Some(kind), "{} of {name}", cell.id);
            }
            let labels: BTreeMap<&str, [f64; 2]> =
                table.labels.iter().map(|label| (label.text.as_str(), label.at)).collect();
            assert_eq!(labels.len(), 2 * size as usize);
            for index in 0..size {
                let name = square((index, index));
                let (file, rank) = name.split_at(1);
                assert_eq!(labels[file], [place((index, 0))[0], f64::from(size) + 0.75]);
                assert_eq!(labels[rank], [0.25, place((0, index))[1]]);
            }
            for region in &table.regions {
                let cells: BTreeSet<_> = region.cells.iter().map(|id| parsed(id)).collect();
                let of: BTreeSet<_> = match name {
                    "pacru" | "shacru" | "azacru" => {
                        let first = cells.first().unwrap();
                        let block = (first.0 / 3, first.1 / 3);
                        let all = table.cells.iter().map(|cell| parsed(&cell.id));
                        all.filter(|at| (at.0 / 3, at.1 / 3) == block).collect()
                    }
                    _ => {
                        let all = table.cells.iter().map(|cell| parsed(&cell.id));
                        let inside = 1..size - 1;
                        all.filter(|(x, y)| inside.contains(x) && inside.contains(y)).collect()
                    }
                };
                assert_eq!(cells, of, "{}", region.id);
            }
            let regions = match name {
                "barca" => 0,
                "pacru" | "shacru" | "azacru" => 9,
                _ => 1,
            };
            let all: BTreeSet<_> = table.regions.iter().flat_map(|region| &region.cells).collect();
            let sum: usize = table.regions.iter().map(|region| region.cells.len()).sum();
            assert!(table.regions.len() == regions && all.len() == sum);
        };
        with_game(name, Show(name, 30, check)).unwrap();
    }
}

/// A point after some quarter turns clockwise of a table of a size.
fn turned([x, y]: [f64; 2], [width, height]: [f64; 2], degrees: f64) -> [f64; 2] {
    match degrees as i32 {
        90 => [height - y, x],
        180 => [width - x, height - y],
        270 => [y, width - x],
        _ => [x, y],
    }
}

/// As a seat sits, its pieces start nearer to it than those of all others; the board is a square or
/// is turned by halves.
#[test]
fn every_seat_has_its_own_pieces_before_it() {
    for name in ["barca", "chowka-bhara", "porrika"] {
        let check = |name: &'static str, table: &Table, board: &Board, text: &str, _: &_| {
            let start = match name {
                "barca" => text.starts_with("4ee4/3lmml3/") && text.ends_with(" w"),
                "porrika" => board.note.is_some(),
                _ => text
                    .split(['/', ' '])
                    .take(4)
                    .all(|pawns| pawns.bytes().all(|b| !(b'1'..=b'9').contains(&b))),
            };
            if !start {
                return;
            }
            for (index, seat) in table.seats.iter().enumerate() {
                let degrees = seat.turn.unwrap_or(0.0);
                assert!(seat.turn != Some(0.0) && seat.seat == format!("p{}", index + 1));
                let own = |number: u8| -> Vec<[f64; 2]> {
                    let pieces = board.pieces.iter().filter(|piece| piece.seat == number);
                    let at = pieces.map(|piece| table.cell(&piece.cell).unwrap().at);
                    at.map(|at| turned(at, table.size, degrees)).collect()
                };
                let near = |number: u8| own(number).iter().map(|at| at[1]).fold(f64::MAX, f64::min);
                if name == "porrika" {
                    // Both sides have their own pieces at the top: copper starts in row 1.
                    let far = own(index as u8 + 1).iter().map(|at| at[1]).fold(0.0, f64::max);
                    assert!(far <= table.size[1] / 2.0, "{seat:?}");
                    continue;
                }
                for other in 1..=table.seats.len() as u8 {
                    let mine = index as u8 + 1;
                    assert!(other == mine || near(mine) > near(other), "{seat:?}, {other}: {text}");
                }
            }
        };
        with_game(name, Show(name, 1, check)).unwrap();
    }
}

/// A triangle of Por'rika is a quarter of its square, cut by both diagonals.
#[test]
fn triangles_of_porrika_are_quarters_of_squares() {
    use parlor::games::porrika::Position;
    let table = Position::default().table();
    let near = |one: [f64; 2], other: [f64; 2]| {
        (one[0] - other[0]).abs() < 0.002 && (one[1] - other[1]).abs() < 0.002
    };
    for cell in &table.cells {
        let (square, side) = cell.id.split_at(2);
        let (file, rank) = parsed(square);
        let [x, y] = [0.4 + f64::from(file), 0.4 + f64::from(rank)];
        let [[x1, y1], [x2, y2]] = match side {
            "n" => [[x, y], [x + 1.0, y]],
            "e" => [[x + 1.0, y], [x + 1.0, y + 1.0]],
            "s" => [[x, y + 1.0], [x + 1.0, y + 1.0]],
            _ => [[x, y], [x, y + 1.0]],
        };
        let corners = [[x1, y1], [x2, y2], [x + 0.5, y + 0.5]];
        let shape: Vec<[f64; 2]> = table.shapes[&cell.shape]
            .iter()
            .map(|[dx, dy]| [cell.at[0] + dx, cell.at[1] + dy])
            .collect();
        assert_eq!(shape.len(), 3);
        assert!(corners.iter().all(|c| shape.iter().any(|s| near(*c, *s))), "{}", cell.id);
        let starts = ["a1n", "a1w", "b1n", "b1e", "c1n", "c1w", "d1n", "d1e"];
        let kind = match cell.id.as_str() {
            "b7e" | "c7w" => Some("porrika"),
            "b6w" | "b6s" | "c6e" | "c6s" => Some("aerie"),
            id if starts.contains(&id) => Some("schelati"),
            _ => None,
        };
        assert_eq!(cell.kind.as_deref(), kind, "{}", cell.id);
    }
    for (index, name) in ["a", "b", "c", "d"].iter().enumerate() {
        let label = table.labels.iter().find(|label| label.text == **name).unwrap();
        assert!(near(label.at, [0.9 + index as f64, 0.2]));
    }
    for row in 1..=7 {
        let label = table.labels.iter().find(|label| label.text == row.to_string()).unwrap();
        assert!(near(label.at, [0.2, f64::from(row) - 0.1]));
    }
}

/// The homes of Chowka bhara are those of the sides, and the seats are named in their order.
#[test]
fn homes_and_seats_of_chowka_bhara_have_their_names() {
    for (players, names, turns) in [
        (2, &["South", "North"][..], &[None, Some(180.0)][..]),
        (3, &["South", "East", "North"], &[None, Some(90.0), Some(180.0)]),
        (4, &["South", "East", "North", "West"], &[None, Some(90.0), Some(180.0), Some(270.0)]),
    ] {
        let rules = crate::chowka_bhara::rules(&format!("Players={players}"));
        let position =
            <parlor::games::chowka_bhara::Position as parlor::game::Rules>::start(&rules, None);
        let table = position.unwrap().table();
        let named: Vec<&str> = table.seats.iter().map(|seat| seat.name.as_str()).collect();
        let turned: Vec<Option<f64>> = table.seats.iter().map(|seat| seat.turn).collect();
        assert_eq!((&named[..], &turned[..]), (names, turns));
        for (cell, side) in [("c1", "South"), ("e3", "East"), ("c5", "North"), ("a3", "West")] {
            let label = table.cell(cell).unwrap().label.clone();
            assert_eq!(label, Some(format!("{cell}, home of {side}")));
        }
        assert_eq!(table.cells.iter().filter(|cell| cell.label.is_some()).count(), 4);
    }
}

/// The ring and the track of Barbarossa run clockwise from the top, in equal steps.
#[test]
fn circles_of_barbarossa_run_clockwise_from_the_top() {
    let check = |_: &'static str, table: &Table, _: &Board, text: &str, _: &OptionValues| {
        let field = |key: &str| text.split(' ').find_map(|word| word.strip_prefix(key)).unwrap();
        let finish: usize = field("goal=").parse().unwrap();
        let ring = field("ring=");
        let middle = table.size[1] / 2.0;
        // One space of the track is left out between the finish and the start.
        for (stem, count, spaces) in
            [("ring", ring.len(), ring.len()), ("score", finish + 1, finish + 2)]
        {
            let cells: Vec<_> =
                table.cells.iter().filter(|cell| cell.id.starts_with(stem)).collect();
            assert_eq!(cells.len(), count);
            for (index, cell) in cells.iter().enumerate() {
                assert_eq!(cell.id, format!("{stem}{index}"));
                let [x, y] = cell.at.map(|value| value - middle);
                let angle = x.atan2(-y).to_degrees().rem_euclid(360.0);
                let expected = 360.0 * index as f64 / spaces as f64;
                let apart = (angle - expected + 180.0).rem_euclid(360.0) - 180.0;
                assert!(apart.abs() < 0.5, "{}: {angle}, not {expected}", cell.id);
            }
        }
        for (index, letter) in ring.chars().enumerate() {
            let kind = match letter {
                'S' => "Stairs",
                'D' => "Dragon",
                'G' => "Ghosts",
                'E' => "Elf",
                _ => "?",
            };
            let cell = table.cell(&format!("ring{index}")).unwrap();
            assert_eq!(cell.kind.as_deref(), Some(kind), "{ring}");
        }
        let labels: Vec<&str> = table
            .labels
            .iter()
            .map(|label| label.text.as_str())
            .filter(|text| text.parse::<usize>().is_ok())
            .collect();
        let numbered: Vec<String> = (0..=finish)
            .filter(|points| points % 5 == 0 || *points == finish)
            .map(|points| points.to_string())
            .collect();
        assert_eq!(labels, numbered);
    };
    with_game("barbarossa", Show("barbarossa", 25, check)).unwrap();
}
