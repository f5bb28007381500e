//! What a position is worth to every seat, by what an engine reports of it.

use crate::protocol::{Info, Score};
use crate::statistics::score_of_elo;

/// Each seat's probability of coming first according to a report: `vec`; for two seats also `wdl`,
/// else the score.
pub(in crate::runner) fn seat_values(info: &Info, mover: usize, seats: usize) -> Option<Vec<f64>> {
    let sum: u32 = info.shares.iter().sum();
    if info.shares.len() == seats && sum > 0 {
        return Some(info.shares.iter().map(|&part| f64::from(part) / f64::from(sum)).collect());
    }
    if seats != 2 {
        return None;
    }
    let chance = match (info.wdl, info.score) {
        (Some([win, draw, loss]), _) if win + draw + loss > 0 => {
            (f64::from(win) + f64::from(draw) / 2.0) / f64::from(win + draw + loss)
        }
        (_, Some(Score::Mate(distance))) => f64::from(distance > 0),
        (_, Some(Score::Centipawns(cp))) => score_of_elo(f64::from(cp)),
        (_, None) => return None,
    };
    Some(if mover == 0 { vec![chance, 1.0 - chance] } else { vec![1.0 - chance, chance] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_from_what_an_engine_reports() {
        let shares = Info { shares: vec![100, 300, 400, 200], ..Info::default() };
        assert_eq!(seat_values(&shares, 2, 4), Some(vec![0.1, 0.3, 0.4, 0.2]));
        assert_eq!(seat_values(&shares, 2, 3), None);
        let wdl = Info { wdl: Some([500, 200, 300]), ..Info::default() };
        assert_eq!(seat_values(&wdl, 0, 2), Some(vec![0.6, 0.4]));
        assert_eq!(seat_values(&wdl, 1, 2), Some(vec![0.4, 0.6]));
        assert_eq!(seat_values(&wdl, 1, 3), None);
        let score = |score| Info { score: Some(score), ..Info::default() };
        assert_eq!(seat_values(&score(Score::Mate(-3)), 0, 2), Some(vec![0.0, 1.0]));
        let even = seat_values(&score(Score::Centipawns(0)), 1, 2);
        assert_eq!(even, Some(vec![0.5, 0.5]));
        // 400 log10(p / (1 - p)) = 400: p = 10 / 11.
        let ahead = seat_values(&score(Score::Centipawns(400)), 1, 2).unwrap();
        assert!((ahead[1] - 10.0 / 11.0).abs() < 1e-12, "{ahead:?}");
        assert_eq!(seat_values(&Info::default(), 0, 2), None);
    }
}
