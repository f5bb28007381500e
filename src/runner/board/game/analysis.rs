//! Looking ahead: hints, and analysis while one looks.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::asking::{Purpose, arrow};
use super::engines::{Engines, GRACE};
use super::{ConnectionId, Game, Problem, Report, Source, View};
use crate::protocol::{Info, Score, Turn};
use crate::runner::board::answers::{Answer, Query};
use crate::runner::board::message::is_word;
use crate::runner::board::outgoing::{self, AnalysisLine, Evaluation, Hint, Outgoing};
use crate::runner::board::worker::{Job, Search, Worker};
use crate::runner::process::{Fault, SearchResult};
use crate::runner::tournament::values::seat_values;

/// The most lines of an analysis.
const MAX_LINES: u32 = 10;

/// The most hints that are thought of at a time, for the pages of one view.
const MAX_HINTS: usize = 3;

/// The thinking time of a hint.
const HINT_TIME: u64 = 1000;

/// An engine that analyses for the pages of one view.
struct Analyst {
    worker: Box<dyn Worker>,
    /// The search that runs or ran last.
    ticket: u64,
    node: usize,
    running: bool,
    /// What runs, to go on with after a hint.
    search: Option<Search>,
    watchers: BTreeSet<ConnectionId>,
    lines: Vec<Info>,
    /// The arrows of first moves, once they are known.
    arrows: BTreeMap<String, Option<Answer>>,
    /// Hints that wait, by their tickets.
    hints: BTreeMap<u64, HintRequest>,
}

impl Analyst {
    fn new(worker: Box<dyn Worker>) -> Self {
        Analyst {
            worker,
            ticket: 0,
            node: 0,
            running: false,
            search: None,
            watchers: BTreeSet::new(),
            lines: Vec::new(),
            arrows: BTreeMap::new(),
            hints: BTreeMap::new(),
        }
    }
}

/// Who asked for a hint, with which message, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HintRequest {
    id: ConnectionId,
    message: Option<u64>,
    node: usize,
}

/// What a report of an analyst means to the game.
pub(super) enum Progress {
    /// Nothing any more.
    Stale,
    /// A hint has been thought of.
    Hint(HintRequest, Result<SearchResult, Fault>),
    /// There are better lines about a node; the best one.
    Lines(usize, Option<Info>),
    /// The analysis has ended.
    Ended(Option<Fault>),
}

/// The engines that analyse, by the views of their pages.
#[derive(Default)]
pub(super) struct Analysis(BTreeMap<View, Analyst>);

