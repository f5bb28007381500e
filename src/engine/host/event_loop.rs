//! Waits for lines and for the results of jobs, and hands them to the front end one at a time.

use std::io::BufRead;

use crossbeam_channel::{Receiver, Sender, select};

use super::waiting_lines::{Budget, HeldLine};
use super::{Done, FrontEnd, Host};
use crate::engine::input::{InputLine, read_line};

/// Reads lines until the input ends or nobody wants more.
pub(super) fn read_all(mut input: impl BufRead, lines: &Sender<HeldLine>) {
    let budget = Budget::default();
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) => {
                if lines.send(budget.hold(line)).is_err() {
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

/// A session between its threads.
pub(super) struct EventLoop {
    pub(super) host: Host,
    pub(super) front_end: Box<dyn FrontEnd>,
    pub(super) lines: Receiver<HeldLine>,
    pub(super) done: Receiver<Done>,
    /// Gets a message once nobody reads the output any more.
    pub(super) closed: Receiver<()>,
}

impl EventLoop {
    /// Runs until the session ends; whether a line was refused.
    pub(super) fn run(mut self) -> bool {
        while !self.host.output.closed() {
            if self.host.running.is_some() {
                self.wait_for_event();
            } else if let Some(line) = self.host.waiting.pop_front().and_then(HeldLine::take) {
                self.act(line);
            } else if self.host.ended || self.host.quitting {
                break;
            } else {
                self.wait_for_line();
            }
            if let Some(answer) = self.host.take_answer() {
                self.front_end.answer(&mut self.host, &answer);
            }
        }
        self.host.stop();
        self.host.refused
    }

    fn wait_for_line(&mut self) {
        if self.lines.is_empty() {
            self.front_end.idle(&mut self.host);
            if self.host.running.is_some() {
                return;
            }
        }
        select! {
            recv(self.lines) -> message => match message.ok().and_then(HeldLine::take) {
                Some(line) => self.act(line),
                None => self.host.ended = true,
            },
            recv(self.closed) -> message => self.output_closed(message.is_ok()),
        }
    }

    /// Waits for the end of the job or for a line.
    fn wait_for_event(&mut self) {
        let host = &mut self.host;
        let reading = !host.ended && !host.quitting;
        let lines = if reading { self.lines.clone() } else { crossbeam_channel::never() };
        select! {
            recv(self.done) -> message => if let Ok((engine, result)) = message {
                host.finish(engine, result);
            },
            recv(lines) -> message => match message {
                Ok(line) => self.act_during_job(line),
                Err(_) => {
                    host.ended = true;
                    host.stop_if_unbounded();
                }
            },
            recv(self.closed) -> message => self.output_closed(message.is_ok()),
        }
    }

    /// The guard of the output has spoken, or has ended without a word.
    fn output_closed(&mut self, closed: bool) {
        self.closed = crossbeam_channel::never();
        if closed {
            self.host.output.close();
        }
    }

    fn act_during_job(&mut self, line: HeldLine) {
        if let Some(InputLine::Text(text)) = line.line()
            && self.front_end.act_during_job(&mut self.host, text)
        {
            return;
        }
        self.host.waiting.push_back(line);
        self.host.stop_if_unbounded();
    }

    fn act(&mut self, line: InputLine) {
        match line {
            InputLine::Refused { first_word, error } => {
                self.front_end.refuse(&mut self.host, &first_word, &error);
            }
            InputLine::Text(text) => {
                log::debug!("< {text}");
                if let Some(front_end) = self.front_end.act(&mut self.host, &text) {
                    self.front_end = front_end;
                }
            }
        }
    }
}
