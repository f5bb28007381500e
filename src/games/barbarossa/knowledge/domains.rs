//! Domains of words of questions, for questions that no frame answers: whatever is asked with `knit`,
//! it is no for a building.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::Knowledge;
use super::asked::{Asked, Follows};
use super::grammar;
use super::wordings::Wordings;

const FILE: &str = include_str!("../../../../data/barbarossa/lexicon/domains.txt");

/// The names of a domain's predicates, by its name.
type Domains = BTreeMap<&'static str, Vec<&'static str>>;

struct Table {
    domains: Domains,
    /// Of which domains nothing has a yes to any question with a word.
    outside: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { domains: Domains::new(), outside: BTreeMap::new() };
    for line in FILE.lines().filter(|line| !line.starts_with('#')) {
        let Some((head, words)) = line.split_once(": ") else { continue };
        let words = words.split(' ');
        if let Some(domain) = head.strip_prefix("domain ") {
            table.domains.insert(domain, words.collect());
        } else {
            table.outside.insert(head, words.collect());
        }
    }
    table
});

impl Knowledge {
    /// What follows from single words of a question, where nothing else does: a no, of the things of
    /// which nobody asks such a thing.
    pub(super) fn outside(&self, question: &str) -> Option<Asked> {
        let words = grammar::content_of_one(question)?;
        let outside: BTreeSet<&str> = words
            .iter()
            .filter_map(|word| TABLE.outside.get(word.as_str()))
            .flatten()
            .copied()
            .collect();
        if outside.is_empty() {
            return None;
        }
        let mut follows: Vec<(Follows, String)> = Vec::new();
        for (domain, predicates) in &TABLE.domains {
            let way = if outside.contains(domain) { Follows::NoIfYes } else { Follows::Unless };
            follows.extend(predicates.iter().map(|name| (way, (*name).to_string())));
        }
        // The no comes first: a question is named by it.
        follows.sort_by_key(|(way, _)| *way == Follows::Unless);
        Wordings { follows, frames: Vec::new() }.asked(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_file_is_known() {
        let knowledge = Knowledge::shipped();
        assert!(TABLE.domains.len() >= 20 && TABLE.outside.len() >= 1000);
        for predicate in TABLE.domains.values().flatten() {
            assert!(knowledge.find_predicate(predicate).is_some(), "{predicate}");
        }
        for (word, outside) in &TABLE.outside {
            assert!(outside.iter().all(|name| TABLE.domains.contains_key(name)), "{word}");
            assert!(outside.len() < TABLE.domains.len(), "{word}");
        }
        for word in TABLE.outside.keys() {
            assert_eq!(grammar::content(word), [*word], "a word in its base form");
        }
    }
}
