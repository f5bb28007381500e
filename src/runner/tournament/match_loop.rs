//! `parlor match`: slots play games at the same time, one thread collects the results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use crossbeam_channel::{Receiver, Sender, bounded};

use super::officials::Abort;
use super::open_files;
use super::options::MatchOptions;
use super::plan::RunSettings;
use super::progress::Progress;
use super::record::{NumberSet, Record};
use super::results::Results;
use super::schedule::stages::{LOOK, SharedStages};
use super::schedule::{Schedule, ScheduledGame};
use super::setup::Setup;
use super::slot::GameSlot;
use crate::files;
use crate::printing::{note, note_line};
use crate::runner::build_report;
use crate::runner::key::MatchKey;
use crate::runner::process::{Fault, ensure_threads, interrupt, pin_thread, start_all};
use crate::statistics::Verdict;

/// Plays a match.
///
/// # Errors
/// A start that fails, a referee that fails, records that cannot be written.
pub(in crate::runner) fn run(options: MatchOptions, built_in: &[&str]) -> Result<ExitCode> {
    let junit = options.junit.clone();
    build_report::reported(junit.as_deref(), "match", run_match(options, built_in))
}

fn run_match(options: MatchOptions, built_in: &[&str]) -> Result<ExitCode> {
    options.check_file_names()?;
    let options = options.with_config()?.with_records(built_in)?.with_key()?;
    if let Some(path) = &options.save_config {
        options.save(path)?;
    }
    let taken = options.key_in_reach().map(TakenKey::take).transpose()?;
    let plan = options.plan(built_in)?;
    ensure_cores_exist(&plan.run)?;
    if let Some(path) = &plan.run.json {
        // Not only after the last game.
        files::ensure_writable(path).with_context(|| format!("--json {}", path.display()))?;
    }
    let setup = Setup::new(plan)?;
    open_files::ensure_enough(&setup)?;
    ensure_threads("--concurrency", setup.plan.run.concurrency)?;
    let warnings = [setup.trial.referee.warning().map(Into::into), setup.warning()];
    for warning in warnings.into_iter().flatten() {
        note_line!("warning: {warning}");
    }
    let (mut results, played) = Results::open(&setup)?;
    let stop = install_interrupts()?;
    taken.into_iter().for_each(TakenKey::hand_over);
    let mut verdict = play(&setup, &mut results, &played, stop);
    let kept = [results.keep_records(), results.keep_key(&setup, &verdict)];
    for lost in kept.into_iter().filter_map(Result::err) {
        verdict = Err(match verdict {
            Ok(_) => lost,
            Err(fault) => fault.context(lost),
        });
    }
    // The games before a fault are worth keeping.
    results.keep_text()?;
    results.conclude(&setup.plan.run, verdict?)
}

/// A key whose file was taken away from engines that are tried; dropped, it is there again.
struct TakenKey {
    key: MatchKey,
    path: PathBuf,
}

impl TakenKey {
    /// Takes the file away.
    ///
    /// # Errors
    /// When something else is there, or it cannot be removed.
    fn take((key, path): (MatchKey, PathBuf)) -> Result<Self> {
        key.take_away(&path)?;
        Ok(TakenKey { key, path })
    }

    /// Leaves it to the match to keep the key.
    fn hand_over(self) {
        std::mem::forget(self);
    }
}

impl Drop for TakenKey {
    fn drop(&mut self) {
        if let Err(error) = self.key.keep(&self.path) {
            note_line!("{error:#}");
        }
    }
}

/// Whether no further game is to be started.
static STOP: AtomicBool = AtomicBool::new(false);

fn install_interrupts() -> Result<&'static AtomicBool> {
    interrupt::listen(|requests| {
        STOP.store(true, Ordering::SeqCst);
        let message = match requests {
            1 => "finishing the games in progress; once more stops at once",
            _ => "stopping now",
        };
        note(message);
    })
    .context("signals")?;
    interrupt::stop_when_output_closes(|| STOP.store(true, Ordering::SeqCst))?;
    Ok(&STOP)
}

/// What a slot reports of a game.
type Report = Result<Record, Abort>;

/// The next game to be played, over all slots.
struct Cursor<'a> {
    schedule: &'a Schedule,
    /// Where who meets whom follows from results.
    stages: Option<Arc<SharedStages>>,
    played: &'a NumberSet,
    number: Mutex<u64>,
    stop: &'a AtomicBool,
    /// Its existence ends the match.
    stop_file: Option<&'a Path>,
}

impl Cursor<'_> {
    fn next(&self) -> Option<ScheduledGame> {
        let mut number = self.number.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.stop.load(Ordering::SeqCst)
            && let Some(path) = self.stop_file.filter(|path| path.exists())
        {
            note_line!("no further game is started: {} is there", path.display());
            self.stop.store(true, Ordering::SeqCst);
        }
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return None;
            }
            let game = match &self.stages {
                Some(stages) => stages.game(*number, self.stop)?,
                None => self.schedule.next(*number)?,
            };
            *number = game.number + 1;
            if !self.played.contains(game.number) {
                return Some(game);
            }
        }
    }
}

