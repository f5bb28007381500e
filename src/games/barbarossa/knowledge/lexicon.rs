//! The wider lexicon: names of some eight thousand concrete things, and for each thing that nobody
//! has judged by hand the chances of yes, possibly and no.
//!
//! `data/barbarossa/lexicon/import.py` makes the packed table from WordNet and the table written by
//! hand, and measures its chances on rows that it was not shown. It is unpacked when a name is first
//! looked up that the table written by hand does not have.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::OnceLock;

use ruzstd::decoding::StreamingDecoder;

use super::pack::PackError;
use super::{Answer, Knowledge, PredicateId, WordId, language};

/// The first line of the header.
const MAGIC: &str = "barbarossa lexicon 1";

/// The chances of yes that a level stands for.
const YES: [f32; 16] =
    [0.002, 0.01, 0.03, 0.06, 0.1, 0.16, 0.25, 0.35, 0.5, 0.65, 0.75, 0.84, 0.9, 0.95, 0.98, 0.995];

/// The chances of possibly that a level stands for.
const POSSIBLY: [f32; 16] =
    [0.002, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.43, 0.5, 0.58, 0.66, 0.75, 0.85, 0.95];

/// The judge answers yes only of cells that are at least so certain.
const CERTAIN_YES: f32 = 0.9;

/// The judge answers no only of cells that are at least so certain: a false NO ends a player's
/// questions.
const CERTAIN_NO: f32 = 0.97;

/// The judge answers possibly only of cells that are at least so likely to be that.
const LIKELY: f32 = 0.6;

/// The chances of the answers to a question about a thing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Of no.
    pub no: f32,
    /// Of yes.
    pub yes: f32,
    /// Of possibly.
    pub possibly: f32,
}

impl Chances {
    /// The chances of a cell that was judged by hand; `None` where it says dontknow.
    #[must_use]
    pub const fn certain(answer: Answer) -> Option<Chances> {
        let none = Chances { no: 0.0, yes: 0.0, possibly: 0.0 };
        match answer {
            Answer::No => Some(Chances { no: 1.0, ..none }),
            Answer::Yes => Some(Chances { yes: 1.0, ..none }),
            Answer::Possibly => Some(Chances { possibly: 1.0, ..none }),
            Answer::DontKnow => None,
        }
    }

    fn of_levels(levels: u8) -> Chances {
        let (yes, possibly) = (YES[usize::from(levels >> 4)], POSSIBLY[usize::from(levels & 15)]);
        let most = (yes + possibly).max(1.0);
        let (yes, possibly) = (yes / most, possibly / most);
        Chances { no: 1.0 - yes - possibly, yes, possibly }
    }

    /// What the judge says: it does not guess.
    #[must_use]
    pub fn answer(self) -> Answer {
        match self {
            Chances { yes, .. } if yes >= CERTAIN_YES => Answer::Yes,
            Chances { no, .. } if no >= CERTAIN_NO => Answer::No,
            Chances { possibly, .. } if possibly >= LIKELY => Answer::Possibly,
            _ => Answer::DontKnow,
        }
    }
}

/// An entry that was not judged by hand, numbered from the most common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EntryId(pub u16);

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Named {
    /// A word that was judged by hand.
    Judged(WordId),
    /// Another entry.
    Derived(EntryId),
}

/// The wider lexicon.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    entries: Vec<Vec<String>>,
    names: BTreeMap<String, Named>,
    /// The names that may be dealt and guessed, in alphabetical order.
    single_names: Vec<(String, Named)>,
    /// For each predicate of the vocabulary where its levels begin, if it has any.
    columns: Vec<Option<usize>>,
    /// The levels of all entries, predicate after predicate.
    levels: Vec<u8>,
}

