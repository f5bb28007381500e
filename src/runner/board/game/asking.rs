//! Questions of pages: each is put to the engine of the page's view, and the answer goes back.

use std::sync::Arc;

use super::{ConnectionId, Game, Problem, Source, View};
use crate::picture::{Board, Step};
use crate::runner::board::answers::{Answer, Query};
use crate::runner::board::message::TextKind;
use crate::runner::board::outgoing::{Arrow, Hint, Moves, Outgoing, StepMessage, Text};
use crate::runner::board::worker::{Ask, Job, Post, Setup, Worker};
use crate::runner::process::Fault;

/// The most questions that wait for engines.
const MAX_PENDING: usize = 2_000;

/// A question on its way.
pub(super) struct Pending {
    view: View,
    node: usize,
    purpose: Purpose,
    queries: Vec<Query>,
    /// After a fault it is asked once more.
    retried: bool,
}

/// What an answer is for.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    /// What these connections look at.
    Position(Vec<ConnectionId>),
    /// A step of a half-entered move.
    Step(ConnectionId, Option<u64>),
    /// The legal tokens.
    Moves(ConnectionId, Option<u64>),
    /// A text to copy.
    Text(ConnectionId, Option<u64>, TextKind),
    /// The arrow of a hint; what the engine says of it.
    Hint(ConnectionId, Option<u64>, Box<Hint>),
    /// The arrows of an analysis: the tokens asked for.
    Arrows(Vec<String>),
}

impl Game {
    /// How an engine's reports come back.
    pub(super) fn post(&self, source: Source) -> Post {
        let events = self.outside.events.clone();
        Box::new(move |ticket, report| {
            // The game may be gone.
            let _ = events.send(super::Event::Report(source, ticket, report));
        })
    }

    /// Puts questions about a node to the engine of a view.
    pub(super) fn question(
        &mut self,
        view: View,
        node: usize,
        queries: Vec<Query>,
        purpose: Purpose,
    ) -> Result<(), Problem> {
        if self.pending.len() >= MAX_PENDING {
            return Err(Problem::new("busy", "too many questions wait for the engine"));
        }
        let pending = Pending { view, node, purpose, queries, retried: false };
        self.put(pending)
    }

    fn put(&mut self, pending: Pending) -> Result<(), Problem> {
        let view = pending.view;
        let position = self.view_line(view, pending.node)?;
        if !self.viewers.contains_key(&view) {
            let Some(engine) = self.setup.entry.referee() else { return Ok(()) };
            let name = view.seat().map_or("all".into(), crate::protocol::seat_name);
            let label = format!("{}-view-{name}", self.setup.id);
            let setup = Setup { launcher: self.launcher.clone(), engine, label, player: None };
            let worker = Worker::start(setup, self.post(Source::View(view)))?;
            self.viewers.insert(view, worker);
        }
        let ticket = self.ticket();
        let ask = Ask { position: position.to_string(), queries: pending.queries.clone() };
        if let Some(viewer) = self.viewers.get(&view) {
            viewer.send(ticket, Job::Ask(ask));
            self.pending.insert(ticket, pending);
        }
        Ok(())
    }

    /// The view of a connection at a node; an error where it may not look.
    pub(super) fn view_at(&self, id: ConnectionId, node: usize) -> Result<View, Problem> {
        let connection = self.connection(id)?;
        if self.tree.get(node).is_none() {
            return Err(Problem::new("unknown", "no such node"));
        }
        let hidden = || Problem::new("not-allowed", "the screen is covered");
        self.view_of(connection).ok_or_else(hidden)
    }

    pub(super) fn ask_step(
        &mut self,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
        path: Vec<String>,
    ) -> Result<(), Problem> {
        let view = self.view_at(id, node)?;
        self.question(view, node, vec![Query::Step(path)], Purpose::Step(id, message))
    }

    pub(super) fn ask_moves(
        &mut self,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
        prefix: String,
    ) -> Result<(), Problem> {
        let view = self.view_at(id, node)?;
        self.question(view, node, vec![Query::Moves(prefix)], Purpose::Moves(id, message))
    }

    pub(super) fn ask_text(
        &mut self,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
        what: TextKind,
    ) -> Result<(), Problem> {
        let view = self.view_at(id, node)?;
        let purpose = Purpose::Text(id, message, what);
        match what {
            TextKind::Fen => self.question(view, node, vec![Query::Text("fen")], purpose),
            TextKind::Svg => self.question(view, node, vec![Query::Table, Query::Board], purpose),
            TextKind::Position => {
                let line = self.view_line(view, node)?;
                self.send_text(id, message, what, node, line.as_str());
                Ok(())
            }
            TextKind::Moves => {
                let line = self.view_line(view, node)?;
                let moves: Vec<&str> = line.tokens().collect();
                self.send_text(id, message, what, node, &moves.join(" "));
                Ok(())
            }
            TextKind::Record => {
                if !self.may_have_record(self.connection(id)?) {
                    return Err(Problem::new("not-allowed", "there are secrets in it"));
                }
                let text = self.record_text()?;
                self.send_text(id, message, what, node, &text);
                Ok(())
            }
        }
    }

