//! Waits for lines and for the results of jobs, and hands them to the front end one at a time.

use std::collections::VecDeque;
use std::io::{BufReader, Read};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, select};

use super::waiting_lines::{Budget, HeldLine};
use super::{Desk, Done, StopSwitch};
use crate::engine::input::{InputLine, read_line};

/// How long `quit` waits for a search to end. On a busy machine the thread of a search that has had its
/// share of the processor waits long for the next.
const PATIENCE: Duration = Duration::from_millis(2);

/// Bytes read at once.
const CHUNK: usize = 1 << 14;

/// Reads lines until `quit`, the end of the input, or until nobody wants more. Lines that arrive
/// together are passed on together: each message wakes the event loop. `quit` stops the running job
/// from here: on a busy machine the event loop may get its turn much later.
pub(super) fn read_all(input: impl Read, lines: &Sender<Vec<HeldLine>>, switch: &StopSwitch) {
    let budget = Budget::default();
    let mut input = BufReader::with_capacity(CHUNK, input);
    let mut batch = Vec::new();
    loop {
        match read_line(&mut input) {
            Ok(Some(line)) if is_quit(&line) => {
                switch.stop();
                batch.push(budget.hold(line));
                break;
            }
            Ok(Some(line)) => batch.push(budget.hold(line)),
            Ok(None) => break,
            Err(error) => {
                log::warn!("the input cannot be read: {error}");
                break;
            }
        }
        // No line waits for room while others wait here.
        let more = input.buffer().contains(&b'\n') && budget.has_room();
        if !more && lines.send(std::mem::take(&mut batch)).is_err() {
            return;
        }
    }
    // Nobody may want them any more.
    let _ = lines.send(batch);
}

/// Whether a line is `quit`, which means the same in every dialect.
fn is_quit(line: &InputLine) -> bool {
    matches!(line, InputLine::Text(text) if text.trim() == "quit")
}

/// A session between its threads.
pub(super) struct EventLoop {
    pub(super) desk: Desk,
    pub(super) lines: Receiver<Vec<HeldLine>>,
    /// Lines that were received and not looked at.
    pub(super) fresh: VecDeque<HeldLine>,
    pub(super) done: Receiver<Done>,
    /// Gets a message once nobody reads the output any more.
    pub(super) closed: Receiver<()>,
}

impl EventLoop {
    /// Runs until the session ends; whether a line was refused.
    pub(super) fn run(&mut self) -> bool {
        while !self.desk.host.output.closed() {
            if self.desk.host.running.is_some() {
                self.wait_for_event();
            } else if let Some(line) = self.desk.host.waiting.pop_front() {
                self.desk.act(line);
            } else if self.desk.host.ended || self.desk.host.quitting {
                break;
            } else {
                self.wait_for_line();
            }
            self.desk.answer();
        }
        self.desk.host.stop();
        self.desk.host.output.flush();
        self.desk.host.refused
    }

    fn wait_for_line(&mut self) {
        if let Some(line) = self.fresh.pop_front() {
            self.desk.act(line);
            return;
        }
        if self.lines.is_empty() {
            self.desk.front_end.idle(&mut self.desk.host);
            if self.desk.host.running.is_some() {
                return;
            }
        }
        self.desk.host.output.flush();
        select! {
            recv(self.lines) -> message => self.receive(message.ok()),
            recv(self.closed) -> message => self.output_closed(message.is_ok()),
        }
    }

    /// Takes lines from the reader, or the end of the input.
    fn receive(&mut self, lines: Option<Vec<HeldLine>>) {
        match lines {
            Some(lines) => self.fresh.extend(lines),
            None => self.desk.host.ended = true,
        }
    }

    /// Waits for the end of the job or for a line.
    fn wait_for_event(&mut self) {
        let host = &mut self.desk.host;
        let reading = !host.ended && !host.quitting;
        if reading && let Some(line) = self.fresh.pop_front() {
            self.desk.act_during_job(line);
            return;
        }
        host.output.flush();
        let lines = if reading { self.lines.clone() } else { crossbeam_channel::never() };
        let late = match host.quitting && host.nothing_waits() {
            true => crossbeam_channel::after(PATIENCE),
            false => crossbeam_channel::never(),
        };
        select! {
            recv(self.done) -> message => if let Ok((engine, result)) = message {
                host.finish(engine, result);
            },
            recv(lines) -> message => {
                self.receive(message.ok());
                if self.desk.host.ended {
                    self.desk.host.stop_if_unbounded();
                }
            }
            recv(late) -> _ => host.abandon(),
            recv(self.closed) -> message => self.output_closed(message.is_ok()),
        }
    }

    /// The guard of the output has spoken, or has ended without a word.
    fn output_closed(&mut self, closed: bool) {
        self.closed = crossbeam_channel::never();
        if closed {
            self.desk.host.output.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;
    use crate::search::Control;

    #[test]
    fn quit_stops_the_running_job_as_soon_as_it_is_read_and_nothing_is_read_after_it() {
        for (input, stopped, read) in
            [("isready\n quit\r\nisready\n", true, 2), ("isready\nquit now\nstop\n", false, 3)]
        {
            let (switch, control) = (StopSwitch::default(), Control::default());
            switch.set(&control);
            let (sender, lines) = unbounded();
            read_all(input.as_bytes(), &sender, &switch);
            assert_eq!(control.stopped(), stopped, "{input:?}");
            drop(sender);
            assert_eq!(lines.iter().flatten().count(), read, "{input:?}");
        }
    }
}
