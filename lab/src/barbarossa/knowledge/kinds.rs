//! Kinds: every kind of WordNet above two words or more can be asked for in free text.

use std::collections::{BTreeMap, BTreeSet};

use parlor::games::barbarossa::knowledge::{Answer, Follows, Knowledge, Predicate};

use super::taxonomy::Taxonomy;
use super::text::Sources;

/// A kind as a predicate, with its members.
pub(super) struct KindPredicate {
    /// Its token and questions.
    pub predicate: Predicate,
    /// The words below it.
    members: Vec<String>,
    /// People have other ideas of it than WordNet: whatever has one of these predicates may be one.
    neighbours: &'static [&'static str],
}

/// What is made by people.
const MADE: &[&str] = &["is_manmade"];

/// Kinds of these and the predicates of whatever people may see as one: a queen is a woman, a peanut a
/// nut, whatever WordNet says.
const ROUGH: [(&str, &[&str]); 5] = [
    ("person.1", PERSONS),
    ("spiritual_being.1", PERSONS),
    ("food.1", FOODS),
    ("food.2", FOODS),
    ("plant_part.1", FOODS),
];

const PERSONS: &[&str] = &["is_person", "is_imaginary", "is_job", "is_human_shaped"];
const FOODS: &[&str] = &["is_food", "is_fruit", "is_vegetable", "is_plant"];

impl KindPredicate {
    /// Writes its column into a table.
    pub(super) fn write(&self, made: &mut Knowledge) {
        let Some(kind) = made.find_predicate(&self.predicate.name) else { return };
        for name in self.neighbours {
            let Some(near) = made.find_predicate(name) else { continue };
            for word in made.words() {
                if made.answer(word, near) != Answer::No {
                    made.set_answer(word, kind, Answer::DontKnow);
                }
            }
        }
        for name in &self.members {
            if let Some(word) = made.find_word(name) {
                made.set_answer(word, kind, Answer::Yes);
            }
        }
    }
}

impl Sources {
    /// The kinds that free text may ask for: every kind above two words or more that is not
    /// one of the vocabulary's, with its members. Kinds with the same members are one.
    pub(super) fn kinds(&self, taxonomy: &Taxonomy) -> Vec<KindPredicate> {
        let mut members: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for word in self.words.keys() {
            for kind in taxonomy.kinds_of(word) {
                members.entry(kind).or_default().push(word.clone());
            }
        }
        let own: BTreeSet<&str> =
            self.predicates.iter().flat_map(|text| text.kinds.iter().map(String::as_str)).collect();
        // The wider kind first: where kinds share a lemma, it takes the lemma.
        let mut order: Vec<(&str, Vec<String>)> = members.into_iter().collect();
        order.retain(|(kind, words)| {
            words.len() >= 2
                && words.len() * 100 <= self.words.len() * 85
                && !own.contains(kind)
                && !self.unasked.contains(*kind)
        });
        order.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then(a.0.cmp(b.0)));
        // A name that one kind has by the way may mean that one too: a lion is a big cat.
        let entries = order.iter().filter_map(|(kind, _)| taxonomy.kinds.get(*kind));
        let doubtful: BTreeSet<&String> = entries.flat_map(|entry| &entry.doubtful).collect();
        let mut made: Vec<KindPredicate> = Vec::new();
        for (kind, words) in order {
            let Some(entry) = taxonomy.kinds.get(kind) else { continue };
            let lemmas = entry.lemmas.iter().filter(|lemma| !doubtful.contains(lemma));
            let lemmas = lemmas.map(|lemma| lemma.replace('_', " "));
            let questions: Vec<String> =
                lemmas.map(|lemma| format!("Is it a kind of {lemma}?")).collect();
            if questions.is_empty() {
                continue;
            }
            // Most names are wider in the mouths of people than in WordNet, and two kinds with the
            // same words may differ: poultry is more than hens.
            let (questions, partial) = if self.closed.contains(kind) {
                (questions, Vec::new())
            } else {
                (Vec::new(), questions.into_iter().map(|text| (Follows::Yes, text)).collect())
            };
            if let Some(same) = made.iter_mut().find(|known| known.members == words) {
                same.predicate.questions.extend(questions);
                same.predicate.partial.extend(partial);
                continue;
            }
            let lower = kind.to_ascii_lowercase();
            let (lemma, number) = lower.rsplit_once('.').unwrap_or((&lower, "1"));
            let mut name: String =
                lemma.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            name.insert_str(0, "kind_");
            if number != "1" {
                name = format!("{name}_{number}");
            }
            let predicate = Predicate { name, questions, partial, ..Predicate::default() };
            made.push(KindPredicate {
                predicate,
                members: words,
                neighbours: self.neighbours(kind, taxonomy),
            });
        }
        made
    }

    /// The predicates of what may be a kind in the eyes of people.
    fn neighbours(&self, kind: &str, taxonomy: &Taxonomy) -> &'static [&'static str] {
        let above = taxonomy.closure(kind);
        let rough = ROUGH.iter().find(|(over, _)| above.contains(over));
        match rough {
            Some((_, neighbours)) => neighbours,
            None if self.vague.contains(kind) => MADE,
            None => &[],
        }
    }
}
