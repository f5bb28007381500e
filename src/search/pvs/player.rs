//! The player: search threads, and the transposition table that they share.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::config::PvsConfig;
use super::root_move::Task;
use super::worker::{Shared, Worker};
use crate::game::{Game, Situation};
use crate::search::table::TranspositionTable;
use crate::search::{Choice, Info, Player, Report, Request, SearchHints, Settings};

/// The stack of a search thread in bytes: enough for the longest line of the largest positions.
pub const SEARCH_STACK: usize = 32 << 20;

/// How long a player touches its table at once. A client that wants to end it must not wait long.
const TOUCH: Duration = Duration::from_millis(250);

/// Plays by principal variation search.
pub struct PvsPlayer<G: Game<Move: Copy>, E: SearchHints<G>> {
    evaluator: Arc<E>,
    config: PvsConfig,
    hash: usize,
    threads: usize,
    table: Arc<TranspositionTable>,
    /// See [`TranspositionTable::touch`].
    touched: usize,
    /// Started by the first search, or by `get_ready`.
    pool: Vec<Thread<G>>,
    /// Searches on the calling thread, if there is no pool.
    own: Option<Worker<G, E>>,
    /// The next search begins a new game.
    forget: bool,
}

/// A search for one thread.
struct Job<G: Game> {
    shared: Arc<Shared>,
    situation: Arc<Situation<G>>,
    search_moves: Option<Vec<G::Move>>,
    multi_pv: usize,
    forget: bool,
    events: Sender<Event<G::Move>>,
}

/// A message of a thread to the player.
enum Event<M> {
    Info(Info<M>),
    /// The thread is done; that of thread 0 is the best line.
    Done(usize, Vec<M>),
    Failed(Box<dyn Any + Send>),
}

struct Thread<G: Game> {
    jobs: Sender<Job<G>>,
    handle: JoinHandle<()>,
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> PvsPlayer<G, E> {
    /// A player with this evaluation and these hints; of the settings it takes the size of the
    /// table and the number of threads. With 0 threads it searches on the thread that asks, which
    /// needs a stack of [`SEARCH_STACK`] bytes: for many short searches, which would take less time
    /// than to wake a thread.
    pub fn new(evaluator: E, config: PvsConfig, settings: &Settings) -> Self {
        PvsPlayer {
            evaluator: Arc::new(evaluator),
            config,
            hash: settings.hash,
            threads: settings.threads,
            table: Arc::new(TranspositionTable::new(settings.hash)),
            touched: 0,
            pool: Vec::new(),
            own: None,
            forget: false,
        }
    }

    fn start_threads(&mut self) {
        for number in self.pool.len()..self.threads {
            let (jobs, queue) = channel();
            let (evaluator, config) = (self.evaluator.clone(), self.config.clone());
            let spawned = Builder::new()
                .name(format!("search {number}"))
                .stack_size(SEARCH_STACK)
                .spawn(move || serve(number, &evaluator, &config, &queue));
            match spawned {
                Ok(handle) => self.pool.push(Thread { jobs, handle }),
                Err(error) => {
                    log::warn!("only {number} search threads: {error}");
                    break;
                }
            }
        }
    }

    /// Searches on this thread.
    fn search_here(
        &mut self,
        job: &Job<G>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Vec<G::Move> {
        // A worker that panics is not put back: its buffers may be in any state.
        let mut worker = self.own.take().unwrap_or_else(|| {
            Worker::new(self.evaluator.clone(), self.config.clone(), job.shared.clone())
        });
        let line = search(&mut worker, 0, job, &mut |info| report(Report::Info(info)));
        self.own = Some(worker);
        line
    }

    /// Passes reports on until every thread is done. Returns the best line, or the panic of a
    /// thread.
    fn listen(
        shared: &Shared,
        events: &Receiver<Event<G::Move>>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Result<Vec<G::Move>, Box<dyn Any + Send>> {
        let mut best = Vec::new();
        let mut failure = None;
        // The channel closes when the last thread has dropped its end.
        for event in events {
            match event {
                Event::Info(info) => report(Report::Info(info)),
                Event::Done(0, line) => {
                    shared.halt.store(true, Ordering::Relaxed);
                    best = line;
                }
                Event::Done(..) => {}
                Event::Failed(payload) => {
                    shared.halt.store(true, Ordering::Relaxed);
                    failure = Some(payload);
                }
            }
        }
        failure.map_or(Ok(best), Err)
    }
}

/// The loop of a search thread.
fn serve<G: Game<Move: Copy>, E: SearchHints<G>>(
    number: usize,
    evaluator: &Arc<E>,
    config: &PvsConfig,
    queue: &Receiver<Job<G>>,
) {
    let mut worker: Option<Worker<G, E>> = None;
    for job in queue {
        let mut current = worker
            .take()
            .unwrap_or_else(|| Worker::new(evaluator.clone(), config.clone(), job.shared.clone()));
        let events = job.events.clone();
        let result = catch_unwind(AssertUnwindSafe(move || {
            let line = search(&mut current, number, &job, &mut |info| {
                let _ = job.events.send(Event::Info(info));
            });
            (current, line)
        }));
        // A worker that has panicked is dropped: its buffers may be in any state.
        let event = match result {
            Ok((finished, line)) => {
                worker = Some(finished);
                Event::Done(number, line)
            }
            Err(payload) => Event::Failed(payload),
        };
        // The receiver is closed only if the player itself has panicked.
        let _ = events.send(event);
    }
}

fn search<G: Game<Move: Copy>, E: SearchHints<G>>(
    worker: &mut Worker<G, E>,
    number: usize,
    job: &Job<G>,
    report: &mut dyn FnMut(Info<G::Move>),
) -> Vec<G::Move> {
    if job.forget {
        worker.histories.clear();
    }
    worker.restart(job.shared.clone(), &job.situation);
    let task = Task {
        situation: &job.situation,
        search_moves: job.search_moves.as_deref(),
        multi_pv: job.multi_pv,
        thread: number,
    };
    worker.deepen(&task, report)
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Player<G> for PvsPlayer<G, E> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        situation.seat()?;
        self.start_threads();
        self.table.next_age();
        let shared = Arc::new(Shared {
            limits: request.limits.clone(),
            control: request.control.clone(),
            table: self.table.clone(),
            nodes: AtomicU64::new(0),
            halt: AtomicBool::new(false),
            threads: self.pool.len().max(1),
        });
        let (events, inbox) = channel();
        let job = |forget| Job {
            shared: shared.clone(),
            situation: Arc::new(situation.clone()),
            search_moves: request.search_moves.clone(),
            multi_pv: request.multi_pv,
            forget,
            events: events.clone(),
        };
        for thread in &self.pool {
            let _ = thread.jobs.send(job(self.forget));
        }
        let line = if self.pool.is_empty() {
            self.search_here(&job(self.forget), report)
        } else {
            drop(events);
            Self::listen(&shared, &inbox, report).unwrap_or_else(|payload| resume_unwind(payload))
        };
        self.forget = false;
        let mut line = line.into_iter();
        Some(Choice { best: line.next()?, ponder: line.next() })
    }

    fn new_game(&mut self) {
        self.table = Arc::new(TranspositionTable::new(self.hash));
        self.touched = 0;
        self.forget = true;
    }

    fn get_ready(&mut self, _: &G) {
        self.start_threads();
        self.touched = self.table.touch(self.touched, TOUCH);
    }
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Drop for PvsPlayer<G, E> {
    fn drop(&mut self) {
        for Thread { jobs, handle } in self.pool.drain(..) {
            drop(jobs);
            let _ = handle.join();
        }
    }
}