    fn send_text(
        &self,
        id: ConnectionId,
        message: Option<u64>,
        what: TextKind,
        node: usize,
        text: &str,
    ) {
        let ending = match what {
            TextKind::Fen => "fen.txt",
            TextKind::Position => "position.txt",
            TextKind::Moves => "moves.txt",
            TextKind::Record => "jsonl",
            TextKind::Svg => "svg",
        };
        let ply = self.tree.get(node).map_or(0, |node| node.ply);
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let menu: String = self.setup.entry.menu.chars().map(fit).collect();
        let name = format!("{menu}-{ply}.{ending}");
        self.send_answer(id, message, &Outgoing::Text(Text { what, name, text: text.to_owned() }));
    }

    /// Sends an answer with the number of its message.
    fn send_answer(&self, id: ConnectionId, message: Option<u64>, answer: &Outgoing) {
        if let Some(connection) = self.connections.get(&id) {
            connection.out.answer(message, answer);
        }
    }

    /// The answers of the engine of a view.
    pub(super) fn take_answers(
        &mut self,
        view: View,
        ticket: u64,
        answers: Result<Vec<Answer>, Fault>,
    ) {
        let Some(pending) = self.pending.remove(&ticket) else { return };
        match answers {
            Ok(answers) => self.deliver(view, pending, answers),
            Err(_) if !pending.retried => {
                if let Err(problem) = self.put(Pending { retried: true, ..pending }) {
                    self.tell_all(&problem);
                }
            }
            Err(fault) => {
                let text = format!("the engine that shows the board fails: {fault}");
                let problem = Problem::new("engine", text);
                for (id, number) in recipients(&pending.purpose) {
                    self.tell_problem(id, number, &problem);
                }
            }
        }
    }

    fn deliver(&mut self, view: View, pending: Pending, answers: Vec<Answer>) {
        let node = pending.node;
        let mut board = None;
        let mut step = None;
        let mut others = Vec::new();
        for answer in answers {
            match answer {
                Answer::Table(table) => self.table = Some(Arc::new(*table)),
                Answer::Board(found) => board = Some(found),
                Answer::Step(found) => step = Some(found),
                other => others.push(other),
            }
        }
        match pending.purpose {
            Purpose::Position(ids) => {
                self.send_position(view, node, &ids, board.as_deref(), step.and_then(Result::ok));
            }
            Purpose::Step(id, message) if self.still_sees(id, view) => match step {
                Some(Ok(step)) => {
                    let answer = Outgoing::Step(StepMessage { node, step: *step });
                    self.send_answer(id, message, &answer);
                }
                Some(Err((code, text))) => {
                    self.tell_problem(id, message, &Problem { code, text });
                }
                None => {}
            },
            Purpose::Moves(id, message) if self.still_sees(id, view) => {
                if let Some(Answer::Moves(tokens, many)) = others.pop() {
                    let answer = Outgoing::Moves(Moves { node, tokens, many });
                    self.send_answer(id, message, &answer);
                }
            }
            Purpose::Text(id, message, what) if self.still_sees(id, view) => {
                match (others.pop(), board) {
                    (Some(Answer::Text(Ok(text))), _) => {
                        self.send_text(id, message, what, node, &text);
                    }
                    (Some(Answer::Text(Err((code, text)))), _) => {
                        self.tell_problem(id, message, &Problem { code, text });
                    }
                    (_, Some(board)) => self.send_drawing(id, message, view, node, &board),
                    _ => {}
                }
            }
            Purpose::Hint(id, message, hint) if self.still_sees(id, view) => {
                let answer = Outgoing::Hint(Hint { arrow: arrow(others.pop()), ..*hint });
                self.send_answer(id, message, &answer);
            }
            Purpose::Arrows(tokens) => self.take_arrows(view, node, tokens, others),
            _ => {}
        }
    }

    /// Whether a connection still has that view: it may have changed while the engine answered.
    pub(super) fn still_sees(&self, id: ConnectionId, view: View) -> bool {
        self.connections.get(&id).is_some_and(|c| self.view_of(c) == Some(view))
    }

    fn send_drawing(
        &self,
        id: ConnectionId,
        message: Option<u64>,
        view: View,
        node: usize,
        board: &Board,
    ) {
        let Some(table) = &self.table else { return };
        let options = crate::picture::Options {
            seat: view.seat().map_or(0, |seat| seat + 1),
            ..crate::picture::Options::default()
        };
        let svg = crate::picture::draw(table, board, &options);
        self.send_text(id, message, TextKind::Svg, node, &svg);
    }
}

/// The arrow of the move that a path leads to, where the engine has named one.
pub(super) fn arrow(answer: Option<Answer>) -> Option<Arrow> {
    let Some(Answer::Path(Some(step))) = answer else { return None };
    let Step { path, show, .. } = *step;
    Some(Arrow { path, show })
}

fn recipients(purpose: &Purpose) -> Vec<(ConnectionId, Option<u64>)> {
    match purpose {
        Purpose::Position(ids) => ids.iter().map(|&id| (id, None)).collect(),
        Purpose::Step(id, number)
        | Purpose::Moves(id, number)
        | Purpose::Text(id, number, _)
        | Purpose::Hint(id, number, _) => vec![(*id, *number)],
        Purpose::Arrows(_) => Vec::new(),
    }
}
