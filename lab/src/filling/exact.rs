//! The exact result of an ending of two players, and by how many markers: plain alpha-beta with a memory
//! of positions. It shares the rules with the engine and nothing of its search, but for the bounds of
//! the count where they are asked for.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use parlor::game::{Game, Seat, Turn};
use parlor::games::chevrons::Field;
use parlor::games::chevrons::filling::play::final_lead;
use parlor::games::chevrons::filling::{Kind, Position};

/// Turns without a gain that end a game of two.
const LONGEST_IDLE: u8 = 40;

/// Turns without a gain in which a better count is looked for first: most are found soon.
const SOON: [u8; 2] = [2, 6];

/// Fields of the board.
const FIELDS: i64 = 81;

/// What is known of a position whatever the turns without a gain. Who is content with the count as it
/// is may wait for the end by the cap; the other must reach a better one before, and what it reaches in
/// time it also reaches with more time left.
#[derive(Clone, Copy)]
struct Known {
    /// With so many turns left until the cap, or more, the other gets what it needs.
    enough: u8,
    /// With so many, or fewer, it does not.
    too_few: u8,
}

/// Finds results.
pub struct Exact {
    /// By position without its idle turns, and the lead that is asked for.
    known: HashMap<(u64, i64), Known>,
    /// Whether the engine's bounds of the count are used.
    bounded: bool,
    most: u64,
    visited: u64,
}

impl Exact {
    /// At most so many positions are visited.
    pub fn new(most: u64) -> Self {
        Exact { known: HashMap::new(), bounded: false, most, visited: 0 }
    }

    /// The same, but the proved bounds of the engine end lines.
    pub fn bounded(most: u64) -> Self {
        Exact { bounded: true, ..Exact::new(most) }
    }

    /// The result for the first seat; `None` if too many positions would have to be visited.
    pub fn result<K: Kind>(&mut self, position: &Position<K>) -> Option<i8> {
        if self.at_least(position, 1)? {
            return Some(1);
        }
        Some(if self.at_least(position, 0)? { 0 } else { -1 })
    }

    /// By how many markers the first seat leads at the end; `None` as above.
    pub fn final_lead<K: Kind>(&mut self, position: &Position<K>) -> Option<i64> {
        let mut found = lead(position);
        while self.at_least(position, found + 1)? {
            found += 1;
        }
        while !self.at_least(position, found)? {
            found -= 1;
        }
        Some(found)
    }

    /// How many positions were visited.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether the first seat leads by at least `target` markers at the end, with best play by both.
    pub fn at_least<K: Kind>(&mut self, position: &Position<K>, target: i64) -> Option<bool> {
        let left = LONGEST_IDLE - position.idle();
        for soon in SOON {
            if soon < left && self.changes(position, target, soon)? {
                return Some(lead(position) < target);
            }
        }
        Some(self.changes(position, target, left)? == (lead(position) < target))
    }

    /// Whether the count comes to the other side of the target; if not, it does not come there with so
    /// many turns left until the cap.
    fn changes<K: Kind>(&mut self, position: &Position<K>, target: i64, left: u8) -> Option<bool> {
        let now = lead(position) >= target;
        if position.is_over() || left == 0 {
            return Some(false);
        }
        let key = (key(position), target);
        // A line that ends by a bound may need all turns that are left in the game.
        let all = LONGEST_IDLE - position.idle();
        if let Some(known) = self.known.get(&key) {
            if all >= known.enough {
                return Some(true);
            }
            if left <= known.too_few {
                return Some(false);
            }
        }
        let (low, high) = self.limits(position);
        if low >= target || high < target {
            return Some((low >= target) != now);
        }
        self.visited += 1;
        if self.visited > self.most {
            return None;
        }
        let first = position.turn() == Turn::Seat(Seat::new(0));
        let mut moves: Vec<(i64, Position<K>)> = Vec::new();
        for m in position.moves() {
            let mut next = position.clone();
            next.play(&m);
            let gain = lead(&next) * if first { -1 } else { 1 };
            moves.push((gain, next));
        }
        moves.sort_by_key(|(gain, _)| *gain);
        // Who is not content needs one move, who is content must have none.
        let seeks = first != now;
        let mut changed = !seeks;
        for (_, next) in &moves {
            let changes = match next.idle() {
                0 => self.at_least(next, target)? != now,
                _ => self.changes(next, target, left - 1)?,
            };
            if changes == seeks {
                changed = seeks;
                break;
            }
        }
        let known = self.known.entry(key).or_insert(Known { enough: u8::MAX, too_few: 0 });
        match changed {
            true => known.enough = known.enough.min(all),
            false => known.too_few = known.too_few.max(left),
        }
        Some(changed)
    }

    /// Limits without search.
    fn limits<K: Kind>(&self, position: &Position<K>) -> (i64, i64) {
        let bounds = if self.bounded { final_lead(position) } else { None };
        let Some(bounds) = bounds else { return limits(position) };
        let (low, high) = (i64::from(*bounds.start()), i64::from(*bounds.end()));
        if position.turn() == Turn::Seat(Seat::new(0)) { (low, high) } else { (-high, -low) }
    }
}

/// A position without its idle turns.
fn key<K: Kind>(position: &Position<K>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (position, position.last()).hash(&mut hasher);
    hasher.finish()
}

