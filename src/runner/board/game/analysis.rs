//! Looking ahead: hints, and analysis while one looks.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::asking::{Purpose, arrow};
use super::{ConnectionId, Game, Problem, Report, Source, View};
use crate::protocol::{Info, Score, Turn};
use crate::runner::board::answers::{Answer, Query};
use crate::runner::board::outgoing::{Analysis, AnalysisLine, Evaluation, Hint, Outgoing};
use crate::runner::board::worker::{Job, Search, Setup, Worker};
use crate::runner::process::{Fault, SearchResult};
use crate::runner::tournament::luck::seat_values;

/// The most lines of an analysis.
const MAX_LINES: u32 = 10;

/// The thinking time of a hint.
const HINT_TIME: u64 = 1000;

/// How much longer a search with a limit may take.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// An engine that analyses for the pages of one view.
pub(super) struct Analyst {
    worker: Worker,
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
    /// Hints that wait: the ticket, and who asked.
    hints: BTreeMap<u64, (ConnectionId, Option<u64>, usize)>,
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
    /// What a report says of a position, for every seat; `mover` is the seat that decides there.
    pub(super) fn value_of(&self, info: &Info, mover: Option<usize>) -> Option<Evaluation> {
        let seats = self.seats();
        let score = info.score?;
        let mover = mover?;
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

    /// The seat that decides at a node.
    pub(super) fn decider(&self, node: usize) -> Option<usize> {
        self.tree.get(node)?.turn?.decider()
    }

    /// The engine that analyses for a view, started if it does not run.
    fn analyst(&mut self, view: View) -> Result<&mut Analyst, Problem> {
        if !self.analysts.contains_key(&view) {
            let worker = self.looker(Source::Analyst(view), "analysis")?;
            let analyst = Analyst {
                worker,
                ticket: 0,
                node: 0,
                running: false,
                search: None,
                watchers: BTreeSet::new(),
                lines: Vec::new(),
                arrows: BTreeMap::new(),
                hints: BTreeMap::new(),
            };
            self.analysts.insert(view, analyst);
        }
        self.analysts.get_mut(&view).ok_or_else(|| Problem::new("engine", "no engine to analyse"))
    }

    /// A process of the first engine, with its own options, to look ahead with.
    pub(super) fn looker(&self, source: Source, what: &str) -> Result<Worker, Problem> {
        let Some(engine) = self.setup.entry.engines.first().cloned() else {
            return Err(Problem::new("engine", "there is no engine"));
        };
        let label = format!("{}-{what}", self.setup.id);
        let setup = Setup { launcher: self.launcher.clone(), engine, label, player: None };
        Ok(Worker::start(setup, self.post(source))?)
    }

    /// The view for looking ahead at a node, if that is allowed.
    fn view_ahead(&mut self, id: ConnectionId, node: usize) -> Result<View, Problem> {
        let view = self.view_at(id, node)?;
        if !self.may_look_ahead() {
            let text = "people play each other here; wait until the game is over";
            return Err(Problem::new("not-allowed", text));
        }
        self.know_turn(node)?;
        match (self.tree.get(node).and_then(|node| node.turn), view) {
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
        let ticket = self.ticket();
        let analyst = self.analyst(view)?;
        if analyst.hints.len() >= 3 {
            return Err(Problem::new("busy", "a hint is being thought of"));
        }
        // A running analysis makes way.
        analyst.worker.cancel_below(ticket);
        analyst.hints.insert(ticket, (id, message, node));
        let go = format!("go movetime {HINT_TIME}");
        let allowance = Some(Duration::from_millis(HINT_TIME) + GRACE);
        analyst.worker.send(ticket, Job::Search(Search { position, go, allowance, lines: 1 }));
        if let Some(search) = analyst.search.clone().filter(|_| analyst.running) {
            // It goes on after the hint.
            let ticket = self.ticket();
            if let Some(analyst) = self.analysts.get_mut(&view) {
                analyst.ticket = ticket;
                analyst.worker.send(ticket, Job::Search(search));
            }
        }
        Ok(())
    }

    pub(super) fn analyse(
        &mut self,
        id: ConnectionId,
        node: Option<usize>,
        lines: u32,
    ) -> Result<(), Problem> {
        let node = node.unwrap_or(self.live);
        let view = match self.view_ahead(id, node) {
            Ok(view) => view,
            Err(problem) => {
                // Nothing is analysed here; the page stays ready for the next node.
                self.forget_analysis(id);
                return Err(problem);
            }
        };
        let position = self.view_line(view, node)?.to_string();
        let ticket = self.ticket();
        let analyst = self.analyst(view)?;
        analyst.watchers.insert(id);
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

    pub(super) fn stop_analysis(&mut self, id: ConnectionId) -> Result<(), Problem> {
        self.connection(id)?;
        self.forget_analysis(id);
        Ok(())
    }

    /// A connection does not watch any more; an analysis that nobody watches ends.
    pub(super) fn forget_analysis(&mut self, id: ConnectionId) {
        let next = self.next_ticket + 1;
        for analyst in self.analysts.values_mut() {
            let watched = analyst.watchers.remove(&id);
            if watched && analyst.watchers.is_empty() && analyst.running {
                analyst.worker.cancel_below(next);
            }
        }
    }

    pub(super) fn take_analysis(&mut self, view: View, ticket: u64, report: Report) {
        let Some(analyst) = self.analysts.get_mut(&view) else { return };
        if let Some(&(id, message, node)) = analyst.hints.get(&ticket) {
            if let Report::Found(found) = report {
                analyst.hints.remove(&ticket);
                self.send_hint(view, id, message, node, found);
            }
            return;
        }
        if analyst.ticket != ticket {
            return;
        }
        match report {
            Report::Lines(lines) => {
                analyst.lines = lines;
                let value = analyst.lines.first().cloned();
                let node = analyst.node;
                if view == View::All
                    && let Some(info) = value
                {
                    self.note_value(node, &info);
                }
                self.ask_arrows(view);
            }
            Report::Found(found) => {
                analyst.running = false;
                if let Err(fault) = found {
                    let watchers: Vec<_> = analyst.watchers.iter().copied().collect();
                    let problem = Problem::new("engine", format!("the analysis fails: {fault}"));
                    for id in watchers {
                        self.tell_problem(id, None, &problem);
                    }
                }
            }
            Report::Answers(_) => return,
        }
        self.send_analysis(view);
    }

    /// Keeps what an analysis says of a position, for the graph.
    fn note_value(&mut self, node: usize, info: &Info) {
        let value = self.value_of(info, self.decider(node));
        if let (Some(value), Some(at)) = (value, self.tree.get_mut(node)) {
            at.value = Some(value);
            self.note_fresh(node);
            self.tell_fresh();
        }
    }

    /// Asks for the arrows of first moves that are not known yet.
    fn ask_arrows(&mut self, view: View) {
        let Some(analyst) = self.analysts.get_mut(&view) else { return };
        let node = analyst.node;
        let firsts = analyst.lines.iter().filter_map(|line| line.pv.first().cloned());
        let unknown: Vec<String> =
            firsts.filter(|token| !analyst.arrows.contains_key(token)).collect();
        if unknown.is_empty() {
            return;
        }
        for token in &unknown {
            analyst.arrows.insert(token.clone(), None);
        }
        let usable = |token: &&String| crate::runner::board::message::is_word(token);
        let queries = unknown.iter().filter(usable).cloned().map(Query::Path).collect();
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
        let Some(analyst) = self.analysts.get_mut(&view).filter(|a| a.node == node) else { return };
        for (token, answer) in tokens.into_iter().zip(answers) {
            analyst.arrows.insert(token, Some(answer));
        }
        self.send_analysis(view);
    }

    fn send_analysis(&self, view: View) {
        let Some(analyst) = self.analysts.get(&view) else { return };
        let mover = self.decider(analyst.node);
        let line = |info: &Info| {
            let first = info.pv.first().and_then(|token| analyst.arrows.get(token));
            AnalysisLine {
                rank: info.multipv.unwrap_or(1),
                value: self.value_of(info, mover).unwrap_or_default(),
                pv: info.pv.iter().take(30).cloned().collect(),
                depth: info.depth,
                arrow: arrow(first.cloned().flatten()),
            }
        };
        let best = analyst.lines.first();
        let message = Outgoing::Analysis(Analysis {
            game: self.setup.id.clone(),
            node: analyst.node,
            running: analyst.running,
            depth: best.and_then(|info| info.depth),
            nodes: best.and_then(|info| info.nodes),
            nps: best.and_then(|info| info.nps),
            time: best.and_then(|info| info.time),
            lines: analyst.lines.iter().map(line).collect(),
        });
        for id in &analyst.watchers {
            if let Some(connection) = self.connections.get(id)
                && self.still_sees(*id, view)
            {
                connection.out.send(&message);
            }
        }
    }

    fn send_hint(
        &mut self,
        view: View,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
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
        let value = found.info.as_ref().and_then(|info| self.value_of(info, self.decider(node)));
        let value = value.unwrap_or_default();
        let query = vec![Query::Path(found.token.clone())];
        let hint = Hint { node, token: found.token, value, arrow: None };
        let purpose = Purpose::Hint(id, message, Box::new(hint));
        if let Err(problem) = self.question(view, node, query, purpose) {
            self.tell_problem(id, message, &problem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
