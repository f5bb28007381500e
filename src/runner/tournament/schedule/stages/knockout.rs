//! Knockout: who loses an encounter is out.

use super::Encounter;

/// Bundles that follow a tied encounter, one after the other, until it is decided; after the last
/// one the engine that was named first goes on.
pub(super) const EXTRA: u64 = 3;

/// The state of a knockout.
#[derive(Clone, Debug)]
pub(super) struct Knockout {
    /// Who is still in, in the order of the bracket: neighbours meet. `None`: nobody, which is a bye
    /// for the neighbour.
    bracket: Vec<Option<usize>>,
    /// The round of the tournament, from 1.
    round: u64,
    /// Further bundles played in this round.
    extra: u64,
    /// All encounters, those of this round last.
    encounters: Vec<Encounter>,
    /// Where those of this round begin.
    current: usize,
}

impl Knockout {
    /// Engines in the order of their seeds: the first two can only meet in the final.
    pub(super) fn new(engines: usize) -> Self {
        let mut seeds = vec![0];
        while seeds.len() < engines {
            let size = 2 * seeds.len();
            seeds = seeds.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
        }
        let bracket = seeds.into_iter().map(|seed| (seed < engines).then_some(seed)).collect();
        Knockout { bracket, round: 0, extra: 0, encounters: Vec::new(), current: 0 }
    }

    /// All encounters so far.
    pub(super) fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// Who has won.
    pub(super) fn winner(&self) -> Option<usize> {
        match self.bracket.as_slice() {
            [winner] => *winner,
            _ => None,
        }
    }

    /// The encounters of the next stage, and how many bundles each has.
    pub(super) fn next(&mut self, bundles: u64) -> Option<(Vec<[usize; 2]>, u64)> {
        let round = self.encounters.get(self.current..).unwrap_or_default();
        let is_tied = |encounter: &&Encounter| encounter.points[0] == encounter.points[1];
        let tied: Vec<[usize; 2]> =
            round.iter().filter(is_tied).map(|encounter| encounter.engines).collect();
        if !tied.is_empty() && self.extra < EXTRA {
            self.extra += 1;
            return Some((tied, 1));
        }
        self.promote();
        let meets = |two: &[Option<usize>]| match two {
            [Some(one), Some(other)] => Some([*one.min(other), *one.max(other)]),
            _ => None,
        };
        let encounters: Vec<[usize; 2]> = self.bracket.chunks(2).filter_map(meets).collect();
        self.round += 1;
        self.extra = 0;
        self.current = self.encounters.len();
        (!encounters.is_empty()).then_some((encounters, bundles))
    }

    /// The winners of this round take the places of the pairs.
    fn promote(&mut self) {
        if self.round == 0 {
            return;
        }
        let round = self.encounters.get(self.current..).unwrap_or_default();
        let loser = |encounter: &Encounter| {
            let [one, other] = encounter.points;
            // Of two that are equal to the end, the one that was named first goes on.
            encounter.engines[usize::from(one >= other)]
        };
        let losers: Vec<usize> = round.iter().map(loser).collect();
        let survivor = |two: &[Option<usize>]| {
            two.iter().flatten().copied().find(|engine| !losers.contains(engine))
        };
        self.bracket = self.bracket.chunks(2).map(survivor).collect();
    }

    /// Adds the points of a stage.
    pub(super) fn add(&mut self, encounters: &[[usize; 2]], points: &[[i64; 2]]) {
        for (&engines, more) in encounters.iter().zip(points) {
            let round = self.encounters.get_mut(self.current..).unwrap_or_default();
            match round.iter_mut().find(|encounter| encounter.engines == engines) {
                Some(encounter) => {
                    for (sum, more) in encounter.points.iter_mut().zip(more) {
                        *sum += more;
                    }
                }
                None => {
                    let round = self.round;
                    self.encounters.push(Encounter { round, engines, points: *more });
                }
            }
        }
    }
}
