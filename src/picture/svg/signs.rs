//! What marks a cell or a piece beside its colour.

use super::super::json::rounded;
use super::super::{Mark, Point};
use super::Drawing;

/// A wave, a star of eight points and a shackle, in a box from -1 to 1.
const WAVES: &str = "M-1 -0.5q0.25 -0.3 0.5 0t0.5 0t0.5 0t0.5 0M-1 0q0.25 -0.3 0.5 0t0.5 0t0.5 0t0.5 0\
     M-1 0.5q0.25 -0.3 0.5 0t0.5 0t0.5 0t0.5 0";
const STAR: &str = "M0 -1L0.25 -0.6L0.7 -0.7L0.6 -0.25L1 0L0.6 0.25L0.7 0.7L0.25 0.6L0 1L-0.25 0.6\
     L-0.7 0.7L-0.6 0.25L-1 0L-0.6 -0.25L-0.7 -0.7L-0.25 -0.6Z";
const PADLOCK: &str = "M-0.5 -0.1H0.5V0.6H-0.5ZM-0.3 -0.1V-0.35A0.3 0.3 0 0 1 0.3 -0.35V-0.1";
const CROSS: &str = "M-1 -1L1 1M-1 1L1 -1";
const HATCH: &str = "M-1 0L0 -1M-1 1L1 -1M0 1L1 0";
const RING: &str = "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z";
const BAR: &str = "M-1 0H1";
/// The signs of pieces that are a ring around them.
const RINGED: [&str; 3] = ["ring", "cross", "lock"];

impl<'a> Drawing<'a> {
    /// A sign on a cell, under what stands there.
    pub(super) fn sign(&mut self, at: Point, sign: &str, r: f64, role: &str) {
        match sign {
            "ring" => self.stroke(at, r, RING, role, "0.06"),
            "cross" => self.stroke(at, r, CROSS, role, "0.05"),
            "hatch" => self.stroke(at, r, HATCH, role, "0.05"),
            "bar" => self.stroke(at, r, BAR, role, "0.07"),
            "waves" => self.stroke(at, 0.8 * r, WAVES, role, "0.05"),
            "star" => self.stroke(at, 0.9 * r, STAR, role, "0.04"),
            "lock" => self.stroke(at, 0.8 * r, PADLOCK, role, "0.05"),
            "dot" => {
                let ([x, y], r, color) = (at, rounded(0.25 * r), self.color(role));
                self.put(format_args!("<circle cx='{x}' cy='{y}' r='{r}' fill='{color}'/>"));
            }
            _ => {}
        }
    }

    /// An outline in a box from -1 to 1; widths are those of a piece of the usual size.
    fn stroke(&mut self, [x, y]: Point, r: f64, path: &str, role: &str, width: &str) {
        let (x, y, r, color) = (rounded(x), rounded(y), rounded(r), self.color(role));
        let width = rounded(width.parse::<f64>().unwrap_or(0.05) / 0.4);
        self.put(format_args!(
            "<path transform='translate({x} {y}) scale({r})' d='{path}' stroke='{color}' \
             stroke-width='{width}' stroke-linecap='round' stroke-linejoin='round' fill='none'/>"
        ));
    }

    /// The ring of a mark, which lies under the pieces and shows around them.
    pub(super) fn draw_ring(&mut self, mark: &Mark) {
        let Some((sign, at)) = self.sign_of(mark) else { return };
        if RINGED.contains(&sign) {
            self.stroke(at, 1.1 * self.table.piece, RING, "alert", "0.08");
        }
    }

    /// Marks that are signs lie over the pieces, some as a badge at the corner of one, so that the
    /// piece stays to be seen.
    pub(super) fn draw_badge(&mut self, mark: &Mark) {
        let Some((sign, at)) = self.sign_of(mark) else { return };
        let r = self.table.piece;
        if !RINGED.contains(&sign) {
            self.sign(at, sign, 1.1 * r, "alert");
        }
        let (path, size) = match sign {
            "lock" => (PADLOCK, 0.4),
            "cross" => (CROSS, 0.2),
            _ => return,
        };
        let [x, y] = [at[0] + 0.74 * r, at[1] + 0.7 * r].map(rounded);
        let (radius, fill, edge) = (rounded(0.46 * r), self.color("alert"), self.color("ground"));
        self.put(format_args!(
            "<circle cx='{x}' cy='{y}' r='{radius}' fill='{fill}' stroke='{edge}' stroke-width='{}'/>",
            rounded(0.08 * r)
        ));
        self.stroke([x, y], size * r, path, "ground", "0.1");
    }

    /// The sign of a mark and where it stands.
    fn sign_of(&self, mark: &Mark) -> Option<(&'a str, Point)> {
        let table = self.table;
        let sign = table.kinds.get(&mark.kind)?.mark.as_deref()?;
        Some((sign, self.place(table.cell(&mark.cell)?.at)))
    }
}
