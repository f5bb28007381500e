//! All set-ups as a drawing: a row for each pair of spaces of the eggs, a mark for each set-up.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Setup;
use parlor::games::porrika::board::spaces;
use parlor::picture::axis;
use parlor::search::Score;

const LEFT: f64 = 100.0;
const FIELD: f64 = 560.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 60.0;
const LINE: f64 = 20.0;
/// A forced win stands at the edge of a field as wide as this on either side, in eggs' worth.
const FORCED: f64 = 10.0;

/// The values of the set-ups with the eggs on the same two spaces.
struct Row {
    spaces: String,
    values: Vec<f64>,
}

impl Row {
    fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }
}

/// The drawing as a document.
pub fn draw(setups: &[Setup]) -> String {
    let rows = rows(setups);
    let all = || rows.iter().flat_map(|row| &row.values);
    let low = (all().copied().fold(f64::INFINITY, f64::min) * 10.0).floor() / 10.0;
    let high = (all().copied().fold(f64::NEG_INFINITY, f64::max) * 10.0).ceil() / 10.0;
    let span = (high - low).max(0.1);
    let place = |value: f64| LEFT + FIELD * (value - low) / span;
    let bottom = TOP + LINE * rows.len() as f64;
    let (width, height) = (LEFT + FIELD + RIGHT, bottom + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" \
         fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">The value of every set-up \
         for copper</text>\n<text x=\"{LEFT}\" y=\"44\" fill=\"#666\">rows: the spaces of the eggs; \
         bars: their mean</text>\n"
    );
    let label = |value| format!("{value:+.1}");
    axis::draw(&mut svg, [TOP, bottom], axis::ticks(low, high, 0.1, 8.0), place, label);
    for (index, row) in rows.iter().enumerate() {
        draw_row(&mut svg, row, TOP + LINE * (index as f64 + 0.5), place);
    }
    svg + "</svg>\n"
}

// Writing to a String never fails: the results of `writeln!` say nothing.
fn draw_row(svg: &mut String, row: &Row, y: f64, place: impl Fn(f64) -> f64) {
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        LEFT - 10.0,
        y + 4.5,
        row.spaces
    );
    for value in &row.values {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#d55e00\" fill-opacity=\"0.5\"/>",
            place(*value)
        );
    }
    let mean = place(row.mean());
    let _ = writeln!(
        svg,
        "<line x1=\"{mean:.1}\" y1=\"{:.1}\" x2=\"{mean:.1}\" y2=\"{:.1}\" stroke=\"#222\" \
         stroke-width=\"2\"/>",
        y - 7.0,
        y + 7.0
    );
}

/// The set-ups by the spaces of the eggs, the best pair first.
fn rows(setups: &[Setup]) -> Vec<Row> {
    let mut values: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for setup in setups {
        let eggs: Vec<String> =
            spaces(setup.position.eggs()).map(|space| space.to_string()).collect();
        let value = match setup.score {
            Score::Cp(cp) => f64::from(cp) / 100.0,
            Score::Mate(plies) => FORCED.copysign(f64::from(plies)),
        };
        values.entry(eggs.join(" ")).or_default().push(value);
    }
    let mut rows: Vec<Row> =
        values.into_iter().map(|(spaces, values)| Row { spaces, values }).collect();
    rows.sort_by(|one, other| other.mean().total_cmp(&one.mean()));
    rows
}
