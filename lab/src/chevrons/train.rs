//! Fits the networks to self-play games of the engine.
//!
//! Every searched position is a sample. The target is a mean of the result of the game and of the
//! shares that the search expected; the loss is the cross-entropy of the target and the softmax of
//! the strengths. The rules have no preferred direction, so each position is turned and mirrored at
//! random. The learning rate falls from its first value to a hundredth of it.
//! [`crate::training::trainer`] does the rest: equal games give equal weights.

use anyhow::ensure;
use arrayvec::ArrayVec;
use clap::{Args, ValueEnum, value_parser};
use parlor::game::{Outcome, Seat};
use parlor::games::chevrons::SEATS;
use parlor::games::chevrons::inputs::{Facts, OwnedFact, STRIDE, add_board, blocks_of, symmetries};
use parlor::games::chevrons::network::{HIDDEN, Judged, Network};
use parlor::games::chevrons::strengths::LOST;
use parlor::search::seat_network::{SeatNetwork, input_of};
use parlor::search::value::SCALE;

use super::record::{Format, Game, Shares};
use super::{Trained, Work};
use crate::training::course::{Beginning, Course};
use crate::training::parameters::Parameters;
use crate::training::samples::Samples;
use crate::training::seats::{SeatView, learn};
use crate::training::trainer::Task;

/// Every 25th game is held out for validation.
pub const HOLD_OUT: usize = 25;

/// For how many players a network is.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Players {
    /// Two
    #[value(name = "2")]
    Two,
    /// Three and four
    #[value(name = "34")]
    More,
}

// No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct Train {
    #[command(flatten)]
    course: Course,
    #[command(flatten)]
    beginning: Beginning,
    /// Which network: of two players, or of three and four
    #[arg(long, value_name = "WHICH", default_value = "2")]
    seats: Players,
    /// Take one of so many positions of a game
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u64).range(1..))]
    every: u64,
    /// Percentage of the result in the target
    #[arg(long, value_name = "N", default_value = "30", value_parser = value_parser!(u64).range(0..=100))]
    result: u64,
}

impl Work for Train {
    fn run<P: Trained>(self) -> anyhow::Result<()> {
        match self.seats {
            Players::Two => self.train::<P, 2>(),
            Players::More => self.train::<P, 4>(),
        }
    }
}

impl Train {
    /// Trains the network with `VIEWS` views.
    fn train<P: Trained, const VIEWS: usize>(&self) -> anyhow::Result<()> {
        let selection = Selection { every: self.every, result: self.result as f64 / 100.0 };
        let games = self.course.games.read::<Format<P>>()?;
        let is_other = |game: &&Game<P>| (game.start.seats() == 2) != (VIEWS == 2);
        let of_others = games.iter().filter(is_other).count();
        ensure!(of_others == 0, "{of_others} games have another number of players; see --seats");
        let samples = samples_of(&games, &selection);
        let task = FirstPlace { symmetries: symmetries(P::Seen::BY_FIELD) };
        let shape = Network::<P::Seen, VIEWS>::SHAPE;
        let description = SeatNetwork::<HIDDEN>::description(P::Seen::GAME, shape);
        let begun = self.beginning.begun(
            &description,
            |payload| Parameters::from_payload(payload, shape),
            |seed| Parameters::random(shape, seed, 0.1),
        )?;
        self.course.run(&task, &samples, begun, "loss", |weights: &Parameters<HIDDEN, 1>| {
            let network = SeatNetwork::from(weights.rounded().network());
            Network::<P::Seen, VIEWS>::from(network).to_bytes()
        })
    }
}

/// Which positions are taken, and what they are said to be worth.
struct Selection {
    every: u64,
    /// The share of the result in the target; the rest is what the search expected.
    result: f64,
}

/// A position: its facts, and the seats that can still win with what they should get.
struct Sample {
    facts: Box<[OwnedFact]>,
    seats: u8,
    views: ArrayVec<View, SEATS>,
}

/// What is the same for the view of a seat however the board is turned.
struct View {
    seat: u8,
    bucket: u8,
    /// The strength by the game's own terms.
    base: f32,
    share: f32,
}

/// The searched positions of recorded games.
fn samples_of<P: Trained>(games: &[Game<P>], selection: &Selection) -> Samples<Sample> {
    let mut number = 0;
    Samples::of_games(games, HOLD_OUT, |game, list| {
        game.for_each_position(|position, _, expected| {
            // Decided positions teach nothing.
            let open = expected.filter(|shares| shares.iter().all(|share| *share < 0.999));
            let Some(expected) = open else { return };
            number += 1;
            if number % selection.every == 0 {
                let target = target(&game.outcome, expected, selection.result, position.seats());
                list.push(sample(&position.seen(), &target));
            }
        });
    })
}

