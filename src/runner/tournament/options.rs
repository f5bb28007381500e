//! The options of `parlor match`, which are also the keys of its config file, and the match that
//! they describe.

mod config;
mod consent;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::adjudication::AdjudicationRules;
use super::openings::{self, Opening};
use super::plan::{GameSettings, MatchPlan, RunSettings};
use super::schedule::{ScheduleOptions, Tournament};
use super::sequential::SequentialTest;
use crate::runner::key::{MatchKey, Purpose};
use crate::runner::process::{LONGEST_WAIT, Launcher, Limits, Specification, make_names_unique};
pub(in crate::runner) use config::check as check_config;
use values::{parse_cores, parse_draw_rule, parse_resignation, parse_shard};

/// The order openings are played in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::runner) enum OrderName {
    /// As in the file.
    Sequential,
    /// Shuffled by the match key.
    Random,
}

/// What follows a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::runner) enum OnFault {
    /// The game ends, the faulty engine in the last place.
    Lose,
    /// A random mover takes the seat.
    Random,
}

/// Play matches between engine processes.
#[derive(Clone, PartialEq, Default, Debug, Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::runner) struct MatchOptions {
    /// The engines, one argument each: NAME of a built-in engine or a program, then key=value
    /// settings (name cmd args dir proto ponder restart option.X tc movetime nodes depth margin)
    #[arg(value_name = "ENGINE")]
    pub(super) engines: Vec<String>,
    /// key=value settings for every engine
    #[arg(long, value_name = "SETTINGS", help_heading = "Engines")]
    pub(super) each: Option<String>,
    /// The engine that referees [default: the first engine's program, without its options]
    #[arg(long, value_name = "ENGINE", help_heading = "Engines")]
    pub(super) referee: Option<String>,
    /// A rule option of the game for all processes, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE", help_heading = "Engines")]
    pub(super) rules: Vec<String>,
    /// Time limit of isready, stop and queries in milliseconds [default: 10000]
    #[arg(long, value_name = "MS", help_heading = "Engines")]
    pub(super) patience: Option<u64>,
    /// Time limit of the start of an engine in milliseconds [default: 10000]
    #[arg(long, value_name = "MS", help_heading = "Engines")]
    pub(super) handshake: Option<u64>,
    /// Time limit of a new game in milliseconds [default: that of --patience]
    #[arg(long, value_name = "MS", help_heading = "Engines")]
    pub(super) new_game: Option<u64>,

    /// Which engines play each other: round-robin (all pairs), gauntlet (the first engine, or
    /// the first --firsts, against each other one), knockout (seeded in the order given; after a tie
    /// up to three more bundles, then the one named first goes on) or swiss (equal points meet,
    /// nobody twice; a bye counts as won)
    /// [default: round-robin]
    #[arg(long, value_name = "HOW", hide_possible_values = true, help_heading = "Games")]
    pub(super) tournament: Option<Tournament>,
    /// The number of engines that play a gauntlet against the rest [default: 1]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) firsts: Option<usize>,
    /// one-v-rest, all, or engine names in seat order such as A,B,B,B (repeat for more)
    /// [default: one-v-rest]
    #[arg(long, value_name = "HOW", help_heading = "Games")]
    pub(super) seating: Vec<String>,
    /// Games of each pairing, in knockout and swiss of each encounter
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) games: Option<u64>,
    /// Rounds: in each, every pairing plays one opening once per seating [default: 1]; in swiss,
    /// each engine meets another one [default: as many as a knockout has]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) rounds: Option<u64>,
    /// Play the match number N: the same dice, openings and seeds of engines whenever it is
    /// repeated. Engines can guess a small N [default: a secret key from the system]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) seed: Option<u64>,
    /// The same with a secret key: a file of 64 hexadecimal digits or 32 bytes
    #[arg(long, value_name = "FILE", conflicts_with = "seed", help_heading = "Games")]
    pub(super) key_file: Option<PathBuf>,
    /// Where the key lies that no seat may read
    #[arg(skip)]
    #[serde(skip)]
    pub(super) key_beside: Option<PathBuf>,
    /// The key of the match, once it is settled
    #[arg(skip)]
    #[serde(skip)]
    pub(super) key: Option<MatchKey>,
    /// A file of openings: games in PGN; a book of `parlor book`, from which lines are drawn; or one
    /// a line: startpos moves ..., fen ..., EPD, bare moves
    #[arg(long, value_name = "FILE", help_heading = "Games")]
    pub(super) openings: Option<PathBuf>,
    /// The order of the openings: sequential, or random by the match key [default: sequential]
    #[arg(long, value_name = "ORDER", hide_possible_values = true, help_heading = "Games")]
    pub(super) opening_order: Option<OrderName>,
    /// The number of the first opening [default: 1]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) opening_start: Option<usize>,
    /// Play only so many plies of each opening [default: all]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) opening_plies: Option<usize>,
    /// Random plies after the opening [default: 0]
    #[arg(long, value_name = "N", help_heading = "Games")]
    pub(super) random_plies: Option<u32>,
    /// Play part I of N, to divide a match between N machines
    #[arg(long, value_name = "I/N", help_heading = "Games")]
    pub(super) shard: Option<String>,

    /// Time control: [moves/]seconds[+increment], also as m:s; inf: none
    #[arg(long, value_name = "CLOCK", help_heading = "Limits")]
    pub(super) tc: Option<String>,
    /// Milliseconds per move [default: 100, if there is no other limit]
    #[arg(long, value_name = "MS", help_heading = "Limits")]
    pub(super) movetime: Option<u64>,
    /// Nodes per move
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) nodes: Option<u64>,
    /// Search depth per move
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(super) depth: Option<u32>,
    /// Milliseconds that a move may be late before it is a fault [default: 100]
    #[arg(long, value_name = "MS", help_heading = "Limits")]
    pub(super) margin: Option<u64>,
    /// Time limit of a move in seconds where no limit is one of time [default: 120]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    pub(super) move_timeout: Option<u64>,

    /// Draw a game after this number of moves
    #[arg(long, value_name = "N", help_heading = "Adjudication")]
    pub(super) ply_limit: Option<usize>,
    /// Resign for a side after MOVES of its moves in a row at -CP or below (two seats); with ,both
    /// only if the other side is at CP or above as long
    #[arg(long, value_name = "MOVES,CP[,both]", help_heading = "Adjudication")]
    pub(super) resign: Option<String>,
    /// From move FROM on, draw after MOVES moves in a row of every side within CP of zero
    #[arg(long, value_name = "FROM,MOVES,CP", help_heading = "Adjudication")]
    pub(super) draw: Option<String>,
    /// The engine whose scores --resign and --draw use [default: those of the players]
    #[arg(long, value_name = "ENGINE", help_heading = "Adjudication")]
    pub(super) adjudicator: Option<String>,
    /// After a fault: lose (the game ends) or random (a random mover takes the seat)
    /// [default: lose]
    #[arg(long, value_name = "WHAT", hide_possible_values = true, help_heading = "Adjudication")]
    pub(super) on_fault: Option<OnFault>,

    /// Games at the same time [default: 1]
    #[arg(short, long, value_name = "N", help_heading = "Running")]
    pub(super) concurrency: Option<usize>,
    /// Give each of the concurrent games its own processor cores
    #[arg(long, help_heading = "Running")]
    pub(super) affinity: bool,
    /// The processor cores of the concurrent games, such as 0-3,8: they are dealt out in order
    #[arg(long, value_name = "LIST", help_heading = "Running")]
    pub(super) cores: Option<String>,
    /// End the match by a sequential test: "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized"
    #[arg(long, value_name = "PARAMETERS", help_heading = "Running")]
    pub(super) sprt: Option<String>,
    /// Start no further game once this file exists, as `parlor merge --sprt` makes it
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    pub(super) stop_file: Option<PathBuf>,
    /// Milliseconds between two games of a slot [default: 0]
    #[arg(long, value_name = "MS", help_heading = "Running")]
    pub(super) wait: Option<u64>,
    /// Exit with code 3 if the first engine's score is below this share
    #[arg(long, value_name = "SHARE", help_heading = "Running")]
    pub(super) fail_below: Option<f64>,
    /// Exit with code 0 even after faults
    #[arg(long, help_heading = "Running")]
    pub(super) allow_faults: bool,
    /// Read the options from a JSON file; the command line overrides it
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    #[serde(skip)]
    pub(super) config: Option<PathBuf>,
    /// Write the options to a JSON file for --config
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    #[serde(skip)]
    pub(super) save_config: Option<PathBuf>,

    /// Record every game in a file of JSON lines
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) records: Option<PathBuf>,
    /// Continue the match in FILE, or in that of --records
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
        default_missing_value = "", help_heading = "Output")]
    #[serde(skip)]
    pub(super) resume: Option<String>,
    /// Run the programs that the records of --resume name without asking
    #[arg(short, long, help_heading = "Output")]
    #[serde(skip)]
    pub(super) yes: bool,
    /// Value every throw and adjust results for luck; ENGINE values throws, by its own limits
    /// [default: the referee, depth=1]
    #[arg(long, value_name = "ENGINE", num_args = 0..=1, require_equals = true,
        default_missing_value = "", help_heading = "Games")]
    pub(super) luck: Option<String>,
    /// Leave times out of the records, so that equal games give equal lines
    #[arg(long, help_heading = "Output")]
    pub(super) reproducible: bool,
    /// Write every game as readable text
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) text: Option<PathBuf>,
    /// Write every game as PGN, as `parlor export` does
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) pgn: Option<PathBuf>,
    /// Keep the standard error of engines in files in this directory
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(super) stderr: Option<PathBuf>,
    /// Log everything sent to engines and received from them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) log: Option<PathBuf>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) json: Option<PathBuf>,
    /// Write the games as JUnit XML: a fault of an engine is a failure
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(super) junit: Option<PathBuf>,
    /// Draw the board after every move
    #[arg(long, help_heading = "Output")]
    pub(super) show: bool,
    /// Print the standings after every N games, if not on a terminal; 0: only at the end
    /// [default: 100]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(super) report: Option<u64>,
    /// Print no line for each game
    #[arg(short, long, help_heading = "Output")]
    pub(super) quiet: bool,
}

