//! The weights of a [`PolicyNetwork`] while it is trained. The loss is the cross-entropy of the move
//! that was played and the softmax of the logits.

use parlor::game::Random;
use parlor::machine::dispatched;
use parlor::search::network::{OUTPUT_UNIT, UNIT};
use parlor::search::policy_network::{MOVE_LIMIT, PolicyNetwork};
use parlor::search::weight_file::{WeightFileError, numbers_16};

use super::descent::Weights;
use super::parameters::Values;

/// Sums that a logit is added up in side by side.
const LANES: usize = 16;

/// The greatest weight that may be learned.
const GREATEST: f32 = MOVE_LIMIT as f32 / OUTPUT_UNIT as f32;

/// A position with its moves.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The active inputs of the position.
    pub inputs: Vec<u16>,
    /// The inputs of every move.
    pub moves: Vec<Vec<u16>>,
    /// The move that was played.
    pub played: usize,
}

/// All weights, or their gradient: the rows of inputs, those of inputs of moves, the bias.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyParameters<const HIDDEN: usize> {
    /// The numbers of inputs of positions and of moves.
    shape: [usize; 2],
    all: Vec<f32>,
}

impl<const HIDDEN: usize> Weights for PolicyParameters<HIDDEN> {
    fn all(&self) -> &[f32] {
        &self.all
    }

    fn all_mut(&mut self) -> &mut [f32] {
        &mut self.all
    }

    fn limit(&mut self) {
        for weight in &mut self.all {
            *weight = weight.clamp(-GREATEST, GREATEST);
        }
    }
}

impl<const HIDDEN: usize> PolicyParameters<HIDDEN> {
    /// Small random weights.
    pub fn random(shape: [usize; 2], seed: u64) -> Self {
        const { assert!(HIDDEN.is_multiple_of(LANES)) };
        let mut random = Random::new(seed);
        let mut small = |most: f32| most * (2.0 * random.unit() as f32 - 1.0);
        let [inputs, moves] = shape.map(|rows| rows * HIDDEN);
        let mut all: Vec<f32> = (0..inputs).map(|_| small(0.1)).collect();
        all.extend((0..moves).map(|_| small(0.05)));
        all.extend((0..HIDDEN).map(|_| 0.4 + small(0.05)));
        PolicyParameters { shape, all }
    }

    /// The weights of a network, by the payload of its file.
    pub fn from_payload(payload: &[u8], shape: [usize; 2]) -> Result<Self, WeightFileError> {
        // Says what is wrong with it.
        PolicyNetwork::<HIDDEN>::from_payload(payload, shape)?;
        let numbers = numbers_16(payload).enumerate();
        let weight = |(at, number)| f32::from(number) / unit(shape, at / HIDDEN) as f32;
        Ok(PolicyParameters { shape, all: numbers.map(weight).collect() })
    }

    fn rows(&self) -> &[Values<HIDDEN>] {
        self.all.as_chunks().0
    }

    dispatched! { wide
        /// The loss of a position; adds the gradient, if there is a place for it.
        pub fn learn / learn_fast = learned(
            &self,
            choice: &Choice,
            gradient: Option<&mut Self>
        ) -> f32
    }

    #[inline(always)]
    fn learned(&self, choice: &Choice, gradient: Option<&mut Self>) -> f32 {
        let (inputs, rest) = self.rows().split_at(self.shape[0]);
        let (moves, bias) = rest.split_at(self.shape[1]);
        let sums = summed(bias[0], inputs, &choice.inputs);
        let hidden = sums.map(|sum| sum.clamp(0.0, 1.0));
        let rows: Vec<Values<HIDDEN>> =
            choice.moves.iter().map(|of_move| summed([0.0; HIDDEN], moves, of_move)).collect();
        let mut chances: Vec<f32> = rows.iter().map(|row| dot(row, &hidden)).collect();
        let most = chances.iter().copied().fold(f32::MIN, f32::max);
        chances.iter_mut().for_each(|chance| *chance = libm::expf(*chance - most));
        let total: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= total);
        let loss = -libm::logf(chances[choice.played].max(1e-9));
        if let Some(gradient) = gradient {
            chances[choice.played] -= 1.0;
            let mut slopes = [0.0; HIDDEN];
            for (slope, row) in chances.iter().zip(&rows) {
                add_scaled(&mut slopes, *slope, row);
            }
            for (slope, sum) in slopes.iter_mut().zip(&sums) {
                if *sum <= 0.0 || *sum >= 1.0 {
                    *slope = 0.0;
                }
            }
            let (inputs, rest) = gradient.all.as_chunks_mut().0.split_at_mut(self.shape[0]);
            let (moves, bias) = rest.split_at_mut(self.shape[1]);
            for input in &choice.inputs {
                add_scaled(&mut inputs[usize::from(*input)], 1.0, &slopes);
            }
            add_scaled(&mut bias[0], 1.0, &slopes);
            for (slope, of_move) in chances.iter().zip(&choice.moves) {
                for input in of_move {
                    add_scaled(&mut moves[usize::from(*input)], *slope, &hidden);
                }
            }
        }
        loss
    }

    /// The network that plays.
    pub fn network(&self) -> PolicyNetwork<HIDDEN> {
        let rows = self.rows().iter().enumerate();
        let numbers = rows.flat_map(|(row, values)| {
            values.map(|value| libm::roundf(value * unit(self.shape, row) as f32) as i16)
        });
        let payload: Vec<u8> = numbers.flat_map(i16::to_le_bytes).collect();
        PolicyNetwork::from_payload(&payload, self.shape)
            .unwrap_or_else(|error| unreachable!("the rounded network {error}"))
    }
}

