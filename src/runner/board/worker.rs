//! Engines that are asked by messages and answer by messages, so that a slow or hanging one never
//! keeps the game from its other people; and those that are processes, each behind a thread.
//!
//! An engine starts with the first job. After a fault it is ended; the next job starts it anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::answers::{Answer, Pictures, Query};
use crate::platform::Instant;
use crate::printing::printable;
use crate::protocol::Info;
use crate::runner::process::{Client, Fault, FaultKind, Launcher, SearchResult, Specification};

/// How often a running search is reported.
pub(super) const REPORT: Duration = Duration::from_millis(100);

/// A search without a limit that nobody stops ends after this time.
pub(super) const LONGEST: Duration = Duration::from_secs(600);

/// What a worker is asked to do.
pub(super) enum Job {
    /// Questions about a position.
    Ask(Ask),
    /// A search.
    Search(Search),
}

/// Questions about a position.
pub(super) struct Ask {
    /// The argument of `position`.
    pub(super) position: String,
    /// The questions.
    pub(super) queries: Vec<Query>,
}

/// A search.
#[derive(Clone)]
pub(super) struct Search {
    /// The argument of `position`.
    pub(super) position: String,
    /// The `go` line.
    pub(super) go: String,
    /// How long it may take; `None`: until it is stopped.
    pub(super) allowance: Option<Duration>,
    /// How many lines are reported; 0: none, only the result.
    pub(super) lines: u32,
}

/// What comes back.
pub(super) enum Report {
    /// The answers, one for each question.
    Answers(Result<Vec<Answer>, Fault>),
    /// What a running search says: the best lines so far.
    Lines(Vec<Info>),
    /// The end of a search.
    Found(Result<SearchResult, Fault>),
}

/// How reports reach the game: with the ticket of the job.
pub(super) type Post = Box<dyn Fn(u64, Report) + Send>;

/// An engine at work.
pub(super) trait Worker: Send {
    /// Hands over a job.
    fn send(&self, ticket: u64, job: Job);

    /// Stops searches with a ticket below this one; they still report their end.
    fn cancel_below(&self, ticket: u64);
}

/// What starts engines.
pub(super) trait Workshop: Send + Sync {
    /// Starts one.
    ///
    /// # Errors
    /// When the system starts no thread.
    fn start(&self, setup: Setup, post: Post) -> std::io::Result<Box<dyn Worker>>;
}

/// Starts processes, each behind a thread.
#[cfg(feature = "board")]
pub(super) struct Threads;

#[cfg(feature = "board")]
impl Workshop for Threads {
    fn start(&self, setup: Setup, post: Post) -> std::io::Result<Box<dyn Worker>> {
        Ok(Box::new(Thread::start(setup, post)?))
    }
}

/// A thread with an engine process.
struct Thread {
    jobs: Sender<(u64, Job)>,
    /// Searches with a ticket below this are to stop.
    cancelled: Arc<AtomicU64>,
}

/// What a worker is started with.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) launcher: Launcher,
    pub(super) engine: Specification,
    pub(super) label: String,
    pub(super) strength: Strength,
}

/// How strong an engine plays: what a page has chosen of its options.
#[derive(Clone, Default, Debug)]
pub(super) struct Strength {
    /// A value of `Player`.
    pub(super) player: Option<String>,
    /// A value of `Level`.
    pub(super) level: Option<u8>,
}

impl Thread {
    /// Starts the thread; the process starts with the first job.
    ///
    /// # Errors
    /// When the system starts no thread.
    #[cfg(feature = "board")]
    fn start(setup: Setup, post: Post) -> std::io::Result<Self> {
        let (jobs, queue) = channel();
        let cancelled = Arc::new(AtomicU64::new(0));
        let run = Run { asker: Asker::new(setup), lines: 0 };
        let flag = Arc::clone(&cancelled);
        std::thread::Builder::new()
            .name("engine".into())
            .spawn(move || run.work(&queue, &flag, &post))?;
        Ok(Thread { jobs, cancelled })
    }
}

