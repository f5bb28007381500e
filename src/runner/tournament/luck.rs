//! The luck of a throw for each seat, from the values of all possible throws.
//!
//! The values that players report in the game cannot be used: the last before a throw and the first
//! after it come from two engines, or from searches of different depth, and their difference need
//! not have mean zero. A separate engine, the *analyst*, values the position after each possible
//! throw, the actual one among them and in the same way.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::record::shares;
use super::values::seat_values;
use crate::protocol::engine_output::chances;
use crate::protocol::{PositionLine, Turn, places};
use crate::runner::process::{Client, Clock, Fault, FaultKind, Limits, Specification};
use crate::statistics::{expected_value, luck};

/// Further throws that a value may average over; outcomes with more are left out of the mean.
const FURTHER_THROWS: u32 = 1;

/// The most throws before the first decision, when an analyst is tried out.
const THROWS_TRIED: u64 = 1_000;

/// A process that values positions.
#[derive(Debug)]
pub(super) struct Analyst {
    client: Client,
    go: String,
    allowance: Duration,
    seats: usize,
}

impl Analyst {
    /// Makes an analyst of a process after its handshake.
    pub(super) fn new(
        client: Client,
        specification: &Specification,
        allowance: Duration,
        seats: usize,
    ) -> Self {
        Analyst { client, go: go(specification), allowance, seats }
    }

    /// Forgets earlier games, so that a game's values do not depend on them.
    ///
    /// # Errors
    /// The process's fault.
    pub(super) fn new_game(&mut self) -> Result<(), Fault> {
        self.client.new_game(None)
    }

    /// Ends the process.
    pub(super) fn quit(self) {
        self.client.quit();
    }

    /// The luck of a throw for each seat: `line` is the position before it, `listed` the answer to
    /// `query chances`. `None` if one of the possible throws cannot be valued, which depends on the
    /// position alone, not on the throw.
    ///
    /// # Errors
    /// The process's fault.
    pub(super) fn luck(
        &mut self,
        line: &PositionLine,
        listed: &str,
        thrown: &str,
    ) -> Result<Option<Vec<f64>>, Fault> {
        let Some(outcomes) = chances(listed) else { return Ok(None) };
        let mut values = Vec::new();
        let mut happened = None;
        for (index, (token, weight)) in outcomes.iter().enumerate() {
            if *token == thrown {
                happened = Some(index);
            }
            let Some(value) = self.value(line.with(token), FURTHER_THROWS)? else {
                return Ok(None);
            };
            values.push((*weight, value));
        }
        Ok(happened.map(|index| luck(&values, index)))
    }

    /// Each seat's probability of coming first: the result where the game is over, the analyst's
    /// value where a seat decides, the mean over the throws where another throw follows.
    fn value(&mut self, mut line: PositionLine, further: u32) -> Result<Option<Vec<f64>>, Fault> {
        loop {
            let position = format!("position {line}");
            let lines = format!("{position}\n");
            let queries = [(lines.as_str(), "turn"), ("", "outcome"), ("", "chances")];
            let ([turn, outcome, listed], refusal) = self.client.ask(queries)?;
            if let Some(error) = refusal {
                let detail = format!("refuses: {error}");
                return Err(self.client.fault(FaultKind::Disagreement, detail, &position));
            }
            let ranks = outcome.as_deref().unwrap_or("").strip_prefix("rank ");
            if let Some(places) = ranks.and_then(|ranks| places(ranks, self.seats)) {
                return Ok(Some(shares(&places)));
            }
            let turn = turn.ok().and_then(|text| Turn::read(&text, self.seats));
            if let Some(Turn::Seat(mover)) = turn {
                return self.search_value(&position, mover);
            }
            let listed = listed.unwrap_or_default();
            let Some(outcomes) = chances(&listed) else { return Ok(None) };
            if let [(token, _)] = outcomes.as_slice() {
                line.append(token);
                continue;
            }
            let Some(further) = further.checked_sub(1) else { return Ok(None) };
            let mut values = Vec::new();
            for (token, weight) in outcomes {
                values.extend(self.value(line.with(token), further)?.map(|value| (weight, value)));
            }
            return Ok(Some(expected_value(&values)).filter(|mean| !mean.is_empty()));
        }
    }

    fn search_value(&mut self, position: &str, mover: usize) -> Result<Option<Vec<f64>>, Fault> {
        let found = self.client.search(position, &self.go, self.allowance)?;
        Ok(found.info.and_then(|info| seat_values(&info, mover, self.seats)))
    }
}

/// The `go` line of an analyst: its own limits, else depth 1.
fn go(specification: &Specification) -> String {
    let shallow = Limits { depth: Some(1), ..Limits::default() };
    Clock::new(specification.limits.or(&shallow)).go(&[], specification.dialect, false)
}

/// Checks that an engine reports usable values at its first decision.
///
/// # Errors
/// Says what is missing.
pub(super) fn try_out(
    client: &mut Client,
    specification: &Specification,
    allowance: Duration,
    seats: usize,
) -> Result<()> {
    let mut line = PositionLine::new("startpos", []);
    for seed in 1..=THROWS_TRIED {
        let position = format!("position {line}");
        let lines = format!("{position}\n");
        let throw = format!("throw {seed}");
        let queries = [(lines.as_str(), "turn"), ("", throw.as_str())];
        let ([turn, thrown], _) = client.ask(queries)?;
        let turn = turn.map_err(|error| anyhow!("'query turn' is answered by '{error}'"))?;
        let turn = Turn::read(&turn, seats)
            .with_context(|| format!("'query turn' is answered by '{turn}'"))?;
        if turn.is_chance() {
            let thrown =
                thrown.map_err(|error| anyhow!("'query {throw}' is answered by '{error}'"))?;
            line.append(&thrown);
            continue;
        }
        let mover = turn.decider().unwrap_or(0);
        let found = client.search(&position, &go(specification), allowance)?;
        let values = found.info.and_then(|info| seat_values(&info, mover, seats));
        let wanted = if seats == 2 { "score, wdl or vec" } else { "vec" };
        values
            .with_context(|| format!("it reports no {wanted} and therefore cannot value throws"))?;
        return Ok(());
    }
    Ok(())
}
