//! Turns of Pacru, which are paid for with any two or four of the own markers: far too many moves for a
//! proof that tries each. What falls, and what is hopeful, is shown for a kind of turns at once, as
//! `pacru::play::wins` explains. What is won by markers is counted as if they were paid: with the very next
//! move only those payments are hopeful that a connection takes back.

use std::collections::HashMap;
use std::ops::ControlFlow;

use parlor::game::{Game, Notation, Rules, Seat};
use parlor::games::chevrons::Field;
use parlor::games::pacru::play::wins::{
    self, Debt, has_plenty, is_left, may_spoil_a_meeting, may_win, most_gained, unpaid,
};
use parlor::games::pacru::{Gain, Move, Payment, Position, Rotation, winning_markers};

use super::wins::after;
use super::{Moves, Provable};

/// Positions of a proof that no payment is hopeful.
const HOPED: u32 = 20_000;

/// Markers of a seat near its win, and chevrons of one near its loss.
const MANY: usize = 33;
const FEW: usize = 2;

impl Provable for Position {
    fn theme(&self, m: &Move) -> Option<&'static str> {
        match m {
            Move::Advance { pincer: true, .. } => Some("pincer"),
            Move::Advance { gain: Gain::Connection, .. } => Some("connection"),
            Move::Advance { meeting: Some(_), .. } => Some("meeting"),
            Move::Rotate { .. } => Some("turn"),
            Move::Advance { .. } => None,
        }
    }

    const SEEKING: u64 = 30_000;

    const LOST_IN: u32 = 1;

    fn is_near_end(&self) -> bool {
        [0, 1]
            .map(Seat::new)
            .into_iter()
            .any(|seat| self.markers(seat) >= MANY || self.chevrons(seat).len() <= FEW)
    }

    /// Of a kind of turns the one that is paid with the first markers.
    fn main_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        let _ = self.for_each_move(|m| {
            if matches!(m, Move::Rotate { .. }) {
                return ControlFlow::Break(());
            }
            moves.push(m);
            ControlFlow::Continue(())
        });
        let Some(seat) = self.turn().seat().filter(|_| self.options().rotations) else {
            return moves;
        };
        let free: Vec<Field> = free(self, seat).collect();
        for rotation in Rotation::ALL {
            let Some(paid) = free.get(..rotation.cost()) else { continue };
            let turns = self.chevrons(seat).iter();
            let payment = Payment::new(paid);
            moves.extend(turns.map(|from| Move::Rotate { from: *from, rotation, payment }));
        }
        moves
    }

    fn is_of_kind(&self, m: &Move) -> bool {
        matches!(m, Move::Rotate { .. })
    }

    fn without_kinds(&self) -> Option<Position> {
        let mut rules = Position::default_rules();
        rules.set("Players", "2").ok()?;
        rules.set("Rotations", "false").ok()?;
        Position::parse(&self.to_string(), &rules, None).ok()
    }

    fn kind(&self, m: &Move) -> Moves<Move> {
        let (Some(seat), Move::Rotate { from, rotation, .. }) = (self.turn().seat(), *m) else {
            return Box::new(std::iter::empty());
        };
        let paid = choices(free(self, seat).collect(), rotation.cost());
        Box::new(paid.map(move |payment| Move::Rotate { from, rotation, payment }))
    }

    fn hopeful(&self, m: &Move, left: u32) -> Moves<Move> {
        let (Some(seat), Move::Rotate { rotation, .. }) = (self.turn().seat(), m) else {
            return Box::new(std::iter::once(*m));
        };
        let debt = Debt { paid: rotation.cost(), most: self.markers(seat) - rotation.cost() };
        let next = unpaid(self, m);
        if left == 1 && next.outcome().is_none() {
            let needs = needs(&next, seat, debt);
            if needs.iter().any(Vec::is_empty) {
                return Box::new(std::iter::empty());
            }
            return Box::new(self.kind(m).filter(move |m| {
                needs.iter().all(|lines| lines.iter().any(|line| line.holds(m)))
            }));
        }
        let mut hope = Hope { seat, nodes: HOPED, known: HashMap::new(), refuted: None };
        if hope.may_win(&next, left, debt) { self.kind(m) } else { Box::new(std::iter::empty()) }
    }

    fn falls(&self, m: &Move) -> bool {
        wins::falls(self, m)
    }
}