/// What a weight of 1 is in a row of the network.
fn unit([inputs, moves]: [usize; 2], row: usize) -> i32 {
    if (inputs..inputs + moves).contains(&row) { OUTPUT_UNIT } else { UNIT }
}

/// A row and others of a list added to it.
#[inline(always)]
fn summed<const HIDDEN: usize>(
    mut sums: Values<HIDDEN>,
    rows: &[Values<HIDDEN>],
    inputs: &[u16],
) -> Values<HIDDEN> {
    for input in inputs {
        add_scaled(&mut sums, 1.0, &rows[usize::from(*input)]);
    }
    sums
}

#[inline(always)]
fn add_scaled<const HIDDEN: usize>(sums: &mut Values<HIDDEN>, factor: f32, row: &Values<HIDDEN>) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
}

#[inline(always)]
fn dot<const HIDDEN: usize>(one: &Values<HIDDEN>, other: &Values<HIDDEN>) -> f32 {
    let mut lanes = [0.0; LANES];
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        for lane in 0..LANES {
            lanes[lane] += one[lane] * other[lane];
        }
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::adam::AdamSettings;
    use crate::training::descent::{Descent, Schedule};
    use parlor::search::weight_file::unpack;

    const HIDDEN: usize = 16;
    const SHAPE: [usize; 2] = [6, 7];

    fn choice() -> Choice {
        Choice {
            inputs: vec![0, 3, 5],
            moves: vec![vec![0, 4], vec![1], vec![2, 4, 6], vec![3, 5]],
            played: 2,
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let weights = PolicyParameters::<HIDDEN>::random(SHAPE, 3);
        let choice = choice();
        let mut gradient = weights.clone();
        gradient.all.fill(0.0);
        weights.learn(&choice, Some(&mut gradient));
        let mut steep = 0;
        for at in 0..weights.all.len() {
            let beside = |step: f32| {
                let mut other = weights.clone();
                other.all[at] += step;
                f64::from(other.learn(&choice, None))
            };
            let slope = (beside(5e-3) - beside(-5e-3)) / 1e-2;
            assert!((slope - f64::from(gradient.all[at])).abs() < 2e-3, "{at}: {slope}");
            steep += u32::from(slope.abs() > 5e-3);
        }
        assert!(steep > 50, "{steep}");
    }

    /// With one hidden value of 1 the logit of a move is the sum of its weights: here 2, 1 and 0.
    #[test]
    fn the_loss_is_the_cross_entropy_of_the_move_played() {
        let mut weights = PolicyParameters::<HIDDEN>::random([1, 3], 1);
        weights.all.fill(0.0);
        weights.all[0] = 5.0;
        (weights.all[HIDDEN], weights.all[2 * HIDDEN]) = (2.0, 1.0);
        let total = 1.0 + 1f32.exp() + 2f32.exp();
        for (played, logit) in [2.0, 1.0, 0.0].into_iter().enumerate() {
            let choice = Choice { inputs: vec![0], moves: vec![vec![0], vec![1], vec![2]], played };
            let loss = weights.learn(&choice, None);
            assert!((loss - (total.ln() - logit)).abs() < 1e-5, "{loss}");
        }
    }

    /// Which move is played follows from one input of the position.
    #[test]
    fn a_choice_by_an_input_is_learned_and_the_network_makes_it() {
        let sample = |input: u16| Choice {
            inputs: vec![input, 5],
            moves: vec![vec![0, 6], vec![1, 6]],
            played: usize::from(input),
        };
        let samples = [sample(0), sample(1)];
        let weights = PolicyParameters::<HIDDEN>::random(SHAPE, 7);
        let mut descent = Descent::new(weights, AdamSettings::default(), 1, 2);
        for epoch in 0..400 {
            let schedule = Schedule { epoch, epochs: 400, rate: |_| 0.02 };
            descent.epoch(&samples, &schedule, |weights, sample, _, gradient| {
                weights.learn(sample, Some(gradient))
            });
        }
        let network = descent.weights.network();
        let bytes = network.to_bytes("a test");
        let description = PolicyNetwork::<HIDDEN>::description("a test", SHAPE);
        let payload = unpack(&bytes, &description).expect("weights");
        let again = PolicyParameters::<HIDDEN>::from_payload(payload, SHAPE).expect("weights");
        assert_eq!(again.network(), network);
        assert!(PolicyParameters::<HIDDEN>::from_payload(&payload[2..], SHAPE).is_err());
        for choice in &samples {
            let loss = descent.weights.learn(choice, None);
            assert!(loss < 0.05, "{loss}");
            let hidden = network.hidden(&choice.inputs);
            let logits: Vec<f32> = choice
                .moves
                .iter()
                .map(|of_move| network.sum(&hidden, &of_move.iter().copied().collect()))
                .map(PolicyNetwork::<HIDDEN>::logit)
                .collect();
            assert_eq!(usize::from(logits[1] > logits[0]), choice.played, "{logits:?}");
        }
    }
}
