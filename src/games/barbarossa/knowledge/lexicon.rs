//! The wider lexicon: names of some eight thousand concrete things, and for each thing that nobody
//! has judged by hand the chances of yes, possibly and no.
//!
//! `data/barbarossa/lexicon/import.py` makes the table from WordNet and the table written by hand, and
//! measures its chances on rows that it was not shown. It lies in the program as it is used: names are
//! found by halving, a cell is one byte.

mod layout;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use self::layout::Layout;
use super::pack::PackError;
use super::{Answer, Knowledge, PredicateId, WordId, language};

pub use layout::{JUDGED, MAGIC};

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

/// What the judge says of each byte of the table.
static ANSWERS: [Answer; 256] = {
    let mut answers = [Answer::DontKnow; 256];
    let mut levels = 0;
    while levels < answers.len() {
        answers[levels] = Chances::of_levels(levels as u8).answer();
        levels += 1;
    }
    answers
};

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

    /// The chances that a byte of the table stands for.
    #[must_use]
    pub const fn of_levels(levels: u8) -> Chances {
        let (yes, possibly) = (YES[(levels >> 4) as usize], POSSIBLY[(levels & 15) as usize]);
        let most = (yes + possibly).max(1.0);
        let (yes, possibly) = (yes / most, possibly / most);
        Chances { no: 1.0 - yes - possibly, yes, possibly }
    }

    /// What the judge says: it does not guess.
    #[must_use]
    pub const fn answer(self) -> Answer {
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
    bytes: Cow<'static, [u8]>,
    layout: Layout,
    /// The words judged by hand that have further names.
    judged: Vec<WordId>,
    /// The names that may be dealt and guessed, in alphabetical order, by their places.
    single: Vec<u16>,
    /// For each predicate of the vocabulary where its levels begin, if it has any.
    columns: Vec<Option<usize>>,
}

