//! `barca record`: self-play games of the engine, with the score of every move.

use std::path::Path;

use anyhow::{Context, ensure};
use clap::Command;

use crate::game::{Game as _, Outcome, Random, Seat};
use crate::games::Subcommand;
use crate::games::barca::play::{Network, Terms, searching};
use crate::games::barca::rules::Position;
use crate::learning::arguments::{evaluation, number};
use crate::learning::recorded_games::{RecordFormat, RecordedGame, Recorder};
use crate::learning::recording::Recording;
use crate::learning::scored_games::{GREATEST, parse_result, parse_score, result};
use crate::search::{Limits, Player, Report, Request, SEARCH_STACK, Score, Settings};

/// Random plies at the start of a game.
const OPENING: usize = 6;

/// A game that reaches this many plies is a draw.
const LONGEST: usize = 200;

/// The subcommand `record`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("record")
        .about("Play games of the engine against itself and record them for training")
        .long_about(
            "Plays games of the engine against itself from random openings and prints one per \
             line: the result, then every move, searched moves with their score for the side \
             that moves. Equal arguments give equal games. `barca train` and `barca tune` read \
             them.",
        )
        .after_help(
            "Examples:\n  barca record --games 2000 --nodes 1000 > games.txt\n  \
             barca record --evaluation terms --games 2000 --nodes 1000 > games-of-the-terms.txt\n  \
             barca record --games 90000 --nodes 1000 --out games --shard 2/8",
        );
    let command = Recording::arguments(command)
        .arg(number("nodes", "2000", "Nodes per move"))
        .arg(number("random", "0", "Percentage of random moves"))
        .arg(evaluation("barca"));
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let which = matches.get_one::<String>("evaluation").map_or("network", String::as_str);
    let mut player = player_of(which)?;
    let (nodes, random) = (number("nodes").max(1), number("random"));
    ensure!(random <= 100, "--random {random}: a percentage is at most 100");
    let limits = Limits::nodes(nodes);
    let settings = format!("--evaluation {which} --nodes {nodes} --random {random}");
    Recording::new(matches, &settings)?.run(SEARCH_STACK, |mut randomness| {
        player.new_game();
        Ok(play_game(&mut *player, &limits, random, &mut randomness)?.to_string())
    })
}

/// The engine with the evaluation that the command line names.
fn player_of(evaluation: &str) -> anyhow::Result<Box<dyn Player<Position>>> {
    let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
    Ok(match evaluation {
        "network" => searching(Network::default(), &settings),
        "terms" => searching(Terms::default(), &settings),
        path => {
            let network = Network::read(Path::new(path)).with_context(|| path.to_string())?;
            searching(network, &settings)
        }
    })
}

/// Plays a game in which `percent` of the moves are random.
fn play_game(
    player: &mut dyn Player<Position>,
    limits: &Limits,
    percent: u64,
    random: &mut Random,
) -> anyhow::Result<Game> {
    let mut game = random_opening(random)?;
    while game.plies() < LONGEST && !game.situation().turn().is_over() {
        if random.below(100) < percent
            && let Some(m) = game.situation().position().random_move(random)
        {
            game.play(m, None);
            continue;
        }
        let mut score = 0;
        let mut report = |report| {
            if let Report::Info(info) = report {
                score = hundredths(info.score);
            }
        };
        let choice = player.choose(game.situation(), &Request::new(limits.clone()), &mut report);
        game.play(choice.context("the engine has no move")?.best, Some(score));
    }
    Ok(game.finish())
}

