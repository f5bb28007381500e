//! Learning the networks from self-play by temporal differences, TD(lambda).
//!
//! Every turn is played greedily by the current network. After a game the probabilities of each
//! position are moved towards a mixture of the game's outcome and the probabilities found later in
//! the game (the forward view; Sutton, *Learning to predict by the methods of temporal
//! differences*, 1988). All random numbers come from one generator and sums are taken in one order:
//! equal arguments give equal weights on every machine.

use super::self_play;
use parlor::game::{Game, Random, Seat};
use parlor::games::chowka_bhara::play::{AllFeatures, Features, Network, Seating, all_features};
use parlor::games::chowka_bhara::{Position, RuleOptions};
use parlor::search::value::softmax;

/// How to train.
#[derive(Debug)]
pub struct TrainingSettings {
    /// Games played.
    pub games: u64,
    /// Seed of weights and throws.
    pub seed: u64,
    /// Learning rates of the first games and of the last.
    pub rates: [f32; 2],
    /// How much of a target comes from later in the game than the next turn: lambda.
    pub lambda: f32,
}

/// One position at the start of a turn.
struct Sample {
    features: AllFeatures,
    probabilities: [f32; 4],
}

/// What is learned from a game.
struct Lesson {
    /// The positions at the start of every turn.
    played: Vec<Sample>,
    /// Every seat's share of first place.
    shares: [f32; 4],
}

/// Trains a network from random weights; `progress` is called after every thousand games with the
/// number of games and the mean loss.
pub fn train<const N: usize>(
    seating: Seating,
    settings: &TrainingSettings,
    mut progress: impl FnMut(u64, f64),
) -> Network<N> {
    let mut network = Network::new(seating, settings.seed);
    let mut random = Random::new(settings.seed ^ 0x7EA1);
    let (mut loss, mut positions) = (0.0, 0u64);
    for game in 0..settings.games {
        let done = game as f32 / settings.games as f32;
        // The last tenth of the games keeps the last rate.
        let rate =
            settings.rates[0] + (settings.rates[1] - settings.rates[0]) * (done / 0.9).min(1.0);
        let lesson = play_game(&network, start(seating, &mut random), &mut random);
        positions += lesson.played.len() as u64;
        loss += learn(&mut network, &lesson, rate, settings.lambda);
        if (game + 1) % 1000 == 0 || game + 1 == settings.games {
            progress(game + 1, loss / positions.max(1) as f64);
            (loss, positions) = (0.0, 0);
        }
    }
    network
}

/// A start with four pawns in three games of four, else with fewer.
pub fn start(seating: Seating, random: &mut Random) -> Position {
    let pawns = match random.below(4) {
        0 => 1 + random.below(3) as u8,
        _ => 4,
    };
    let seats = match seating {
        Seating::Two => 2,
        Seating::More => 3 + usize::from(random.below(3) > 0),
    };
    Position::starting(RuleOptions { pawns, ..RuleOptions::default() }, seats)
}

/// Plays a game.
fn play_game<const N: usize>(network: &Network<N>, start: Position, random: &mut Random) -> Lesson {
    let seats = start.seats();
    let mut played = Vec::new();
    let evaluate =
        |position: &Position| probabilities(network, &all_features(position, network.seating));
    let outcome = self_play::play_game(start, random, evaluate, |position| {
        let features = all_features(position, network.seating);
        let probabilities = probabilities(network, &features);
        played.push(Sample { features, probabilities });
    });
    let mut shares = [1.0 / seats as f32; 4];
    if let Some(outcome) = outcome {
        for (seat, share) in shares.iter_mut().enumerate().take(seats) {
            *share = outcome.share(Seat::new(seat)) as f32;
        }
    }
    Lesson { played, shares }
}

/// Every seat's probability to be first, by its features.
pub fn probabilities<const N: usize>(network: &Network<N>, features: &AllFeatures) -> [f32; 4] {
    let mut strengths = [f32::NEG_INFINITY; 4];
    for (strength, features) in strengths.iter_mut().zip(features) {
        *strength = network.strength(&network.sums(features));
    }
    softmax(strengths)
}

/// Learns from the positions of a game; the sum of squared differences between probabilities and
/// targets.
fn learn<const N: usize>(network: &mut Network<N>, lesson: &Lesson, rate: f32, lambda: f32) -> f64 {
    let mut target = lesson.shares;
    let mut loss = 0.0;
    for sample in lesson.played.iter().rev() {
        loss += step_towards(network, &sample.features, &target, rate);
        for (target, probability) in target.iter_mut().zip(sample.probabilities) {
            *target = lambda * *target + (1.0 - lambda) * probability;
        }
    }
    loss
}

/// Moves the probabilities of one position towards a target; the squared difference.
fn step_towards<const N: usize>(
    network: &mut Network<N>,
    features: &AllFeatures,
    target: &[f32; 4],
    rate: f32,
) -> f64 {
    let probabilities = probabilities(network, features);
    let mut loss = 0.0;
    for (seat, features) in features.iter().enumerate() {
        let difference = target[seat] - probabilities[seat];
        loss += f64::from(difference * difference);
        adjust(network, features, rate * difference);
    }
    loss
}

/// One step of gradient ascent on a seat's strength.
fn adjust<const N: usize>(network: &mut Network<N>, features: &Features, step: f32) {
    let sums = network.sums(features);
    let mut change = [0.0; N];
    for ((change, sum), weight) in change.iter_mut().zip(&sums).zip(&mut network.head) {
        let scale = 1.0 + sum.abs();
        *change = step * *weight / (scale * scale);
        *weight += step * sum / scale;
    }
    // The first sum has no softsign and a fixed weight.
    change[0] = step;
    network.head[0] = 1.0;
    for feature in features {
        for (x, change) in network.rows[*feature as usize].iter_mut().zip(&change) {
            *x += change;
        }
    }
}
