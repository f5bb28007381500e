//! The figures of the printed rules, read from their ASCII drawings, against the board's formulas.

use std::collections::{BTreeMap, BTreeSet};

use parlor::games::porrika::board::{
    BOARD, COPPER_STARTS, DEAD, GOALS, SERRA_STARTS, Set, Space, across, spaces,
};

use super::{moves_of, play, position};

/// The drawings alone.
const FIGURES: &str = include_str!("../../data/porrika/figures.txt");
/// Characters and lines from one square to the next.
const PITCH: usize = 13;

/// What a drawing shows: the triangles whose outer edge is drawn, and the marks in triangles.
pub struct Figure {
    pub triangles: BTreeSet<String>,
    pub marks: BTreeMap<String, Vec<String>>,
}

impl Figure {
    /// The triangles that carry a mark.
    fn marked(&self, mark: &str) -> BTreeSet<String> {
        let carry = |marks: &Vec<String>| marks.iter().any(|known| known == mark);
        let found = self.marks.iter().filter(|(_, marks)| carry(marks));
        found.map(|(space, _)| space.clone()).collect()
    }
}

/// Reads the drawing below a title.
pub fn figure(title: &str) -> Figure {
    let lines: Vec<&[u8]> = FIGURES
        .lines()
        .skip_while(|line| *line != title)
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(str::as_bytes)
        .collect();
    assert!(lines.len() > PITCH, "no drawing {title}");
    let mut figure = Figure { triangles: BTreeSet::new(), marks: BTreeMap::new() };
    // A row of squares is a line of dashes and twelve more lines; no dashes follow the last row.
    for (row, band) in lines.chunks(PITCH).enumerate().filter(|(_, band)| band.len() == PITCH) {
        let below = lines.get((row + 1) * PITCH).copied().unwrap_or_default();
        read_row(&mut figure, row, band, below);
    }
    figure
}

fn read_row(figure: &mut Figure, row: usize, band: &[&[u8]], below: &[u8]) {
    // The rows at the tip are drawn one character further left; the vertical bars give the shift.
    let bar = band[6].iter().position(|mark| *mark == b'|').expect("a vertical bar");
    let shift = (PITCH - bar % PITCH) % PITCH;
    let cell = |line: &[u8], column: usize| -> u8 {
        column.checked_sub(shift).and_then(|at| line.get(at)).copied().unwrap_or(b' ')
    };
    for column in 0..4 {
        let left = column * PITCH;
        let edges = [
            (cell(band[0], left + 6), b'-'),
            (cell(band[6], left + PITCH), b'|'),
            (cell(below, left + 6), b'-'),
            (cell(band[6], left), b'|'),
        ];
        for (side, (drawn, edge)) in edges.into_iter().enumerate() {
            if drawn == edge {
                figure.triangles.insert(name(column, row, side));
            }
        }
    }
    for (line, text) in band.iter().enumerate().skip(1) {
        for (start, mark) in marks(text) {
            let middle = 2 * (start + shift) + mark.len() - 1;
            let column = middle / (2 * PITCH);
            let (across, down) =
                (middle as i32 - (column * 2 * PITCH) as i32 - 13, 2 * line as i32 - 13);
            let side = match (across.abs() > down.abs(), across > 0, down > 0) {
                (true, true, _) => 1,
                (true, false, _) => 3,
                (false, _, true) => 2,
                (false, _, false) => 0,
            };
            figure.marks.entry(name(column, row, side)).or_default().push(mark);
        }
    }
}

/// The marks of a line and where they begin: every text that is not part of the grid.
fn marks(line: &[u8]) -> Vec<(usize, String)> {
    let mut marks: Vec<(usize, String)> = Vec::new();
    for (at, mark) in line.iter().enumerate() {
        if b" \\/|-".contains(mark) {
            continue;
        }
        match marks.last_mut() {
            Some((start, text)) if *start + text.len() == at => text.push(char::from(*mark)),
            _ => marks.push((at, char::from(*mark).to_string())),
        }
    }
    marks
}

fn name(column: usize, row: usize, side: usize) -> String {
    format!("{}{}{}", ["a", "b", "c", "d"][column], row + 1, ["n", "e", "s", "w"][side])
}

fn names(set: Set) -> BTreeSet<String> {
    spaces(set).map(|space| space.to_string()).collect()
}

