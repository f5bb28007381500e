//! A session: lines in, lines out, one search at a time.
//!
//! A thread reads lines; a worker thread searches; the session waits for either. While a search
//! runs, `isready`, `stop`, `ponderhit`, `debug` and `quit` act at once and every other line waits.
//! A search without a bound of its own is stopped by the first waiting line, the end of the input
//! included.

pub(super) mod jobs;
mod xboard;

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};

use self::xboard::XBoard;
use super::clock;
use super::help;
use super::input::{InputLine, read_line};
use super::interface::{Answer, Engine, Said, SetError};
use super::options::declaration;
use super::output::Output;
use crate::protocol::reply::{EMPTY_INFO, NO_MOVE};
use crate::protocol::{Code, Command, Dialect, GoArguments, ProtocolError, parse_line};
use crate::search::Control;

/// Search threads need room for deep recursion.
const STACK: usize = 32 << 20;

/// So many lines may wait behind a search before reading pauses.
const MOST_WAITING: usize = 10_000;

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By `quit`, the end of the input, or a closed output.
    Quiet,
    /// The same, but a line was refused on the way.
    Refusals,
}

/// Runs a session to its end.
pub fn run(
    engine: Box<dyn Engine>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<Ending> {
    let (line_sender, lines) = bounded(256);
    let (done_sender, done) = unbounded();
    let (jobs, job_receiver) = bounded::<Job>(1);
    thread::Builder::new().name("input".into()).spawn(move || read_all(input, &line_sender))?;
    let worker =
        thread::Builder::new().name("search".into()).stack_size(STACK).spawn(move || {
            for job in job_receiver {
                job();
            }
        })?;
    let session = Session {
        output: Output::new(output),
        lines,
        done,
        done_sender,
        jobs,
        engine: Some(engine),
        running: None,
        waiting: VecDeque::new(),
        dialect: Dialect::default(),
        xboard: None,
        ended: false,
        quitting: false,
        refused: false,
    };
    let ending = session.run();
    // The session has dropped its end of the job channel, so the worker is done or about to be.
    // A perft may still be counting; nobody waits for that.
    drop(worker);
    Ok(ending)
}

fn read_all(mut input: impl BufRead, lines: &Sender<InputLine>) {
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) => {
                if lines.send(line).is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(error) => {
                log::warn!("the input cannot be read: {error}");
                return;
            }
        }
    }
}

type Job = Box<dyn FnOnce() + Send>;

/// The worker gives the engine back, and what it has to say last.
type Done = (Box<dyn Engine>, Outcome);

enum Outcome {
    Searched(Answer),
    Told(Vec<String>),
}

struct Running {
    control: Control,
    /// It ends by itself; otherwise the first waiting line stops it.
    bounded: bool,
    /// An answer may not be given before `stop` or `ponderhit`.
    held: bool,
    /// The answer that is held back.
    answer: Option<Answer>,
}

struct Session {
    output: Output,
    lines: Receiver<InputLine>,
    done: Receiver<Done>,
    done_sender: Sender<Done>,
    jobs: Sender<Job>,
    /// `None` while the worker has it.
    engine: Option<Box<dyn Engine>>,
    running: Option<Running>,
    waiting: VecDeque<InputLine>,
    dialect: Dialect,
    /// The state of XBoard's dialect, once it was chosen.
    xboard: Option<XBoard>,
    ended: bool,
    quitting: bool,
    refused: bool,
}

impl Session {
    fn run(mut self) -> Ending {
        while !self.output.closed() {
            if self.running.is_some() {
                self.wait_for_event();
            } else if let Some(line) = self.waiting.pop_front() {
                self.act(line);
            } else if self.ended || self.quitting {
                break;
            } else if self.xboard_analyzes() && self.lines.is_empty() && self.xboard_resume() {
                continue;
            } else {
                match self.lines.recv() {
                    Ok(line) => self.act(line),
                    Err(_) => self.ended = true,
                }
            }
        }
        if let Some(running) = &self.running {
            running.control.stop();
        }
        if self.refused { Ending::Refusals } else { Ending::Quiet }
    }

    fn wait_for_event(&mut self) {
        let reading = !self.ended && !self.quitting && self.waiting.len() < MOST_WAITING;
        let lines = if reading { self.lines.clone() } else { crossbeam_channel::never() };
        let done = self.done.clone();
        select! {
            recv(done) -> message => if let Ok((engine, outcome)) = message {
                self.finish(engine, outcome);
            },
            recv(lines) -> message => match message {
                Ok(line) => self.during_search(line),
                Err(_) => {
                    self.ended = true;
                    self.stop_if_unbounded();
                }
            },
        }
    }

