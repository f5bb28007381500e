//! The tablebases of a game in progress, probed by the search: one that is generated in the background,
//! and those in a folder of files, with certificates of wins.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::certificate::Certificate;
use super::ending::Ending;
use super::generate::SolveError;
use super::tablebase::Tablebase;
use super::verdict::Verdict;
use crate::games::porrika::rules::{Kind, Position, Side};
use crate::search::{Bound, KnownValue, Score};

/// How often a search that waits for a tablebase checks whether it was stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Spaces of the locked pairs in an ending that is small enough to be solved during a game.
const LOCKED: u32 = 6;

/// The most Ser'ra that are not locked in any ending.
const MAX_SERRA: u32 = 2;

/// How the names of files of tablebases and of certificates end.
const EXTENSIONS: [&str; 2] = ["ending", "certificate"];

/// Held while a tablebase is generated, which takes 150 MB: one at a time.
static GENERATING: Mutex<()> = Mutex::new(());

/// Holds the tablebase of the ending in play once it is generated, and those of files.
#[derive(Default)]
pub(crate) struct TablebaseCache {
    tablebase: RwLock<Option<Arc<Tablebase>>>,
    job: Mutex<Option<Job>>,
    files: RwLock<Files>,
    /// Whether the generated one is not probed.
    ignored: AtomicBool,
}

/// What a folder holds.
#[derive(Default)]
struct Files {
    tablebases: Vec<Tablebase>,
    certificates: Vec<Certificate>,
}

impl Files {
    /// Opens a file by the end of its name. A certificate is replayed: what is false is refused.
    fn add(&mut self, path: &Path) -> Result<(), String> {
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        if path.extension().is_some_and(|end| end == EXTENSIONS[0]) {
            self.tablebases.push(Tablebase::open(path).map_err(|error| failed(&error))?);
        } else {
            self.certificates.push(Certificate::open(path).map_err(|error| failed(&error))?.0);
        }
        Ok(())
    }
}

impl std::fmt::Debug for TablebaseCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TablebaseCache").field("ending", &self.ending()).finish()
    }
}

/// A generation in the background.
struct Job {
    ending: Ending,
    cancelled: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl TablebaseCache {
    /// The ending of the tablebase that was generated.
    fn ending(&self) -> Option<Ending> {
        let tablebase = self.tablebase.read().unwrap_or_else(PoisonError::into_inner);
        tablebase.as_ref().map(|tablebase| tablebase.ending())
    }

    /// Opens the tablebases and certificates in a folder, and returns what was wrong. What cannot be opened is left out.
    pub(crate) fn open_folder(&self, folder: &Path) -> Vec<String> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return vec![format!("{}: {error}", folder.display())],
        };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_known = |path: &PathBuf| {
            path.extension().is_some_and(|end| EXTENSIONS.iter().any(|known| end == *known))
                && path.is_file()
        };
        let mut paths: Vec<PathBuf> = paths.filter(is_known).collect();
        paths.sort_unstable();
        let mut files = Files::default();
        let errors = paths.iter().filter_map(|path| files.add(path).err()).collect();
        log::info!(
            "EndgamePath {}: {} tablebases, {} certificates",
            folder.display(),
            files.tablebases.len(),
            files.certificates.len()
        );
        *self.files.write().unwrap_or_else(PoisonError::into_inner) = files;
        errors
    }

    /// Starts generating the tablebase of a position with three locked pairs, unless it is held or
    /// being generated already.
    pub(crate) fn prepare(self: &Arc<Self>, position: &Position, threads: usize) {
        let Ok(ending) = Ending::of(position) else { return };
        if ending.walls().count_ones() != LOCKED || self.probe_files(position).is_some() {
            return;
        }
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        if self.ending() == Some(ending) {
            // What another position began would replace it.
            return cancel(job.take());
        }
        if job.as_ref().is_some_and(|job| job.ending == ending) {
            return;
        }
        cancel(job.take());
        let cancelled = Arc::new(AtomicBool::new(false));
        let (cache, flag) = (Arc::downgrade(self), cancelled.clone());
        let spawned = Builder::new().name("tablebase".into()).spawn(move || {
            // What another one took is given back first.
            let _only = GENERATING.lock().unwrap_or_else(PoisonError::into_inner);
            let stopped = || flag.load(Ordering::Relaxed);
            if stopped() {
                return;
            }
            let solved = Tablebase::solve(ending, threads, &stopped, &mut |_, _| ());
            let tablebase = match solved {
                Ok(tablebase) => tablebase,
                Err(SolveError::Stopped) => return,
                Err(error) => return log::warn!("no tablebase: {error}"),
            };
            if let Some(cache) = cache.upgrade() {
                let mut held = cache.tablebase.write().unwrap_or_else(PoisonError::into_inner);
                *held = Some(Arc::new(tablebase));
            }
        });
        match spawned {
            Ok(thread) => *job = Some(Job { ending, cancelled, thread }),
            Err(error) => log::warn!("no thread to generate the tablebase: {error}"),
        }
    }

    /// Whether a generation was begun, and not given up.
    pub(crate) fn has_begun(&self) -> bool {
        let job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        job.is_some() || self.ending().is_some()
    }

    /// Whether searches from now on probe the tablebase that was generated.
    pub(crate) fn use_generated(&self, yes: bool) {
        self.ignored.store(!yes, Ordering::Relaxed);
    }

    /// Waits until the generation has ended or `stopped` returns true.
    pub(crate) fn wait(&self, stopped: impl Fn() -> bool) {
        let finished = || {
            let job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
            job.as_ref().is_none_or(|job| job.thread.is_finished())
        };
        while !finished() && !stopped() {
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// The exact value of a position, or a bound, for its side to move.
    pub(crate) fn probe(&self, position: &Position) -> Option<KnownValue> {
        if let Some(proved) = self.probe_certificates(position) {
            return Some(proved);
        }
        if position.unlocked(Kind::Serra).count_ones() > MAX_SERRA {
            return None;
        }
        let verdict = self.probe_generated(position).or_else(|| self.probe_files(position))?;
        Some(search_value(verdict, position))
    }

    fn probe_generated(&self, position: &Position) -> Option<Verdict> {
        if position.locked().count_ones() != LOCKED || self.ignored.load(Ordering::Relaxed) {
            return None;
        }
        let tablebase = self.tablebase.read().unwrap_or_else(PoisonError::into_inner);
        tablebase.as_ref()?.probe(position)
    }

    fn probe_files(&self, position: &Position) -> Option<Verdict> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        files.tablebases.iter().find_map(|tablebase| tablebase.probe(position))
    }

    /// What a certificate proves: copper may win sooner.
    fn probe_certificates(&self, position: &Position) -> Option<KnownValue> {
        if position.side() == Side::Silver {
            return None;
        }
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let plies =
            files.certificates.iter().find_map(|certificate| certificate.probe(position))?;
        Some(KnownValue { score: Score::Mate(plies as i32), bound: Bound::Lower })
    }
}

