//! `pacru tune`: fits the weights of the evaluation to games the engine plays against itself.
//!
//! In each round the present weights play games, every seat choosing among the promising moves by
//! the softmax of their values one ply on. Then the weights are fitted: the result of a game is
//! taken as drawn from the softmax of the strengths, and the likelihood is climbed by Adam. Nothing
//! depends on the machine: one thread, one generator of random numbers, `libm`.

use clap::{Arg, ArgMatches, Command, value_parser};

use super::evaluate::{Evaluation, SCALE, logit};
use super::features::{self, FEATURES};
use super::focus::Focus;
use super::position::{Position, SEATS};
use super::survey::Survey;
use super::weights::weights;
use crate::game::{Game, OptionValues, Random, Rules, Seat};
use crate::games::Word;

/// Games longer than this are left out.
const LONGEST: usize = 300;

/// One sample in so many positions.
const SPARSE: u64 = 4;

/// Samples in one step of the fit.
const BATCH: usize = 2_048;

/// Passes over all samples.
const PASSES: usize = 12;

/// The word for the command line.
pub(super) fn word() -> Word {
    let number = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name).long(name).default_value(default).value_parser(value_parser!(u64)).help(help)
    };
    let command = Command::new("tune")
        .about("Fit the weights of the evaluation to self-play, and print them")
        .after_help("Example: pacru tune --players 2 --games 20000 --rounds 3")
        .arg(number("players", "2", "Number of players, 2 to 4"))
        .arg(number("games", "20000", "Games of each round"))
        .arg(number("rounds", "3", "Rounds of playing and fitting"))
        .arg(number("seed", "1", "Seed of everything random"))
        .arg(number("temperature", "40", "Hundredths by which a worse move is e times rarer"));
    Word { command, run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let players = number("players");
    let mut rules = Position::default_rules();
    rules.set("Players", &players.to_string())?;
    let mut random = Random::new(number("seed"));
    let mut fitted = *weights(players as usize);
    for round in 1..=number("rounds") {
        let evaluation = Evaluation::with(players as usize, fitted);
        let games = Games { rules: &rules, evaluation, temperature: number("temperature") as f64 };
        let samples = games.play(number("games"), &mut random)?;
        let (weights, loss) = fit(&samples, &fitted, &mut random);
        eprintln!("round {round}: {} samples, loss {loss:.4}", samples.len());
        fitted = weights;
    }
    print(&fitted);
    Ok(())
}

fn print(weights: &[i16; FEATURES]) {
    for (feature, weight) in weights.iter().enumerate() {
        println!("    {weight}, // {}", features::name(feature));
    }
}

/// A position as the fit sees it: the features of every seat, and what the game gave them.
struct Sample {
    features: [[i8; FEATURES]; SEATS],
    shares: [f32; SEATS],
    alive: [bool; SEATS],
}

/// How games are played.
struct Games<'a> {
    rules: &'a OptionValues,
    evaluation: Evaluation,
    temperature: f64,
}

impl Games<'_> {
    fn play(&self, games: u64, random: &mut Random) -> anyhow::Result<Vec<Sample>> {
        let mut samples = Vec::new();
        for _ in 0..games {
            self.play_one(random, &mut samples)?;
        }
        Ok(samples)
    }

    fn play_one(&self, random: &mut Random, samples: &mut Vec<Sample>) -> anyhow::Result<()> {
        let mut position = Focus::new(Position::start(self.rules, None)?);
        let begin = samples.len();
        let opening = random.below(12) as usize;
        for ply in 0..LONGEST {
            let m = if ply < opening {
                position.random_move(random)
            } else {
                if random.below(SPARSE) == 0 {
                    samples.push(sample(&position));
                }
                self.choose(&position, random)
            };
            match m {
                Some(m) => position.play(&m),
                None => break,
            }
        }
        let Some(outcome) = position.outcome() else {
            samples.truncate(begin);
            return Ok(());
        };
        for sample in &mut samples[begin..] {
            for seat in Seat::all(position.seats()) {
                sample.shares[seat.index()] = outcome.share(seat) as f32;
            }
        }
        Ok(())
    }

    /// A promising move, the likelier the better it looks one ply on.
    fn choose(&self, position: &Focus, random: &mut Random) -> Option<super::moves::Move> {
        let seat = position.turn().seat()?;
        let moves = position.moves();
        let values: Vec<f64> = moves
            .iter()
            .map(|m| {
                let mut next = position.clone();
                next.play(m);
                match next.outcome() {
                    Some(outcome) => 4_000.0 * (2.0 * outcome.share(seat) - 1.0),
                    None => logit(&self.evaluation.strengths(&next), seat.index()) as f64,
                }
            })
            .collect();
        let best = values.iter().copied().fold(f64::MIN, f64::max);
        let chances: Vec<f64> =
            values.iter().map(|value| libm::exp((value - best) / self.temperature)).collect();
        let mut left = random.unit() * chances.iter().sum::<f64>();
        for (m, chance) in moves.iter().zip(&chances) {
            left -= chance;
            if left < 0.0 {
                return Some(*m);
            }
        }
        moves.last().copied()
    }
}