/// Plays the games that are not yet played; the verdict of the sequential test.
fn play(
    setup: &Setup,
    results: &mut Results,
    played: &NumberSet,
    stop: &AtomicBool,
) -> Result<Verdict> {
    let run = &setup.plan.run;
    let (number, stop_file) = (Mutex::new(1), run.stop_file.as_deref());
    let (schedule, stages) = (&setup.schedule, results.stages());
    let cursor = Cursor { schedule, stages, played, number, stop, stop_file };
    let cores = core_lists(run, run.concurrency);
    let progress = Progress::new(setup, played.len());
    let (sender, receiver) = bounded(2 * run.concurrency);
    let work = |(number, cores, sender): (usize, Vec<usize>, Sender<Report>)| {
        if !setup.plan.engines.iter().any(|engine| engine.ponder) {
            // An engine that ponders would keep this thread waiting. Otherwise one of the two waits
            // for the other, and waking it on the same core is cheapest.
            pin_thread(&cores);
        }
        play_in_slot(GameSlot::new(setup, number, cores), &cursor, &sender, run.wait);
    };
    let slots = (1..).zip(cores).map(|(number, cores)| (number, cores, sender.clone())).collect();
    drop(sender);
    let verdict = std::thread::scope(|scope| {
        start_all(scope, "--concurrency", slots, work)?;
        let verdict = collect(results, &receiver, &progress, stop);
        // The slots must not wait for a thread that no longer collects.
        stop.store(true, Ordering::SeqCst);
        for _ in receiver {}
        verdict
    });
    progress.finish();
    verdict
}

/// Plays one game after another until there is none.
fn play_in_slot(mut slot: GameSlot, cursor: &Cursor, sender: &Sender<Report>, wait: Duration) {
    let mut next = Instant::now();
    while let Some(game) = cursor.next() {
        while Instant::now() < next && !cursor.stop.load(Ordering::SeqCst) {
            std::thread::sleep(next.saturating_duration_since(Instant::now()).min(LOOK));
        }
        let report = slot.play(&game);
        let aborted = report.is_err();
        if sender.send(report).is_err() || aborted {
            break;
        }
        next = Instant::now() + wait;
    }
    slot.close();
}

/// Records what the slots report, until all are done or the sequential test has a verdict.
fn collect(
    results: &mut Results,
    receiver: &Receiver<Report>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Verdict> {
    let mut verdict = results.verdict();
    if verdict != Verdict::Open {
        return Ok(verdict);
    }
    for report in receiver {
        let record = match report {
            Ok(record) => record,
            Err(Abort::Stopped) => continue,
            Err(Abort::Referee(fault)) => return Err(failed("the referee", &fault)),
            Err(Abort::Adjudicator(fault)) => return Err(failed("the adjudicator", &fault)),
            Err(Abort::Analyst(fault)) => {
                return Err(failed("the engine that values throws", &fault));
            }
        };
        results.add(&record)?;
        if verdict == Verdict::Open {
            verdict = results.verdict();
            if verdict != Verdict::Open {
                stop.store(true, Ordering::SeqCst);
            }
        }
        progress.game(&record, results.standings(), results.test_line(verdict));
    }
    Ok(verdict)
}

fn failed(who: &str, fault: &Fault) -> anyhow::Error {
    anyhow!("{who} failed: {fault}\n  {}\n  {}", fault.position, fault.command)
}

/// The cores of each slot: those of the list, or all that this process may use, dealt out in order.
fn core_lists(run: &RunSettings, slots: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); slots];
    let ours = match &run.cores {
        Some(list) => list.clone(),
        None if run.affinity => allowed_cores(),
        None => return lists,
    };
    if ours.is_empty() {
        return lists;
    }
    for index in 0..slots.max(ours.len()) {
        let core = ours.get(index % ours.len()).copied().unwrap_or(0);
        if let Some(list) = lists.get_mut(index % slots) {
            list.push(core);
        }
    }
    lists
}

/// Refuses a list with a core that this process may not use, where the system tells which it may.
fn ensure_cores_exist(run: &RunSettings) -> Result<()> {
    let allowed = allowed_cores();
    let missing = run.cores.iter().flatten().find(|core| !allowed.contains(core));
    let Some(missing) = missing.filter(|_| !allowed.is_empty()) else { return Ok(()) };
    let allowed: Vec<String> = allowed.iter().map(usize::to_string).collect();
    bail!("--cores: there is no core {missing} to use; there are {}", allowed.join(","))
}

/// The cores that this process may use.
fn allowed_cores() -> Vec<usize> {
    let this = nix::unistd::Pid::from_raw(0);
    let Ok(set) = nix::sched::sched_getaffinity(this) else { return Vec::new() };
    let count = nix::sched::CpuSet::count();
    (0..count).filter(|&core| set.is_set(core).unwrap_or(false)).collect()
}
