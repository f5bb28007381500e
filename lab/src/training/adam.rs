//! The optimizer Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015).

use std::ops::{Add, Div, Mul, Sub};

/// `f32` and `f64`. Roots and powers are those of `libm`: equal on every machine.
pub trait Float:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Send
    + Sync
{
    /// The nearest value.
    fn from_f64(value: f64) -> Self;

    /// The square root.
    fn sqrt(self) -> Self;

    /// A power.
    fn power(self, exponent: Self) -> Self;
}

impl Float for f32 {
    fn from_f64(value: f64) -> Self {
        value as f32
    }

    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }

    fn power(self, exponent: Self) -> Self {
        libm::powf(self, exponent)
    }
}

impl Float for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }

    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    fn power(self, exponent: Self) -> Self {
        libm::pow(self, exponent)
    }
}

/// What is added to the gradient of a weight.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Regularisation {
    /// Nothing.
    None,
    /// This much times the weight, which pulls it to 0.
    WeightDecay(f64),
    /// This much times the distance from the first weight, which pulls it back there: a weight that
    /// hardly occurs in the samples stays where it was.
    L2ToInitial(f64),
}

/// The constants of [`Adam`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AdamSettings {
    /// How much of the means of the gradient and of its square is kept at a step.
    pub betas: [f64; 2],
    /// Added to the root of the mean square, so that nothing is divided by 0.
    pub epsilon: f64,
    /// Whether it is added to the bias-corrected root, as in the paper's Algorithm 1, or to the root
    /// itself, as in the more efficient order of the paper's section 2.
    pub bias_corrected_epsilon: bool,
    /// What is added to the gradient.
    pub regularisation: Regularisation,
}

impl Default for AdamSettings {
    /// The constants of the paper.
    fn default() -> Self {
        let regularisation = Regularisation::None;
        AdamSettings {
            betas: [0.9, 0.999],
            epsilon: 1e-8,
            bias_corrected_epsilon: false,
            regularisation,
        }
    }
}

/// The state of the optimizer for a fixed number of weights.
#[derive(Clone, Debug)]
pub struct Adam<F> {
    settings: AdamSettings,
    /// The first weights, where a penalty pulls to them.
    first: Vec<F>,
    mean: Vec<F>,
    square: Vec<F>,
    steps: u32,
}

