//! A slow, obvious second implementation of a turn, and its agreement with the fast one.
//!
//! It knows cells by name only, plays the values in every order, with every pawn, merges nothing,
//! and writes the resulting positions as text.

use std::collections::{BTreeMap, BTreeSet};

use parlor::game::{Game, Notation, Random};
use parlor::games::chowka_bhara::Position;

use super::{VARIANTS, random_position};

pub type Cell = (i32, i32);

const LETTERS: [&str; 4] = ["S", "E", "N", "W"];

/// A position as the text says it.
#[derive(Clone)]
struct Board {
    size: i32,
    options: BTreeMap<String, String>,
    paths: Vec<Vec<Cell>>,
    /// By side the cells of its pawns; empty for an empty seat.
    pawns: Vec<Vec<Cell>>,
    side: usize,
    hits: BTreeSet<usize>,
    fresh: BTreeSet<Cell>,
    doubles_before: BTreeSet<Cell>,
    finished: Vec<usize>,
}

/// The cells of South's way, from the centre of the board; other sides turn it.
pub fn path(size: i32, inner_anticlockwise: bool) -> Vec<Cell> {
    let half = size / 2;
    let mut cells = vec![(0, -half)];
    for far in (1..=half).rev() {
        let depth = half - far;
        let anticlockwise = depth == 0 || (depth % 2 == 1) == inner_anticlockwise;
        let on_ring = |(x, y): Cell| x.abs().max(y.abs()) == far;
        // Walk the ring: of the two neighbours on it, take the unvisited one that turns the right
        // way round the centre.
        for _ in 1..8 * far {
            let (x, y) = cells[cells.len() - 1];
            let next = [(1, 0), (0, 1), (-1, 0), (0, -1)]
                .map(|(dx, dy)| (dx, dy, x * dy - y * dx))
                .into_iter()
                .filter(|(dx, dy, _)| on_ring((x + dx, y + dy)))
                .find(|(_, _, turn)| (*turn > 0) == anticlockwise)
                .expect("a way round the ring");
            cells.push((x + next.0, y + next.1));
        }
        let (x, y) = cells[cells.len() - 1];
        let inside = |(a, b): &Cell| a.abs().max(b.abs()) == far - 1;
        let straight = [(x, y + 1), (x + 1, y)].into_iter().find(inside);
        cells.push(straight.unwrap_or((x + 1, y + 1)));
    }
    cells
}

