//! Learning the evaluation from self-play by temporal differences.
//!
//! Every turn is played greedily by the network as it is. After a game each position's chances are
//! moved towards a mixture of the chances found later in the game and its outcome (the forward view
//! of TD(lambda), Sutton, *Learning to predict by the methods of temporal differences*, 1988). The
//! numbers come from one generator and are added in one order, so that a command gives the same
//! weights on every machine.

use std::ops::ControlFlow;

use super::moves::Move;
use super::network::{AllFacts, Network, Table, all_facts, softmax};
use super::position::Position;
use super::rule_options::Variant;
use crate::game::{Game, Random, Turn};

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Games played.
    pub games: u64,
    /// Seed of weights and throws.
    pub seed: u64,
    /// How far the first steps go, and the last.
    pub rates: [f32; 2],
    /// How much of a target comes from later in the game than the next turn.
    pub lambda: f32,
}

/// One position about to be thrown on, as it was met.
struct Met {
    facts: AllFacts,
    shares: [f32; 4],
}

/// Learns from nothing; `progress` hears after every thousand games how many were played and the
/// mean loss.
pub(super) fn train<const H: usize>(
    table: Table,
    plan: Plan,
    mut progress: impl FnMut(u64, f64),
) -> Network<H> {
    let mut network = Network::new(table, plan.seed);
    let mut random = Random::new(plan.seed ^ 0x7EA1);
    let (mut loss, mut positions) = (0.0, 0u64);
    for game in 0..plan.games {
        let share = game as f32 / plan.games as f32;
        // The last tenth of the games keeps the last rate.
        let rate = plan.rates[0] + (plan.rates[1] - plan.rates[0]) * (share / 0.9).min(1.0);
        let (met, outcome) = play_game(&network, start(table, &mut random), &mut random);
        positions += met.len() as u64;
        loss += learn(&mut network, &met, outcome, rate, plan.lambda);
        if (game + 1) % 1000 == 0 || game + 1 == plan.games {
            progress(game + 1, loss / positions.max(1) as f64);
            (loss, positions) = (0.0, 0);
        }
    }
    network
}

/// A start with four pawns three times in four, else with fewer.
fn start(table: Table, random: &mut Random) -> Position {
    let pawns = if random.below(4) == 0 { 1 + random.below(3) as u8 } else { 4 };
    let seats = match table {
        Table::Two => 2,
        Table::More => 3 + usize::from(random.below(3) > 0),
    };
    Position::starting(Variant { pawns, ..Variant::default() }, seats)
}

/// Plays a game; every position about to be thrown on at the start of a turn, and the outcome.
fn play_game<const H: usize>(
    network: &Network<H>,
    mut position: Position,
    random: &mut Random,
) -> (Vec<Met>, [f32; 4]) {
    let mut met = Vec::new();
    for _ in 0..4000 {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance { .. } => {
                if position.throws().is_empty() {
                    let facts = all_facts(&position, network.table);
                    let shares = shares_of(network, &facts);
                    met.push(Met { facts, shares });
                }
                let value = position.random_throw(random.next());
                position.play(&Move::Throw(value));
            }
            Turn::Seat(seat) => position = best_play(network, &position, seat.index()),
        }
    }
    let mut outcome = [1.0 / position.seats() as f32; 4];
    if let Some(result) = position.outcome() {
        for (seat, share) in outcome.iter_mut().enumerate().take(position.seats()) {
            *share = result.share(crate::game::Seat::new(seat)) as f32;
        }
    }
    (met, outcome)
}

/// The position after the play that leaves a seat the best chance.
fn best_play<const H: usize>(network: &Network<H>, position: &Position, seat: usize) -> Position {
    let mut best: Option<(f32, Position)> = None;
    let mut plays = 0;
    let _ = position.for_each_move::<()>(|m| {
        let mut next = position.clone();
        next.play(&m);
        plays += 1;
        let share = match next.outcome() {
            Some(outcome) => outcome.share(crate::game::Seat::new(seat)) as f32,
            None => network.shares(&next)[seat],
        };
        if best.as_ref().is_none_or(|(known, _)| share > *known) {
            best = Some((share, next));
        }
        ControlFlow::Continue(())
    });
    best.map_or_else(|| position.clone(), |(_, next)| next)
}

fn shares_of<const H: usize>(network: &Network<H>, facts: &AllFacts) -> [f32; 4] {
    let mut strengths = [f32::NEG_INFINITY; 4];
    for (strength, facts) in strengths.iter_mut().zip(facts) {
        *strength = network.strength(&network.sums(facts));
    }
    softmax(strengths)
}

/// Moves the weights after a game; the sum of squared differences between chances and targets.
fn learn<const H: usize>(
    network: &mut Network<H>,
    met: &[Met],
    outcome: [f32; 4],
    rate: f32,
    lambda: f32,
) -> f64 {
    let mut target = outcome;
    let mut loss = 0.0;
    for met in met.iter().rev() {
        let shares = shares_of(network, &met.facts);
        for (seat, facts) in met.facts.iter().enumerate() {
            let difference = target[seat] - shares[seat];
            loss += f64::from(difference * difference);
            adjust(network, facts, rate * difference);
        }
        for (target, share) in target.iter_mut().zip(met.shares) {
            *target = lambda * *target + (1.0 - lambda) * share;
        }
    }
    loss
}

/// Makes a seat's strength greater, in proportion to `step`.
fn adjust<const H: usize>(network: &mut Network<H>, facts: &super::network::Facts, step: f32) {
    let sums = network.sums(facts);
    let mut change = [0.0; H];
    for ((change, sum), weight) in change.iter_mut().zip(&sums).zip(&mut network.head) {
        let scale = 1.0 + sum.abs();
        *change = step * *weight / (scale * scale);
        *weight += step * sum / scale;
    }
    // The first sum goes straight through, with a fixed weight.
    change[0] = step;
    network.head[0] = 1.0;
    for fact in facts {
        for (x, change) in network.rows[*fact as usize].iter_mut().zip(&change) {
            *x += change;
        }
    }
}
