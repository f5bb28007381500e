//! How each engine played: depth, speed, time, stray lines; and what the runner took.

use serde_json::{Value, json};

use crate::runner::output;
use crate::runner::tournament::record::{Move, Origin, Record};

/// Sums over the moves of one engine.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Play {
    /// Moves that it chose.
    moves: u64,
    /// Moves with a time, and their milliseconds.
    timed: u64,
    ms: f64,
    /// Moves with a depth, and its sum.
    with_depth: u64,
    depth: u64,
    /// Nodes of the moves with both nodes and a time, and the milliseconds of these.
    nodes: u64,
    nodes_ms: f64,
    /// Moves and reports outside of a search.
    strays: u64,
}

impl Play {
    fn add(&mut self, m: &Move) {
        self.moves += 1;
        if let Some(ms) = m.ms {
            self.timed += 1;
            self.ms += ms;
            if let Some(nodes) = m.nodes {
                self.nodes += nodes;
                self.nodes_ms += ms;
            }
        }
        if let Some(depth) = m.depth {
            self.with_depth += 1;
            self.depth += u64::from(depth);
        }
    }

    fn mean_depth(&self) -> Option<f64> {
        (self.with_depth > 0).then(|| self.depth as f64 / self.with_depth as f64)
    }

    fn mean_ms(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.ms / self.timed as f64)
    }

    fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes_ms > 0.0).then(|| self.nodes as f64 / self.nodes_ms * 1000.0)
    }

    /// As members of a JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "moves": self.moves, "depth": self.mean_depth(), "ms": self.mean_ms(),
            "nodes_per_second": self.nodes_per_second(), "strays": self.strays,
        })
    }
}

/// How all engines played.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct PlayTotals {
    engines: Vec<Play>,
    /// Milliseconds of games with a time, those in which an engine thought, and tokens played.
    game_ms: f64,
    thought_ms: f64,
    tokens: u64,
    /// Games that were over before an engine chose a move.
    ended_in_opening: u64,
}

impl PlayTotals {
    /// For a number of engines.
    pub(super) fn new(engines: usize) -> Self {
        PlayTotals { engines: vec![Play::default(); engines], ..PlayTotals::default() }
    }

    /// Adds a game; `engines` are the engines in the seats.
    pub(super) fn add(&mut self, record: &Record, engines: &[Option<usize>]) {
        let of_seat = |seat: usize| engines.get(seat).copied().flatten();
        for m in record.moves.iter().filter(|m| m.from.is_none()) {
            let engine = m.seat.checked_sub(1).and_then(of_seat);
            if let Some(play) = engine.and_then(|engine| self.engines.get_mut(engine)) {
                play.add(m);
            }
        }
        let in_opening = record.moves.iter().any(|m| m.from == Some(Origin::Opening));
        let is_chosen = |m: &Move| !matches!(m.from, Some(Origin::Opening | Origin::Chance));
        if in_opening && record.faults.is_empty() && !record.moves.iter().any(is_chosen) {
            self.ended_in_opening += 1;
        }
        for (seat, strays) in record.strays.iter().enumerate() {
            if let Some(play) = of_seat(seat).and_then(|engine| self.engines.get_mut(engine)) {
                play.strays += strays;
            }
        }
        if let Some(ms) = record.ms {
            self.game_ms += ms as f64;
            self.thought_ms += record.moves.iter().filter_map(|m| m.ms).sum::<f64>();
            self.tokens += record.moves.len() as u64;
        }
    }

    /// The sums of one engine.
    pub(super) fn of(&self, engine: usize) -> Play {
        self.engines.get(engine).copied().unwrap_or_default()
    }

    /// Milliseconds a token in which no engine thought, where games have times.
    pub(super) fn overhead(&self) -> Option<f64> {
        (self.tokens > 0).then(|| (self.game_ms - self.thought_ms).max(0.0) / self.tokens as f64)
    }

    /// A table with a line for each engine, and the overhead.
    pub(super) fn summary(&self, names: &[String]) -> String {
        let mut table = output::table();
        table.set_header(vec!["engine", "moves", "ms/move", "depth", "nodes/s"]);
        let shown = |value: Option<f64>, digits: usize| {
            value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
        };
        for (name, play) in names.iter().zip(&self.engines) {
            table.add_row(vec![
                name.clone(),
                play.moves.to_string(),
                shown(play.mean_ms(), 1),
                shown(play.mean_depth(), 1),
                shown(play.nodes_per_second(), 0),
            ]);
        }
        let mut lines = vec![output::aligned(table)];
        for (name, play) in names.iter().zip(&self.engines).filter(|(_, play)| play.strays > 0) {
            lines.push(format!(
                "{name}: {} stray lines (moves and search reports outside of a search)",
                play.strays
            ));
        }
        if self.ended_in_opening > 0 {
            lines.push(format!(
                "warning: {} games were over before an engine chose a move; take fewer random plies",
                self.ended_in_opening
            ));
        }
        if let Some(overhead) = self.overhead() {
            lines.push(format!("overhead: {overhead:.2} ms a move"));
        }
        lines.join("\n")
    }
}
