//! Long work that is no search: perft and bench.

use std::time::Duration;

use super::{Outcome, Session};
use crate::engine::interface::{Benched, Engine};

impl Session {
    pub(super) fn perft(&mut self, engine: Box<dyn Engine>, depth: u32) {
        let control = self.bounded_job();
        self.start(Box::new(move || {
            let lines = match engine.perft(depth, true, &control) {
                Ok(counts) => perft_lines(depth, &counts, None),
                Err(error) => vec![format!("info string error {error}")],
            };
            (engine, Outcome::Told(lines))
        }));
    }

    pub(super) fn bench(&mut self, engine: Box<dyn Engine>, depth: Option<u32>) {
        let control = self.bounded_job();
        let output = self.output.clone();
        self.start(Box::new(move || {
            let result = engine.bench(depth, &control, &mut |line| output.line(&line));
            (engine, Outcome::Told(vec![bench_line(result)]))
        }));
    }
}

/// The lines of a perft: a line a move, the time on a line of its own, the sum last.
pub fn perft_lines(depth: u32, counts: &[(String, u64)], time: Option<Duration>) -> Vec<String> {
    let total: u64 = if depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    let mut lines: Vec<_> = counts.iter().map(|(m, count)| format!("{m}: {count}")).collect();
    if let Some(time) = time {
        let rate = total as f64 / time.as_secs_f64().max(1e-6) / 1e6;
        lines.push(format!("Time: {} ms ({rate:.1} M/s)", time.as_millis()));
    }
    lines.push(format!("Nodes searched: {total}"));
    lines
}

/// The last line of `bench`.
pub fn bench_line(result: Benched) -> String {
    let nps = result.nodes as f64 / result.time.as_secs_f64().max(1e-6);
    format!("{} nodes {} nps", result.nodes, nps as u64)
}
