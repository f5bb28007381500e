//! Hints to the search: move ordering, and which moves are noisy.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::evaluation::Evaluation;
use super::marker_values::MarkerValues;
use super::selective::SelectivePosition;
use crate::games::chevrons::network::Network;
use crate::games::chevrons::{Direction, FIELDS, Field};
use crate::games::pacru::rules::{Gain, Move, Payment, Position};
use crate::search::{Evaluate, MoveHint, MoveKind, Quiescence, SearchHints};

/// How many plies below the last full one captures are searched.
const CAPTURE_PLIES: u32 = 3;

/// An evaluation of the engine. The hints to the search are the same for all.
pub(super) trait Hinted: Evaluate<SelectivePosition> {}

impl Hinted for Evaluation {}

impl<const VIEWS: usize> Hinted for Arc<Network<SelectivePosition, VIEWS>> {}

impl<E: Hinted> SearchHints<SelectivePosition> for E {
    fn tag(&self, m: &Move) -> u16 {
        if let Some(tag) = plain_tag(m) {
            return tag;
        }
        let code = match *m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                let gain = gain_code(gain) << 14 | meeting.map_or(127, |f| f.index() as u64) << 22;
                from.index() as u64 | (to.index() as u64) << 7 | gain | (pincer as u64) << 29
            }
            Move::Rotate { from, rotation, payment } => {
                from.index() as u64 | (rotation as u64) << 7 | 1 << 30 | payment_code(payment) << 31
            }
        };
        // Never 0, which means no move.
        let hash = (code + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        PLAIN_TAGS + ((hash * u64::from(u16::MAX - PLAIN_TAGS)) >> 32) as u16 + 1
    }

    fn move_of_tag(&self, position: &SelectivePosition, tag: u16) -> Option<Move> {
        if tag > PLAIN_TAGS { position.hashed_move(self, tag) } else { position.plain_move(tag) }
    }

    /// Of most moves; the key of a capture or a connection is another one.
    #[inline]
    fn key_after(&self, position: &SelectivePosition, tag: u16) -> Option<u64> {
        let line = line_of(tag)?;
        let claim = match line.gain {
            Gain::Claim(field) => Some(field),
            _ => None,
        };
        let next = (position.mover() + 1) % position.seats();
        Some(position.key_after([line.from, line.to], line.direction, claim, next))
    }

    /// Pincers are noisy, rotations come last.
    fn fold_kind<T>(
        &self,
        position: &SelectivePosition,
        kind: MoveKind,
        skipped: &[u16],
        start: T,
        mut visit: impl FnMut(T, Move, MoveHint) -> T,
    ) -> Option<T> {
        let mut folded = Some(start);
        let mut add = |m: Move, hint| {
            let tag = self.tag(&m);
            // Other tags may belong to two moves.
            if !(tag <= PLAIN_TAGS && skipped.contains(&tag))
                && let Some(so_far) = folded.take()
            {
                folded = Some(visit(so_far, m, hint));
            }
            ControlFlow::<()>::Continue(())
        };
        let seat = position.mover();
        let _ = match kind {
            MoveKind::Last => {
                position.for_each_promising_rotation(|m| add(m, self.hint_move(position, &m)))
            }
            MoveKind::Noisy => position.for_each_pincer(seat, |landing| {
                let values = MarkerValues::new(position, seat);
                position
                    .for_each_promising_gain(landing, |m| add(m, hint_of(position, &values, &m)))
            }),
            MoveKind::Quiet => {
                let values = MarkerValues::new(position, seat);
                position.for_each_plain_landing(seat, |landing| {
                    // With two seats all claims of a landing have the same value: either all fields
                    // are neutral or all are the enemy's.
                    let mut claim = None;
                    position.for_each_promising_gain(landing, |m| {
                        let is_claim = position.seats() == 2 && is_claim(&m);
                        let known = claim.filter(|_| is_claim);
                        let hint = known.unwrap_or_else(|| hint_of(position, &values, &m));
                        if is_claim {
                            claim = Some(hint);
                        }
                        add(m, hint)
                    })
                })
            }
        };
        folded
    }

    /// The search uses only the priority of a single move.
    fn hint_move(&self, _: &SelectivePosition, m: &Move) -> MoveHint {
        MoveHint { priority: priority_of(m), bonus: 0 }
    }

    /// By target and gain; rotations by field and angle.
    fn history_slot(&self, _: &SelectivePosition, m: &Move) -> u16 {
        match *m {
            Move::Advance { to, gain, .. } => (to.index() as u16) << 8 | gain_code(gain) as u16,
            Move::Rotate { from, rotation, .. } => {
                0x8000 | (from.index() as u16) << 2 | rotation as u16
            }
        }
    }

    /// Moves of a chevron to a field, whatever they gain; rotations, whatever is paid.
    fn variant(&self, m: &Move) -> u16 {
        match *m {
            Move::Advance { from, to, .. } => 1 + from.index() as u16 * 81 + to.index() as u16,
            Move::Rotate { from, rotation, .. } => {
                81 * 81 + 1 + from.index() as u16 * 4 + rotation as u16
            }
        }
    }

    fn hint_moves(&self, position: &SelectivePosition, moves: &[Move], hints: &mut [MoveHint]) {
        let values = MarkerValues::new(position, position.mover());
        for (m, hint) in moves.iter().zip(hints) {
            *hint = hint_of(position, &values, m);
        }
    }

    fn quiescence(&self, _: &SelectivePosition, depth: u32) -> Quiescence {
        if depth < CAPTURE_PLIES { Quiescence::Noisy } else { Quiescence::Static }
    }

    /// Pincers, each with its most valuable claim.
    fn for_each_noisy<B>(
        &self,
        position: &SelectivePosition,
        _: u32,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let seat = position.mover();
        let values = MarkerValues::new(position, seat);
        position.for_each_pincer(seat, |landing| {
            let mut best: Option<(i32, Gain)> = None;
            let _ = position.for_each_gain::<()>(seat, landing, |gain| {
                let gained = gain_value(&values, gain);
                if best.is_none_or(|(known, _)| gained > known) {
                    best = Some((gained, gain));
                }
                ControlFlow::Continue(())
            });
            let gain = best.map_or(Gain::Nothing, |(_, gain)| gain);
            let meeting = if position.faces_partner(seat, landing) {
                let fields = position.meeting_fields(landing, gain);
                fields.max_by_key(|field| values.of(*field))
            } else {
                None
            };
            visit(landing.with(gain, meeting))
        })
    }
}

