//! Tests of the samples, the loss and the training of Barca's network.

use parlor::game::{Game as _, Seat};
use parlor::games::barca::Kind;
use parlor::search::Evaluate;

use super::*;
use crate::recording::games::parse_games;
use crate::training::adam::AdamSettings;
use crate::training::trainer::{Settings, Trainer};

/// The share of the result in the targets.
const RESULT: f32 = 0.3;

fn settings() -> Settings {
    Settings { rate: 0.001, adam: AdamSettings::default() }
}

fn games(count: usize) -> Vec<Game> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/barca-games.txt.zst");
    let text = parlor::reading::text(path.as_ref()).expect("packed text");
    let some: Vec<_> = text.lines().take(count).collect();
    parse_games(&(some.join("\n") + "\n")).expect("games")
}

/// Turned and mirrored positions have as many moves.
#[test]
fn the_eight_symmetries_keep_the_rules() {
    let mut checked = 0;
    for game in games(5) {
        game.for_each_searched(|searched| {
            let position = searched.position;
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
fn the_slope_is_that_of_the_loss() {
    let Samples { training, .. } = samples_of(&games(2), RESULT);
    let task = ExpectedResult::default();
    for sample in training.iter().take(50) {
        for output in [-1.5, 0.0, 0.4] {
            let [more, less] = [1e-2, -1e-2].map(|d| task.loss(sample, output + d).value);
            let slope = task.loss(sample, output).slope;
            assert!(((more - less) / 2e-2 - slope).abs() < 1e-3, "{output} {slope}");
        }
    }
}

#[test]
fn rounding_changes_a_score_by_little() {
    let Samples { training, .. } = samples_of(&games(60), RESULT);
    let task = ExpectedResult::default();
    let mut trainer =
        Trainer::new(Parameters::<HIDDEN, 2>::random(SHAPE, 3, 0.2), settings(), 256, 3);
    for epoch in 0..3 {
        trainer.epoch(&task, &training, epoch, 3);
    }
    let network = Network::from(trainer.weights().rounded().network());
    let mut differences = Vec::new();
    for game in games(3) {
        game.for_each_searched(|searched| {
            let position = searched.position;
            let sample = sample(position, 0.0, None, RESULT);
            let inputs = task.inputs(&sample, 0);
            let inputs = inputs.each_ref().map(|inputs| &inputs[..]);
            let (_, output) = trainer.weights().output(&inputs, task.bucket(&sample), 0.0);
            let seat = Seat::new(position.side());
            let whole = network.score(&network.fresh(position), position, seat);
            differences.push((f64::from(whole) - f64::from(output) * SCALE).abs());
        });
    }
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let most = differences.iter().fold(0.0, |most: f64, d| most.max(*d));
    // The error of a sum of independently rounded terms grows with the root of their number.
    let little = 0.4 * ((2 * HIDDEN) as f64).sqrt();
    assert!(mean < little && most < 5.0 * little, "{mean} {most}");
}

#[test]
fn training_learns_and_does_not_depend_on_the_number_of_threads() {
    let Samples { training, validation } = samples_of(&games(150), RESULT);
    let task = ExpectedResult::default();
    let trained = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let weights = Parameters::<HIDDEN, 2>::random(SHAPE, 7, 0.2);
            let mut trainer = Trainer::new(weights, settings(), 256, 7);
            for epoch in 0..4 {
                trainer.epoch(&task, &training, epoch, 4);
            }
            trainer
        })
    };
    let one = trained(1);
    assert_eq!(one.weights(), trained(3).weights());
    let mean =
        training.iter().map(|sample| f64::from(sample.target)).sum::<f64>() / training.len() as f64;
    let constant = validation.iter().map(|s| (f64::from(s.target) - mean).powi(2)).sum::<f64>()
        / validation.len() as f64;
    let learned = one.mean_loss(&task, &validation);
    assert!(learned < 0.9 * constant, "{learned} against {constant}");
}