/// The markers that a seat may pay with.
fn free(position: &Position, seat: Seat) -> impl Iterator<Item = Field> {
    let is_free =
        move |at: &Field| position.marker(*at) == Some(seat) && position.chevron(*at).is_none();
    Field::all().filter(is_free)
}

/// All choices of so many fields.
fn choices(fields: Vec<Field>, count: usize) -> impl Iterator<Item = Payment> {
    let most = fields.len();
    let first: Option<Vec<usize>> = (count <= most).then(|| (0..count).collect());
    let places = std::iter::successors(first, move |places| {
        let moved = (0..count).rev().find(|at| places[*at] < most - count + at)?;
        let mut next = places.clone();
        let start = next[moved] + 1;
        next[moved..].iter_mut().zip(start..).for_each(|(place, to)| *place = to);
        Some(next)
    });
    places.map(move |places| {
        let paid: Vec<Field> = places.into_iter().map(|place| fields[place]).collect();
        Payment::new(&paid)
    })
}

/// A proof that no payment is hopeful: the attacker pays later, the other may do less.
struct Hope {
    seat: Seat,
    /// Positions that may still be visited.
    nodes: u32,
    known: HashMap<(u64, u32, Debt), bool>,
    /// The move of the other that refuted last.
    refuted: Option<Move>,
}

impl Hope {
    /// Whether the seat may win within a number of own moves; true as well where it is not known.
    fn may_win(&mut self, position: &Position, own: u32, debt: Debt) -> bool {
        if let Some(result) = position.outcome() {
            return result.share(self.seat) == 1.0;
        }
        if own == 0 {
            return false;
        }
        if self.nodes == 0 {
            return true;
        }
        self.nodes -= 1;
        if position.turn().seat() != Some(self.seat) {
            return !self.is_refuted(position, own, debt);
        }
        if may_win(position, debt) {
            return true;
        }
        if own == 1 || !has_plenty(position) {
            return own > 1;
        }
        let key = (position.key(), own, debt);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let found = position.main_moves().iter().any(|m| {
            let (next, debt) = match m {
                Move::Rotate { rotation, .. } => {
                    let most = debt.most.saturating_sub(rotation.cost());
                    (unpaid(position, m), Debt { paid: debt.paid + rotation.cost(), most })
                }
                Move::Advance { .. } => {
                    let most = debt.most + most_gained(position, m, debt.paid);
                    (after(position, m), Debt { most, ..debt })
                }
            };
            self.may_win(&next, own - 1, debt)
        });
        self.known.insert(key, found);
        found
    }

    /// Whether the other has a move, of those that are left to it, after which the seat does not win.
    fn is_refuted(&mut self, position: &Position, own: u32, debt: Debt) -> bool {
        let mut moves = position.main_moves();
        moves.retain(|m| is_left(position, m));
        moves.sort_by_key(|m| Some(*m) != self.refuted);
        let refutes = |m: &Move| !self.may_win(&after(position, m), own, debt);
        let found = moves.into_iter().find(refutes);
        self.refuted = found.or(self.refuted);
        found.is_some()
    }
}

/// Fields on a line of which so many must have been paid, so that connecting them again wins.
struct Line {
    fields: u128,
    least: u32,
}

impl Line {
    fn holds(&self, m: &Move) -> bool {
        let Move::Rotate { payment, .. } = m else { return true };
        let paid = payment.fields().iter().fold(0, |mask, field| mask | bit(*field));
        (paid & self.fields).count_ones() >= self.least
    }
}

fn bit(field: Field) -> u128 {
    1 << (9 * field.rank() + field.file())
}

/// For every move of the other that is left to it and refutes some payments: the lines of which one
/// must hold, or the seat does not win with its next move. `position` is that after the unpaid turn.
fn needs(position: &Position, seat: Seat, debt: Debt) -> Vec<Vec<Line>> {
    let replies = position.main_moves().into_iter().filter(|m| is_left(position, m));
    let mut needs = Vec::new();
    for reply in replies {
        let next = after(position, &reply);
        let lines = match next.outcome() {
            Some(result) if result.share(seat) == 1.0 => None,
            Some(_) => Some(Vec::new()),
            None => lines_of_wins(&next, seat, debt),
        };
        let Some(lines) = lines else { continue };
        let is_vain = lines.is_empty();
        needs.push(lines);
        if is_vain {
            break;
        }
    }
    needs
}

