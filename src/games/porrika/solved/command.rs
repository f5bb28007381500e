//! The subcommand `solve`: the exact value of an ending, from a tablebase generated or read, and what a
//! certificate proves.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use clap::{ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::certificate::Certificate;
use super::ending::Ending;
use super::tablebase::Tablebase;
use super::verdict::{Census, Verdict};
use crate::game::{Game, Notation, OptionError, OptionValues, Rules};
use crate::games::Subcommand;
use crate::games::porrika::rules::board::spaces;
use crate::games::porrika::rules::{Phase, Position, RuleOptions, Side};
use crate::printing::print_line;
use crate::progress;
use crate::search::{Bound, KnownValue, Score};

/// Solve an ending exactly: its value, its distance, the best moves.
///
/// The locked pairs of a position are its walls. Two kinds of ending are solved, by the pieces that
/// are not locked: two Egg-Carriers, a Guardian and a Ser'ra (48 million states, seconds); or, with
/// one Egg-Carrier home, the other one, at most two Guardians and two Ser'ra (2 billion states, only
/// with a table). Without a free Ser'ra the shortest ways of the eggs tell the value, or a bound of
/// it.
///
/// --set sets rule options. Under --set Repetition=silver a position that nobody can win by force is
/// won for silver. Other options that are not at their default are refused, but where the value
/// follows from the ways of the eggs.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
struct Solve {
    /// The position
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        required_unless_present = "certificate"
    )]
    fen: Option<String>,
    /// Read the table from this file instead of solving
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Check a certificate, as `parlor-lab porrika prove` writes it, and tell what it proves
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    certificate: Option<PathBuf>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=512))]
    threads: u16,
}

const EXAMPLES: &str = "Examples:
  porrika solve --fen 'EnEe,-,-,-/-,-,Gw,-/GnSs,-,-,GnSs/GnSs,-,-,-/-,-,Sn,-/-,-,-,-/-,-,-,- c'
  porrika solve --fen '...' --table walls.ending
  porrika solve --fen '...' --set Repetition=silver
  porrika solve --certificate win.certificate";

/// The subcommand.
pub(crate) fn subcommand() -> Subcommand {
    let command = Solve::augment_args(Command::new("solve"));
    Subcommand { command, run }
}

fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let arguments = Solve::from_arg_matches(matches)?;
    if let Some(path) = &arguments.certificate {
        return check_certificate(path, arguments.fen.as_deref());
    }
    let fen = arguments.fen.as_deref().unwrap_or_default();
    let position = Position::parse(fen, &rules(matches)?, None).context("--fen")?;
    let threads = usize::from(arguments.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| solve(&arguments, position))
}

fn solve(arguments: &Solve, position: Position) -> anyhow::Result<()> {
    if let Phase::Over(reason) = position.phase() {
        print_line!("value: over ({})", reason.name());
        return Ok(());
    }
    if let Some(known) = position.egg_run() {
        print_known(known, &position);
        if arguments.table.is_some() {
            bail!("--table: there is no table, the ways of the eggs tell the value");
        }
        return Ok(());
    }
    let ending = Ending::of(&position)?;
    let tablebase = match &arguments.table {
        Some(path) => read(path)?,
        None => generate(ending, usize::from(arguments.threads))?,
    };
    if tablebase.ending().walls() != ending.walls() {
        bail!("--table: the table is for other walls: {}", names(tablebase.ending().walls()));
    }
    if tablebase.ending() != ending {
        bail!("--table: the table is for other pieces; the position needs {}", ending.file_name());
    }
    print_values(&tablebase, &position)
}

/// Replays a certificate, and prints what it proves of its position, or of another one in it.
fn check_certificate(path: &Path, fen: Option<&str>) -> anyhow::Result<()> {
    let opened = Certificate::open(path);
    let (certificate, plies) =
        opened.with_context(|| format!("--certificate {}", path.display()))?;
    print_line!("certificate: {} positions, all replayed", certificate.len());
    let Some(fen) = fen else {
        print_line!("position: {}", certificate.root());
        print_line!("value: copper wins in {plies} plies or fewer");
        return Ok(());
    };
    let position = Position::parse(fen, &Position::default_rules(), None).context("--fen")?;
    let winning = certificate.winning(&position).context("nothing is proved of this position")?;
    print_line!("value: copper wins in {} plies or fewer", winning.plies);
    print_line!("move: {}", position.token(&winning.m));
    Ok(())
}

