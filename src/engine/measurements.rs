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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perft_has_a_line_a_move_and_its_time_before_the_sum() {
        let counts = [("a1a2".into(), 1_000_000), ("b1b2".into(), 2_000_000)];
        let time = Some(Duration::from_millis(1_500));
        let lines = ["a1a2: 1000000", "b1b2: 2000000", "Nodes searched: 3000000"];
        assert_eq!(perft_lines(2, &counts, None), lines);
        let timed = [lines[0], lines[1], "Time: 1500 ms (2.0 M/s)", lines[2]];
        assert_eq!(perft_lines(2, &counts, time), timed);
        // The position itself is one sequence of no plies; a finished one has none of one ply.
        assert_eq!(perft_lines(0, &[], None), ["Nodes searched: 1"]);
        assert_eq!(perft_lines(1, &[], None), ["Nodes searched: 0"]);
    }

    #[test]
    fn a_bench_tells_its_nodes_and_those_of_a_second() {
        let line = |nodes, time| bench_line(BenchResult { nodes, time });
        assert_eq!(line(3_000, Duration::from_millis(1_500)), "3000 nodes 2000 nps");
        assert_eq!(line(0, Duration::ZERO), "0 nodes 0 nps");
    }
}
