//! Iterative deepening around a plain search of fixed depth: what the reference players share.

use std::time::Duration;

use super::control::{Control, Limits, Pacing};
use super::difficulty::Difficulty;
use super::player::{Choice, Info, Player, Report, Request, Score};
use super::value::{MAX_PLY, value};
use crate::game::{Game, Situation};

/// A search of one fixed depth that can be stopped.
pub(super) trait FixedDepthSearch<G: Game>: Send {
    /// Gets ready for a new root.
    fn restart(&mut self, situation: &Situation<G>);

    /// Searches the root moves to a depth; `None` if it was stopped before the first was searched.
    fn search(
        &mut self,
        position: &G,
        moves: &[G::Move],
        depth: u32,
        monitor: &mut Monitor<'_>,
    ) -> Option<DepthResult<G::Move>>;
}

/// The result of a search of one depth.
pub(super) struct DepthResult<M> {
    pub score: Score,
    pub pv: Vec<M>,
}

/// A search that is stopped at once still compares this many moves: on a busy machine the time can be
/// over before the first of them.
const LEAST_NODES: u64 = 128;

/// And as many as this, unless that takes longer than [`FREE_TIME`].
const FREE_NODES: u64 = 512;

/// See [`FREE_NODES`].
const FREE_TIME: Duration = Duration::from_millis(2);

/// Counts nodes and checks the limits.
pub(super) struct Monitor<'a> {
    limits: &'a Limits,
    control: &'a Control,
    pub nodes: u64,
    began: Duration,
    pacing: Pacing,
    look_at: u64,
    /// Whether the search was stopped.
    pub stopped: bool,
}

impl<'a> Monitor<'a> {
    pub(super) fn new(limits: &'a Limits, control: &'a Control) -> Self {
        let began = control.elapsed();
        let pacing = Pacing::new(began);
        Monitor { limits, control, nodes: 0, began, pacing, look_at: 1, stopped: false }
    }

    /// Counts a node; `false` if the search must stop before it.
    pub(super) fn count(&mut self) -> bool {
        let out_of_nodes = self.limits.nodes.is_some_and(|most| self.nodes >= most);
        if self.nodes >= self.look_at || self.control.stopped() {
            let now = self.control.elapsed();
            self.look_at = self.nodes + self.pacing.next(now);
            let may_stop = self.nodes >= FREE_NODES
                || self.nodes >= LEAST_NODES && now >= self.began + FREE_TIME;
            self.stopped |= may_stop && self.control.must_stop(self.limits, self.nodes);
        }
        self.stopped |= out_of_nodes;
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }
}

/// Searches with increasing depth, the best move so far first, until a limit is reached.
pub(super) fn choose<G: Game>(
    search: &mut impl FixedDepthSearch<G>,
    deepest: u32,
    situation: &Situation<G>,
    request: &Request<G::Move>,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Option<Choice<G::Move>> {
    situation.seat()?;
    let position = situation.position();
    let all = position.moves();
    let mut moves: Vec<G::Move> = all.iter().filter(|m| request.allows(m)).cloned().collect();
    if moves.is_empty() {
        moves.clone_from(&all);
    }
    search.restart(situation);
    let limits = &request.limits;
    let mut monitor = Monitor::new(limits, &request.control);
    let mut best: Option<DepthResult<G::Move>> = None;
    let mut difficulty = Difficulty::default();
    // A full-width search of n plies finds every win within n plies.
    let last = limits.depth.or(limits.mate).unwrap_or(MAX_PLY as u32).min(deepest);
    for depth in 1..=last {
        let Some(found) = search.search(position, &moves, depth, &mut monitor) else {
            break;
        };
        let mut info = Info::new(depth, found.score, found.pv.clone());
        info.nodes = monitor.nodes;
        info.time = request.control.elapsed();
        report(Report::Info(info));
        let at = |list: &[G::Move]| list.iter().position(|m| Some(m) == found.pv.first());
        if let Some(at) = at(&moves) {
            moves[..=at].rotate_right(1);
        }
        let best_move = at(&all).map_or(u64::MAX, |at| at as u64);
        let scale = difficulty.after(best_move, value(found.score, 0), None);
        let is_mate_found = limits.mate.is_some_and(
            |most| matches!(found.score, Score::Mate(plies) if plies > 0 && plies as u32 <= most),
        );
        best = Some(found);
        if is_mate_found
            || all.len() == 1
            || request.control.past_scaled_limit(limits, scale)
            || monitor.stopped
        {
            break;
        }
    }
    let pv = match best {
        Some(found) => found.pv,
        None => {
            let pv: Vec<G::Move> = moves.into_iter().take(1).collect();
            let mut info = Info::new(0, Score::Cp(0), pv.clone());
            info.nodes = monitor.nodes;
            info.time = request.control.elapsed();
            report(Report::Info(info));
            pv
        }
    };
    let mut pv = pv.into_iter();
    Some(Choice { best: pv.next()?, ponder: pv.next() })
}

/// A fixed-depth search as a player.
pub(super) struct IterativeDeepening<S> {
    pub search: S,
    pub deepest: u32,
}

impl<G: Game, S: FixedDepthSearch<G>> Player<G> for IterativeDeepening<S> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        choose(&mut self.search, self.deepest, situation, request, report)
    }
}