    /// A line that came while a search runs.
    fn during_search(&mut self, line: InputLine) {
        if let InputLine::Text(text) = &line
            && self.xboard.is_some()
        {
            if self.xboard_during_search(text) {
                return;
            }
        } else if let InputLine::Text(text) = &line {
            let parsed = parse_line(text);
            let at_once = matches!(
                parsed.command,
                Some(Ok(Command::IsReady
                    | Command::Stop
                    | Command::PonderHit
                    | Command::Debug(_)
                    | Command::Quit))
            );
            // A line of nothing but unknown words acts on nothing, so it need not wait either.
            if at_once || parsed.command.is_none() {
                return self.act(line);
            }
        }
        self.waiting.push_back(line);
        self.stop_if_unbounded();
    }

    fn stop_if_unbounded(&mut self) {
        if self.running.as_ref().is_some_and(|running| !running.bounded) {
            self.stop();
        }
    }

    /// Ends the running search; an answer that was held back is given now.
    fn stop(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        running.control.stop();
        running.held = false;
        self.release();
    }

    fn release(&mut self) {
        let ready = self.running.as_ref().is_some_and(|run| !run.held && run.answer.is_some());
        if ready && let Some(answer) = self.running.take().and_then(|run| run.answer) {
            self.tell_answer(&answer);
        }
    }

    fn finish(&mut self, engine: Box<dyn Engine>, outcome: Outcome) {
        self.engine = Some(engine);
        match outcome {
            Outcome::Told(lines) => {
                lines.iter().for_each(|line| self.output.line(line));
                self.running = None;
            }
            Outcome::Searched(answer) => {
                if let Some(running) = &mut self.running {
                    running.answer = Some(answer);
                }
                self.release();
            }
        }
    }

    fn tell_answer(&mut self, answer: &Answer) {
        if self.xboard.is_some() {
            return self.xboard_answer(answer);
        }
        match (&answer.best, &answer.ponder) {
            (None, _) => {
                self.output.line(EMPTY_INFO);
                self.output.line(NO_MOVE);
            }
            (Some(best), Some(ponder)) if self.dialect == Dialect::Uci => {
                self.output.line(&format!("bestmove {best} ponder {ponder}"));
            }
            (Some(best), _) => self.output.line(&format!("bestmove {best}")),
        }
    }

    fn act(&mut self, line: InputLine) {
        match line {
            InputLine::Refused { first_word, error } => self.refuse_line(&first_word, &error),
            InputLine::Text(text) if self.xboard.is_some() => self.xboard_line(&text),
            InputLine::Text(text) => {
                log::debug!("< {text}");
                let parsed = parse_line(&text);
                for warning in parsed.warnings {
                    self.warn(&warning);
                }
                match parsed.command {
                    None => {}
                    Some(Ok(command)) => self.command(command),
                    Some(Err(error)) => {
                        let first_word = text.split_ascii_whitespace().next().unwrap_or("");
                        self.refuse_line(first_word, &error);
                    }
                }
            }
        }
    }

    /// For stderr only: the client is told nothing.
    fn warn(&mut self, text: &str) {
        self.refused = true;
        log::warn!("{text}");
    }

    fn error(&mut self, error: &ProtocolError) {
        self.warn(&error.to_string());
        self.output.line(&format!("info string error {error}"));
    }

    /// A line that could not be read as a command. A refused position is no position.
    fn refuse_line(&mut self, first_word: &str, error: &ProtocolError) {
        if self.xboard.is_some() {
            self.warn(&error.to_string());
            self.output.line(&format!("Error ({}): {first_word}", error.text));
            return;
        }
        match first_word {
            "query" => {
                self.warn(&error.to_string());
                self.output.line(&format!("response error {error}"));
            }
            "position" | "moves" => {
                if let Some(engine) = &mut self.engine {
                    engine.make_stale();
                }
                self.error(error);
            }
            _ => self.error(error),
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::IsReady => self.output.line("readyok"),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => {
                self.quitting = true;
                self.stop();
            }
            Command::Debug(on) => log::set_max_level(match on {
                true => log::LevelFilter::Debug,
                false => log::LevelFilter::Warn,
            }),
            Command::XBoard => self.xboard_handshake(),
            Command::Help(topic) => self.output.line(&help::text(topic.as_deref())),
            other => self.engine_command(other),
        }
    }

    /// Switches to XBoard's dialect, where the game has it.
    fn xboard_handshake(&mut self) {
        match self.engine.as_ref().and_then(|engine| engine.xboard()) {
            Some(board) => {
                self.xboard = Some(XBoard::new(board));
                self.output.line("");
            }
            None => {
                self.warn("this engine has no xboard dialect; use ugi or uci");
                self.output.line("Error (unknown command): xboard");
            }
        }
    }

