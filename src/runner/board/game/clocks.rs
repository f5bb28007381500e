//! The clocks: what a decision costs, and who has run out of time.

use std::time::Duration;

use super::Game;
use crate::runner::process::Clock;

impl Game {
    /// Charges a seat's clock.
    pub(super) fn spend(&mut self, seat: usize, time: Duration) {
        if let Some(clock) = self.clocks.get_mut(seat)
            && clock.left().is_some_and(|left| left > time)
        {
            clock.spend(time);
        } else if let Some(clock) = self.clocks.get_mut(seat) {
            *clock = clock.with_left(Duration::ZERO);
        }
    }

    /// Notes the clocks at the live node, for taking back.
    pub(super) fn note_clocks(&mut self) {
        if let Some(node) = self.tree.get_mut(self.live) {
            node.clocks.clone_from(&self.clocks);
        }
    }

    /// Sets the clocks back to what they were at the live node.
    pub(super) fn restore_clocks(&mut self) {
        if let Some(node) = self.tree.get(self.live).filter(|node| !node.clocks.is_empty()) {
            self.clocks.clone_from(&node.clocks);
        }
    }

    pub(super) fn has_flagged(&self, seat: usize) -> bool {
        self.clocks.get(seat).and_then(Clock::left) == Some(Duration::ZERO)
    }

    /// The seat whose clock runs.
    pub(super) fn running(&self) -> Option<usize> {
        let seat = self.turn.decider()?;
        let stands = self.ended.is_some() || self.fault.is_some() || self.setup.analysis;
        (!stands && !self.clocks.is_empty()).then_some(seat)
    }

    /// How long the game may wait for a message until a clock runs out.
    pub(super) fn time_to_flag(&self) -> Duration {
        let hour = Duration::from_secs(3600);
        let Some(seat) = self.running() else { return hour };
        let left = self.clocks.get(seat).and_then(Clock::left).unwrap_or(hour);
        left.saturating_sub(self.since.elapsed()) + Duration::from_millis(1)
    }

    pub(super) fn check_flag(&mut self) {
        let Some(seat) = self.running() else { return };
        let left = self.clocks.get(seat).and_then(Clock::left).unwrap_or_default();
        if self.since.elapsed() >= left {
            self.spend(seat, self.since.elapsed());
            self.lose_on_time(seat);
        }
    }

    pub(super) fn lose_on_time(&mut self, seat: usize) {
        self.stop_thinking();
        self.lose(seat, "overtime");
    }
}