/// Random moves from the start that do not end the game.
fn random_opening(random: &mut Random) -> anyhow::Result<Recorder<Record>> {
    loop {
        let mut game = Recorder::<Record>::new(Position::default());
        while game.plies() < OPENING
            && let Some(m) = game.situation().position().random_move(random)
        {
            game.play(m, None);
        }
        if !game.situation().turn().is_over() {
            return Ok(game);
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

/// The lines of `barca record`: the result, then the moves with their score in hundredths for the
/// side that moves.
pub(crate) struct Record;

/// A recorded game of Barca.
pub(crate) type Game = RecordedGame<Record>;

impl RecordFormat for Record {
    type Position = Position;
    type Value = i32;

    fn parse_head(head: &str) -> anyhow::Result<(Position, Option<Outcome>)> {
        Ok((Position::default(), Some(parse_result(head)?)))
    }

    fn head(_: &Position, outcome: &Outcome) -> String {
        result(outcome)
    }

    fn parse_value(text: &str, _: &Position) -> anyhow::Result<i32> {
        parse_score(text)
    }

    fn value(score: &i32, _: &Position) -> String {
        score.to_string()
    }
}

/// A position that was searched.
pub(super) struct Searched<'a> {
    pub position: &'a Position,
    /// The score of the move played in it, in hundredths for White.
    pub score: f64,
    /// White's share of the point, if no random move came after the position.
    pub share: Option<f64>,
}

impl Searched<'_> {
    /// Whether the search found no forced win or loss.
    #[must_use]
    pub(super) fn is_open(&self) -> bool {
        self.score.abs() < f64::from(GREATEST)
    }
}

/// Visits the positions of a game that were searched.
pub(super) fn for_each_searched(game: &Game, mut visit: impl FnMut(Searched)) {
    let share = game.outcome.share(Seat::new(0));
    let last_random = game.moves.iter().rposition(|(_, score)| score.is_none());
    game.for_each_position(|position, index, score| {
        let Some(score) = score else { return };
        let white = if position.side() == 0 { *score } else { -*score };
        let tells = last_random.is_none_or(|last| index > last);
        visit(Searched { position, score: f64::from(white), share: tells.then_some(share) });
    });
}

/// The positions of a game in which its winner is to move, the last one first.
pub(crate) fn positions_of_the_winner(game: &Game) -> Vec<Position> {
    let mut positions = Vec::new();
    game.for_each_position(|position, _, _| {
        if game.outcome.share(Seat::new(position.side())) == 1.0 {
            positions.push(*position);
        }
    });
    positions.reverse();
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::recorded_games::parse_games;

    #[test]
    fn a_game_reads_back_as_its_line_with_its_scores() {
        let mut player = player_of("terms").expect("a player");
        let game = play_game(&mut *player, &Limits::nodes(50), 20, &mut Random::new(3));
        let line = game.expect("a game").to_string();
        let game = Game::parse(&line).expect(&line);
        assert_eq!(game.to_string(), line);
        let mut searched = 0;
        for_each_searched(&game, |_| searched += 1);
        assert_eq!(searched, line.matches(':').count());
        assert!(searched > 0 && searched + OPENING < game.moves.len(), "{line}");
    }

    #[test]
    fn a_line_that_is_wrong_is_refused_with_the_reason() {
        for (line, reason) in [
            ("", "'' is no result"),
            ("2-0 e2e4", "'2-0' is no result"),
            ("1-0 e2e4 e2e4", "move 'e2e4'"),
            ("1-0 e2", "move 'e2'"),
            ("1-0 e2e4:x", "value of 'e2e4:x'"),
            ("1-0 e2e4:2001", "at most 2000"),
        ] {
            let games = parse_games::<Record>(&format!("1-0 e2e4:5\n{line}\n"));
            let error = format!("{:#}", games.err().expect(line));
            assert!(error.contains(reason) && error.contains("line 2"), "{line}: {error}");
        }
    }

    #[test]
    fn shares_count_only_after_the_last_random_move() {
        let game = Game::parse("0-1 e2e4 e9e6:30 e4g4 e6g6:-40").expect("a game");
        let mut seen = Vec::new();
        for_each_searched(&game, |at| seen.push((at.score, at.share)));
        assert_eq!(seen, [(-30.0, None), (40.0, Some(0.0))]);
    }
}
