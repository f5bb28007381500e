//! The shares of the seats with their intervals as SVG: a row for each group of games, a mark for
//! each seat.

use std::fmt::Write;

use super::chart::COLOURS;
use crate::picture::axis;
use crate::picture::svg::escape;
use crate::statistics::Interval;

const LEFT: f64 = 130.0;
const FIELD: f64 = 520.0;
const RIGHT: f64 = 90.0;
const TOP: f64 = 76.0;
/// The height of a row with one mark, and what each further seat adds.
const LINE: f64 = 18.0;
const SEAT: f64 = 7.0;

/// The shares of the seats in some of the games.
#[derive(Debug)]
pub(super) struct Group {
    /// The token, or `all games`.
    pub(super) name: String,
    /// The number of games.
    pub(super) games: u64,
    /// The share of the first place of each seat, less luck where throws were valued.
    pub(super) shares: Vec<Interval>,
}

/// The chart as a document.
pub(super) fn draw(heading: &str, seats: usize, groups: &[Group]) -> String {
    let line = LINE + SEAT * seats.saturating_sub(1) as f64;
    let bottom = TOP + line * groups.len() as f64;
    let (width, height) = (LEFT + FIELD + RIGHT, bottom + 36.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" \
         fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
        escape(heading)
    );
    let field = Field::of(groups, 1.0 / seats.max(1) as f64);
    field.marks(&mut svg, bottom);
    legend(&mut svg, seats);
    for (index, group) in groups.iter().enumerate() {
        let top = TOP + line * index as f64;
        // Writing to a String never fails: the results of `writeln!` say nothing.
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#666\">{}</text>",
            LEFT - 10.0,
            top + line / 2.0 + 4.5,
            escape(&group.name),
            LEFT + FIELD + 10.0,
            top + line / 2.0 + 4.5,
            group.games
        );
        let first = top + (line - SEAT * seats.saturating_sub(1) as f64) / 2.0;
        for (seat, share) in group.shares.iter().enumerate() {
            field.share(&mut svg, share, seat, first + SEAT * seat as f64);
        }
    }
    svg + "</svg>\n"
}

/// The shares that the field shows, from its left edge to its right one.
struct Field {
    low: f64,
    high: f64,
    even: f64,
}

impl Field {
    /// Whole steps of 5 % around all intervals and the even share.
    fn of(groups: &[Group], even: f64) -> Self {
        let shares = || groups.iter().flat_map(|group| &group.shares);
        let low = shares().map(|share| share.low).fold(even, f64::min);
        let high = shares().map(|share| share.high).fold(even, f64::max);
        Field { low: (low * 20.0).floor() / 20.0, high: (high * 20.0).ceil() / 20.0, even }
    }

    fn place(&self, share: f64) -> f64 {
        LEFT + FIELD * (share - self.low) / (self.high - self.low).max(0.05)
    }

    fn marks(&self, svg: &mut String, bottom: f64) {
        let ticks = axis::ticks(self.low, self.high, 0.05, 8.0);
        let label = |share: f64| format!("{:.0} %", 100.0 * share);
        axis::draw(svg, [TOP, bottom], ticks, |share| self.place(share), label);
        let even = self.place(self.even);
        let _ = writeln!(
            svg,
            "<line x1=\"{even:.1}\" y1=\"{TOP}\" x2=\"{even:.1}\" y2=\"{bottom:.1}\" \
             stroke=\"#888\" stroke-dasharray=\"5 4\"/>"
        );
    }

    fn share(&self, svg: &mut String, share: &Interval, seat: usize, y: f64) {
        let [low, at, high] = [share.low, share.value, share.high].map(|x| self.place(x));
        let colour = COLOURS[seat % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<line x1=\"{low:.1}\" y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\" \
             stroke=\"{colour}\" stroke-width=\"2\"/><circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"4\" \
             fill=\"{colour}\"/>"
        );
    }
}

/// A mark for each seat, the dashed line, and what stands on the right.
fn legend(svg: &mut String, seats: usize) {
    let y = 50.0;
    for seat in 0..seats {
        let x = LEFT + 52.0 * seat as f64;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/><text x=\"{:.1}\" \
             y=\"{y:.1}\">p{}</text>",
            y - 4.5,
            COLOURS[seat % COLOURS.len()],
            x + 10.0,
            seat + 1
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#666\">dashed: even shares</text>\
         <text x=\"{:.1}\" y=\"{y:.1}\" fill=\"#666\">games</text>",
        LEFT + FIELD,
        LEFT + FIELD + 10.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stand_where_the_marks_say() {
        let share = |value, low, high| Interval { value, low, high };
        let group = Group {
            name: "a<b".into(),
            games: 7,
            shares: vec![share(0.75, 0.5, 1.0), share(0.25, 0.0, 0.5)],
        };
        let svg = draw("x", 2, &[group]);
        // The field goes from 0 to 100 %: 130 to 650.
        assert!(svg.contains("cx=\"520.0\"") && svg.contains("cx=\"260.0\""), "{svg}");
        assert!(svg.contains("x1=\"390.0\"") && svg.contains("a&lt;b</text>"), "{svg}");
        assert!(svg.contains("x=\"650.0\" y=\"119.0\" text-anchor=\"middle\">100 %"), "{svg}");
        assert!(!draw("x", 0, &[]).contains("NaN"));
    }
}
