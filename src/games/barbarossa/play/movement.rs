//! Movement: value iteration over the pawn ring and the jewels.

use crate::games::barbarossa::rules::options::{MOST_JEWELS, RuleOptions, Space};

/// The discount of a turn. A game lasts about three turns a seat.
const DISCOUNT: f64 = 0.6;

/// Sweeps over all states. The discount leaves an error below a thousandth.
const SWEEPS: usize = 16;

const JEWELS: usize = MOST_JEWELS as usize + 1;

/// The value of landing on each kind of space, in points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SpaceValues {
    /// One step forward of every other player.
    pub(super) dragon: f64,
    /// Two steps.
    pub(super) ghosts: f64,
    /// A letter.
    pub(super) elf: f64,
    /// Questions and a guess.
    pub(super) questions: f64,
}

impl SpaceValues {
    fn of(&self, space: Space) -> f64 {
        match space {
            Space::Stairs => 0.0,
            Space::Dragon => self.dragon,
            Space::Ghosts => self.ghosts,
            Space::Elf => self.elf,
            Space::Questions => self.questions,
        }
    }
}

/// The value of every state under best play.
#[derive(Clone, Debug)]
pub(super) struct MovementValues {
    ring: Vec<Space>,
    values: Vec<[f64; JEWELS]>,
    later: SpaceValues,
}

impl MovementValues {
    /// Solves the ring for average values of spaces.
    pub(super) fn solve(rules: &RuleOptions, later: SpaceValues) -> Self {
        let ring = rules.ring.to_vec();
        let mut plan = MovementValues { values: vec![[0.0; JEWELS]; ring.len()], ring, later };
        for _ in 0..SWEEPS {
            // The value of arriving at a space, by die or by jewels.
            let arrival: Vec<[f64; JEWELS]> = (0..plan.ring.len())
                .map(|at| {
                    let mut row = [0.0; JEWELS];
                    for (jewels, value) in row.iter_mut().enumerate() {
                        *value = plan.arrive(at, jewels, &plan.later);
                    }
                    row
                })
                .collect();
            for at in 0..plan.ring.len() {
                for jewels in 0..JEWELS {
                    let roll = (1..=6).map(|k| arrival[(at + k) % plan.ring.len()][jewels]);
                    let mut best = roll.sum::<f64>() / 6.0;
                    for k in 1..=jewels {
                        best = best.max(arrival[(at + k) % plan.ring.len()][jewels - k]);
                    }
                    plan.values[at][jewels] = best;
                }
            }
        }
        plan
    }

    fn arrive(&self, at: usize, jewels: usize, worth: &SpaceValues) -> f64 {
        let space = self.ring[at];
        let jewels = if space == Space::Stairs { (jewels + 1).min(JEWELS - 1) } else { jewels };
        worth.of(space) + DISCOUNT * self.values[at][jewels]
    }

    /// The value of rolling now, when spaces are worth `now`.
    pub(super) fn roll(&self, at: usize, jewels: usize, now: &SpaceValues) -> f64 {
        let ring = self.ring.len();
        (1..=6).map(|k| self.arrive((at + k) % ring, jewels.min(JEWELS - 1), now)).sum::<f64>()
            / 6.0
    }

    /// The value of spending jewels now.
    pub(super) fn spend(&self, at: usize, jewels: usize, steps: usize, now: &SpaceValues) -> f64 {
        let left = jewels.saturating_sub(steps).min(JEWELS - 1);
        self.arrive((at + steps) % self.ring.len(), left, now)
    }
}
