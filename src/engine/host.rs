//! What all dialects share: lines in, lines out, one job at a time.
//!
//! A thread reads lines; a worker thread runs jobs (searches, perft, bench) and has the engine
//! meanwhile; the event loop waits for either and leaves the meaning of each line to a
//! [`FrontEnd`]. Without threads, `stepped` takes a line and runs its job at once.

mod desk;
mod event_loop;
mod stepped;
mod waiting_lines;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use self::desk::Desk;
use self::event_loop::{EventLoop, read_all};
pub(super) use self::stepped::Stepped;
use self::waiting_lines::WaitingLines;
use super::clock;
use super::interface::{Answer, Engine, Message};
use super::output::Output;
use crate::protocol::{Code, Dialect, GoArguments, ProtocolError};
use crate::search::{Control, SEARCH_STACK};

/// One dialect: what the lines of a client mean, and how it is answered.
pub(super) trait FrontEnd: Send {
    /// Acts on a line while no job runs. Returns the front end that takes over, where the line
    /// asks for another dialect.
    fn act(&mut self, host: &mut Host, line: &str) -> Option<Box<dyn FrontEnd>>;

    /// Acts on a line while a job runs; returns false if the line must wait, to be acted on (again) in
    /// its turn.
    fn act_during_job(&mut self, host: &mut Host, line: &str) -> bool;

    /// Answers a line that could not be read.
    fn refuse(&mut self, host: &mut Host, first_word: &str, error: &ProtocolError);

    /// Gives the client the answer of a search.
    fn answer(&mut self, host: &mut Host, answer: &Answer);

    /// Called before the next line is waited for; may start a job.
    fn idle(&mut self, _host: &mut Host) {}
}

/// What ends with a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Only the session.
    OfSession,
    /// The process, right after it.
    OfProcess,
}

/// Runs a session to its end; whether a line was refused on the way. It ends early with a message
/// from `closed`: nobody reads the output any more.
pub(super) fn serve(
    engine: Box<dyn Engine>,
    front_end: Box<dyn FrontEnd>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    closed: Receiver<()>,
    end: End,
) -> std::io::Result<bool> {
    // The reader bounds what is in it by bytes.
    let (line_sender, lines) = unbounded();
    let (host, job_receiver, done) = Host::new(engine, output);
    let reader_switch = host.switch.clone();
    thread::Builder::new()
        .name("input".into())
        .spawn(move || read_all(input, &line_sender, &reader_switch))?;
    // Nobody joins the worker: at the end of the session a perft may still be counting.
    thread::Builder::new().name("search".into()).stack_size(SEARCH_STACK).spawn(move || {
        job_receiver.into_iter().for_each(|job| job());
    })?;
    let output = host.output.clone();
    let desk = Desk { host, front_end };
    let mut event_loop = EventLoop { desk, lines, fresh: VecDeque::new(), done, closed };
    let refused = event_loop.run();
    if end == End::OfProcess {
        // The system takes its tables and threads back faster than they could be given back.
        std::mem::forget(event_loop.desk.host.engine.take());
    }
    output.take_failure().map_or(Ok(refused), Err)
}

type Job = Box<dyn FnOnce() + Send>;

/// What a job leaves for the client.
pub(super) enum JobResult {
    /// The answer of a search, and whether part of what was asked for was refused.
    Answer { answer: Answer, refused: bool },
    /// The last lines of other work.
    Lines(Vec<String>),
}

/// The worker returns the engine with the result.
type Done = (Box<dyn Engine>, JobResult);

/// Stops the job that was started last, from any thread.
#[derive(Clone, Default)]
struct StopSwitch(Arc<Mutex<Option<Control>>>);

impl StopSwitch {
    fn set(&self, control: &Control) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(control.clone());
    }

    fn stop(&self) {
        if let Some(control) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            control.stop();
        }
    }
}

struct Running {
    control: Control,
    /// It ends by itself; otherwise the first waiting line stops it.
    bounded: bool,
    /// An answer may not be given before `stop` or `ponderhit`.
    held: bool,
    /// The answer that is held back.
    answer: Option<Answer>,
    /// What the search would answer now; `None` before its first report, and for other work.
    known: Arc<Mutex<Known>>,
}

/// The best line that a search has reported.
#[derive(Default)]
struct Known {
    answer: Option<Answer>,
    /// The session has answered for the search, which reports no more.
    abandoned: bool,
}

impl Known {
    fn note(&mut self, message: &Message) {
        if let Message::Info(line) = message
            && line.multipv == 1
            && !line.pv.is_empty()
        {
            let mut moves = line.pv.iter().cloned();
            self.answer = Some(Answer { best: moves.next(), ponder: moves.next() });
        }
    }
}

/// The state of a session that no dialect changes the meaning of.
pub(super) struct Host {
    pub(super) output: Output,
    /// `None` while the worker has it.
    pub(super) engine: Option<Box<dyn Engine>>,
    jobs: Sender<Job>,
    done: Sender<Done>,
    running: Option<Running>,
    switch: StopSwitch,
    waiting: WaitingLines,
    /// The input has ended.
    ended: bool,
    quitting: bool,
    refused: bool,
}

