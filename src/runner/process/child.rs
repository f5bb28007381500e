//! One engine process: lines in, lines out, every wait with a deadline.
//!
//! The owner reads the pipe itself, with `poll` and without a reading thread: an engine that floods
//! its output blocks on the full pipe instead of filling our memory, and a line costs one context
//! switch. Each process leads its own process group: helpers that it starts are killed with it,
//! also those that leave the group (see `orphans`), and Ctrl-C at the terminal does not reach it.
//! Its end is noticed even while another process holds its output.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use super::connection::{Connection, ExitState, Failure, KEPT};
use super::{interrupt, orphans, proc_files, sweeper};
use crate::platform::Instant;

/// The longest line that is accepted.
const LINE_LIMIT: usize = 1 << 20;

/// The most bytes that are accepted in answer to one request.
const OUTPUT_LIMIT: usize = 64 << 20;

/// How often a silent process is looked at, whether it still runs.
const LOOK: Duration = Duration::from_millis(250);

/// Where the standard error of an engine goes.
#[derive(Clone, Debug)]
pub(crate) enum ErrorOutput {
    /// Discarded.
    Discard,
    /// Appended to a file.
    File(PathBuf),
}

/// How to start a process.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) program: OsString,
    /// Its arguments.
    pub(crate) arguments: Vec<String>,
    /// Its working directory, if not that of `parlor`.
    pub(crate) directory: Option<PathBuf>,
    /// Where its standard error goes.
    pub(crate) error_output: ErrorOutput,
    /// The processor cores it may use; empty: all.
    pub(crate) cores: Vec<usize>,
}

/// A running engine process.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Unread lines start at `start`; there is no line end between `start` and `scanned`.
    buffer: Vec<u8>,
    start: usize,
    scanned: usize,
    closed: bool,
    /// The process has ended while another one holds its output.
    held: bool,
    received: usize,
    /// What marks the processes that it starts.
    mark: String,
    /// Whether the process has been ended and waited for.
    ended: bool,
}

impl Process {
    /// Starts a process in its own process group.
    ///
    /// # Errors
    /// The operating system's error.
    pub(crate) fn start(launch: &Launch) -> std::io::Result<Self> {
        if interrupt::stopping_now() {
            return Err(std::io::Error::other("the match is being stopped"));
        }
        let mut command = Command::new(&launch.program);
        command.args(&launch.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.process_group(0);
        // While it becomes another program, nothing tells it from what an engine has left behind.
        let starting = interrupt::Starting::new();
        let mark = orphans::mark();
        command.env(sweeper::VARIABLE, &mark);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        match &launch.error_output {
            ErrorOutput::Discard => command.stderr(Stdio::null()),
            ErrorOutput::File(path) => {
                command.stderr(std::fs::File::options().create(true).append(true).open(path)?)
            }
        };
        let cores = core_set(&launch.cores);
        // SAFETY: between fork and exec only two system calls are made, both async-signal-safe;
        // nothing is allocated and no lock is taken.
        unsafe {
            command.pre_exec(move || {
                // Affinity and the signal at the parent's death are best effort: where the system
                // refuses either, the engine runs without.
                if let Some(cores) = &cores {
                    let _ = sched_setaffinity(Pid::from_raw(0), cores);
                }
                #[cfg(target_os = "linux")]
                let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
                Ok(())
            });
        }
        let mut child = command.spawn()?;
        interrupt::register(child.id());
        drop(starting);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::other("the process has no pipes"));
        };
        for result in [
            fcntl(input.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)),
            fcntl(output.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK)),
        ] {
            result.map_err(std::io::Error::from)?;
        }
        let buffer = Vec::new();
        let input = Some(input);
        let process = Process {
            child,
            input,
            output,
            buffer,
            start: 0,
            scanned: 0,
            closed: false,
            held: false,
            received: 0,
            mark,
            ended: false,
        };
        Ok(process)
    }

    /// A full pipe may mean that the engine itself waits until we read: so read meanwhile.
    fn wait_for_room(&mut self, deadline: Instant) -> Result<(), Failure> {
        let Some(input) = &self.input else { return Err(Failure::Closed) };
        let readable = if self.closed { PollFlags::empty() } else { PollFlags::POLLIN };
        let mut ends = [
            PollFd::new(input.as_fd(), PollFlags::POLLOUT),
            PollFd::new(self.output.as_fd(), readable),
        ];
        if !wait(&mut ends, deadline) {
            return Err(Failure::Timeout);
        }
        if ends[1].any().unwrap_or(false) && !self.closed {
            self.take_output()?;
        }
        Ok(())
    }

    /// Takes a line from the buffer, if a whole one is in it.
    fn take_line(&mut self, line: &mut String) -> bool {
        let unscanned = self.buffer.get(self.scanned..).unwrap_or_default();
        let Some(offset) = unscanned.iter().position(|&byte| byte == b'\n') else {
            self.scanned = self.buffer.len();
            return false;
        };
        let end = self.scanned + offset;
        let bytes = self.buffer.get(self.start..end).unwrap_or_default();
        line.clear();
        line.push_str(String::from_utf8_lossy(bytes).trim_end_matches('\r'));
        self.start = end + 1;
        self.scanned = self.start;
        true
    }

    /// Whether the pipe can be read before a moment.
    fn wait_for_output(&self, deadline: Instant) -> bool {
        wait(&mut [PollFd::new(self.output.as_fd(), PollFlags::POLLIN)], deadline)
    }

    /// Reads what a process that has ended left in the pipe: what another one writes there later is
    /// not its answer.
    fn take_last_output(&mut self) -> Result<(), Failure> {
        while !self.closed && self.wait_for_output(Instant::now()) {
            self.take_output()?;
        }
        self.held = !self.closed;
        self.closed = true;
        Ok(())
    }

    /// Reads what the pipe holds, up to the size of one read.
    fn take_output(&mut self) -> Result<(), Failure> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.received > OUTPUT_LIMIT || self.buffer.len() > KEPT {
            return Err(Failure::Endless);
        }
        let mut chunk = [0; 1 << 16];
        match self.output.read(&mut chunk) {
            Ok(0) => self.closed = true,
            Ok(count) => {
                self.received += count;
                self.buffer.extend_from_slice(chunk.get(..count).unwrap_or_default());
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => self.closed = true,
        }
        Ok(())
    }

    /// Closes the engine's standard input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Looks without reaping: the id of a dead process, and with it the id of its group, is not
    /// given to another process until the group is killed.
    fn exit_status(&self) -> Option<WaitStatus> {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let pid = Pid::from_raw(i32::try_from(self.child.id()).ok()?);
        waitid(Id::Pid(pid), flags).ok().filter(|status| *status != WaitStatus::StillAlive)
    }

    /// Once only: the id of a process that was waited for may be another's.
    fn end(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        // As long as it lives they are its own, whatever they made of their environment.
        let family = proc_files::descendants(self.child.id());
        interrupt::kill_group(self.child.id());
        interrupt::forget(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        orphans::end(&self.mark, &family);
    }
}

