//! A table in another format: plain text, one word per line, one predicate per column.
//!
//! ```text
//! word has_beak can_fly
//! eagle y y
//! ostrich y n
//! ```
//!
//! Fields are separated by spaces, tabs or commas. A cell is `y n p d`, or the token of an
//! answer, or a number: 1 is yes, 0 no, anything between possibly.

use super::{Answer, Knowledge, Predicate, Word};
use thiserror::Error;

/// A line that cannot be read.
#[derive(Debug, Error)]
#[error("line {line}: {what}")]
pub struct MatrixError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub what: String,
}

/// The answer that a cell stands for.
fn cell(text: &str) -> Option<Answer> {
    if let Some(answer) = Answer::parse(text) {
        return Some(answer);
    }
    let number: f64 = text.parse().ok()?;
    match number {
        n if n >= 1.0 => Some(Answer::Yes),
        n if n <= 0.0 => Some(Answer::No),
        n if n.is_nan() => Some(Answer::DontKnow),
        _ => Some(Answer::Possibly),
    }
}

fn fields(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',']).map(str::trim).filter(|field| !field.is_empty())
}

/// Reads such a table. No predicate of it is clay-visible.
pub fn parse(text: &str) -> Result<Knowledge, MatrixError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, head) = lines.next().ok_or_else(|| MatrixError {
        line: 1,
        what: "the table is empty; the first line should name the predicates".to_string(),
    })?;
    let names: Vec<&str> = fields(head).skip(1).collect();
    let mut rows: Vec<(&str, Vec<Answer>)> = Vec::new();
    for (index, line) in lines {
        let error = |what: String| MatrixError { line: index + 1, what };
        let mut parts = fields(line);
        let word = parts.next().unwrap_or_default();
        let mut answers = Vec::with_capacity(names.len());
        for part in parts {
            let what = || error(format!("`{part}` should be y, n, p, d or a number"));
            answers.push(cell(part).ok_or_else(what)?);
        }
        if answers.len() != names.len() {
            let (found, wanted) = (answers.len(), names.len());
            return Err(error(format!("{word} has {found} cells, should have {wanted}")));
        }
        rows.push((word, answers));
    }
    if rows.len() > u16::MAX as usize || names.len() > u16::MAX as usize {
        let what = "there should be at most 65535 words and predicates".to_string();
        return Err(MatrixError { line: 1, what });
    }
    let words = rows.iter().map(|(word, _)| Word { name: word.to_string(), synonyms: Vec::new() });
    let predicates = names.iter().map(|name| Predicate {
        name: name.to_string(),
        clay: false,
        questions: vec![name.replace('_', " ")],
        partial: Vec::new(),
    });
    let mut made = Knowledge::new(words.collect(), predicates.collect(), names.len(), Vec::new());
    for (word, answers) in rows {
        let Some(word) = made.word_ids.get(word).copied() else { continue };
        for (predicate, answer) in made.vocabulary().zip(answers) {
            made.set_answer(word, predicate, answer);
        }
    }
    Ok(made)
}
