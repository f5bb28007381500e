//! Wins of two players in one move and in two, by bounds: which moves may be such, and which may prevent one.
//!
//! Rotations are paid for with any two or four of the own markers: far too many moves to try each. All rotations
//! of one chevron by one angle are a *kind*; what holds whatever is paid is shown for all of it at once.
//!
//! - A kind *falls* to a move of the other that wins at once: it ends where nothing was paid, claims nothing that
//!   was paid, and wins by its number of markers or by the last chevron. Paid markers are neutral afterwards. They
//!   stand in no way, and where they change what may be claimed there is something else to claim, so the number
//!   of markers stays.
//! - A kind is *hopeful* unless the mover does not win even where the markers are paid later and the other may
//!   do less: neither recolour a field as its claim, nor meet. Compare a game in which markers were
//!   paid with one in which they still lie there. Every own move of the first has one in the second that gains as
//!   much, and every move that is left to the other in the second has one in the first: claims could differ only
//!   where the other recolours, and meetings only by the number of markers that they ask for.

use std::iter::successors;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::attack_maps::{FieldSet, field_bit};
use crate::game::Game;
use crate::games::chevrons::{Cell, Direction, Field};
use crate::games::pacru::rules::{Gain, Landing, Move, Payment, Position, winning_markers};

/// The most markers that a rotation costs.
const COST: usize = 4;

/// The most markers that the other loses by one move: a connection over the whole board and a meeting.
const LOST: usize = 8;

/// The most markers that one move gains: a connection over the whole board, a pincer and a meeting.
const GAINED: usize = 9;

/// The fields ahead of each field in each direction up to the edge.
static RAYS: LazyLock<Vec<Vec<FieldSet>>> = LazyLock::new(|| {
    let ray = |from: Field, direction| {
        let ahead = successors(from.next(direction), |field| field.next(direction));
        ahead.fold(0, |fields, field| fields | field_bit(field))
    };
    Field::all().map(|from| Direction::all().map(|to| ray(from, to)).collect()).collect()
});

/// What was not paid: how many markers, and the most that the mover would have if it had paid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Debt {
    /// Markers that were not paid.
    pub paid: usize,
    /// Markers that the mover would have.
    pub most: usize,
}

/// What the player to move needs in order to win at once.
struct Needs {
    /// By markers.
    markers: usize,
    /// Because the other cannot move: the fields right ahead of its chevrons where it could land.
    open: FieldSet,
    /// How many of them must be closed.
    closed: usize,
    /// Whether the other has one chevron.
    is_last: bool,
    paid: usize,
}

impl Needs {
    fn of(position: &Position, debt: Debt) -> Self {
        let other = 1 - position.mover();
        let met = usize::from(may_spoil_a_meeting(position));
        let open = open_fields(position, other);
        Needs {
            markers: winning_markers(2).saturating_sub(debt.most + met),
            open,
            closed: (open.count_ones() as usize).saturating_sub(met),
            is_last: position.chevron_fields(other).len() == 1,
            paid: debt.paid,
        }
    }

    /// Calls a function with every move of a chevron that may give it, until it breaks.
    fn for_each_advance(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.are_out_of_reach(position) {
            return ControlFlow::Continue(());
        }
        let mover = position.mover();
        position.for_each_landing(mover, |landing| {
            if !self.may_be_met_by(position, landing) {
                return ControlFlow::Continue(());
            }
            position.for_each_move_of(mover, landing, |m| match self.may_be_met(position, &m) {
                true => visit(m),
                false => ControlFlow::Continue(()),
            })
        })
    }

    /// Whether a move with this landing may give it.
    fn may_be_met_by(&self, position: &Position, landing: Landing) -> bool {
        let met = usize::from(position.faces_partner(position.mover(), landing));
        let may = |gain, claimed: usize| {
            let m = landing.with(gain, None);
            most_gained(position, &m, self.paid) + met >= self.markers
                || self.most_closed(&m) + met + claimed >= self.closed
        };
        landing.pincer && self.is_last
            || may(Gain::Nothing, usize::from(landing.crosses()))
            || landing.connection && may(Gain::Connection, 0)
    }

    /// Whether no move of a chevron can give it.
    fn are_out_of_reach(&self, position: &Position) -> bool {
        !self.is_last && self.markers > GAINED && self.closed > self.most_closable(position)
    }