/// Gains of a landing: nine claims, a connection, none.
const GAINS: u16 = 11;

/// Greatest tag of an advance without a meeting: from it the move can be told.
const PLAIN_TAGS: u16 = 81 * 64 * GAINS;

/// By start and end of a line: its direction, and its length less one.
static LINES: [[u8; FIELDS]; FIELDS] = {
    let mut lines = [[0; FIELDS]; FIELDS];
    let mut from = 0;
    while from < FIELDS {
        let mut direction = 0;
        while direction < 8 {
            let (field, way) = (Field::new(from), Direction::new(direction));
            let mut steps = 1;
            while steps <= field.room(way) {
                let to = field.ahead(way, steps).index();
                lines[from][to] = direction * 8 + steps as u8 - 1;
                steps += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    lines
};

#[inline(always)]
fn plain_tag(m: &Move) -> Option<u16> {
    let Move::Advance { from, to, gain, meeting: None, .. } = *m else {
        return None;
    };
    let line = u16::from(LINES[from.index()][to.index()]);
    let gain = match gain {
        Gain::Claim(field) => field.bit().trailing_zeros() as u16,
        Gain::Connection => 9,
        Gain::Nothing => 10,
    };
    Some(1 + (from.index() as u16 * 64 + line) * GAINS + gain)
}

/// What a tag of an advance without meeting says.
struct Line {
    from: Field,
    to: Field,
    direction: Direction,
    gain: Gain,
}

#[inline]
fn line_of(tag: u16) -> Option<Line> {
    if tag == 0 || tag > PLAIN_TAGS {
        return None;
    }
    let (line, gain) = ((tag - 1) / GAINS, (tag - 1) % GAINS);
    let from = Field::new(line as usize / 64);
    let (direction, steps) = (Direction::new(((line / 8) & 7) as u8), (line & 7) as usize + 1);
    if steps > from.room(direction) {
        return None;
    }
    let to = from.ahead(direction, steps);
    let gain = match gain {
        9 => Gain::Connection,
        10 => Gain::Nothing,
        bit => Gain::Claim(Field::of_bit(to.borderland(), u32::from(bit))),
    };
    Some(Line { from, to, direction, gain })
}

/// Whether a move gains a claim and nothing else.
fn is_claim(m: &Move) -> bool {
    matches!(m, Move::Advance { gain: Gain::Claim(_), meeting: None, .. })
}

fn priority_of(m: &Move) -> i8 {
    match m {
        Move::Advance { pincer, .. } => 2 * i8::from(*pincer),
        Move::Rotate { .. } => -1,
    }
}

impl SelectivePosition {
    /// The legal move with a tag, if it is an advance without meeting.
    fn plain_move(&self, tag: u16) -> Option<Move> {
        let Line { from, to, gain, .. } = line_of(tag)?;
        let cell = self.cell(from);
        if !cell.is_occupied() || cell.chevron_seat() != self.mover() || self.is_over() {
            return None;
        }
        let pincer = self.cell(to).is_occupied();
        self.has_plain(from, to, pincer, gain).then_some(Move::Advance {
            from,
            to,
            pincer,
            gain,
            meeting: None,
        })
    }

    /// The first promising rotation or meeting with a tag.
    #[cold]
    fn hashed_move<E: SearchHints<SelectivePosition>>(&self, hints: &E, tag: u16) -> Option<Move> {
        let seen = |m: Move| {
            if hints.tag(&m) == tag { ControlFlow::Break(m) } else { ControlFlow::Continue(()) }
        };
        if self.is_over() {
            return None;
        }
        let seat = self.mover();
        let found = self.for_each_landing(seat, |landing| {
            if self.faces_partner(seat, landing) {
                self.for_each_promising_gain(landing, seen)
            } else {
                ControlFlow::Continue(())
            }
        });
        found.break_value().or_else(|| self.for_each_promising_rotation(seen).break_value())
    }
}

fn gain_code(gain: Gain) -> u64 {
    match gain {
        Gain::Nothing => 255,
        Gain::Connection => 254,
        Gain::Claim(field) => field.index() as u64,
    }
}

fn payment_code(payment: Payment) -> u64 {
    payment.fields().iter().fold(0, |code, field| code << 7 | field.index() as u64)
}

fn gain_value(values: &MarkerValues, gain: Gain) -> i32 {
    match gain {
        Gain::Claim(field) => values.of(field),
        _ => 0,
    }
}

fn hint_of(position: &Position, values: &MarkerValues, m: &Move) -> MoveHint {
    match *m {
        Move::Advance { pincer: true, gain, .. } => {
            MoveHint { priority: priority_of(m), bonus: gain_value(values, gain) as i16 }
        }
        Move::Advance { from, to, gain, meeting, .. } => {
            let mut bonus = 16 * gain_value(values, gain);
            if let (Gain::Connection, Some((direction, steps))) = (gain, from.line_to(to)) {
                let own = Some(position.mover());
                let between = (1..steps).map(|step| from.ahead(direction, step));
                bonus = between
                    .filter(|field| position.cell(*field).marker() != own)
                    .map(|field| 16 * values.of(field))
                    .sum();
            }
            if let Some(field) = meeting {
                bonus += 16 * values.of(field);
            }
            MoveHint { priority: 0, bonus: bonus.clamp(-12_000, 12_000) as i16 }
        }
        Move::Rotate { .. } => MoveHint { priority: -1, bonus: 0 },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::{Game as _, Random, Rules as _};
    use crate::games::chevrons::Board;

    /// Positions of random games, with all promising moves and their hints.
    fn for_positions(mut visit: impl FnMut(&SelectivePosition, &HashMap<Move, MoveHint>)) {
        let mut random = Random::new(5);
        for players in ["2", "2", "2", "2", "3", "4"] {
            let mut rules = Position::default_rules();
            rules.set("Players", players).expect("a number of players");
            let start = Position::start(&rules, None).expect("a start");
            let mut position = SelectivePosition::new(start);
            for _ in 0..200 {
                let mut moves = Vec::new();
                let _ = position.for_each_move::<()>(|m| {
                    moves.push(m);
                    ControlFlow::Continue(())
                });
                let mut hints = vec![MoveHint::QUIET; moves.len()];
                Evaluation.hint_moves(&position, &moves, &mut hints);
                visit(&position, &moves.into_iter().zip(hints).collect());
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
            }
        }
    }

    #[test]
    fn the_kinds_together_are_all_moves_with_their_hints() {
        let evaluation = Evaluation;
        let mut counts = [0; 3];
        for_positions(|position, all| {
            if position.is_over() {
                return;
            }
            let of_kind = |kind, skipped: &[u16]| {
                let start = Vec::new();
                let found =
                    evaluation.fold_kind(position, kind, skipped, start, |mut list, m, hint| {
                        list.push((m, hint));
                        list
                    });
                found.unwrap_or_default()
            };
            let mut found = Vec::new();
            for (kind, sign) in [(MoveKind::Noisy, 1), (MoveKind::Quiet, 0), (MoveKind::Last, -1)] {
                let list = of_kind(kind, &[]);
                assert!(list.iter().all(|(_, hint)| hint.priority.signum() == sign), "{list:?}");
                counts[(1 - sign) as usize] += list.len();
                if let [first, .., last] = list[..] {
                    let tags = [0, evaluation.tag(&first.0), evaluation.tag(&last.0)];
                    let rest = list.iter().filter(|(m, _)| {
                        let tag = evaluation.tag(m);
                        tag > PLAIN_TAGS || !tags.contains(&tag)
                    });
                    let rest: Vec<_> = rest.copied().collect();
                    assert_eq!(of_kind(kind, &tags), rest);
                }
                found.extend(list);
            }
            assert_eq!(found.len(), all.len(), "{}", **position);
            assert_eq!(&found.into_iter().collect::<HashMap<_, _>>(), all, "{}", **position);
        });
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    }

    #[test]
    fn moves_are_found_by_their_tags() {
        let evaluation = Evaluation;
        let (mut positions, mut keys) = (0, 0);
        for_positions(|position, all| {
            positions += 1;
            for (m, hint) in all {
                let tag = evaluation.tag(m);
                let found = evaluation.move_of_tag(position, tag);
                assert!(
                    tag != 0 && (found == Some(*m) || tag > PLAIN_TAGS),
                    "{} {m:?}",
                    **position
                );
                assert_eq!(evaluation.hint_move(position, m).priority, hint.priority);
                let mut next = position.clone();
                next.play(m);
                let is_simple = matches!(
                    m,
                    Move::Advance {
                        pincer: false,
                        gain: Gain::Claim(_) | Gain::Nothing,
                        meeting: None,
                        ..
                    }
                );
                // A player who is out loses chevrons, too; the winner's turn does not pass as usual.
                if is_simple && !next.is_over() && position.seats() == 2 {
                    assert_eq!(evaluation.key_after(position, tag), Some(next.key()));
                    keys += 1;
                }
            }
            // Whatever the table says is a promising move or none.
            if positions % 50 == 0 {
                for tag in 0..=u16::MAX {
                    let found = evaluation.move_of_tag(position, tag);
                    assert!(found.is_none_or(|m| all.contains_key(&m)), "{} {tag}", **position);
                }
            }
        });
        assert!(positions > 500 && keys > 4_000, "{positions} {keys}");
    }

    #[test]
    fn the_key_after_a_claim_of_an_enemy_marker_is_known() {
        let options = Position::default().options();
        let mut board = Board::empty(2, 0, options.key(2));
        // Only the landing field of the borderland entered is not the enemy's.
        for field in Field::all().filter(|field| (3..6).contains(&field.rank())) {
            board.set_marker(field, Some(usize::from(field.index() != 31)));
        }
        board.place_chevron(0, Field::new(22), Direction::new(0));
        board.place_chevron(1, Field::new(80), Direction::new(4));
        let position = SelectivePosition::new(Position::new(board, options));
        let evaluation = Evaluation;
        let mut claims = 0;
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            if matches!(m, Move::Advance { gain: Gain::Claim(_), meeting: None, .. }) {
                assert_eq!(evaluation.key_after(&position, evaluation.tag(&m)), Some(next.key()));
                claims += 1;
            }
            ControlFlow::Continue(())
        });
        assert_eq!(claims, 8);
    }
}
