//! The table as the product reads it: the bytes that [`pack::unpack`] takes apart.
//!
//! [`pack::unpack`]: parlor::games::barbarossa::knowledge::pack::unpack

use std::fmt::Write;

use parlor::games::barbarossa::knowledge::pack::MAGIC;
use parlor::games::barbarossa::knowledge::wordings::{BETWEEN_FRAMES, Wordings};
use parlor::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};

/// Compression level.
const LEVEL: i32 = 19;

/// The packed table, and how many bytes it has unpacked.
pub fn pack(knowledge: &Knowledge) -> std::io::Result<(Vec<u8>, usize)> {
    let bytes = encode(knowledge);
    Ok((zstd::encode_all(bytes.as_slice(), LEVEL)?, bytes.len()))
}

/// The bytes before compression.
fn encode(knowledge: &Knowledge) -> Vec<u8> {
    let header = header(knowledge);
    let mut bytes = (header.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    for word in knowledge.words() {
        let mut row = vec![0u8; knowledge.predicates().div_ceil(4)];
        for predicate in knowledge.vocabulary() {
            let column = predicate.0 as usize;
            row[column / 4] |= (knowledge.answer(word, predicate) as u8) << (column % 4 * 2);
        }
        bytes.extend_from_slice(&row);
    }
    bytes
}

/// Words, predicates with the members of kinds, wordings. Writing to a String never fails.
fn header(knowledge: &Knowledge) -> String {
    let all = knowledge.predicates_with_kinds();
    let (words, listed) = (knowledge.len(), knowledge.predicates());
    let wordings = knowledge.wordings();
    let mut header = format!("{MAGIC}\n{words} {listed} {} {}\n", all - listed, wordings.len());
    for word in knowledge.words().filter_map(|word| knowledge.word_entry(word)) {
        header.push_str(&word.name);
        word.synonyms.iter().for_each(|synonym| _ = write!(header, " {synonym}"));
        header.push('\n');
    }
    for id in (0..all as u16).map(PredicateId) {
        let Some(predicate) = knowledge.predicate_entry(id) else { continue };
        let questions: Vec<String> = predicate.wordings().collect();
        let mark = if predicate.clay { "c" } else { "-" };
        let _ = write!(header, "{} {mark} {}", predicate.name, questions.join("|"));
        if usize::from(id.0) >= listed {
            header.push('|');
            for (answer, mark) in [(Answer::Yes, ""), (Answer::DontKnow, " ?")] {
                let words =
                    || knowledge.words().filter(|word| knowledge.answer(*word, id) == answer);
                if words().next().is_some() {
                    header.push_str(mark);
                }
                words().for_each(|word| _ = write!(header, " {}", word.0));
            }
        }
        header.push('\n');
    }
    wordings.iter().for_each(|wordings| _ = writeln!(header, "{}", line_of(wordings)));
    header
}

/// Wordings as they are parsed: a way, and the predicates from which answers follow in it.
fn line_of(wordings: &Wordings) -> String {
    let ways = wordings.follows.chunk_by(|one, other| one.0 == other.0).map(|group| {
        let names: Vec<&str> = group.iter().map(|(_, name)| name.as_str()).collect();
        format!("{} {}", group[0].0.name(), names.join(" "))
    });
    let ways = ways.collect::<Vec<_>>().join(", ");
    format!("{ways}: {}", wordings.frames.join(&BETWEEN_FRAMES.to_string()))
}
