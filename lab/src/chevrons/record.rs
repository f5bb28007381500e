//! Self-play games of the engine, with the shares that the search expected.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use parlor::game::{Outcome, Random, Seat};
use parlor::games::chevrons::SEATS;
use parlor::games::chevrons::network::{Judged, Judgement, Network};
use parlor::search::{Info, Limits, Score, Settings};

use super::{Trained, Work};
use crate::recording::chunks::{Recording, RecordingArguments};
use crate::recording::games::{RecordFormat, RecordedGame, Recorder};
use crate::recording::self_play::{Begun, SelfPlay, Weaker};

/// The least number of random moves at the start of a game; the greatest is twice that.
const MIN_OPENING: u64 = 4;

/// After the opening, one of this many moves is random, so that the games contain weak moves too.
const RANDOM_MOVE_PERIOD: u64 = 24;

/// A share of the first place for every seat.
pub type Shares = [f64; SEATS];

// No doc comment: it would describe the command.
#[derive(Args, Debug)]
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
    /// In half of the games this player has each seat with a chance of one half; its moves have no
    /// shares
    #[arg(long, value_name = "PLAYER")]
    weaker: Option<String>,
}

impl Work for Record {
    fn run<P: Trained>(self) -> anyhow::Result<()> {
        let Record { recording, players, nodes, evaluation, weaker } = self;
        let start = start::<P>(&players.to_string())?;
        let judgement = judgement(&evaluation, start.seats())?;
        let mut settings =
            format!("{} --players {players} --nodes {nodes} --evaluation {evaluation}", P::NAME);
        if let Some(name) = &weaker {
            P::player(name, &Settings::default())?;
            settings += &format!(" --weaker {name}");
        }
        let games = Games { start, judgement, weaker };
        games.record(&Recording::new(recording, &settings), &Limits::nodes(nodes))
    }
}

/// What the command line says to judge positions by.
fn judgement<S: Judged>(which: &str, seats: usize) -> anyhow::Result<Judgement<S>> {
    let path = Path::new(which);
    let mut judgement = S::judgement();
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
fn start<P: Trained>(players: &str) -> anyhow::Result<P> {
    let mut rules = P::default_rules();
    rules.set("Players", players)?;
    Ok(P::start(&rules, None)?)
}

/// Games from a start.
struct Games<P: Trained> {
    start: P,
    judgement: Judgement<P::Seen>,
    weaker: Option<String>,
}

impl<P: Trained> SelfPlay for Games<P> {
    type Format = Format<P>;

    /// A game that is cut off counts as a draw of the seats that can still win.
    const LONGEST: usize = 300;

    fn begin(&self, random: &mut Random) -> anyhow::Result<Begun<Format<P>>> {
        let mut game = Recorder::<Format<P>>::new(self.start.clone());
        for _ in 0..MIN_OPENING + random.below(MIN_OPENING + 1) {
            if !game.situation().turn().is_over() {
                let m = game.situation().position().considered_move(random.next());
                game.play(m, None);
            }
        }
        let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
        let player = P::engine(&settings, self.judgement.clone());
        let mut weaker = None;
        if let Some(name) = &self.weaker {
            let seats = random.next();
            let settings = Settings { seed: seats, ..Settings::default() };
            let player = P::player(name, &settings)?;
            weaker = (seats >> 63 == 1).then_some(Weaker { player, seats });
        }
        Ok(Begun { game, player, to_the_end: true, weaker })
    }

    fn random_move(&self, position: &P, random: &mut Random) -> Option<P::Move> {
        let is_random = random.below(RANDOM_MOVE_PERIOD) == 0;
        // Drawn in every ply, so that the plies of random moves do not depend on the search.
        let drawn = random.next();
        is_random.then(|| position.considered_move(drawn))
    }

    fn value(&self, info: Option<&Info<P::Move>>, mover: Seat) -> anyhow::Result<Shares> {
        Ok(expected(info.context("the engine has no move")?, mover))
    }
}

/// The expected shares of an `info`: those of the tree search, or by the score with two players.
fn expected<M>(info: &Info<M>, mover: Seat) -> Shares {
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
pub struct Format<P>(PhantomData<P>);

/// A recorded game.
pub type Game<P> = RecordedGame<Format<P>>;

impl<P: Trained> RecordFormat for Format<P> {
    type Position = P;
    type Value = Shares;

    fn parse_head(head: &str) -> anyhow::Result<(P, Option<Outcome>)> {
        Ok((start(head)?, None))
    }

    fn head(start: &P, _: &Outcome) -> String {
        start.seats().to_string()
    }

    fn parse_value(text: &str, before: &P) -> anyhow::Result<Shares> {
        read_shares(text, before.seats())
    }

    fn value(shares: &Shares, before: &P) -> String {
        write_shares(&shares[..before.seats()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::game::{Game as _, Turn};
    use parlor::games::pacru::Position;

    type Game = super::Game<Position>;

    #[test]
    fn a_game_reads_back_with_its_shares_and_its_result() {
        let games = Games::<Position> {
            start: start("3").expect("three players"),
            judgement: Judgement::TERMS,
            weaker: None,
        };
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
    fn a_weaker_player_has_seats_in_half_of_the_games() {
        let games = Games::<Position> {
            start: start("3").expect("three players"),
            judgement: Judgement::TERMS,
            weaker: Some("greedy".to_owned()),
        };
        let mut with_it = [0; 2];
        for seed in 0..40 {
            let limits = Limits::nodes(20);
            let game = games.play(&limits, &mut Random::new(seed)).expect("a game");
            let mut valued = [false; 3];
            game.for_each_position(|position, _, value| {
                if let Turn::Seat(seat) = position.turn() {
                    valued[seat.index()] |= value.is_some();
                }
            });
            with_it[usize::from(valued != [true; 3])] += 1;
        }
        // Seven of eight draws give it a seat.
        assert!(with_it.iter().all(|count| (12..=28).contains(count)), "{with_it:?}");
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
