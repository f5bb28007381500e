//! Moves as text: `t4` is a throw, `c1e2,e2d5d` a play of two steps, the second by two pawns
//! together, `pass` a play of none.

use super::position::read_cell;
use crate::game::{NotationError, quoted};
use crate::games::chowka_bhara::rules::{MAX_THROWS, Move, Play, Position, Step};

/// Writes a move.
pub(super) fn write(position: &Position, m: &Move) -> String {
    let play = match m {
        Move::Throw(value) => return format!("t{value}"),
        Move::Play(play) => play,
    };
    if play.steps().is_empty() {
        return "pass".into();
    }
    let steps: Vec<_> = play.steps().iter().map(|step| write_step(position, *step)).collect();
    steps.join(",")
}

/// Writes a step of the side to move.
pub(super) fn write_step(position: &Position, step: Step) -> String {
    let together = if step.together() { "d" } else { "" };
    format!("{}{}{together}", cell_name(position, step.from()), cell_name(position, step.to()))
}

/// The name of the cell of a path index of the side to move.
pub(super) fn cell_name(position: &Position, index: u8) -> String {
    let geometry = position.options().geometry();
    geometry.name(geometry.cell(position.side(), index))
}

/// Reads a well-formed move, legal or not.
pub(super) fn parse(position: &Position, token: &str) -> Result<Move, NotationError> {
    if token == "pass" {
        return Ok(Move::Play(Play::default()));
    }
    match token.strip_prefix('t') {
        Some(value) => parse_throw(position, value),
        None => parse_play(position, token),
    }
}

fn parse_throw(position: &Position, text: &str) -> Result<Move, NotationError> {
    let options = position.options();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && options.is_value(*value));
    let Some(value) = value.filter(|_| !text.starts_with('0')) else {
        let shown = quoted(text);
        let bonus = options.bonus();
        let message = format!("'t{shown}' is no throw: t1 to t{bonus} or t{}", 2 * bonus);
        return Err(NotationError::at(0, message));
    };
    Ok(Move::Throw(value))
}

fn parse_play(position: &Position, token: &str) -> Result<Move, NotationError> {
    let mut play = Play::default();
    let mut at = 0;
    for text in token.split(',') {
        let step = parse_step(position, text, at)?;
        if !play.push(step) {
            let message = format!("a turn has at most {MAX_THROWS} steps");
            return Err(NotationError::at(at, message));
        }
        at += text.len() + 1;
    }
    Ok(Move::Play(play))
}

fn parse_step(position: &Position, text: &str, at: usize) -> Result<Step, NotationError> {
    let geometry = position.options().geometry();
    let cell = |from: usize| {
        let rest = text.get(from..).unwrap_or("");
        read_cell(rest, geometry).ok_or_else(|| {
            let message = "a cell of this board is expected: a step is two, such as c1e2, then 'd' \
                           for two pawns together; steps are joined by commas";
            NotationError::at(at + from, message)
        })
    };
    let (from, length) = cell(0)?;
    let (to, more) = cell(length)?;
    let end = length + more;
    let together = match text.get(end..) {
        Some("") => false,
        Some("d") => true,
        _ => return Err(NotationError::at(at + end, "',' or 'd' or the end is expected")),
    };
    let side = position.side();
    Ok(Step::new(geometry.index(side, from), geometry.index(side, to), together))
}