impl Analysis {
    /// The engine that analyses for a view, started if it does not run.
    fn analyst(&mut self, engines: &Engines, view: View) -> Result<&mut Analyst, Problem> {
        Ok(match self.0.entry(view) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let worker = engines.start_analyst(Source::Analyst(view), "analysis")?;
                place.insert(Analyst::new(worker))
            }
        })
    }

    /// Thinks of a hint at a position; an analysis that runs goes on after it.
    fn hint(
        &mut self,
        engines: &mut Engines,
        view: View,
        position: String,
        request: HintRequest,
    ) -> Result<(), Problem> {
        let tickets = [engines.ticket(), engines.ticket()];
        let analyst = self.analyst(engines, view)?;
        if analyst.hints.len() >= MAX_HINTS {
            return Err(Problem::new("busy", "a hint is being thought of"));
        }
        analyst.worker.cancel_below(tickets[0]);
        analyst.hints.insert(tickets[0], request);
        let go = format!("go movetime {HINT_TIME}");
        let allowance = Some(Duration::from_millis(HINT_TIME) + GRACE);
        analyst.worker.send(tickets[0], Job::Search(Search { position, go, allowance, lines: 1 }));
        if let Some(search) = analyst.search.clone().filter(|_| analyst.running) {
            analyst.ticket = tickets[1];
            analyst.worker.send(tickets[1], Job::Search(search));
        }
        Ok(())
    }

    /// Analyses a position for one more page.
    fn start(
        &mut self,
        engines: &mut Engines,
        (view, node): (View, usize),
        position: String,
        lines: u32,
        watcher: ConnectionId,
    ) -> Result<(), Problem> {
        let ticket = engines.ticket();
        let analyst = self.analyst(engines, view)?;
        analyst.watchers.insert(watcher);
        analyst.worker.cancel_below(ticket);
        analyst.ticket = ticket;
        analyst.running = true;
        analyst.lines.clear();
        if analyst.node != node {
            analyst.arrows.clear();
        }
        analyst.node = node;
        let lines = lines.clamp(1, MAX_LINES);
        let search = Search { position, go: "go infinite".into(), allowance: None, lines };
        analyst.search = Some(search.clone());
        analyst.worker.send(ticket, Job::Search(search));
        Ok(())
    }

    /// A page does not watch any more; an analysis that nobody watches ends. `last` is the newest
    /// ticket.
    pub(super) fn forget(&mut self, watcher: ConnectionId, last: u64) {
        for analyst in self.0.values_mut() {
            let watched = analyst.watchers.remove(&watcher);
            if watched && analyst.watchers.is_empty() && analyst.running {
                analyst.worker.cancel_below(last + 1);
            }
        }
    }

    /// Takes a report down.
    fn take(&mut self, view: View, ticket: u64, report: Report) -> Progress {
        let Some(analyst) = self.0.get_mut(&view) else { return Progress::Stale };
        if let Some(&request) = analyst.hints.get(&ticket) {
            let Report::Found(found) = report else { return Progress::Stale };
            analyst.hints.remove(&ticket);
            return Progress::Hint(request, found);
        }
        match report {
            Report::Lines(lines) if analyst.ticket == ticket => {
                analyst.lines = lines;
                Progress::Lines(analyst.node, analyst.lines.first().cloned())
            }
            Report::Found(found) if analyst.ticket == ticket => {
                analyst.running = false;
                Progress::Ended(found.err())
            }
            _ => Progress::Stale,
        }
    }

    /// The first moves whose arrows nobody has asked for; they are asked for now.
    fn unknown_arrows(&mut self, view: View) -> Vec<String> {
        let Some(analyst) = self.0.get_mut(&view) else { return Vec::new() };
        let firsts = analyst.lines.iter().filter_map(|line| line.pv.first().cloned());
        let unknown = |token: &String| !analyst.arrows.contains_key(token);
        let unknown: Vec<String> = firsts.filter(unknown).collect();
        analyst.arrows.extend(unknown.iter().map(|token| (token.clone(), None)));
        unknown
    }

    /// Takes arrows down, if that node is still analysed.
    fn take_arrows(
        &mut self,
        view: View,
        node: usize,
        arrows: impl Iterator<Item = (String, Answer)>,
    ) -> bool {
        let Some(analyst) = self.0.get_mut(&view).filter(|a| a.node == node) else { return false };
        analyst.arrows.extend(arrows.map(|(token, answer)| (token, Some(answer))));
        true
    }

    /// Who watches the analysis of a view.
    fn watchers(&self, view: View) -> Vec<ConnectionId> {
        self.0.get(&view).into_iter().flat_map(|a| a.watchers.iter().copied()).collect()
    }

    /// What those who watch are told; `value` says what a report about a node is worth.
    fn message(
        &self,
        view: View,
        game: &str,
        value: impl Fn(usize, &Info) -> Option<Evaluation>,
    ) -> Option<Outgoing> {
        let analyst = self.0.get(&view)?;
        let line = |info: &Info| {
            let first = info.pv.first().and_then(|token| analyst.arrows.get(token));
            AnalysisLine {
                rank: info.multipv.unwrap_or(1),
                value: value(analyst.node, info).unwrap_or_default(),
                pv: info.pv.iter().take(30).cloned().collect(),
                depth: info.depth,
                arrow: arrow(first.cloned().flatten()),
            }
        };
        let best = analyst.lines.first();
        Some(Outgoing::Analysis(outgoing::Analysis {
            game: game.to_owned(),
            node: analyst.node,
            running: analyst.running,
            depth: best.and_then(|info| info.depth),
            nodes: best.and_then(|info| info.nodes),
            nps: best.and_then(|info| info.nps),
            time: best.and_then(|info| info.time),
            lines: analyst.lines.iter().map(line).collect(),
        }))
    }
}

/// What a report says of a position, for every seat; `mover` is the seat that decides there.
fn evaluation(info: &Info, mover: usize, seats: usize) -> Option<Evaluation> {
    let score = info.score?;
    // A player that does not look ahead has nothing to say.
    if info.nodes == Some(0) && score == Score::Centipawns(0) && info.shares.is_empty() {
        return None;
    }
    let shares = permilles(&shares_of(info, mover, seats)?);
    let sign = if seats == 2 && mover == 1 { -1 } else { 1 };
    let score = match score {
        Score::Centipawns(cp) => Score::Centipawns(cp.saturating_mul(sign)),
        Score::Mate(distance) => Score::Mate(distance.saturating_mul(sign)),
    };
    Some(Evaluation { shares, score: Some(score) })
}

