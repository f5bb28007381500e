//! A sculpture as a small picture, drawn from its features alone: a body by form and proportions,
//! parts at their places, lines of the surface. Nobody sees more in it than the features say.
//!
//! - `form`: the body of a thing.
//! - `creature`: the body of an animal or a person, with its parts.
//! - `parts`: what is on any body: handles, wheels, lids, leaves, the surface.
//! - `pen`: paths in a box of 100 by 100.

mod creature;
mod form;
mod parts;
mod pen;

use crate::games::barbarossa::knowledge::{Knowledge, PredicateId};
use crate::picture::Shape;
use pen::{Pen, Room};

/// The features shown, by name.
struct Features(Vec<&'static str>);

impl Features {
    fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    fn any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }
}

/// The picture of a sculpture; empty where nothing is shown yet.
pub(super) fn draw(shown: &[PredicateId]) -> Vec<Shape> {
    let names = shown.iter().map(|id| Knowledge::shipped().predicate(*id)).collect();
    drawn(&Features(names))
}

fn drawn(features: &Features) -> Vec<Shape> {
    if features.0.is_empty() {
        return Vec::new();
    }
    let mut pen = Pen::default();
    if creature::is_one(features) {
        let body = creature::draw(features, &mut pen);
        parts::surface(features, body, &mut pen);
        return pen.shapes;
    }
    let count = if features.has("is_pair") { 2 } else { 1 };
    for number in 0..count {
        pen.place(if count == 2 { 0.55 } else { 1.0 }, if count == 2 { number * 45 } else { 0 });
        let room = parts::below(features, &mut pen);
        parts::behind(features, room, &mut pen);
        let body: Room = form::draw(features, room, &mut pen);
        parts::surface(features, body, &mut pen);
        parts::around(features, body, &mut pen);
    }
    pen.shapes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The absolute points of a path, without those of arcs.
    fn points(path: &str) -> Vec<f64> {
        let is_absolute = |c: char| "MLQ".contains(c);
        path.split(|c: char| c.is_ascii_alphabetic())
            .skip(1)
            .zip(path.chars().filter(char::is_ascii_alphabetic))
            .filter(|(_, letter)| is_absolute(*letter))
            .flat_map(|(numbers, _)| numbers.split(' ').filter_map(|n| n.parse().ok()))
            .collect()
    }

    #[test]
    fn every_sculpture_of_a_word_has_a_picture_that_stays_near_its_box() {
        let knowledge = Knowledge::shipped();
        for word in knowledge.words() {
            let all: Vec<PredicateId> =
                knowledge.vocabulary().filter(|id| knowledge.may_show(word, *id)).collect();
            for start in 0..all.len() - 7 {
                let shapes = draw(&all[start..start + 8]);
                assert!(!shapes.is_empty(), "{}", knowledge.word(word));
                for shape in shapes {
                    // Curves are drawn towards points that may lie outside.
                    let inside = points(&shape.path).iter().all(|n| (-70.0..=150.0).contains(n));
                    assert!(inside, "{}: {}", knowledge.word(word), shape.path);
                }
            }
        }
    }

    #[test]
    fn features_are_seen() {
        let names = |list: &[&'static str]| drawn(&Features(list.to_vec()));
        assert!(names(&[]).is_empty());
        let plain = names(&["has_eyes", "has_legs"]);
        for feature in ["has_long_ears", "has_two_horns", "has_long_tail", "has_mane", "has_snout"]
        {
            let with = names(&["has_eyes", "has_legs", feature]);
            assert!(with.len() > plain.len(), "{feature}");
        }
        let plain = names(&["is_round"]);
        for feature in ["has_side_handle", "has_spout", "has_lid", "has_four_wheels", "has_chimney"]
        {
            assert!(names(&["is_round", feature]).len() > plain.len(), "{feature}");
        }
        assert_ne!(names(&["is_long"]), names(&["is_tall"]));
        assert_eq!(draw(&[]), Vec::new());
    }
}
