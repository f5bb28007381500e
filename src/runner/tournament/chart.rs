//! Charts as SVG: lines with bands over two axes.

use std::fmt::Write;

use crate::picture::axis;
use crate::picture::svg::escape;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// The length of a name in the legend, in pixels a character.
const CHARACTER: f64 = 7.5;

/// Colours that people with any kind of colour vision tell apart (Okabe and Ito).
pub(super) const COLOURS: [&str; 6] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// One line of a chart.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Line {
    /// Its name in the legend.
    pub(super) name: String,
    /// Its points, by x.
    pub(super) points: Vec<[f64; 2]>,
    /// The ends of the interval at some x: x, low, high.
    pub(super) band: Vec<[f64; 3]>,
}

/// A chart whose y axis goes from 0 to 100 percent.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Chart {
    /// What stands above it.
    pub(super) title: String,
    /// What is counted along the x axis, from 0.
    pub(super) x_label: String,
    /// What the y axis shows.
    pub(super) y_label: String,
    /// The value of even play, drawn as a dashed line.
    pub(super) even: f64,
    /// The lines.
    pub(super) lines: Vec<Line>,
}

impl Chart {
    /// The chart as a document.
    pub(super) fn svg(&self) -> String {
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" \
             fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
            escape(&self.title)
        );
        self.axes(&mut svg);
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            self.line(&mut svg, line, colour);
        }
        self.legend(&mut svg);
        svg + "</svg>\n"
    }

    /// The greatest x of all lines, at least 1.
    fn extent(&self) -> f64 {
        let points = self.lines.iter().flat_map(|line| &line.points);
        points.fold(1.0, |greatest: f64, [x, _]| greatest.max(*x))
    }

    // Writing to a String never fails: the results of `writeln!` say nothing.
    fn axes(&self, svg: &mut String) {
        for percent in [0, 25, 50, 75, 100] {
            let at = y(f64::from(percent) / 100.0);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                at + 4.5
            );
        }
        let extent = self.extent();
        for tick in axis::ticks(0.0, extent, 1.0, 10.0) {
            let (at, bottom) = (x_place(tick, extent), HEIGHT - BOTTOM);
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{bottom}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#888\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
                bottom + 5.0,
                bottom + 20.0
            );
        }
        let even = y(self.even);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{even:.1}\" x2=\"{:.1}\" y2=\"{even:.1}\" stroke=\"#888\" \
             stroke-dasharray=\"5 4\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             \n<text x=\"{LEFT}\" y=\"44\" fill=\"#666\">{}</text>",
            WIDTH - RIGHT,
            WIDTH - RIGHT,
            HEIGHT - 12.0,
            escape(&self.x_label),
            escape(&self.y_label)
        );
    }

    fn line(&self, svg: &mut String, line: &Line, colour: &str) {
        let extent = self.extent();
        let place = |x: f64, value: f64| format!("{:.1},{:.1}", x_place(x, extent), y(value));
        let band = visible(&line.band, extent);
        if band.len() > 1 {
            let upper = band.iter().map(|[x, _, high]| place(*x, *high));
            let lower = band.iter().rev().map(|[x, low, _]| place(*x, *low));
            let outline: Vec<String> = upper.chain(lower).collect();
            let _ = writeln!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>",
                outline.join(" ")
            );
        }
        let points = visible(&line.points, extent);
        let points: Vec<String> = points.iter().map(|[x, value]| place(*x, *value)).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }

    /// The names, beside the label of the y axis, right to left.
    fn legend(&self, svg: &mut String) {
        let mut right = WIDTH - RIGHT;
        for (index, line) in self.lines.iter().enumerate().rev() {
            let colour = COLOURS[index % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<text x=\"{right:.1}\" y=\"44\" text-anchor=\"end\">{}</text>",
                escape(&line.name)
            );
            let left = right - CHARACTER * line.name.chars().count() as f64 - 24.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{left:.1}\" y1=\"40\" x2=\"{:.1}\" y2=\"40\" stroke=\"{colour}\" \
                 stroke-width=\"3\"/>",
                left + 18.0
            );
            right = left - 16.0;
        }
    }
}

fn x_place(x: f64, extent: f64) -> f64 {
    LEFT + x / extent * (WIDTH - LEFT - RIGHT)
}

/// The points that can be told from each other: the last of each quarter of a pixel.
fn visible<const N: usize>(points: &[[f64; N]], extent: f64) -> Vec<[f64; N]> {
    let column = |point: &[f64; N]| (4.0 * x_place(point[0], extent)) as i64;
    points
        .chunk_by(|one, next| column(one) == column(next))
        .filter_map(|c| c.last().copied())
        .collect()
}

fn y(value: f64) -> f64 {
    HEIGHT - BOTTOM - value.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_puts_values_where_the_axes_say() {
        let line = Line {
            name: "a<b".into(),
            points: vec![[0.0, 0.0], [10.0, 1.0]],
            band: vec![[0.0, 0.0, 0.5], [10.0, 0.5, 1.0]],
        };
        let chart = Chart { even: 0.5, lines: vec![line], ..Chart::default() };
        let svg = chart.svg();
        // The lower left and the upper right corner of the field.
        assert!(svg.contains("<polyline points=\"64.0,328.0 736.0,64.0\""), "{svg}");
        assert!(svg.contains("a&lt;b</text>") && svg.contains("<polygon"), "{svg}");
        assert!(!svg.contains("NaN") && !Chart::default().svg().contains("NaN"));
    }

    #[test]
    fn a_long_match_is_drawn_by_what_can_be_seen_of_it() {
        let games = 300_000;
        let line = Line {
            points: (1..=games).map(|game| [f64::from(game), f64::from(game % 2)]).collect(),
            band: (1..=games).map(|game| [f64::from(game), 0.25, 0.75]).collect(),
            ..Line::default()
        };
        let svg = Chart { lines: vec![line], ..Chart::default() }.svg();
        assert!(svg.len() < 200_000, "{} bytes", svg.len());
        // The last point is that of the last game: an even number, on the lower edge.
        assert!(svg.contains(" 736.0,328.0\""), "{svg}");
    }
}