impl MatchOptions {
    /// The validated match.
    ///
    /// # Errors
    /// The first option that makes no sense.
    pub(super) fn plan(&self, built_in: &[&str]) -> Result<MatchPlan> {
        let (engines, referee, analyst) = self.specifications(built_in)?;
        Ok(MatchPlan {
            launcher: self.launcher()?,
            engines,
            referee,
            analyst,
            adjudicator: self.adjudicator_specification(built_in)?,
            schedule: self.schedule_options()?,
            games: self.game_settings()?,
            run: self.run_settings()?,
            identity: self.identity()?,
            recorded_run: self.recorded_run()?,
        })
    }

    /// Who plays whom, how often, in which seats.
    ///
    /// # Errors
    /// A shard that makes no sense, or no game at all.
    pub(super) fn schedule_options(&self) -> Result<ScheduleOptions> {
        for (option, count) in [("--games", self.games), ("--rounds", self.rounds)] {
            ensure!(count != Some(0), "{option} 0: a match has at least one");
        }
        Ok(ScheduleOptions {
            tournament: self.tournament.unwrap_or_default(),
            firsts: self.firsts,
            seating: self.seating.clone(),
            rounds: self.rounds,
            games: self.games,
            shard: self.shard.as_deref().map_or(Ok((0, 1)), parse_shard)?,
        })
    }