/// Prints what the ways of the eggs tell.
fn print_known(known: KnownValue, position: &Position) {
    match known.score {
        Score::Mate(plies) => {
            let verdict = verdict_of(plies, position.side());
            print_line!("value: {}", describe(verdict, position.options()));
        }
        Score::Cp(_) => print_line!("value: copper cannot win, the eggs have no way home"),
    }
    print_line!("bound: {}", describe_bound(known.bound));
}

/// The rule options that `--set` asks for.
fn rules(matches: &ArgMatches) -> anyhow::Result<OptionValues> {
    let mut rules = Position::default_rules();
    // Only the program declares the option, not the subcommand alone.
    let settings = matches.try_get_many::<String>("set").ok().flatten();
    for setting in settings.into_iter().flatten() {
        let (name, value) = setting
            .split_once('=')
            .with_context(|| format!("--set {setting}: expected NAME=VALUE"))?;
        rules.set(name.trim(), value).map_err(|error| match error {
            OptionError::Unknown(_) => {
                let names: Vec<_> = rules.specs().map(|spec| spec.name.as_str()).collect();
                anyhow!("--set {setting}: solve takes rule options only: {}", names.join(", "))
            }
            OptionError::Value { .. } => anyhow!("--set {setting}: {error}"),
        })?;
    }
    Ok(rules)
}

fn read(path: &Path) -> anyhow::Result<Tablebase> {
    let context = || format!("--table {}", path.display());
    let tablebase = Tablebase::open(path).with_context(context)?;
    tablebase.check().with_context(context)?;
    Ok(tablebase)
}

fn generate(ending: Ending, threads: usize) -> anyhow::Result<Tablebase> {
    let bar = progress::bar(ending.max_states(), "states");
    let started = Instant::now();
    let tablebase = Tablebase::solve(ending, threads, &|| false, &mut |_, found| bar.inc(found))?;
    bar.finish_and_clear();
    print_line!("solved: {:.2} s on {threads} threads", started.elapsed().as_secs_f64());
    Ok(tablebase)
}

fn names(walls: u128) -> String {
    let names: Vec<String> = spaces(walls).map(|space| space.to_string()).collect();
    if names.is_empty() { "none".into() } else { names.join(" ") }
}

/// What it means that nobody can force a win.
fn undecided(rules: RuleOptions) -> &'static str {
    if rules.repetition_wins { "silver wins by repetition" } else { "drawn" }
}

fn describe(verdict: Verdict, rules: RuleOptions) -> String {
    match verdict {
        Verdict::Drawn => undecided(rules).into(),
        Verdict::CopperWins(plies) => format!("copper wins in {plies} plies"),
        Verdict::SilverWins(plies) => format!("silver wins in {plies} plies"),
    }
}

/// How the value bounds that of the side to move.
fn describe_bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}

fn verdict_of(plies: i32, side: Side) -> Verdict {
    match (plies > 0) == (side == Side::Copper) {
        true => Verdict::CopperWins(plies.unsigned_abs()),
        false => Verdict::SilverWins(plies.unsigned_abs()),
    }
}

fn print_values(tablebase: &Tablebase, position: &Position) -> anyhow::Result<()> {
    let verdict = tablebase.probe(position).context("the table does not know the position")?;
    print_line!("walls: {}", names(tablebase.ending().walls()));
    for side in [Side::Copper, Side::Silver] {
        print_line!(
            "{} to move: {}",
            side.name(),
            summary(&tablebase.census(side)?, position.options())
        );
    }
    print_line!("value: {}", describe(verdict, position.options()));
    let mut best: Vec<String> = position
        .moves()
        .iter()
        .filter(|m| tablebase.is_best(position, m))
        .map(|m| position.token(m))
        .collect();
    best.sort_unstable();
    print_line!("best: {}", best.join(" "));
    Ok(())
}

fn summary(census: &Census, rules: RuleOptions) -> String {
    let share = |count: u64| 100.0 * count as f64 / census.states().max(1) as f64;
    format!(
        "{} states, copper wins {:.2} % (longest {} plies), silver wins {:.2} % (longest {}), \
         {} {:.2} %",
        census.states(),
        share(census.copper),
        census.longest_copper,
        share(census.silver),
        census.longest_silver,
        undecided(rules),
        share(census.drawn)
    )
}
