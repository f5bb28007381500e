//! The closed lists of the grammar: function words, verbs, and forms that no rule gives. What
//! each is for stands beside it in the data (`data/barbarossa/lexicon/grammar.txt`).

use std::sync::LazyLock;

const FILE: &str = include_str!("../../../../../data/barbarossa/lexicon/grammar.txt");

type Words = LazyLock<Vec<&'static str>>;
type Phrases = LazyLock<Vec<Vec<&'static str>>>;
type Pairs = LazyLock<Vec<(&'static str, &'static str)>>;
type PhrasePairs = LazyLock<Vec<(Vec<&'static str>, &'static str)>>;

pub(super) static BE: Words = LazyLock::new(|| words("be"));
pub(super) static DO: Words = LazyLock::new(|| words("do"));
pub(super) static MODALS: Words = LazyLock::new(|| words("modals"));
pub(super) static POSSIBLE: Words = LazyLock::new(|| words("possible"));
pub(super) static HAVE: Words = LazyLock::new(|| words("have"));
pub(super) static DETERMINERS: Words = LazyLock::new(|| words("determiners"));
pub(super) static PRONOUNS: Words = LazyLock::new(|| words("pronouns"));
pub(super) static SUBJECT_NOUNS: Words = LazyLock::new(|| words("subject-nouns"));
pub(super) static ADVERBS: Words = LazyLock::new(|| words("adverbs"));
pub(super) static SOMETIMES: Words = LazyLock::new(|| words("sometimes"));
pub(super) static NEGATIONS: Words = LazyLock::new(|| words("negations"));
pub(super) static QUANTIFIERS: Words = LazyLock::new(|| words("quantifiers"));
pub(super) static OPEN: Words = LazyLock::new(|| words("open"));
pub(super) static LETTERS: Words = LazyLock::new(|| words("letters"));
pub(super) static POST: Words = LazyLock::new(|| words("post"));
pub(in super::super) static NARROWING: Words = LazyLock::new(|| words("narrowing"));
pub(super) static CLAUSES: Words = LazyLock::new(|| words("clauses"));
pub(super) static COMPARING: Words = LazyLock::new(|| words("comparing"));
pub(in super::super) static LIMITING: Words = LazyLock::new(|| words("limiting"));
pub(in super::super) static LIGHT_VERBS: Words = LazyLock::new(|| words("light-verbs"));
pub(super) static ANYBODY: Phrases = LazyLock::new(|| phrases("anybody"));
pub(super) static LEADS: Phrases = LazyLock::new(|| phrases("leads"));
pub(super) static TAILS: Phrases = LazyLock::new(|| phrases("tails"));
pub(super) static EXPLAINING: Phrases = LazyLock::new(|| phrases("explaining"));
pub(super) static WEAKENING: Phrases = LazyLock::new(|| phrases("weakening"));
pub(super) static SAME: Pairs = LazyLock::new(|| pairs("same"));
pub(super) static SAME_PHRASES: PhrasePairs = LazyLock::new(|| {
    pairs("same-phrases").into_iter().map(|(from, to)| (from.split(' ').collect(), to)).collect()
});
pub(super) static PLURALS: Pairs = LazyLock::new(|| pairs("plurals"));
pub(super) static SINGULARS: Words = LazyLock::new(|| words("singulars"));
pub(in super::super) static MASS_NOUNS: Words = LazyLock::new(|| words("mass-nouns"));

/// The lines of a list; none if the file lacks it.
fn lines(name: &str) -> impl Iterator<Item = &'static str> {
    let mut lines = FILE.lines();
    let first = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    first.into_iter().chain(lines.take_while(|line| line.starts_with(' ')))
}

fn words(name: &str) -> Vec<&'static str> {
    lines(name).flat_map(str::split_whitespace).collect()
}

fn entries(name: &str) -> impl Iterator<Item = &'static str> {
    lines(name).flat_map(|line| line.split('|')).map(str::trim)
}

fn phrases(name: &str) -> Vec<Vec<&'static str>> {
    entries(name).map(|phrase| phrase.split(' ').collect()).collect()
}

fn pairs(name: &str) -> Vec<(&'static str, &'static str)> {
    entries(name).filter_map(|pair| pair.split_once(" > ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_in_the_file() {
        let words = [
            &BE,
            &DO,
            &MODALS,
            &POSSIBLE,
            &HAVE,
            &DETERMINERS,
            &PRONOUNS,
            &SUBJECT_NOUNS,
            &ADVERBS,
            &SOMETIMES,
            &NEGATIONS,
            &QUANTIFIERS,
            &OPEN,
            &LETTERS,
            &POST,
            &SINGULARS,
            &MASS_NOUNS,
            &NARROWING,
            &CLAUSES,
            &COMPARING,
            &LIMITING,
            &LIGHT_VERBS,
        ];
        assert!(words.iter().all(|list| !list.is_empty()));
        for phrases in [&ANYBODY, &LEADS, &TAILS, &EXPLAINING, &WEAKENING] {
            assert!(!phrases.is_empty());
            assert!(phrases.iter().flatten().all(|word| !word.is_empty()), "{phrases:?}");
        }
        for (name, count) in
            [("same", SAME.len()), ("same-phrases", SAME_PHRASES.len()), ("plurals", PLURALS.len())]
        {
            assert_eq!(count, entries(name).count(), "a pair is `a > b`");
        }
        // A phrase is replaced until it does not occur.
        assert!(SAME_PHRASES.iter().all(|(_, to)| !to.contains(' ')));
    }
}
