//! Self-play games of the engine, with the shares that the search expected.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use parlor::game::{Game as _, Outcome, Random, Rules, Seat, multiply_shift};
use parlor::games::pacru::play::{EnginePlayer, Judgement, Network, SelectivePosition};
use parlor::games::pacru::{Move, Position, SEATS};
use parlor::search::{Info, Limits, Score, Settings};

use crate::recording::chunks::{Recording, RecordingArguments};
use crate::recording::games::{RecordFormat, RecordedGame, Recorder};
use crate::recording::self_play::{Begun, SelfPlay};

/// The least number of random moves at the start of a game; the greatest is twice that.
const MIN_OPENING: u64 = 4;

/// After the opening, one of this many moves is random, so that the games contain weak moves too.
const RANDOM_MOVE_PERIOD: u64 = 24;

/// A share of the first place for every seat.
pub type Shares = [f64; SEATS];

/// Play games of the engine against itself and print them for training
///
/// Plays games of the engine against itself and prints one game a line: the number of players, then
/// every move. Every searched move is followed by the permille of the first place that the search
/// expected for each seat but the last. Equal arguments give equal games.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab pacru record --players 2 --games 2000 --nodes 600 > games.txt
  parlor-lab pacru record --players 4 --games 15000 --nodes 1500 --out games-4 --shard 1/8")]
pub struct Record {
    #[command(flatten)]
    recording: RecordingArguments,
    /// Number of players
    #[arg(long, value_name = "N", default_value = "2", value_parser = value_parser!(u64).range(2..=4))]
    players: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value = "2000")]
    nodes: u64,
    /// Evaluation to play with: network, terms, or a file written by `train`
    #[arg(long, value_name = "WHICH", default_value = "network")]
    evaluation: String,
}

impl Record {
    /// Plays the games and writes them.
    pub fn run(self) -> anyhow::Result<()> {
        let Record { recording, players, nodes, evaluation } = self;
        let start = start(&players.to_string())?;
        let judgement = judgement(&evaluation, start.seats())?;
        let settings = format!("--players {players} --nodes {nodes} --evaluation {evaluation}");
        let games = Games { start, judgement };
        games.record(&Recording::new(recording, &settings), &Limits::nodes(nodes))
    }
}

/// What the command line says to judge positions by.
fn judgement(which: &str, seats: usize) -> anyhow::Result<Judgement> {
    let path = Path::new(which);
    let mut judgement = Judgement::default();
    match (which, seats) {
        ("network", _) => {}
        ("terms", _) => judgement = Judgement::TERMS,
        (_, 2) => {
            let network = Network::read(path).with_context(|| which.to_owned())?;
            judgement.two = Some(Arc::new(network));
        }
        _ => {
            let network = Network::read(path).with_context(|| which.to_owned())?;
            judgement.more = Some(Arc::new(network));
        }
    }
    Ok(judgement)
}

/// The start for a number of players.
fn start(players: &str) -> anyhow::Result<Position> {
    let mut rules = Position::default_rules();
    rules.set("Players", players)?;
    Ok(Position::start(&rules, None)?)
}

/// Games from a start.
struct Games {
    start: Position,
    judgement: Judgement,
}

impl SelfPlay for Games {
    type Format = Format;

    /// A game that is cut off counts as a draw of the seats that still have chevrons.
    const LONGEST: usize = 300;

    fn begin(&self, random: &mut Random) -> anyhow::Result<Begun<Format>> {
        let mut game = Recorder::<Format>::new(self.start.clone());
        for _ in 0..MIN_OPENING + random.below(MIN_OPENING + 1) {
            if !game.situation().turn().is_over() {
                let m = considered_move(game.situation().position(), random.next());
                game.play(m, None);
            }
        }
        let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
        let player = Box::new(EnginePlayer::new(&settings, self.judgement.clone()));
        Ok(Begun { game, player, to_the_end: true })
    }

    fn random_move(&self, position: &Position, random: &mut Random) -> Option<Move> {
        let is_random = random.below(RANDOM_MOVE_PERIOD) == 0;
        // Drawn in every ply, so that the plies of random moves do not depend on the search.
        let drawn = random.next();
        is_random.then(|| considered_move(position, drawn))
    }

