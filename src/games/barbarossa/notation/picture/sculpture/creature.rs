//! The body of an animal or a person, with its parts.

use super::Features;
use super::pen::{Pen, Room};

/// Features that only animals and people have.
const CREATURES: [&str; 35] = [
    "has_eyes",
    "has_ears",
    "has_beak",
    "has_two_legs",
    "has_many_legs",
    "is_human_shaped",
    "has_two_ears_on_top",
    "has_long_ears",
    "has_two_horns",
    "has_horns",
    "has_big_eyes",
    "has_snout",
    "has_big_mouth",
    "has_long_teeth",
    "has_mane",
    "has_hair_on_head",
    "has_beard",
    "has_feelers",
    "has_long_beak",
    "has_hooked_beak",
    "has_round_body",
    "has_slim_body",
    "has_short_legs",
    "has_long_legs",
    "has_six_legs",
    "has_webbed_feet",
    "has_long_tail",
    "has_short_tail",
    "has_broad_tail",
    "is_sitting",
    "has_something_on_head",
    "has_robe",
    "holds_something",
    "has_claws",
    "has_arms",
];

/// Features of people, and of whoever stands on two legs with a head above.
const UPRIGHT: [&str; 10] = [
    "is_human_shaped",
    "has_hair_on_head",
    "has_beard",
    "has_something_on_head",
    "has_robe",
    "holds_something",
    "has_two_legs",
    "stands_upright",
    "is_tall",
    "has_arms",
];

/// Whether the features tell of an animal or a person.
pub(super) fn is_one(features: &Features) -> bool {
    let things = [
        "has_pole",
        "has_wheels",
        "has_table_legs",
        "has_lid",
        "is_hollow",
        "has_corners",
        "is_boxy",
        "is_rectangular",
        "is_t_shaped",
        "has_backrest",
        "has_handle",
        "has_flat_base",
    ];
    let told = CREATURES.iter().filter(|name| features.has(name)).count();
    let against = things.iter().filter(|name| features.has(name)).count();
    told > against
}

/// Where the parts are.
struct Build {
    body: Room,
    head: (i32, i32),
    radius: i32,
    upright: bool,
    floor: i32,
}

/// Draws it, and answers where the trunk is.
pub(super) fn draw(features: &Features, pen: &mut Pen) -> Room {
    let build = build(features);
    tail(features, &build, pen);
    wings(features, &build, pen);
    legs(features, &build, pen);
    neck(features, &build, pen);
    let body = build.body;
    if features.any(&["has_robe"]) {
        pen.polygon(&[
            (body.x() - 7, body.top),
            (body.x() + 7, body.top),
            (body.right + 8, 92),
            (body.left - 8, 92),
        ]);
    } else {
        pen.ellipse(body.x(), body.y(), body.width() / 2, body.height() / 2);
    }
    arms(features, &build, pen);
    head(features, &build, pen);
    body
}

fn build(features: &Features) -> Build {
    let has = |name| features.has(name);
    let bird = features.any(&["has_beak", "has_long_beak", "has_hooked_beak"]);
    let upright = UPRIGHT.iter().any(|name| features.has(name))
        && !features.any(&["has_four_legs", "is_long", "is_wide", "lies_low"]);
    let long = features.any(&["is_long", "lies_low"]);
    let thick = match () {
        () if features.any(&["has_round_body", "is_round", "is_puffy"]) => 44,
        () if features.any(&["has_slim_body", "is_stick_shaped"]) => 16,
        () if upright => 30,
        () => 30,
    };
    let legs = match () {
        () if has("has_long_legs") => 34,
        () if has("has_short_legs") => 9,
        () if features.any(&[
            "has_legs",
            "has_two_legs",
            "has_four_legs",
            "has_many_legs",
            "has_six_legs",
            "has_claws",
            "has_rays",
        ]) =>
        {
            20
        }
        () if bird => 14,
        () if has("is_sitting") => 6,
        () => 2,
    };
    let length = if long { 70 } else { 48 };
    let neck = if has("has_long_neck") { 22 } else { 0 };
    let floor = 92 - legs;
    let mut radius = if has("is_human_shaped") { 11 } else { 13 };
    if upright {
        let tall = (floor - 34 - neck).clamp(24, 46);
        let body =
            Room { left: 50 - thick / 2, right: 50 + thick / 2, top: floor - tall, bottom: floor };
        let head = (50, (body.top - neck - 6).max(17));
        return Build { body, head, radius, upright, floor };
    }
    if thick < 20 {
        radius = 9;
    }
    let right = 46 - length / 2 + length;
    let body = Room { left: 46 - length / 2, right, top: floor - thick, bottom: floor };
    let lift = if long { 4 } else { 12 };
    let head = ((right + 4).min(82), (body.top + thick / 2 - lift - neck).max(18));
    Build { body, head, radius, upright, floor }
}

