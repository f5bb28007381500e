//! How long an engine may think: the `go` line and a clock.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::protocol::Dialect;

/// The longest time of a clock and the largest increment in seconds: 30 years.
const LONGEST: f64 = 1e9;

/// The longest time in seconds that anything may be waited for: what is added to it stays a time.
pub(crate) const LONGEST_WAIT: u64 = 1_000_000_000;

/// A time control such as `40/60+0.6`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TimeControl {
    /// Moves until the time is added again; `None`: once for the whole game.
    pub(crate) moves: Option<u32>,
    /// The time.
    pub(crate) time: Duration,
    /// The increment of each move.
    pub(crate) increment: Duration,
}

impl TimeControl {
    /// Reads `moves/time+increment`, each in seconds or as `h:m:s`; only the time is needed.
    ///
    /// # Errors
    /// Says what would be right.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let wrong = || {
            format!(
                "'{text}' is not a time control; write [moves/]seconds[+increment], as 40/60+0.6 \
                 or 40/1:00+0.6, or inf"
            )
        };
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                let moves: u32 = moves.parse().ok().with_context(wrong)?;
                ensure!(moves > 0, wrong());
                (Some(moves), rest)
            }
            None => (None, text),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| -> Result<Duration> {
            let mut sum = 0.0;
            for part in text.split(':') {
                let number: f64 = part.parse().ok().with_context(wrong)?;
                ensure!(number >= 0.0, wrong());
                sum = sum * 60.0 + number;
            }
            ensure!(text.split(':').count() <= 3, wrong());
            ensure!(sum <= LONGEST, wrong());
            Duration::try_from_secs_f64(sum).ok().with_context(wrong)
        };
        let control = TimeControl { moves, time: seconds(time)?, increment: seconds(increment)? };
        ensure!(control.time + control.increment > Duration::ZERO, wrong());
        Ok(control)
    }
}

/// The limits of one engine, or of all.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Limits {
    /// A clock.
    pub(crate) clock: Option<TimeControl>,
    /// `tc=inf`: no limit of time; nodes or depth must limit the search.
    pub(crate) unlimited: bool,
    /// A time for each move.
    pub(crate) move_time: Option<Duration>,
    /// Nodes for each move.
    pub(crate) nodes: Option<u64>,
    /// Depth of each move.
    pub(crate) depth: Option<u32>,
    /// How much later than allowed a move may come.
    pub(crate) margin: Option<Duration>,
}

impl Limits {
    /// Sets one limit by its key; `false` if there is no such key.
    ///
    /// # Errors
    /// An invalid value.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        match key {
            "tc" => {
                self.unlimited = matches!(value, "inf" | "infinite");
                let clock = (!self.unlimited).then(|| TimeControl::parse(value));
                self.clock = clock.transpose()?;
            }
            "movetime" => self.move_time = Some(milliseconds(key, value)?),
            "margin" => self.margin = Some(milliseconds(key, value)?),
            "nodes" => self.nodes = Some(positive(key, value)?),
            "depth" => {
                let depth = positive(key, value)?;
                self.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// These limits, or the general ones if these do not limit the search; likewise the margin.
    pub(crate) fn or(&self, general: &Limits) -> Limits {
        let mut limits = if self.is_bound() { self.clone() } else { general.clone() };
        limits.margin = self.margin.or(general.margin);
        limits
    }

    /// Refuses `tc=inf` where nothing else limits the search.
    ///
    /// # Errors
    /// Says what is missing.
    pub(crate) fn check(&self) -> Result<()> {
        ensure!(
            !self.unlimited || self.is_bound(),
            "tc=inf needs another limit: nodes, depth or movetime"
        );
        Ok(())
    }

    /// Whether anything here limits the search.
    pub(crate) fn is_bound(&self) -> bool {
        self.clock.is_some()
            || self.move_time.is_some()
            || self.nodes.is_some()
            || self.depth.is_some()
    }
}

fn milliseconds(key: &str, value: &str) -> Result<Duration> {
    match value.parse() {
        Ok(count) if count <= LONGEST_WAIT * 1000 => Ok(Duration::from_millis(count)),
        Ok(_) => bail!("{key}={value}: write at most {} milliseconds", LONGEST_WAIT * 1000),
        Err(_) => bail!("{key}={value}: write a whole number of milliseconds"),
    }
}

fn positive(key: &str, value: &str) -> Result<u64> {
    match value.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => bail!("{key}={value}: write a whole number above 0"),
    }
}

