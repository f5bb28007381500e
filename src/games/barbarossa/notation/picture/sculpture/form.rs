//! The body of a thing: its form and its proportions.

use super::Features;
use super::pen::{Pen, Room};

/// Draws the body on the floor of a room, and answers where it stands.
pub(super) fn draw(features: &Features, room: Room, pen: &mut Pen) -> Room {
    let body = proportions(features, room);
    let has = |name| features.has(name);
    let (x, y) = (body.x(), body.y());
    let Room { left, top, right, bottom } = body;
    let (width, height) = (body.width(), body.height());
    if has("has_roof") {
        roofed(features, body, pen);
    } else if features.any(&["is_ring_shaped", "has_hole_in_middle"]) {
        pen.ellipse(x, y, width / 2, height / 2);
        pen.dent(x, y, width / 5, height / 5);
    } else if has("is_crescent_shaped") {
        pen.crescent(
            [(left, top), (x, bottom + height / 2), (right, top)],
            (x, bottom - height / 3),
        );
    } else if has("is_arch_shaped") {
        pen.block(body, width / 2);
        let thick = width / 5;
        pen.cut(&[
            (left + thick, bottom),
            (left + thick, y),
            (x, top + thick),
            (right - thick, y),
            (right - thick, bottom),
        ]);
    } else if has("is_cross_shaped") {
        let (w, h) = (width / 6, height / 6);
        let (across, arm) = (top + height / 3, width / 2);
        pen.polygon(&[
            (x - w, top),
            (x + w, top),
            (x + w, across - h),
            (x + arm, across - h),
            (x + arm, across + h),
            (x + w, across + h),
            (x + w, bottom),
            (x - w, bottom),
            (x - w, across + h),
            (x - arm, across + h),
            (x - arm, across - h),
            (x - w, across - h),
        ]);
    } else if has("is_bowl_shaped") {
        pen.crescent([(left, top), (x, bottom + height), (right, top)], (x, top));
        pen.dent(x, top, width / 2, 5);
    } else if has("is_domed") {
        pen.crescent([(left, bottom), (x, top - height), (right, bottom)], (x, bottom));
    } else if has("is_l_shaped") {
        let thick = width * 2 / 5;
        pen.polygon(&[
            (left, top),
            (left + thick, top),
            (left + thick, bottom - thick),
            (right, bottom - thick),
            (right, bottom),
            (left, bottom),
        ]);
    } else if has("is_t_shaped") {
        let (thick, half) = (height / 5, width / 10 + 2);
        pen.polygon(&[
            (left, top),
            (right, top),
            (right, top + thick),
            (x + half, top + thick),
            (x + half, bottom),
            (x - half, bottom),
            (x - half, top + thick),
            (left, top + thick),
        ]);
    } else if has("is_spiral") {
        pen.ellipse(x, y, width / 2, height / 2);
    } else if has("has_narrow_middle") {
        let waist = width / 6;
        pen.polygon(&[
            (left, top),
            (right, top),
            (x + waist, y),
            (right, bottom),
            (left, bottom),
            (x - waist, y),
        ]);
    } else if features.any(&["is_ball_shaped", "is_egg_shaped", "is_disc_shaped"]) {
        pen.ellipse(x, y, width / 2, height / 2);
    } else if features.any(&["is_irregular", "is_puffy"]) {
        lump(body, pen);
    } else if features.any(&["is_bigger_at_top", "has_pointed_bottom"]) {
        let narrow = if has("has_pointed_bottom") { 1 } else { width / 4 };
        pen.polygon(&[(left, top), (right, top), (x + narrow, bottom), (x - narrow, bottom)]);
    } else if features.any(&["is_bigger_at_bottom", "has_pointed_top"])
        || has("is_tapered") && !has("is_long")
    {
        let narrow = if features.any(&["has_pointed_top", "is_pointed"]) { 1 } else { width / 4 };
        pen.polygon(&[(x - narrow, top), (x + narrow, top), (right, bottom), (left, bottom)]);
    } else if has("is_curved") && features.any(&["is_long", "is_tube_shaped", "is_stick_shaped"]) {
        pen.crescent([(left, bottom), (x, top - height), (right, bottom)], (x, top + height / 4));
    } else if features.any(&["is_tapered", "is_pointed"]) {
        let (a, b) = (height / 6 + 1, height / 2);
        if width > height {
            pen.polygon(&[(left, y - b), (right, y - a / 2), (right, y + a / 2), (left, y + b)]);
        } else {
            pen.polygon(&[(x - 1, top), (x + 1, top), (right, bottom), (left, bottom)]);
        }
    } else if features.any(&["is_boxy", "is_rectangular", "has_corners"]) {
        pen.block(body, if has("has_rounded_edges") { 8 } else { 1 });
        if features.any(&["is_boxy", "is_compact"]) {
            let deep = 10.min(width / 4);
            pen.polygon(&[
                (left, top),
                (left + deep, top - deep),
                (right + deep, top - deep),
                (right, top),
            ]);
            pen.polygon(&[
                (right, top),
                (right + deep, top - deep),
                (right + deep, bottom - deep),
                (right, bottom),
            ]);
        }
    } else if features.any(&["is_tube_shaped", "is_stick_shaped", "is_straight"]) {
        pen.block(body, width.min(height) / 3);
        if has("is_hollow") && height > width {
            pen.dent(x, top + 4, width / 2 - 1, 4);
        } else if has("is_hollow") {
            pen.dent(right - 4, y, 4, height / 2 - 1);
        }
    } else if features.any(&["is_round", "is_compact", "same_all_round"]) {
        pen.ellipse(x, y, width / 2, height / 2);
    } else {
        pen.block(body, 14);
    }
    body
}