impl Host {
    /// A host, and what hands its jobs over and takes back what they leave.
    fn new(
        engine: Box<dyn Engine>,
        output: impl Write + Send + 'static,
    ) -> (Self, Receiver<Job>, Receiver<Done>) {
        let (done, all_done) = unbounded();
        let (jobs, all_jobs) = bounded(1);
        let host = Host {
            output: Output::new(output),
            engine: Some(engine),
            jobs,
            done,
            running: None,
            switch: StopSwitch::default(),
            waiting: WaitingLines::new(),
            ended: false,
            quitting: false,
            refused: false,
        };
        (host, all_jobs, all_done)
    }

    /// Logs that a line was refused; the client sees nothing of it.
    pub(super) fn warn(&mut self, text: &str) {
        self.refused = true;
        log::warn!("{text}");
    }

    /// The engine, unless a job runs or its answer is held back.
    pub(super) fn idle_engine(&mut self) -> Option<&mut Box<dyn Engine>> {
        self.engine.as_mut().filter(|_| self.running.is_none())
    }

    /// Whether no line waits for the end of the running job.
    pub(super) fn nothing_waits(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Ends the running job; an answer that was held back is given now.
    pub(super) fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.control.stop();
            running.held = false;
        }
    }

    fn stop_if_unbounded(&mut self) {
        if self.running.as_ref().is_some_and(|running| !running.bounded) {
            self.stop();
        }
    }

    /// Ends the session once the lines that wait are answered.
    pub(super) fn quit(&mut self) {
        self.quitting = true;
        self.stop();
    }

    /// The opponent made the expected move: the clock of the running search begins to run.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running {
            running.control.ponder_hit();
            running.bounded = true;
            running.held = false;
        }
    }

    /// Starts a search; `report` gets what the engine reports on the way. A panic in the engine is
    /// reported as an error and answered by no move.
    pub(super) fn search(
        &mut self,
        engine: Box<dyn Engine>,
        go: GoArguments,
        dialect: Dialect,
        mut report: impl FnMut(Message) + Send + 'static,
    ) {
        let (control, known) = self.begin(clock::is_bounded(&go), go.ponder);
        self.start(engine, move |engine| {
            let mut refused = false;
            let mut report = |message: Message| {
                let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
                if known.abandoned {
                    return;
                }
                refused |=
                    matches!(&message, Message::Error(error) if error.code != Code::Internal);
                known.note(&message);
                report(message);
            };
            let searched = catch_unwind(AssertUnwindSafe(|| {
                engine.search(&go, dialect, &control, &mut report)
            }));
            let answer = searched.unwrap_or_else(|_| {
                let error = ProtocolError::new(Code::Internal, "the search failed");
                report(Message::Error(error));
                Answer::NONE
            });
            JobResult::Answer { answer, refused }
        });
    }

    /// Starts work that ends by itself and whose result is lines.
    pub(super) fn work(
        &mut self,
        engine: Box<dyn Engine>,
        work: impl FnOnce(&mut dyn Engine, &Control) -> Vec<String> + Send + 'static,
    ) {
        let (control, _) = self.begin(true, false);
        self.start(engine, move |engine| JobResult::Lines(work(engine, &control)));
    }

    /// Marks a job as running; its control, and where a search leaves what it knows.
    fn begin(&mut self, bounded: bool, ponder: bool) -> (Control, Arc<Mutex<Known>>) {
        let control = Control::new(ponder);
        let held = !bounded && !self.ended && !self.quitting && self.waiting.is_empty();
        if self.quitting || !bounded && !held {
            // What waited behind a `quit` is still answered, as fast as possible; so is a search
            // that only a line could end when a line waits already.
            control.stop();
        }
        self.switch.set(&control);
        let known = Arc::default();
        let (running, kept) = (control.clone(), Arc::clone(&known));
        self.running = Some(Running { control: running, bounded, held, answer: None, known: kept });
        (control, known)
    }

    /// Answers for a search that does not end, with what it has reported; before that, nothing happens.
    fn abandon(&mut self) {
        let Some(running) = &mut self.running else { return };
        let mut known = running.known.lock().unwrap_or_else(PoisonError::into_inner);
        running.answer = known.answer.take();
        known.abandoned = running.answer.is_some();
    }

    fn start(
        &mut self,
        mut engine: Box<dyn Engine>,
        work: impl FnOnce(&mut dyn Engine) -> JobResult + Send + 'static,
    ) {
        let done = self.done.clone();
        let job = Box::new(move || {
            let result = work(&mut *engine);
            // At the end of the session nobody waits for the engine.
            let _ = done.send((engine, result));
        });
        if self.jobs.send(job).is_err() {
            self.output.line("info string error internal the search thread has ended");
            self.quitting = true;
            self.running = None;
        }
    }

    /// Takes back the engine from a job that is done.
    fn finish(&mut self, engine: Box<dyn Engine>, result: JobResult) {
        self.engine = Some(engine);
        match result {
            JobResult::Lines(lines) => {
                lines.iter().for_each(|line| self.output.line(line));
                self.running = None;
            }
            JobResult::Answer { answer, refused } => {
                self.refused |= refused;
                if let Some(running) = &mut self.running {
                    running.answer = Some(answer);
                }
            }
        }
    }

    /// The answer of the search that has ended, unless it is held back.
    fn take_answer(&mut self) -> Option<Answer> {
        let ready = self.running.as_ref().is_some_and(|run| !run.held && run.answer.is_some());
        if ready { self.running.take().and_then(|run| run.answer) } else { None }
    }
}