/// The clock of one seat in one game.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    limits: Limits,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    pub(crate) fn new(limits: Limits) -> Self {
        let left = limits.clock.map_or(Duration::ZERO, |clock| clock.time + clock.increment);
        let moves_to_go = limits.clock.and_then(|clock| clock.moves);
        Clock { limits, left, moves_to_go }
    }

    /// The time left on the clock; `None` if there is no clock.
    #[cfg(feature = "household")]
    pub(crate) fn left(&self) -> Option<Duration> {
        self.limits.clock.map(|_| self.left)
    }

    /// The time limit of the next move; `None` if there is none.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let clock = self.limits.clock.map(|_| self.left);
        let shortest = match (clock, self.limits.move_time) {
            (Some(clock), Some(move_time)) => clock.min(move_time),
            (clock, move_time) => clock.or(move_time)?,
        };
        Some(shortest + self.limits.margin.unwrap_or_default())
    }

    /// Subtracts the time of a move and adds the increment; the margin is never part of the clock.
    pub(crate) fn spend(&mut self, time: Duration) {
        let Some(clock) = self.limits.clock else { return };
        self.left = self.left.saturating_sub(time) + clock.increment;
        if let (Some(moves), Some(to_go)) = (clock.moves, &mut self.moves_to_go) {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = moves;
                self.left += clock.time;
            }
        }
    }

    /// The `go` line for the seat of this clock; `clocks` are those of all seats.
    pub(crate) fn go(&self, clocks: &[Clock], dialect: Dialect, ponder: bool) -> String {
        let mut line = String::from(if ponder { "go ponder" } else { "go" });
        if self.limits.clock.is_some() {
            for (index, clock) in clocks.iter().enumerate() {
                clock.append_to(&mut line, index, dialect);
            }
            if let Some(moves) = self.moves_to_go {
                let _ = write!(line, " movestogo {moves}");
            }
        }
        if let Some(time) = self.limits.move_time {
            let _ = write!(line, " movetime {}", time.as_millis());
        }
        if let Some(nodes) = self.limits.nodes {
            let _ = write!(line, " nodes {nodes}");
        }
        if let Some(depth) = self.limits.depth {
            let _ = write!(line, " depth {depth}");
        }
        line
    }

    /// The same clock with another time left.
    #[cfg(feature = "household")]
    pub(crate) fn with_left(&self, left: Duration) -> Self {
        Clock { left, ..self.clone() }
    }

    /// The same clock with other limits of the search beside it.
    #[cfg(feature = "household")]
    pub(crate) fn with_limits(&self, depth: Option<u32>, nodes: Option<u64>) -> Self {
        let limits = Limits { depth, nodes, ..self.limits.clone() };
        Clock { limits, ..self.clone() }
    }

    fn append_to(&self, line: &mut String, index: usize, dialect: Dialect) {
        let Some(clock) = self.limits.clock else { return };
        let seat = match (dialect, index) {
            (Dialect::Uci, 0) => "w".to_owned(),
            (Dialect::Uci, 1) => "b".to_owned(),
            _ => format!("p{}", index + 1),
        };
        let left = self.left.as_millis().max(1);
        let _ = write!(line, " {seat}time {left} {seat}inc {}", clock.increment.as_millis());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> Clock {
        let clock = Some(TimeControl::parse(text).unwrap());
        Clock::new(Limits { clock, ..Limits::default() })
    }

    #[test]
    fn time_controls_are_read_in_seconds() {
        let control = TimeControl::parse("40/60+0.6").unwrap();
        assert_eq!(control.moves, Some(40));
        assert_eq!(control.time, Duration::from_secs(60));
        assert_eq!(control.increment, Duration::from_millis(600));
        assert_eq!(TimeControl::parse("1.5").unwrap().time, Duration::from_millis(1500));
        let control = TimeControl::parse("0:10+0.1").unwrap();
        assert_eq!(control.time, Duration::from_secs(10));
        assert_eq!(control.increment, Duration::from_millis(100));
        assert_eq!(TimeControl::parse("1:02:03").unwrap().time, Duration::from_secs(3723));
        for wrong in
            ["", "0", "-1", "0/5", "a", "1+", "1e99", "1e19+1e19", "nan", "1:-1", "1:", "1:1:1:1"]
        {
            assert!(TimeControl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_is_charged_and_topped_up() {
        let mut clock = clock("2/10+1");
        let clocks = [clock.clone(), clock.clone()];
        let line = clock.go(&clocks, Dialect::Ugi, false);
        assert_eq!(line, "go p1time 11000 p1inc 1000 p2time 11000 p2inc 1000 movestogo 2");
        clock.spend(Duration::from_secs(4));
        assert_eq!(clock.allowance(), Some(Duration::from_secs(8)));
        clock.spend(Duration::from_secs(8));
        assert_eq!(clock.allowance(), Some(Duration::from_secs(11)));
        let line = clock.go(&[clock.clone()], Dialect::Uci, true);
        assert_eq!(line, "go ponder wtime 11000 winc 1000 movestogo 2");
    }

    #[test]
    fn no_clock_needs_another_limit() {
        let mut limits = Limits::default();
        assert!(limits.set("tc", "inf").unwrap());
        assert!(limits.check().is_err());
        limits.set("nodes", "10").unwrap();
        assert!(limits.check().is_ok());
        assert_eq!(Clock::new(limits.clone()).allowance(), None);
        assert_eq!(Clock::new(limits).go(&[], Dialect::Ugi, false), "go nodes 10");
    }

    #[test]
    fn own_limits_outrank_the_general_ones() {
        let mut own = Limits::default();
        let general = Limits { nodes: Some(5), margin: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(own.or(&general), general);
        assert!(own.set("depth", "3").unwrap());
        let limits = own.or(&general);
        assert_eq!((limits.depth, limits.nodes), (Some(3), None));
        assert_eq!(limits.margin, Some(Duration::ZERO));
        assert!(own.set("depth", "0").is_err());
        assert!(!own.set("width", "0").unwrap());
    }

    /// A ledger of moves: at first the time and an increment, then each move's time off and an
    /// increment on; after every third move the time again. Nothing is ever owed.
    #[test]
    fn a_clock_is_its_ledger() {
        let mut clock = clock("3/2+0.5");
        let mut left: i64 = 2_500;
        let times = [0, 400, 1_000, 3_000, 9_000, 1, 250, 0, 700];
        for (index, ms) in times.into_iter().enumerate() {
            let to_go = 3 - index % 3;
            let line = clock.go(&[clock.clone()], Dialect::Ugi, false);
            let left_or_least = left.max(1);
            assert_eq!(line, format!("go p1time {left_or_least} p1inc 500 movestogo {to_go}"));
            assert_eq!(clock.allowance(), Some(Duration::from_millis(left as u64)));
            clock.spend(Duration::from_millis(ms));
            left = (left - ms as i64).max(0) + 500;
            if index % 3 == 2 {
                left += 2_000;
            }
        }
    }

    /// Seats with their own clocks and limits: every seat's time is told, what bounds the search is
    /// that of the seat itself; the margin comes on top of the shorter time.
    #[test]
    fn a_search_has_the_times_of_all_seats_and_its_own_limits() {
        let limits = |text: &[(&str, &str)]| {
            let mut limits = Limits::default();
            text.iter().for_each(|(key, value)| assert!(limits.set(key, value).unwrap(), "{key}"));
            Clock::new(limits)
        };
        let clocks = [
            limits(&[("tc", "10"), ("movetime", "700"), ("margin", "50"), ("nodes", "9")]),
            limits(&[("nodes", "5")]),
            limits(&[("tc", "0.3+0.1"), ("movetime", "700"), ("margin", "50"), ("depth", "4")]),
        ];
        let lines = clocks.each_ref().map(|clock| clock.go(&clocks, Dialect::Ugi, false));
        let times = "p1time 10000 p1inc 0 p3time 400 p3inc 100";
        assert_eq!(lines[0], format!("go {times} movetime 700 nodes 9"));
        assert_eq!(lines[1], "go nodes 5");
        assert_eq!(lines[2], format!("go {times} movetime 700 depth 4"));
        let line = clocks[0].go(&clocks[..2], Dialect::Uci, true);
        assert_eq!(line, "go ponder wtime 10000 winc 0 movetime 700 nodes 9");
        let line = limits(&[("tc", "1+2")]).go(
            &[clocks[1].clone(), clocks[0].clone()],
            Dialect::Uci,
            false,
        );
        assert_eq!(line, "go btime 10000 binc 0");
        let allowed = clocks.each_ref().map(Clock::allowance);
        assert_eq!(allowed, [Some(750), None, Some(450)].map(|ms| ms.map(Duration::from_millis)));
    }
}
