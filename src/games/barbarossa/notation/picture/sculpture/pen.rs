//! Paths in a box of 100 by 100, x to the right and y down.

use crate::picture::Shape;

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Room {
    /// A room by its middle and its sides.
    pub(super) const fn around(x: i32, y: i32, width: i32, height: i32) -> Room {
        let (left, top) = (x - width / 2, y - height / 2);
        Room { left, top, right: left + width, bottom: top + height }
    }

    pub(super) const fn x(self) -> i32 {
        (self.left + self.right) / 2
    }

    pub(super) const fn y(self) -> i32 {
        (self.top + self.bottom) / 2
    }

    pub(super) const fn width(self) -> i32 {
        self.right - self.left
    }

    pub(super) const fn height(self) -> i32 {
        self.bottom - self.top
    }

    /// A room of this size that stands in the middle of the floor of this one.
    pub(super) fn standing(self, width: i32, height: i32) -> Room {
        let (width, height) = (width.min(self.width()), height.min(self.height()));
        let left = self.x() - width / 2;
        Room { left, top: self.bottom - height, right: left + width, bottom: self.bottom }
    }
}

/// Draws shapes, the ones behind first.
pub(super) struct Pen {
    pub(super) shapes: Vec<Shape>,
    scale: f64,
    shift: i32,
}

impl Default for Pen {
    fn default() -> Self {
        Pen { shapes: Vec::new(), scale: 1.0, shift: 0 }
    }
}

impl Pen {
    /// What follows is drawn smaller, on the same floor, and moved to the right.
    pub(super) fn place(&mut self, scale: f64, shift: i32) {
        (self.scale, self.shift) = (scale, shift);
    }

    fn x(&self, x: i32) -> i32 {
        (f64::from(x) * self.scale).round() as i32 + self.shift
    }

    fn y(&self, y: i32) -> i32 {
        92 - (f64::from(92 - y) * self.scale).round() as i32
    }

    fn size(&self, size: i32) -> i32 {
        (f64::from(size) * self.scale).round().max(1.0) as i32
    }

    fn add(&mut self, path: String, fill: Option<&str>) {
        self.shapes.push(Shape { path, fill: fill.map(str::to_owned) });
    }

    fn ellipse_path(&self, x: i32, y: i32, rx: i32, ry: i32) -> String {
        let (x, y, rx, ry) = (self.x(x), self.y(y), self.size(rx), self.size(ry));
        format!("M{} {y}a{rx} {ry} 0 1 0 {} 0a{rx} {ry} 0 1 0 {} 0Z", x - rx, 2 * rx, -2 * rx)
    }

    /// A piece of clay.
    pub(super) fn ellipse(&mut self, x: i32, y: i32, rx: i32, ry: i32) {
        let path = self.ellipse_path(x, y, rx, ry);
        self.add(path, Some("clay"));
    }

    /// A hollow.
    pub(super) fn dent(&mut self, x: i32, y: i32, rx: i32, ry: i32) {
        let path = self.ellipse_path(x, y, rx, ry);
        self.add(path, Some("dent"));
    }

    /// A path of points; `curved` joins the middles of the sides.
    fn points_path(&self, points: &[(i32, i32)], closed: bool) -> String {
        let mut path = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{letter}{} {}", self.x(*x), self.y(*y)));
        }
        if closed {
            path.push('Z');
        }
        path
    }

    /// A piece of clay with corners.
    pub(super) fn polygon(&mut self, points: &[(i32, i32)]) {
        let path = self.points_path(points, true);
        self.add(path, Some("clay"));
    }

    /// A hollow with corners.
    pub(super) fn cut(&mut self, points: &[(i32, i32)]) {
        let path = self.points_path(points, true);
        self.add(path, Some("dent"));
    }

    /// A line that is scratched.
    pub(super) fn line(&mut self, points: &[(i32, i32)]) {
        let path = self.points_path(points, false);
        self.add(path, None);
    }

    /// A curve from the first point to the last, drawn towards the middle one; three points.
    fn curve_path(&self, [from, by, to]: [(i32, i32); 3]) -> String {
        let at = |(x, y): (i32, i32)| format!("{} {}", self.x(x), self.y(y));
        format!("M{}Q{} {}", at(from), at(by), at(to))
    }

    /// A line that bends.
    pub(super) fn bow(&mut self, points: [(i32, i32); 3]) {
        let path = self.curve_path(points);
        self.add(path, None);
    }

    /// A bent piece of clay between two curves with the same ends.
    pub(super) fn crescent(&mut self, points: [(i32, i32); 3], back: (i32, i32)) {
        let mut path = self.curve_path(points);
        path.push_str(&format!(
            "Q{} {} {} {}Z",
            self.x(back.0),
            self.y(back.1),
            self.x(points[0].0),
            self.y(points[0].1)
        ));
        self.add(path, Some("clay"));
    }

    /// A block with rounded corners.
    pub(super) fn block(&mut self, room: Room, round: i32) {
        let (left, top) = (self.x(room.left), self.y(room.top));
        let (width, height) = (self.size(room.width()), self.size(room.height()));
        let round = self.size(round).min(width / 2).min(height / 2);
        let (across, down) = (width - 2 * round, height - 2 * round);
        self.add(
            format!(
                "M{} {top}h{across}a{round} {round} 0 0 1 {round} {round}v{down}a{round} {round} 0 0 1 \
                 -{round} {round}h-{across}a{round} {round} 0 0 1 -{round} -{round}v-{down}a{round} \
                 {round} 0 0 1 {round} -{round}Z",
                left + round
            ),
            Some("clay"),
        );
    }
}
