//! Base forms of nouns and verbs, for questions alone.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::verbs::{IRREGULAR_VERBS, VERBS};
use super::words::{PLURALS, SINGULARS};

fn verbs() -> &'static BTreeSet<&'static str> {
    static LIST: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    LIST.get_or_init(|| VERBS.split_whitespace().collect())
}

/// The singular of a noun.
pub(super) fn noun(word: &str) -> String {
    if let Some((_, singular)) = PLURALS.iter().find(|(plural, _)| *plural == word) {
        return (*singular).to_string();
    }
    if SINGULARS.contains(&word) || word.len() < 4 || word.ends_with("ss") || !word.ends_with('s') {
        return word.to_string();
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return format!("{stem}y");
    }
    let sibilant = ["ches", "shes", "sses", "xes", "zzes"].iter().any(|end| word.ends_with(end));
    if sibilant || word.ends_with("oes") {
        return word[..word.len() - 2].to_string();
    }
    word[..word.len() - 1].to_string()
}

/// Whether the word is written as a plural.
pub(super) fn is_plural(word: &str) -> bool {
    noun(word) != word
}

/// The base form of a verb, if the word is a form of one that is known.
pub(super) fn verb(word: &str) -> Option<String> {
    if let Some((_, base)) = IRREGULAR_VERBS.iter().find(|(form, _)| *form == word) {
        return Some((*base).to_string());
    }
    let known = |base: &str| verbs().contains(base);
    if known(word) {
        return Some(word.to_string());
    }
    let stem = ["ing", "ied", "ed", "ies", "es", "s"]
        .iter()
        .filter_map(|suffix| word.strip_suffix(suffix).map(|stem| (*suffix, stem)));
    for (suffix, stem) in stem {
        let mut bases = vec![stem.to_string(), format!("{stem}e"), format!("{stem}y")];
        let bytes = stem.as_bytes();
        if let [.., a, b] = bytes
            && a == b
        {
            bases.push(stem[..stem.len() - 1].to_string());
        }
        if matches!(suffix, "s" | "es" | "ing" | "ed") {
            bases.truncate(bases.len().min(4));
        }
        // `e` first: baked is of bake; then the bare stem.
        bases.swap(0, 1);
        if let Some(base) = bases.iter().find(|base| known(base)) {
            return Some(base.clone());
        }
    }
    None
}

/// Whether the word is a past participle of a known verb.
pub(super) fn is_participle(word: &str) -> bool {
    let irregular = IRREGULAR_VERBS.iter().any(|(form, _)| *form == word)
        && !matches!(word, "flies" | "goes" | "lies" | "dies" | "does" | "has" | "having");
    irregular || (word.ends_with("ed") && verb(word).is_some_and(|base| base != word))
}

/// Whether the word is a present participle of a known verb.
pub(super) fn is_gerund(word: &str) -> bool {
    word.ends_with("ing") && verb(word).is_some_and(|base| base != word)
}

/// The base form of any word: of a verb if it can only be one, else the singular.
pub(super) fn base(word: &str) -> String {
    if is_participle(word) || is_gerund(word) {
        return verb(word).unwrap_or_else(|| word.to_string());
    }
    noun(word)
}
