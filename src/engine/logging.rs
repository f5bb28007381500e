//! Logs: warnings to stderr, and with `--log-file` every line of the protocol to a file.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::printing::{note_line, shown};
use anyhow::Context;
use log::{LevelFilter, Log, Metadata, Record};

struct Logger {
    stderr: env_logger::Logger,
    file: Option<Mutex<File>>,
    started: Instant,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.file.is_some() || self.stderr.enabled(metadata)
    }

    fn log(&self, record: &Record<'_>) {
        let told = record.args().to_string();
        let told = shown(&told);
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let seconds = self.started.elapsed().as_secs_f64();
            let line = format!("{seconds:.6} {} {told}\n", record.level());
            if let Err(error) = file.write_all(line.as_bytes()) {
                report(&error);
            }
        }
        if self.stderr.matches(record) {
            let mut copy = Record::builder();
            copy.metadata(record.metadata().clone());
            self.stderr.log(&copy.args(format_args!("{told}")).build());
        }
    }

    fn flush(&self) {
        self.stderr.flush();
    }
}

/// Whether a line could not be written to the file.
static INCOMPLETE: AtomicBool = AtomicBool::new(false);

/// Says once that the file is incomplete. A full disk must not end a game: only the exit code of the
/// program reports it.
fn report(error: &std::io::Error) {
    if !INCOMPLETE.swap(true, Ordering::Relaxed) {
        note_line!("--log-file: {error}; the log is incomplete");
    }
}

/// Whether a line is missing from the file of `--log-file`.
pub(super) fn is_incomplete() -> bool {
    INCOMPLETE.load(Ordering::Relaxed)
}

/// Installs the logger. Without `RUST_LOG` stderr gets warnings; `debug on` raises that to all.
pub(super) fn install(log_file: Option<&Path>) -> anyhow::Result<()> {
    let environment = std::env::var("RUST_LOG").is_ok();
    let mut builder = env_logger::Builder::new();
    match environment {
        true => builder.parse_default_env(),
        false if log_file.is_some() => builder.filter_level(LevelFilter::Warn),
        false => builder.filter_level(LevelFilter::Debug),
    };
    let stderr = builder.format_target(false).build();
    let most = if environment { stderr.filter() } else { LevelFilter::Warn };
    let file = match log_file {
        None => None,
        Some(path) => {
            let file = File::options().create(true).append(true).open(path);
            Some(Mutex::new(file.with_context(|| format!("--log-file {}", path.display()))?))
        }
    };
    let level = if file.is_some() { LevelFilter::Debug.max(most) } else { most };
    let logger = Logger { stderr, file, started: Instant::now() };
    // A second installation (several engines in one test process) keeps the first.
    if log::set_boxed_logger(Box::new(logger)).is_ok() {
        log::set_max_level(level);
    }
    Ok(())
}
