//! What marks a cell or a piece beside its colour.

use super::super::json::rounded;
use super::super::{Mark, Point, icons};
use super::Drawing;

/// The signs of pieces that are a ring around them.
const RINGED: [&str; 3] = ["ring", "cross", "lock"];

impl<'a> Drawing<'a> {
    /// A sign on a cell, under what stands there.
    pub(super) fn sign(&mut self, at: Point, sign: &str, r: f64, role: &str) {
        let Some(drawn) = icons::sign(sign) else { return };
        let (size, width) = match sign {
            "dot" => {
                let ([x, y], r, color) = (at, rounded(0.25 * r), self.color(role));
                self.put(format_args!("<circle cx='{x}' cy='{y}' r='{r}' fill='{color}'/>"));
                return;
            }
            "ring" => (1.0, "0.06"),
            "bar" => (1.0, "0.07"),
            "cross" | "hatch" => (1.0, "0.05"),
            "star" => (0.9, "0.04"),
            _ => (0.8, "0.05"),
        };
        self.stroke(at, size * r, drawn.path, role, width);
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
        if let Some(ring) = icons::sign("ring").filter(|_| RINGED.contains(&sign)) {
            self.stroke(at, 1.1 * self.table.piece, ring.path, "alert", "0.08");
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
        let size = match sign {
            "lock" => 0.4,
            "cross" => 0.2,
            _ => return,
        };
        let Some(drawn) = icons::sign(sign) else { return };
        let [x, y] = [at[0] + 0.74 * r, at[1] + 0.7 * r].map(rounded);
        let (radius, fill, edge) = (rounded(0.46 * r), self.color("alert"), self.color("ground"));
        self.put(format_args!(
            "<circle cx='{x}' cy='{y}' r='{radius}' fill='{fill}' stroke='{edge}' stroke-width='{}'/>",
            rounded(0.08 * r)
        ));
        self.stroke([x, y], size * r, drawn.path, "ground", "0.1");
    }

    /// The sign of a mark and where it stands.
    fn sign_of(&self, mark: &Mark) -> Option<(&'a str, Point)> {
        let table = self.table;
        let sign = table.kinds.get(&mark.kind)?.mark.as_deref()?;
        Some((sign, self.place(table.cell(&mark.cell)?.at)))
    }
}
