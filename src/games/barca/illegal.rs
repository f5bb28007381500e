//! Why a move is not legal.

use super::moves::Move;
use super::notation::SIDES;
use super::position::Position;
use super::square::{Kind, Set, file_of, rank_of, square_name};
use super::tables::at;

/// One line that names the rule a move breaks.
pub(super) fn explain(position: &Position, m: Move) -> String {
    if let Some(side) = position.winner() {
        return format!("the game is over: {} holds three watering holes", SIDES[side]);
    }
    let mover = match position.animal_at(m.from) {
        None => return format!("no animal stands on {}", square_name(m.from)),
        Some((side, kind)) if side != position.side() => {
            return format!(
                "the {} on {} is {}'s, and {} is to move",
                kind.name(),
                square_name(m.from),
                SIDES[side],
                SIDES[position.side()]
            );
        }
        Some((_, kind)) => kind,
    };
    off_its_lines(mover, m)
        .or_else(|| blocked(position, mover, m))
        .or_else(|| escape_first(position, mover, m))
        .or_else(|| into_fear(position, mover, m))
        .unwrap_or_else(|| format!("{m} is legal"))
}

fn off_its_lines(kind: Kind, m: Move) -> Option<String> {
    if m.from == m.to {
        return Some(format!("{m} does not move the {}; there is no pass", kind.name()));
    }
    let files = file_of(m.from).abs_diff(file_of(m.to));
    let ranks = rank_of(m.from).abs_diff(rank_of(m.to));
    let (straight, slanted) = (files == 0 || ranks == 0, files == ranks);
    let (fits, lines) = match kind {
        Kind::Mouse => (straight, "ranks and files"),
        Kind::Lion => (slanted, "diagonals"),
        Kind::Elephant => (straight || slanted, "ranks, files and diagonals"),
    };
    let [from, to] = [m.from, m.to].map(square_name);
    (!fits).then(|| format!("the {} moves along {lines}, and {from} to {to} is none", kind.name()))
}

fn blocked(position: &Position, kind: Kind, m: Move) -> Option<String> {
    if position.slides(kind, m.from).has(m.to) {
        return None;
    }
    let step = |from: u8, to: u8| (to as i32 - from as i32).signum();
    let across = step(file_of(m.from), file_of(m.to));
    let up = step(rank_of(m.from), rank_of(m.to));
    let mut square = m.from as i32;
    // On the way there stands an animal, at the latest on the target itself.
    while square != m.to as i32 {
        square += across + 10 * up;
        let Some((side, other)) = position.animal_at(square as u8) else {
            continue;
        };
        let (name, at) = (other.name(), square_name(square as u8));
        if square == m.to as i32 {
            return Some(format!(
                "{}'s {name} stands on {at}, and nothing is captured in Barca",
                SIDES[side]
            ));
        }
        return Some(format!(
            "the {} on {} cannot jump over {}'s {name} on {at}",
            kind.name(),
            square_name(m.from),
            SIDES[side]
        ));
    }
    None
}

/// While some animal can escape, only escapes are legal.
fn escape_first(position: &Position, kind: Kind, m: Move) -> Option<String> {
    let (afraid, square) = position.must_escape()?;
    let escape = Move { from: square, to: position.calm_slides(afraid, square).next()? };
    let moves_from_fear = position.feared(position.side(), kind).has(m.from);
    if moves_from_fear {
        let scare = position.scare(position.side(), kind, m.to)?;
        return Some(format!(
            "an afraid animal must escape (such as {escape}), and on {} the {} would still be \
             afraid of the {scare}",
            square_name(m.to),
            kind.name()
        ));
    }
    let scare = position.scare(position.side(), afraid, square)?;
    Some(format!(
        "{}'s {} on {} is afraid of the {scare} and must escape first, such as by {escape}",
        SIDES[position.side()],
        afraid.name(),
        square_name(square)
    ))
}

fn into_fear(position: &Position, kind: Kind, m: Move) -> Option<String> {
    let side = position.side();
    if position.feared(side, kind).has(m.from) {
        return None;
    }
    let scare = position.scare(side, kind, m.to)?;
    Some(format!(
        "a calm animal never moves into fear, and on {} the {} would be afraid of the {scare}",
        square_name(m.to),
        kind.name()
    ))
}

impl Position {
    /// The enemy that makes an animal afraid on a square, such as `lion on d5`.
    pub(super) fn scare(&self, side: usize, kind: Kind, square: u8) -> Option<String> {
        let feared = kind.feared();
        let near = at(square).near;
        let enemy = Set(self.standing(side ^ 1, feared).0 & near.0).next()?;
        Some(format!("{} on {}", feared.name(), square_name(enemy)))
    }
}