/// The lines by which the seat to move may win at once; `None` if it may win whatever was paid.
fn lines_of_wins(position: &Position, seat: Seat, debt: Debt) -> Option<Vec<Line>> {
    if may_win(position, Debt { paid: 0, ..debt }) {
        return None;
    }
    let missing = winning_markers(position.seats()).saturating_sub(debt.most);
    let mut lines = Vec::new();
    let _ = position.for_each_move::<()>(|m| {
        let Move::Advance { from, to, gain, .. } = m else { return ControlFlow::Break(()) };
        let own = between(from, to).filter(|at| position.marker(*at) == Some(seat));
        let fields = own.fold(0, |mask, field| mask | bit(field));
        let met = usize::from(may_spoil_a_meeting(position));
        let least = (missing - most_gained(position, &m, 0) - met) as u32;
        let reach = fields.count_ones().min(debt.paid as u32);
        if gain == Gain::Connection && least <= reach {
            lines.push(Line { fields, least });
        }
        ControlFlow::Continue(())
    });
    Some(lines)
}

/// The fields between two on a line.
fn between(from: Field, to: Field) -> impl Iterator<Item = Field> {
    let count = steps(from, to);
    let at = move |a: usize, b: usize, step: usize| (a * (count - step) + b * step) / count;
    (1..count).filter_map(move |step| {
        Field::at(at(from.file(), to.file(), step), at(from.rank(), to.rank(), step))
    })
}

/// Fields from one to another on a line.
fn steps(from: Field, to: Field) -> usize {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank()))
}

#[cfg(test)]
mod tests {
    use parlor::games::Playable;
    use parlor::picture::Puzzle;

    use super::super::{position_of, wins_by};
    use super::*;

    /// Of a kind so many are tried.
    const STRIDE: usize = 1_999;

    fn positions() -> impl Iterator<Item = Position> {
        let lines = Position::PUZZLES.expect("puzzles").lines().step_by(3).take(6);
        lines.map(|line| {
            let puzzle: Puzzle = serde_json::from_str(line).expect("a puzzle");
            position_of(&puzzle.place).expect("a position")
        })
    }

    #[test]
    fn the_kinds_are_all_turns() {
        for position in positions() {
            let turns = position.main_moves();
            let turns = turns.iter().filter(|m| position.is_of_kind(m));
            let mut kinds: Vec<String> =
                turns.flat_map(|m| position.kind(m)).map(|m| m.to_string()).collect();
            let moves = position.moves().into_iter().filter(|m| position.is_of_kind(m));
            let mut all: Vec<String> = moves.map(|m| m.to_string()).collect();
            kinds.sort();
            all.sort();
            assert!(kinds == all && !all.is_empty(), "{position}");
        }
    }

    #[test]
    fn turns_that_are_not_hopeful_do_not_win() {
        let mut vain = 0;
        for position in positions() {
            let seat = position.turn().seat().expect("a seat");
            for m in position.main_moves().iter().filter(|m| position.is_of_kind(m)) {
                let hopeful: Vec<Move> = position.hopeful(m, 1).collect();
                for paid in position.kind(m).step_by(STRIDE) {
                    let next = after(&position, &paid);
                    if !hopeful.contains(&paid) {
                        let mut replies = next.main_moves();
                        replies.retain(|m| !next.is_of_kind(m));
                        let refutes = |m: &Move| after(&next, m).winning_move(seat).is_none();
                        assert!(replies.iter().any(refutes), "{position}: {paid} wins");
                        vain += 1;
                    }
                }
            }
        }
        assert!(vain > 0);
    }

    #[test]
    fn a_win_in_one_move_is_found_where_there_is_one() {
        let mut wins = 0;
        for position in positions() {
            for m in position.main_moves().iter().step_by(5) {
                let next = after(&position, m);
                let Some(seat) = next.turn().seat() else { continue };
                let advances = next.main_moves().into_iter().filter(|m| !next.is_of_kind(m));
                let among = advances.into_iter().find(|m| wins_by(&next, m, seat));
                wins += u32::from(among.is_some());
                assert!(among.is_none() || next.winning_move(seat).is_some(), "{next}");
                let found = next.winning_move(seat);
                assert!(found.is_none_or(|m| after(&next, &m).outcome().is_some()), "{next}");
            }
        }
        assert!(wins > 0);
    }
}
