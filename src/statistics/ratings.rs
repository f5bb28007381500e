//! Ratings from games of two: the Bradley-Terry model, fitted by the iteration of Hunter (2004).

use std::collections::BTreeMap;

use super::elo_of_score;

/// The games of a pairing: the points of the first, and the number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// The first, by index.
    pub one: usize,
    /// The second, by index.
    pub other: usize,
    /// Points of the first: a win counts 1, a draw 1/2.
    pub score: f64,
    /// The number of games.
    pub games: f64,
}

/// A prior of a tenth of a drawn game for every pairing: keeps a clean sweep from being infinite.
const PRIOR: f64 = 0.1;

/// The most sweeps over all engines, and the most terms that are added up in all of them: a long chain
/// of engines, each of which met two others, would take hours.
const SWEEPS: usize = 10_000;
const STEPS: usize = 5_000_000;

/// The most likely Elo ratings, with mean zero. Engines that are not connected by games, even over
/// others, cannot be compared.
#[must_use]
pub fn ratings(field: usize, pairings: &[Pairing]) -> Vec<f64> {
    // Of each one, its points against each other that it met, and theirs.
    let mut met: Vec<BTreeMap<usize, [f64; 2]>> = vec![BTreeMap::new(); field];
    for pairing in pairings {
        let mut add = |one: usize, other: usize, score: f64| {
            for (owner, opponent, place) in [(one, other, 0), (other, one, 1)] {
                if let Some(points) = met.get_mut(owner).filter(|_| opponent < field) {
                    points.entry(opponent).or_default()[place] += score;
                }
            }
        };
        add(pairing.one, pairing.other, pairing.score + PRIOR / 2.0);
        add(pairing.other, pairing.one, pairing.games - pairing.score + PRIOR / 2.0);
    }
    let met: Vec<Vec<(usize, f64, f64)>> = met
        .into_iter()
        .map(|points| {
            points.into_iter().map(|(other, [own, theirs])| (other, own, own + theirs)).collect()
        })
        .collect();
    let steps: usize = met.iter().map(Vec::len).sum();
    let mut strength = vec![1.0f64; field];
    for _ in 0..SWEEPS.min(STEPS / steps.max(1)) {
        let mut change: f64 = 0.0;
        for (one, met) in met.iter().enumerate() {
            let own = strength.get(one).copied().unwrap_or(1.0);
            let (mut won, mut weight) = (0.0, 0.0);
            for (other, points, games) in met {
                let theirs = strength.get(*other).copied().unwrap_or(1.0);
                won += points;
                weight += games / (own + theirs);
            }
            if weight > 0.0 && won > 0.0 {
                let next: f64 = won / weight;
                change = change.max((next / own).ln().abs());
                if let Some(place) = strength.get_mut(one) {
                    *place = next;
                }
            }
        }
        if change < 1e-10 {
            break;
        }
    }
    let mut elo: Vec<f64> = strength.iter().map(|x| elo_of_score(x / (x + 1.0))).collect();
    let mean = elo.iter().sum::<f64>() / field.max(1) as f64;
    elo.iter_mut().for_each(|rating| *rating -= mean);
    elo
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::score_of_elo;

    #[test]
    fn two_are_rated_by_their_score() {
        let pairing = Pairing { one: 0, other: 1, score: 750_000.0, games: 1_000_000.0 };
        let elo = ratings(2, &[pairing]);
        assert!((elo[0] - elo[1] - elo_of_score(0.75)).abs() < 0.001, "{elo:?}");
        assert!((elo[0] + elo[1]).abs() < 1e-9);
    }

    #[test]
    fn true_ratings_are_found_from_expected_scores() {
        let truth = [120.0, 40.0, -10.0, -150.0];
        let mut pairings = Vec::new();
        for one in 0..4 {
            for other in one + 1..4 {
                // Not all play equally often.
                let games = 10_000.0 * (1 + one + 2 * other) as f64;
                let score = games * score_of_elo(truth[one] - truth[other]);
                pairings.push(Pairing { one, other, score, games });
            }
        }
        for (found, expected) in ratings(4, &pairings).iter().zip(truth) {
            assert!((found - expected).abs() < 0.05, "{found} is not {expected}");
        }
    }

    /// Of two, the ratings differ by what the points and the prior give: 3 points of 4 become 3.05
    /// against 1.05.
    #[test]
    fn the_prior_is_a_tenth_of_a_drawn_game() {
        for (score, games) in [(3.0, 4.0), (10.0, 10.0), (0.0, 1.0)] {
            let elo = ratings(2, &[Pairing { one: 0, other: 1, score, games }]);
            let expected = 400.0 * ((score + 0.05) / (games - score + 0.05)).log10();
            assert!((elo[0] - elo[1] - expected).abs() < 1e-3, "{score} of {games}: {elo:?}");
        }
    }

    #[test]
    fn a_clean_sweep_stays_finite() {
        let elo = ratings(2, &[Pairing { one: 0, other: 1, score: 10.0, games: 10.0 }]);
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 500.0, "{elo:?}");
    }

    /// The equations that the most likely ratings solve: everybody's expected points are its points,
    /// with a tenth of a drawn game for every pairing that is given. No iteration is needed to check
    /// them. Pairings come twice, either way round, and one engine meets only one other.
    #[test]
    fn expected_points_are_the_points() {
        let games = [
            (0, 1, 7.5, 12.0),
            (1, 0, 2.0, 9.0),
            (2, 0, 3.0, 4.0),
            (1, 2, 5.5, 11.0),
            (3, 2, 1.5, 6.0),
            (0, 2, 0.0, 3.0),
        ];
        let pairings = games.map(|(one, other, score, games)| Pairing { one, other, score, games });
        let elo = ratings(4, &pairings);
        for engine in 0..4 {
            let (mut points, mut expected) = (0.0, 0.0);
            for (one, other, score, games) in games {
                for (own, theirs, score) in [(one, other, score), (other, one, games - score)] {
                    if own == engine {
                        points += score + 0.05;
                        expected += (games + 0.1) * score_of_elo(elo[own] - elo[theirs]);
                    }
                }
            }
            assert!((points - expected).abs() < 1e-6, "{engine}: {points} {expected}, {elo:?}");
        }
        assert!(elo.iter().sum::<f64>().abs() < 1e-9, "{elo:?}");
        assert!(ratings(0, &[]).is_empty());
    }
}
