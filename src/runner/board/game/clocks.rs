//! The clocks of the seats: what a decision costs, and who has run out of time.

use std::time::Duration;

use anyhow::Result;

use crate::platform::Instant;
use crate::protocol::{Dialect, seat_name};
use crate::runner::board::outgoing::ClockState;
use crate::runner::process::{Clock, Limits};

/// How long a game without a running clock waits for a message.
const LONG: Duration = Duration::from_secs(3600);

/// The clocks, none in a game without; and since when the present decision is being made.
pub(super) struct Clocks {
    tc: String,
    clocks: Vec<Clock>,
    since: Instant,
}

impl Clocks {
    /// Clocks for a number of seats; `left`: the milliseconds on each, if they do not begin full.
    ///
    /// # Errors
    /// A time control that is none.
    pub(super) fn new(tc: Option<&str>, seats: usize, left: &[u64]) -> Result<Self> {
        let mut clocks = Vec::new();
        if let Some(tc) = tc {
            let mut limits = Limits::default();
            limits.set("tc", tc)?;
            clocks.resize(seats, Clock::new(limits));
        }
        for (clock, &ms) in clocks.iter_mut().zip(left) {
            *clock = clock.with_left(Duration::from_millis(ms));
        }
        let tc = tc.unwrap_or_default().to_owned();
        Ok(Clocks { tc, clocks, since: Instant::now() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.clocks.is_empty()
    }

    /// A decision begins.
    pub(super) fn start(&mut self) {
        self.since = Instant::now();
    }

    /// How long the present decision has taken.
    pub(super) fn elapsed(&self) -> Duration {
        self.since.elapsed()
    }

    /// Charges a seat's clock.
    pub(super) fn spend(&mut self, seat: usize, time: Duration) {
        let Some(clock) = self.clocks.get_mut(seat) else { return };
        match clock.left() {
            Some(left) if left > time => clock.spend(time),
            _ => *clock = clock.with_left(Duration::ZERO),
        }
    }

    /// As they are, for [`Clocks::restore`].
    pub(super) fn all(&self) -> &[Clock] {
        &self.clocks
    }

    /// Sets the clocks back, if there were any.
    pub(super) fn restore(&mut self, clocks: &[Clock]) {
        if !clocks.is_empty() {
            self.clocks = clocks.to_vec();
        }
    }

    pub(super) fn has_flagged(&self, seat: usize) -> bool {
        self.left(seat) == Some(Duration::ZERO)
    }

    fn left(&self, seat: usize) -> Option<Duration> {
        self.clocks.get(seat)?.left()
    }

    /// How long until the clock of the seat whose clock runs has run out.
    pub(super) fn time_to_flag(&self, running: Option<usize>) -> Duration {
        let Some(seat) = running else { return LONG };
        let left = self.left(seat).unwrap_or(LONG);
        left.saturating_sub(self.elapsed()) + Duration::from_millis(1)
    }

    /// Whether the clock of the seat whose clock runs has just run out; it is charged then.
    pub(super) fn flag(&mut self, running: usize) -> bool {
        let flagged = self.elapsed() >= self.left(running).unwrap_or_default();
        if flagged {
            self.spend(running, self.elapsed());
        }
        flagged
    }

    /// The `go` line of a seat and how long it has; `None` without clocks.
    pub(super) fn go(
        &self,
        seat: usize,
        dialect: Dialect,
        depth: Option<u32>,
        nodes: Option<u64>,
    ) -> Option<(String, Duration)> {
        let clock = self.clocks.get(seat)?.with_limits(depth, nodes);
        Some((clock.go(&self.clocks, dialect, false), clock.left().unwrap_or_default()))
    }

    /// The milliseconds left on each clock; of the one that runs, when the decision began.
    pub(super) fn milliseconds(&self) -> Vec<u64> {
        self.clocks.iter().map(|clock| milliseconds(clock.left().unwrap_or_default())).collect()
    }

    /// As pages see them.
    pub(super) fn shown(&self, running: Option<usize>) -> Option<ClockState> {
        let mut left = self.milliseconds();
        if let Some(left) = running.and_then(|seat| left.get_mut(seat)) {
            *left = left.saturating_sub(milliseconds(self.elapsed()));
        }
        let state = ClockState { tc: self.tc.clone(), left, running: running.map(seat_name) };
        (!self.is_empty()).then_some(state)
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_charged_set_back_and_runs_out() {
        let mut clocks = Clocks::new(Some("10+2"), 2, &[5_000]).unwrap();
        assert_eq!(clocks.milliseconds(), [5_000, 12_000]);
        let before = clocks.all().to_vec();
        clocks.spend(0, Duration::from_secs(1));
        // One second less, two for the move.
        assert_eq!(clocks.milliseconds(), [6_000, 12_000]);
        clocks.restore(&before);
        assert_eq!(clocks.milliseconds(), [5_000, 12_000]);
        assert!(!clocks.flag(0) && !clocks.has_flagged(0));
        assert!(clocks.time_to_flag(Some(0)) <= Duration::from_millis(5_001));
        clocks.spend(0, Duration::from_secs(5));
        assert!(clocks.has_flagged(0) && clocks.flag(0) && !clocks.has_flagged(1));
        assert_eq!(clocks.shown(Some(0)).unwrap().left, [0, 12_000]);
    }

    #[test]
    fn a_clock_is_shown_as_it_runs() {
        let mut clocks = Clocks::new(Some("10"), 2, &[]).unwrap();
        clocks.since = Instant::now().checked_sub(Duration::from_secs(3)).unwrap();
        let left = |seat| clocks.shown(seat).unwrap().left;
        assert_eq!(left(None), [10_000; 2]);
        assert!(left(Some(1))[0] == 10_000 && left(Some(1))[1] <= 7_000, "{:?}", left(Some(1)));
    }

    #[test]
    fn a_game_may_have_no_clocks() {
        let mut clocks = Clocks::new(None, 2, &[]).unwrap();
        clocks.spend(0, Duration::from_secs(1));
        assert!(clocks.is_empty() && !clocks.has_flagged(0) && clocks.shown(None).is_none());
        assert_eq!(clocks.go(0, Dialect::Ugi, None, None), None);
        assert!(Clocks::new(Some("soon"), 2, &[]).is_err());
    }
}
