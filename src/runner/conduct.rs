//! A whole match: tables play, one place counts, records and shows.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, ensure};
use crossbeam_channel::{Receiver, Sender, bounded};
use serde_json::json;

use super::display::Display;
use super::fault::Fault;
use super::interrupt;
use super::options::MatchOptions;
use super::record::{FORMAT, Header, Record, Writer};
use super::schedule::{Plan, Schedule, Seating};
use super::setup::Setup;
use super::show;
use super::standings::Standings;
use super::table::{Abort, Table};
use crate::statistics::{Sprt, Verdict};

/// Exit code: an engine was at fault.
const FAULT_SEEN: u8 = 1;

/// Exit code: a sequential test was lost, or a score stayed below what was asked.
const MISSED: u8 = 3;

/// Exit code after Ctrl-C, as shells know it.
const INTERRUPTED: u8 = 130;

/// Plays a match.
///
/// # Errors
/// Whatever keeps it from starting, a referee that fails, records that cannot be written.
pub fn run(options: MatchOptions, built_in: &[&str]) -> Result<ExitCode> {
    let options = options.with_config()?;
    let options = resumed_options(options)?;
    if let Some(path) = &options.save_config {
        options.save(path)?;
    }
    let sprt = options.sequential_test()?;
    ensure!(!options.resume || options.records.is_some(), "--resume needs --records FILE");
    let mut setup = options.setup(built_in)?;
    let trial = setup.trial()?;
    setup.seats = trial.seats;
    setup.abilities = trial.abilities;
    setup.answering.clone_from(&trial.answering);
    let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    let seating = Seating::parse(&options.seating, &names, setup.seats)?;
    let tournament = options.tournament();
    let (number, count) = options.share()?;
    let schedule = Schedule::new(
        names.len(),
        setup.seats,
        tournament,
        &seating,
        options.rounds,
        options.games,
    )?
    .share(number, count);
    ensure!(sprt.is_none() || names.len() == 2, "--sprt compares two engines");
    let header = Header {
        parlor: FORMAT,
        seats: setup.seats,
        engines: names.clone(),
        identities: trial.identities,
        rules: trial.rules,
        seed: setup.seed,
        bundles: schedule.bundle_sizes(),
        config: options.identity()?,
    };
    let standings = Standings::new(&names, setup.seats, schedule.bundle_sizes());
    let mut desk = Desk { standings, done: BTreeSet::new(), writer: None, text: None, sprt };
    desk.open(&options, &header)?;
    let stop = install_interrupts()?;
    let verdict = desk.play(&options, &setup, &schedule, stop)?;
    desk.conclude(&options, verdict)
}

/// With `--resume` and no engines, the match is the one of the records.
fn resumed_options(options: MatchOptions) -> Result<MatchOptions> {
    let Some(path) = options.records.clone().filter(|_| options.resume) else {
        return Ok(options);
    };
    if !options.engines.is_empty() || !path.exists() {
        return Ok(options);
    }
    let header = super::record::header(&path)?;
    options.over_header(&header.config)
}

/// Whether games in progress are the last.
static LAST_GAMES: AtomicBool = AtomicBool::new(false);

fn install_interrupts() -> Result<&'static AtomicBool> {
    interrupt::listen(|requests| {
        LAST_GAMES.store(true, Ordering::SeqCst);
        let message = match requests {
            1 => "finishing the games in progress; once more stops at once",
            _ => "stopping now",
        };
        // Standard error may be gone with the terminal.
        let _ = writeln!(std::io::stderr(), "{message}");
    })
    .context("signals")?;
    Ok(&LAST_GAMES)
}

/// Where results come in.
struct Desk {
    standings: Standings,
    done: BTreeSet<u64>,
    writer: Option<Writer>,
    text: Option<File>,
    sprt: Option<Sprt>,
}

/// What a table reports.
type Report = Result<Record, Abort>;