    /// No less than the most open fields that a move of a chevron closes.
    fn most_closable(&self, position: &Position) -> usize {
        // A move goes along one line, or lands on one field and claims another.
        let chevrons = position.chevron_fields(position.mover()).iter();
        let ahead = chevrons.flat_map(|from| {
            let forward = position.cell(*from).facing().forward();
            forward.map(|direction| RAYS[from.index()][direction.index()])
        });
        let most = ahead.map(|ray| (self.open & ray).count_ones() as usize).max();
        let (meeting, taken) = (1, 3);
        most.unwrap_or(0).max(2) + meeting + taken
    }

    /// Whether a move of a chevron may give it.
    fn may_be_met(&self, position: &Position, m: &Move) -> bool {
        matches!(m, Move::Advance { pincer: true, .. }) && self.is_last
            || most_gained(position, m, self.paid) >= self.markers
            || self.most_closed(m) >= self.closed
    }

    /// The most open fields that a move closes. A chevron that is taken has three fields ahead.
    fn most_closed(&self, m: &Move) -> usize {
        let Move::Advance { from, to, pincer, gain, meeting } = *m else { return 0 };
        let gained = match (gain, from.line_to(to)) {
            (Gain::Connection, Some((direction, steps))) => {
                from.between(direction, steps).fold(0, |fields, field| fields | field_bit(field))
            }
            (Gain::Claim(field), _) => field_bit(field),
            _ => 0,
        };
        let closed = self.open & (field_bit(to) | gained);
        closed.count_ones() as usize + usize::from(meeting.is_some()) + 3 * usize::from(pincer)
    }
}

/// Calls a function with every move of a chevron that may win at once, until it breaks.
pub(super) fn for_each_winning_advance(
    position: &Position,
    visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    Needs::of(position, no_debt(position)).for_each_advance(position, visit)
}

/// Calls a function with every move after which its player may win with its next move whatever the other
/// does, and perhaps with others, until it breaks.
pub(super) fn for_each_attack(
    position: &Position,
    visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for_each_advance(position, &mut *visit)?;
    for_each_rotation_of(position, is_hopeful, visit)
}

/// Calls a function with every move after which the other may not win at once, until it breaks.
pub(super) fn for_each_defence(
    position: &Position,
    visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for_each_advance(position, &mut *visit)?;
    for_each_rotation_of(position, |position, m| !falls(position, m), visit)
}

pub(super) fn for_each_advance(
    position: &Position,
    mut visit: impl FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mover = position.mover();
    position
        .for_each_landing(mover, |landing| position.for_each_move_of(mover, landing, &mut visit))
}

/// Whether something holds of a move of a chevron.
fn any_advance(position: &Position, mut holds: impl FnMut(&Move) -> bool) -> bool {
    for_each_advance(position, |m| break_if(holds(&m))).is_break()
}

/// Whether something holds of a rotation with one of the cheapest payments.
fn any_cheap_rotation(position: &Position, mut holds: impl FnMut(&Move) -> bool) -> bool {
    position.for_each_promising_rotation(|m| break_if(holds(&m))).is_break()
}

