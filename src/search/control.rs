//! The limits of a search, and the shared state by which it is stopped from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::platform::{self, Instant, Signal};

/// What bounds one search. All `None`: it runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies, as the driver counts them.
    pub depth: Option<u32>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// Stop once a forced win in at most this many plies is proved.
    pub mate: Option<u32>,
    /// Start no further iteration after this long. Where `least` is given, a search may shorten
    /// this for an easy move and lengthen it for a difficult one.
    pub soft: Option<Duration>,
    /// What even an easy move takes; `None` where `soft` is to be used as it is.
    pub least: Option<Duration>,
    /// Answer before this long.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Only a depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Only a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Only this much time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Limits { soft: Some(time), hard: Some(time), ..Limits::default() }
    }

    /// No deeper than a game that is drawn after so many plies.
    #[must_use]
    pub fn within(self, plies_left: Option<usize>) -> Self {
        let left = plies_left.map(|plies| u32::try_from(plies).unwrap_or(u32::MAX).max(1));
        Limits { depth: self.depth.into_iter().chain(left).min(), ..self }
    }
}

/// Shared between the search and whoever may stop it. Clones share one state.
#[derive(Clone, Debug)]
pub struct Control {
    shared: Arc<Shared>,
    started: Instant,
}

#[derive(Debug)]
struct Shared {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Microseconds after `started` at which the clock began to run.
    clock_from: AtomicU64,
}

impl Default for Control {
    fn default() -> Self {
        Self::new(false)
    }
}

impl Control {
    /// A search that starts now; while it ponders, no time limit ends it.
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        Control {
            shared: Arc::new(Shared {
                stop: AtomicBool::new(false),
                pondering: AtomicBool::new(pondering),
                clock_from: AtomicU64::new(0),
            }),
            started: Instant::now(),
        }
    }

    /// Asks the search to end now.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// The same; where no other thread could have asked it, the page is asked first.
    #[inline]
    pub(crate) fn asked_to_stop(&self) -> bool {
        match platform::signal() {
            Signal::None => {}
            Signal::Stop => self.stop(),
            Signal::PonderHit if self.pondering() => self.ponder_hit(),
            Signal::PonderHit => {}
        }
        self.stopped()
    }

    /// The opponent played the expected move: from now on the own clock runs.
    pub fn ponder_hit(&self) {
        let now = self.started.elapsed().as_micros() as u64;
        self.shared.clock_from.store(now, Ordering::Relaxed);
        self.shared.pondering.store(false, Ordering::Relaxed);
    }

    /// Whether the search still ponders.
    #[must_use]
    pub fn pondering(&self) -> bool {
        self.shared.pondering.load(Ordering::Relaxed)
    }

    /// Time since the search began, for `info`.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the own clock began to run.
    #[must_use]
    pub fn clock(&self) -> Duration {
        let from = Duration::from_micros(self.shared.clock_from.load(Ordering::Relaxed));
        self.elapsed().saturating_sub(from)
    }

    /// Whether the search must end now. Drivers ask at a pace that adapts to the time between answers.
    #[must_use]
    pub fn must_stop(&self, limits: &Limits, nodes: u64) -> bool {
        if self.asked_to_stop() || limits.nodes.is_some_and(|most| nodes >= most) {
            return true;
        }
        !self.pondering() && limits.hard.is_some_and(|most| self.clock() >= most)
    }

    /// Whether a finished iteration should be the last, where the move is so much more difficult than
    /// others that it should take `scale` times as long. A fixed time is not scaled.
    #[must_use]
    pub(crate) fn past_scaled_limit(&self, limits: &Limits, scale: f64) -> bool {
        let Some(soft) = limits.soft else {
            return self.stopped();
        };
        let wanted = match limits.least {
            Some(least) => soft.mul_f64(scale).max(least),
            None => soft,
        };
        self.stopped() || !self.pondering() && self.clock() >= wanted
    }
}

/// Decides how many nodes lie between two polls of the clock: few enough that the polls are about a
/// millisecond apart, and enough that they cost nothing.
///
/// The time of a node varies a thousandfold: where a table is touched for the first time, the system
/// provides a large page for nearly every access, which takes milliseconds. So whether a search was
/// stopped is asked at every node, which needs no clock.
#[derive(Clone, Debug)]
pub(super) struct Pacing {
    nodes: u64,
    looked_at: Duration,
}

