//! Objects, words and questions as text.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::game::{MAX_SEATS, NotationError, Seat};
use crate::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};
use crate::games::barbarossa::rules::words::{
    ANSWERS, AllowedWords, LONGEST_NAME, LONGEST_WORD, ObjectName, OwnWords, Question,
    SHORTEST_WORD, Word,
};

/// The longest free question, in bytes.
const LONGEST_TEXT: usize = 400;

impl FromStr for ObjectName {
    type Err = NotationError;

    /// Reads `a1` to `f4`.
    fn from_str(text: &str) -> Result<Self, NotationError> {
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

impl Word {
    /// Reads a listed word, or with free words any well-formed one.
    pub fn parse(text: &str, allowed: AllowedWords) -> Result<Self, NotationError> {
        let text = text.to_ascii_lowercase();
        let text = text.as_str();
        if let Some(id) = allowed.list.find(text) {
            // With free words a plural is a separate word, with its own letters.
            if !allowed.free || word_list::word(id) == text {
                return Ok(Word::Listed(id));
            }
        }
        check_form(text)?;
        if !allowed.free {
            return Err(NotationError::new(unlisted(text, allowed.list)));
        }
        let mut letters = [0; LONGEST_NAME];
        for (to, from) in letters.iter_mut().zip(text.bytes()) {
            *to = from;
        }
        Ok(Word::Foreign(letters))
    }
}

/// What is wrong with a well-formed word that may not be dealt or guessed.
fn unlisted(text: &str, list: WordList) -> String {
    let reason = match Lexicon::shipped().find(text) {
        Some(Named::Judged(word)) if list == WordList::Core => {
            format!("its word is '{}'", word_list::word(word))
        }
        Some(_) if text.contains('_') => "names of two words need the option Words free".into(),
        Some(_) if list == WordList::Core => "it needs the option Lexicon all".into(),
        _ => {
            let nearest = nearest(&list.nearest(text, 3));
            return format!("the lexicon has no word '{text}'{nearest}");
        }
    };
    format!("the lexicon has no word '{text}' here: {reason}")
}

/// A word has letters only; a name of two words must be one that the wider lexicon has.
fn check_form(text: &str) -> Result<(), NotationError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let letters = text.bytes().filter(|byte| *byte != b'_').count();
    if !(SHORTEST_WORD..=LONGEST_WORD).contains(&letters)
        || text.len() > LONGEST_NAME
        || !text.bytes().all(plain)
    {
        return Err(NotationError::new(format!(
            "'{text}' is no word: {SHORTEST_WORD} to {LONGEST_WORD} letters a-z"
        )));
    }
    if text.contains('_') && Lexicon::shipped().find(text).is_none() {
        let lexicon = Lexicon::shipped();
        return Err(NotationError::new(format!(
            "'{text}' is no name of two words that the lexicon has{}",
            nearest(&lexicon.nearest_names(text, 3))
        )));
    }
    Ok(())
}

impl FromStr for Question {
    type Err = NotationError;

    /// Reads `is_alive` or `~is%20it%20alive`.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.strip_prefix('~') {
            Some(escaped) => Ok(Question::Text(OwnWords::new(&unescape(escaped)?))),
            None => parse_predicate(text).map(Question::Predicate),
        }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Predicate(id) => f.write_str(Knowledge::shipped().predicate(*id)),
            Question::Text(words) => escape(words.text(), f),
        }
    }
}

/// Reads a predicate of the vocabulary.
pub(super) fn parse_predicate(text: &str) -> Result<PredicateId, NotationError> {
    if text == "done" {
        return Err(NotationError::new("done is no feature: it follows the first one"));
    }
    let knowledge = Knowledge::shipped();
    let found = knowledge.find_predicate(text);
    found.filter(|id| knowledge.is_listed(*id)).ok_or_else(|| {
        NotationError::new(format!(
            "the vocabulary has no predicate '{text}'{}",
            nearest(&knowledge.nearest_predicates(text, 3))
        ))
    })
}

fn nearest(spellings: &[&str]) -> String {
    if spellings.is_empty() {
        return String::new();
    }
    format!("; nearest: {}", spellings.join(" "))
}

/// Writes the token of a question in own words.
pub(super) fn escape(text: &str, to: &mut impl Write) -> fmt::Result {
    to.write_char('~')?;
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
pub(super) fn parse_answer(token: &str) -> Option<Answer> {
    ANSWERS.into_iter().find(|answer| answer.token() == token)
}
