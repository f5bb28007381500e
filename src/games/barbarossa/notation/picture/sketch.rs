//! A sculpture as a sketch in text, from the shapes of its picture.
//!
//! Shapes are drawn on a grid of dots, the ones behind first: each hides what it covers and leaves its
//! outline. Then some dots make a character.

use crate::game::DiagramStyle;
use crate::picture::Shape;

/// The box of the picture.
const BOX: f64 = 100.0;

/// Steps of a curve.
const STEPS: usize = 24;

/// The width and height of a sketch in characters.
pub(super) const WIDTH: usize = 18;
const HEIGHT: usize = 9;

type Point = (f64, f64);

/// A grid of dots: those that are set belong to outlines, scratches and hollows.
struct Dots {
    across: usize,
    down: usize,
    set: Vec<bool>,
}

impl Dots {
    fn new(across: usize, down: usize) -> Dots {
        Dots { across, down, set: vec![false; across * down] }
    }

    /// The point of a dot's middle.
    fn middle(&self, column: usize, row: usize) -> Point {
        let at = |index: usize, count: usize| (index as f64 + 0.5) * BOX / count as f64;
        (at(column, self.across), at(row, self.down))
    }

    fn mark(&mut self, (x, y): Point, set: bool) {
        let at = |value: f64, count: usize| (value * count as f64 / BOX).floor();
        let (column, row) = (at(x, self.across), at(y, self.down));
        let inside = |index: f64, count: usize| (0.0..count as f64).contains(&index);
        if inside(column, self.across) && inside(row, self.down) {
            self.set[row as usize * self.across + column as usize] = set;
        }
    }

    fn draw(&mut self, shape: &Shape) {
        let outline = points(&shape.path);
        if let Some(fill) = &shape.fill {
            let hollow = fill == "dent";
            for row in 0..self.down {
                for column in 0..self.across {
                    if encloses(&outline, self.middle(column, row)) {
                        self.set[row * self.across + column] = hollow;
                    }
                }
            }
        }
        for pair in outline.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let steps = (dx.abs().max(dy.abs()) * 1.5).ceil().max(1.0);
            for step in 0..=steps as usize {
                let part = step as f64 / steps;
                self.mark((from.0 + part * dx, from.1 + part * dy), true);
            }
        }
    }

    fn is_set(&self, column: usize, row: usize) -> bool {
        self.set.get(row * self.across + column).copied().unwrap_or(false)
    }
}

/// The sketch of a sculpture, a line each; all as wide.
pub(super) fn sketch(shapes: &[Shape], style: DiagramStyle) -> Vec<String> {
    let (wide, tall) = match style {
        DiagramStyle::Ascii => (2, 2),
        DiagramStyle::Unicode => (2, 4),
    };
    let mut dots = Dots::new(WIDTH * wide, HEIGHT * tall);
    for shape in shapes {
        dots.draw(shape);
    }
    let cell = |column: usize, row: usize| match style {
        DiagramStyle::Ascii => ascii(&dots, 2 * column, 2 * row),
        DiagramStyle::Unicode => braille(&dots, 2 * column, 4 * row),
    };
    (0..HEIGHT).map(|row| (0..WIDTH).map(|column| cell(column, row)).collect()).collect()
}

/// Four dots as a character.
fn ascii(dots: &Dots, column: usize, row: usize) -> char {
    let set = |x: usize, y: usize| dots.is_set(column + x, row + y);
    match (set(0, 0), set(1, 0), set(0, 1), set(1, 1)) {
        (false, false, false, false) => ' ',
        (true, true, false, false) => '"',
        (_, _, false, false) => '\'',
        (false, false, true, true) => '_',
        (false, false, _, _) => '.',
        (true, false, false, true) => '\\',
        (false, true, true, false) => '/',
        (true, false, true, false) | (false, true, false, true) => '|',
        (true, true, true, true) => '#',
        (true, true, _, _) => '^',
        (_, _, true, true) => 'L',
    }
}

/// Eight dots as a character of braille.
fn braille(dots: &Dots, column: usize, row: usize) -> char {
    // The bits of the dots, the left column first.
    const BITS: [[u32; 4]; 2] = [[0, 1, 2, 6], [3, 4, 5, 7]];
    let mut code = 0x2800;
    for (x, bits) in BITS.iter().enumerate() {
        for (y, bit) in bits.iter().enumerate() {
            code |= u32::from(dots.is_set(column + x, row + y)) << bit;
        }
    }
    if code == 0x2800 { ' ' } else { char::from_u32(code).unwrap_or(' ') }
}