    /// The engines, the referee, and the analyst if there is one.
    fn specifications(
        &self,
        built_in: &[&str],
    ) -> Result<(Vec<Specification>, Specification, Option<Specification>)> {
        let each = self.each.as_deref();
        let parse = |text: &String| Specification::parse(text, each, built_in);
        let mut engines = self.engines.iter().map(parse).collect::<Result<Vec<_>>>()?;
        make_names_unique(&mut engines)?;
        let Some(first) = engines.first() else {
            bail!("no engines; name two, as in: parlor match barca barca");
        };
        let referee = match &self.referee {
            Some(text) => Specification::parse(text, None, built_in).context("--referee")?,
            None => Specification { options: Vec::new(), ..first.clone() },
        };
        let analyst = match self.luck.as_deref() {
            None => None,
            Some("") => Some(Specification { limits: Limits::default(), ..referee.clone() }),
            Some(text) => Some(Specification::parse(text, None, built_in).context("--luck")?),
        };
        Ok((engines, referee, analyst))
    }

    /// The engine whose scores end games; it must know when to stop.
    fn adjudicator_specification(&self, built_in: &[&str]) -> Result<Option<Specification>> {
        let Some(text) = &self.adjudicator else { return Ok(None) };
        let engine = Specification::parse(text, None, built_in).context("--adjudicator")?;
        ensure!(
            self.resign.is_some() || self.draw.is_some(),
            "--adjudicator gives scores for --resign and --draw; add one of them"
        );
        ensure!(
            engine.limits.is_bound() && engine.limits.clock.is_none(),
            "--adjudicator {text}: add nodes=, depth= or movetime="
        );
        Ok(Some(engine))
    }