impl Worker for Thread {
    /// A thread that has ended answers nothing; it ends only with the worker.
    fn send(&self, ticket: u64, job: Job) {
        let _ = self.jobs.send((ticket, job));
    }

    fn cancel_below(&self, ticket: u64) {
        self.cancelled.fetch_max(ticket, Ordering::SeqCst);
    }
}

/// One without a thread; the other end tells what it was sent.
#[cfg(test)]
pub(super) fn of_nobody() -> (Box<dyn Worker>, Sent) {
    let (jobs, queue) = channel();
    let cancelled = Arc::new(AtomicU64::new(0));
    let thread = Thread { jobs, cancelled: Arc::clone(&cancelled) };
    (Box::new(thread), Sent { _queue: queue, cancelled })
}

/// What a worker without a thread was sent.
#[cfg(test)]
pub(super) struct Sent {
    _queue: Receiver<(u64, Job)>,
    cancelled: Arc<AtomicU64>,
}

#[cfg(test)]
impl Sent {
    /// Searches with a ticket below this are to stop.
    pub(super) fn cancelled_below(&self) -> u64 {
        self.cancelled.load(Ordering::SeqCst)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // A running search ends, then the thread, since nobody can send any more.
        self.cancel_below(u64::MAX);
    }
}

/// An engine that answers questions while whoever asks waits.
pub(super) struct Asker {
    setup: Setup,
    client: Option<Client>,
    pictures: Pictures,
}

/// The thread's own.
struct Run {
    asker: Asker,
    /// The value of `MultiPV` that the process has.
    lines: u32,
}

impl Run {
    fn work(mut self, queue: &Receiver<(u64, Job)>, cancelled: &AtomicU64, post: &Post) {
        while let Ok((ticket, job)) = queue.recv() {
            let report = match job {
                Job::Ask(ask) => Report::Answers(self.asker.ask(&ask)),
                Job::Search(search) => {
                    let started = Instant::now();
                    let go_on = || {
                        let in_time = search.allowance.is_some() || started.elapsed() < LONGEST;
                        in_time && cancelled.load(Ordering::SeqCst) <= ticket
                    };
                    let lines = |lines| post(ticket, Report::Lines(lines));
                    Report::Found(self.search(&search, &go_on, &lines))
                }
            };
            if let Report::Answers(Err(fault)) | Report::Found(Err(fault)) = &report
                && !fault.kind.leaves_process_usable()
            {
                self.asker.client = None;
            }
            post(ticket, report);
        }
        if let Some(client) = self.asker.client {
            client.quit();
        }
    }
}

impl Asker {
    pub(super) fn new(setup: Setup) -> Self {
        Asker { setup, client: None, pictures: Pictures::default() }
    }

    /// The process, started if it does not run.
    fn client(&mut self) -> Result<&mut Client, Fault> {
        if self.client.is_none() {
            let Setup { launcher, engine, label, strength } = &self.setup;
            let mut client = launcher.start(engine, label, &[])?;
            if let Some(player) = &strength.player {
                choose_player(&mut client, player)?;
            }
            if let Some(level) = strength.level {
                choose_level(&mut client, level)?;
            }
            client.new_game(None)?;
            self.pictures = Pictures::of(&mut client)?;
            return Ok(self.client.insert(client));
        }
        match &mut self.client {
            Some(client) => Ok(client),
            None => unreachable!("it was started above"),
        }
    }

    /// Answers questions.
    ///
    /// # Errors
    /// The fault of the engine.
    pub(super) fn ask(&mut self, ask: &Ask) -> Result<Vec<Answer>, Fault> {
        self.client()?;
        let Asker { client: Some(client), pictures, .. } = self else { return Ok(Vec::new()) };
        client.position(&format!("position {}", ask.position))?;
        ask.queries.iter().map(|query| pictures.ask(client, query)).collect()
    }
}