fn break_if(found: bool) -> ControlFlow<()> {
    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// The rotations of the kinds of which some condition holds: it is asked with one of each.
fn for_each_rotation_of(
    position: &Position,
    condition: impl Fn(&Position, &Move) -> bool,
    visit: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut last = None;
    position.for_each_rotation(position.mover(), |m| {
        let Move::Rotate { from, rotation, .. } = m else { return ControlFlow::Continue(()) };
        let holds = match last {
            Some((kind, holds)) if kind == (from, rotation) => holds,
            _ => condition(position, &m),
        };
        last = Some(((from, rotation), holds));
        if holds { visit(m) } else { ControlFlow::Continue(()) }
    })
}

/// Whether the kind of a rotation may win with the next move.
fn is_hopeful(position: &Position, m: &Move) -> bool {
    let Move::Rotate { rotation, .. } = *m else { return true };
    let seat = position.mover();
    let paid = rotation.cost();
    let debt = Debt { paid, most: position.marker_count(seat) - paid };
    let next = unpaid(position, m);
    if next.is_over() || next.mover() == seat {
        return true;
    }
    let refutes = |reply: &Move| {
        let after = after(&next, reply);
        match after.winner() {
            Some(winner) => winner != seat,
            None => after.mover() != seat || !may_win(&after, debt),
        }
    };
    let is_refutation = |reply: &Move| is_left(&next, reply) && refutes(reply);
    !any_advance(&next, is_refutation) && !any_cheap_rotation(&next, is_refutation)
}

/// Whether the kind of a rotation falls to the other's next move.
#[must_use]
pub fn falls(position: &Position, m: &Move) -> bool {
    let Move::Rotate { payment, .. } = *m else { return false };
    let (seat, other) = (position.mover(), 1 - position.mover());
    let next = after(position, m);
    if next.is_over() || next.mover() != other {
        return false;
    }
    let paid = payment.fields();
    any_advance(&next, |answer| {
        let Move::Advance { to, pincer, gain, meeting, .. } = *answer else { return false };
        if paid.contains(&to) || matches!(gain, Gain::Claim(field) if paid.contains(&field)) {
            return false;
        }
        let last = after(&next, answer);
        let by_markers = last.reason() == Some("markers");
        let takes_last = pincer && next.chevron_fields(seat).len() == 1;
        let meets =
            meeting.is_none() || last.marker_count(seat) >= meeting_threshold(position) + COST;
        last.winner() == Some(other) && (takes_last || by_markers && meets)
    })
}

/// Whether the seat to move may win at once.
#[must_use]
pub fn may_win(position: &Position, debt: Debt) -> bool {
    let needs = Needs::of(position, debt);
    needs.for_each_advance(position, &mut |_| ControlFlow::Break(())).is_break()
        || needs.closed == 0 && position.payable_count(position.mover()) >= 2
}

/// A rotation without its payment.
#[must_use]
pub fn unpaid(position: &Position, m: &Move) -> Position {
    let Move::Rotate { from, rotation, .. } = *m else { return after(position, m) };
    after(position, &Move::Rotate { from, rotation, payment: Payment::new(&[]) })
}

/// Whether a move is left to the other: the same can be done whatever was paid.
#[must_use]
pub fn is_left(position: &Position, m: &Move) -> bool {
    match *m {
        Move::Advance { meeting: Some(_), .. } => false,
        Move::Advance { gain: Gain::Claim(field), .. } => position.marker(field).is_none(),
        Move::Advance { .. } | Move::Rotate { .. } => true,
    }
}

/// Whether the other may lose the last marker that a meeting asks for, because a claim recolours a field
/// for want of a neutral one, which would be there if markers had been paid.
#[must_use]
pub fn may_spoil_a_meeting(position: &Position) -> bool {
    position.marker_count(1 - position.mover()) == meeting_threshold(position)
}

/// Whatever the seat to move claims, what it meets afterwards is the same: enough is left for a meeting.
#[must_use]
pub fn has_plenty(position: &Position) -> bool {
    position.marker_count(1 - position.mover()) >= meeting_threshold(position) + LOST
}

/// Markers that the other must have for a meeting.
fn meeting_threshold(position: &Position) -> usize {
    usize::from(position.options().meeting_threshold)
}

/// The most markers that a move gains, of which some may have been paid before.
#[must_use]
pub fn most_gained(position: &Position, m: &Move, paid: usize) -> usize {
    let Move::Advance { from, to, pincer, gain, meeting } = *m else { return 0 };
    let own = Cell::marker_of(position.mover());
    let gained = match (gain, from.line_to(to)) {
        (Gain::Connection, Some((direction, steps))) => {
            let between = from.between(direction, steps);
            let kept = between.filter(|field| position.cell(*field) == own).count();
            steps - 1 - kept + kept.min(paid)
        }
        (Gain::Claim(_), _) => 1,
        _ => usize::from(from.borderland() != to.borderland()),
    };
    gained + usize::from(pincer) + usize::from(meeting.is_some())
}

/// The fields right ahead of the chevrons of a seat that they could land on.
fn open_fields(position: &Position, seat: usize) -> FieldSet {
    let mut open = 0;
    for &from in position.chevron_fields(seat) {
        let ahead = position.cell(from).facing().forward();
        for to in ahead.into_iter().filter_map(|direction| from.next(direction)) {
            let there = position.cell(to);
            let is_free = there.marker().is_none_or(|owner| owner == seat);
            if is_free && !there.is_occupied() {
                open |= field_bit(to);
            }
        }
    }
    open
}

fn no_debt(position: &Position) -> Debt {
    Debt { paid: 0, most: position.marker_count(position.mover()) }
}

fn after(position: &Position, m: &Move) -> Position {
    let mut next = position.clone();
    next.play(m);
    next
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Notation, OptionValues, Random, Rules};
    use crate::games::Playable;

    /// Of the rotations so many are left out after each that is tried.
    const STRIDE: usize = 1_999;

    /// The positions of the puzzles: ends of games, where wins are common.
    pub(crate) fn ends(rules: &OptionValues) -> impl Iterator<Item = Position> {
        Position::PUZZLES.expect("puzzles").lines().map(|puzzle| {
            let text =
                puzzle.split("\"position\":\"fen ").nth(1).and_then(|rest| rest.split('"').next());
            Position::parse(text.expect("a text"), rules, None).expect("a position")
        })
    }

    type Visits = fn(&Position, &mut dyn FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()>;

    fn visited(position: &Position, visits: Visits) -> HashSet<String> {
        let mut moves = HashSet::new();
        let _ = visits(position, &mut |m| {
            moves.insert(m.to_string());
            ControlFlow::Continue(())
        });
        moves
    }

    /// Whether the seat to move wins at once, by playing every move that is no rotation.
    fn wins_at_once(position: &Position) -> bool {
        let seat = position.mover();
        any_advance(position, |m| after(position, m).winner() == Some(seat))
    }

    #[test]
    fn no_move_gains_or_closes_more_than_is_thought_possible() {
        let (mut gained, mut closed, mut out) = (0, 0, 0);
        let mut look = |position: &Position| {
            let needs = Needs::of(position, no_debt(position));
            let most = needs.most_closable(position);
            let _ = for_each_advance(position, |m| {
                for paid in [0, COST] {
                    gained = gained.max(most_gained(position, &m, paid));
                }
                assert!(needs.most_closed(&m) <= most, "{position}: {m}");
                closed = closed.max(needs.most_closed(&m));
                ControlFlow::<()>::Continue(())
            });
            out += usize::from(needs.are_out_of_reach(position));
        };
        let rules = Position::default_rules();
        ends(&rules).for_each(|position| look(&position));
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut position = Position::start(&rules, None).expect("a game");
            while let Some(m) = position.random_move(&mut random) {
                look(&position);
                position.play(&m);
            }
        }
        assert!(gained <= GAINED, "{gained}");
        assert!(gained > 1 && closed > 3 && out > 100, "{gained} {closed} {out}");
    }

    #[test]
    fn every_win_at_once_is_visited() {
        let (mut wins, mut captures, mut connections) = (0, 0, 0);
        let mut look = |position: &Position| {
            let seat = position.mover();
            let found = visited(position, for_each_winning_advance);
            let _ = for_each_advance(position, |m| {
                if after(position, &m).winner() == Some(seat) {
                    assert!(found.contains(&m.to_string()), "{position}: {m}");
                    wins += 1;
                    let Move::Advance { pincer, gain, .. } = m else { unreachable!() };
                    captures += u32::from(pincer);
                    connections += u32::from(gain == Gain::Connection);
                }
                ControlFlow::<()>::Continue(())
            });
        };
        for position in ends(&Position::default_rules()) {
            look(&position);
            let _ = for_each_advance(&position, |m| {
                let next = after(&position, &m);
                if !next.is_over() {
                    look(&next);
                }
                ControlFlow::<()>::Continue(())
            });
        }
        assert!(
            wins > 1_000 && captures > 50 && connections > 50,
            "{wins} {captures} {connections}"
        );
    }

    #[test]
    fn what_is_shown_of_a_kind_holds_whatever_is_paid() {
        let (mut vain, mut fallen) = (0, 0);
        for position in ends(&Position::default_rules()).step_by(3).take(6) {
            let seat = position.mover();
            let attacks = visited(&position, for_each_attack);
            let defences = visited(&position, for_each_defence);
            let moves = position.moves();
            let rotations = moves.iter().filter(|m| matches!(m, Move::Rotate { .. }));
            for m in rotations.step_by(STRIDE) {
                let next = after(&position, m);
                if !defences.contains(&m.to_string()) {
                    assert!(wins_at_once(&next), "{position}: {m} does not fall");
                    fallen += 1;
                }
                if !attacks.contains(&m.to_string()) {
                    let refuted = any_advance(&next, |reply| {
                        let last = after(&next, reply);
                        last.winner().map_or(!wins_at_once(&last), |winner| winner != seat)
                    });
                    assert!(refuted, "{position}: {m} wins");
                    vain += 1;
                }
            }
        }
        assert!(vain > 0 && fallen > 0, "{vain} and {fallen}");
    }
}
