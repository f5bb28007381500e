//! What is on a body: what it stands on, what is behind it and around it, and its surface.

use super::Features;
use super::pen::{Pen, Room};

/// Where the floor is.
const FLOOR: i32 = 92;

/// Draws what a thing stands on, and answers the room above it.
pub(super) fn below(features: &Features, pen: &mut Pen) -> Room {
    let has = |name| features.has(name);
    let mut room = Room { left: 6, top: 8, right: 94, bottom: FLOOR };
    if features.any(&["hangs", "has_loop"]) {
        (room.top, room.bottom) = (20, 84);
    }
    if features.any(&["has_wheels", "has_two_wheels", "has_four_wheels"]) {
        let places: &[i32] = if has("has_four_wheels") { &[22, 42, 62, 80] } else { &[28, 72] };
        for x in places {
            pen.ellipse(*x, FLOOR - 9, 9, 9);
            pen.dent(*x, FLOOR - 9, 3, 3);
        }
        room.bottom = FLOOR - 13;
    } else if features.any(&["has_table_legs", "has_legs", "has_four_legs"]) {
        for x in [24, 38, 62, 76] {
            pen.block(Room { left: x - 2, top: 58, right: x + 2, bottom: FLOOR }, 1);
        }
        room.bottom = 68;
    } else if features.any(&["has_stem", "has_pole"])
        && !features.any(&["is_stick_shaped", "is_long"])
    {
        pen.block(Room { left: 47, top: 50, right: 53, bottom: FLOOR }, 2);
        room.bottom = 62;
    } else if has("has_pedestal") {
        pen.block(Room { left: 30, top: FLOOR - 6, right: 70, bottom: FLOOR }, 2);
        pen.block(Room { left: 46, top: 66, right: 54, bottom: FLOOR - 5 }, 1);
        room.bottom = 70;
    } else if has("has_sole") {
        pen.block(Room { left: 12, top: FLOOR - 6, right: 88, bottom: FLOOR }, 3);
        room.bottom = FLOOR - 5;
    }
    if features.any(&["has_rays", "has_spikes"]) {
        room.bottom = room.bottom.min(76);
    }
    if features.any(&["has_top_handle", "has_lid", "has_tower", "has_chimney"])
        || features.any(&["has_leaves_on_top", "has_stalk_on_top", "has_leaves", "has_sail"])
    {
        room.top = 24;
    }
    room
}

/// What is seen behind the body.
pub(super) fn behind(features: &Features, room: Room, pen: &mut Pen) {
    let middle = Room::around(50, room.bottom - 25, 50, 50);
    if features.any(&["has_rays", "has_spikes"]) && !features.has("has_wheels") {
        rays(middle, pen);
    }
    if features.any(&["has_wings", "has_spread_wings", "has_four_wings"]) {
        let y = middle.y();
        pen.polygon(&[(50, y - 6), (4, y - 16), (2, y + 2), (50, y + 8)]);
        pen.polygon(&[(50, y - 6), (96, y - 16), (98, y + 2), (50, y + 8)]);
    }
    if features.any(&["has_tail", "has_tail_fin", "has_fins"]) {
        pen.polygon(&[(20, middle.y()), (2, middle.y() - 18), (6, middle.y() + 12)]);
    }
}

fn rays(body: Room, pen: &mut Pen) {
    for (dx, dy) in
        [(0, -44), (31, -31), (44, 0), (31, 31), (0, 40), (-31, 31), (-44, 0), (-31, -31)]
    {
        let (x, y) = (body.x(), body.y());
        let (sideways, along) = (-dy / 6, dx / 6);
        pen.polygon(&[(x + sideways, y + along), (x + dx, y + dy), (x - sideways, y - along)]);
    }
}

/// Parts at the top, at the sides and below.
pub(super) fn around(features: &Features, body: Room, pen: &mut Pen) {
    top(features, body, pen);
    sides(features, body, pen);
    let has = |name| features.has(name);
    if features.any(&["has_hanging_parts", "has_string", "has_straps"]) {
        for x in [body.left + body.width() / 4, body.x(), body.right - body.width() / 4] {
            pen.bow([
                (x, body.bottom - 4),
                (x + 5, body.bottom + 6),
                (x, (body.bottom + 16).min(98)),
            ]);
        }
    }
    if has("has_propeller") {
        pen.ellipse(body.x() - 16, body.top - 3, 16, 3);
        pen.ellipse(body.x() + 16, body.top - 3, 16, 3);
    }
}

