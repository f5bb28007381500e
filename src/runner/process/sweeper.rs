//! A small process beside `parlor` that ends what engines left behind when `parlor` itself was killed.
//!
//! Engines die with `parlor` (see `child`), but not the processes that they have started. The sweeper
//! reads a pipe that only `parlor` holds open: at its end it kills every process that carries the mark
//! of this `parlor` in its environment, and those without any that it has seen among the descendants of
//! `parlor`, at which it looks every second. It exists only on Linux, which tells the environment of a
//! process.

use std::process::ExitCode;
use std::sync::OnceLock;

/// The variable in the environment of every engine.
pub(super) const VARIABLE: &str = "PARLOR_ENGINE";

/// The only argument after the name of the program that makes it a sweeper.
const SWEEP: &str = "sweep-engines-of";

/// What the program calls itself then: a kill of all processes named `parlor` must not reach it.
#[cfg(target_os = "linux")]
const NAME: &str = "engine-sweeper";

/// Whether this program may be started again as a sweeper.
static ENABLED: OnceLock<()> = OnceLock::new();

/// Called by the `main` of `parlor`, with its arguments after the name. The exit code, if this process
/// is a sweeper; otherwise the first engine will start one.
pub(in crate::runner) fn run_or_enable(arguments: &[std::ffi::OsString]) -> Option<ExitCode> {
    match arguments {
        [word, mark] if word == SWEEP => {
            #[cfg(target_os = "linux")]
            linux::wait_and_sweep(&mark.to_string_lossy());
            #[cfg(not(target_os = "linux"))]
            let _ = mark;
            Some(ExitCode::SUCCESS)
        }
        _ => {
            ENABLED.get_or_init(|| ());
            None
        }
    }
}

/// Whether this process is a `parlor` of its own, no part of another program.
pub(super) fn is_enabled() -> bool {
    ENABLED.get().is_some()
}

/// Starts the sweeper for processes whose marks begin with this text.
pub(super) fn start(mark: &str) {
    if is_enabled() {
        #[cfg(target_os = "linux")]
        linux::start(mark);
        #[cfg(not(target_os = "linux"))]
        let _ = mark;
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::io::Read;
    use std::os::fd::AsFd;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::OnceLock;
    use std::time::Duration;

    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::{Pid, getppid};

    use super::super::own_program::interpreter;
    use super::super::proc_files::{self, Identity};
    use super::{NAME, SWEEP, VARIABLE};

    /// Milliseconds between two looks at the descendants of `parlor`.
    const PAUSE: u16 = 1000;

    /// How often it looks: whatever a killed process had started comes with the next look.
    const LOOKS: usize = 200;

    /// Looks without finding anything before it ends.
    const QUIET_LOOKS: usize = 3;

    pub(super) fn start(mark: &str) {
        static SWEEPER: OnceLock<Option<Child>> = OnceLock::new();
        // Best effort: without a sweeper, only a kill of `parlor` leaves something behind.
        SWEEPER.get_or_init(|| {
            let mut command = match interpreter() {
                Some((program, before)) => {
                    let mut command = Command::new(program);
                    command.args(before);
                    command
                }
                None => {
                    // Also where the file was replaced meanwhile.
                    let mut command = Command::new("/proc/self/exe");
                    command.arg0(NAME);
                    command
                }
            };
            command.args([SWEEP, mark]).process_group(0).env(VARIABLE, NAME);
            // It must hold nobody's output open.
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok()
        });
    }

    pub(super) fn wait_and_sweep(mark: &str) {
        if let Ok(name) = std::ffi::CString::new(NAME) {
            let _ = nix::sys::prctl::set_name(&name);
        }
        let mut strangers = wait();
        let mut quiet = 0;
        for _ in 0..LOOKS {
            quiet = if sweep(mark, &mut strangers) { 0 } else { quiet + 1 };
            if quiet == QUIET_LOOKS {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the input, which is the end of `parlor`: its descendants without a mark
    /// that were seen until then, and were not there at the start.
    fn wait() -> BTreeSet<Identity> {
        let parent = getppid().as_raw().unsigned_abs();
        let strangers = || proc_files::descendants(parent).into_iter().filter(is_unmarked);
        let earlier: BTreeSet<Identity> = strangers().collect();
        let mut seen = BTreeSet::new();
        let mut input = std::io::stdin();
        loop {
            let mut ends = [PollFd::new(input.as_fd(), PollFlags::POLLIN)];
            match poll(&mut ends, PollTimeout::from(PAUSE)) {
                Ok(0) => {
                    seen.extend(strangers().filter(|process| !earlier.contains(process)));
                    seen.retain(|&(process, at)| proc_files::started(process) == Some(at));
                }
                _ => match input.read(&mut [0; 64]) {
                    Ok(0) => return seen,
                    Err(error) if error.kind() != std::io::ErrorKind::Interrupted => return seen,
                    _ => {}
                },
            }
        }
    }

    /// Whether a process says nothing of where it came from.
    fn is_unmarked(&(process, _): &Identity) -> bool {
        let environment = proc_files::environment(process);
        environment.is_some_and(|environment| !proc_files::has_variable(&environment, VARIABLE, ""))
    }

    /// Kills every marked process and the strangers; whether there was one.
    fn sweep(mark: &str, strangers: &mut BTreeSet<Identity>) -> bool {
        for stranger @ (process, started) in std::mem::take(strangers) {
            // One that was just being started when it was seen may be marked by now.
            if proc_files::started(process) == Some(started) && is_unmarked(&stranger) {
                let _ = kill(Pid::from_raw(process.cast_signed()), Signal::SIGKILL);
            }
        }
        let Ok(processes) = std::fs::read_dir("/proc") else { return false };
        let mut found = false;
        for process in processes.flatten() {
            let number = process.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            let Some(number) = number else { continue };
            let environment = proc_files::environment(number).unwrap_or_default();
            if proc_files::has_variable(&environment, VARIABLE, mark) {
                found |= kill(Pid::from_raw(number.cast_signed()), Signal::SIGKILL).is_ok();
            }
        }
        found
    }
}