    /// Commands that need the engine, which is here because none of them acts during a search.
    fn engine_command(&mut self, command: Command) {
        let Some(mut engine) = self.engine.take() else {
            return;
        };
        match command {
            Command::Go(go) => return self.go(engine, go),
            Command::Perft(depth) => return self.perft(engine, depth),
            Command::Bench(depth) => return self.bench(engine, depth),
            Command::Handshake(dialect) => self.handshake(&*engine, dialect),
            Command::NewGame => engine.new_game(),
            Command::SetOption { name, value } => {
                match engine.set_option(&name, value.as_deref()) {
                    Ok(()) => {}
                    Err(SetError::Unknown(name)) => {
                        self.warn(&format!("unknown option '{name}' skipped"));
                    }
                    Err(SetError::Refused(error)) => self.error(&error),
                }
            }
            Command::Position(argument) => {
                if let Err(error) = engine.set_position(&argument) {
                    self.error(&error);
                }
            }
            Command::Moves(tokens) => {
                if let Err(error) = engine.append_moves(&tokens) {
                    self.error(&error);
                }
            }
            Command::Query { word, arguments } => match engine.query(&word, &arguments) {
                Ok(text) => self.output.line(&format!("response {text}")),
                Err(error) => self.refuse_line("query", &error),
            },
            Command::Draw => self.output.line(&engine.draw()),
            Command::Evaluate => match engine.evaluate() {
                Ok(text) => self.output.line(&text),
                Err(error) => self.error(&error),
            },
            // The rest was acted on before.
            _ => {}
        }
        self.engine = Some(engine);
    }

    fn handshake(&mut self, engine: &dyn Engine, dialect: Dialect) {
        self.dialect = dialect;
        self.output.line(&format!("id name {}", engine.name()));
        self.output.line("id author Parlor");
        for spec in engine.options().specs() {
            self.output.line(&declaration(spec));
        }
        match dialect {
            Dialect::Ugi => self.output.line("ugiok"),
            Dialect::Uci => {
                if let Some(spec) = engine.ponder_option() {
                    self.output.line(&declaration(&spec));
                }
                self.output.line("uciok");
            }
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(running) = &mut self.running {
            running.control.ponder_hit();
            running.bounded = true;
            running.held = false;
        }
        self.release();
    }

    fn go(&mut self, mut engine: Box<dyn Engine>, go: Box<GoArguments>) {
        let bounded = clock::is_bounded(&go);
        let control = Control::new(go.ponder);
        if self.quitting {
            // What waited behind a `quit` is still answered, as fast as can be.
            control.stop();
        }
        let (output, dialect, asked) = (self.output.clone(), self.dialect, control.clone());
        if !go.refused.is_empty() {
            self.refused = true;
        }
        let held = !bounded && !self.ended && !self.quitting && self.waiting.is_empty();
        self.running = Some(Running { control: control.clone(), bounded, held, answer: None });
        if !bounded && !held {
            control.stop();
        }
        self.start(Box::new(move || {
            let mut report = |said: Said| output.line(&spoken(&said));
            let searched =
                catch_unwind(AssertUnwindSafe(|| engine.search(&go, dialect, &asked, &mut report)));
            let answer = searched.unwrap_or_else(|_| {
                let error = ProtocolError::new(Code::Internal, "the search failed");
                output.line(&spoken(&Said::Error(error)));
                Answer { best: None, ponder: None }
            });
            (engine, Outcome::Searched(answer))
        }));
    }

    fn bounded_job(&mut self) -> Control {
        let control = Control::default();
        if self.quitting {
            control.stop();
        }
        let running =
            Running { control: control.clone(), bounded: true, held: false, answer: None };
        self.running = Some(running);
        control
    }

    fn start(&mut self, work: Box<dyn FnOnce() -> Done + Send>) {
        let done = self.done_sender.clone();
        let job = Box::new(move || {
            // The session may be gone by now; then nobody wants the engine back.
            let _ = done.send(work());
        });
        if self.jobs.send(job).is_err() {
            self.output.line("info string error internal the search thread is gone");
            self.quitting = true;
            self.running = None;
        }
    }
}

fn spoken(said: &Said) -> String {
    match said {
        Said::Info(info) => info.to_string(),
        Said::Text(text) => format!("info string {text}"),
        Said::Error(error) => {
            log::warn!("{error}");
            format!("info string error {error}")
        }
    }
}
