//! `explore`: a tree of the best lines of a position, for people who study it.
//!
//! Every position of the tree is searched with as many best lines as the tree is wide, so that its
//! score is that of a whole search and not of a line that a search of the root passed by.

use std::fmt::Write;

use serde::Serialize;

use super::interface::{Engine, Message, SetError};
use crate::protocol::{
    Code, Dialect, GoArguments, InfoLine, MAX_SEATS, PositionArgument, ProtocolError, Score, Turn,
};
use crate::search::Control;

/// What the tree shows.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Plies of the tree
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=64))]
    plies: u8,
    /// Most moves of a position, the best first
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=64))]
    width: u8,
    /// Leave out moves that are worse than the best by more, in hundredths
    #[arg(long, value_name = "CP")]
    margin: Option<u32>,
}

/// A move, its score for the seat that makes it, and what may follow.
#[derive(Serialize, Debug)]
pub(super) struct Branch {
    #[serde(rename = "move")]
    token: String,
    score: Score,
    depth: u32,
    /// The line that the search expects, the move first.
    pv: Vec<String>,
    /// The best answers; empty at the end of the tree, of the game, and where dice are thrown.
    replies: Vec<Branch>,
}

/// The tree of a position.
pub(super) fn explore(
    engine: &mut dyn Engine,
    root: &PositionArgument,
    extent: Extent,
    go: &GoArguments,
) -> Result<Vec<Branch>, ProtocolError> {
    let width = extent.width.to_string();
    engine.set_option("MultiPV", Some(&width)).map_err(|error| match error {
        SetError::Refused(error) => error,
        unknown @ SetError::Unknown(_) => ProtocolError::new(Code::BadOption, unknown.to_string()),
    })?;
    if is_chance(engine)? {
        let text = "explore: nobody chooses here; play the throw first, with --moves";
        return Err(ProtocolError::new(Code::NotToAct, text));
    }
    grow(engine, root, extent, extent.plies, go)
}

/// Whether chance is to move.
fn is_chance(engine: &dyn Engine) -> Result<bool, ProtocolError> {
    let turn = engine.query("turn", &[])?;
    Ok(Turn::read(&turn, MAX_SEATS).is_some_and(Turn::is_chance))
}

fn grow(
    engine: &mut dyn Engine,
    position: &PositionArgument,
    extent: Extent,
    plies: u8,
    go: &GoArguments,
) -> Result<Vec<Branch>, ProtocolError> {
    engine.set_position(position)?;
    let mut branches = Vec::new();
    if is_chance(engine)? {
        return Ok(branches);
    }
    for info in best_lines(engine, go, extent)? {
        let Some(token) = info.pv.first().cloned() else { continue };
        let mut next = position.clone();
        next.moves.push(token.clone());
        let replies = match plies {
            0 | 1 => Vec::new(),
            _ => grow(engine, &next, extent, plies - 1, go)?,
        };
        branches.push(Branch { token, score: info.score, depth: info.depth, pv: info.pv, replies });
    }
    Ok(branches)
}

/// The last report of each of the best lines, the best first; none where nothing can be chosen.
fn best_lines(
    engine: &mut dyn Engine,
    go: &GoArguments,
    extent: Extent,
) -> Result<Vec<InfoLine>, ProtocolError> {
    let mut lines: Vec<Option<InfoLine>> = vec![None; usize::from(extent.width)];
    let mut fault = None;
    let control = Control::default();
    engine.search(go, Dialect::Ugi, &control, &mut |message| match message {
        Message::Info(info) => {
            if let Some(line) = info.multipv.checked_sub(1).and_then(|at| lines.get_mut(at)) {
                *line = Some(info);
            }
        }
        Message::Error(error) => fault = Some(error),
        Message::Text(_) => {}
    });
    if let Some(error) = fault {
        return Err(error);
    }
    let mut lines: Vec<InfoLine> = lines.into_iter().flatten().collect();
    if let (Some(margin), Some(best)) = (extent.margin, lines.first()) {
        let least = i64::from(best.score.centipawns()) - i64::from(margin);
        lines.retain(|line| i64::from(line.score.centipawns()) >= least);
    }
    Ok(lines)
}

/// The tree in text: one line for each move, answers below it; at the ends, how the line goes on.
pub(super) fn draw(root: &PositionArgument, branches: &[Branch]) -> String {
    let mut text = root.to_string();
    draw_below(branches, "", &mut text);
    text
}

fn draw_below(branches: &[Branch], indent: &str, text: &mut String) {
    let width = branches.iter().map(|branch| branch.token.chars().count()).max().unwrap_or(0);
    for (at, branch) in branches.iter().enumerate() {
        let last = at + 1 == branches.len();
        let (corner, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let score = match branch.score {
            Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Score::Mate(plies) => format!("mate {plies}"),
        };
        let _ = write!(text, "\n{indent}{corner}{:width$}  {score}", branch.token);
        if branch.replies.is_empty() && branch.pv.len() > 1 {
            let _ = write!(text, "  {}", branch.pv[1..].join(" "));
        }
        draw_below(&branch.replies, &format!("{indent}{below}"), text);
    }
}
