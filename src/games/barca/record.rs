//! `barca record`: games of the engine against itself, with the score of every move.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::{Arg, Command};

use super::evaluate::Terms;
use super::moves::Move;
use super::network::Network;
use super::players::searching;
use super::position::Position;
use super::rules::START;
use crate::game::{Game as _, Notation, Outcome, Random, Rules, Seat, Situation};
use crate::games::Subcommand;
use crate::games::recorded::{self, number};
use crate::search::{Limits, Player, Report, Request, Score, Settings};

/// Random plies at the start of a game.
const OPENING: usize = 6;

/// A game that lasts longer is a draw.
const LONGEST: usize = 200;

/// Scores are kept within this.
const GREATEST: i32 = 2_000;

/// The word `record`.
pub(super) fn subcommand() -> Subcommand {
    let command = Command::new("record")
        .about("Play games of the engine against itself and print them to learn from")
        .long_about(
            "Plays games of the engine against itself from random openings and prints one a line: \
             the result, then every move, searched ones with their score for the side that moves. \
             Equal numbers give equal games, for `barca train` and `barca tune`.\n\n    \
             barca record --games 2000 --nodes 1000 > games.txt\n    \
             barca record --evaluation terms --games 2000 --nodes 1000 > games-of-the-terms.txt",
        )
        .arg(number("games", "100", "how many games"))
        .arg(number("nodes", "2000", "nodes a move"))
        .arg(number("random", "0", "percent of moves that are random ones"))
        .arg(number("seed", "1", "seed of the openings and of random moves"))
        .arg(
            Arg::new("evaluation")
                .long("evaluation")
                .value_name("WHICH")
                .default_value("network")
                .help("network, terms, or a file written by `barca train`"),
        );
    Subcommand { command, run }
}

/// The games of the file that the command line names.
pub(super) fn read(matches: &clap::ArgMatches) -> anyhow::Result<Vec<Game>> {
    recorded::parse_file(matches, parse_all)
}

/// Games, one a line.
pub(super) fn parse_all(text: &str) -> anyhow::Result<Vec<Game>> {
    let lines = (1..).zip(text.lines());
    lines
        .map(|(number, line)| Game::parse(line).with_context(|| format!("line {number}")))
        .collect()
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let which = matches.get_one::<String>("evaluation").map_or("network", String::as_str);
    let mut player = player_of(which)?;
    let limits = Limits::nodes(number("nodes"));
    let first = number("seed").wrapping_mul(1 << 32);
    let mut out = io::stdout().lock();
    for game in 0..number("games") {
        player.new_game();
        let mut random = Random::new(first.wrapping_add(game));
        let line = play_game(&mut *player, &limits, number("random"), &mut random)?;
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The engine with the evaluation that the command line names.
fn player_of(evaluation: &str) -> anyhow::Result<Box<dyn Player<Position>>> {
    let settings = Settings { hash: 4, ..Settings::default() };
    Ok(match evaluation {
        "network" => searching(Network::default(), &settings),
        "terms" => searching(Terms::default(), &settings),
        path => searching(Network::read(Path::new(path))?, &settings),
    })
}

/// Plays a game in which so many of a hundred moves are random ones; its line.
fn play_game(
    player: &mut dyn Player<Position>,
    limits: &Limits,
    percent: u64,
    random: &mut Random,
) -> anyhow::Result<String> {
    let (mut situation, opening) = random_opening(random)?;
    let mut text: String = opening.iter().map(|m| format!(" {m}")).collect();
    for _ in OPENING..LONGEST {
        if situation.turn().is_over() {
            break;
        }
        if random.below(100) < percent
            && let Some(m) = situation.position().random_move(random)
        {
            text += &format!(" {m}");
            situation.play(&m);
            continue;
        }
        let mut score = 0;
        let mut report = |report| {
            if let Report::Info(info) = report {
                score = hundredths(info.score);
            }
        };
        let choice = player.choose(&situation, &Request::new(limits.clone()), &mut report);
        let m = choice.context("the engine has no move")?.best;
        text += &format!(" {m}:{score}");
        situation.play(&m);
    }
    Ok(format!("{}{text}", result_word(situation.outcome())))
}

/// A short random line from the start that does not end the game.
fn random_opening(random: &mut Random) -> anyhow::Result<(Situation<Position>, Vec<Move>)> {
    loop {
        let start = Position::start(&Position::default_rules(), None)?;
        let mut situation = Situation::new(start);
        let mut moves = Vec::new();
        while let Some(m) = situation.position().random_move(random) {
            situation.play(&m);
            moves.push(m);
            if moves.len() == OPENING {
                break;
            }
        }
        if !situation.turn().is_over() {
            return Ok((situation, moves));
        }
    }
}

fn hundredths(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp.clamp(-GREATEST, GREATEST),
        Score::Mate(plies) if plies > 0 => GREATEST,
        Score::Mate(_) => -GREATEST,
    }
}

fn result_word(outcome: Option<Outcome>) -> &'static str {
    match outcome.map(|outcome| outcome.share(Seat::new(0))) {
        Some(1.0) => "1-0",
        Some(0.0) => "0-1",
        _ => "1/2",
    }
}