fn set(list: &str) -> BTreeSet<String> {
    list.split_whitespace().map(String::from).collect()
}

fn space(name: &str) -> Space {
    Space::parse(name.as_bytes()).expect(name)
}

#[test]
fn the_board_has_the_triangles_of_figure_1() {
    let figure = figure("Figure 1");
    assert_eq!(figure.triangles.len(), 96);
    assert_eq!(figure.triangles, names(BOARD));
    for row in 0..7 {
        for column in 0..4 {
            for side in 0..4 {
                let name = name(column, row, side);
                let drawn = figure.triangles.contains(&name);
                assert_eq!(Space::parse(name.as_bytes()).is_ok(), drawn, "{name}");
            }
        }
    }
}

#[test]
fn starts_and_goals_are_where_figure_1_marks_them() {
    let figure = figure("Figure 1");
    assert_eq!(figure.marked("P"), names(GOALS));
    let (tip, flat): (BTreeSet<_>, BTreeSet<_>) =
        figure.marked("X").into_iter().partition(|name| name.as_bytes()[1] == b'6');
    assert_eq!(tip, names(SERRA_STARTS));
    assert_eq!(flat, COPPER_STARTS.iter().map(Space::to_string).collect());
    let marks: usize = figure.marks.values().map(Vec::len).sum();
    assert_eq!(marks, 4 + 8 + 2, "a mark of figure 1 was not understood");
}

/// Figures 2a and 2b: `0` the piece, `1` across, `2` where it may end, `*` where it may not.
fn check_figure_2(title: &str, piece: &str) {
    let figure = figure(title);
    assert_eq!(figure.marked("0"), set(piece));
    let from = space(piece);
    let through = from.across().expect("a triangle across");
    assert_eq!(figure.marked("1"), set(&through.to_string()));
    assert_eq!(figure.marked("2"), names(from.reach()));
    // The stars are the triangles that share a side with the one across.
    let neighbours: Vec<Space> = spaces(BOARD)
        .filter(|other| *other != through && super::reference::share_side(through, *other))
        .collect();
    let stars: BTreeSet<String> = neighbours.iter().map(Space::to_string).collect();
    assert_eq!(figure.marked("*"), stars);
    let marks: usize = figure.marks.values().map(Vec::len).sum();
    assert_eq!(marks, 2 + from.reach().count_ones() as usize + stars.len());
}

#[test]
fn a_piece_in_the_middle_moves_as_figure_2a_shows() {
    check_figure_2("Figure 2a", "c2w");
}

#[test]
fn a_piece_at_the_edge_moves_as_figure_2b_shows() {
    check_figure_2("Figure 2b", "b1n");
}

#[test]
fn captures_go_as_figure_3_shows() {
    let figure = figure("Figure 3");
    let pieces = [("E", "a1w"), ("G1", "b1n"), ("G2", "b2n"), ("S", "b2e")];
    for (mark, at) in pieces {
        assert_eq!(figure.marked(mark), set(at));
    }
    let step = |mark: &str| figure.marked(mark).into_iter().next().expect(mark);
    assert_eq!(space("b1n").across(), Some(space(&step("<1>"))));
    assert_eq!(space("b2e").across(), Some(space(&step(">1<"))));
    let marks: usize = figure.marks.values().map(Vec::len).sum();
    assert_eq!(marks, pieces.len() + 4);

    let text = "Ew,Gn,-,-/-,GnSe,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,-";
    let mut guardian = position(&format!("{text} c"));
    play(&mut guardian, &format!("b1n{}", step("<2>")));
    assert_eq!(moves_of(&guardian, ""), ["pass"], "the Ser'ra is locked");
    let mut serra = position(&format!("{text} s"));
    play(&mut serra, &format!("b2e{}", step(">2<")));
    assert_eq!(parlor::game::Game::reason(&serra), Some("egg-captured"));
}

#[test]
fn the_eight_dead_spaces_are_those_of_the_tip() {
    assert_eq!(names(DEAD), set("a6n a6e d6n d6w b7n c7n b7e c7w"));
    assert_eq!(spaces(BOARD).filter(|space| space.reach() == 0).count(), 8);
    assert_eq!(across(across(BOARD)), BOARD);
}