/// Each seat's share of the first place. A score of more than two seats says nothing of how the
/// others share the rest: they share it alike.
fn shares_of(info: &Info, mover: usize, seats: usize) -> Option<Vec<f64>> {
    seat_values(info, mover, seats).or_else(|| {
        let own = *seat_values(info, 0, 2)?.first()?;
        let others = (1.0 - own) / (seats.max(2) - 1) as f64;
        Some((0..seats).map(|seat| if seat == mover { own } else { others }).collect())
    })
}

/// Shares in permille; what rounding leaves over goes to the last one.
fn permilles(shares: &[f64]) -> Vec<u32> {
    let mut left = 1000;
    let mut permille = |share: &f64| {
        let rounded = ((share * 1000.0).round() as u32).min(left);
        left -= rounded;
        rounded
    };
    let mut all: Vec<u32> = shares.iter().map(&mut permille).collect();
    if let Some(last) = all.last_mut() {
        *last += left;
    }
    all
}

impl Game {
    /// What a report says of the position at a node, for every seat.
    pub(super) fn value_at(&self, node: usize, info: &Info) -> Option<Evaluation> {
        evaluation(info, self.tree.decider(node)?, self.seats())
    }

    /// The view for looking ahead at a node, if that is allowed.
    fn view_ahead(&mut self, id: ConnectionId, node: usize) -> Result<View, Problem> {
        let view = self.view_at(id, node)?;
        if !self.may_look_ahead() {
            let text = "people play each other here; wait until the game is over";
            return Err(Problem::new("not-allowed", text));
        }
        self.know_turn(node)?;
        match (self.tree.turn(node), view) {
            (Some(Turn::Seat(_)), View::All) => Ok(view),
            (Some(Turn::Seat(seat)), View::Seat(own)) if seat == own => Ok(view),
            (Some(Turn::Seat(_)), _) => {
                Err(Problem::new("not-to-act", "another seat decides here"))
            }
            (Some(Turn::Over), _) => Err(Problem::new("game-over", "the game is over here")),
            _ => Err(Problem::new("not-to-act", "something is to be thrown here")),
        }
    }

    pub(super) fn hint(
        &mut self,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
    ) -> Result<(), Problem> {
        let view = self.view_ahead(id, node)?;
        let position = self.view_line(view, node)?.to_string();
        let request = HintRequest { id, message, node };
        self.analysis.hint(&mut self.engines, view, position, request)
    }

    pub(super) fn analyse(
        &mut self,
        id: ConnectionId,
        node: Option<usize>,
        lines: u32,
    ) -> Result<(), Problem> {
        let node = node.unwrap_or(self.tree.live());
        let view = match self.view_ahead(id, node) {
            Ok(view) => view,
            Err(problem) => {
                // Nothing is analysed here; the page stays ready for the next node.
                self.analysis.forget(id, self.engines.last_ticket());
                return Err(problem);
            }
        };
        let position = self.view_line(view, node)?.to_string();
        self.analysis.start(&mut self.engines, (view, node), position, lines, id)
    }

    pub(super) fn stop_analysis(&mut self, id: ConnectionId) -> Result<(), Problem> {
        self.connections.get(id)?;
        self.analysis.forget(id, self.engines.last_ticket());
        Ok(())
    }

    pub(super) fn take_analysis(&mut self, view: View, ticket: u64, report: Report) {
        match self.analysis.take(view, ticket, report) {
            Progress::Stale => return,
            Progress::Hint(request, found) => return self.send_hint(view, request, found),
            Progress::Lines(node, best) => {
                // For the graph.
                if view == View::All
                    && let Some(value) = best.and_then(|best| self.value_at(node, &best))
                {
                    self.tree.note_value(node, Some(value));
                    self.send_unsent();
                }
                self.ask_arrows(view, node);
            }
            Progress::Ended(None) => {}
            Progress::Ended(Some(fault)) => {
                let problem = Problem::new("engine", format!("the analysis fails: {fault}"));
                for id in self.analysis.watchers(view) {
                    self.tell_problem(id, None, &problem);
                }
            }
        }
        self.send_analysis(view);
    }

    /// Asks for the arrows of first moves that are not known yet.
    fn ask_arrows(&mut self, view: View, node: usize) {
        let unknown = self.analysis.unknown_arrows(view);
        if unknown.is_empty() {
            return;
        }
        let usable = unknown.iter().filter(|token| is_word(token));
        let queries = usable.cloned().map(Query::Path).collect();
        // Without arrows the list of lines is still of use.
        let _ = self.question(view, node, queries, Purpose::Arrows(unknown));
    }

