//! The taxonomy: which kinds of thing a word belongs to, as the checked-in table
//! `data/barbarossa/taxonomy.txt` tells it.
//!
//! Two kinds of line, in this order, each sorted:
//!
//! ```text
//! kind bird.1 01503061 bird: vertebrate.1
//! word eagle = eagle.1
//! word smartphone < telephone.1
//! ```
//!
//! A kind is a synset of WordNet: a name (first lemma and sense number), its offset, its lemmas
//! and the kinds above it. A lemma that usually means another thing has a `?`: few think of a
//! chessman when they ask for a man. A word is a kind itself (`=`), or is put below one by hand (`<`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use parlor::reading;

/// One synset above some word of the lexicon.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Kind {
    /// Its offset in WordNet's `data.noun`.
    pub offset: String,
    /// Its lemmas, with `_` for a space.
    pub lemmas: Vec<String>,
    /// Those of them that usually mean another thing.
    pub doubtful: BTreeSet<String>,
    /// The kinds right above it.
    pub parents: Vec<String>,
}

/// The place of a word in the taxonomy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The kind that the word is, or is put below.
    pub kind: String,
    /// Whether the word is that kind itself.
    pub itself: bool,
}

/// All kinds and all words.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Taxonomy {
    /// By name.
    pub kinds: BTreeMap<String, Kind>,
    /// By word.
    pub words: BTreeMap<String, Place>,
}

impl Taxonomy {
    /// Reads the table in a folder.
    pub fn read(folder: &Path) -> Result<Taxonomy> {
        let path = folder.join("taxonomy.txt");
        let text = reading::text(&path).with_context(|| path.display().to_string())?;
        let mut made = Taxonomy::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_end();
            if !line.is_empty() && !line.starts_with('#') {
                made.add(line).with_context(|| format!("taxonomy.txt, line {}", index + 1))?;
            }
        }
        Ok(made)
    }

    /// Adds one line.
    fn add(&mut self, line: &str) -> Result<()> {
        if let Some(rest) = line.strip_prefix("kind ") {
            let usage = "should be `kind NAME OFFSET LEMMA,..: KIND KIND ..`";
            let (head, parents) = rest.split_once(':').context(usage)?;
            let fields: Vec<&str> = head.split(' ').collect();
            let [name, offset, lemmas] = fields[..] else { bail!(usage) };
            let lemmas: Vec<&str> = lemmas.split(',').collect();
            let doubtful = lemmas.iter().filter_map(|lemma| lemma.strip_suffix('?'));
            let kind = Kind {
                offset: offset.to_string(),
                doubtful: doubtful.map(str::to_string).collect(),
                lemmas: lemmas.iter().map(|lemma| lemma.trim_end_matches('?').into()).collect(),
                parents: parents.split_whitespace().map(str::to_string).collect(),
            };
            self.kinds.insert(name.to_string(), kind);
        } else if let Some(rest) = line.strip_prefix("word ") {
            let fields: Vec<&str> = rest.split(' ').collect();
            let [word, sign @ ("=" | "<"), kind] = fields[..] else {
                bail!("should be `word WORD = KIND` or `word WORD < KIND`");
            };
            let place = Place { kind: kind.to_string(), itself: sign == "=" };
            self.words.insert(word.to_string(), place);
        } else {
            bail!("should begin with `kind` or `word`");
        }
        Ok(())
    }

    /// A kind and all its ancestors.
    pub fn closure(&self, kind: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> =
            self.kinds.get_key_value(kind).map(|(name, _)| name.as_str()).into_iter().collect();
        while let Some(name) = open.pop() {
            if found.insert(name)
                && let Some(kind) = self.kinds.get(name)
            {
                open.extend(kind.parents.iter().map(String::as_str));
            }
        }
        found
    }

    /// All kinds a word belongs to, itself included.
    pub fn kinds_of(&self, word: &str) -> BTreeSet<&str> {
        self.words.get(word).map(|place| self.closure(&place.kind)).unwrap_or_default()
    }

    /// Other single words of the same synset.
    pub fn synonyms(&self, word: &str) -> Vec<String> {
        let Some(place) = self.words.get(word).filter(|place| place.itself) else {
            return Vec::new();
        };
        let Some(kind) = self.kinds.get(&place.kind) else { return Vec::new() };
        let single = |lemma: &&String| {
            lemma.as_str() != word && lemma.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        kind.lemmas.iter().filter(single).cloned().collect()
    }
}
