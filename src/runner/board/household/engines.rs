//! Engines of a household: what they are told, and what their lines mean. A search is told and heard
//! as it comes; questions are answered by a session, at once.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Page;
use crate::platform::Instant;
use crate::printing::printable;
use crate::protocol::Info;
use crate::protocol::engine_output::{self, Line};
use crate::runner::board::worker::{
    Asker, Job, LONGEST, Post, REPORT, Report, Search, Setup, Worker, Workshop, keep,
};
use crate::runner::process::{self, Fault, FaultKind, Heard, judged};

/// How long an engine may take to answer `stop`.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long an engine may take to be there: it may have to be fetched.
const BEGINNING: Duration = Duration::from_secs(120);

/// All engines, by their numbers.
pub(super) struct Engines {
    page: Arc<dyn Page>,
    all: Mutex<BTreeMap<String, Arc<Mutex<Engine>>>>,
    next: AtomicU64,
}

impl Engines {
    pub(super) fn new(page: Arc<dyn Page>) -> Self {
        Engines { page, all: Mutex::default(), next: AtomicU64::new(1) }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Mutex<Engine>>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An engine says a line.
    pub(super) fn hear(&self, number: &str, line: &str) {
        let engine = self.all().get(number).cloned();
        if let Some(engine) = engine {
            lock(&engine).hear(line);
        }
    }

    /// Stops what has taken its time, and reports what is new; how long until that is to be done
    /// again.
    pub(super) fn look_at_clock(&self) -> Option<Duration> {
        let engines: Vec<_> = self.all().values().cloned().collect();
        engines.iter().filter_map(|engine| lock(engine).look_at_clock()).min()
    }
}

fn lock(engine: &Mutex<Engine>) -> MutexGuard<'_, Engine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workshop for Arc<Engines> {
    fn start(&self, setup: Setup, post: Post) -> std::io::Result<Box<dyn Worker>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let asker = Asker::new(setup.clone());
        let page = Arc::clone(&self.page);
        let engine = Engine {
            number: number.clone(),
            page,
            setup,
            post,
            asker,
            is_there: false,
            lines: 0,
            cancelled: 0,
            queue: VecDeque::new(),
            work: None,
        };
        let engine = Arc::new(Mutex::new(engine));
        self.all().insert(number.clone(), Arc::clone(&engine));
        Ok(Box::new(Own { engine, engines: Arc::clone(self), number }))
    }
}

/// An engine of a game.
struct Own {
    engine: Arc<Mutex<Engine>>,
    engines: Arc<Engines>,
    number: String,
}

impl Worker for Own {
    fn send(&self, ticket: u64, job: Job) {
        lock(&self.engine).take(ticket, job);
    }

    fn cancel_below(&self, ticket: u64) {
        lock(&self.engine).cancel_below(ticket);
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.engines.all().remove(&self.number);
        lock(&self.engine).end();
    }
}

/// One engine.
struct Engine {
    number: String,
    page: Arc<dyn Page>,
    setup: Setup,
    post: Post,
    /// Answers questions.
    asker: Asker,
    /// Whether it was started.
    is_there: bool,
    /// The value of `MultiPV` that it has.
    lines: u32,
    /// Searches with a ticket below this are to stop.
    cancelled: u64,
    /// Searches that wait for the one at work.
    queue: VecDeque<(u64, Search)>,
    work: Option<Work>,
}

/// A search at work.
struct Work {
    ticket: u64,
    search: Search,
    heard: process::Search,
    /// Whether the options that were set before it have been taken.
    is_set_up: bool,
    in_step: bool,
    /// When it is stopped, or given up.
    deadline: Instant,
    is_stopped: bool,
    best: Vec<Info>,
    is_unreported: bool,
    /// When the next report may be made.
    next: Instant,
}

impl Engine {
    fn take(&mut self, ticket: u64, job: Job) {
        match job {
            Job::Ask(ask) => {
                let answers = self.asker.ask(&ask);
                if answers.as_ref().is_err_and(|fault| !fault.kind.leaves_process_usable()) {
                    self.asker = Asker::new(self.setup.clone());
                }
                (self.post)(ticket, Report::Answers(answers));
            }
            Job::Search(search) => {
                self.queue.push_back((ticket, search));
                self.work_on();
            }
        }
    }

    fn tell(&self, lines: &str) {
        self.page.tell("tell", &self.number, lines);
    }

    /// Begins the search that waits longest.
    fn work_on(&mut self) {
        if self.work.is_some() {
            return;
        }
        let Some((ticket, search)) = self.queue.pop_front() else { return };
        let is_set_up = self.is_there;
        if !self.is_there {
            self.begin();
        }
        if search.lines.max(1) != self.lines.max(1) {
            self.tell(&format!("setoption name MultiPV value {}\n", search.lines.max(1)));
        }
        self.lines = search.lines;
        self.tell(&format!("position {}\nisready\n{}\n", search.position, search.go));
        let now = Instant::now();
        let allowed = search.allowance.unwrap_or(LONGEST);
        self.work = Some(Work {
            ticket,
            search,
            heard: process::Search::new(now),
            is_set_up,
            in_step: false,
            deadline: now + if is_set_up { allowed } else { BEGINNING },
            is_stopped: false,
            best: Vec::new(),
            is_unreported: false,
            next: now,
        });
        self.stop_if_cancelled();
    }

