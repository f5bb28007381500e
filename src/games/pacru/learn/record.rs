//! `pacru record`: self-play games of the engine, with the shares that the search expected.

use std::io::{self, Write};

use anyhow::{Context, bail};
use clap::{ArgMatches, Command};

use crate::game::{Game as _, Notation, Outcome, Random, Rules, Seat, Situation, splitmix64};
use crate::games::Subcommand;
use crate::games::pacru::play::{EnginePlayer, SelectivePosition};
use crate::games::pacru::rules::{Move, Position, SEATS};
use crate::learning::arguments::number;
use crate::search::{Info, Limits, Player, Report, Request, Score, Settings};

/// The least number of random moves at the start of a game; the greatest is twice that.
const MIN_OPENING: u64 = 4;

/// After the opening, one of this many moves is random, so that the games contain weak moves too.
const RANDOM_MOVE_PERIOD: u64 = 16;

/// One of this many searched moves is written with the expected shares: neighbouring positions
/// differ little.
const SAMPLE_PERIOD: u64 = 3;

/// A game that lasts longer counts as a draw of the seats that still have chevrons.
const MAX_PLIES: usize = 300;

/// A share of the first place for every seat.
pub(super) type Shares = [f64; SEATS];

/// The subcommand `record`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("record")
        .about("Play games of the engine against itself and print them for tuning")
        .long_about(
            "Plays games of the engine against itself and prints one game a line: the number of \
             players, then every move. One in three searched moves is followed by the permille of \
             the first place that the search expected for each seat but the last. Equal arguments \
             give equal games.\n\n    \
             pacru record --players 2 --games 2000 --nodes 2000 > games.txt",
        )
        .arg(number("players", "2", "number of players, 2 to 4"))
        .arg(number("games", "100", "how many games"))
        .arg(number("nodes", "2000", "nodes a move"))
        .arg(number("seed", "1", "seed of openings and random moves"));
    Subcommand { command, run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| arguments.get_one::<u64>(name).copied().unwrap_or(1);
    let mut rules = Position::default_rules();
    rules.set("Players", &number("players").to_string())?;
    let start = Position::start(&rules, None)?;
    let limits = Limits::nodes(number("nodes"));
    let mut engine = EnginePlayer::new(&Settings { hash: 4, ..Settings::default() });
    let mut out = io::stdout().lock();
    for game in 0..number("games") {
        engine.new_game();
        let random = Random::new(splitmix64(number("seed") << 32 | game));
        writeln!(out, "{}", play(&start, &mut engine, &limits, random)?)?;
    }
    Ok(())
}

/// One game, as a line.
fn play(
    start: &Position,
    engine: &mut EnginePlayer,
    limits: &Limits,
    mut random: Random,
) -> anyhow::Result<String> {
    let seats = start.seats();
    let mut situation = Situation::new(start.clone());
    let mut line = seats.to_string();
    let opening = (MIN_OPENING + random.below(MIN_OPENING + 1)) as usize;
    for ply in 0..MAX_PLIES {
        let position = situation.position();
        if situation.turn().is_over() {
            break;
        }
        let is_random = ply < opening || random.below(RANDOM_MOVE_PERIOD) == 0;
        let m = if is_random {
            // Among the moves the engine considers: most others are rotations with odd payments.
            let moves = SelectivePosition::new(position.clone()).moves();
            let m = moves[random.below(moves.len() as u64) as usize];
            line += &format!(" {}", position.token(&m));
            m
        } else {
            let (m, shares) = searched(engine, &situation, limits)?;
            line += &format!(" {}", position.token(&m));
            if random.below(SAMPLE_PERIOD) == 0 {
                line += &format!(":{}", write_shares(&shares[..seats]));
            }
            m
        };
        situation.play(&m);
    }
    Ok(line)
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

/// A recorded game.
pub(super) struct Game {
    /// The share of the first place of every seat.
    pub result: Shares,
    /// Positions written with expected shares, and those shares.
    pub searched: Vec<(Position, Shares)>,
}

impl Game {
    /// Reads a line of `pacru record`.
    pub fn parse(line: &str) -> anyhow::Result<Game> {
        let mut tokens = line.split_whitespace();
        let mut rules = Position::default_rules();
        rules.set("Players", tokens.next().unwrap_or_default())?;
        let mut situation = Situation::new(Position::start(&rules, None)?);
        let seats = situation.position().seats();
        let mut searched = Vec::new();
        for token in tokens {
            let (text, shares) = match token.split_once(':') {
                None => (token, None),
                Some((text, shares)) => (text, Some(read_shares(shares, seats))),
            };
            let position = situation.position();
            let m = position.parse_move(text).with_context(|| format!("move '{text}'"))?;
            if !position.is_legal(&m) {
                bail!("move '{text}': {}", position.explain_illegal(&m));
            }
            if let Some(shares) = shares {
                searched.push((position.clone(), shares.with_context(|| token.to_string())?));
            }
            situation.play(&m);
        }
        let left = || situation.position().repetition();
        let outcome = situation.outcome().or_else(left).unwrap_or_else(|| Outcome::draw(seats));
        let mut result = [0.0; SEATS];
        for seat in Seat::all(seats) {
            result[seat.index()] = outcome.share(seat);
        }
        Ok(Game { result, searched })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_back_with_its_shares_and_its_result() {
        let mut rules = Position::default_rules();
        rules.set("Players", "3").expect("three players");
        let start = Position::start(&rules, None).expect("the start");
        let mut engine = EnginePlayer::new(&Settings::default());
        let limits = Limits::nodes(60);
        let line = play(&start, &mut engine, &limits, Random::new(5)).expect("a game");
        let game = Game::parse(&line).expect(&line);
        assert_eq!(game.searched.len(), line.matches(':').count());
        assert!((game.result.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        for (_, shares) in &game.searched {
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
