//! The queries of extension 2: `table`, `board`, `step`, `path`; and the drawings made from them.

use super::current_position::CurrentPosition;
#[cfg(feature = "engine")]
use super::interface::Engine;
use crate::game::Turn;
use crate::game::picture::{self, NoStep};
use crate::games::Playable;
use crate::picture::{Board, Last, Step, Table, terminal, to_line};
#[cfg(feature = "engine")]
use crate::picture::{DrawingArguments, draw_answers};
use crate::protocol::{Code, ProtocolError};

type Answer = Result<String, ProtocolError>;

/// What stays while rules and seats stay.
pub(super) fn table<G: Playable>(current: &CurrentPosition<G>) -> Table {
    Table { title: G::TITLE.into(), ..current.situation.position().table() }
}

/// What stands where, with the last token.
pub(super) fn board<G: Playable>(current: &CurrentPosition<G>) -> Board {
    let last = current.before.as_ref().zip(current.moves.last());
    Board {
        turn: current.situation.turn().to_string(),
        last: last.map(|(before, m)| Last { path: picture::path(before, m), told: before.told(m) }),
        ..current.situation.position().board()
    }
}

/// The position as lines of text, with all that its viewer knows.
pub(super) fn diagram<G: Playable>(current: &CurrentPosition<G>, unicode: bool) -> String {
    let (table, board) = (table(current), board(current));
    let options = terminal::Options {
        height: usize::MAX,
        unicode,
        lowercase: terminal::shares_symbols(&table, &board),
        you: current.viewer.map(|seat| seat.index() + 1).into_iter().collect(),
        legend: true,
        ..terminal::Options::default()
    };
    let lines = terminal::draw(&table, &board, &options);
    lines.iter().map(terminal::StyledLine::plain).collect::<Vec<_>>().join("\n")
}

/// What may follow the choices made so far.
pub(super) fn step<G: Playable>(current: &CurrentPosition<G>, path: &[String]) -> Answer {
    if let Some(index) = path.iter().position(|choice| !has_sound_escapes(choice)) {
        let text = format!(
            "choice {}: a percent sign is followed by two hexadecimal digits, as in %20",
            index + 1
        );
        return Err(ProtocolError::new(Code::BadValue, text));
    }
    let situation = &current.situation;
    if let (Turn::Seat(seat), Some(viewer)) = (current.situation.turn(), current.viewer)
        && seat != viewer
    {
        // In games without secrets as well: a view is a seat at the board.
        let error = NoStep::NotToAct(current.situation.turn());
        return Err(ProtocolError::new(Code::NotToAct, error.to_string()));
    }
    let told: Result<Step, NoStep> =
        picture::step(situation.position(), current.situation.turn(), path);
    match told {
        Ok(step) => Ok(to_line(&step)),
        Err(error) => {
            let code = match error {
                NoStep::Over => Code::GameOver,
                NoStep::NotToAct(_) => Code::NotToAct,
                NoStep::BadChoice(_) => Code::BadValue,
            };
            Err(ProtocolError::new(code, error.to_string()))
        }
    }
}

fn has_sound_escapes(choice: &str) -> bool {
    choice
        .split('%')
        .skip(1)
        .all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()))
}

/// The choices that lead to a legal token.
pub(super) fn path<G: Playable>(current: &CurrentPosition<G>, token: &str) -> Answer {
    let position = current.situation.position();
    if current.situation.turn().is_over() {
        return Err(ProtocolError::new(Code::GameOver, "the game is over"));
    }
    let m = position
        .parse_move(token)
        .map_err(|error| ProtocolError::new(Code::BadMove, error.to_string()))?;
    if !position.is_legal(&m) {
        return Err(ProtocolError::new(Code::IllegalMove, position.explain_illegal(&m)));
    }
    Ok(to_line(&picture::path(position, &m)))
}

/// Draws the current position of an engine from its answers alone.
///
/// # Errors
/// What the engine answers in place of them.
#[cfg(feature = "engine")]
pub(super) fn svg(engine: &dyn Engine, drawing: &DrawingArguments) -> Answer {
    let mut refusal = None;
    let drawn = draw_answers(
        |query| {
            let mut words = query.split(' ').map(String::from);
            let name = words.next().unwrap_or_default();
            let arguments: Vec<String> = words.collect();
            engine.query(&name, &arguments).map_err(|error| {
                let text = error.to_string();
                refusal = Some(error);
                text
            })
        },
        drawing.arrow.as_deref(),
        &drawing.options(),
    );
    drawn.map_err(|text| refusal.unwrap_or_else(|| ProtocolError::new(Code::Internal, text)))
}