    /// Starts the engine, and tells it who it is.
    fn begin(&mut self) {
        let Setup { launcher, engine, strength, .. } = &self.setup;
        let mut lines = format!("ugi\n{}", launcher.option_lines(engine));
        if let Some(player) = &strength.player {
            lines.push_str(&format!("setoption name Player value {player}\n"));
        }
        if let Some(level) = strength.level {
            lines.push_str(&format!("setoption name Level value {level}\n"));
        }
        lines.push_str("uginewgame\nisready\n");
        self.page.tell("start", &self.number, &engine.name);
        self.tell(&lines);
        (self.is_there, self.lines) = (true, 0);
    }

    /// Ends it; it starts again with the next search.
    fn end(&mut self) {
        if std::mem::take(&mut self.is_there) {
            self.page.tell("end", &self.number, "");
        }
    }

    fn cancel_below(&mut self, ticket: u64) {
        self.cancelled = self.cancelled.max(ticket);
        self.stop_if_cancelled();
    }

    fn stop_if_cancelled(&mut self) {
        if self.work.as_ref().is_some_and(|work| work.ticket < self.cancelled) {
            self.stop();
        }
    }

    fn stop(&mut self) {
        let Some(work) = self.work.as_mut().filter(|work| !work.is_stopped) else { return };
        work.is_stopped = true;
        // Before it is there it cannot answer.
        let patience = if work.is_set_up { PATIENCE } else { BEGINNING };
        work.deadline = Instant::now() + patience;
        self.tell("stop\n");
    }

    fn hear(&mut self, line: &str) {
        let Some(work) = &mut self.work else { return };
        if !work.is_set_up {
            match engine_output::read(line) {
                Line::ReadyOk => work.begin(),
                Line::Error { code, text } => {
                    let detail = printable(&format!("{code} {text}"), 200);
                    self.fail(FaultKind::Disagreement, detail);
                    self.end();
                    self.work_on();
                }
                _ => {}
            }
            return;
        }
        match work.heard.hear(line, &mut work.in_step) {
            Heard::Info(info) => work.note(&info, &self.post),
            Heard::Found(found) => {
                work.report(&self.post);
                let allowance = work.search.allowance.unwrap_or(Duration::MAX);
                match judged(found, work.heard.error.take(), allowance) {
                    Ok(found) => self.finish(Ok(found)),
                    Err((kind, detail)) => self.fail(kind, detail),
                }
                self.work_on();
            }
            Heard::Complaint(error) => log::warn!("{}: {error}", self.setup.engine.name),
            Heard::Stray | Heard::Nothing => {}
        }
    }

    fn finish(&mut self, result: Result<process::SearchResult, Fault>) {
        if let Some(work) = self.work.take() {
            (self.post)(work.ticket, Report::Found(result));
        }
    }

    fn fail(&mut self, kind: FaultKind, detail: String) {
        let Some(work) = &self.work else { return };
        let position = format!("position {}", work.search.position);
        let command = work.search.go.clone();
        self.finish(Err(Fault { kind, detail, position, command }));
    }

    fn look_at_clock(&mut self) -> Option<Duration> {
        let now = Instant::now();
        let work = self.work.as_mut()?;
        if now >= work.next {
            work.report(&self.post);
        }
        if now >= work.deadline {
            if work.is_set_up && !work.is_stopped {
                self.stop();
            } else {
                let detail = format!("no answer within {} s", PATIENCE.as_secs());
                self.fail(FaultKind::Hang, detail);
                self.end();
                self.work_on();
            }
        }
        let work = self.work.as_ref()?;
        let until = if work.is_unreported { work.next } else { work.deadline };
        Some(until.saturating_duration_since(now))
    }
}

impl Work {
    /// The engine is there: its time begins.
    fn begin(&mut self) {
        let now = Instant::now();
        self.is_set_up = true;
        self.heard = process::Search::new(now);
        let allowed = self.search.allowance.unwrap_or(LONGEST);
        self.deadline = now + if self.is_stopped { PATIENCE } else { allowed };
    }

    /// Takes a report of the search down, and passes it on at a steady pace.
    fn note(&mut self, info: &Info, post: &Post) {
        let lines = self.search.lines;
        self.is_unreported |= lines > 0 && keep(&mut self.best, info, lines);
        if Instant::now() >= self.next {
            self.report(post);
        }
    }

