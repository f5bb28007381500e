//! Writes the wider lexicon from what `import.py` made of it.
//!
//! That is a text and the levels: four bytes of its length, a line of the format, the numbers of
//! entries, of lines with further names and of predicates, the predicates, a line of names for each
//! entry, a word judged by hand and its further names on each line after, and the levels, entry after
//! entry, predicate after predicate.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use parlor::games::barbarossa::knowledge::lexicon::{JUDGED, MAGIC};
use parlor::games::barbarossa::knowledge::{Knowledge, lemmas};

/// The first line of the text.
const IMPORT_MAGIC: &str = "barbarossa lexicon import 1";

/// The lexicon as the program reads it, beside the table that it was made from.
pub fn write(imported: &[u8], knowledge: &Knowledge) -> Result<Vec<u8>> {
    let import = Import::parse(imported, knowledge)?;
    let names: Vec<&str> = import.targets.keys().copied().collect();
    let place = |name: &str| names.binary_search(&name).unwrap_or_default() as u16;
    let head = format!("{}\n{}\n", import.predicates, import.judged.join(" "));
    let text: usize = names.iter().map(|name| name.len()).sum();
    let listed: usize = import.entries.iter().map(Vec::len).sum();
    let mut bytes = MAGIC.to_vec();
    for size in [import.entries.len(), names.len(), listed, head.len(), text] {
        bytes.extend_from_slice(&(size as u32).to_le_bytes());
    }
    bytes.extend_from_slice(head.as_bytes());
    let mut start = 0;
    for length in names.iter().map(|name| name.len()).chain([0]) {
        bytes.extend_from_slice(&(start as u32).to_le_bytes());
        start += length;
    }
    for target in import.targets.values() {
        bytes.extend_from_slice(&target.to_le_bytes());
    }
    bytes.extend(names.iter().map(|name| u8::from(import.is_single(name, knowledge))));
    let mut start = 0;
    for length in import.entries.iter().map(Vec::len).chain([0]) {
        bytes.extend_from_slice(&(start as u16).to_le_bytes());
        start += length;
    }
    for name in import.entries.iter().flatten() {
        bytes.extend_from_slice(&place(name).to_le_bytes());
    }
    names.iter().for_each(|name| bytes.extend_from_slice(name.as_bytes()));
    bytes.extend_from_slice(import.levels);
    Ok(bytes)
}

/// What `import.py` made.
struct Import<'a> {
    predicates: &'a str,
    /// The names of each entry.
    entries: Vec<Vec<&'a str>>,
    /// Words judged by hand that have further names.
    judged: Vec<&'a str>,
    /// What each name stands for.
    targets: BTreeMap<&'a str, u16>,
    levels: &'a [u8],
}

impl<'a> Import<'a> {
    fn parse(bytes: &'a [u8], knowledge: &Knowledge) -> Result<Import<'a>> {
        let short = "the text breaks off";
        let (length, rest) = bytes.split_first_chunk::<4>().context(short)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (header, levels) = rest.split_at_checked(length).context(short)?;
        let header = std::str::from_utf8(header)?;
        let mut lines = header.lines();
        let mut line = || lines.next().context(short);
        ensure!(line()? == IMPORT_MAGIC, "line 1 should be `{IMPORT_MAGIC}`");
        let counts: Vec<usize> = line()?.split(' ').filter_map(|n| n.parse().ok()).collect();
        let [entries, further, predicates] = counts[..] else {
            bail!("line 2 should be three numbers");
        };
        let mut made = Import {
            predicates: line()?,
            entries: Vec::new(),
            judged: Vec::new(),
            targets: BTreeMap::new(),
            levels,
        };
        let right = made.predicates.split(' ').count() == predicates;
        let right = right && Some(levels.len()) == predicates.checked_mul(entries);
        ensure!(right, "the levels should be one for each entry and predicate");
        for entry in 0..entries {
            let names: Vec<&str> = line()?.split(' ').collect();
            made.targets.extend(names.iter().map(|name| (*name, entry as u16)));
            made.entries.push(names);
        }
        for _ in 0..further {
            let mut names = line()?.split(' ');
            if let Some(word) = names.next().filter(|word| knowledge.find_word(word).is_some()) {
                let target = JUDGED | made.judged.len() as u16;
                made.targets.extend(names.map(|name| (name, target)));
                made.judged.push(word);
            }
        }
        Ok(made)
    }

    /// Whether it is a single word of 2 to 14 letters that is no form of another word: a plural is
    /// no word beside its singular.
    fn is_single(&self, name: &str, knowledge: &Knowledge) -> bool {
        (2..=14).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase())
            && knowledge.find_word(name).is_none()
            && !lemmas(name)
                .iter()
                .any(|form| form.len() < name.len() && self.targets.contains_key(form.as_str()))
    }
}
