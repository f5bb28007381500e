//! `porrika record`: self-play games of the engine, with the score of every move.

use std::path::Path;

use anyhow::{Context, ensure};
use clap::{ArgMatches, Command};

use crate::game::{Game as _, OptionValues, Outcome, Random, Seat};
use crate::games::porrika::play::{EnginePlayer, Evaluation, Network};
use crate::games::porrika::rules::{Position, RuleOptions, Side};
use crate::games::{Playable, Subcommand};
use crate::learning::arguments::{evaluation, number};
use crate::learning::recorded_games::{RecordFormat, RecordedGame, Recorder};
use crate::learning::recording::Recording;
use crate::learning::scored_games::{GREATEST, parse_result, parse_score, result};
use crate::search::{Limits, Player, Report, Request, SEARCH_STACK, Score, Settings};

/// The greatest number of random moves after the set-up.
const OPENING: u64 = 8;

/// A game that reaches this many plies is cut off.
const LONGEST: usize = 200;

/// The subcommand `record`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("record")
        .about("Play games of the engine against itself and record them for training")
        .long_about(
            "Plays games of the engine against itself from random set-ups and openings and prints \
             one per line: the result, then every move, searched moves with their score for the \
             side that moves. A game ends as soon as the search has found a forced win. Equal \
             arguments give equal games. `porrika train` reads them.",
        )
        .after_help(
            "Examples:\n  porrika record --games 10 > games.txt\n  \
             porrika record --games 20000 --nodes 1000 --out games\n  \
             porrika record --games 20000 --nodes 1000 --out games --shard 2/8",
        );
    let command = Recording::arguments(command)
        .arg(number("nodes", "1000", "Nodes per move"))
        .arg(number("random", "1", "Percentage of random moves"))
        .arg(number(
            "tables",
            "0",
            "Use ending tables in one of N games and play these to the end; 0 for none",
        ))
        .arg(evaluation("porrika"));
    Subcommand { command, run }
}

fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let which = matches.get_one::<String>("evaluation").map_or("network", String::as_str);
    let mut players = Players::new(&|| evaluation_of(which))?;
    let (random, tables) = (number("random"), number("tables"));
    ensure!(random <= 100, "--random {random}: a percentage is at most 100");
    let nodes = number("nodes").max(1);
    let limits = Limits::nodes(nodes);
    let settings =
        format!("--evaluation {which} --nodes {nodes} --random {random} --tables {tables}");
    Recording::new(matches, &settings)?.run(SEARCH_STACK, |mut randomness| {
        Ok(players.play(&limits, random, tables, &mut randomness)?.to_string())
    })
}

/// The evaluation that the command line names.
fn evaluation_of(name: &str) -> anyhow::Result<Evaluation> {
    Ok(match name {
        "network" => Evaluation::default(),
        "terms" => Evaluation::terms(),
        path => {
            let network = Network::read(Path::new(path)).with_context(|| path.to_string())?;
            Evaluation::with_network(network)
        }
    })
}

/// The engine without and with ending tables.
struct Players {
    plain: EnginePlayer,
    with_tables: EnginePlayer,
}

impl Players {
    /// Ending tables are those of an evaluation, so each engine has one of its own.
    fn new(evaluation: &dyn Fn() -> anyhow::Result<Evaluation>) -> anyhow::Result<Self> {
        let settings = Settings { hash: 2, threads: 0, ..Settings::default() };
        let mut options = OptionValues::new(Position::engine_options());
        options.set("EndgameTables", "true")?;
        let tables = Settings { options, ..settings.clone() };
        Ok(Players {
            plain: EnginePlayer::with(evaluation()?, &settings),
            with_tables: EnginePlayer::with(evaluation()?, &tables),
        })
    }

    /// Plays a game in which `percent` of the moves are random. In one of `tables` games the engine
    /// knows the endings; such a game is played to its end.
    fn play(
        &mut self,
        limits: &Limits,
        percent: u64,
        tables: u64,
        random: &mut Random,
    ) -> anyhow::Result<Game> {
        let exact = tables > 0 && random.below(tables) == 0;
        let player = if exact { &mut self.with_tables } else { &mut self.plain };
        player.new_game();
        let mut game = random_opening(random);
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
            let request = Request::new(limits.clone());
            let choice = player.choose(game.situation(), &request, &mut report);
            let mover = game.situation().position().side();
            game.play(choice.context("the engine has no move")?.best, Some(score));
            if score.abs() == GREATEST && !exact {
                let winner = if score > 0 { mover } else { mover.other() };
                let mut game = game.finish();
                game.outcome = Outcome::win(2, winner.seat());
                return Ok(game);
            }
        }
        Ok(game.finish())
    }
}

/// A random set-up and random moves that do not end the game.
fn random_opening(random: &mut Random) -> Recorder<Record> {
    loop {
        let mut game = Recorder::<Record>::new(Position::setup(RuleOptions::default()));
        for _ in 0..=random.below(OPENING + 1) {
            if let Some(m) = game.situation().position().random_move(random) {
                game.play(m, None);
            }
        }
        if !game.situation().turn().is_over() {
            return game;
        }
    }
}

fn hundredths(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp.clamp(1 - GREATEST, GREATEST - 1),
        Score::Mate(plies) if plies > 0 => GREATEST,
        Score::Mate(_) => -GREATEST,
    }
}

/// The lines of `porrika record`: the result, then the moves with their score in hundredths for the
/// side that moves.
pub(crate) struct Record;

/// A recorded game of Por'rika.
pub(crate) type Game = RecordedGame<Record>;

impl RecordFormat for Record {
    type Position = Position;
    type Value = i32;