fn top(features: &Features, body: Room, pen: &mut Pen) {
    let has = |name| features.has(name);
    let (x, y) = (body.x(), body.top);
    if features.any(&["has_leaves_on_top", "has_leaves"]) {
        for (dx, dy) in [(-16, -12), (-6, -20), (6, -20), (16, -12)] {
            pen.crescent(
                [(x, y + 3), (x + dx, y + dy / 2), (x + dx, y + dy)],
                (x + dx / 3, y + dy),
            );
        }
    } else if features.any(&["has_stalk_on_top"]) {
        pen.block(Room { left: x - 2, top: y - 12, right: x + 3, bottom: y + 3 }, 2);
    } else if has("is_branched") {
        pen.bow([(x, y + 2), (x - 4, y - 10), (x - 16, y - 14)]);
        pen.bow([(x, y + 2), (x + 4, y - 10), (x + 16, y - 14)]);
    }
    if has("has_tower") {
        pen.block(Room { left: body.left, top: y - 14, right: body.left + 14, bottom: y + 4 }, 1);
        pen.block(Room { left: body.right - 14, top: y - 14, right: body.right, bottom: y + 4 }, 1);
    }
    if has("has_chimney") {
        pen.block(
            Room { left: body.right - 18, top: y - 10, right: body.right - 10, bottom: y + 8 },
            1,
        );
    }
    if has("has_lid") {
        pen.block(
            Room { left: body.left + 6, top: y - 5, right: body.right - 6, bottom: y + 3 },
            3,
        );
        pen.ellipse(x, y - 8, 4, 4);
    }
    if has("has_top_handle") {
        pen.bow([(x - 14, y + 2), (x, y - 28), (x + 14, y + 2)]);
        pen.bow([(x - 10, y + 2), (x, y - 21), (x + 10, y + 2)]);
    }
    if features.any(&["is_open_on_top", "has_rim"]) {
        pen.dent(x, y + 3, body.width() * 2 / 5, 4);
    }
    if has("has_long_neck") {
        pen.block(Room { left: x - 5, top: (y - 24).max(2), right: x + 5, bottom: y + 5 }, 3);
    }
    if features.any(&["hangs", "has_loop"]) {
        pen.line(&[(x, 0), (x, y)]);
    }
    if has("has_loop") {
        pen.ellipse(x, y - 4, 6, 6);
        pen.dent(x, y - 4, 3, 3);
    }
    if has("has_backrest") {
        pen.block(Room { left: body.left, top: y - 22, right: body.left + 8, bottom: y + 4 }, 2);
    }
}

fn sides(features: &Features, body: Room, pen: &mut Pen) {
    let has = |name| features.has(name);
    let (y, high) = (body.y(), body.height() / 3 + 4);
    let handle = |pen: &mut Pen, x: i32, out: i32| {
        pen.bow([(x, y - high / 2), (x + 2 * out, y), (x, y + high / 2)]);
        pen.bow([(x, y - high / 2 + 4), (x + 2 * out - out / 2, y), (x, y + high / 2 - 4)]);
    };
    // Some forms are handles themselves.
    let is_handle = features.any(&["is_t_shaped", "is_l_shaped", "is_stick_shaped", "has_pole"]);
    if features.any(&["has_side_handle", "has_two_handles"])
        || has("has_handle") && !is_handle && !features.any(&["has_long_handle", "has_top_handle"])
    {
        handle(pen, body.right - 2, 12);
    }
    if has("has_two_handles") {
        handle(pen, body.left + 2, -12);
    }
    if has("has_long_handle") && !is_handle {
        pen.block(Room { left: body.right - 4, top: y - 4, right: 99, bottom: y + 4 }, 3);
    }
    if features.any(&["has_spout", "has_tube_sticking_out", "flares_out"]) {
        let wide = if has("flares_out") { 14 } else { 6 };
        let (x, up) = (body.left, body.top + body.height() / 4);
        pen.polygon(&[
            (x + 6, y + 8),
            (x + 6, y - 4),
            ((x - 16).max(1), up - wide / 2),
            ((x - 16).max(1), up + wide / 2),
        ]);
    }
    if features.any(&["has_blade", "has_teeth"]) {
        let x = body.left;
        pen.polygon(&[(x + 4, body.top + 4), ((x - 14).max(1), y), (x + 4, body.bottom - 4)]);
    }
    if has("has_sleeves") {
        for (x, out) in [(body.left, -16), (body.right, 16)] {
            pen.polygon(&[
                (x, body.top),
                (x + out, body.top + 26),
                (x + out / 3, body.top + 32),
                (x, body.top + 20),
            ]);
        }
    }
    if has("has_leg_holes") {
        pen.cut(&[
            (body.x() - 3, body.bottom + 1),
            (body.x(), y + 4),
            (body.x() + 3, body.bottom + 1),
        ]);
    }
}

