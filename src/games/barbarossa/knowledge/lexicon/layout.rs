//! The wider lexicon as bytes that are used as they lie, without unpacking.
//!
//! ```text
//! barbarossa lexicon 2\n
//! u32 x 6       sizes of what follows: entries, names, names of entries, bytes of the head, of names
//! head          tokens of the predicates, a line; words judged by hand, a line
//! u32 x names+1 where each name begins, in alphabetical order
//! u16 x names   its entry, or with the highest bit a word judged by hand, by its place in the head
//! u8 x names    1 if it may be dealt and guessed
//! u16 x entries+1, u16 ..  where the names of each entry begin; names by their places, common first
//! names         one after the other
//! u8 ..         levels, entry after entry, predicate after predicate
//! ```

use std::ops::Range;

use crate::games::barbarossa::knowledge::pack::PackError;

/// How the bytes begin.
pub const MAGIC: &[u8] = b"barbarossa lexicon 2\n";

/// The sizes after it.
pub(super) const SIZES: usize = 5;

/// Marks the target of a name of a word that was judged by hand.
pub const JUDGED: u16 = 1 << 15;

/// Where the parts lie.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) entries: usize,
    pub(super) names: usize,
    pub(super) head: Range<usize>,
    pub(super) name_starts: Range<usize>,
    pub(super) targets: Range<usize>,
    pub(super) flags: Range<usize>,
    pub(super) entry_starts: Range<usize>,
    pub(super) entry_names: Range<usize>,
    pub(super) text: Range<usize>,
    pub(super) levels: Range<usize>,
}

impl Layout {
    /// Measures the parts, which must fill the bytes.
    pub(super) fn of(bytes: &[u8]) -> Result<Layout, PackError> {
        let short = || PackError::Short("the sizes");
        if !bytes.starts_with(MAGIC) {
            let what = "should name the format and its version";
            return Err(PackError::Header { line: 1, what });
        }
        let mut sizes = [0; SIZES];
        for (index, size) in sizes.iter_mut().enumerate() {
            let at = MAGIC.len() + 4 * index;
            let number = bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).ok_or_else(short)?;
            *size = u32::from_le_bytes(number) as usize;
        }
        let [entries, names, listed, head, text] = sizes;
        if names > usize::from(JUDGED) || entries > usize::from(JUDGED) {
            return Err(short());
        }
        let mut at = MAGIC.len() + 4 * SIZES;
        let mut part = |length: usize| {
            let start = at;
            at = at.saturating_add(length);
            start..at
        };
        let mut made = Layout {
            entries,
            names,
            head: part(head),
            name_starts: part(4 * (names + 1)),
            targets: part(2 * names),
            flags: part(names),
            entry_starts: part(2 * (entries + 1)),
            entry_names: part(listed.saturating_mul(2)),
            text: part(text),
            levels: 0..0,
        };
        made.levels = made.text.end..bytes.len();
        if made.text.end > bytes.len() {
            return Err(PackError::Short("the names"));
        }
        Ok(made)
    }
}
