//! What the chevrons of a seat can reach over neutral and own fields, one field a move.

use super::{Kind, Position};
use crate::games::chevrons::{Board, Direction, Field, WHOLE};

/// A set of fields, a bit a field by its index.
pub(crate) type Fields = u128;

/// Fields on which a chevron arrives from another borderland, by its direction.
const ENTRIES: [Fields; 8] = entries();
/// Fields that a step in a direction can end on.
const ENDS: [Fields; 8] = ends();
/// Difference of field indices for one step.
const STEP: [i32; 8] = [9, 10, 1, -8, -9, -10, -1, 8];

/// The same of every direction. Written out, so that each shift is by a constant.
macro_rules! by_direction {
    ($of:expr) => {
        [$of(0), $of(1), $of(2), $of(3), $of(4), $of(5), $of(6), $of(7)]
    };
}

/// The fields one step ahead of all those of a set.
#[inline(always)]
pub(crate) fn ahead(fields: Fields, direction: usize) -> Fields {
    let step = STEP[direction & 7];
    let moved = if step > 0 { fields << step } else { fields >> -step };
    moved & ENDS[direction & 7]
}

/// The fields where chevrons may stand, by what they face.
pub(crate) type Facings = [Fields; 8];

/// The facings to the left and to the right of one.
const fn beside(direction: usize) -> (usize, usize) {
    ((direction + 7) & 7, (direction + 1) & 7)
}

/// The fields of the chevrons that can move in a direction.
#[inline(always)]
fn movable(facings: &Facings, direction: usize) -> Fields {
    let (left, right) = beside(direction);
    facings[left] | facings[direction] | facings[right]
}

/// How chevrons stand that arrive, by the direction of their moves: over a border they may turn.
fn turned(to: &[Fields; 8]) -> Facings {
    by_direction!(|direction| {
        let (left, right) = beside(direction);
        to[direction] | to[left] & ENTRIES[left] | to[right] & ENTRIES[right]
    })
}

/// Adds what is not known yet, and keeps only that in `fresh`; whether there is any.
fn add(known: &mut Facings, fresh: &mut Facings) -> bool {
    let mut more = 0;
    for (known, fresh) in known.iter_mut().zip(fresh) {
        *fresh &= !*known;
        *known |= *fresh;
        more |= *fresh;
    }
    more != 0
}

/// Where chevrons stand after one move to the next field, of those in `open`.
#[cfg(feature = "search")]
pub(crate) fn stepped(from: &Facings, open: Fields) -> Facings {
    turned(&by_direction!(|direction| ahead(movable(from, direction), direction) & open))
}

/// Where they may stand after at most so many moves to next fields in `open`.
#[cfg(feature = "search")]
pub(crate) fn roamed(from: &Facings, open: Fields, moves: usize) -> Facings {
    let mut facings = *from;
    let mut fresh = *from;
    for _ in 0..moves {
        fresh = stepped(&fresh, open);
        if !add(&mut facings, &mut fresh) {
            break;
        }
    }
    facings
}

/// Where they may ever stand after moves to next fields in `open`. Each direction goes on from what
/// those before it have just reached: that takes fewer rounds than move by move.
#[cfg(feature = "search")]
pub(crate) fn flooded(from: &Facings, open: Fields) -> Facings {
    let mut facings = *from;
    loop {
        let mut more = 0;
        by_direction!(|direction| {
            let (left, right) = beside(direction);
            let to = ahead(movable(&facings, direction), direction) & open;
            let twisted = to & ENTRIES[direction];
            more |= to & !facings[direction] | twisted & !(facings[left] & facings[right]);
            facings[direction] |= to;
            facings[left] |= twisted;
            facings[right] |= twisted;
        });
        if more == 0 {
            return facings;
        }
    }
}

/// The fields of all facings.
pub(crate) fn union(facings: &Facings) -> Fields {
    facings.iter().fold(0, |all, fields| all | fields)
}

/// The fields of each borderland.
const AREAS: [Fields; 9] = {
    let mut areas = [0; 9];
    let mut borderland = 0;
    while borderland < 9 {
        areas[borderland] = in_borderland(borderland, WHOLE);
        borderland += 1;
    }
    areas
};

