//! The queries of extension 3: `lessons` and `puzzles`.

use std::borrow::Cow;

use crate::games::Playable;
use crate::picture::{Lessons, MAX_BYTES, to_line};
use crate::protocol::{Code, ProtocolError};

type Answer = Result<String, ProtocolError>;

/// How many puzzles an answer has if the client does not say.
const USUAL: usize = 20;

/// The course.
pub(super) fn lessons<G: Playable>() -> Answer {
    let text = text_of::<G>("lessons", const { G::LESSONS.is_some() }, || G::LESSONS)?;
    let read = serde_json::from_str::<Lessons>(&text);
    let lessons = read.map_err(|error| ProtocolError::new(Code::Internal, error.to_string()))?;
    Ok(to_line(&lessons))
}

/// A page of the puzzles: at most as many as the first argument says, from the second on, and no more
/// than an answer may hold.
pub(super) fn puzzles<G: Playable>(arguments: &[String]) -> Answer {
    let text = text_of::<G>("puzzles", const { G::PUZZLES.is_some() }, || G::PUZZLES)?;
    let argument = |at: usize, usual| match arguments.get(at) {
        None => Ok(usual),
        Some(word) => word.parse::<usize>().map_err(|_| {
            let text = format!("puzzles takes a count and a number from 0 on, not '{word}'");
            ProtocolError::new(Code::BadNumber, text)
        }),
    };
    let (wanted, from) = (argument(0, USUAL)?, argument(1, 0)?);
    let count = const { lines(G::PUZZLES) };
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

/// The text, if there is one. Where the page of a household has it, it is empty until that has fetched
/// it, and `own` is not in the program.
fn text_of<G: Playable>(
    what: &str,
    is_there: bool,
    own: impl Fn() -> Option<&'static str>,
) -> Result<Cow<'static, str>, ProtocolError> {
    if !is_there {
        let text = format!("{} has no {what}", G::TITLE);
        return Err(ProtocolError::new(Code::UnknownQuery, text));
    }
    #[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "household"))]
    let own = {
        let _ = own;
        || Some(crate::platform::file(&format!("{what}/{}.txt", G::NAME)))
    };
    Ok(own().map_or(Cow::Borrowed(""), Cow::from))
}

/// How many lines there are, counted before the program runs, which may not have the text.
const fn lines(text: Option<&str>) -> usize {
    let Some(text) = text else { return 0 };
    let (bytes, mut at, mut count) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        count += (bytes[at] == b'\n') as usize;
        at += 1;
    }
    count
}
