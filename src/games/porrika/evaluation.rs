//! What a position is worth: a sum of weights, one for each thing seen on the board.
//!
//! The weights are copper's, in hundredths, two sets of them: one for positions with copper to
//! move, one for silver. They were found from games against itself (`porrika tune`).

use std::sync::Arc;

use super::board::{GOAL_AXES, GOALS, Set, Space, across, spaces};
use super::distance::{home, nearer, steps};
use super::position::{Kind, Phase, Position, Side};
use super::shelf::Shelf;
use super::weights::WEIGHTS;
use crate::game::Seat;
use crate::machine::dispatched;
use crate::search::Evaluate;
use crate::search::value::clip;

/// A group of weights: its name, its first index and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What it weighs.
    pub name: &'static str,
    /// Index of its first weight.
    pub start: usize,
    /// How many weights it has.
    pub length: usize,
}

/// Declares the groups of weights one after the other.
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
        /// How many weights a side to move has.
        pub const SIZE: usize = $start;
    };
}

groups! {
    /// Having the move.
    TEMPO: 1,
    /// Moves that the egg nearer home needs.
    NEAR_EGG: 8,
    /// Moves that the other egg needs.
    FAR_EGG: 8,
    /// Ser'ra that are not locked.
    FREE_SERRA: 5,
    /// Guardians that are not locked.
    FREE_GUARDIANS: 5,
    /// Of each egg: moves that the nearest free Ser'ra needs to face it.
    HUNTER: 6,
    /// Of each egg and each free Ser'ra: moves to face it.
    HUNTERS: 6,
    /// Of each free Ser'ra: moves that the nearest free Guardian needs to face it.
    GUARD: 6,
    /// Of each free Ser'ra and each free Guardian: moves to face it.
    GUARDS: 6,
    /// Ways into the Por'rika that no pair has closed for ever.
    OPEN_AXES: 5,
    /// Ways into the Por'rika that are free at the moment.
    FREE_AXES: 5,
    /// Rows of free Ser'ra.
    SERRA_ROW: 7,
    /// Rows of free Guardians.
    GUARDIAN_ROW: 7,
    /// Eggs that a Ser'ra could face now.
    THREATS: 3,
    /// Ser'ra that a Guardian could face now.
    LOCKS: 5,
    /// Of each egg: moves after which no Ser'ra could face it.
    SAFE_MOVES: 8,
    /// Of each egg: such moves that bring it nearer home.
    SAFE_ADVANCES: 4,
    /// Ser'ra that stand where they can never move.
    STRANDED_SERRA: 5,
}

/// Where the weights of a side to move begin.
pub(super) const fn part_of(side: Side) -> usize {
    match side {
        Side::Copper => 0,
        Side::Silver => SIZE,
    }
}

/// All weights: those with copper to move, then those with silver to move.
pub type Weights = [i16; 2 * SIZE];

/// The evaluation of the engine.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: Weights,
    shelf: Arc<Shelf>,
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation::new(WEIGHTS)
    }
}

impl Evaluation {
    /// An evaluation with other weights.
    pub fn new(weights: Weights) -> Self {
        Evaluation { weights, shelf: Arc::default() }
    }

    /// The solved ending that the search asks, if there is one.
    pub(super) fn shelf(&self) -> &Arc<Shelf> {
        &self.shelf
    }

    /// The value for copper.
    pub fn for_copper(&self, position: &Position) -> i32 {
        if position.phase() == Phase::Setup {
            return 0;
        }
        position.weigh(&self.weights)
    }
}

impl Evaluate<Position> for Evaluation {
    type Acc = ();

    fn fresh(&self, _position: &Position) {}

    fn score(&self, (): &(), position: &Position, seat: Seat) -> i32 {
        let value = self.for_copper(position);
        if seat == Side::Copper.seat() { value } else { -value }
    }
}

/// An evaluation that knows nothing but how far the eggs are from home: a yardstick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distance;

impl Evaluate<Position> for Distance {
    type Acc = ();

    fn fresh(&self, _position: &Position) {}

    fn score(&self, (): &(), position: &Position, seat: Seat) -> i32 {
        let moves: i32 = spaces(position.eggs()).map(|egg| i32::from(home(egg))).sum();
        if seat == Side::Copper.seat() { -100 * moves } else { 100 * moves }
    }
}

impl Position {
    dispatched! {
        /// The sum of the weights of what is seen.
        fn weigh / weigh_fast = weigh_body(&self, weights: &Weights) -> i32
    }

    #[inline(always)]
    fn weigh_body(&self, weights: &Weights) -> i32 {
        let base = part_of(self.side());
        let mut sum = 0;
        self.see(|index, count| sum += i32::from(weights[base + index]) * count);
        sum
    }

    /// Calls `add` with the index of a weight, copper to move or not, and how often it counts.
    #[inline(always)]
    pub(super) fn see(&self, mut add: impl FnMut(usize, i32)) {
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

        self.see_eggs(&mut one, free_serra, serra_attack);
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
        // A way leads from its space over the triangle across: b6n over b6s, b6w over b6e, ...
        let locked = self.locked();
        let sealed = locked & GOAL_AXES;
        one(OPEN_AXES, (GOAL_AXES & !sealed).count_ones() as usize);
        one(FREE_AXES, (across(GOAL_AXES) & !self.occupied()).count_ones() as usize);
    }

    #[inline(always)]
    fn see_eggs(&self, one: &mut impl FnMut(Group, usize), free_serra: Set, serra_attack: Set) {
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
}

/// Where the pieces of a set could go if the board were empty.
#[inline(always)]
pub(super) fn reached(set: Set) -> Set {
    spaces(set).fold(0, |reached, space| reached | space.reach())
}

/// Moves that a piece needs to face a victim, as an index: 0 for one move.
#[inline(always)]
fn distance(piece: Space, victim: Space) -> usize {
    victim.across().map_or(usize::MAX, |target| usize::from(steps(piece, target)).wrapping_sub(1))
}

/// The evaluation, explained group by group.
pub(super) fn explain(position: &Position) -> String {
    let base = part_of(position.side());
    let mut sums = vec![0; GROUPS.len()];
    position.see(|index, count| {
        let group = GROUPS.partition_point(|group| group.start <= index) - 1;
        sums[group] += i32::from(WEIGHTS[base + index]) * count;
    });
    let mut text = String::from("for copper, in hundredths\n");
    for (group, sum) in GROUPS.iter().zip(&sums) {
        let name = group.name.to_lowercase().replace('_', " ");
        text.push_str(&format!("{name:<16}{sum:>7}\n"));
    }
    let evaluation = Evaluation::default();
    let copper = clip(evaluation.for_copper(position));
    let score = if position.side() == Side::Copper { copper } else { -copper };
    text.push_str(&format!("score cp {score}"));
    text
}