/// The fields of a set of bits in a borderland.
const fn in_borderland(borderland: usize, bits: u16) -> Fields {
    let bits = bits as Fields;
    ((bits & 7) | (bits & 56) << 6 | (bits & 448) << 12)
        << (borderland / 3 * 27 + borderland % 3 * 3)
}

/// The fields of a set of bits in each borderland.
pub(crate) fn fields_of(masks: impl Fn(usize) -> u16) -> Fields {
    (0..9).fold(0, |fields, borderland| fields | in_borderland(borderland, masks(borderland)))
}

impl Board {
    /// Fields without a marker.
    pub(crate) fn neutral_fields(&self) -> Fields {
        fields_of(|borderland| self.neutral_in(borderland))
    }

    /// Fields with a marker of a seat.
    pub(crate) fn own_fields(&self, seat: usize) -> Fields {
        fields_of(|borderland| self.markers_in(seat, borderland))
    }
}

/// Where the chevrons of one seat arrive, move by move, each as if it moved alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrivals {
    /// By facing, the fields where a chevron may stand.
    facing: Facings,
    /// Those of them that the last move led to.
    fresh: Facings,
    /// Where it may land.
    open: Fields,
    /// From where it may go as many fields as the index and two; the range is at least 1.
    far: [Fields; FARTHEST - 1],
    /// Where it has landed so far.
    pub arrived: Fields,
}

/// The longest move that arrivals follow.
const FARTHEST: usize = 4;

impl Arrivals {
    /// One more move of every chevron; whether that led anywhere new.
    pub(crate) fn step(&mut self) -> bool {
        let [two, three, four] = self.far;
        let to = by_direction!(|direction| {
            let here = movable(&self.fresh, direction);
            // Fields that a longer move ends on; whether it enters a borderland is told by its last step.
            let further = match two {
                0 => 0,
                _ => {
                    let last = ahead(here & four, direction);
                    let last = ahead(here & three | last, direction);
                    ahead(here & two | last, direction)
                }
            };
            ahead(here | further, direction) & self.open
        });
        self.arrived |= union(&to);
        self.fresh = turned(&to);
        add(&mut self.facing, &mut self.fresh)
    }
}

impl<K: Kind> Position<K> {
    /// Whether some player could ever gain a marker, one field a move, other chevrons being ignored.
    pub(crate) fn may_gain(&self) -> bool {
        let seats = 0..self.seats();
        let next_to_neutral = |from: &Field| {
            let ways = self.cell(*from).facing().forward().into_iter();
            let neutral = |to: Field| self.cell(to).marker().is_none();
            ways.filter_map(|way: Direction| from.next(way)).any(neutral)
        };
        if seats.clone().any(|seat| self.chevron_fields(seat).iter().any(next_to_neutral)) {
            return true;
        }
        let neutral = self.neutral_fields();
        seats.into_iter().any(|seat| {
            let mut run = self.start_run(seat, neutral);
            while run.step() && run.arrived & neutral == 0 {}
            run.arrived & neutral != 0
        })
    }

    /// The chevrons of a seat before their first move.
    pub(crate) fn start_run(&self, seat: usize, neutral: Fields) -> Arrivals {
        let mut facing = [0 as Fields; 8];
        for field in self.chevron_fields(seat) {
            facing[self.cell(*field).facing().index()] |= 1 << field.index();
        }
        let mut far = [0; FARTHEST - 1];
        if K::POWER {
            for (borderland, fields) in AREAS.iter().enumerate() {
                let steps = self.power_of(seat, borderland).saturating_sub(1).min(far.len());
                far[..steps].iter_mut().for_each(|far| *far |= fields);
            }
        }
        let open = neutral | self.own_fields(seat);
        Arrivals { facing, fresh: facing, open, far, arrived: 0 }
    }
}

const fn bit(file: i32, rank: i32) -> Fields {
    1 << (9 * rank + file)
}

const fn vector(direction: usize) -> (i32, i32) {
    let file = [0, 1, 1, 1, 0, -1, -1, -1][direction];
    (file, [1, 1, 0, -1, -1, -1, 0, 1][direction])
}

const fn ends() -> [Fields; 8] {
    select(false)
}

const fn entries() -> [Fields; 8] {
    select(true)
}

