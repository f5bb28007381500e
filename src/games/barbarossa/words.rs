//! Objects, words and questions: the parts that tokens and positions are written with.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::game::{MAX_SEATS, NotationError, Seat};

/// The longest word.
pub const LONGEST_WORD: usize = 14;

/// The longest free question, in bytes.
const LONGEST_TEXT: usize = 400;

/// One object: seat letter and number, `b1` for the first of p2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectName {
    /// Its maker.
    pub owner: Seat,
    /// Which of the maker's objects, from 0.
    pub number: u8,
}

impl ObjectName {
    /// Reads `a1` to `f4`.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        let name = match text.as_bytes() {
            [letter @ b'a'..=b'f', digit @ b'1'..=b'4'] => {
                let owner = usize::from(letter - b'a');
                (owner < MAX_SEATS).then(|| (Seat::new(owner), digit - b'1'))
            }
            _ => None,
        };
        match name {
            Some((owner, number)) => Ok(ObjectName { owner, number }),
            None => Err(NotationError::new(format!(
                "'{text}' is no object: a seat letter from a and a number from 1, such as b1"
            ))),
        }
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.owner.index() as u8), self.number + 1)
    }
}

/// A secret word or a guess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Word {
    /// A word of the lexicon.
    Listed(WordId),
    /// A person's word or spelling outside the lexicon, padded with zeros.
    Foreign([u8; LONGEST_WORD]),
}

impl Word {
    /// Reads a word of the lexicon, or with `free` any well-formed one.
    pub fn parse(text: &str, free: bool) -> Result<Self, NotationError> {
        let knowledge = Knowledge::shipped();
        let text = text.to_ascii_lowercase();
        let text = text.as_str();
        if let Some(id) = knowledge.find_word(text) {
            // With free words a plural is a word of its own, with letters of its own.
            if !free || knowledge.word(id) == text {
                return Ok(Word::Listed(id));
            }
        }
        if !(3..=LONGEST_WORD).contains(&text.len())
            || !text.bytes().all(|byte| byte.is_ascii_lowercase())
        {
            return Err(NotationError::new(format!(
                "'{text}' is no word: 3 to {LONGEST_WORD} letters a-z"
            )));
        }
        if !free {
            return Err(NotationError::new(format!(
                "the lexicon has no word '{text}'{}",
                nearest(&knowledge.nearest_words(text, 3))
            )));
        }
        let mut letters = [0; LONGEST_WORD];
        for (to, from) in letters.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Ok(Word::Foreign(letters))
    }

    /// The word as it is written.
    pub fn text(&self) -> &str {
        match self {
            Word::Listed(id) => Knowledge::shipped().word(*id),
            Word::Foreign(letters) => {
                let length = letters.iter().position(|byte| *byte == 0).unwrap_or(LONGEST_WORD);
                std::str::from_utf8(&letters[..length]).unwrap_or("")
            }
        }
    }

    /// Its letters.
    pub fn letters(&self) -> &[u8] {
        self.text().as_bytes()
    }

    /// The word of the lexicon that it is, or a form of.
    pub fn id(&self) -> Option<WordId> {
        match self {
            Word::Listed(id) => Some(*id),
            Word::Foreign(_) => Knowledge::shipped().find_word(self.text()),
        }
    }

    /// Whether a guess names this word: the same but for case and plural, or with `synset` another
    /// name of the same thing.
    pub fn same(&self, guess: &Word, synset: bool) -> bool {
        match (self, guess) {
            (Word::Listed(a), Word::Listed(b)) if a == b || !synset => a == b,
            _ => Knowledge::shipped().same_word(self.text(), guess.text(), synset),
        }
    }

    /// What the shipped table says of it; nothing for a word outside the lexicon.
    pub fn shipped_answer(&self, predicate: PredicateId) -> Option<Answer> {
        self.id().map(|id| Knowledge::shipped().answer(id, predicate))
    }
}

/// A question about an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// A predicate of the vocabulary.
    Predicate(PredicateId),
    /// A person's own words.
    Text(Arc<str>),
}

impl Question {
    /// Reads `is_alive` or `~is%20it%20alive`.
    pub fn parse(text: &str) -> Result<Self, NotationError> {
        match text.strip_prefix('~') {
            Some(escaped) => Ok(Question::Text(unescape(escaped)?.into())),
            None => parse_predicate(text).map(Question::Predicate),
        }
    }

    /// The predicate it asks for; `None` for words that are not understood.
    pub fn predicate(&self) -> Option<PredicateId> {
        match self {
            Question::Predicate(id) => Some(*id),
            Question::Text(text) => Knowledge::shipped().understand(text),
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Predicate(id) => f.write_str(Knowledge::shipped().predicate(*id)),
            Question::Text(text) => {
                f.write_char('~')?;
                escape(text, f)
            }
        }
    }
}

/// Reads a predicate of the vocabulary.
pub fn parse_predicate(text: &str) -> Result<PredicateId, NotationError> {
    let knowledge = Knowledge::shipped();
    let found = knowledge.find_predicate(text);
    found.filter(|id| is_listed(*id)).ok_or_else(|| {
        NotationError::new(format!(
            "the vocabulary has no predicate '{text}'{}",
            nearest(&knowledge.nearest_predicates(text, 3))
        ))
    })
}

/// Whether a predicate is one of the vocabulary; the others answer free text alone.
pub fn is_listed(predicate: PredicateId) -> bool {
    usize::from(predicate.0) < Knowledge::shipped().predicates()
}

fn nearest(spellings: &[&str]) -> String {
    if spellings.is_empty() {
        return String::new();
    }
    format!("; nearest: {}", spellings.join(" "))
}

fn escape(text: &str, to: &mut impl Write) -> fmt::Result {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' => to.write_char(char::from(byte))?,
            _ => write!(to, "%{byte:02X}")?,
        }
    }
    Ok(())
}

fn unescape(escaped: &str) -> Result<String, NotationError> {
    let fault = |reason: &str| NotationError::new(format!("free text '~{escaped}': {reason}"));
    if escaped.is_empty() {
        return Err(fault("a question has words"));
    }
    if escaped.len() > LONGEST_TEXT {
        return Err(NotationError::new(format!(
            "free text of {} bytes: at most {LONGEST_TEXT} are read",
            escaped.len()
        )));
    }
    let mut bytes = Vec::with_capacity(escaped.len());
    let mut rest = escaped.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' => bytes.push(byte),
            b'%' => {
                let digits = (rest.next().and_then(hex_digit), rest.next().and_then(hex_digit));
                let (Some(high), Some(low)) = digits else {
                    return Err(fault("after % come two of 0-9 A-F"));
                };
                bytes.push(high << 4 | low);
            }
            _ => return Err(fault("a-z 0-9 _ stand for themselves, others are written %XX")),
        }
    }
    String::from_utf8(bytes).map_err(|_| fault("the bytes are not UTF-8"))
}

fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Reads an answer token.
pub fn parse_answer(token: &str) -> Option<Answer> {
    ANSWERS.into_iter().find(|answer| answer.token() == token)
}

/// All answers, in the order in which they are listed.
pub const ANSWERS: [Answer; 4] = [Answer::Yes, Answer::No, Answer::Possibly, Answer::DontKnow];