    pub(super) fn take_arrows(
        &mut self,
        view: View,
        node: usize,
        tokens: Vec<String>,
        answers: Vec<Answer>,
    ) {
        if self.analysis.take_arrows(view, node, tokens.into_iter().zip(answers)) {
            self.send_analysis(view);
        }
    }

    fn send_analysis(&self, view: View) {
        let value = |node, info: &Info| self.value_at(node, info);
        let Some(message) = self.analysis.message(view, &self.setup.id, value) else { return };
        for id in self.analysis.watchers(view) {
            if self.still_sees(id, view) {
                self.connections.send(id, &message);
            }
        }
    }

    fn send_hint(
        &mut self,
        view: View,
        HintRequest { id, message, node }: HintRequest,
        found: Result<SearchResult, Fault>,
    ) {
        if !self.still_sees(id, view) {
            return;
        }
        let found = match found {
            Ok(found) => found,
            Err(fault) => {
                let problem = Problem::new("engine", format!("no hint: {fault}"));
                return self.tell_problem(id, message, &problem);
            }
        };
        let value = found.info.as_ref().and_then(|info| self.value_at(node, info));
        let query = vec![Query::Path(found.token.clone())];
        let hint = Hint { node, token: found.token, value: value.unwrap_or_default(), arrow: None };
        let purpose = Purpose::Hint(id, message, Box::new(hint));
        if let Err(problem) = self.question(view, node, query, purpose) {
            self.tell_problem(id, message, &problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::board::worker::of_nobody;

    #[test]
    fn scores_are_shares() {
        let shares = |score, mover, seats| {
            let info = Info { score: Some(score), ..Info::default() };
            permilles(&shares_of(&info, mover, seats).unwrap())
        };
        // 1 / (1 + 10^-1) = 0.909...
        assert_eq!(shares(Score::Centipawns(400), 0, 2), [909, 91]);
        assert_eq!(shares(Score::Centipawns(-400), 1, 2), [909, 91]);
        assert_eq!(shares(Score::Mate(3), 1, 2), [0, 1000]);
        assert_eq!(shares(Score::Centipawns(0), 2, 3), [250, 250, 500]);
        assert_eq!(permilles(&[1.0 / 3.0; 3]), [333, 333, 334]);
    }

    fn info(cp: i32, rank: u32, token: &str) -> Info {
        let score = Some(Score::Centipawns(cp));
        Info { score, multipv: Some(rank), pv: vec![token.to_owned()], ..Info::default() }
    }

    #[test]
    fn an_analysis_takes_the_reports_of_its_last_search_until_nobody_watches() {
        let view = View::All;
        let (worker, jobs) = of_nobody();
        let mut analyst = Analyst::new(worker);
        (analyst.ticket, analyst.running) = (7, true);
        analyst.watchers.extend([1, 2]);
        let mut analysis = Analysis(BTreeMap::from([(view, analyst)]));
        let lines = || Report::Lines(vec![info(30, 1, "a"), info(10, 2, "b")]);
        assert!(matches!(analysis.take(view, 6, lines()), Progress::Stale));
        assert!(matches!(analysis.take(View::Seat(0), 7, lines()), Progress::Stale));
        let Progress::Lines(0, Some(best)) = analysis.take(view, 7, lines()) else { panic!() };
        assert_eq!(best.pv, ["a"]);
        assert_eq!(analysis.unknown_arrows(view), ["a", "b"]);
        assert_eq!(analysis.unknown_arrows(view), Vec::<String>::new());
        assert!(!analysis.take_arrows(view, 3, std::iter::empty()));
        let Some(Outgoing::Analysis(told)) = analysis.message(view, "g1", |_, _| None) else {
            panic!()
        };
        assert_eq!((told.running, told.lines.len(), told.lines[1].rank), (true, 2, 2));
        analysis.forget(1, 7);
        assert_eq!((analysis.watchers(view), jobs.cancelled_below()), (vec![2], 0));
        analysis.forget(2, 7);
        assert_eq!(jobs.cancelled_below(), 8);
    }

    /// In games of more than two a score is that of the seat that moves.
    #[test]
    fn scores_are_those_of_the_first_seat_in_games_of_two() {
        let score = |score, mover, seats| {
            let info = Info { score: Some(score), nodes: Some(9), ..Info::default() };
            evaluation(&info, mover, seats).and_then(|value| value.score)
        };
        let of = |mover, seats| score(Score::Centipawns(30), mover, seats);
        let expected = [30, -30, 30, 30].map(|cp| Some(Score::Centipawns(cp)));
        assert_eq!([of(0, 2), of(1, 2), of(0, 3), of(1, 3)], expected);
        assert_eq!(score(Score::Mate(3), 1, 2), Some(Score::Mate(-3)));
    }
}
