//! The review of a whole game: every decision is searched, and what was played instead of the best
//! move as well; what that lost is marked.

use std::time::Duration;

use super::engines::{GRACE, LONGEST};
use super::{ConnectionId, Game, Problem, Source, View};
use crate::platform::Instant;
use crate::runner::board::outgoing::{self, Better, Mark, Outgoing, Phase};
use crate::runner::board::worker::{Job, Search, Worker};
use crate::runner::process::{Fault, SearchResult};

/// The most tokens that are told of a better line.
const MAX_LINE: usize = 8;

/// How far every decision is searched.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// For a time in milliseconds.
    Time(u64),
    /// To a depth.
    Depth(u32),
}

impl Limit {
    /// Within what a review may take.
    fn clamped(self) -> Self {
        match self {
            Limit::Time(movetime) => Limit::Time(movetime.clamp(10, 60_000)),
            Limit::Depth(depth) => Limit::Depth(depth.clamp(1, 100)),
        }
    }

    /// The words of `go`, and how long the answer may take.
    fn go(self) -> (String, Duration) {
        match self {
            Limit::Time(movetime) => {
                (format!("go movetime {movetime}"), Duration::from_millis(movetime) + GRACE)
            }
            Limit::Depth(depth) => (format!("go depth {depth}"), LONGEST),
        }
    }
}

/// The review of a game.
pub(super) struct Review {
    worker: Box<dyn Worker>,
    ticket: u64,
    /// The decisions of the game.
    nodes: Vec<usize>,
    done: usize,
    /// The value of the best move for the seat that decides, while the played one is searched.
    best: Option<u32>,
    limit: Limit,
    started: Instant,
}

impl Review {
    pub(super) fn is_running(&self) -> bool {
        self.done < self.nodes.len()
    }

    pub(super) fn message(&self, game: &str) -> Outgoing {
        let left = self.nodes.len().saturating_sub(self.done);
        let spent = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let left_ms = match (self.done as u64, self.limit) {
            (0, Limit::Time(movetime)) => Some(movetime * left as u64),
            (0, Limit::Depth(_)) => None,
            (done, _) => Some(spent / done * left as u64),
        };
        Outgoing::Review(outgoing::Review {
            game: game.to_owned(),
            running: left > 0,
            done: self.done,
            of: self.nodes.len(),
            left_ms,
        })
    }
}

impl Game {
    /// Starts the review of the whole game; `None` ends it.
    pub(super) fn set_review(
        &mut self,
        id: ConnectionId,
        limit: Option<Limit>,
    ) -> Result<(), Problem> {
        let Some(limit) = limit.map(Limit::clamped) else {
            self.connections.get(id)?;
            self.review = None;
            self.tell_states();
            return Ok(());
        };
        let view = self.seating.view_of(self.connections.get(id)?);
        let secrets = self.seating.has_secrets();
        if self.phase() == Phase::Play || view != Some(View::All) || secrets {
            let text = "a game is reviewed when it is over, and where there are no secrets";
            return Err(Problem::new("not-allowed", text));
        }
        let mut nodes = vec![0];
        nodes.extend(self.tree.main_line());
        for &node in &nodes {
            self.know_turn(node)?;
        }
        nodes.pop();
        nodes.retain(|&node| self.tree.decider(node).is_some());
        let worker = self.engines.start_analyst(Source::Reviewer, "review")?;
        let started = Instant::now();
        self.review =
            Some(Review { worker, ticket: 0, nodes, done: 0, best: None, limit, started });
        self.review_next();
        Ok(())
    }

    /// Searches the next decision, or tells that the review is done.
    fn review_next(&mut self) {
        let Some(review) = &self.review else { return };
        self.connections.send_all(&review.message(&self.setup.id));
        match review.nodes.get(review.done).copied() {
            Some(node) => self.review_search(node, None),
            None => {
                self.review = None;
                self.changed();
            }
        }
    }

    fn review_search(&mut self, node: usize, only: Option<&str>) {
        let position = self.tree.position(node).to_string();
        let ticket = self.engines.ticket();
        let Some(review) = &mut self.review else { return };
        review.ticket = ticket;
        let restricted = only.map_or(String::new(), |token| format!(" searchmoves {token}"));
        let (go, allowance) = review.limit.go();
        let (go, allowance) = (format!("{go}{restricted}"), Some(allowance));
        review.worker.send(ticket, Job::Search(Search { position, go, allowance, lines: 0 }));
    }

    pub(super) fn take_reviewed(&mut self, ticket: u64, found: Result<SearchResult, Fault>) {
        let Some(review) = self.review.as_ref().filter(|review| review.ticket == ticket) else {
            return;
        };
        let Some(&node) = review.nodes.get(review.done) else { return };
        let found = match found {
            Ok(found) => found,
            Err(fault) => {
                self.review = None;
                self.tell_all(&Problem::new("engine", format!("the review ends: {fault}")));
                self.tell_states();
                return;
            }
        };
        let mover = self.tree.decider(node).unwrap_or_default();
        let value = found.info.as_ref().and_then(|info| self.value_at(node, info));
        let share = value.as_ref().and_then(|value| value.shares.get(mover).copied());
        let played = self.tree.next_in_main_line(node);
        let played = played.and_then(|child| Some((child, self.tree.get(child)?.token.clone())));
        match (review.best, played) {
            (None, Some((child, token))) if token != found.token => {
                self.tree.note_value(node, value);
                let line = found.info.map_or_else(Vec::new, |info| info.pv);
                let better = Better { best: found.token, loss: 0, line: shortened(line) };
                self.tree.note_mark(child, None, Some(better));
                if let Some(review) = &mut self.review {
                    review.best = Some(share.unwrap_or(500));
                }
                self.review_search(node, Some(&token));
                return;
            }
            (None, Some((child, _))) => {
                self.tree.note_value(node, value);
                self.tree.note_mark(child, None, None);
            }
            (Some(best), Some((child, _))) => {
                let loss = best.saturating_sub(share.unwrap_or(best));
                let better = self.tree.get(child).and_then(|node| node.better.clone());
                let better = better.map(|better| Better { loss, ..better });
                self.tree.note_mark(child, mark(loss), better);
            }
            (_, None) => self.tree.note_value(node, value),
        }
        if let Some(review) = &mut self.review {
            review.best = None;
            review.done += 1;
        }
        self.send_unsent();
        self.review_next();
    }
}

/// The beginning of a line: what a person follows.
fn shortened(mut line: Vec<String>) -> Vec<String> {
    line.truncate(MAX_LINE);
    line
}

/// What a loss of that many permille is called: the limits that players know from lichess.
fn mark(loss: u32) -> Option<Mark> {
    match loss {
        0..50 => None,
        50..100 => Some(Mark::Inaccuracy),
        100..150 => Some(Mark::Mistake),
        _ => Some(Mark::Blunder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_have_names() {
        let marks: Vec<_> = [0, 49, 50, 100, 150, 1000].map(mark).into();
        let [inaccuracy, mistake, blunder] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];
        let marked = [inaccuracy, mistake, blunder, blunder].map(Some);
        let expected = [&[None, None][..], &marked].concat();
        assert_eq!(marks, expected);
    }
}