    fn parse_head(head: &str) -> anyhow::Result<(Position, Option<Outcome>)> {
        Ok((Position::setup(RuleOptions::default()), Some(parse_result(head)?)))
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
    /// The score of the move played in it, in hundredths for copper.
    pub score: f64,
    /// Copper's share of the point, if the result of the game tells anything about the position.
    pub share: Option<f64>,
}

/// Visits the positions of a game that were searched. The result tells nothing about positions
/// before a random move, nor where the game was cut off.
pub(super) fn for_each_searched(game: &Game, mut visit: impl FnMut(Searched)) {
    let share = game.outcome.share(Seat::new(0));
    let last_random = game.moves.iter().rposition(|(_, score)| score.is_none());
    let cut_off = game.outcome == Outcome::draw(2) && !ends_by_repetition(game);
    game.for_each_position(|position, index, score| {
        let Some(score) = score else { return };
        let copper = if position.side() == Side::Copper { *score } else { -*score };
        let tells = !cut_off && last_random.is_none_or(|last| index > last);
        visit(Searched { position, score: f64::from(copper), share: tells.then_some(share) });
    });
}

/// Whether the last position of a game is its third of that kind.
fn ends_by_repetition(game: &Game) -> bool {
    let mut positions = vec![game.start];
    for (m, _) in &game.moves {
        let mut next = positions[positions.len() - 1];
        next.play(m);
        positions.push(next);
    }
    let last = positions[positions.len() - 1];
    positions.iter().filter(|position| **position == last).count() >= 3
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::learning::recorded_games::parse_games;

    fn played(seed: u64) -> Game {
        let mut players = Players::new(&|| Ok(Evaluation::terms())).expect("players");
        players.play(&Limits::nodes(50), 10, 0, &mut Random::new(seed)).expect("a game")
    }

    #[test]
    fn a_game_reads_back_as_its_line_with_its_scores() {
        let line = played(3).to_string();
        let game = Game::parse(&line).expect(&line);
        assert_eq!(game.to_string(), line);
        let mut searched = 0;
        for_each_searched(&game, |_| searched += 1);
        assert_eq!(searched, line.matches(':').count());
        assert!(searched > 0 && searched < game.moves.len(), "{line}");
    }

    /// The result is that of the rules, or of the last score where it is proven.
    #[test]
    fn results_are_those_of_the_rules_or_of_a_proof() {
        let (mut ended, mut proven) = (0, 0);
        for seed in 1..20 {
            let game = played(seed);
            let mut last = game.start;
            let mut mover = last.side();
            for (m, _) in &game.moves {
                mover = last.side();
                last.play(m);
            }
            match (last.outcome(), game.moves.last()) {
                (Some(outcome), _) => {
                    assert_eq!(outcome, game.outcome);
                    ended += 1;
                }
                (None, Some((_, Some(score)))) if score.abs() == GREATEST => {
                    let place = if *score > 0 { 1 } else { 2 };
                    assert_eq!(game.outcome.place(mover.seat()), place);
                    proven += 1;
                }
                _ => assert_eq!(game.outcome, Outcome::draw(2)),
            }
        }
        assert!(ended + proven > 10 && proven > 0, "{ended} {proven}");
    }

    #[test]
    fn equal_arguments_give_equal_files_and_other_ones_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = |out: &str, seed: &str| -> anyhow::Result<String> {
            let out = folder.path().join(out);
            let path = out.to_str().expect("UTF-8");
            let arguments = ["record", "--games", "6", "--nodes", "20", "--out", path, "--seed"];
            run(&subcommand().command.get_matches_from(arguments.iter().chain(&[seed])))?;
            Ok(fs::read_to_string(out.join("games-00001.txt"))?)
        };
        let games = record("first", "1").expect("games");
        assert_eq!(games.lines().count(), 6);
        assert_eq!(record("second", "1").expect("games"), games);
        assert_ne!(record("third", "2").expect("games"), games);
        assert!(record("first", "2").is_err());
    }

    #[test]
    fn a_line_that_is_wrong_is_refused_with_the_reason() {
        for (line, reason) in [
            ("", "'' is no result"),
            ("2-0 EGGEG.G.", "'2-0' is no result"),
            ("1-0 EGGEG.G. b6wb5e", "move 'b6wb5e'"),
            ("1-0 EGG", "move 'EGG'"),
            ("1-0 EGGEG.G. a1na2e:x", "value of 'a1na2e:x'"),
            ("1-0 EGGEG.G. a1na2e:2001", "at most 2000"),
        ] {
            let games = parse_games::<Record>(&format!("1-0 EGGEG.G.:5\n{line}\n"));
            let error = format!("{:#}", games.err().expect(line));
            assert!(error.contains(reason) && error.contains("line 2"), "{line}: {error}");
        }
    }

    #[test]
    fn shares_count_only_after_the_last_random_move_and_where_the_game_has_an_end() {
        let shares = |line: &str| {
            let mut seen = Vec::new();
            let game = Game::parse(line).expect(line);
            for_each_searched(&game, |at| seen.push((at.score, at.share)));
            seen
        };
        let moves = "EGGEG.G. a1na2e:30 b6wb5e a2ea3n:40 b5eb4s:2000";
        let silver_wins = shares(&format!("0-1 {moves}"));
        assert_eq!(silver_wins, [(30.0, None), (40.0, Some(0.0)), (-2000.0, Some(0.0))]);
        let cut_off = shares(&format!("1/2 {moves}"));
        assert!(cut_off.iter().all(|(_, share)| share.is_none()), "{cut_off:?}");
    }
}
