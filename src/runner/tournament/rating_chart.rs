//! Ratings with their intervals as SVG, best on top.

use std::fmt::Write;

use crate::picture::axis;
use crate::picture::svg::escape;

const LEFT: f64 = 190.0;
const FIELD: f64 = 480.0;
const RIGHT: f64 = 80.0;
const TOP: f64 = 44.0;
const LINE: f64 = 28.0;
const COLOUR: &str = "#0072b2";

/// One engine's rating. An end of the interval is infinite if the engine won or lost everything.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rated {
    pub(super) name: String,
    pub(super) elo: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) games: u64,
    pub(super) score: f64,
}

/// The chart as a document.
pub(super) fn draw(rated: &[Rated]) -> String {
    let scale = Scale::of(rated);
    let bottom = TOP + LINE * rated.len() as f64;
    let (width, height) = (LEFT + FIELD + RIGHT, bottom + 48.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" \
         fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">Elo with 95 % \
         intervals</text>\n"
    );
    scale.marks(&mut svg, bottom);
    for (index, row) in rated.iter().enumerate() {
        scale.row(&mut svg, row, TOP + LINE * (index as f64 + 0.5));
    }
    svg + "</svg>\n"
}

/// Where ratings stand along the line.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rated: &[Rated]) -> Self {
        let all = rated.iter().flat_map(|row| [row.low, row.elo, row.high]);
        let ends = || all.clone().filter(|elo| elo.is_finite());
        Scale {
            low: ends().fold(f64::INFINITY, f64::min),
            high: ends().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn span(&self) -> f64 {
        (self.high - self.low).max(1.0)
    }

    /// An open end reaches the border.
    fn place(&self, elo: f64) -> f64 {
        let within = 20.0 + (elo - self.low) / self.span() * (FIELD - 40.0);
        LEFT + within.clamp(4.0, FIELD - 4.0)
    }

    // Writing to a String never fails: the results of `writeln!` say nothing.
    fn marks(&self, svg: &mut String, bottom: f64) {
        let ticks = axis::ticks(self.low, self.high, 0.0, 5.0);
        // Without the sign of a negative zero.
        let label = |elo: f64| format!("{:.0}", elo + 0.0);
        axis::draw(svg, [TOP, bottom], ticks, |elo| self.place(elo), label);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">Elo; an arrow: no \
             bound on that side</text>",
            LEFT + FIELD,
            bottom + 40.0
        );
    }

    fn row(&self, svg: &mut String, row: &Rated, y: f64) {
        let (low, high) = (self.place(row.low), self.place(row.high));
        let elo = if row.low.is_finite() && row.high.is_finite() {
            format!("{:+.0}", row.elo)
        } else if row.low.is_finite() {
            format!("&gt; {:+.0}", row.low)
        } else {
            format!("&lt; {:+.0}", row.high)
        };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><line x1=\"{low:.1}\" \
             y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\" stroke=\"{COLOUR}\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{COLOUR}\"/><text x=\"{:.1}\" \
             y=\"{:.1}\">{elo}</text>",
            LEFT - 8.0,
            y + 4.5,
            escape(&row.name),
            self.place(row.elo),
            LEFT + FIELD + 10.0,
            y + 4.5
        );
        for (at, end, out) in [(low, row.low, -7.0), (high, row.high, 7.0)] {
            let tip = if end.is_finite() { at } else { at + out };
            let _ = writeln!(
                svg,
                "<polyline points=\"{at:.1},{:.1} {tip:.1},{y:.1} {at:.1},{:.1}\" fill=\"none\" \
                 stroke=\"{COLOUR}\" stroke-width=\"2\"/>",
                y - 5.0,
                y + 5.0
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_end_is_an_arrow_at_the_border() {
        let rated = |name: &str, elo, low, high| Rated {
            name: name.into(),
            elo,
            low,
            high,
            games: 10,
            score: 0.5,
        };
        let best = rated("a<b", 100.0, 0.0, 200.0);
        let svg = draw(&[best, rated("never", -300.0, f64::NEG_INFINITY, -100.0)]);
        // The greatest bound stands 20 pixels within the field, the open end 4 and its tip beyond.
        assert!(svg.contains("x2=\"650.0\"") && svg.contains("a&lt;b</text>"), "{svg}");
        assert!(svg.contains("points=\"194.0,") && svg.contains(" 187.0,"), "{svg}");
        assert!(svg.contains("&lt; -100</text>") && svg.contains("+100</text>"), "{svg}");
        assert!(!svg.contains("NaN") && !draw(&[]).contains("NaN"));
    }
}