/// By direction, the fields that a step ends on, of all steps or of those over a border.
const fn select(over_borders: bool) -> [Fields; 8] {
    let mut sets = [0; 8];
    let mut at = 0;
    while at < 8 * 81 {
        let (direction, file, rank) = (at / 81, at as i32 % 9, at as i32 / 9 % 9);
        let (files, ranks) = vector(direction);
        let (from_file, from_rank) = (file - files, rank - ranks);
        let inside = from_file >= 0 && from_file < 9 && from_rank >= 0 && from_rank < 9;
        let same = inside && from_file / 3 == file / 3 && from_rank / 3 == rank / 3;
        if inside && !(over_borders && same) {
            sets[direction] |= bit(file, rank);
        }
        at += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Random, Rules};
    use crate::games::azacru::Azacru;
    use crate::games::shacru::Shacru;

    type Stands = std::collections::BTreeSet<(usize, usize)>;

    fn stands(facings: &Facings) -> Stands {
        let of = |facing: usize| {
            Field::all().filter(move |field| facings[facing] >> field.index() & 1 == 1)
        };
        (0..8).flat_map(|facing| of(facing).map(move |field| (field.index(), facing))).collect()
    }

    /// One more move of up to `reach` fields of every chevron, field by field.
    fn moved<K: Kind>(position: &Position<K>, seat: usize, from: &Stands) -> Stands {
        let mut more = Stands::new();
        for &(field, facing) in from {
            let field = Field::new(field);
            let reach = if K::POWER { position.power_of(seat, field.borderland()) } else { 1 };
            for turn in [7, 0, 1] {
                let direction = Direction::new(((facing + turn) & 7) as u8);
                for steps in 1..=reach.min(FARTHEST).min(field.room(direction)) {
                    let to = field.ahead(direction, steps);
                    let owner = position.marker(to).map(|owner| owner.index());
                    if owner.is_some_and(|owner| owner != seat) {
                        continue;
                    }
                    let before = field.ahead(direction, steps - 1);
                    let twists: &[usize] =
                        if before.borderland() == to.borderland() { &[0] } else { &[7, 0, 1] };
                    let facings = twists.iter().map(|twist| (direction.index() + twist) & 7);
                    more.extend(facings.map(|facing| (to.index(), facing)));
                }
            }
        }
        more
    }

    fn every_seat_of_games<K: Kind>(mut check: impl FnMut(&Position<K>, usize)) {
        for seats in 2..=4 {
            let mut rules = Position::<K>::default_rules();
            rules.set("Players", &seats.to_string()).expect("2 to 4 players");
            for seed in 0..6 {
                let mut random = Random::new(seed);
                let mut position = Position::<K>::start(&rules, None).expect("a start");
                for _ in 0..12 * (seed + 1) {
                    let Some(m) = position.random_move(&mut random) else { break };
                    position.play(&m);
                }
                (0..seats).for_each(|seat| check(&position, seat));
            }
        }
    }

    #[test]
    fn sets_of_fields_move_as_chevrons_do_one_by_one() {
        every_seat_of_games::<Shacru>(|position, seat| {
            let mut run = position.start_run(seat, position.neutral_fields());
            let (start, open) = (run.facing, run.open);
            let mut known = stands(&start);
            for moves in 0.. {
                assert_eq!(stands(&roamed(&start, open, moves)), known, "{position} {moves}");
                let more = moved(position, seat, &known);
                assert_eq!(run.step(), !more.is_subset(&known), "{position} {moves}");
                if more.is_subset(&known) {
                    break;
                }
                known.extend(more);
            }
            assert_eq!(stands(&flooded(&start, open)), known, "{position}");
        });
    }

    #[test]
    fn chevrons_with_power_arrive_up_to_four_fields_ahead() {
        every_seat_of_games::<Azacru>(|position, seat| {
            let mut run = position.start_run(seat, position.neutral_fields());
            let mut known = stands(&run.facing);
            let mut arrived = 0;
            loop {
                let more = moved(position, seat, &known);
                more.iter().for_each(|(field, _)| arrived |= 1 << field);
                let grown = !more.is_subset(&known);
                known.extend(more);
                assert_eq!(run.step(), grown, "{position}");
                assert_eq!((stands(&run.facing), run.arrived), (known.clone(), arrived));
                if !grown {
                    break;
                }
            }
        });
    }
}
