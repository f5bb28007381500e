//! Kinds: every kind of WordNet above two words or more can be asked for in free text.

use std::collections::{BTreeMap, BTreeSet};

use super::taxonomy::Taxonomy;
use super::text::Sources;
use super::{Answer, Knowledge, Predicate};

/// A kind as a predicate, with its members.
pub(super) struct KindPredicate {
    /// Its token and questions.
    pub predicate: Predicate,
    /// The words below it.
    members: Vec<String>,
    /// Whether people have other ideas of it than WordNet.
    vague: bool,
}

impl KindPredicate {
    /// Writes its column into a table.
    pub(super) fn write(&self, made: &mut Knowledge) {
        let Some(kind) = made.find_predicate(&self.predicate.name) else { return };
        let manmade = made.find_predicate("is_manmade").filter(|_| self.vague);
        if let Some(manmade) = manmade {
            for word in made.words() {
                if made.answer(word, manmade) != Answer::No {
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
        let mut made: Vec<KindPredicate> = Vec::new();
        for (kind, words) in order {
            let Some(entry) = taxonomy.kinds.get(kind) else { continue };
            let lemmas = entry.lemmas.iter().map(|lemma| lemma.replace('_', " "));
            let questions = lemmas.map(|lemma| format!("Is it a kind of {lemma}?"));
            if let Some(same) = made.iter_mut().find(|known| known.members == words) {
                same.predicate.questions.extend(questions);
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
            let questions = questions.collect();
            let predicate = Predicate { name, clay: false, questions };
            made.push(KindPredicate {
                predicate,
                members: words,
                vague: self.vague.contains(kind),
            });
        }
        made
    }
}
