//! From the arguments of `go` to the limits of a search.

use std::time::Duration;

use crate::game::Seat;
use crate::protocol::{Dialect, GoArguments};
use crate::search::Limits;

/// What of the options the clock depends on, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Kept back from every clock for what lies between engine and referee.
    pub overhead: f64,
    /// For a `go` without any limit.
    pub move_time: f64,
}

/// A game is taken to last this many more moves when the client does not say.
const MOVES_LEFT: f64 = 30.0;

/// How far one move may overdraw the time it was planned to take.
const STRETCH: f64 = 4.0;

/// Whether a `go` ends by itself. One that does not waits for `stop`.
pub(super) fn is_bounded(go: &GoArguments) -> bool {
    !go.infinite && !go.ponder
}

/// The limits for the seat to move. Clocks of other seats do not count.
pub(super) fn limits(go: &GoArguments, seat: Seat, dialect: Dialect, pace: Pace) -> Limits {
    let plies = |mate: u64| match dialect {
        Dialect::Ugi => mate,
        Dialect::Uci => (2 * mate.min(u64::MAX / 2)).saturating_sub(1),
    };
    let mut limits = Limits {
        depth: go.depth.map(clamp),
        nodes: go.nodes,
        mate: go.mate.map(plies).map(clamp),
        soft: None,
        hard: None,
    };
    if go.infinite {
        return limits;
    }
    if let Some(time) = go.time[seat.index()] {
        let increment = go.increment[seat.index()].unwrap_or(0.0);
        set(&mut limits, share_of_clock(time, increment, go.moves_to_go, pace.overhead));
    }
    if let Some(time) = go.move_time {
        let usable = less_overhead(time, pace.overhead);
        set(&mut limits, (usable, usable));
    }
    let unlimited = limits == Limits::default() && !go.ponder;
    if unlimited {
        set(&mut limits, (pace.move_time, pace.move_time));
    }
    limits
}

fn clamp(number: u64) -> u32 {
    number.min(u64::from(u32::MAX)) as u32
}

/// Sets soft and hard time in milliseconds, keeping an earlier limit where it is shorter.
fn set(limits: &mut Limits, (soft, hard): (f64, f64)) {
    let shorter = |old: Option<Duration>, new: f64| {
        let new = Duration::from_secs_f64(new.clamp(0.0, 1e12) / 1000.0);
        Some(old.map_or(new, |old| old.min(new)))
    };
    limits.soft = shorter(limits.soft, soft);
    limits.hard = shorter(limits.hard, hard);
}

/// What is left of a time once the overhead is kept back; never less than a tenth of it, so that
/// times as short as the overhead still leave something to think with.
fn less_overhead(time: f64, overhead: f64) -> f64 {
    let time = time.max(1.0);
    (time - overhead).max(time / 10.0)
}

/// Planned and greatest time for one move on a running clock.
fn share_of_clock(
    time: f64,
    increment: f64,
    moves_to_go: Option<u64>,
    overhead: f64,
) -> (f64, f64) {
    let usable = less_overhead(time, overhead);
    let moves = match moves_to_go {
        None | Some(0) => MOVES_LEFT,
        Some(moves) => (moves as f64).min(MOVES_LEFT),
    };
    let planned = usable / moves + 0.8 * increment.max(0.0);
    // On the last move before a control all of the clock is there to be used; before that a move
    // may never leave the next ones with nothing.
    let ceiling = if moves <= 1.0 { usable } else { usable * 0.5 };
    let soft = planned.min(ceiling);
    (soft * 0.7, (soft * STRETCH).min(ceiling))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { overhead: 20.0, move_time: 1000.0 };

    fn limits_of(go: GoArguments) -> Limits {
        limits(&go, Seat::new(0), Dialect::Ugi, PACE)
    }

    fn clocks(time: f64, increment: f64) -> GoArguments {
        let mut go = GoArguments::default();
        go.time[0] = Some(time);
        go.increment[0] = Some(increment);
        go
    }

    #[test]
    fn a_go_without_limits_takes_the_move_time() {
        let second = Some(Duration::from_secs(1));
        assert_eq!(limits_of(GoArguments::default()).hard, second);
        let mut foreign = GoArguments::default();
        foreign.time[1] = Some(5.0);
        assert_eq!(limits_of(foreign).hard, second);
    }

    #[test]
    fn no_clock_is_ever_overstepped() {
        for time in [-5.0, 0.0, 1.0, 15.0, 21.0, 100.0, 1e3, 1e6] {
            for increment in [0.0, 1.0, 100.0, 1e5] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let mut go = clocks(time, increment);
                    go.moves_to_go = moves;
                    let hard = limits_of(go).hard.unwrap().as_secs_f64() * 1000.0;
                    let most = (time.max(1.0) - 20.0).max(time.max(1.0) / 10.0);
                    assert!(hard <= most + 1e-6, "{time} {increment} {moves:?}: {hard}");
                }
            }
        }
    }

    #[test]
    fn mate_counts_plies_or_moves_by_dialect() {
        let go = GoArguments { mate: Some(3), ..GoArguments::default() };
        assert_eq!(limits(&go, Seat::new(0), Dialect::Ugi, PACE).mate, Some(3));
        assert_eq!(limits(&go, Seat::new(0), Dialect::Uci, PACE).mate, Some(5));
    }

    #[test]
    fn the_shortest_of_several_limits_holds() {
        let go = GoArguments { move_time: Some(50.0), ..clocks(60_000.0, 0.0) };
        assert_eq!(limits_of(go).hard, Some(Duration::from_millis(30)));
    }
}
