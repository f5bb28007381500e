//! Why a move is not legal, in one line.

use super::board::{DEAD, GOALS, Space};
use super::moves::{Move, is_setup};
use super::notation::token;
use super::position::{Entry, Kind, Phase, Position};

/// Names the rule that a well-formed but illegal move breaks.
pub(super) fn illegal(position: &Position, m: Move) -> String {
    if let Phase::Over(ending) = position.phase() {
        return format!("the game is over ({})", ending.word());
    }
    match (m, position.phase()) {
        (Move::Setup { eggs, guardians }, Phase::Setup) if !is_setup(eggs, guardians) => {
            "a set-up has two E and four G on spaces of their own".into()
        }
        (_, Phase::Setup) => {
            "copper sets up first: eight letters E, G or . for a1n a1w b1n b1e c1n c1w d1n d1e"
                .into()
        }
        (Move::Setup { .. }, _) => "the set-up is over, pieces are on the board".into(),
        (Move::Pass, _) => format!("{} can move, so it may not pass", position.side().name()),
        (Move::Walk { .. }, Phase::Passing) => {
            format!("{} has no move and must pass", position.side().name())
        }
        (Move::Walk { from, to }, _) => illegal_walk(position, from, to),
    }
}

fn illegal_walk(position: &Position, from: Space, to: Space) -> String {
    let Some(kind) = position.piece_at(from) else {
        return format!("no piece stands on {from}");
    };
    if kind.side() != position.side() {
        let (name, side) = (kind.name(), position.side().name());
        return format!("the {name} on {from} is not {side}'s, and {side} is to move");
    }
    let Some(through) = from.across() else {
        return format!("nothing is across from {from}, a piece there can never move");
    };
    if let Some(other) = position.piece_at(through) {
        return format!(
            "the {} on {from} is locked by the {} on {through}",
            kind.name(),
            other.name()
        );
    }
    if from.reach() & to.bit() == 0 {
        return format!(
            "{to} is no second step from {through}: it must touch an outer corner of {through} \
             and share no side with it"
        );
    }
    if let Some(other) = position.piece_at(to) {
        return format!("a piece ({}) stands on {to}", other.name());
    }
    illegal_landing(position, kind, from, to)
}

/// The rest: where a kind of piece may not end.
fn illegal_landing(position: &Position, kind: Kind, from: Space, to: Space) -> String {
    let entry = position.rule_set().entry;
    let enters = match kind {
        Kind::Egg => true,
        Kind::Guardian => entry != Entry::Eggs,
        Kind::Serra => entry == Entry::Any,
    };
    if GOALS & to.bit() != 0 && !enters {
        return format!("a {} may not end on a Por'rika (PorrikaEntry)", kind.name());
    }
    let other = to.across().filter(|_| DEAD & to.bit() == 0);
    match other.and_then(|space| Some((space, position.piece_at(space)?))) {
        Some((space, other)) if other.side() == kind.side() => {
            format!("on {to} it would face a friend, the {} on {space}", other.name())
        }
        Some((space, Kind::Serra)) => {
            format!("on {to} the Egg-Carrier would face the Ser'ra on {space} (EggSuicide)")
        }
        Some((space, other)) => {
            format!("on {to} the Ser'ra would face the {} on {space} (SerraLock)", other.name())
        }
        None => format!("{} is not legal here", token(Move::Walk { from, to })),
    }
}