impl Pacing {
    /// The most nodes between two polls.
    const MOST_NODES: u64 = 1024;

    /// The time to aim at.
    const TIME: Duration = Duration::from_millis(1);

    /// A search that begins at this time; the first polls follow each other closely.
    pub(super) fn new(now: Duration) -> Self {
        Pacing { nodes: 1, looked_at: now }
    }

    /// The number of nodes from this poll to the next.
    pub(super) fn next(&mut self, now: Duration) -> u64 {
        let taken = now.saturating_sub(self.looked_at);
        self.looked_at = now;
        self.nodes = if taken > 2 * Self::TIME {
            let fitting = u128::from(self.nodes) * Self::TIME.as_micros() / taken.as_micros();
            fitting.max(1) as u64
        } else if taken < Self::TIME {
            (self.nodes * 2).min(Self::MOST_NODES)
        } else {
            self.nodes
        };
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest time between two polls once the pacing has seen `polls` of them, where a node takes
    /// `node` microseconds.
    fn gap_after(pacing: &mut Pacing, now: &mut u64, polls: usize, node: u64) -> u64 {
        let mut gap = 0;
        for _ in 0..polls {
            gap = node * pacing.next(Duration::from_micros(*now));
            *now += gap;
        }
        gap
    }

    #[test]
    fn no_depth_is_greater_than_the_plies_left_or_less_than_one() {
        for (depth, left, within) in [
            (None, None, None),
            (None, Some(0), Some(1)),
            (None, Some(7), Some(7)),
            (Some(3), Some(7), Some(3)),
            (Some(3), Some(2), Some(2)),
            (Some(0), Some(2), Some(0)),
        ] {
            let limits = Limits { depth, ..Limits::nodes(9) }.within(left);
            assert_eq!(limits, Limits { depth: within, ..Limits::nodes(9) });
        }
    }

    #[test]
    fn scaled_time_is_never_less_than_the_least() {
        let (none, hour) = (Duration::ZERO, Duration::from_secs(3_600));
        for (soft, least, scale, past) in [
            (none, Some(hour), 2.0, false),
            (hour, Some(none), 1.0, false),
            (hour, Some(none), 0.0, true),
            // A fixed time is not scaled.
            (hour, None, 0.0, false),
            (none, None, 2.0, true),
        ] {
            let limits = Limits { soft: Some(soft), least, ..Limits::default() };
            let found = Control::default().past_scaled_limit(&limits, scale);
            assert_eq!(found, past, "{limits:?} scaled by {scale}");
        }
    }

    /// Both limits of time count from the ponder hit, and neither ends a search before it.
    #[test]
    fn no_time_is_over_before_the_clock_says_so() {
        let time = Duration::from_millis(30);
        let limits = Limits::time(time);
        let control = Control::new(true);
        std::thread::sleep(time);
        assert!(!control.must_stop(&limits, 0) && !control.past_scaled_limit(&limits, 1.0));
        control.ponder_hit();
        for over in [control.must_stop(&limits, 0), control.past_scaled_limit(&limits, 1.0)] {
            // On a busy machine the time may be over by now.
            assert!(!over || control.clock() >= time);
        }
        std::thread::sleep(time);
        assert!(control.must_stop(&limits, 0) && control.past_scaled_limit(&limits, 1.0));
    }

    #[test]
    fn looks_are_rare_on_fast_nodes_and_near_on_slow_ones() {
        let mut now = 0;
        let mut pacing = Pacing::new(Duration::ZERO);
        // Large pages from the first node on: no poll is later than two of them.
        for _ in 0..20 {
            assert!(gap_after(&mut pacing, &mut now, 1, 4_000) <= 8_000);
        }
        // Ordinary nodes.
        gap_after(&mut pacing, &mut now, 12, 0);
        assert_eq!(pacing.nodes, Pacing::MOST_NODES);
        // Nodes that take 100 microseconds each: one late poll, then near ones.
        gap_after(&mut pacing, &mut now, 1, 100);
        assert!(gap_after(&mut pacing, &mut now, 5, 100) <= 2_000);
    }
}