/// Whether an outline encloses a point: a ray to the right crosses it an odd number of times.
fn encloses(outline: &[Point], (x, y): Point) -> bool {
    let crosses = |pair: &[Point]| {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        (y1 > y) != (y2 > y) && x < x1 + (y - y1) * (x2 - x1) / (y2 - y1)
    };
    outline.windows(2).filter(|pair| crosses(pair)).count() % 2 == 1
}

/// The points of a path of lines, curves, quarters of circles and halves of ellipses.
fn points(path: &str) -> Vec<Point> {
    let mut line: Vec<Point> = Vec::new();
    let mut rest = path;
    while let Some(letter) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |at| at + 1);
        let numbers = numbers(&rest[1..end]);
        rest = &rest[end..];
        let at = line.last().copied().unwrap_or((0.0, 0.0));
        match (letter, numbers.as_slice()) {
            ('M' | 'L', [x, y]) => line.push((*x, *y)),
            ('h', [dx]) => line.push((at.0 + dx, at.1)),
            ('v', [dy]) => line.push((at.0, at.1 + dy)),
            ('Q', [bx, by, x, y]) => curve(&mut line, at, (*bx, *by), (*x, *y)),
            ('a', [_, ry, _, large, _, dx, dy]) => {
                if *large > 0.0 {
                    half_ellipse(&mut line, at, *dx, *ry);
                } else {
                    line.push((at.0 + dx, at.1 + dy));
                }
            }
            ('Z', _) => line.extend(line.first().copied()),
            _ => {}
        }
    }
    line
}

/// The numbers of a command; a minus sign begins a new one.
fn numbers(text: &str) -> Vec<f64> {
    let spaced = text.replace('-', " -");
    spaced.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn curve(line: &mut Vec<Point>, from: Point, by: Point, to: Point) {
    for step in 1..=STEPS {
        let t = step as f64 / STEPS as f64;
        let mix = |a: f64, b: f64, c: f64| {
            (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
        };
        line.push((mix(from.0, by.0, to.0), mix(from.1, by.1, to.1)));
    }
}

/// Half an ellipse: below where it leads to the right, above where it leads to the left.
fn half_ellipse(line: &mut Vec<Point>, from: Point, dx: f64, ry: f64) {
    for step in 1..=STEPS {
        let angle = std::f64::consts::PI * step as f64 / STEPS as f64;
        let x = from.0 + dx * (1.0 - libm::cos(angle)) / 2.0;
        line.push((x, from.1 + ry * libm::sin(angle) * dx.signum()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(path: &str, fill: Option<&str>) -> Shape {
        Shape { path: path.into(), fill: fill.map(str::to_owned) }
    }

    #[test]
    fn outlines_are_drawn_and_hide_what_is_behind() {
        let line = shape("M0 50L100 50", None);
        let alone = sketch(std::slice::from_ref(&line), DiagramStyle::Ascii);
        assert_eq!(alone.iter().filter(|row| row.trim().is_empty()).count(), HEIGHT - 1);
        assert!(alone.iter().any(|row| !row.contains(' ')), "{alone:?}");
        // A block in the middle covers the line.
        let block = shape("M20 10L80 10L80 90L20 90Z", Some("clay"));
        let both = sketch(&[line, block], DiagramStyle::Ascii);
        let middle = both.iter().find(|row| !row.starts_with(' ')).unwrap();
        assert!(middle.contains("    "), "{both:?}");
        // A hollow is dark.
        let dent = shape("M30 30L70 30L70 70L30 70Z", Some("dent"));
        let dark = sketch(&[dent], DiagramStyle::Ascii);
        assert!(dark.iter().any(|row| row.contains("###")), "{dark:?}");
    }

    #[test]
    fn an_ellipse_is_as_wide_and_as_high_as_its_radii() {
        let path = points("M20 50a30 10 0 1 0 60 0a30 10 0 1 0 -60 0Z");
        let most = |of: fn(&Point) -> f64| path.iter().map(of).fold(f64::MIN, f64::max);
        let least = |of: fn(&Point) -> f64| path.iter().map(of).fold(f64::MAX, f64::min);
        assert!((most(|p| p.0) - 80.0).abs() < 1e-9 && (least(|p| p.0) - 20.0).abs() < 1e-9);
        assert!((most(|p| p.1) - 60.0).abs() < 1e-9 && (least(|p| p.1) - 40.0).abs() < 1e-9);
        assert!(encloses(&path, (50.0, 50.0)) && !encloses(&path, (25.0, 58.0)));
    }

    #[test]
    fn both_styles_have_the_same_size() {
        for style in [DiagramStyle::Ascii, DiagramStyle::Unicode] {
            let rows = sketch(&[shape("M0 0L99 99", None)], style);
            assert_eq!(rows.len(), HEIGHT);
            assert!(rows.iter().all(|row| row.chars().count() == WIDTH));
        }
    }
}