impl Run {
    fn search(
        &mut self,
        search: &Search,
        go_on: &dyn Fn() -> bool,
        report: &dyn Fn(Vec<Info>),
    ) -> Result<SearchResult, Fault> {
        let lines = search.lines;
        if self.asker.client.is_none() {
            self.lines = 0;
        }
        let known = self.lines;
        let client = self.asker.client()?;
        if lines.max(1) != known.max(1) && client.has_option("MultiPV") {
            client.send_synced(&format!("setoption name MultiPV value {}\n", lines.max(1)))?;
        }
        let mut best: Vec<Info> = Vec::new();
        let mut unreported = false;
        // The first report soon, the others at a steady pace.
        let mut next = Instant::now();
        let position = format!("position {}", search.position);
        let result = client.watch(&position, &search.go, search.allowance, &mut |info| {
            if let Some(info) = info
                && lines > 0
                && keep(&mut best, info, lines)
            {
                unreported = true;
            }
            if unreported && Instant::now() >= next {
                next = Instant::now() + REPORT;
                unreported = false;
                report(best.clone());
            }
            go_on()
        });
        if unreported {
            report(best);
        }
        self.lines = lines;
        result
    }
}

/// Sets the option `Player` to one of the values that it offers.
fn choose_player(client: &mut Client, player: &str) -> Result<(), Fault> {
    let offered = super::catalogue::players(client.options());
    if !offered.iter().any(|value| value == player) {
        let detail = format!("it has no player '{}'", printable(player, 40));
        return Err(client.fault(FaultKind::Disagreement, detail, "setoption name Player"));
    }
    client.send_synced(&format!("setoption name Player value {player}\n")).map(drop)
}

/// Lets the engine play at a level, and otherwise in every game.
fn choose_level(client: &mut Client, level: u8) -> Result<(), Fault> {
    if !client.has_option("Level") {
        return Err(client.fault(FaultKind::Disagreement, "it has no levels", "setoption Level"));
    }
    let errors = client.send_synced(&format!("setoption name Level value {level}\n"))?;
    if let Some(error) = errors.first() {
        return Err(client.fault(
            FaultKind::Disagreement,
            printable(error, 200),
            "setoption Level",
        ));
    }
    if client.has_option("Seed") {
        client.send_synced("setoption name Seed value 0\n")?;
    }
    Ok(())
}

/// Keeps the newest exact report of each of the best lines; whether anything changed.
pub(super) fn keep(best: &mut Vec<Info>, info: &Info, lines: u32) -> bool {
    let rank = info.multipv.unwrap_or(1);
    if info.score.is_none() || !info.bound.is_exact() || info.pv.is_empty() || rank > lines {
        return false;
    }
    match best.iter_mut().find(|line| line.multipv.unwrap_or(1) == rank) {
        Some(line) => *line = info.clone(),
        None => best.push(info.clone()),
    }
    best.sort_by_key(|line| line.multipv.unwrap_or(1));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Bound, Score};

    #[test]
    fn of_each_of_the_best_lines_the_newest_exact_report_is_kept() {
        let mut best = Vec::new();
        for (rank, cp, bound, is_kept) in [
            (2, 10, Bound::Exact, true),
            (1, 20, Bound::Exact, true),
            (1, 30, Bound::Exact, true),
            (1, 90, Bound::Lower, false),
            (3, 5, Bound::Exact, false),
        ] {
            let (multipv, score) = (Some(rank), Some(Score::Centipawns(cp)));
            let info = Info { multipv, score, bound, pv: vec!["a".into()], ..Info::default() };
            assert_eq!(keep(&mut best, &info, 2), is_kept, "{info:?}");
        }
        let scores: Vec<_> = best.iter().map(|info| info.score).collect();
        assert_eq!(scores, [30, 10].map(|cp| Some(Score::Centipawns(cp))));
    }
}