/// The mean of result and expected shares.
fn target(outcome: &Outcome, expected: &Shares, result: f64, seats: usize) -> Shares {
    let mut target = *expected;
    for seat in Seat::all(seats) {
        let share = &mut target[seat.index()];
        *share = result * outcome.share(seat) + (1.0 - result) * *share;
    }
    target
}

fn sample<S: Judged>(position: &S, target: &Shares) -> Sample {
    let mut facts = Facts::new();
    add_board(position.board(), &mut facts);
    let terms = position.see(&mut facts);
    let left = (0..position.seats()).filter(|seat| terms[*seat] > LOST);
    let left: ArrayVec<usize, SEATS> = left.collect();
    let total: f64 = left.iter().map(|seat| target[*seat]).sum();
    let views = left.iter().map(|seat| {
        let share = if total > 0.0 { target[*seat] / total } else { 1.0 / left.len() as f64 };
        View {
            seat: *seat as u8,
            bucket: position.bucket(*seat) as u8,
            base: (f64::from(terms[*seat]) / SCALE) as f32,
            share: share as f32,
        }
    });
    Sample {
        facts: facts.iter().copied().collect(),
        seats: position.seats() as u8,
        views: views.collect(),
    }
}

/// Shares of the first place, from positions turned and mirrored at random.
struct FirstPlace {
    symmetries: [[u16; STRIDE]; 8],
}

impl FirstPlace {
    /// The seats that can still win, of a position turned and mirrored as `random` says.
    fn views(&self, sample: &Sample, random: u64) -> ArrayVec<SeatView, SEATS> {
        let symmetry = &self.symmetries[(random >> 61) as usize];
        let view = |known: &View| {
            let blocks = blocks_of(known.seat as usize, sample.seats as usize);
            let input = |owned: &OwnedFact| {
                let (owner, fact) = (owned / STRIDE as u16, owned % STRIDE as u16);
                let image = owner * STRIDE as u16 + symmetry[fact as usize];
                input_of(&blocks, STRIDE, image) as u16
            };
            let inputs = sample.facts.iter().map(input).collect();
            let View { base, share, .. } = *known;
            SeatView { inputs, bucket: known.bucket as usize, base, share }
        };
        sample.views.iter().map(view).collect()
    }
}

impl Task<Parameters<HIDDEN, 1>> for FirstPlace {
    type Sample = Sample;

    fn learn(
        &self,
        weights: &Parameters<HIDDEN, 1>,
        sample: &Sample,
        random: u64,
        gradient: Option<&mut Parameters<HIDDEN, 1>>,
    ) -> f32 {
        learn(weights, &self.views(sample, random), gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::games::pacru::{Position, SelectivePosition};

    #[test]
    fn a_target_is_a_mean_of_the_result_and_of_what_was_expected() {
        let mut expected = Shares::default();
        expected[..3].copy_from_slice(&[0.2, 0.5, 0.3]);
        let outcome = Outcome::win(3, Seat::new(0));
        for (result, wanted) in
            [(0.0, [0.2, 0.5, 0.3]), (0.25, [0.4, 0.375, 0.225]), (1.0, [1.0, 0.0, 0.0])]
        {
            let found = target(&outcome, &expected, result, 3);
            for (share, wanted) in found.iter().zip(wanted) {
                assert!((share - wanted).abs() < 1e-12, "{result}: {found:?}");
            }
        }
    }

    /// Of three players one has no chevrons left: what was expected of it goes to the others.
    #[test]
    fn the_shares_of_the_players_left_add_up_to_one() {
        let position: Position =
            "8[3SW]/9/9/9/3cc4/9/bbb6/8[1N]/9 3 3".parse().expect("a position");
        for (shares, wanted) in [([0.3, 0.6, 0.1], [0.75, 0.25]), ([0.0, 1.0, 0.0], [0.5, 0.5])] {
            let mut target = Shares::default();
            target[..3].copy_from_slice(&shares);
            let sample = sample(&SelectivePosition::new(position.clone()), &target);
            let seats: Vec<u8> = sample.views.iter().map(|view| view.seat).collect();
            assert_eq!(seats, [0, 2]);
            for (view, wanted) in sample.views.iter().zip(wanted) {
                assert!((view.share - wanted).abs() < 1e-6, "{shares:?}: {}", view.share);
            }
        }
    }
}
