//! The subcommand `solve`: the exact value of an ending, from a tablebase generated or read.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::ending::Ending;
use super::tablebase::Tablebase;
use super::verdict::{Census, Verdict};
use crate::files;
use crate::game::{Game, Notation, OptionError, OptionValues, Rules};
use crate::games::Subcommand;
use crate::games::porrika::rules::board::spaces;
use crate::games::porrika::rules::{Phase, Position, RuleOptions, Side};
use crate::printing::print_line;
use crate::search::{Bound, Score};

/// The subcommand.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("solve")
        .about("Solve an ending exactly: its value, its distance, the best moves")
        .long_about(
            "Solve an ending exactly: its value, its distance, the best moves.\n\n\
             The locked pairs of a position are its walls. Two kinds of ending are solved, by the \
             pieces that are not locked: two Egg-Carriers, a Guardian and a Ser'ra (48 million \
             states, seconds); or, with one Egg-Carrier home, the other one, at most two Guardians \
             and two Ser'ra (2 billion states, minutes, 8 GB of memory). Without a free Ser'ra the \
             shortest ways of the eggs tell the value, or a bound of it.\n\n\
             --set sets rule options. Under --set Repetition=silver a position that nobody can win \
             by force is won for silver. Other options that are not at their default are refused, \
             but where the value follows from the ways of the eggs.",
        )
        .after_help(
            "Examples:\n  \
             porrika solve --fen 'EnEe,-,-,-/-,-,Gw,-/GnSs,-,-,GnSs/GnSs,-,-,-/-,-,Sn,-/-,-,-,-/\
             -,-,-,- c' --out walls.ending\n  \
             porrika solve --fen '...' --table walls.ending --verify\n  \
             porrika solve --fen '...' --out endings/      setoption name EndgamePath value endings\n  \
             porrika solve --fen '...' --set Repetition=silver",
        )
        .arg(
            Arg::new("fen")
                .long("fen")
                .value_name("TEXT")
                .allow_hyphen_values(true)
                .required(true)
                .help("The position"),
        )
        .arg(
            path("out", "Write the table to this file, or into this folder under its usual name")
                .conflicts_with("table"),
        )
        .arg(path("table", "Read the table from this file instead of solving"))
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .default_value("2")
                .value_parser(value_parser!(u16).range(1..=512))
                .help("Threads"),
        )
        .arg(
            Arg::new("verify")
                .long("verify")
                .value_name("N")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("1")
                .value_parser(value_parser!(u32).range(1..))
                .help("Check that every value of each N-th part follows from its successors"),
        );
    Subcommand { command, run }
}

fn path(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name("FILE").value_parser(value_parser!(PathBuf)).help(help)
}

fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    let threads = usize::from(*matches.get_one::<u16>("threads").unwrap_or(&2));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| solve(matches, threads))
}

fn solve(matches: &ArgMatches, threads: usize) -> anyhow::Result<()> {
    let text = matches.get_one::<String>("fen").map_or("", String::as_str);
    let position = Position::parse(text, &rules(matches)?, None).context("--fen")?;
    if let Phase::Over(reason) = position.phase() {
        print_line!("value: over ({})", reason.name());
        return Ok(());
    }
    if let Some(known) = position.egg_run() {
        match known.score {
            Score::Mate(plies) => {
                print_line!(
                    "value: {}",
                    describe(verdict_of(plies, position.side()), position.options())
                )
            }
            Score::Cp(_) => print_line!("value: copper cannot win, the eggs have no way home"),
        }
        print_line!("bound: {}", describe_bound(known.bound));
        for name in ["out", "table", "verify"] {
            if matches.contains_id(name) {
                bail!("--{name}: there is no table, the ways of the eggs tell the value");
            }
        }
        return Ok(());
    }
    let ending = Ending::of(&position)?;
    let out = matches.get_one::<PathBuf>("out").map(|path| match path.is_dir() {
        true => path.join(ending.file_name()),
        false => path.clone(),
    });
    if let Some(path) = &out {
        files::ensure_writable(path).with_context(|| format!("--out {}", path.display()))?;
    }
    let tablebase = match matches.get_one::<PathBuf>("table") {
        Some(path) => read(path)?,
        None => generate(ending, threads)?,
    };
    if tablebase.ending().walls() != ending.walls() {
        bail!("--table: the table is for other walls: {}", names(tablebase.ending().walls()));
    }
    if tablebase.ending() != ending {
        bail!("--table: the table is for other pieces; the position needs {}", ending.file_name());
    }
    print_values(&tablebase, &position)?;
    if let Some(stride) = matches.get_one::<u32>("verify") {
        verify(&tablebase, *stride as usize)?;
    }
    if let Some(path) = out {
        let bytes = tablebase.save(&path).with_context(|| format!("--out {}", path.display()))?;
        print_line!("written: {}, {} kB", path.display(), bytes.div_ceil(1000));
    }
    Ok(())
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
                let names: Vec<_> = rules.specs().iter().map(|spec| spec.name.as_str()).collect();
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
    let bar = bar(ending.max_states(), "solving")?;
    let started = Instant::now();
    let tablebase = Tablebase::solve(ending, threads, &|| false, &mut |ply, found| {
        bar.inc(found);
        bar.set_message(format!("ply {ply}"));
    })?;
    bar.finish_and_clear();
    print_line!("solved: {:.2} s on {threads} threads", started.elapsed().as_secs_f64());
    Ok(tablebase)
}

/// A progress bar on standard error, if that is a terminal.
fn bar(length: u64, what: &'static str) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{prefix} {bar:40} {percent:>3}% {eta:>4} {msg}")?;
    let bar = ProgressBar::new(length).with_style(style).with_prefix(what);
    Ok(bar)
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

fn verify(tablebase: &Tablebase, stride: usize) -> anyhow::Result<()> {
    let bar = bar(tablebase.ending().max_states() / stride as u64, "verifying")?;
    let verified = AtomicU64::new(0);
    let result = tablebase.verify(stride, &|count| {
        bar.set_position(verified.fetch_add(count, Ordering::Relaxed) + count);
    });
    bar.finish_and_clear();
    match result {
        Ok(count) => print_line!("verified: {count} states, each the best of its successors"),
        Err(mismatch) => bail!(
            "the table is wrong: {} is {:?} there and {:?} by its successors",
            mismatch.position,
            mismatch.stored,
            mismatch.expected
        ),
    }
    Ok(())
}