/// The next game to be played, over all tables.
struct Cursor<'a> {
    schedule: &'a Schedule,
    done: &'a BTreeSet<u64>,
    number: Mutex<u64>,
    stop: &'a AtomicBool,
}

impl Cursor<'_> {
    fn next(&self) -> Option<Plan> {
        let mut number = self.number.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return None;
            }
            let plan = self.schedule.next(*number)?;
            *number = plan.game + 1;
            if !self.done.contains(&plan.game) {
                return Some(plan);
            }
        }
    }
}

impl Desk {
    /// Opens the records: anew, or where a match was left.
    fn open(&mut self, options: &MatchOptions, header: &Header) -> Result<()> {
        let mut text = options.text.as_deref().map(create_text).transpose()?;
        if let Some(path) = &options.records {
            let (standings, done) = (&mut self.standings, &mut self.done);
            let mut seen = |record: Record| {
                ensure!(done.insert(record.game), "game {} is there twice", record.game);
                standings.add(&record);
                write_text(text.as_mut(), &record)
            };
            let resumed = if options.resume { Writer::resume(path, &mut seen)? } else { None };
            self.writer = Some(match resumed {
                Some((old, writer)) => {
                    check_same_match(&old, header)
                        .with_context(|| format!("--resume {}", path.display()))?;
                    writer
                }
                None => Writer::create(path, header)?,
            });
        }
        self.text = text;
        Ok(())
    }

    /// Plays what is left.
    fn play(
        &mut self,
        options: &MatchOptions,
        setup: &Setup,
        schedule: &Schedule,
        stop: &AtomicBool,
    ) -> Result<Verdict> {
        let done = std::mem::take(&mut self.done);
        let cursor = Cursor { schedule, done: &done, number: Mutex::new(1), stop };
        let tables = options.concurrency.unwrap_or(1).clamp(1, 1024);
        let cores = core_lists(options.affinity, tables);
        let report = options.report.unwrap_or(100);
        let played = done.len() as u64;
        let display = Display::new(schedule.total(), played, options.quiet, report, options.show);
        let (sender, receiver) = bounded(2 * tables);
        let result = std::thread::scope(|scope| {
            for (number, cores) in cores.into_iter().enumerate() {
                let (sender, cursor) = (sender.clone(), &cursor);
                scope.spawn(move || attend(setup, number + 1, cores, cursor, &sender));
            }
            drop(sender);
            let result = self.collect(&receiver, &display, stop);
            // Whatever ended the collecting, the tables must not wait for it.
            stop.store(true, Ordering::SeqCst);
            for _ in receiver {}
            result
        });
        display.finish();
        result
    }

    fn collect(
        &mut self,
        receiver: &Receiver<Report>,
        display: &Display,
        stop: &AtomicBool,
    ) -> Result<Verdict> {
        let mut verdict = self.verdict();
        if verdict != Verdict::Open {
            return Ok(verdict);
        }
        for report in receiver {
            let record = match report {
                Ok(record) => record,
                Err(Abort::Stopped) => continue,
                Err(Abort::Referee(fault)) => return Err(failed("the referee", &fault)),
                Err(Abort::Analyst(fault)) => {
                    return Err(failed("the engine that values throws", &fault));
                }
            };
            if let Some(writer) = &mut self.writer {
                writer.game(&record)?;
            }
            write_text(self.text.as_mut(), &record)?;
            self.standings.add(&record);
            if verdict == Verdict::Open {
                verdict = self.verdict();
                if verdict != Verdict::Open {
                    stop.store(true, Ordering::SeqCst);
                }
            }
            display.game(&record, &self.standings, self.test_line(verdict));
        }
        Ok(verdict)
    }

    fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(self.standings.duel()))
    }

    /// How the sequential test stands.
    fn test_line(&self, verdict: Verdict) -> Option<String> {
        let sprt = self.sprt.as_ref()?;
        let ratio = sprt.log_likelihood_ratio(self.standings.duel());
        let (lower, upper) = sprt.bounds();
        let (from, to, word) = (sprt.elo0, sprt.elo1, verdict_word(verdict));
        Some(format!("SPRT {from} to {to}: LLR {ratio:.2} in ({lower:.2}, {upper:.2}), {word}"))
    }

    fn write_json(&self, path: &Path, verdict: Verdict) -> Result<()> {
        let mut value = self.standings.json();
        if let Some(sprt) = &self.sprt {
            let (lower, upper) = sprt.bounds();
            value["sprt"] = json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "lower": lower, "upper": upper,
                "llr": sprt.log_likelihood_ratio(self.standings.duel()),
                "verdict": verdict_word(verdict),
            });
        }
        show::write_json(path, &value)
    }

    /// Prints what came out, and says it by the exit code.
    fn conclude(self, options: &MatchOptions, verdict: Verdict) -> Result<ExitCode> {
        let say = show::print;
        let games = self.standings.games();
        say(&format!("{games} {}", if games == 1 { "game" } else { "games" }));
        say(&self.standings.table());
        if let Some(line) = self.test_line(verdict) {
            say(&line);
        }
        if let Some(path) = &options.json {
            self.write_json(path, verdict)?;
        }
        let mut code = 0;
        if interrupt::finishing() {
            say("interrupted; --resume goes on from the records");
            code = INTERRUPTED;
        }
        if self.standings.faults() > 0 && !options.allow_faults {
            code = FAULT_SEEN;
        }
        if let Some(share) = options.fail_below
            && self.standings.first_score() < share
        {
            say(&format!("score {:.3} is below {share}", self.standings.first_score()));
            code = MISSED;
        }
        if verdict == Verdict::Lower {
            code = MISSED;
        }
        Ok(ExitCode::from(code))
    }
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Open => "open",
        Verdict::Lower => "elo0 accepted",
        Verdict::Higher => "elo1 accepted",
    }
}

/// One table: plays the next game until there is none.
fn attend(
    setup: &Setup,
    number: usize,
    cores: Vec<usize>,
    cursor: &Cursor,
    sender: &Sender<Report>,
) {
    let mut table = Table::new(setup, number, cores);
    while let Some(plan) = cursor.next() {
        let report = table.play(&plan);
        let over = report.is_err();
        if sender.send(report).is_err() || over {
            break;
        }
    }
    table.close();
}

fn failed(who: &str, fault: &Fault) -> anyhow::Error {
    anyhow!("{who} failed: {fault}\n  {}\n  {}", fault.position, fault.command)
}

fn create_text(path: &Path) -> Result<File> {
    File::create(path).with_context(|| format!("--text {}", path.display()))
}

fn write_text(file: Option<&mut File>, record: &Record) -> Result<()> {
    match file {
        Some(file) => file.write_all(show::text(record).as_bytes()).context("--text"),
        None => Ok(()),
    }
}

fn check_same_match(old: &Header, new: &Header) -> Result<()> {
    ensure!(
        old.config == new.config && old.bundles == new.bundles,
        "the records are of another match; theirs was: {}",
        old.config
    );
    ensure!(
        old.identities == new.identities && old.rules == new.rules,
        "the engines have changed: then {} ({}), now {} ({})",
        old.identities.join(", "),
        old.rules,
        new.identities.join(", "),
        new.rules
    );
    Ok(())
}

/// The cores of each table: as many as there are, shared out evenly and in order.
fn core_lists(wanted: bool, tables: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); tables];
    if !wanted {
        return lists;
    }
    let this = nix::unistd::Pid::from_raw(0);
    let Ok(set) = nix::sched::sched_getaffinity(this) else { return lists };
    let ours = (0..nix::sched::CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false));
    let ours: Vec<usize> = ours.collect();
    if ours.is_empty() {
        return lists;
    }
    for index in 0..tables.max(ours.len()) {
        let core = ours.get(index % ours.len()).copied().unwrap_or(0);
        if let Some(list) = lists.get_mut(index % tables) {
            list.push(core);
        }
    }
    lists
}
