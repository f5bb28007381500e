//! Hints to the search: tags, the order of moves, what is known without search.

use super::bounds::decided;
use super::evaluation::Evaluation;
use crate::games::chevrons::Field;
use crate::games::chevrons::filling::{Kind, Move, Position, Twist};
use crate::search::{Bound, KnownValue, MoveHint, Score, SearchHints};

impl<K: Kind> SearchHints<Position<K>> for Evaluation {
    fn tag(&self, m: &Move) -> u16 {
        let fields = m.from.index() * 81 + m.to.index();
        (1 + 3 * fields + m.twist as usize) as u16
    }

    fn move_of_tag(&self, position: &Position<K>, tag: u16) -> Option<Move> {
        let code = usize::from(tag).checked_sub(1)?;
        let (fields, twist) = (code / 3, Twist::ALL[code % 3]);
        let from = Field::at(fields / 81 % 9, fields / 81 / 9)?;
        let to = Field::at(fields % 81 % 9, fields % 81 / 9)?;
        let m = Move { from, to, twist };
        position.check(&m).is_ok().then_some(m)
    }

    /// By mover and target, and whether the chevron turns.
    fn history_slot(&self, position: &Position<K>, m: &Move) -> u16 {
        (position.mover() as u16) << 9 | (m.to.index() as u16) << 2 | m.twist as u16
    }

    fn hint_moves(&self, position: &Position<K>, moves: &[Move], hints: &mut [MoveHint]) {
        for (m, hint) in moves.iter().zip(hints) {
            let gain = i16::from(position.cell(m.to).marker().is_none());
            *hint = MoveHint { priority: 0, bonus: 6_000 * gain };
        }
    }

    /// A race that no play can turn any more.
    fn known_value(&self, position: &Position<K>) -> Option<KnownValue> {
        let (won, plies) = decided(position)?;
        let mate = if won { plies } else { -plies };
        let bound = if won { Bound::Lower } else { Bound::Upper };
        Some(KnownValue { score: Score::Mate(mate), bound })
    }
}