impl Drop for TablebaseCache {
    fn drop(&mut self) {
        let job = self.job.get_mut().unwrap_or_else(PoisonError::into_inner);
        cancel(job.take());
    }
}

/// Cancels a generation. Nobody waits for its end: a client may be waiting for an answer.
fn cancel(job: Option<Job>) {
    if let Some(job) = job {
        job.cancelled.store(true, Ordering::Relaxed);
    }
}

/// A verdict as a value for the search.
fn search_value(verdict: Verdict, position: &Position) -> KnownValue {
    let sign = if position.side() == Side::Copper { 1 } else { -1 };
    let exact = |score| KnownValue { score, bound: Bound::Exact };
    match verdict {
        Verdict::CopperWins(plies) => exact(Score::Mate(sign * plies as i32)),
        Verdict::SilverWins(plies) => exact(Score::Mate(-sign * plies as i32)),
        Verdict::Drawn if !position.options().repetition_wins => exact(Score::Cp(0)),
        // Under these rules copper loses when positions repeat.
        Verdict::Drawn if sign > 0 => KnownValue { score: Score::Cp(0), bound: Bound::Upper },
        Verdict::Drawn => KnownValue { score: Score::Cp(0), bound: Bound::Lower },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Rules};

    /// What nobody can force is a draw; where repetition wins for silver, at most that for copper.
    #[test]
    fn a_drawn_ending_is_no_win_of_copper_where_repetition_wins() {
        let board = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,-,-/-,Ee,-,-";
        for (repetition, side, bound) in [
            ("draw", "c", Bound::Exact),
            ("draw", "s", Bound::Exact),
            ("silver", "c", Bound::Upper),
            ("silver", "s", Bound::Lower),
        ] {
            let mut rules = Position::default_rules();
            rules.set("Repetition", repetition).unwrap();
            let position = Position::parse(&format!("{board} {side}"), &rules, None).unwrap();
            let known = search_value(Verdict::Drawn, &position);
            assert_eq!((known.score, known.bound), (Score::Cp(0), bound), "{repetition} {side}");
        }
    }
}