/// A recorded game.
pub(super) struct Game {
    /// What White got of the point.
    share: f64,
    /// Every position of the game but the last, with the score of the move played in it, for
    /// White, if it was searched.
    positions: Vec<(Position, Option<f64>)>,
}

impl Game {
    /// Reads a line of `barca record`.
    pub fn parse(line: &str) -> anyhow::Result<Game> {
        let mut tokens = line.split_whitespace();
        let share = match tokens.next() {
            Some("1-0") => 1.0,
            Some("0-1") => 0.0,
            Some("1/2") => 0.5,
            other => bail!("'{}' is no result: 1-0, 0-1 or 1/2", other.unwrap_or_default()),
        };
        let mut position = Position::parse(START, &Position::default_rules(), None)?;
        let mut positions = Vec::new();
        for token in tokens {
            let (text, score) = match token.split_once(':') {
                None => (token, None),
                Some((text, score)) => {
                    let score: i32 =
                        score.parse().with_context(|| format!("score of '{token}'"))?;
                    if score.abs() > GREATEST {
                        bail!("score of '{token}': at most {GREATEST} either way");
                    }
                    let white = if position.side() == 0 { score } else { -score };
                    (text, Some(f64::from(white)))
                }
            };
            let m = position.parse_move(text).with_context(|| format!("move '{text}'"))?;
            if !position.is_legal(&m) {
                bail!("move '{text}': {}", position.explain_illegal(&m));
            }
            positions.push((position, score));
            position.play(&m);
        }
        Ok(Game { share, positions })
    }

    /// Visits the positions that were searched, with their score for White, and what White got of
    /// the point if no random move came after them.
    pub fn for_each_score(&self, mut visit: impl FnMut(&Position, f64, Option<f64>)) {
        let random = |(_, score): &(Position, Option<f64>)| score.is_none();
        let last_random = self.positions.iter().rposition(random);
        for (number, (position, score)) in self.positions.iter().enumerate() {
            if let Some(score) = score {
                let tells = last_random.is_none_or(|last| number > last);
                visit(position, *score, tells.then_some(self.share));
            }
        }
    }

    /// Visits the positions that were searched and are not decided, with their score for White.
    pub fn for_each_open(&self, mut visit: impl FnMut(&Position, f64, Option<f64>)) {
        self.for_each_score(|position, score, share| {
            if score.abs() < f64::from(GREATEST) {
                visit(position, score, share);
            }
        });
    }

    /// The positions in which the search saw a win for the side to move.
    pub fn claimed_wins(&self) -> impl Iterator<Item = &Position> {
        let wins = |position: &Position, score: f64| {
            let own = if position.side() == 0 { score } else { -score };
            own >= f64::from(GREATEST)
        };
        self.positions
            .iter()
            .filter(move |(position, score)| score.is_some_and(|score| wins(position, score)))
            .map(|(position, _)| position)
    }
}
