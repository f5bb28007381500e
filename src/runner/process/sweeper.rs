//! A small process beside `parlor` that ends what engines left behind when `parlor` itself was killed.
//!
//! Engines die with `parlor` (see `child`), but not the processes that they have started. The sweeper
//! reads a pipe that only `parlor` holds open: at its end it kills every process that carries the mark
//! of this `parlor` in its environment. It exists only on Linux, which tells the environment of a
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

/// Starts the sweeper for processes whose marks begin with this text.
pub(super) fn start(mark: &str) {
    if ENABLED.get().is_some() {
        #[cfg(target_os = "linux")]
        linux::start(mark);
        #[cfg(not(target_os = "linux"))]
        let _ = mark;
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::OnceLock;
    use std::time::Duration;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::super::own_program::interpreter;
    use super::{NAME, SWEEP, VARIABLE};

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
            command.args([SWEEP, mark]).process_group(0);
            // It must hold nobody's output open.
            command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok()
        });
    }

    pub(super) fn wait_and_sweep(mark: &str) {
        if let Ok(name) = std::ffi::CString::new(NAME) {
            let _ = nix::sys::prctl::set_name(&name);
        }
        // The end of the input is the end of `parlor`.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let entry = format!("{VARIABLE}={mark}");
        let mut quiet = 0;
        for _ in 0..LOOKS {
            quiet = if sweep(entry.as_bytes()) { 0 } else { quiet + 1 };
            if quiet == QUIET_LOOKS {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills every marked process; whether there was one.
    fn sweep(entry: &[u8]) -> bool {
        let Ok(processes) = std::fs::read_dir("/proc") else { return false };
        let mut found = false;
        for process in processes.flatten() {
            let number = process.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(number) = number else { continue };
            let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|found| found.starts_with(entry)) {
                found |= kill(Pid::from_raw(number), Signal::SIGKILL).is_ok();
            }
        }
        found
    }
}