fn tail(features: &Features, build: &Build, pen: &mut Pen) {
    let body = build.body;
    let (x, y) = (body.left + 6, body.y());
    if features.any(&["has_broad_tail"]) {
        pen.ellipse((x - 10).max(9), y - 8, 9, 16);
    } else if features.any(&["has_tail_fin", "has_fins"]) {
        pen.polygon(&[
            (x + 2, y),
            ((x - 20).max(1), y - 14),
            ((x - 13).max(3), y),
            ((x - 20).max(1), y + 14),
        ]);
        if !build.upright {
            pen.polygon(&[
                (body.x() - 10, body.top + 4),
                (body.x(), body.top - 12),
                (body.x() + 10, body.top + 4),
            ]);
        }
    } else if features.any(&["has_long_tail", "has_tail"]) {
        let end = ((x - 24).max(1), y - 22);
        pen.crescent([(x, y - 3), (x - 20, y + 12), end], (x - 14, y + 16));
    } else if features.any(&["has_short_tail"]) {
        pen.ellipse(x - 4, y - 4, 6, 5);
    }
}

fn wings(features: &Features, build: &Build, pen: &mut Pen) {
    let body = build.body;
    let (x, y) = (body.x(), body.top + body.height() / 3);
    if features.any(&["has_spread_wings", "has_four_wings"]) {
        pen.polygon(&[(x - 4, y + 4), (x - 44, y - 22), (x - 40, y + 6), (x - 6, y + 12)]);
        pen.polygon(&[(x + 4, y + 4), (x + 44, y - 22), (x + 40, y + 6), (x + 6, y + 12)]);
        if features.has("has_four_wings") {
            pen.polygon(&[(x - 4, y + 6), (x - 34, y + 14), (x - 26, y + 30), (x - 4, y + 14)]);
            pen.polygon(&[(x + 4, y + 6), (x + 34, y + 14), (x + 26, y + 30), (x + 4, y + 14)]);
        }
    } else if features.has("has_wings") {
        pen.polygon(&[(x + 6, y), (x - 14, y - 24), (x - 24, y - 2), (x - 4, y + 10)]);
    }
}

fn legs(features: &Features, build: &Build, pen: &mut Pen) {
    let body = build.body;
    if build.floor >= 90 || features.has("has_robe") {
        return;
    }
    let many: &[i32] = &[-5, -3, -1, 1, 3, 5];
    let places = match () {
        () if features.any(&["has_many_legs", "has_six_legs", "has_rays"]) => many,
        () if build.upright || features.any(&["has_two_legs", "has_beak", "has_long_beak"]) => {
            &[-2, 2]
        }
        () => &[-5, -3, 3, 5],
    };
    for place in places {
        let x = body.x() + place * body.width() / 14;
        let out = if places.len() > 4 { *place } else { 0 };
        let half = if places.len() > 4 || build.floor < 64 { 2 } else { 4 };
        pen.polygon(&[
            (x - half, build.floor - 8),
            (x + half, build.floor - 8),
            (x + half + out, 92),
            (x - half + out, 92),
        ]);
        if features.any(&["has_webbed_feet", "has_claws", "has_beak"]) {
            pen.polygon(&[(x - 2, 90), (x + 10, 93), (x - 3, 94)]);
        }
    }
}

fn arms(features: &Features, build: &Build, pen: &mut Pen) {
    let body = build.body;
    if !build.upright
        || !features.any(&["has_arms", "is_human_shaped", "holds_something", "has_sleeves"])
    {
        return;
    }
    let (y, out) = (body.top + body.height() / 4, body.width() / 2 + 10);
    for side in [-1, 1] {
        let at = |far: i32| body.x() + side * far;
        pen.polygon(&[
            (at(body.width() / 3), y - 3),
            (at(out), y + 14),
            (at(out - 5), y + 18),
            (at(body.width() / 3), y + 6),
        ]);
    }
    if features.has("holds_something") {
        let x = body.x() + out;
        pen.block(Room { left: x - 2, top: y - 26, right: x + 2, bottom: y + 36 }, 2);
    }
}