/// By how many markers the first seat leads.
fn lead<K: Kind>(position: &Position<K>) -> i64 {
    position.markers(Seat::new(0)) as i64 - position.markers(Seat::new(1)) as i64
}

/// Limits without search: in Shacru markers stay, and a seat gains at most the neutral fields that its
/// chevrons reach if nobody is in their way.
fn limits<K: Kind>(position: &Position<K>) -> (i64, i64) {
    if K::POWER {
        return (-FIELDS, FIELDS);
    }
    let lead = lead(position);
    let reached = [0, 1].map(|seat| reach(position, Seat::new(seat)));
    let count = |fields: &dyn Fn(usize) -> bool| (0..81).filter(|at| fields(*at)).count() as i64;
    (lead - count(&|at| reached[1][at]), lead + count(&|at| reached[0][at]))
}

/// The neutral fields that a seat reaches, by depth-first search over fields and facings.
fn reach<K: Kind>(position: &Position<K>, seat: Seat) -> [bool; 81] {
    let number = |field: Field| 9 * field.rank() + field.file();
    let mut seen = [[false; 8]; 81];
    let mut neutral = [false; 81];
    let mut open: Vec<_> = position
        .chevrons(seat)
        .iter()
        .filter_map(|field| Some((*field, position.chevron(*field)?.1)))
        .collect();
    while let Some((at, facing)) = open.pop() {
        for direction in facing.forward() {
            let Some(to) = at.next(direction) else { continue };
            match position.marker(to) {
                Some(owner) if owner != seat => continue,
                Some(_) => {}
                None => neutral[number(to)] = true,
            }
            let twists: &[u8] = if at.borderland() == to.borderland() { &[0] } else { &[0, 1, 7] };
            for turn in twists {
                let facing = direction.turned(*turn);
                let index = parlor::games::chevrons::Direction::all().position(|d| d == facing);
                let slot = &mut seen[number(to)][index.unwrap_or(0)];
                if !std::mem::replace(slot, true) {
                    open.push((to, facing));
                }
            }
        }
    }
    neutral
}

#[cfg(test)]
mod tests {
    use parlor::game::{Notation, Random, Rules};
    use parlor::games::Playable;
    use parlor::games::azacru::Azacru;
    use parlor::games::shacru::Shacru;

    use super::*;

    /// Positions that are remembered.
    const MOST: usize = 3_000;

    /// The same by the rules alone, with every position and its idle turns remembered.
    fn by_the_rules<K: Kind>(
        position: &Position<K>,
        target: i64,
        known: &mut HashMap<u64, bool>,
    ) -> Option<bool> {
        if position.is_over() {
            return Some(lead(position) >= target);
        }
        if let Some(known) = known.get(&position.key()) {
            return Some(*known);
        }
        if known.len() > MOST {
            return None;
        }
        let first = position.turn() == Turn::Seat(Seat::new(0));
        let mut reached = !first;
        for m in position.moves() {
            let mut next = position.clone();
            next.play(&m);
            if by_the_rules(&next, target, known)? == first {
                reached = first;
                break;
            }
        }
        known.insert(position.key(), reached);
        Some(reached)
    }

    /// Positions shortly before the end of games, with fewer and more turns left until the cap.
    fn ends<K: Kind>(games: u64) -> Vec<Position<K>> {
        let rules = Position::<K>::default_rules();
        let mut ends = Vec::new();
        for game in 0..games {
            let mut random = Random::new(game);
            let mut position = Position::<K>::start(&rules, None).expect("a start");
            let mut line = Vec::new();
            while !position.is_over() {
                line.push(position.clone());
                let mut moves = position.moves();
                if moves.iter().any(|m| position.is_noisy(m)) {
                    moves.retain(|m| position.is_noisy(m));
                }
                position.play(&moves[random.below(moves.len() as u64) as usize]);
            }
            for (at, position) in line.iter().rev().enumerate().take(8) {
                let text = position.to_string();
                let (start, _) = text.rsplit_once(' ').expect("idle turns");
                let idle = 39 - (at as u64 + game) % 7;
                ends.extend(Position::<K>::parse(&format!("{start} {idle}"), &rules, None).ok());
            }
        }
        ends.retain(|position| !position.is_over());
        ends
    }

    fn compare<K: Kind>(games: u64) -> [u32; 2] {
        let mut counts = [0; 2];
        for end in ends::<K>(games) {
            let mut solvers = [Exact::new(20_000), Exact::bounded(20_000)];
            for target in lead(&end) - 3..=lead(&end) + 3 {
                let known = by_the_rules(&end, target, &mut HashMap::new());
                for (solver, count) in solvers.iter_mut().zip(&mut counts) {
                    let found = solver.at_least(&end, target);
                    let (Some(known), Some(found)) = (known, found) else { continue };
                    assert_eq!(found, known, "{end}: {target}");
                    *count += u32::from(known == (target > lead(&end)));
                }
            }
        }
        counts
    }

    #[test]
    fn what_is_known_without_idle_turns_is_what_the_rules_say() {
        let counts = [compare::<Shacru>(20), compare::<Azacru>(6)];
        assert!(counts.iter().flatten().all(|count| *count > 5), "{counts:?}");
    }
}
