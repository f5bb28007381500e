//! The nouns of WordNet, read from its files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use parlor::reading;

use super::text::Sense;

/// The nouns of WordNet.
pub struct WordNet {
    senses: BTreeMap<String, Vec<String>>,
    /// How often a lemma was met in its senses, by number.
    counts: BTreeMap<(String, usize), usize>,
    pub synsets: BTreeMap<String, Synset>,
}

pub struct Synset {
    pub lemmas: Vec<String>,
    pub above: Vec<String>,
}

impl WordNet {
    pub fn read(folder: &Path) -> Result<WordNet> {
        let read = |name: &str| {
            let path = folder.join(name);
            reading::text(&path).with_context(|| {
                format!("{}: the Debian package wordnet-base should be there", path.display())
            })
        };
        let mut senses = BTreeMap::new();
        for line in read("index.noun")?.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split_whitespace().collect();
            ensure!(fields.len() > 3, "index.noun: a short line: {line}");
            let pointers: usize = fields[3].parse()?;
            let offsets = fields.iter().skip(6 + pointers).map(|offset| offset.to_string());
            senses.insert(fields[0].to_string(), offsets.collect());
        }
        let mut synsets = BTreeMap::new();
        for line in read("data.noun")?.lines().filter(|line| !line.starts_with(' ')) {
            let fields: Vec<&str> = line.split(' ').collect();
            ensure!(fields.len() > 4, "data.noun: a short line: {line}");
            let count = usize::from_str_radix(fields[3], 16)?;
            let lemmas = fields.iter().skip(4).step_by(2).take(count).map(|s| s.to_string());
            let pointers = fields.iter().skip(5 + 2 * count).collect::<Vec<_>>();
            let above = pointers.chunks(4).take_while(|chunk| *chunk[0] != "|");
            let above = above
                .filter(|chunk| matches!(*chunk[0], "@" | "@i"))
                .map(|chunk| chunk[1].to_string());
            let synset = Synset { lemmas: lemmas.collect(), above: above.collect() };
            synsets.insert(fields[0].to_string(), synset);
        }
        let mut counts = BTreeMap::new();
        for line in read("cntlist.rev")?.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let [key, number, count] = fields[..] else { continue };
            if let Some((lemma, rest)) = key.split_once('%')
                && rest.starts_with("1:")
            {
                counts.insert((lemma.to_string(), number.parse()?), count.parse()?);
            }
        }
        Ok(WordNet { senses, counts, synsets })
    }

    /// Whether a lemma usually means another thing than this synset. The first lemma of a synset may
    /// be met twice as often in another sense; the others must mean it first of all things.
    pub fn is_doubtful(&self, lemma: &str, offset: &str, first: bool) -> Result<bool> {
        let lemma = lemma.to_lowercase();
        let thing = self.offset("physical_entity.1")?;
        let Some(senses) = self.senses.get(&lemma) else { return Ok(false) };
        let count = |index: usize| 1 + self.counts.get(&(lemma.clone(), index + 1)).unwrap_or(&0);
        let Some(own) = senses.iter().position(|sense| sense == offset) else { return Ok(false) };
        let above = self.closure(offset);
        let is_other = |(index, sense): (usize, &String)| {
            let kinds = self.closure(sense);
            let earlier = if first { count(index) > 2 * count(own) } else { index < own };
            earlier && kinds.contains(thing) && !kinds.contains(offset) && !above.contains(sense)
        };
        Ok(senses.iter().enumerate().any(is_other))
    }

    /// `bird.1`: the first lemma and the number of its sense.
    pub fn name(&self, offset: &str) -> Result<String> {
        let synset = self.synsets.get(offset).with_context(|| format!("no synset {offset}"))?;
        let lemma = &synset.lemmas[0];
        let senses = self.senses.get(&lemma.to_lowercase());
        let senses = senses.with_context(|| format!("no word {lemma}"))?;
        let number = senses.iter().position(|sense| sense == offset);
        Ok(format!("{lemma}.{}", number.with_context(|| format!("no sense {offset}"))? + 1))
    }

    pub fn offset(&self, kind: &str) -> Result<&str> {
        let (lemma, number) = kind.rsplit_once('.').with_context(|| format!("bad kind {kind}"))?;
        let number: usize = number.parse()?;
        let senses = self.senses.get(&lemma.to_lowercase());
        let found = senses.and_then(|senses| senses.get(number.wrapping_sub(1)));
        Ok(found.with_context(|| format!("WordNet has no {kind}"))?)
    }

    /// A synset and all its ancestors.
    pub fn closure(&self, offset: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![offset.to_string()];
        while let Some(offset) = open.pop() {
            if let Some(synset) = self.synsets.get(&offset)
                && found.insert(offset)
            {
                open.extend(synset.above.iter().cloned());
            }
        }
        found
    }

    /// The synset of a word: by number, or the first below one of the kinds.
    pub fn sense(&self, word: &str, sense: &Sense, under: &[&str]) -> Result<String> {
        let senses = match self.senses.get(word) {
            Some(senses) => senses,
            None => bail!("WordNet does not have {word}: give it `@<KIND`"),
        };
        if let Sense::Number(number) = sense {
            let found = senses.get(number.wrapping_sub(1));
            return Ok(found.with_context(|| format!("{word} has no sense {number}"))?.clone());
        }
        ensure!(!under.is_empty(), "{word}: no class says `under`, and the word has no `@N`");
        let mut kinds = BTreeSet::new();
        for kind in under {
            kinds.insert(self.offset(kind)?.to_string());
        }
        let fits = |offset: &&String| !self.closure(offset).is_disjoint(&kinds);
        let found = senses.iter().find(fits);
        let found = found.with_context(|| {
            let names: Vec<String> = senses
                .iter()
                .map(|offset| {
                    let above = self.synsets.get(offset).and_then(|synset| synset.above.first());
                    above.and_then(|above| self.name(above).ok()).unwrap_or_default()
                })
                .collect();
            format!(
                "{word}: no sense is below {}; they are below {}",
                under.join(", "),
                names.join(" / ")
            )
        })?;
        Ok(found.clone())
    }
}