fn sample(position: &Position) -> Sample {
    let mut sample =
        Sample { features: [[0; FEATURES]; SEATS], shares: [0.0; SEATS], alive: [false; SEATS] };
    let survey = Survey::new(position);
    for seat in 0..position.seats() {
        sample.alive[seat] = !position.fields_of(seat).is_empty();
        let row = &mut sample.features[seat];
        features::visit(position, &survey, seat, |feature, count| row[feature] += count as i8);
    }
    sample
}

/// Climbs the likelihood from the given weights; the mean loss of the last pass comes with them.
fn fit(samples: &[Sample], from: &[i16; FEATURES], random: &mut Random) -> ([i16; FEATURES], f64) {
    let mut weights = from.map(|weight| weight as f64 / SCALE);
    let (mut mean, mut square) = ([0.0; FEATURES], [0.0; FEATURES]);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let (mut step, mut loss) = (0, 0.0);
    for pass in 0..PASSES {
        random.shuffle(&mut order);
        let rate = 0.02 * (1.0 - pass as f64 / PASSES as f64);
        loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut gradient = [0.0; FEATURES];
            for &index in batch {
                loss += descend(&samples[index as usize], &weights, &mut gradient);
            }
            step += 1;
            let (early_mean, early_square) =
                (1.0 - libm::pow(0.9, step as f64), 1.0 - libm::pow(0.999, step as f64));
            for feature in 0..FEATURES {
                // A little decay keeps features that never occur at nothing.
                let slope = gradient[feature] / batch.len() as f64 + 1e-5 * weights[feature];
                mean[feature] = 0.9 * mean[feature] + 0.1 * slope;
                square[feature] = 0.999 * square[feature] + 0.001 * slope * slope;
                let spread = libm::sqrt(square[feature] / early_square) + 1e-8;
                weights[feature] -= rate * mean[feature] / early_mean / spread;
            }
        }
    }
    let rounded = weights.map(|weight| libm::round(weight * SCALE).clamp(-3e3, 3e3) as i16);
    (rounded, loss / samples.len().max(1) as f64)
}

/// Adds the slope of one sample; returns its loss.
fn descend(sample: &Sample, weights: &[f64; FEATURES], gradient: &mut [f64; FEATURES]) -> f64 {
    let mut chances = [0.0; SEATS];
    for seat in (0..SEATS).filter(|seat| sample.alive[*seat]) {
        let row = sample.features[seat].iter().zip(weights);
        chances[seat] = libm::exp(row.map(|(count, weight)| *count as f64 * weight).sum::<f64>());
    }
    let total: f64 = chances.iter().sum();
    let mut loss = 0.0;
    for seat in (0..SEATS).filter(|seat| sample.alive[*seat]) {
        let (chance, share) = (chances[seat] / total, sample.shares[seat] as f64);
        loss -= share * libm::log(chance.max(1e-12));
        let slope = chance - share;
        for (sum, count) in gradient.iter_mut().zip(sample.features[seat]) {
            *sum += slope * count as f64;
        }
    }
    loss
}
