//! The table as bytes: a header of text (words, predicates, kinds, wordings) and the rows of the
//! vocabulary, two bits a cell, compressed.

use std::io::{self, Read};

use ruzstd::decoding::StreamingDecoder;
use thiserror::Error;

use super::wordings::Wordings;
use super::{Answer, Knowledge, Predicate, PredicateId, Word, WordId};

/// The first line of the header.
pub const MAGIC: &str = "barbarossa knowledge 3";

/// Why bytes cannot be unpacked.
#[derive(Debug, Error)]
pub enum PackError {
    /// The compressed frame is broken.
    #[error("the packed table does not decompress: {0}")]
    Frame(#[from] io::Error),
    /// The bytes end too early, or are not text where text is expected.
    #[error("the packed table breaks off in {0}")]
    Short(&'static str),
    /// The header has an unexpected line.
    #[error("line {line} of the packed header: {what}")]
    Header {
        /// Line of the header, from 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// The table of packed bytes.
pub fn unpack(packed: &[u8]) -> Result<Knowledge, PackError> {
    let mut bytes = Vec::new();
    StreamingDecoder::new(packed).map_err(io::Error::other)?.read_to_end(&mut bytes)?;
    decode(&bytes)
}

/// The table of bytes already decompressed.
fn decode(bytes: &[u8]) -> Result<Knowledge, PackError> {
    let short = || PackError::Short("the header");
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(short)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, rows) = rest.split_at_checked(length).ok_or_else(short)?;
    let header = Header::parse(std::str::from_utf8(header).map_err(|_| short())?)?;
    let width = header.listed.div_ceil(4);
    let mut made = Knowledge::new(header.words, header.predicates, header.listed, header.wordings);
    if rows.len() != width * made.len() {
        return Err(PackError::Short("the rows"));
    }
    for word in made.words() {
        let row = &rows[word.0 as usize * width..][..width];
        for predicate in made.vocabulary() {
            let column = predicate.0 as usize;
            let bits = u64::from(row[column / 4] >> (column % 4 * 2));
            made.set_answer(word, predicate, Answer::from_bits(bits));
        }
    }
    for (kind, answer, words) in header.members {
        for word in words {
            made.set_answer(word, kind, answer);
        }
    }
    Ok(made)
}

/// The contents of the header.
#[derive(Default)]
struct Header {
    words: Vec<Word>,
    predicates: Vec<Predicate>,
    /// How many predicates are in the vocabulary.
    listed: usize,
    /// The words of each kind, and those of which it is not known.
    members: Vec<(PredicateId, Answer, Vec<WordId>)>,
    wordings: Vec<Wordings>,
}

impl Header {
    fn parse(text: &str) -> Result<Header, PackError> {
        let mut lines = text.lines().enumerate();
        let mut line = || lines.next().ok_or(PackError::Short("the header"));
        if line()?.1 != MAGIC {
            let what = "should name the format and its version";
            return Err(PackError::Header { line: 1, what });
        }
        let counts: Vec<usize> = line()?.1.split(' ').filter_map(|n| n.parse().ok()).collect();
        let [words, listed, kinds, wordings] = counts[..] else {
            return Err(PackError::Header { line: 2, what: "should be four numbers" });
        };
        let mut header = Header { listed, ..Header::default() };
        for _ in 0..words {
            let mut names = line()?.1.split(' ').map(str::to_string);
            let name = names.next().unwrap_or_default();
            header.words.push(Word { name, synonyms: names.collect() });
        }
        for index in 0..listed.saturating_add(kinds) {
            let (number, text) = line()?;
            header
                .add_predicate(text, index)
                .ok_or(PackError::Header { line: number + 1, what: "should be a predicate" })?;
        }
        for _ in 0..wordings {
            let (number, text) = line()?;
            let what = "should be wordings";
            let made = Wordings::of_frames(text);
            let made = made.map_err(|_| PackError::Header { line: number + 1, what })?;
            header.wordings.push(made);
        }
        Ok(header)
    }

    /// Reads one predicate; a kind has its words after the last `|`, and after a `?` those of which
    /// it is not known.
    fn add_predicate(&mut self, text: &str, index: usize) -> Option<()> {
        let mut fields = text.splitn(3, ' ');
        let (name, mark, mut questions) = (fields.next()?, fields.next()?, fields.next()?);
        if index >= self.listed
            && let Some((rest, list)) = questions.rsplit_once('|')
        {
            questions = rest;
            let (yes, unknown) = list.split_once('?').unwrap_or((list, ""));
            for (answer, list) in [(Answer::Yes, yes), (Answer::DontKnow, unknown)] {
                let list = list.split(' ').filter_map(|word| word.parse().ok()).map(WordId);
                self.members.push((PredicateId(index as u16), answer, list.collect()));
            }
        }
        let name = name.to_string();
        let mut predicate = Predicate { name, clay: mark == "c", ..Predicate::default() };
        questions.split('|').for_each(|question| predicate.add_wording(question));
        self.predicates.push(predicate);
        Some(())
    }
}