impl<F: Float> Adam<F> {
    /// For weights that begin as these.
    pub fn new(weights: &[F], settings: AdamSettings) -> Self {
        let first = match settings.regularisation {
            Regularisation::L2ToInitial(_) => weights.to_vec(),
            _ => Vec::new(),
        };
        let zeros = vec![F::from_f64(0.0); weights.len()];
        Adam { settings, first, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// One step against the gradient, `rate` long where the gradient never changes.
    ///
    /// # Panics
    /// If there are not as many weights and slopes as at first.
    pub fn step(&mut self, weights: &mut [F], gradient: &[F], rate: F) {
        assert!(weights.len() == self.mean.len() && gradient.len() == self.mean.len());
        self.steps += 1;
        let one = F::from_f64(1.0);
        let [keep_mean, keep_square] = self.settings.betas.map(F::from_f64);
        let [add_mean, add_square] = self.settings.betas.map(|beta| F::from_f64(1.0 - beta));
        // The means begin at 0, and the rate makes up for it.
        let steps = F::from_f64(f64::from(self.steps));
        let root_correction = (one - keep_square.power(steps)).sqrt();
        let rate = rate * root_correction / (one - keep_mean.power(steps));
        let mut epsilon = F::from_f64(self.settings.epsilon);
        if self.settings.bias_corrected_epsilon {
            epsilon = epsilon * root_correction;
        }
        for at in 0..weights.len() {
            let slope = self.regularised(gradient[at], weights[at], at);
            let mean = keep_mean * self.mean[at] + add_mean * slope;
            let square = keep_square * self.square[at] + add_square * slope * slope;
            (self.mean[at], self.square[at]) = (mean, square);
            weights[at] = weights[at] - rate * mean / (square.sqrt() + epsilon);
        }
    }

    #[inline]
    fn regularised(&self, slope: F, weight: F, at: usize) -> F {
        match self.settings.regularisation {
            Regularisation::None => slope,
            Regularisation::WeightDecay(strength) => slope + F::from_f64(strength) * weight,
            Regularisation::L2ToInitial(strength) => {
                slope + F::from_f64(strength) * (weight - self.first[at])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(regularisation: Regularisation) -> AdamSettings {
        AdamSettings { epsilon: 1e-12, regularisation, ..AdamSettings::default() }
    }

    /// Where the gradient is constant, every step is as long as the rate: the paper's bound.
    #[test]
    fn steps_along_a_constant_gradient_are_as_long_as_the_rate() {
        let mut weights = [5.0, -3.0];
        let mut adam = Adam::new(&weights, settings(Regularisation::None));
        for step in 1..=20 {
            adam.step(&mut weights, &[0.25, -1_000.0], 0.1);
            let way = 0.1 * f64::from(step);
            assert!((weights[0] - (5.0 - way)).abs() < 1e-9, "{weights:?}");
            assert!((weights[1] - (-3.0 + way)).abs() < 1e-9, "{weights:?}");
        }
    }

    /// The first step is `rate * slope / (|slope| + epsilon)` by Algorithm 1 of the paper; without
    /// the correction epsilon counts `1 / sqrt(1 - 0.999)` times as much.
    #[test]
    fn epsilon_is_added_where_the_settings_say() {
        let step = |bias_corrected_epsilon| {
            let settings =
                AdamSettings { epsilon: 0.5, bias_corrected_epsilon, ..Default::default() };
            let mut weights = [0.0f64];
            Adam::new(&weights, settings).step(&mut weights, &[0.5], 1.0);
            weights[0]
        };
        assert!((step(true) + 0.5).abs() < 1e-12, "{}", step(true));
        let uncorrected = -0.5 / (0.5 + 0.5 / 0.001f64.sqrt());
        assert!((step(false) - uncorrected).abs() < 1e-9, "{}", step(false));
    }

    /// The minimum of `(w - 10)^2 + strength / 2 * (w - rest)^2`, in closed form.
    #[test]
    fn decay_pulls_to_zero_and_a_spring_to_the_first_weight() {
        for (regularisation, expected) in [
            (Regularisation::None, 10.0),
            (Regularisation::WeightDecay(2.0), 5.0),
            (Regularisation::L2ToInitial(2.0), 7.0),
        ] {
            let mut weights = [4.0];
            let mut adam = Adam::new(&weights, settings(regularisation));
            for step in 0..20_000 {
                let gradient = [2.0 * (weights[0] - 10.0)];
                adam.step(&mut weights, &gradient, 0.1 / (1.0 + f64::from(step) / 100.0));
            }
            assert!((weights[0] - expected).abs() < 1e-3, "{regularisation:?} {weights:?}");
        }
    }

    #[test]
    fn both_floats_find_the_same_minimum() {
        let mut single = [0.0f32];
        let mut double = [0.0f64];
        let mut singles = Adam::new(&single, AdamSettings::default());
        let mut doubles = Adam::new(&double, AdamSettings::default());
        for _ in 0..2_000 {
            let gradient = [single[0] - 1.5];
            singles.step(&mut single, &gradient, 0.01);
            let gradient = [double[0] - 1.5];
            doubles.step(&mut double, &gradient, 0.01);
        }
        assert!((single[0] - 1.5).abs() < 1e-3 && (double[0] - 1.5).abs() < 1e-3);
    }

    /// The recurrence of the paper's Algorithm 1, for one weight: the means, their correction by the
    /// number of the step, and the step. `inner` is what is added to the corrected root.
    fn textbook(
        weight: f64,
        slopes: &[f64],
        rates: &[f64],
        [beta1, beta2]: [f64; 2],
        inner: impl Fn(f64) -> f64,
    ) -> f64 {
        let (mut at, mut m, mut v) = (weight, 0.0, 0.0);
        for (t, (slope, rate)) in (1..).zip(slopes.iter().zip(rates)) {
            m = beta1 * m + (1.0 - beta1) * slope;
            v = beta2 * v + (1.0 - beta2) * slope * slope;
            let root = 1.0 - beta2.powi(t);
            at -= rate * (m / (1.0 - beta1.powi(t))) / ((v / root).sqrt() + inner(root));
        }
        at
    }

    /// Slopes and rates that change at every step, an epsilon that counts, and no usual betas.
    #[test]
    fn every_step_is_that_of_the_textbook() {
        let slopes = [[0.5, -2.0], [-1.5, -0.25], [3.0, 0.0], [0.125, 4.0], [-0.75, 1.0]];
        let rates = [0.1, 0.05, 0.2, 0.025, 0.3];
        let (betas, epsilon) = ([0.8, 0.95], 0.125);
        for bias_corrected_epsilon in [true, false] {
            let settings = AdamSettings {
                betas,
                epsilon,
                bias_corrected_epsilon,
                regularisation: Regularisation::None,
            };
            let mut weights = [1.5, -0.5];
            let mut adam = Adam::new(&weights, settings);
            for (gradient, rate) in slopes.iter().zip(rates) {
                adam.step(&mut weights, gradient, rate);
            }
            for (at, first) in [1.5, -0.5].into_iter().enumerate() {
                // Section 2 of the paper: epsilon beside the root that is not corrected.
                let inner = |root: f64| {
                    if bias_corrected_epsilon { epsilon } else { epsilon / root.sqrt() }
                };
                let expected = textbook(first, &slopes.map(|row| row[at]), &rates, betas, inner);
                assert!((weights[at] - expected).abs() < 1e-12, "{weights:?} {expected}");
            }
        }
        assert_eq!(AdamSettings::default().betas, [0.9, 0.999], "the constants of the paper");
        assert_eq!(AdamSettings::default().epsilon, 1e-8);
    }

    /// The first step with `betas` 0 is `rate * slope / (|slope| + epsilon)`, and nearly
    /// `rate / epsilon * slope` where epsilon is great: what is added to the slope can be read off.
    #[test]
    fn regularisation_is_added_to_the_slope_as_it_is_described() {
        for (regularisation, added) in [
            (Regularisation::None, 0.0),
            (Regularisation::WeightDecay(0.5), 0.5 * 6.0),
            (Regularisation::L2ToInitial(0.5), 0.5 * (6.0 - 4.0)),
        ] {
            let settings = AdamSettings {
                betas: [0.0; 2],
                epsilon: 1e9,
                bias_corrected_epsilon: true,
                regularisation,
            };
            let mut adam = Adam::new(&[4.0], settings);
            let mut weights = [6.0f64];
            adam.step(&mut weights, &[-1.25], 1e9);
            let expected = 6.0 - (-1.25 + added);
            assert!((weights[0] - expected).abs() < 1e-6, "{regularisation:?} {weights:?}");
        }
    }
}
