//! Why a move is illegal, in one line.

use crate::games::porrika::rules::{Illegal, Kind, Move, Position};

use super::tokens::token;

/// Names the rule that an illegal move breaks.
pub(super) fn explain_illegal(position: &Position, m: Move) -> String {
    match position.why_illegal(m) {
        Some(reason) => describe(reason),
        None => format!("{} is legal", token(m)),
    }
}

fn describe(reason: Illegal) -> String {
    match reason {
        Illegal::Over(reason) => format!("the game is over ({})", reason.name()),
        Illegal::BadSetup => "a set-up has two E and four G on six different spaces".into(),
        Illegal::SetupFirst => {
            "copper sets up first: eight letters E, G or . for a1n a1w b1n b1e c1n c1w d1n d1e"
                .into()
        }
        Illegal::SetupDone => "the set-up is over, pieces are on the board".into(),
        Illegal::MayNotPass(side) => format!("{} can move, so it may not pass", side.name()),
        Illegal::MustPass(side) => format!("{} has no move and must pass", side.name()),
        Illegal::NoPiece(from) => format!("no piece stands on {from}"),
        Illegal::NotYours { kind, from, side } => {
            let (name, side) = (kind.name(), side.name());
            format!("the {name} on {from} is not {side}'s, and {side} is to move")
        }
        Illegal::Dead(from) => {
            format!("nothing is across from {from}, a piece there can never move")
        }
        Illegal::Locked { kind, from, by, at } => {
            format!("the {} on {from} is locked by the {} on {at}", kind.name(), by.name())
        }
        Illegal::OutOfReach { to, through } => format!(
            "{to} is no second step from {through}: it must touch an outer corner of {through} \
             and share no side with it"
        ),
        Illegal::Occupied { to, by } => format!("a piece ({}) stands on {to}", by.name()),
        Illegal::Entry(kind) => {
            format!("a {} may not end on a Por'rika (PorrikaEntry)", kind.name())
        }
        Illegal::FacesFriend { to, friend, at } => {
            format!("on {to} it would face a friend, the {} on {at}", friend.name())
        }
        Illegal::EggSuicide { to, at } => {
            let (egg, serra) = (Kind::Egg.name(), Kind::Serra.name());
            format!("on {to} the {egg} would face the {serra} on {at} (EggSuicide)")
        }
        Illegal::SerraLock { to, at } => {
            let (serra, guardian) = (Kind::Serra.name(), Kind::Guardian.name());
            format!("on {to} the {serra} would face the {guardian} on {at} (SerraLock)")
        }
    }
}
