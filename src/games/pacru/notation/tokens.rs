//! Moves as text: `a3-b4(b4)`, `c4xd4(d6)`, `a1-d1(*)`, `e5>(a1,a2)`.

use std::fmt;

use crate::game::NotationError;
use crate::games::chevrons::Field;
use crate::games::pacru::rules::{Gain, Move, Payment, Position, Rotation};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Advance { from, to, pincer, gain, meeting } => {
                write!(f, "{from}{}{to}", if pincer { 'x' } else { '-' })?;
                match (gain, meeting) {
                    (Gain::Nothing, None) => Ok(()),
                    (Gain::Nothing, Some(met)) => write!(f, "({met})"),
                    (Gain::Connection, None) => f.write_str("(*)"),
                    (Gain::Connection, Some(met)) => write!(f, "(*,{met})"),
                    (Gain::Claim(field), None) => write!(f, "({field})"),
                    (Gain::Claim(field), Some(met)) => write!(f, "({field},{met})"),
                }
            }
            Move::Rotate { from, rotation, payment } => {
                write!(f, "{from}{}(", rotation.sign())?;
                for (index, field) in payment.fields().iter().enumerate() {
                    if index > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{field}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// An entry in brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Star,
    Field(Field),
}

/// Reads a well-formed move. A single field in brackets is a claim where [`first_is_claim`], else the
/// field of a meeting.
pub(super) fn parse(position: &Position, token: &str) -> Result<Move, NotationError> {
    if !token.is_ascii() {
        return Err(NotationError::new("a move is written in ASCII"));
    }
    let from = field(token, 0)?;
    let sign_end = token[2..].find(|c: char| !"-x<>".contains(c)).map_or(token.len(), |i| i + 2);
    let sign = &token[2..sign_end];
    if let Some(rotation) = Rotation::ALL.into_iter().find(|rotation| rotation.sign() == sign) {
        return rotate(token, from, rotation, sign_end);
    }
    if sign != "-" && sign != "x" {
        let message =
            "after the field comes - for a move, x for a pincer, or > < >> << for a rotation";
        return Err(NotationError::at(2, message));
    }
    let to = field(token, 3)?;
    let pincer = sign == "x";
    let (gain, meeting) = match &entries(token, 5)?[..] {
        [] => (Gain::Nothing, None),
        [Entry::Star] => (Gain::Connection, None),
        [Entry::Field(only)] if first_is_claim(position, from, to, pincer) => {
            (Gain::Claim(*only), None)
        }
        [Entry::Field(only)] => (Gain::Nothing, Some(*only)),
        [Entry::Star, Entry::Field(met)] => (Gain::Connection, Some(*met)),
        [Entry::Field(claim), Entry::Field(met)] => (Gain::Claim(*claim), Some(*met)),
        _ => {
            let message = "at most two entries: first what is claimed, a field or *, then the field of a meeting";
            return Err(NotationError::at(5, message));
        }
    };
    Ok(Move::Advance { from, to, pincer, gain, meeting })
}

/// Whether a single entry of a move is a claim: the landing gains something, or ends in no meeting.
fn first_is_claim(position: &Position, from: Field, to: Field, pincer: bool) -> bool {
    let Ok(landing) = position.check_landing(from, to, pincer) else {
        return true;
    };
    let seat = position.mover();
    position.claims(seat, landing) != 0
        || landing.connection
        || landing.crosses() && !position.faces_partner(seat, landing)
}

fn rotate(token: &str, from: Field, rotation: Rotation, at: usize) -> Result<Move, NotationError> {
    let mut fields = Vec::new();
    for entry in entries(token, at)? {
        match entry {
            Entry::Field(field) => fields.push(field),
            Entry::Star => {
                let message = "a rotation is paid with fields, such as e5>(a1,a2)";
                return Err(NotationError::at(at, message));
            }
        }
    }
    Ok(Move::Rotate { from, rotation, payment: Payment::new(&fields) })
}

/// The entries in brackets from an offset to the end; none if the token ends there.
fn entries(token: &str, open: usize) -> Result<Vec<Entry>, NotationError> {
    let rest = &token[open..];
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    let Some(inside) = rest.strip_prefix('(') else {
        return Err(NotationError::at(open, "only brackets may follow, such as (d6)"));
    };
    let Some(inside) = inside.strip_suffix(')') else {
        return Err(NotationError::at(open, "the bracket is not finished; it must end with )"));
    };
    let mut at = open + 1;
    let mut entries = Vec::new();
    for part in inside.split(',') {
        entries.push(match part {
            "*" => Entry::Star,
            _ => Entry::Field(Field::parse(part).ok_or_else(|| {
                NotationError::at(at, format!("'{part}' is no field; a1 to i9 are, or *"))
            })?),
        });
        at += part.len() + 1;
    }
    Ok(entries)
}

fn field(token: &str, at: usize) -> Result<Field, NotationError> {
    let text = token.get(at..at + 2).unwrap_or_default();
    Field::parse(text).ok_or_else(|| {
        let found = token.get(at..).unwrap_or_default();
        let found: String = found.chars().take(2).collect();
        NotationError::at(at, format!("expected a field a1 to i9, found '{found}'"))
    })
}
