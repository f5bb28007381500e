//! A drawing made of what an engine answers: `table` and `board`, and for the arrow of a move `path`
//! and `step`.

use super::{Board, Options, Step, Table, draw};

/// Draws the current position of an engine. `query` asks it one query, without the word `query`;
/// `arrow` is the token of a move that is shown beside the position.
///
/// # Errors
/// What the engine answers in place of a picture.
pub fn draw_answers(
    mut query: impl FnMut(&str) -> Result<String, String>,
    arrow: Option<&str>,
    options: &Options,
) -> Result<String, String> {
    let table: Table = read("table", &query("table")?)?;
    let board: Board = read("board", &query("board")?)?;
    let mut options = options.clone();
    if let Some(token) = arrow {
        options.best_path = read("path", &query(&format!("path {token}"))?)?;
        let asked = format!("step {}", options.best_path.join(" "));
        let step: Step = read("step", &query(&asked)?)?;
        options.best = step.show;
    }
    Ok(draw(&table, &board, &options))
}

fn read<'a, T: serde::Deserialize<'a>>(query: &str, answer: &'a str) -> Result<T, String> {
    serde_json::from_str(answer).map_err(|error| format!("the answer of 'query {query}': {error}"))
}
