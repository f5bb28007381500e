//! Fits the policy network to self-play games of the engine with three and four players.
//!
//! Every searched position is a sample; the move played is to be the likeliest. The rules have no
//! preferred direction, so each position is turned and mirrored at random.

use anyhow::ensure;
use clap::Args;
use parlor::game::Game as _;
use parlor::games::chevrons::inputs::{Facts, STRIDE, symmetries};
use parlor::games::chevrons::network::Judged;
use parlor::games::pacru::play::policy::{
    HIDDEN, MOVES, POSITION, Policy as PolicyNetwork, Seen, move_symmetries,
};
use parlor::games::pacru::{Move, Position, SelectivePosition};

use crate::chevrons::record::{Format, Game};
use crate::chevrons::train::HOLD_OUT;
use crate::training::course::{Beginning, Course};
use crate::training::policy::{Choice, PolicyParameters};
use crate::training::samples::Samples;
use crate::training::trainer::Task;

/// Fit the policy network to self-play games and write a weight file
///
/// Fits the policy network, which says how likely each move is to be the best, to games with three and
/// four players recorded by `chevrons record`. Equal games give equal weights, whatever the number of
/// threads.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab chevrons record --game pacru --players 4 --games 9000 --nodes 600 --out games-4
  parlor-lab pacru policy games-3 games-4 --out data/pacru-policy.network")]
#[command(mut_arg("epochs", |arg| arg.default_value("4")))]
#[command(mut_arg("batch", |arg| arg.default_value("1024")))]
pub struct Policy {
    #[command(flatten)]
    course: Course,
    #[command(flatten)]
    beginning: Beginning,
}

/// A position with its moves, as inputs that are not turned yet. Those of all moves are one list.
struct Sample {
    inputs: Box<[u16]>,
    moves: Box<[u16]>,
    /// Where the inputs of each move end.
    ends: Box<[u16]>,
    played: u16,
}

impl Policy {
    /// Fits the network and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let games = self.course.games.read::<Format<Position>>()?;
        let two = games.iter().filter(|game| game.start.seats() == 2).count();
        ensure!(two == 0, "{two} games have two players: the policy is for three and four");
        let shape = [POSITION, MOVES];
        let description = PolicyNetwork::description("pacru", shape);
        let begun = self.beginning.begun(
            &description,
            |payload| PolicyParameters::from_payload(payload, shape),
            |seed| PolicyParameters::random(shape, seed),
        )?;
        self.course.run(&Images::new(), &samples_of(&games), begun, "loss", |weights| {
            weights.network().to_bytes("pacru")
        })
    }
}

impl Task<PolicyParameters<HIDDEN>> for Images {
    type Sample = Sample;

    fn learn(
        &self,
        weights: &PolicyParameters<HIDDEN>,
        sample: &Sample,
        random: u64,
        gradient: Option<&mut PolicyParameters<HIDDEN>>,
    ) -> f32 {
        weights.learn(&self.of(sample, random), gradient)
    }
}

/// The searched positions of games.
fn samples_of(games: &[Game<Position>]) -> Samples<Sample> {
    Samples::of_games(games, HOLD_OUT, |game, list| {
        game.for_each_position(|position, index, expected| {
            if expected.is_some() {
                let position = SelectivePosition::new(position.clone());
                list.extend(sample(&position, &game.moves[index].0));
            }
        });
    })
}

/// A position in which a move was played; `None` where the search considers no other, or not this one.
fn sample(position: &SelectivePosition, played: &Move) -> Option<Sample> {
    let moves = position.moves();
    let played = moves.iter().position(|m| m == played).filter(|_| moves.len() > 1)?;
    let mut facts = Facts::new();
    let seen = Seen::new(position, &mut facts);
    let (mut inputs, mut ends) = (Vec::new(), Vec::new());
    for m in &moves {
        inputs.extend(seen.move_inputs(m));
        ends.push(inputs.len() as u16);
    }
    Some(Sample {
        inputs: seen.position_inputs(&facts).as_slice().into(),
        moves: inputs.into(),
        ends: ends.into(),
        played: played as u16,
    })
}

/// The images of inputs under the symmetries of the board.
struct Images {
    position: [[u16; STRIDE]; 8],
    moves: [[u16; MOVES]; 8],
}

impl Images {
    fn new() -> Self {
        Images { position: symmetries(SelectivePosition::BY_FIELD), moves: move_symmetries() }
    }

    /// A sample turned and mirrored as `random` says.
    fn of(&self, sample: &Sample, random: u64) -> Choice {
        let way = (random >> 61) as usize;
        let (position, moves) = (&self.position[way], &self.moves[way]);
        let input = |input: &u16| {
            let number = usize::from(*input);
            (number / STRIDE * STRIDE) as u16 + position[number % STRIDE]
        };
        let mut begin = 0;
        let of_moves = sample.ends.iter().map(|end| {
            let inputs = &sample.moves[begin..usize::from(*end)];
            begin = usize::from(*end);
            inputs.iter().map(|input| moves[usize::from(*input)]).collect()
        });
        Choice {
            moves: of_moves.collect(),
            inputs: sample.inputs.iter().map(input).collect(),
            played: usize::from(sample.played),
        }
    }
}