    fn launcher(&self) -> Result<Launcher> {
        let waits = [
            ("--patience", self.patience),
            ("--handshake", self.handshake),
            ("--new-game", self.new_game),
            ("--wait", self.wait),
        ];
        for (option, ms) in waits {
            let longest = LONGEST_WAIT * 1000;
            ensure!(
                ms.is_none_or(|ms| ms <= longest),
                "{option} {}: write a number of milliseconds up to {longest}",
                ms.unwrap_or_default()
            );
        }
        let patience = Duration::from_millis(self.patience.unwrap_or(10_000));
        let limit = |ms: Option<u64>| ms.map(Duration::from_millis);
        let mut launcher = Launcher::new(&self.rules, patience)?
            .with_limits(limit(self.handshake), limit(self.new_game));
        if let Some(path) = &self.log {
            launcher = launcher.with_log(path)?;
        }
        if let Some(directory) = &self.stderr {
            launcher = launcher.with_error_directory(directory)?;
        }
        Ok(launcher)
    }

    fn game_settings(&self) -> Result<GameSettings> {
        let move_timeout = self.move_timeout.unwrap_or(120);
        ensure!(
            (1..=LONGEST_WAIT).contains(&move_timeout),
            "--move-timeout {move_timeout}: write a number of seconds from 1 to {LONGEST_WAIT}"
        );
        let key = self.key.clone().map_or_else(MatchKey::from_system, Ok)?;
        let (openings, openings_hash) = self.opening_list(&key)?;
        Ok(GameSettings {
            limits: self.limits()?,
            move_timeout: Duration::from_secs(move_timeout),
            openings,
            openings_hash,
            random_plies: self.random_plies.unwrap_or(0),
            key,
            key_given: self.gives_key(),
            seed: self.seed,
            adjudication: AdjudicationRules {
                ply_limit: self.ply_limit,
                resignation: self.resign.as_deref().map(parse_resignation).transpose()?,
                draw: self.draw.as_deref().map(parse_draw_rule).transpose()?,
            },
            substitutes: self.on_fault == Some(OnFault::Random),
            show: self.show,
            reproducible: self.reproducible,
        })
    }

    fn run_settings(&self) -> Result<RunSettings> {
        let concurrency = self.concurrency.unwrap_or(1);
        ensure!(
            (1..=1024).contains(&concurrency),
            "--concurrency {concurrency}: write a number from 1 to 1024"
        );
        ensure!(!self.show || concurrency <= 1, "--show draws one game; leave --concurrency out");
        ensure!(
            self.sprt.is_none() || self.shard.is_none(),
            "--sprt decides over the games of all shards: leave it out, add --stop-file FILE, and \
             run parlor merge SHARDS --sprt '{}' --stop-file FILE from time to time",
            self.sprt.as_deref().unwrap_or_default()
        );
        Ok(RunSettings {
            concurrency,
            affinity: self.affinity,
            cores: self.cores.as_deref().map(parse_cores).transpose()?,
            sprt: self.sprt.as_deref().map(SequentialTest::parse).transpose()?,
            stop_file: self.stop_file.clone(),
            fail_below: self.fail_below,
            allow_faults: self.allow_faults,
            records: self.records.clone(),
            resume: self.resume.is_some(),
            text: self.text.clone(),
            pgn: self.pgn.clone(),
            wait: Duration::from_millis(self.wait.unwrap_or(0)),
            json: self.json.clone(),
            junit: self.junit.clone(),
            report: self.report.unwrap_or(100),
            quiet: self.quiet,
        })
    }

    fn limits(&self) -> Result<Limits> {
        let mut limits = Limits::default();
        let limit_values = [
            ("tc", self.tc.clone()),
            ("movetime", self.movetime.map(|ms| ms.to_string())),
            ("nodes", self.nodes.map(|nodes| nodes.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("margin", Some(self.margin.unwrap_or(100).to_string())),
        ];
        for (key, value) in limit_values {
            if let Some(value) = value {
                limits.set(key, &value).with_context(|| format!("--{key}"))?;
            }
        }
        limits.check()?;
        if !limits.is_bound() {
            limits.move_time = Some(Duration::from_millis(100));
        }
        Ok(limits)
    }

    /// The openings, in the order they are played, and the hash of their file.
    fn opening_list(&self, key: &MatchKey) -> Result<(Vec<Opening>, Option<String>)> {
        let Some(path) = &self.openings else { return Ok((vec![Opening::startpos()], None)) };
        let drawn = key.seed(Purpose::OpeningOrder, 1, 0, 0);
        let (mut list, hash) = openings::read(path, self.opening_plies, drawn)?;
        if let Some(plies) = self.opening_plies {
            list.iter_mut().for_each(|opening| *opening = opening.cut(plies));
        }
        let shuffled = self.opening_order == Some(OrderName::Random);
        let seed = key.seed(Purpose::OpeningOrder, 0, 0, 0);
        openings::arrange(&mut list, shuffled, self.opening_start.unwrap_or(1), seed);
        Ok((list, Some(hash)))
    }
}
