//! The lines that `perft` and `bench` print.

use std::time::Duration;

use super::interface::BenchResult;

/// The lines of a perft: one for each move, one for the time, the sum last.
pub(super) fn perft_lines(
    depth: u32,
    counts: &[(String, u64)],
    time: Option<Duration>,
) -> Vec<String> {
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
pub(super) fn bench_line(result: BenchResult) -> String {
    let nps = result.nodes as f64 / result.time.as_secs_f64().max(1e-6);
    format!("{} nodes {} nps", result.nodes, nps as u64)
}