    fn report(&mut self, post: &Post) {
        if std::mem::take(&mut self.is_unreported) {
            self.next = Instant::now() + REPORT;
            post(self.ticket, Report::Lines(self.best.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;
    use crate::runner::board::household::Session;
    use crate::runner::board::worker::Strength;
    use crate::runner::process::{Inside, Launcher, Specification};

    /// Keeps what engines are told.
    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Told {
        fn take(&self) -> Vec<String> {
            std::mem::take(&mut *self.0.lock().unwrap())
        }
    }

    impl Page for Told {
        fn session(&self, _: &str) -> Option<Session> {
            None
        }
        fn tell(&self, what: &str, engine: &str, text: &str) {
            let told = &mut *self.0.lock().unwrap();
            match what {
                "tell" => told.extend(text.lines().map(str::to_owned)),
                _ => told.push(format!("{what} {engine} {text}")),
            }
        }
    }

    type Reports = Receiver<(u64, Report)>;

    fn engine() -> (Arc<Told>, Arc<Engines>, Box<dyn Worker>, Reports) {
        let told = Arc::new(Told::default());
        let engines = Arc::new(Engines::new(Arc::clone(&told) as Arc<dyn Page>));
        let (sender, reports) = channel();
        let setup = Setup {
            launcher: Launcher::new(&["Players=2".to_owned()], PATIENCE).unwrap(),
            engine: Specification::inside("barca", Inside::new(Arc::new(|| None))),
            label: "test".to_owned(),
            strength: Strength { player: None, level: Some(3) },
        };
        let post = Box::new(move |ticket, report| sender.send((ticket, report)).unwrap());
        let worker = engines.start(setup, post).unwrap();
        (told, engines, worker, reports)
    }

    fn search(lines: u32) -> Job {
        let (position, go) = ("startpos".to_owned(), "go depth 3".to_owned());
        Job::Search(Search { position, go, allowance: None, lines })
    }

    const BEGINNING: [&str; 6] = [
        "start 1 barca",
        "ugi",
        "setoption name Players value 2",
        "setoption name Level value 3",
        "uginewgame",
        "isready",
    ];

    #[test]
    fn searches_are_done_one_after_another_and_a_cancelled_one_is_stopped() {
        let (told, engines, worker, reports) = engine();
        worker.send(5, search(2));
        worker.send(6, search(2));
        let first =
            ["setoption name MultiPV value 2", "position startpos", "isready", "go depth 3"];
        assert_eq!(told.take(), [&BEGINNING[..], &first].concat());
        for line in ["ugiok", "readyok", "bestmove stale", "readyok"] {
            engines.hear("1", line);
        }
        assert!(reports.try_recv().is_err());
        engines.hear("1", "info depth 1 multipv 1 score cp 20 nodes 9 pv e2e4");
        let Ok((5, Report::Lines(lines))) = reports.try_recv() else { panic!("no report") };
        assert_eq!(lines.first().unwrap().pv, ["e2e4"]);
        worker.cancel_below(6);
        assert_eq!(told.take(), ["stop"]);
        engines.hear("1", "bestmove e2e4");
        let Ok((5, Report::Found(Ok(found)))) = reports.try_recv() else { panic!("no move") };
        assert_eq!(found.token, "e2e4");
        // The next one needs neither options nor a stop.
        assert_eq!(told.take(), &first[1..]);
        assert!(engines.look_at_clock().is_some());
        drop(worker);
        assert_eq!(told.take(), ["end 1 "]);
        assert!(engines.look_at_clock().is_none());
    }

    #[test]
    fn an_engine_that_refuses_its_options_is_at_fault_and_starts_again() {
        let (told, engines, worker, reports) = engine();
        worker.send(1, search(0));
        engines.hear("1", "info string error bad-value there is no level 3");
        let Ok((1, Report::Found(Err(fault)))) = reports.try_recv() else { panic!("no fault") };
        assert_eq!(fault.detail, "bad-value there is no level 3");
        assert_eq!(told.take().last().unwrap(), "end 1 ");
        worker.send(2, search(0));
        assert_eq!(told.take()[..6], BEGINNING);
        for line in
            ["readyok", "info string error bad-position no such square", "readyok", "bestmove a"]
        {
            engines.hear("1", line);
        }
        let Ok((2, Report::Found(Err(fault)))) = reports.try_recv() else { panic!("no fault") };
        assert_eq!(fault.detail, "refuses: bad-position no such square");
    }

    #[test]
    fn a_search_that_takes_too_long_is_stopped_and_then_given_up() {
        let (told, engines, worker, reports) = engine();
        worker.send(1, search(0));
        engines.hear("1", "readyok");
        told.take();
        let time_is_up = || {
            let engine = engines.all().get("1").cloned().unwrap();
            lock(&engine).work.as_mut().unwrap().deadline = Instant::now();
            engines.look_at_clock()
        };
        assert!(time_is_up().is_some());
        assert_eq!(told.take(), ["stop"]);
        assert!(reports.try_recv().is_err());
        time_is_up();
        let Ok((1, Report::Found(Err(fault)))) = reports.try_recv() else { panic!("no fault") };
        assert_eq!(fault.kind, FaultKind::Hang);
        assert_eq!(told.take(), ["end 1 "]);
    }
}
