//! The queries of extension 3: `lessons` and `puzzles`.

use crate::games::Playable;
use crate::picture::{Lessons, MAX_BYTES, to_line};
use crate::protocol::{Code, ProtocolError};

type Answer = Result<String, ProtocolError>;

/// How many puzzles an answer has if the client does not say.
const USUAL: usize = 20;

/// The course.
pub(super) fn lessons<G: Playable>() -> Answer {
    let text = G::LESSONS.ok_or_else(|| none::<G>("lessons"))?;
    let read = serde_json::from_str::<Lessons>(text);
    let lessons = read.map_err(|error| ProtocolError::new(Code::Internal, error.to_string()))?;
    Ok(to_line(&lessons))
}

/// A page of the puzzles: at most as many as the first argument says, from the second on, and no more
/// than an answer may hold.
pub(super) fn puzzles<G: Playable>(arguments: &[String]) -> Answer {
    let text = G::PUZZLES.ok_or_else(|| none::<G>("puzzles"))?;
    let argument = |at: usize, usual| match arguments.get(at) {
        None => Ok(usual),
        Some(word) => word.parse::<usize>().map_err(|_| {
            let text = format!("puzzles takes a count and a number from 0 on, not '{word}'");
            ProtocolError::new(Code::BadNumber, text)
        }),
    };
    let (wanted, from) = (argument(0, USUAL)?, argument(1, 0)?);
    let count = text.lines().count();
    let mut answer = format!("{{\"v\":1,\"count\":{count},\"puzzles\":[");
    for (number, line) in text.lines().skip(from).take(wanted).enumerate() {
        if answer.len() + line.len() + 4 > MAX_BYTES {
            break;
        }
        if number > 0 {
            answer.push(',');
        }
        answer.push_str(line);
    }
    Ok(answer + "]}")
}

fn none<G: Playable>(what: &str) -> ProtocolError {
    ProtocolError::new(Code::UnknownQuery, format!("{} has no {what}", G::TITLE))
}
