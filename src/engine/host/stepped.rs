//! A session on one thread: a line in, its job run, the answers out.

use std::io::Write;

use crossbeam_channel::Receiver;

use super::desk::Desk;
use super::waiting_lines::Budget;
use super::{Done, FrontEnd, Host, Job};
use crate::engine::input::InputLine;
use crate::engine::interface::Engine;
use crate::engine::session::State;

/// A host whose jobs run where its lines come from.
pub(in crate::engine) struct Stepped {
    desk: Desk,
    jobs: Receiver<Job>,
    done: Receiver<Done>,
    /// Nothing waits here for long, so that it is never full.
    budget: Budget,
}

impl Stepped {
    pub(in crate::engine) fn new(
        engine: Box<dyn Engine>,
        front_end: Box<dyn FrontEnd>,
        output: impl Write + Send + 'static,
    ) -> Self {
        let (host, jobs, done) = Host::new(engine, output);
        Stepped { desk: Desk { host, front_end }, jobs, done, budget: Budget::default() }
    }

    /// Acts on a line and runs what it starts; what it lets go on as well.
    pub(in crate::engine) fn line(&mut self, line: InputLine) -> State {
        if self.desk.host.quitting {
            return State::Over;
        }
        let line = self.budget.hold(line);
        match self.desk.host.running {
            Some(_) => self.desk.act_during_job(line),
            None => self.desk.act(line),
        }
        self.settle();
        self.desk.host.output.flush();
        match &self.desk.host {
            host if host.quitting => State::Over,
            host if host.running.is_some() => State::Held,
            _ => State::Ready,
        }
    }

    /// Runs jobs and acts on waiting lines until only a further line can change anything.
    fn settle(&mut self) {
        loop {
            if let Ok(job) = self.jobs.try_recv() {
                // What a job reports is not to wait for its end.
                self.desk.host.output.flush();
                job();
            }
            if let Ok((engine, result)) = self.done.try_recv() {
                self.desk.host.finish(engine, result);
            }
            self.desk.answer();
            if self.desk.host.running.is_some() {
                return;
            }
            match self.desk.host.waiting.pop_front() {
                Some(line) => self.desk.act(line),
                None => self.desk.front_end.idle(&mut self.desk.host),
            }
            if self.jobs.is_empty() && self.desk.host.nothing_waits() {
                return;
            }
        }
    }
}

#[cfg(all(test, feature = "barca"))]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::engine::input::whole_line;
    use crate::engine::named;
    use crate::engine::ugi::Ugi;

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// The state after each line, and the first words of the answers to it.
    fn told(lines: &[&str]) -> Vec<(State, Vec<String>)> {
        let kept = Kept::default();
        let engine = named("barca").expect("barca");
        let mut session = Stepped::new(engine, Box::new(Ugi::default()), kept.clone());
        let step = |line: &&str| {
            let state = session.line(whole_line(line.as_bytes()));
            let written = std::mem::take(&mut *kept.0.lock().unwrap());
            let text = String::from_utf8(written).unwrap();
            let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            (state, text.lines().map(first).filter(|word| word != "info").collect())
        };
        lines.iter().map(step).collect()
    }

    #[test]
    fn an_unlimited_search_that_has_ended_is_answered_for_by_the_next_line() {
        use State::{Held, Over, Ready};
        let lines = ["isready", "go depth 1", "go infinite depth 1", "isready", "stop", "stop"];
        let none = Vec::<&str>::new;
        let expected = [
            (Ready, vec!["readyok"]),
            (Ready, vec!["bestmove"]),
            (Held, none()),
            (Held, vec!["readyok"]),
            (Ready, vec!["bestmove"]),
            (Ready, none()),
        ];
        assert_eq!(shortened(&told(&lines)), expected);
        // Other lines end it, and are acted on; so does the end.
        let lines = ["go ponder depth 1", "query turn", "go infinite depth 1", "go depth 1"];
        let expected = [
            (Held, none()),
            (Ready, vec!["bestmove", "response"]),
            (Held, none()),
            (Ready, vec!["bestmove", "bestmove"]),
        ];
        assert_eq!(shortened(&told(&lines)), expected);
        let lines = ["go ponder depth 1", "ponderhit", "go infinite depth 1", "quit", "isready"];
        let expected = [
            (Held, none()),
            (Ready, vec!["bestmove"]),
            (Held, none()),
            (Over, vec!["bestmove"]),
            (Over, none()),
        ];
        assert_eq!(shortened(&told(&lines)), expected);
    }

    fn shortened(told: &[(State, Vec<String>)]) -> Vec<(State, Vec<&str>)> {
        told.iter().map(|(state, list)| (*state, list.iter().map(|w| &**w).collect())).collect()
    }
}