/// Lines, hollows and bumps of the surface.
pub(super) fn surface(features: &Features, body: Room, pen: &mut Pen) {
    let has = |name| features.has(name);
    let (x, y, w, h) = (body.x(), body.y(), body.width(), body.height());
    if features.any(&["has_grooves", "has_bars", "has_segments", "is_twisted"]) {
        let lean = if has("is_twisted") { w / 10 + 2 } else { 0 };
        for part in [-2, -1, 0, 1, 2] {
            let at = x + part * w / 7;
            pen.line(&[(at - lean, y - h / 4), (at + lean, y + h / 4)]);
        }
    }
    if features.any(&["has_layers", "has_shelves", "has_steps", "has_band", "has_crease"]) {
        let rows: &[i32] =
            if features.any(&["has_band", "has_crease"]) { &[0] } else { &[-1, 0, 1] };
        for row in rows {
            let at = y + row * h / 5;
            pen.line(&[(x - w * 2 / 5, at), (x + w * 2 / 5, at)]);
        }
        if has("has_band") {
            pen.line(&[(x - w * 2 / 5, y + 4), (x + w * 2 / 5, y + 4)]);
        }
    }
    let spots = [(-2, -1), (0, -2), (2, -1), (-1, 1), (1, 1), (-2, 2), (2, 2), (0, 0)];
    for (dx, dy) in spots {
        let (at, down) = (x + dx * w / 8, y + dy * h / 8);
        if features.any(&["has_many_holes", "has_dents"]) {
            pen.dent(at, down, 2, 2);
        } else if features.any(&["has_bumps", "has_buttons", "has_many_small_parts"]) {
            pen.ellipse(at, down, 3, 3);
        } else if features.any(&["has_scales", "has_shell"]) {
            pen.bow([(at - 4, down), (at, down + 5), (at + 4, down)]);
        } else if features.any(&["is_rough", "is_furry", "is_patterned"]) {
            pen.line(&[(at, down), (at + 2, down + 4)]);
        }
    }
    if has("has_door") {
        pen.cut(&[
            (x - 5, body.bottom),
            (x - 5, body.bottom - 16),
            (x + 5, body.bottom - 16),
            (x + 5, body.bottom),
        ]);
    }
    if features.any(&["has_windows", "has_many_windows", "has_screen"]) {
        let columns: &[i32] = if has("has_screen") { &[0] } else { &[-1, 0, 1] };
        let half = if has("has_screen") { w / 3 } else { 4 };
        for column in columns {
            let at = x + column * w / 4;
            pen.cut(&[
                (at - half, y - h / 4),
                (at + half, y - h / 4),
                (at + half, y),
                (at - half, y),
            ]);
        }
    }
    let open_above = features.any(&["has_rim", "is_open_on_top", "has_lid"]);
    if has("has_hole") || has("opens_at_one_end") && !open_above {
        pen.dent(x, y, (w / 8).max(2), (h / 8).max(2));
    }
    if features.any(&["has_two_equal_parts"]) {
        pen.line(&[(x, body.top + 2), (x, body.bottom - 2)]);
    }
    if has("is_spiral") {
        for part in 1..4 {
            let (rx, ry) = (w * part / 8, h * part / 8);
            pen.bow([(x - rx, y), (x, y - 2 * ry), (x + rx, y)]);
            pen.bow([(x + rx, y), (x + rx / 4, y + 2 * ry), (x - rx - w / 8, y)]);
        }
    }
    if has("is_wavy") {
        let step = w / 6;
        for part in -2..2 {
            let at = x + part * step;
            pen.bow([
                (at, y),
                (at + step / 2, y + if part % 2 == 0 { -8 } else { 8 }),
                (at + step, y),
            ]);
        }
    }
}
