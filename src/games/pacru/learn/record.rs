//! `pacru record`: self-play games of the engine, with the shares that the search expected.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{ArgMatches, Command};

use crate::game::{Game as _, Outcome, Random, Rules, Seat, Situation, multiply_shift};
use crate::games::Subcommand;
use crate::games::pacru::play::{EnginePlayer, Judgement, Network, SelectivePosition};
use crate::games::pacru::rules::{Move, Position, SEATS};
use crate::learning::arguments::{evaluation, number};
use crate::learning::recorded_games::{RecordFormat, RecordedGame, Recorder};
use crate::learning::recording::Recording;
use crate::search::{Info, Limits, Player, Report, Request, SEARCH_STACK, Score, Settings};

/// The least number of random moves at the start of a game; the greatest is twice that.
const MIN_OPENING: u64 = 4;

/// After the opening, one of this many moves is random, so that the games contain weak moves too.
const RANDOM_MOVE_PERIOD: u64 = 24;

/// A game that lasts longer counts as a draw of the seats that still have chevrons.
const MAX_PLIES: usize = 300;

/// A share of the first place for every seat.
pub(super) type Shares = [f64; SEATS];

/// The subcommand `record`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("record")
        .about("Play games of the engine against itself and print them for training")
        .long_about(
            "Plays games of the engine against itself and prints one game a line: the number of \
             players, then every move. Every searched move is followed by the permille of \
             the first place that the search expected for each seat but the last. Equal arguments \
             give equal games.",
        )
        .after_help(
            "Examples:\n  pacru record --players 2 --games 2000 --nodes 600 > games.txt\n  \
             pacru record --players 4 --games 15000 --nodes 1500 --out games-4 --shard 1/8",
        )
        .arg(number("players", "2", "Number of players, 2 to 4"))
        .arg(number("nodes", "2000", "Nodes per move"))
        .arg(evaluation("pacru"));
    Subcommand { command: Recording::arguments(command), run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or(1);
    let (players, nodes) = (number("players"), number("nodes"));
    let start = start(&players.to_string())?;
    let limits = Limits::nodes(nodes);
    let which = arguments.get_one::<String>("evaluation").map_or("network", String::as_str);
    let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
    let mut engine = EnginePlayer::new(&settings, judgement(which, start.seats())?);
    let label = format!("--players {players} --nodes {nodes} --evaluation {which}");
    let recording = Recording::new(arguments, &label)?;
    recording.run(SEARCH_STACK, |random| {
        engine.new_game();
        Ok(play(&start, &mut engine, &limits, random)?.to_string())
    })
}

/// What the command line says to judge positions by.
fn judgement(which: &str, seats: usize) -> anyhow::Result<Judgement> {
    let path = Path::new(which);
    let mut judgement = Judgement::default();
    match (which, seats) {
        ("network", _) => {}
        ("terms", _) => judgement = Judgement::TERMS,
        (_, 2) => {
            let network = Network::read(path).with_context(|| which.to_string())?;
            judgement.two = Some(Arc::new(network));
        }
        _ => {
            let network = Network::read(path).with_context(|| which.to_string())?;
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

/// Plays one game.
fn play(
    start: &Position,
    engine: &mut EnginePlayer,
    limits: &Limits,
    mut random: Random,
) -> anyhow::Result<Game> {
    let mut game = Recorder::<Record>::new(start.clone());
    let opening = (MIN_OPENING + random.below(MIN_OPENING + 1)) as usize;
    while game.plies() < MAX_PLIES && !game.situation().turn().is_over() {
        let is_random = game.plies() < opening || random.below(RANDOM_MOVE_PERIOD) == 0;
        // Drawn in every ply, so that the plies of random moves do not depend on the search.
        let drawn = random.next();
        if is_random {
            // Among the moves the engine considers: most others are rotations with odd payments.
            let moves = SelectivePosition::new(game.situation().position().clone()).moves();
            game.play(moves[multiply_shift(drawn, moves.len() as u64) as usize], None);
        } else {
            let (m, shares) = searched(engine, game.situation(), limits)?;
            game.play(m, Some(shares));
        }
    }
    Ok(game.finish())
}

/// The engine's move and the shares it expects.
fn searched(
    engine: &mut EnginePlayer,
    situation: &Situation<Position>,
    limits: &Limits,
) -> anyhow::Result<(Move, Shares)> {
    let mut last = None;
    let mut report = |report| {
        if let Report::Info(info) = report {
            last = Some(info);
        }
    };
    let choice = engine.choose(situation, &Request::new(limits.clone()), &mut report);
    let (m, info) = choice.map(|choice| choice.best).zip(last).context("the engine has no move")?;
    let mover = situation.seat().context("the game is over")?;
    Ok((m, expected(&info, mover)))
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

/// The lines of `pacru record`: the number of players, then the moves with the permille of the first
/// place expected for each seat but the last.
pub(super) struct Record;

/// A recorded game of Pacru.
pub(super) type Game = RecordedGame<Record>;

impl RecordFormat for Record {
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
        let start = start("3").expect("three players");
        let mut engine = EnginePlayer::new(&Settings::default(), Judgement::TERMS);
        let limits = Limits::nodes(60);
        let game = play(&start, &mut engine, &limits, Random::new(5)).expect("a game");
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