    fn value(&self, info: Option<&Info<Move>>, mover: Seat) -> anyhow::Result<Shares> {
        Ok(expected(info.context("the engine has no move")?, mover))
    }
}

/// One of the moves that the engine considers: most others are rotations with odd payments.
fn considered_move(position: &Position, drawn: u64) -> Move {
    let moves = SelectivePosition::new(position.clone()).moves();
    moves[multiply_shift(drawn, moves.len() as u64) as usize]
}

/// The expected shares of an `info`: those of the tree search, or by the score with two players.
fn expected(info: &Info<Move>, mover: Seat) -> Shares {
    let mut shares = [0.0; SEATS];
    if let Some(written) = &info.shares {
        for (share, permille) in shares.iter_mut().zip(written) {
            *share = f64::from(*permille) / 1e3;
        }
        return shares;
    }
    let own = match info.score {
        Score::Cp(cp) => 1.0 / (1.0 + libm::exp10(-f64::from(cp) / 400.0)),
        Score::Mate(plies) if plies > 0 => 1.0,
        Score::Mate(_) => 0.0,
    };
    shares[mover.index()] = own;
    shares[1 - mover.index().min(1)] = 1.0 - own;
    shares
}

fn write_shares(shares: &[f64]) -> String {
    let written = &shares[..shares.len() - 1];
    let permille = written.iter().map(|share| libm::round(share * 1e3).to_string());
    permille.collect::<Vec<_>>().join(",")
}

/// Reads what [`write_shares`] writes.
fn read_shares(text: &str, seats: usize) -> anyhow::Result<Shares> {
    let mut shares = [0.0; SEATS];
    let written: Vec<&str> = text.split(',').collect();
    if written.len() != seats - 1 {
        bail!("{} shares, not {}", written.len(), seats - 1);
    }
    for (share, permille) in shares.iter_mut().zip(written) {
        let permille: u16 = permille.parse().with_context(|| format!("share '{permille}'"))?;
        *share = f64::from(permille) / 1e3;
    }
    shares[seats - 1] = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    Ok(shares)
}

/// The lines of the games: the number of players, then the moves with the permille of the first
/// place expected for each seat but the last.
pub struct Format;

/// A recorded game of Pacru.
pub type Game = RecordedGame<Format>;

impl RecordFormat for Format {
    type Position = Position;
    type Value = Shares;

    fn parse_head(head: &str) -> anyhow::Result<(Position, Option<Outcome>)> {
        Ok((start(head)?, None))
    }

    fn head(start: &Position, _: &Outcome) -> String {
        start.seats().to_string()
    }

    fn parse_value(text: &str, before: &Position) -> anyhow::Result<Shares> {
        read_shares(text, before.seats())
    }

    fn value(shares: &Shares, before: &Position) -> String {
        write_shares(&shares[..before.seats()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_back_with_its_shares_and_its_result() {
        let games =
            Games { start: start("3").expect("three players"), judgement: Judgement::TERMS };
        let game = games.play(&Limits::nodes(60), &mut Random::new(5)).expect("a game");
        let line = game.to_string();
        let read = Game::parse(&line).expect(&line);
        assert_eq!(read.to_string(), line);
        assert_eq!((read.moves.len(), &read.outcome), (game.moves.len(), &game.outcome));
        let shares: Vec<&Shares> =
            read.moves.iter().filter_map(|(_, shares)| shares.as_ref()).collect();
        assert!(shares.len() > 3, "{line}");
        for shares in shares {
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 0.004, "{shares:?}");
        }
    }

    #[test]
    fn a_line_that_is_wrong_is_refused_with_the_reason() {
        for (line, reason) in [
            ("5 a3-b4(b4)", "Players"),
            ("2 a3-b4(b4) a3-b4(b4)", "move 'a3-b4(b4)'"),
            ("2 a3-b4(b4):1,2", "2 shares, not 1"),
            ("3 g9-f8(f8):500,x", "share 'x'"),
        ] {
            let error = Game::parse(line).err().expect(line);
            assert!(format!("{error:#}").contains(reason), "{line}: {error:#}");
        }
    }
}
