//! The progress of a running match: a bar and a live table on a terminal, plain lines in a pipe.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::game_text::ending_line;
use super::record::Record;
use super::setup::Setup;
use super::standings::Standings;
use crate::printing;
use crate::runner::process::Warnings;

/// The progress of a match.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    report: u64,
    total: u64,
    warnings: Arc<Warnings>,
}

impl Progress {
    /// For a match of which a number of games are played. There is no bar where the board is drawn.
    pub(super) fn new(setup: &Setup, played: u64) -> Self {
        let total = setup.schedule.total();
        let terminal = printing::is_terminal() == [true; 2];
        let bar = (terminal && !setup.plan.games.show).then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(4));
            let template = "{bar:30} {pos}/{len} games, {elapsed} elapsed, {eta} to go\n{msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_position(played);
            // The elapsed time is redrawn during long games too.
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        Progress {
            bar,
            quiet: setup.plan.run.quiet,
            report: setup.plan.run.report,
            total,
            warnings: setup.plan.launcher.warnings(),
        }
    }

    /// Prints a line.
    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| printing::print(text)),
            None => printing::print(text),
        }
    }

    /// Shows a finished game, its faults with the lines that reproduce them, and from time to time
    /// the standings with the state of the sequential test.
    pub(super) fn game(&self, record: &Record, standings: &Standings, test: Option<String>) {
        if self.bar.is_none() && !self.quiet {
            let seats = record.seating.join(" - ");
            self.line(&format!("game {} {seats}: {}", record.game, ending_line(record)));
        }
        for warning in self.warnings.take() {
            self.line(&format!("warning: {warning}"));
        }
        for fault in &record.faults {
            let mut text = format!(
                "fault in game {}: p{} {}: {}",
                record.game, fault.seat, fault.engine, fault.fault
            );
            for line in [&fault.fault.position, &fault.fault.command] {
                if !line.is_empty() {
                    text += &format!("\n  {line}");
                }
            }
            self.line(&text);
        }
        let table = || {
            let lines = std::iter::once(standings.table()).chain(test.clone());
            lines.collect::<Vec<_>>().join("\n")
        };
        match &self.bar {
            Some(bar) => {
                bar.set_position(standings.games());
                // The intervals of the table take long to compute when there are many bundles.
                if standings.games().is_multiple_of(1 + standings.games() / 500) {
                    bar.set_message(printing::shown(&table()).into_owned());
                }
            }
            None => {
                let due = self.report > 0 && standings.games().is_multiple_of(self.report);
                if due && standings.games() < self.total {
                    self.line(&format!("after {} games:", standings.games()));
                    self.line(&table());
                }
            }
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