/// The sides of a body by the proportions that are shown.
fn proportions(features: &Features, room: Room) -> Room {
    let has = |name| features.has(name);
    let upright = features.any(&["is_tall", "stands_upright", "has_stem", "has_pedestal"])
        || features.any(&["has_pointed_bottom", "has_pointed_top", "is_bigger_at_bottom"]);
    let (mut width, mut height) = (50, 50);
    if features.any(&["is_stick_shaped", "has_pole"]) {
        (width, height) = if upright { (9, 72) } else { (78, 9) };
    } else if features.any(&["is_long", "is_straight"]) {
        (width, height) = if upright { (22, 70) } else { (76, 24) };
    } else if has("is_tall") {
        (width, height) = (32, 68);
    } else if features.any(&["is_ball_shaped", "is_disc_shaped", "is_compact", "same_all_round"]) {
        (width, height) = (50, 50);
    } else if has("is_egg_shaped") {
        (width, height) = (44, 54);
    } else if features.any(&["is_flat", "is_thin_sheet"]) {
        (width, height) = (64, 46);
    } else if has("lies_low") {
        (width, height) = (76, 16);
    } else if has("is_wide") {
        (width, height) = (72, 38);
    }
    if features.any(&["is_crescent_shaped", "is_bowl_shaped", "is_domed"]) {
        height = height.clamp(22, 40);
    }
    if features.any(&["has_backrest", "has_table_legs"]) {
        (width, height) = (58, 14);
    }
    if has("has_leg_holes") {
        (width, height) = (40, 66);
    }
    if features.any(&["is_arch_shaped", "is_l_shaped", "is_t_shaped", "is_cross_shaped"]) {
        (width, height) = (width.clamp(36, 64), height.clamp(44, 64));
    }
    room.standing(width, height)
}

/// A house, or the cabin of what has wheels.
fn roofed(features: &Features, body: Room, pen: &mut Pen) {
    let eaves = body.top + body.height() / 2;
    if features.any(&["has_wheels", "has_four_wheels", "has_two_wheels"]) {
        let (left, right) = (body.left + body.width() / 5, body.right - body.width() / 5);
        pen.block(Room { left, right, bottom: eaves + 6, ..body }, 8);
        pen.block(Room { top: eaves, ..body }, 6);
    } else {
        pen.block(Room { top: eaves, ..body }, 1);
        pen.polygon(&[(body.left - 6, eaves), (body.x(), body.top), (body.right + 6, eaves)]);
    }
}

/// A lump without a clear form.
fn lump(body: Room, pen: &mut Pen) {
    let (w, h) = (body.width(), body.height());
    pen.ellipse(body.x(), body.y(), w * 2 / 5, h / 2);
    pen.ellipse(body.left + w / 4, body.y() + h / 8, w / 4, h / 3);
    pen.ellipse(body.right - w / 4, body.y() + h / 12, w / 4, h * 2 / 5);
    pen.ellipse(body.x() - w / 12, body.y() - h / 8, w / 4, h / 3);
}