impl Lexicon {
    /// The lexicon shipped with the program.
    #[must_use]
    pub fn shipped() -> &'static Lexicon {
        static SHIPPED: OnceLock<Lexicon> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let bytes: &'static [u8] = include_bytes!("../../../../data/barbarossa/lexicon.bin");
            Lexicon::read(Cow::Borrowed(bytes), Knowledge::shipped()).unwrap_or_else(|error| {
                log::error!("the shipped lexicon of Barbarossa cannot be read: {error}");
                Lexicon::default()
            })
        })
    }

    /// The lexicon of its bytes, beside the table that it was made from.
    pub fn read(bytes: Cow<'static, [u8]>, knowledge: &Knowledge) -> Result<Lexicon, PackError> {
        let layout = Layout::of(&bytes)?;
        let text = |part: &Range<usize>, what| {
            std::str::from_utf8(&bytes[part.clone()]).map_err(|_| PackError::Short(what))
        };
        text(&layout.text, "the names")?;
        let head = text(&layout.head, "the head")?;
        let (predicates, judged) = head.split_once('\n').ok_or(PackError::Short("the head"))?;
        let names: Vec<&str> = predicates.split(' ').collect();
        if layout.levels.len() != names.len() * layout.entries {
            return Err(PackError::Short("the rows"));
        }
        let words = judged.split_whitespace().map(|word| knowledge.word_ids.get(word).copied());
        let judged: Option<Vec<WordId>> = words.collect();
        let judged = judged.ok_or(PackError::Short("the words judged by hand"))?;
        let columns = knowledge
            .vocabulary()
            .map(|id| names.iter().position(|name| *name == knowledge.predicate(id)))
            .map(|column| column.map(|column| layout.levels.start + column * layout.entries))
            .collect();
        let flags = bytes[layout.flags.clone()].iter().enumerate();
        let single = flags.filter(|(_, flag)| **flag == 1).map(|(name, _)| name as u16).collect();
        Ok(Lexicon { bytes, layout, judged, single, columns })
    }

    /// A number of two bytes.
    fn number(&self, part: &Range<usize>, index: usize) -> usize {
        let at = part.start + 2 * index;
        let bytes = self.bytes.get(at..at + 2).filter(|_| at + 2 <= part.end);
        bytes.map_or(0, |bytes| usize::from(u16::from_le_bytes([bytes[0], bytes[1]])))
    }

    /// The name at a place.
    fn name(&self, place: usize) -> &str {
        std::str::from_utf8(self.name_bytes(place)).unwrap_or_default()
    }

    fn name_bytes(&self, place: usize) -> &[u8] {
        let start = |place: usize| {
            let at = self.layout.name_starts.start + 4 * place;
            let bytes = self.bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            self.layout.text.start + bytes.map_or(0, u32::from_le_bytes) as usize
        };
        if place >= self.layout.names {
            return &[];
        }
        self.bytes.get(start(place)..start(place + 1)).unwrap_or_default()
    }

    /// What the name at a place stands for.
    fn target(&self, place: usize) -> Option<Named> {
        let target = self.number(&self.layout.targets, place) as u16;
        if target & JUDGED == 0 {
            return Some(Named::Derived(EntryId(target)));
        }
        self.judged.get(usize::from(target & !JUDGED)).copied().map(Named::Judged)
    }

    /// The place of a name as it is written in the lexicon.
    fn place(&self, name: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.layout.names);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.name_bytes(middle).cmp(name.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// How many names may be dealt and guessed with `Lexicon` all: the single words of 2 to 14 letters
    /// besides those of the table written by hand.
    #[must_use]
    pub fn single_names(&self) -> usize {
        self.single.len()
    }

    /// One of these names in alphabetical order, and what it stands for.
    #[must_use]
    pub fn single_name(&self, index: usize) -> Option<(&str, Named)> {
        let place = usize::from(*self.single.get(index)?);
        Some((self.name(place), self.target(place)?))
    }

    /// Which of these names it is.
    #[must_use]
    pub fn find_single(&self, name: &str) -> Option<usize> {
        self.single.binary_search(&(self.place(name)? as u16)).ok()
    }

    /// How many entries there are that were not judged by hand.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.entries
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layout.entries == 0
    }

    /// All entries that were not judged by hand, the most common first.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = EntryId> + use<> {
        (0..self.layout.entries as u16).map(EntryId)
    }

    /// The names of an entry, the most common first; words are joined by `_`.
    pub fn names(&self, entry: EntryId) -> impl Iterator<Item = &str> {
        let start = |index| self.number(&self.layout.entry_starts, index);
        let (from, to) = match usize::from(entry.0) {
            index if index < self.layout.entries => (start(index), start(index + 1)),
            _ => (0, 0),
        };
        (from..to).map(|index| self.name(self.number(&self.layout.entry_names, index)))
    }

    /// How many names there are besides those of the table written by hand.
    #[must_use]
    pub fn name_count(&self) -> usize {
        self.layout.names
    }

    /// What a name stands for: case, plural, blanks and hyphens do not matter. Words judged by hand
    /// have their first names in [`Knowledge::find_word`].
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Named> {
        let parts = text.split([' ', '_', '-']).map(language::fold);
        let name = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_");
        language::first_known(&name, |form| self.target(self.place(form)?))
    }

    /// The chances of the answers; `None` for what the lexicon does not have.
    #[must_use]
    pub fn chances(&self, entry: EntryId, predicate: PredicateId) -> Option<Chances> {
        let levels = self.levels(predicate)?;
        levels.get(usize::from(entry.0)).copied().map(Chances::of_levels)
    }

    /// The bytes of a predicate, entry after entry; [`Chances::of_levels`] says what they stand for.
    #[must_use]
    pub fn levels(&self, predicate: PredicateId) -> Option<&[u8]> {
        let column = self.columns.get(usize::from(predicate.0)).copied().flatten()?;
        self.bytes.get(column..column + self.layout.entries)
    }

    /// What the judge says of an entry; `DontKnow` where that is not certain.
    #[must_use]
    pub fn answer(&self, entry: EntryId, predicate: PredicateId) -> Answer {
        let levels = self.levels(predicate).and_then(|levels| levels.get(usize::from(entry.0)));
        levels.map_or(Answer::DontKnow, |levels| ANSWERS[usize::from(*levels)])
    }

    /// The names of both lexicons that a text may be a misspelling of, best first.
    #[must_use]
    pub fn nearest_names(&self, text: &str, count: usize) -> Vec<&str> {
        let knowledge = Knowledge::shipped();
        let judged = knowledge.words().map(|word| knowledge.word(word));
        let names = (0..self.layout.names).map(|place| self.name(place));
        language::spelled_like(text, names.chain(judged), count)
    }
}
