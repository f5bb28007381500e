//! Moves as tokens.

use std::str::FromStr;

use super::words::{parse_answer, parse_predicate};
use crate::game::{NotationError, Seat};
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
use crate::games::barbarossa::knowledge::{Knowledge, WordId};
use crate::games::barbarossa::rules::moves::{Gift, Move, Secret};
use crate::games::barbarossa::rules::options::DEALT;
use crate::games::barbarossa::rules::words::{AllowedWords, ObjectName, Question, Word};

/// Writes a secret or its mask.
pub(super) fn secret_text<T: Copy>(secret: &Secret<T>, text: impl Fn(T) -> String) -> String {
    secret.known().map_or("?".into(), text)
}

/// The text of a word that may be masked.
pub(super) fn word_text(word: &Secret<Word>) -> String {
    secret_text(word, |word| word.text().into())
}

/// The six words of a deal that may be masked.
pub(super) fn deal_text(words: &Secret<[WordId; DEALT]>) -> String {
    secret_text(words, |words| words.map(word_list::word).join(","))
}

fn letter_text(name: &ObjectName, place: &Option<u8>) -> String {
    match place {
        Some(place) => format!("letter:{name}:{place}"),
        None => format!("letter:{name}"),
    }
}

/// A move as its token.
pub(crate) fn write_token(m: &Move) -> String {
    match m {
        Move::Judge(token) => {
            format!("judge:{}", secret_text(token, |token| format!("{token:08x}")))
        }
        Move::Deal(name, words) => format!("deal:{name}:{}", deal_text(words)),
        Move::Word(name, word) => format!("word:{name}:{}", word_text(word)),
        Move::Show(name, feature) => {
            format!("show:{name}:{}", Knowledge::shipped().predicate(*feature))
        }
        Move::Done(name) => format!("done:{name}"),
        Move::First(seat) => format!("first:{seat}"),
        Move::Roll => "roll".into(),
        Move::Die(face) => format!("r{face}"),
        Move::Jewels(steps) => format!("jewels:{steps}"),
        Move::Letter(name, place) => letter_text(name, place),
        Move::Give(gift) => {
            let gift = secret_text(gift, |gift| match gift {
                Gift::Letter(letter) => char::from(letter).to_string(),
                Gift::Nothing => "none".into(),
            });
            format!("give:{gift}")
        }
        Move::Ask(name, question) => format!("ask:{name}:{question}"),
        Move::Answer(answer) => answer.token().into(),
        Move::Stop => "stop".into(),
        Move::Guess(name, word) => format!("guess:{name}:{}", word_text(word)),
        Move::Again => "again".into(),
        Move::Verdict(true) => "right".into(),
        Move::Verdict(false) => "wrong".into(),
        Move::Pass => "pass".into(),
        Move::CurseLetter(name, place) => format!("curse:{}", letter_text(name, place)),
        Move::CurseGuess(name, word) => format!("curse:guess:{name}:{}", word_text(word)),
    }
}

/// Reads a secret or its mask.
fn parse_secret<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, NotationError>,
) -> Result<Secret<T>, NotationError> {
    if text == "?" { Ok(Secret::Masked) } else { read(text).map(Secret::Known) }
}

/// Reads a word that may be masked.
pub(super) fn parse_word(text: &str, allowed: AllowedWords) -> Result<Secret<Word>, NotationError> {
    parse_secret(text, |text| Word::parse(text, allowed))
}

/// Reads the six words of a deal that may be masked.
pub(super) fn parse_deal(
    text: &str,
    list: WordList,
) -> Result<Secret<[WordId; DEALT]>, NotationError> {
    parse_secret(text, |text| {
        let allowed = AllowedWords { free: false, list };
        let words = text.split(',').map(|word| Word::parse(word, allowed).map(|word| word.id()));
        let words = words.collect::<Result<Option<Vec<_>>, _>>()?.unwrap_or_default();
        let count = words.len();
        words.try_into().map_err(|_| {
            NotationError::new(format!("{DEALT} words are dealt for an object, not {count}"))
        })
    })
}

pub(super) fn parse_judge(text: &str) -> Result<Secret<u32>, NotationError> {
    parse_secret(text, |text| {
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let token = (text.len() == 8 && text.bytes().all(hex)).then_some(text);
        token.and_then(|text| u32::from_str_radix(text, 16).ok()).ok_or_else(|| {
            NotationError::new(format!("'{text}' is no judge token: eight digits 0-9 a-f"))
        })
    })
}