impl Lexicon {
    /// The lexicon shipped with the program, unpacked at the first call.
    #[must_use]
    pub fn shipped() -> &'static Lexicon {
        static SHIPPED: OnceLock<Lexicon> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let packed = include_bytes!("../../../../data/barbarossa/lexicon.bin");
            Lexicon::unpack(packed, Knowledge::shipped()).unwrap_or_else(|error| {
                log::error!("the shipped lexicon of Barbarossa does not unpack: {error}");
                Lexicon::default()
            })
        })
    }

    /// The lexicon of packed bytes, beside the table that it was made from.
    pub fn unpack(packed: &[u8], knowledge: &Knowledge) -> Result<Lexicon, PackError> {
        let mut bytes = Vec::new();
        StreamingDecoder::new(packed).map_err(io::Error::other)?.read_to_end(&mut bytes)?;
        let short = || PackError::Short("the header");
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(short)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (header, levels) = rest.split_at_checked(length).ok_or_else(short)?;
        let header = std::str::from_utf8(header).map_err(|_| short())?;
        let mut lines = header.lines();
        let mut line = || lines.next().ok_or_else(short);
        if line()? != MAGIC {
            let what = "should name the format and its version";
            return Err(PackError::Header { line: 1, what });
        }
        let counts: Vec<usize> = line()?.split(' ').filter_map(|n| n.parse().ok()).collect();
        let [entries, further, predicates] = counts[..] else {
            return Err(PackError::Header { line: 2, what: "should be three numbers" });
        };
        let predicates_line = line()?;
        let mut made = Lexicon::default();
        for _ in 0..entries {
            made.add_entry(line()?);
        }
        for _ in 0..further {
            made.add_names(line()?, knowledge);
        }
        let names: Vec<&str> = predicates_line.split(' ').collect();
        if names.len() != predicates || Some(levels.len()) != predicates.checked_mul(entries) {
            return Err(PackError::Short("the rows"));
        }
        made.single_names = made.choose_single_names(knowledge);
        made.columns = knowledge
            .vocabulary()
            .map(|id| names.iter().position(|name| *name == knowledge.predicate(id)))
            .map(|column| column.map(|column| column * entries))
            .collect();
        made.levels = levels.to_vec();
        Ok(made)
    }

    /// Adds an entry with its names.
    fn add_entry(&mut self, line: &str) {
        let id = EntryId(self.entries.len() as u16);
        let names: Vec<String> = line.split(' ').map(str::to_string).collect();
        for name in &names {
            self.names.insert(name.clone(), Named::Derived(id));
        }
        self.entries.push(names);
    }

    /// Adds further names of a word that was judged by hand.
    fn add_names(&mut self, line: &str, knowledge: &Knowledge) {
        let mut names = line.split(' ');
        if let Some(word) = names.next().and_then(|word| knowledge.find_word(word)) {
            for name in names {
                self.names.insert(name.to_string(), Named::Judged(word));
            }
        }
    }

    /// The single words of 2 to 14 letters that are no form of another word.
    fn choose_single_names(&self, knowledge: &Knowledge) -> Vec<(String, Named)> {
        let fits = |name: &str| {
            (2..=14).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        // A plural is no word beside its singular.
        let is_form = |name: &str| {
            knowledge.find_word(name).is_some()
                || language::lemmas(name)
                    .iter()
                    .any(|form| form.len() < name.len() && self.names.contains_key(form))
        };
        let names = self.names.iter().filter(|(name, _)| fits(name) && !is_form(name));
        names.map(|(name, named)| (name.clone(), *named)).collect()
    }

    /// The single words of 2 to 14 letters besides those of the table written by hand, in
    /// alphabetical order: what may be dealt and guessed with `Lexicon` all.
    #[must_use]
    pub fn single_names(&self) -> &[(String, Named)] {
        &self.single_names
    }

    /// How many entries there are that were not judged by hand.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All entries that were not judged by hand, the most common first.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = EntryId> + use<> {
        (0..self.entries.len() as u16).map(EntryId)
    }

    /// The names of an entry, the most common first; words are joined by `_`.
    #[must_use]
    pub fn names(&self, entry: EntryId) -> &[String] {
        self.entries.get(usize::from(entry.0)).map_or(&[], Vec::as_slice)
    }

    /// How many names there are besides those of the table written by hand.
    #[must_use]
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// What a name stands for: case, plural, blanks and hyphens do not matter. Words judged by hand
    /// have their first names in [`Knowledge::find_word`].
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Named> {
        let parts = text.split([' ', '_', '-']).map(language::fold);
        let name = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
        language::lemmas(&name).iter().find_map(|form| self.names.get(form).copied())
    }

    /// The chances of the answers; `None` for what the lexicon does not have.
    #[must_use]
    pub fn chances(&self, entry: EntryId, predicate: PredicateId) -> Option<Chances> {
        let column = self.columns.get(usize::from(predicate.0)).copied().flatten()?;
        if usize::from(entry.0) >= self.entries.len() {
            return None;
        }
        self.levels.get(column + usize::from(entry.0)).copied().map(Chances::of_levels)
    }

    /// What the judge says of an entry; `DontKnow` where that is not certain.
    #[must_use]
    pub fn answer(&self, entry: EntryId, predicate: PredicateId) -> Answer {
        self.chances(entry, predicate).map_or(Answer::DontKnow, Chances::answer)
    }

    /// The names of both lexicons that look most like a text, best first: for suggestions.
    #[must_use]
    pub fn nearest_names(&self, text: &str, count: usize) -> Vec<&str> {
        let knowledge = Knowledge::shipped();
        let judged = knowledge.words().map(|word| knowledge.word(word));
        language::nearest(text, self.names.keys().map(String::as_str).chain(judged), count)
    }
}
