//! Reports and choices of a player as lines of the protocol.

use super::interface::{Answer, Message};
use crate::games::Playable;
use crate::protocol::{self, Dialect, InfoLine};
use crate::search::{Bound, Choice, Info, Score};

/// The line before a throw.
pub(super) fn thrown_line(token: &str) -> InfoLine {
    InfoLine { multipv: 1, pv: vec![token.into()], ..InfoLine::default() }
}

/// What an engine reports, as a line.
pub(super) fn message_line(message: &Message) -> String {
    match message {
        Message::Info(info) => info.to_string(),
        Message::Text(text) => format!("info string {text}"),
        Message::Error(error) => {
            log::warn!("{error}");
            format!("info string error {error}")
        }
    }
}

/// A choice as tokens.
pub(super) fn answer<G: Playable>(position: &G, choice: &Choice<G::Move>) -> Answer {
    let best = position.token(&choice.best);
    let mut next = position.clone();
    next.play(&choice.best);
    let ponder = choice.ponder.as_ref().filter(|m| next.is_legal(m)).map(|m| next.token(m));
    Answer { best: Some(best), ponder }
}

/// What is known after an iteration, as a line.
pub(super) fn info_line<G: Playable>(
    position: &G,
    info: &Info<G::Move>,
    dialect: Dialect,
    show_wdl: bool,
) -> InfoLine {
    let score = match (info.score, dialect) {
        (Score::Cp(value), _) => protocol::Score::Centipawns(value.clamp(-9999, 9999)),
        (Score::Mate(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Score::Mate(plies), Dialect::Uci) => {
            protocol::Score::Mate(plies.signum() * ((plies.abs() + 1) / 2))
        }
    };
    let wdl =
        info.wdl.or_else(|| (show_wdl && info.shares.is_none()).then(|| win_draw_loss(info.score)));
    let micros = info.time.as_micros().max(1);
    InfoLine {
        depth: info.depth,
        seldepth: info.seldepth,
        multipv: info.multipv,
        score,
        bound: match info.bound {
            Bound::Exact => protocol::Bound::Exact,
            Bound::Lower => protocol::Bound::Lower,
            Bound::Upper => protocol::Bound::Upper,
        },
        wdl,
        vec: info.shares.clone(),
        nodes: info.nodes,
        nps: (u128::from(info.nodes) * 1_000_000 / micros) as u64,
        time: info.time.as_millis() as u64,
        hashfull: info.hashfull,
        pv: tokens(position, &info.pv),
    }
}

/// Win, draw and loss in permille from a value on the scale 400 log10(p / (1 - p)).
fn win_draw_loss(score: Score) -> [u16; 3] {
    let win = match score {
        Score::Mate(plies) if plies > 0 => 1000,
        Score::Mate(_) => 0,
        Score::Cp(value) => {
            let odds = libm::pow(10.0, f64::from(value) / 400.0);
            libm::round(1000.0 * odds / (1.0 + odds)) as u16
        }
    };
    [win, 0, 1000 - win]
}

fn tokens<G: Playable>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut tokens = Vec::with_capacity(moves.len());
    for m in moves {
        if !position.is_legal(m) {
            break;
        }
        tokens.push(position.token(m));
        position.play(m);
    }
    tokens
}