/// Reads a letter as it is given.
pub(super) fn parse_gift(text: &str, nothing: &str) -> Result<Secret<Gift>, NotationError> {
    parse_secret(text, |text| match text.as_bytes() {
        [letter @ b'a'..=b'z'] => Ok(Gift::Letter(*letter)),
        _ if text == nothing => Ok(Gift::Nothing),
        _ => Err(NotationError::new(format!("'{text}' is no gift: a letter a-z, {nothing}, or ?"))),
    })
}

pub(super) fn parse_seat(text: &str) -> Result<Seat, NotationError> {
    Seat::parse(text).ok_or_else(|| NotationError::new(format!("'{text}' is no seat: p1 to p6")))
}

/// Reads a number to 255, without sign or leading zeros.
pub(super) fn parse_number(text: &str, what: &str) -> Result<u8, NotationError> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = plain && (text == "0" || !text.starts_with('0'));
    let number = if plain { text.parse().ok() } else { None };
    number.ok_or_else(|| NotationError::new(format!("'{text}' is no {what}: a number to 255")))
}

/// Reads a token.
pub(super) fn parse_token(token: &str, allowed: AllowedWords) -> Result<Move, NotationError> {
    if let Some(m) = parse_plain(token) {
        return Ok(m);
    }
    let Some((kind, rest)) = token.split_once(':') else {
        return Err(unknown(token));
    };
    let object = || ObjectName::from_str(rest);
    let pair = || match rest.split_once(':') {
        Some((name, rest)) => Ok((ObjectName::from_str(name)?, rest)),
        None => Err(NotationError::new(format!(
            "'{token}' lacks its last part: {kind}:OBJECT: and what belongs to it"
        ))),
    };
    match kind {
        "judge" => parse_judge(rest).map(Move::Judge),
        "deal" => {
            pair().and_then(|(name, rest)| Ok(Move::Deal(name, parse_deal(rest, allowed.list)?)))
        }
        "word" => pair().and_then(|(name, rest)| Ok(Move::Word(name, parse_word(rest, allowed)?))),
        "show" => pair().and_then(|(name, rest)| Ok(Move::Show(name, parse_predicate(rest)?))),
        "done" => object().map(Move::Done),
        "first" => parse_seat(rest).map(Move::First),
        "jewels" => parse_number(rest, "number of jewels").map(Move::Jewels),
        "letter" => parse_letter(rest).map(|(name, place)| Move::Letter(name, place)),
        "give" => parse_gift(rest, "none").map(Move::Give),
        "ask" => pair().and_then(|(name, rest)| Ok(Move::Ask(name, Question::from_str(rest)?))),
        "guess" => {
            pair().and_then(|(name, rest)| Ok(Move::Guess(name, parse_word(rest, allowed)?)))
        }
        "curse" => parse_curse(rest, allowed),
        _ => Err(unknown(token)),
    }
}

fn parse_plain(token: &str) -> Option<Move> {
    Some(match token {
        "roll" => Move::Roll,
        "stop" => Move::Stop,
        "again" => Move::Again,
        "pass" => Move::Pass,
        "right" => Move::Verdict(true),
        "wrong" => Move::Verdict(false),
        _ => {
            if let Some(answer) = parse_answer(token) {
                return Some(Move::Answer(answer));
            }
            match token.as_bytes() {
                [b'r', digit @ b'1'..=b'6'] => Move::Die(digit - b'0'),
                _ => return None,
            }
        }
    })
}

/// Reads `c2` or `c2:3`.
pub(super) fn parse_letter(text: &str) -> Result<(ObjectName, Option<u8>), NotationError> {
    match text.split_once(':') {
        Some((name, place)) => {
            Ok((ObjectName::from_str(name)?, Some(parse_number(place, "place of a letter")?)))
        }
        None => Ok((ObjectName::from_str(text)?, None)),
    }
}

fn parse_curse(text: &str, allowed: AllowedWords) -> Result<Move, NotationError> {
    if let Some(rest) = text.strip_prefix("letter:") {
        return parse_letter(rest).map(|(name, place)| Move::CurseLetter(name, place));
    }
    if let Some((name, word)) = text.strip_prefix("guess:").and_then(|rest| rest.split_once(':')) {
        return Ok(Move::CurseGuess(ObjectName::from_str(name)?, parse_word(word, allowed)?));
    }
    Err(NotationError::new(format!(
        "'curse:{text}' is no curse: curse:letter:OBJECT or curse:guess:OBJECT:WORD"
    )))
}

fn unknown(token: &str) -> NotationError {
    NotationError::new(format!(
        "'{token}' is no token: judge deal word show done first roll r1-r6 jewels letter give ask \
         yes no possibly dontknow stop guess again right wrong pass curse"
    ))
}
