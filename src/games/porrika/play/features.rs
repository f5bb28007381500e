//! The features of the evaluation: what is counted on the board, in groups.
//!
//! A feature is a count of one thing, such as "the nearer egg needs three moves". Each has one
//! weight for positions with copper to move and one for positions with silver to move.

use super::distance::{home, nearer, steps};
use crate::games::porrika::rules::board::{GOAL_AXES, GOALS, Set, Space, across, spaces};
use crate::games::porrika::rules::{Kind, Position, Side};

/// A group of features, one for each value that one quantity can take.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What is counted.
    pub name: &'static str,
    /// Index of its first feature.
    pub start: usize,
    /// How many features it has.
    pub length: usize,
}

/// Declares the groups one after the other.
macro_rules! groups {
    ($($(#[$meta:meta])* $name:ident: $length:expr),* $(,)?) => {
        groups!(@ 0; $($(#[$meta])* $name: $length,)*);
        /// Every group in order.
        pub const GROUPS: &[Group] = &[$($name),*];
    };
    (@ $start:expr; $(#[$meta:meta])* $name:ident: $length:expr, $($rest:tt)*) => {
        $(#[$meta])*
        const $name: Group = Group { name: stringify!($name), start: $start, length: $length };
        groups!(@ $start + $length; $($rest)*);
    };
    (@ $start:expr;) => {
        /// How many features there are.
        pub const SIZE: usize = $start;
    };
}

groups! {
    /// Always 1: the value of having the move.
    TEMPO: 1,
    /// Moves that the egg nearer to the Por'rika needs.
    NEAR_EGG: 8,
    /// Moves that the other egg needs.
    FAR_EGG: 8,
    /// Ser'ra that are not locked.
    FREE_SERRA: 5,
    /// Guardians that are not locked.
    FREE_GUARDIANS: 5,
    /// For each egg: moves that the nearest free Ser'ra needs to face it.
    HUNTER: 6,
    /// For each egg and each free Ser'ra: moves that the Ser'ra needs to face the egg.
    HUNTERS: 6,
    /// For each free Ser'ra: moves that the nearest free Guardian needs to face it.
    GUARD: 6,
    /// For each free Ser'ra and each free Guardian: moves that the Guardian needs to face the Ser'ra.
    GUARDS: 6,
    /// Ways into the Por'rika that no locked pair has closed.
    OPEN_AXES: 5,
    /// Ways into the Por'rika whose triangle in the middle is empty.
    FREE_AXES: 5,
    /// Rows of free Ser'ra.
    SERRA_ROW: 7,
    /// Rows of free Guardians.
    GUARDIAN_ROW: 7,
    /// Eggs that a Ser'ra could face now.
    THREATS: 3,
    /// Ser'ra that a Guardian could face now.
    LOCKS: 5,
    /// For each egg: moves after which no Ser'ra could face it.
    SAFE_MOVES: 8,
    /// For each egg: such moves that bring it nearer to the Por'rika.
    SAFE_ADVANCES: 4,
    /// Ser'ra on spaces that they can never leave.
    STRANDED_SERRA: 5,
    /// With one egg home: moves that the other needs.
    LAST_EGG: 8,
    /// With one egg home: moves that the nearest free Ser'ra needs to face the other.
    LAST_HUNTER: 6,
    /// With one egg home: moves of the other that are safe and bring it nearer.
    LAST_ADVANCES: 4,
    /// With one egg home: Ser'ra that are not locked.
    LAST_SERRA: 5,
    /// With one egg home: moves between the other and the nearest free Guardian.
    LAST_ESCORT: 6,
}

/// Index of the first weight of a side to move.
#[must_use]
pub const fn part_of(side: Side) -> usize {
    match side {
        Side::Copper => 0,
        Side::Silver => SIZE,
    }
}

/// All weights: those with copper to move, then those with silver to move.
pub type Weights = [i16; 2 * SIZE];

impl Position {
    /// Calls `add` with the index of each feature that the position has, and its count.
    #[inline(always)]
    pub fn for_each_feature(&self, mut add: impl FnMut(usize, i32)) {
        let mut one = |group: Group, index: usize| {
            add(group.start + index.min(group.length - 1), 1);
        };
        one(TEMPO, 0);
        let free_serra = self.unlocked(Kind::Serra);
        let free_guardians = self.unlocked(Kind::Guardian);
        one(FREE_SERRA, free_serra.count_ones() as usize);
        one(FREE_GUARDIANS, free_guardians.count_ones() as usize);
        let stranded = self.serra() & !free_serra & !self.locked();
        one(STRANDED_SERRA, stranded.count_ones() as usize);

        let serra_attack = reached(free_serra) & self.landing(Kind::Serra);
        let guardian_attack = reached(free_guardians) & self.landing(Kind::Guardian);
        let eggs = self.eggs() & !GOALS;
        one(THREATS, (across(eggs) & serra_attack).count_ones() as usize);
        one(LOCKS, (across(free_serra) & guardian_attack).count_ones() as usize);

        self.for_each_egg_feature(&mut one, free_serra, serra_attack);
        if self.eggs() & GOALS != 0 {
            self.for_each_last_egg_feature(&mut one, free_serra, free_guardians, serra_attack);
        }
        for serra in spaces(free_serra) {
            one(SERRA_ROW, serra.row());
            let mut nearest = usize::MAX;
            for guardian in spaces(free_guardians) {
                let distance = distance(guardian, serra);
                nearest = nearest.min(distance);
                one(GUARDS, distance);
            }
            if nearest != usize::MAX {
                one(GUARD, nearest);
            }
        }
        for guardian in spaces(free_guardians) {
            one(GUARDIAN_ROW, guardian.row());
        }
        // A way leads from its space through the triangle across: b6n through b6s, and so on.
        let locked = self.locked();
        let sealed = locked & GOAL_AXES;
        one(OPEN_AXES, (GOAL_AXES & !sealed).count_ones() as usize);
        one(FREE_AXES, (across(GOAL_AXES) & !self.occupied()).count_ones() as usize);
    }

    #[inline(always)]
    fn for_each_egg_feature(
        &self,
        one: &mut impl FnMut(Group, usize),
        free_serra: Set,
        serra_attack: Set,
    ) {
        let landing = self.landing(Kind::Egg) & !across(serra_attack);
        let mut ways = [0; 2];
        for (way, egg) in ways.iter_mut().zip(spaces(self.eggs())) {
            *way = usize::from(home(egg));
            if *way == 0 {
                continue;
            }
            let mut nearest = usize::MAX;
            for serra in spaces(free_serra) {
                let distance = distance(serra, egg);
                nearest = nearest.min(distance);
                one(HUNTERS, distance);
            }
            if nearest != usize::MAX {
                one(HUNTER, nearest);
            }
            let targets = egg.reach() & landing;
            one(SAFE_MOVES, targets.count_ones() as usize);
            one(SAFE_ADVANCES, (targets & nearer(egg)).count_ones() as usize);
        }
        one(NEAR_EGG, ways[0].min(ways[1]));
        one(FAR_EGG, ways[0].max(ways[1]));
    }

    /// What counts once an egg is home: only the other one has to move.
    #[inline(always)]
    fn for_each_last_egg_feature(
        &self,
        one: &mut impl FnMut(Group, usize),
        free_serra: Set,
        free_guardians: Set,
        serra_attack: Set,
    ) {
        one(LAST_SERRA, free_serra.count_ones() as usize);
        let landing = self.landing(Kind::Egg) & !across(serra_attack);
        for egg in spaces(self.eggs() & !GOALS) {
            one(LAST_EGG, usize::from(home(egg)));
            one(LAST_ADVANCES, (landing & nearer(egg)).count_ones() as usize);
            if let Some(moves) = spaces(free_serra).map(|serra| distance(serra, egg)).min() {
                one(LAST_HUNTER, moves);
            }
            if let Some(moves) = spaces(free_guardians).map(|near| steps(near, egg)).min() {
                one(LAST_ESCORT, usize::from(moves).saturating_sub(1));
            }
        }
    }
}

/// The spaces that the pieces of a set could reach on an empty board.
#[inline(always)]
pub(super) fn reached(set: Set) -> Set {
    spaces(set).fold(0, |reached, space| reached | space.reach())
}

/// Moves that a piece needs to face another, as an index: 0 for one move.
#[inline(always)]
fn distance(piece: Space, victim: Space) -> usize {
    victim.across().map_or(usize::MAX, |target| usize::from(steps(piece, target)).wrapping_sub(1))
}