fn neck(features: &Features, build: &Build, pen: &mut Pen) {
    let (x, y) = build.head;
    if features.has("has_long_neck") {
        let foot = if build.upright {
            (build.body.x(), build.body.top + 8)
        } else {
            (build.body.right - 10, build.body.y())
        };
        pen.polygon(&[(x - 5, y), (x + 5, y), (foot.0 + 6, foot.1), (foot.0 - 7, foot.1)]);
    }
}

fn head(features: &Features, build: &Build, pen: &mut Pen) {
    let has = |name| features.has(name);
    let ((x, y), r) = (build.head, build.radius);
    above(features, build, pen);
    if features.any(&["has_mane"]) {
        pen.ellipse(x - 2, y, r + 7, r + 7);
    }
    pen.ellipse(x, y, r, r);
    let forward = if build.upright { 0 } else { 1 };
    if features.any(&["has_long_beak", "has_hooked_beak", "has_beak"]) {
        let tip = x + r + if has("has_long_beak") { 18 } else { 9 };
        pen.polygon(&[(x + r - 3, y - 4), (tip.min(99), y + 1), (x + r - 3, y + 4)]);
        if has("has_hooked_beak") {
            pen.bow([(tip - 5, y), (tip + 2, y + 1), (tip, y + 8)]);
        }
    } else if has("has_snout") {
        pen.ellipse(x + forward * r, y + 4, 9, 6);
        pen.dent(x + forward * (r + 5), y + 3, 2, 1);
    }
    if features.any(&["has_big_mouth", "has_teeth", "has_long_teeth"]) {
        pen.dent(x + forward * 4, y + r / 2, r / 2, 3);
    }
    if has("has_long_teeth") {
        for dx in [-3, 3] {
            let at = x + forward * 5 + dx;
            pen.polygon(&[(at - 2, y + r / 2), (at + 2, y + r / 2), (at, y + r / 2 + 9)]);
        }
    }
    let eye = if has("has_big_eyes") { 4 } else { 2 };
    let eyes: &[i32] = if build.upright { &[-1, 1] } else { &[1] };
    if !features.any(&["has_leaves"]) {
        for side in eyes {
            if has("has_big_eyes") {
                pen.ellipse(x + side * r / 2, y - 3, 6, 6);
            }
            pen.dent(x + side * r / 2, y - 3, eye, eye);
        }
    }
    if has("has_beard") {
        pen.polygon(&[(x - r + 3, y + 4), (x + r - 3, y + 4), (x, y + r + 14)]);
    }
}

/// Ears, horns, feelers, hair and hats.
fn above(features: &Features, build: &Build, pen: &mut Pen) {
    let has = |name| features.has(name);
    let ((x, y), r) = (build.head, build.radius);
    for side in [-1, 1] {
        let at = |far: i32| x + side * far;
        if has("has_long_ears") {
            pen.ellipse(at(6), y - r - 9, 4, 13);
        } else if features.any(&["has_two_ears_on_top", "has_ears"]) {
            pen.polygon(&[(at(2), y - r + 2), (at(9), y - r - 10), (at(r), y - r / 2)]);
        }
        if features.any(&["has_two_horns", "has_horns"]) {
            pen.crescent(
                [(at(4), y - r + 2), (at(14), y - r - 2), (at(13), y - r - 14)],
                (at(20), y - r + 6),
            );
        }
        if has("has_feelers") {
            pen.bow([(at(2), y - r + 2), (at(3), y - r - 12), (at(12), y - r - 14)]);
        }
        if has("has_pincers") {
            pen.crescent([(at(8), y + 6), (at(26), y + 2), (at(18), y - 14)], (at(12), y + 4));
        }
    }
    if has("has_hair_on_head") {
        pen.ellipse(x, y - 4, r + 3, r + 1);
    }
    if has("has_something_on_head") {
        pen.polygon(&[
            (x - r, y - r + 4),
            (x + r, y - r + 4),
            (x + r / 2, y - r - 12),
            (x - r / 2, y - r - 12),
        ]);
    }
}