impl Board {
    fn read(text: &str, rules: Vec<(&'static str, String)>) -> (Board, Vec<i32>) {
        let options: BTreeMap<_, _> =
            rules.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let size: i32 = options["Board"].parse().expect("a number");
        let south = path(size, options["Inner"] == "anticlockwise");
        let turned = |quarters: usize| {
            let turn = |cells: Vec<Cell>| cells.into_iter().map(|(x, y)| (-y, x)).collect();
            (0..quarters).fold(south.clone(), |cells, _| turn(cells))
        };
        let paths: Vec<Vec<Cell>> = (0..4).map(turned).collect();
        let fields: Vec<_> = text.split(' ').collect();
        let pawns = fields[0].split('/').zip(&paths).map(|(list, path)| {
            let list = list.split('.').filter(|index| *index != "-");
            list.map(|index| path[index.parse::<usize>().expect("an index")]).collect()
        });
        let pawns = pawns.collect();
        let side_of = |letter: &str| LETTERS.iter().position(|l| *l == letter).expect("a side");
        let sides = |field: &str| -> Vec<usize> {
            (0..field.len()).filter(|_| field != "-").map(|i| side_of(&field[i..=i])).collect()
        };
        let cells = |field: &str| -> BTreeSet<Cell> {
            field.split(',').filter(|name| *name != "-").map(|name| cell(name, size)).collect()
        };
        let bonus = options["HitBonus"] == "true";
        let doubles_before = if bonus { cells(fields[5]) } else { BTreeSet::new() };
        let finished =
            if options["PlayOn"] == "true" { sides(fields[fields.len() - 1]) } else { vec![] };
        let values =
            fields[4].split('+').filter(|v| *v != "-").map(|v| v.parse().expect("a value"));
        let board = Board {
            size,
            options,
            paths,
            pawns,
            side: side_of(fields[1]),
            hits: sides(fields[2]).into_iter().collect(),
            fresh: cells(fields[3]),
            doubles_before,
            finished,
        };
        (board, values.collect())
    }

    fn is(&self, option: &str, value: &str) -> bool {
        self.options[option] == value
    }

    fn safe(&self, (x, y): Cell) -> bool {
        let half = self.size / 2;
        let home = x == 0 && y.abs() == half || y == 0 && x.abs() == half;
        let corner = x.abs() == half && y.abs() == half && self.is("Safe", "corners");
        home || corner || (x, y) == (0, 0)
    }

    fn outer(&self, (x, y): Cell) -> bool {
        x.abs().max(y.abs()) == self.size / 2
    }

    fn count(&self, side: usize, cell: Cell) -> usize {
        self.pawns[side].iter().filter(|pawn| **pawn == cell).count()
    }

    /// The most pawns that any one enemy has on a cell.
    fn enemies(&self, cell: Cell) -> usize {
        let others = (0..4).filter(|side| *side != self.side);
        others.map(|side| self.count(side, cell)).max().unwrap_or(0)
    }

    fn doubles(&self, side: usize) -> BTreeSet<Cell> {
        let here = |cell: &Cell| self.count(side, *cell) >= 2;
        let cells = self.pawns[side].iter().copied();
        cells.filter(|cell| self.outer(*cell) && !self.safe(*cell)).filter(here).collect()
    }

    fn blocks(&self, cell: Cell) -> bool {
        match self.options["DoubleBlock"].as_str() {
            "turn" => self.fresh.contains(&cell),
            "always" => self.outer(cell) && !self.safe(cell) && self.enemies(cell) >= 2,
            _ => false,
        }
    }

    /// The position after a value is played from a cell; `None` if that is illegal.
    fn step(&self, from: usize, value: usize, together: bool) -> Option<(Board, usize)> {
        let path = &self.paths[self.side];
        let start = path[from];
        if self.count(self.side, start) < 1 + usize::from(together) {
            return None;
        }
        let mut distance = value;
        if together {
            if self.safe(start) || self.is("DoubleMove", "none") {
                return None;
            }
            if self.is("DoubleMove", "half") {
                if value % 2 == 1 {
                    return None;
                }
                distance = value / 2;
            }
        }
        let closed = !self.is("Gate", "off") && !self.hits.contains(&self.side);
        let mut index = from;
        for walked in 1..=distance {
            let next = index + 1;
            let at_gate = next < path.len() && self.outer(path[index]) && !self.outer(path[next]);
            index = if at_gate && closed {
                if self.is("Gate", "stop") {
                    return None;
                }
                0
            } else {
                next
            };
            if index >= path.len() || walked < distance && self.blocks(path[index]) {
                return None;
            }
        }
        let target = path[index];
        let mut after = self.clone();
        if !self.safe(target) {
            let enemies = self.enemies(target);
            if enemies >= 2 && !(together && self.is("DoubleHitsDouble", "true")) {
                return None;
            }
            let joins = self.outer(target) && self.count(self.side, target) > 0;
            if joins && self.is("OuterDoubles", "false") {
                return None;
            }
            if enemies > 0 {
                for side in (0..4).filter(|side| *side != self.side) {
                    let home = self.paths[side][0];
                    after.pawns[side].iter_mut().filter(|p| **p == target).for_each(|p| *p = home);
                }
                after.fresh.remove(&target);
                after.hits.insert(self.side);
            }
        }
        for _ in 0..1 + usize::from(together) {
            let pawn = after.pawns[self.side].iter_mut().find(|pawn| **pawn == start)?;
            *pawn = target;
        }
        Some((after, index))
    }

    fn steps(&self, value: usize) -> Vec<(usize, bool, Board, usize)> {
        let starts = (0..self.paths[0].len()).flat_map(|from| [(from, false), (from, true)]);
        starts
            .filter_map(|(from, together)| {
                let (after, to) = self.step(from, value, together)?;
                Some((from, together, after, to))
            })
            .collect()
    }

    /// Every way to play the values, with the board it leads to.
    fn turns(&self, values: &[usize], so_far: &Spelling, out: &mut Vec<(Spelling, Board)>) {
        let mut stuck = true;
        for (at, value) in values.iter().enumerate() {
            for (from, together, after, to) in self.steps(*value) {
                stuck = false;
                let mut left = values.to_vec();
                left.remove(at);
                let mut spelling = so_far.clone();
                spelling.push((*value, from, together, to));
                after.turns(&left, &spelling, out);
            }
        }
        if stuck || self.is("Pass", "true") {
            out.push((so_far.clone(), self.clone()));
        }
    }

    fn home(&self, side: usize) -> bool {
        !self.pawns[side].is_empty() && self.pawns[side].iter().all(|cell| *cell == (0, 0))
    }

    /// Ends the turn that began on `start`.
    fn end_turn(mut self, start: &Board) -> String {
        let side = self.side;
        let hit = (0..4).any(|other| other != side && self.pawns[other] != start.pawns[other]);
        let bonus = self.is("HitBonus", "true");
        if self.home(side) && self.is("PlayOn", "true") {
            self.finished.push(side);
        }
        if !(bonus && hit && !self.home(side)) {
            let before = if bonus { start.doubles_before.clone() } else { start.doubles(side) };
            let formed: Vec<_> = self.doubles(side).difference(&before).copied().collect();
            self.fresh.extend(formed);
            let plays =
                |side: &usize| !self.pawns[*side].is_empty() && !self.finished.contains(side);
            let mut next = (1..=4).map(|further| (side + further) % 4);
            self.side = next.find(plays).expect("somebody to play");
            let lapsed = self.doubles(self.side);
            self.fresh.retain(|cell| !lapsed.contains(cell));
            let going = !(0..4).any(|side| self.home(side)) || self.is("PlayOn", "true");
            let left = (0..4).filter(|s| !self.pawns[*s].is_empty() && !self.home(*s)).count();
            self.doubles_before =
                if going && left > 1 && !self.dead() { lapsed } else { BTreeSet::new() };
        }
        self.write()
    }

    fn dead(&self) -> bool {
        let last = 4 * (self.size as usize - 1) - 1;
        self.is("Gate", "stop")
            && (0..4).filter(|side| !self.home(*side)).all(|side| {
                !self.hits.contains(&side)
                    && self.pawns[side].iter().all(|cell| *cell == self.paths[side][last])
            })
    }

    fn write(&self) -> String {
        let dash = |text: String| if text.is_empty() { "-".to_string() } else { text };
        let names = |cells: &BTreeSet<Cell>| {
            let names: BTreeSet<_> = cells.iter().map(|cell| name(*cell, self.size)).collect();
            dash(names.into_iter().collect::<Vec<_>>().join(","))
        };
        let sides: Vec<_> = (0..4)
            .map(|side| {
                let index = |cell: &Cell| self.paths[side].iter().position(|c| c == cell);
                let mut list: Vec<_> = self.pawns[side].iter().filter_map(index).collect();
                list.sort_unstable();
                dash(list.iter().map(usize::to_string).collect::<Vec<_>>().join("."))
            })
            .collect();
        let letters = |sides: &mut dyn Iterator<Item = usize>| {
            dash(sides.map(|side| LETTERS[side]).collect::<String>())
        };
        let mut text = format!(
            "{} {} {} {} -",
            sides.join("/"),
            LETTERS[self.side],
            letters(&mut self.hits.iter().copied()),
            names(&self.fresh)
        );
        if self.is("HitBonus", "true") {
            text = format!("{text} {}", names(&self.doubles_before));
        }
        if self.is("PlayOn", "true") {
            text = format!("{text} {}", letters(&mut self.finished.iter().copied()));
        }
        text
    }
}

/// Value, start, two together, end: compared in this order.
type Spelling = Vec<(usize, usize, bool, usize)>;

fn name((x, y): Cell, size: i32) -> String {
    let half = size / 2;
    format!("{}{}", char::from(b'a' + (x + half) as u8), y + half + 1)
}

fn cell(name: &str, size: i32) -> Cell {
    let file = i32::from(name.as_bytes()[0] - b'a');
    let rank: i32 = name[1..].parse().expect("a rank");
    (file - size / 2, rank - 1 - size / 2)
}

/// Every result of a turn and the first of its spellings.
pub fn results(position: &Position) -> BTreeMap<String, String> {
    let (board, values) = Board::read(&position.to_string(), position.rules());
    let values: Vec<usize> = values.into_iter().map(|value| value as usize).collect();
    let lowest = board.size as usize - 1;
    let voided = board.is("TripleVoid", "true")
        && values.len() == 3
        && values.iter().all(|value| *value >= lowest);
    let mut all = Vec::new();
    if voided {
        all.push((Spelling::new(), board.clone()));
    } else {
        board.turns(&values, &Spelling::new(), &mut all);
    }
    let mut first: BTreeMap<String, Spelling> = BTreeMap::new();
    for (spelling, after) in all {
        let best = first.entry(after.end_turn(&board)).or_insert_with(|| spelling.clone());
        if spelling < *best {
            *best = spelling;
        }
    }
    let path = &board.paths[board.side];
    let token = |spelling: Spelling| {
        if spelling.is_empty() {
            return "pass".to_string();
        }
        let step = |(_, from, together, to): (usize, usize, bool, usize)| {
            let d = if together { "d" } else { "" };
            format!("{}{}{d}", name(path[from], board.size), name(path[to], board.size))
        };
        spelling.into_iter().map(step).collect::<Vec<_>>().join(",")
    };
    first.into_iter().map(|(result, spelling)| (result, token(spelling))).collect()
}

use parlor::game::Rules;

/// The fast generator's answer to the same question.
pub fn fast_results(position: &Position) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for m in position.moves() {
        let mut next = position.clone();
        next.play(&m);
        let twice = found.insert(next.to_string(), position.token(&m));
        assert_eq!(twice, None, "a result listed twice in {}", position);
        assert_eq!(next.key(), next.fresh_key());
    }
    found
}

#[test]
fn turns_agree_with_the_reference_under_every_option() {
    for (seed, options) in VARIANTS.iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let mut tested = 0;
        while tested < 300 {
            let position = random_position(options, &mut random);
            if position.turn().seat().is_none() {
                continue;
            }
            tested += 1;
            let expected = results(&position);
            assert_eq!(fast_results(&position), expected, "'{options}' {}", position);
        }
    }
}

#[test]
fn turns_of_four_throws_agree_with_the_reference() {
    let cases = [
        ("", "2.2.11.14/-/7.7.9.0/- S SN - 4+8+4+1"),
        ("", "2.3.18.18/-/7.7.9.0/- N SN - 4+4+8+2"),
        ("Pass=true", "2.2.16.24/-/8.9.9.0/- S SN - 8+4+4+3"),
        ("Players=4", "1.2.5.5/0.6.6.9/0.0.3.14/2.2.7.7 E SEN - 4+4+4+1"),
        ("Board=7 Pawns=3", "2.2.40/-/3.9.20/- S SN - 6+12+6+5"),
    ];
    for (options, text) in cases {
        let position = super::position(text, options);
        assert_eq!(fast_results(&position), results(&position), "{text}");
    }
}
