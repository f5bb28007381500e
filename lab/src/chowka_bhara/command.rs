//! The command `train`.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum, value_parser};
use parlor::game::splitmix64;
use parlor::games::chowka_bhara::play::{NARROW, Network, Seating, WIDE};
use parlor::games::chowka_bhara::solved::SolvedTable;
use parlor::progress;

use super::lessons::Lessons;
use super::returns::Returns;
use super::teach::{error_of, teach, teach_all};
use super::train::{TrainingSettings, train};
use crate::arguments::OutFile;
use crate::printing::note_line;

/// For how many seats a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Seats {
    /// Two
    #[value(name = "2")]
    Two,
    /// Three and four
    #[value(name = "34")]
    More,
}

/// Learn the evaluation from self-play or solved tables; equal arguments give equal files
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab chowka-bhara train --seats 2 --out my.weights
  parlor-lab chowka-bhara train --seats 34 --games 600000 --out first.weights
  parlor-lab chowka-bhara train --seats 34 --from first.weights --rounds 3 --out my.weights
  parlor-lab chowka-bhara train --teacher three.table --teacher two.table --out my.weights")]
pub struct Train {
    /// Number of seats: 2, or 34 for three and four
    #[arg(long, value_name = "N", default_value = "2")]
    seats: Seats,
    /// Number of games [default: 400000; with --teacher 40000; with --from 20000 a round]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// With --teacher: passes over the positions of the games
    #[arg(long, value_name = "N", default_value = "12", requires = "teacher",
        value_parser = value_parser!(u64).range(1..))]
    epochs: u64,
    /// Seed of the first weights and of the throws
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    out: OutFile,
    /// Three and four seats: improve these weights. Every round plays --games games and learns what
    /// each seat wins in them, less luck
    #[arg(long, value_name = "FILE", conflicts_with = "teacher")]
    from: Option<PathBuf>,
    /// With --from: how often games are played and learned
    #[arg(long, value_name = "N", default_value = "1", requires = "from",
        value_parser = value_parser!(u64).range(1..))]
    rounds: u64,
    /// A table written by solve, whose values are learned wherever it knows a position of two seats;
    /// may be given more than once, the first that knows is asked
    #[arg(long, value_name = "FILE")]
    teacher: Vec<PathBuf>,
}

impl Train {
    /// Trains the network and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let more = self.seats == Seats::More;
        let two_alone = !more || self.teacher.is_empty();
        ensure!(two_alone, "tables know games of two seats: no --teacher with 34");
        let more_alone = more || self.from.is_none();
        ensure!(more_alone, "--from improves the network of three and four: --seats 34");
        self.out.write(|| {
            if let Some(from) = &self.from {
                let first = Network::read_file(Seating::More, from)
                    .with_context(|| from.display().to_string())?;
                let games = self.games.unwrap_or(20_000);
                Ok(learn_less_luck(first, self.rounds, games, self.seed).write())
            } else if self.teacher.is_empty() {
                Ok(learn_from_self_play(more, self.games.unwrap_or(400_000), self.seed))
            } else {
                let games = self.games.unwrap_or(40_000);
                learn_from_tables(&self.teacher, games, self.epochs, self.seed)
            }
        })
    }
}

fn learn_from_self_play(more: bool, games: u64, seed: u64) -> Vec<u8> {
    let bar = progress::bar(games, "games");
    let report = |games: u64, loss: f64| {
        bar.set_position(games);
        bar.set_message(format!("loss {loss:.4}"));
    };
    let settings = |rates| TrainingSettings { games, seed, rates, lambda: 0.7 };
    let bytes = match more {
        true => train::<NARROW>(Seating::More, &settings([0.01, 0.0002]), report).write(),
        false => train::<WIDE>(Seating::Two, &settings([0.02, 0.0005]), report).write(),
    };
    bar.finish();
    bytes
}

/// Games of a round that are only compared, one for so many that are learned.
const HELD_OUT: u64 = 25;

/// Passes over the lessons of a round.
const ROUND_EPOCHS: u64 = 4;

/// Improves the network of three and four seats by its own games less luck.
fn learn_less_luck(
    mut network: Network<NARROW>,
    rounds: u64,
    games: u64,
    seed: u64,
) -> Network<NARROW> {
    for round in 0..rounds {
        let seed = splitmix64(seed).wrapping_add(round);
        let bar = progress::bar(games + games.div_ceil(HELD_OUT), "games");
        let (lessons, held_out) = games_of_round(&network, games, seed, || bar.inc(1));
        bar.finish();
        let error = |network: &Network<NARROW>| 100.0 * error_of(network, &held_out);
        note_line!("{} positions, held out error {:.3} %", lessons.list.len(), error(&network));
        network = teach_all(&network, &lessons, ROUND_EPOCHS, seed, |epoch, error| {
            note_line!("epoch {epoch:>3} error {:.3} %", 100.0 * error);
        });
        note_line!("round {} held out error {:.3} %", round + 1, error(&network));
    }
    network
}

/// The games of a round that are learned, and others that are only compared.
fn games_of_round<const N: usize>(
    network: &Network<N>,
    games: u64,
    seed: u64,
    progress: impl Fn() + Sync,
) -> (Returns, Returns) {
    let lessons = Returns::of_games(network, games, seed, &progress);
    let held_out = Returns::of_games(network, games.div_ceil(HELD_OUT), !seed, &progress);
    (lessons, held_out)
}

fn learn_from_tables(
    tables: &[PathBuf],
    games: u64,
    epochs: u64,
    seed: u64,
) -> anyhow::Result<Vec<u8>> {
    let tables: Vec<SolvedTable> =
        tables.iter().map(|path| SolvedTable::read(path)).collect::<anyhow::Result<_>>()?;
    let bar = progress::bar(games, "games");
    let lessons = Lessons::of_games(&tables, games, seed, |done| bar.set_position(done));
    bar.finish();
    note_line!("{} positions", lessons.list.len());
    let bar = progress::bar(epochs, "epochs");
    let report = |done: u64, error: f64| {
        bar.suspend(|| note_line!("epoch {done:>3} error {:.3} %", 100.0 * error));
        bar.inc(1);
    };
    let network = teach::<WIDE>(&lessons, epochs, seed, report);
    bar.finish();
    Ok(network.write())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The features of every seat in each lesson.
    fn positions(returns: &Returns) -> Vec<Vec<Vec<u16>>> {
        let features = |lesson| returns.features(lesson).map(<[u16]>::to_vec).to_vec();
        returns.list.iter().map(features).collect()
    }

    #[test]
    fn the_games_that_are_held_out_are_not_among_those_that_are_learned() {
        let network = Network::<8>::new(Seating::More, 3);
        let (lessons, held_out) = games_of_round(&network, 2, 7, || ());
        let (lessons, held_out) = (positions(&lessons), positions(&held_out));
        // Two games are learned, one is held out.
        let (middle, run) = (held_out.len() / 2, 5);
        assert!(middle > run && lessons.len() > middle);
        assert!(lessons.windows(run).all(|other| other != &held_out[middle..middle + run]));
    }
}