impl Connection for Process {
    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Failure> {
        self.received = 0;
        let mut left = text.as_bytes();
        while !left.is_empty() {
            let Some(input) = &mut self.input else { return Err(Failure::Closed) };
            match input.write(left) {
                Ok(count) => left = left.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait_for_room(deadline)?
                }
                Err(_) => return Err(Failure::Closed),
            }
        }
        Ok(())
    }

    fn read_line(&mut self, line: &mut String, deadline: Instant) -> Result<(), Failure> {
        loop {
            if self.take_line(line) {
                return Ok(());
            }
            if self.scanned - self.start > LINE_LIMIT {
                return Err(Failure::Endless);
            }
            if self.closed {
                return Err(Failure::Closed);
            }
            if self.wait_for_output(deadline.min(Instant::now() + LOOK)) {
                self.take_output()?;
            } else if self.exit_status().is_some() {
                self.take_last_output()?;
            } else if Instant::now() >= deadline {
                return Err(Failure::Timeout);
            }
        }
    }

    fn line_at_hand(&mut self, line: &mut String) -> bool {
        if self.take_line(line) {
            return true;
        }
        let readable = !self.closed && self.wait_for_output(Instant::now());
        readable && self.take_output().is_ok() && self.take_line(line)
    }

    fn unfinished_line(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    fn is_suspended(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        // The name in parentheses may hold anything.
        let stat = stat.unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    fn received(&self) -> usize {
        self.received
    }

    fn output_is_held(&self) -> bool {
        self.held
    }

    fn wait_for_exit(&mut self, patience: Duration) -> ExitState {
        let deadline = Instant::now() + patience;
        loop {
            match self.exit_status() {
                Some(WaitStatus::Exited(_, code)) => return ExitState::Exited(code),
                Some(WaitStatus::Signaled(_, signal, _)) => {
                    return ExitState::Signalled(signal.as_str());
                }
                _ if Instant::now() >= deadline => return ExitState::StillRunning,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    fn quit(&mut self, patience: Duration) {
        let deadline = Instant::now() + patience;
        if self.send("quit\n", deadline).is_ok() {
            self.input = None;
            let mut line = String::new();
            while self.read_line(&mut line, deadline).is_ok() {}
            self.wait_for_exit(deadline.saturating_duration_since(Instant::now()));
        }
        self.end();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until one of the pipe ends is ready; `false` when the deadline has passed.
fn wait(ends: &mut [PollFd], deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // Rounded up: otherwise the last fraction of a millisecond would be a busy loop.
        let timeout = PollTimeout::try_from(left + Duration::from_micros(999))
            .unwrap_or(PollTimeout::from(u16::MAX));
        match poll(ends, timeout) {
            Ok(0) if Instant::now() >= deadline => return false,
            Ok(0) | Err(nix::Error::EINTR) => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
    }
}

/// Lets the calling thread run only on these cores; on all that it may use if there are none.
pub(in crate::runner) fn pin_thread(cores: &[usize]) {
    if let Some(cores) = core_set(cores) {
        // Best effort, as for the engines: where the system refuses, it runs anywhere.
        let _ = sched_setaffinity(Pid::from_raw(0), &cores);
    }
}

fn core_set(cores: &[usize]) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core).ok()?;
    }
    (!cores.is_empty()).then_some(set)
}
