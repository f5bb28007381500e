//! Of the trainer.

use super::adam::Training;
use super::weights::Weights;
use super::*;
use crate::game::{Game as _, Seat};
use crate::games::barca::network::Network;
use crate::games::barca::record::parse_all;
use crate::games::barca::square::Kind;
use crate::games::recorded;
use crate::search::Evaluate;

fn games(count: usize) -> Vec<Game> {
    let packed = include_bytes!("../../../../data/barca-games.txt.zst");
    let text = recorded::unpacked(packed.to_vec()).expect("packed text");
    let some: Vec<_> = text.lines().take(count).collect();
    parse_all(&some.join("\n")).expect("games")
}

/// The rules know no direction: turned and mirrored positions have as many moves.
#[test]
fn the_eight_symmetries_keep_the_rules() {
    let mut checked = 0;
    for game in games(5) {
        game.for_each_score(|position, _, _| {
            for symmetry in symmetries() {
                let mut turned = Position::empty(position.side());
                for side in [0, 1] {
                    for kind in Kind::ALL {
                        for square in position.standing(side, kind) {
                            assert!(turned.put(side, kind, symmetry[square as usize]));
                        }
                    }
                }
                assert_eq!(turned.count_moves(), position.count_moves());
                assert_eq!(turned.held(0), position.held(0));
                checked += 1;
            }
        });
    }
    assert!(checked > 1_000, "{checked}");
}

#[test]
fn the_gradient_is_the_slope_of_the_error() {
    let (_, samples) = samples_of(&games(2));
    let as_it_is = &symmetries()[0];
    let mut weights = Weights::random(5);
    let mut gradient = Weights::zero();
    for sample in &samples {
        weights.learn(sample, as_it_is, &mut gradient);
    }
    let all = samples.len() as f64;
    let parts = gradient.parts().count();
    let mut checked = 0;
    for part in 0..parts {
        let slopes = gradient.parts().nth(part).expect("a part").to_vec();
        let Some((at, slope)) =
            slopes.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        else {
            continue;
        };
        if slope.abs() < 0.3 {
            continue;
        }
        let mut error = |change: f32| {
            let weight = &mut weights.parts_mut().nth(part).expect("a part")[at];
            let old = std::mem::replace(weight, *weight + change);
            let error = weights.error(&samples) * all;
            weights.parts_mut().nth(part).expect("a part")[at] = old;
            error
        };
        let measured = (error(1e-3) - error(-1e-3)) / 2e-3;
        let told = f64::from(*slope);
        assert!((measured - told).abs() < 0.03 * told.abs(), "{part} {measured} {told}");
        checked += 1;
    }
    assert!(checked > 20, "{checked}");
}

#[test]
fn rounding_changes_a_score_by_little() {
    let (_, samples) = samples_of(&games(60));
    let mut training = Training::new(3, 256);
    for epoch in 0..3 {
        training.epoch(&samples, epoch, 3);
    }
    let network = training.weights.rounded();
    let as_it_is = &symmetries()[0];
    let mut differences = Vec::new();
    for game in games(3) {
        game.for_each_score(|position, score, share| {
            let sample = sample(position, score, share);
            let rows = rows_of(&sample, as_it_is);
            let (_, output) = training.weights.output(&rows, sample.bucket as usize);
            let seat = Seat::new(position.side());
            let whole = network.score(&network.fresh(position), position, seat);
            differences.push((f64::from(whole) - f64::from(output) * SCALE).abs());
        });
    }
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let most = differences.iter().fold(0.0, |most: f64, d| most.max(*d));
    assert!(mean < 6.0 && most < 30.0, "{mean} {most}");
}

#[test]
fn training_learns_and_does_not_depend_on_the_number_of_threads() {
    let (held_out, samples) = samples_of(&games(150));
    let trained = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let mut training = Training::new(7, 256);
            for epoch in 0..4 {
                training.epoch(&samples, epoch, 4);
            }
            training
        })
    };
    let one = trained(1);
    assert_eq!(one.weights.rounded(), trained(3).weights.rounded());
    let mean =
        samples.iter().map(|sample| f64::from(sample.target)).sum::<f64>() / samples.len() as f64;
    let constant = held_out.iter().map(|s| (f64::from(s.target) - mean).powi(2)).sum::<f64>()
        / held_out.len() as f64;
    let learnt = one.weights.error(&held_out);
    assert!(learnt < 0.9 * constant, "{learnt} against {constant}");
}

#[test]
fn a_network_comes_back_from_its_bytes_and_other_bytes_are_refused() {
    let network = Weights::random(11).rounded();
    let bytes = network.to_bytes();
    assert_eq!(Network::from_bytes(&bytes).expect("a network"), network);
    let error = Network::from_bytes(&bytes[1..]).expect_err("too short").to_string();
    assert!(error.contains(&bytes.len().to_string()), "{error}");
}
