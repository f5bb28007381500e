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
        least: None,
        hard: None,
    };
    if go.infinite {
        return limits;
    }
    if let Some(time) = go.time[seat.index()] {
        let increment = go.increment[seat.index()].unwrap_or(0.0);
        let share = share_of_clock(time, increment, go.moves_to_go, pace.overhead);
        limits.least = Some(milliseconds(share.least));
        set(&mut limits, share.planned, share.most);
    }
    // The overhead belongs to clocks: a fixed time for a move is there to be used.
    if let Some(time) = go.move_time {
        fix(&mut limits, time.max(1.0));
    }
    // While the search ponders no time ends it; after `ponderhit` this one does.
    if limits == Limits::default() {
        fix(&mut limits, pace.move_time);
    }
    limits
}

fn clamp(number: u64) -> u32 {
    number.min(u64::from(u32::MAX)) as u32
}

fn milliseconds(time: f64) -> Duration {
    Duration::from_secs_f64(time.clamp(0.0, 1e12) / 1000.0)
}

/// Sets soft and hard time in milliseconds, keeping an earlier limit where it is shorter.
fn set(limits: &mut Limits, soft: f64, hard: f64) {
    let shorter = |old: Option<Duration>, new| Some(old.map_or(new, |old: Duration| old.min(new)));
    limits.soft = shorter(limits.soft, milliseconds(soft));
    limits.hard = shorter(limits.hard, milliseconds(hard));
}

/// Sets a time that is used whole, unless an earlier limit is shorter.
fn fix(limits: &mut Limits, time: f64) {
    if limits.hard.is_none_or(|hard| milliseconds(time) <= hard) {
        limits.soft = None;
        limits.least = None;
    }
    set(limits, time, time);
}

/// What is left of a clock once the overhead is kept back; never less than a tenth of it, so that
/// times as short as the overhead still leave something to think with.
fn less_overhead(time: f64, overhead: f64) -> f64 {
    let time = time.max(1.0);
    (time - overhead).max(time / 10.0)
}

/// Times for one move on a running clock, in milliseconds.
struct Share {
    /// What even an easy move takes.
    least: f64,
    /// After which no iteration begins, on a move of ordinary difficulty.
    planned: f64,
    /// Never exceeded.
    most: f64,
}

fn share_of_clock(time: f64, increment: f64, moves_to_go: Option<u64>, overhead: f64) -> Share {
    let usable = less_overhead(time, overhead);
    let increment = increment.max(0.0);
    let moves = match moves_to_go {
        None | Some(0) => MOVES_LEFT,
        Some(moves) => (moves as f64).min(MOVES_LEFT),
    };
    // On the last move before a control all of the clock is there to be used; before that a move
    // may never leave the next ones with nothing.
    let ceiling = if moves <= 1.0 { usable } else { usable * 0.5 };
    let planned = (usable / moves + 0.8 * increment).min(ceiling);
    Share {
        // What is not used of an increment is only of use later, where it is worth less.
        least: increment.min(ceiling),
        planned: planned * 0.7,
        most: (planned * STRETCH).min(ceiling),
    }
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
    fn every_seat_plans_with_its_own_clock_and_increment() {
        let alone = limits_of(clocks(60_000.0, 2_000.0));
        for seat in 1..4 {
            let mut go = GoArguments { time: [Some(5_000.0); 9], ..GoArguments::default() };
            go.increment = [Some(100.0); 9];
            (go.time[seat], go.increment[seat]) = (Some(60_000.0), Some(2_000.0));
            assert_eq!(limits(&go, Seat::new(seat), Dialect::Ugi, PACE), alone, "seat {seat}");
        }
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
    fn zero_moves_to_go_say_nothing_about_the_control() {
        let hard = |moves| {
            let go = GoArguments { moves_to_go: moves, ..clocks(60_020.0, 0.0) };
            limits_of(go).hard.unwrap().as_millis()
        };
        assert_eq!(hard(Some(0)), hard(None));
        // Only the last move before a control may use the whole clock.
        assert_eq!(hard(Some(1)), 60_000);
        assert!(hard(Some(2)) <= 30_000 && hard(None) <= 30_000);
    }

    #[test]
    fn many_moves_to_go_are_planned_like_a_game_that_goes_on() {
        let limits_with =
            |moves_to_go| limits_of(GoArguments { moves_to_go, ..clocks(60_000.0, 100.0) });
        assert_eq!(limits_with(Some(200)), limits_with(None));
        assert!(limits_with(Some(20)).soft > limits_with(None).soft);
    }

    #[test]
    fn no_number_is_too_great_or_too_small_for_a_limit() {
        for time in [0.0, -7.5] {
            let go = GoArguments { move_time: Some(time), ..GoArguments::default() };
            assert_eq!(limits_of(go).hard, Some(Duration::from_millis(1)));
        }
        let huge = Some(u64::from(u32::MAX) + 6);
        let go = GoArguments { depth: huge, mate: huge, ..GoArguments::default() };
        let Limits { depth, mate, .. } = limits_of(go);
        assert_eq!((depth, mate), (Some(u32::MAX), Some(u32::MAX)));
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
        assert_eq!(limits_of(go).hard, Some(Duration::from_millis(50)));
        let go = GoArguments { move_time: Some(50_000.0), ..clocks(1_000.0, 0.0) };
        let limits = limits_of(go);
        assert!(limits.hard < Some(Duration::from_millis(500)) && limits.soft < limits.hard);
    }

    #[test]
    fn the_overhead_is_kept_back_from_clocks_alone() {
        for time in [1.0, 2.0, 15.0, 100.0, 1e5] {
            let go = GoArguments { move_time: Some(time), ..GoArguments::default() };
            let limits = limits_of(go);
            assert_eq!(limits.hard, Some(Duration::from_secs_f64(time / 1000.0)));
            assert_eq!((limits.soft, limits.least), (limits.hard, None));
        }
    }

    #[test]
    fn no_move_is_planned_to_take_less_than_the_increment_is_worth() {
        let limits = limits_of(clocks(60_000.0, 600.0));
        assert_eq!(limits.least, Some(Duration::from_millis(600)));
        // Unless the clock does not hold it.
        let limits = limits_of(clocks(120.0, 600.0));
        assert_eq!(limits.least, Some(Duration::from_millis(50)));
        assert!(limits.least <= limits.hard);
    }
}
