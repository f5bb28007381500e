//! The marks along the axis of a chart.

use std::fmt::Write;

/// Round numbers from `low` to `high`. They stand apart by 1, 2 or 5 times a power of ten: by the
/// least such distance, not below `least`, that fits at most `most` times. None where the ends are
/// not finite.
pub fn ticks(low: f64, high: f64, least: f64, most: f64) -> impl Iterator<Item = f64> {
    let power = |exponent: i32| match exponent {
        0.. => 10f64.powi(exponent),
        _ => 1.0 / 10f64.powi(-exponent),
    };
    let steps =
        (-6..18).flat_map(|exponent| [1.0, 2.0, 5.0].map(|factor| factor * power(exponent)));
    let step = steps.into_iter().find(|step| *step >= least && (high - low) / step <= most);
    // An end that is a mark but for rounding is one.
    let numbers = step.filter(|_| low.is_finite() && high.is_finite()).map(|step| {
        let [first, last] = [(low / step - 1e-9).ceil(), (high / step + 1e-9).floor()];
        (first as i64..=last as i64).map(move |number| number as f64 * step)
    });
    numbers.into_iter().flatten()
}

/// Draws a line from top to bottom at the place of each mark, and its label below.
pub fn draw(
    svg: &mut String,
    [top, bottom]: [f64; 2],
    marks: impl Iterator<Item = f64>,
    place: impl Fn(f64) -> f64,
    label: impl Fn(f64) -> String,
) {
    for mark in marks {
        let (at, label) = (place(mark), label(mark));
        // Writing to a String never fails.
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" \
             stroke=\"#ddd\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}\
             </text>",
            bottom + 18.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(low: f64, high: f64, least: f64, most: f64) -> Vec<f64> {
        ticks(low, high, least, most).collect()
    }

    #[test]
    fn marks_are_round_and_not_too_many() {
        assert_eq!(all(0.0, 1.0, 1.0, 10.0), [0.0, 1.0]);
        assert_eq!(all(0.0, 11.0, 1.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(all(0.0, 400.0, 1.0, 10.0)[..2], [0.0, 50.0]);
        assert_eq!(all(-130.0, 260.0, 0.0, 5.0), [-100.0, 0.0, 100.0, 200.0]);
        assert_eq!(all(0.25, 0.5, 0.05, 8.0).len(), 6);
        assert_eq!(all(0.0, 1.0, 0.05, 8.0).last(), Some(&1.0));
        // No ends, and ends in the wrong order.
        assert!(all(f64::INFINITY, f64::NEG_INFINITY, 1.0, 5.0).is_empty());
        assert!(all(f64::NAN, 1.0, 1.0, 5.0).is_empty() && all(3.0, 1.0, 1.0, 5.0).is_empty());
    }
}
