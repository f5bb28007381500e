//! Swiss: engines of equal points meet, and no two of them twice as long as that is possible.

use super::{Encounter, POINT};

/// Steps of one search for pairings; after them one more rematch is allowed.
const STEPS: u64 = 20_000;

/// The state of a Swiss tournament.
#[derive(Clone, Debug)]
pub(super) struct Swiss {
    rounds: u64,
    round: u64,
    /// Games of an encounter: a bye counts as if all were won.
    games: u64,
    points: Vec<i64>,
    byes: Vec<bool>,
    encounters: Vec<Encounter>,
}

/// Where an engine stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Standing {
    pub(super) engine: usize,
    pub(super) points: i64,
    /// The points of its opponents; a bye counts as an opponent of the engine's own points.
    pub(super) buchholz: i64,
    /// The points of each opponent times those that it won from it.
    pub(super) sonneborn_berger: f64,
    pub(super) bye: bool,
}

impl Swiss {
    /// At the start, the engines in the order of their seeds.
    pub(super) fn new(engines: usize, rounds: u64, games: u64) -> Self {
        let (points, byes) = (vec![0; engines], vec![false; engines]);
        Swiss { rounds, round: 0, games, points, byes, encounters: Vec::new() }
    }

    /// All encounters so far.
    pub(super) fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// The encounters of the next round.
    pub(super) fn next(&mut self) -> Option<Vec<[usize; 2]>> {
        if self.round >= self.rounds {
            return None;
        }
        self.round += 1;
        let mut ranked: Vec<usize> = (0..self.points.len()).collect();
        ranked.sort_by_key(|&engine| std::cmp::Reverse(self.points.get(engine)));
        let (bye, pairs) = self.pairing(&ranked)?;
        if let Some(bye) = bye {
            if let Some(had) = self.byes.get_mut(bye) {
                *had = true;
            }
            if let Some(points) = self.points.get_mut(bye) {
                *points += self.games as i64 * POINT;
            }
        }
        Some(pairs)
    }

    /// Who has a bye, and who meets whom: with as few rematches as a search of limited length finds.
    fn pairing(&self, ranked: &[usize]) -> Option<(Option<usize>, Vec<[usize; 2]>)> {
        for rematches in 0..=ranked.len() {
            for bye in self.candidates_for_bye(ranked) {
                let free: Vec<usize> =
                    ranked.iter().copied().filter(|&engine| Some(engine) != bye).collect();
                let mut steps = STEPS;
                let mut pairs = Vec::new();
                if self.pair(&free, rematches, &mut steps, &mut pairs) {
                    return Some((bye, pairs));
                }
            }
        }
        None
    }

    /// With an odd number of engines: from the last one up, those that had no bye yet.
    fn candidates_for_bye(&self, ranked: &[usize]) -> Vec<Option<usize>> {
        if ranked.len().is_multiple_of(2) {
            return vec![None];
        }
        let had = |engine: usize| self.byes.get(engine).copied().unwrap_or(false);
        let (again, first): (Vec<usize>, Vec<usize>) =
            ranked.iter().rev().partition(|&&engine| had(engine));
        first.into_iter().chain(again).map(Some).collect()
    }

    /// Pairs the first engine, then the others; whether that was possible.
    fn pair(
        &self,
        free: &[usize],
        rematches: usize,
        steps: &mut u64,
        pairs: &mut Vec<[usize; 2]>,
    ) -> bool {
        let Some((&one, others)) = free.split_first() else { return true };
        for other in self.opponents(one, others) {
            let Some(left) = rematches.checked_sub(usize::from(self.have_met(one, other))) else {
                continue;
            };
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            pairs.push([one.min(other), one.max(other)]);
            let rest: Vec<usize> =
                others.iter().copied().filter(|&engine| engine != other).collect();
            if self.pair(&rest, left, steps, pairs) {
                return true;
            }
            pairs.pop();
        }
        false
    }

    /// The opponents of an engine, best first: of those with equal points the first of the lower
    /// half and those after it, then the upper half from its end; then all with fewer points.
    fn opponents(&self, engine: usize, others: &[usize]) -> Vec<usize> {
        let points = |engine: usize| self.points.get(engine).copied().unwrap_or(0);
        let equal = others.iter().take_while(|&&other| points(other) == points(engine)).count();
        let (equals, lower) = others.split_at(equal);
        // `equals` is without the engine itself.
        let (upper_half, lower_half) = equals.split_at(equal.div_ceil(2).saturating_sub(1));
        lower_half.iter().chain(upper_half.iter().rev()).chain(lower).copied().collect()
    }

    fn have_met(&self, one: usize, other: usize) -> bool {
        let engines = [one.min(other), one.max(other)];
        self.encounters.iter().any(|encounter| encounter.engines == engines)
    }

    /// Adds the points of a round.
    pub(super) fn add(&mut self, encounters: &[[usize; 2]], points: &[[i64; 2]]) {
        for (&engines, &points) in encounters.iter().zip(points) {
            for (engine, more) in engines.into_iter().zip(points) {
                if let Some(sum) = self.points.get_mut(engine) {
                    *sum += more;
                }
            }
            self.encounters.push(Encounter { round: self.round, engines, points });
        }
    }

    /// The engines by points, then Buchholz, Sonneborn-Berger, and the order in which they were named.
    pub(super) fn standings(&self) -> Vec<Standing> {
        let of = |engine: usize| self.points.get(engine).copied().unwrap_or(0);
        let standing = |(engine, (&points, &bye)): (usize, (&i64, &bool))| {
            let mut buchholz = if bye { points } else { 0 };
            let mut sonneborn_berger = 0.0;
            for encounter in &self.encounters {
                let [one, other] = encounter.engines;
                let (opponent, won) = match engine {
                    _ if engine == one => (other, encounter.points[0]),
                    _ if engine == other => (one, encounter.points[1]),
                    _ => continue,
                };
                buchholz += of(opponent);
                sonneborn_berger += super::number(of(opponent)) * super::number(won);
            }
            Standing { engine, points, buchholz, sonneborn_berger, bye }
        };
        let mut standings: Vec<Standing> =
            self.points.iter().zip(&self.byes).enumerate().map(standing).collect();
        standings.sort_by(|one, other| {
            let order = other.points.cmp(&one.points).then(other.buchholz.cmp(&one.buchholz));
            order.then(other.sonneborn_berger.total_cmp(&one.sonneborn_berger))
        });
        standings
    }
}
