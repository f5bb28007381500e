//! Questions of pages: each is put to the engine of the page's view, and the answer goes back.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::engines::Engines;
use super::{ConnectionId, Game, Problem, Source, View};
use crate::picture::{Board, Step};
use crate::protocol::{PositionLine, seat_name};
use crate::runner::board::answers::{Answer, Query, Told};
use crate::runner::board::message::TextKind;
use crate::runner::board::outgoing::{Arrow, Hint, Moves, Outgoing, Path, StepMessage, Text};
use crate::runner::board::worker::{Ask, Job, Worker};
use crate::runner::process::Fault;

/// The most questions that wait for engines.
const MAX_PENDING: usize = 2_000;

/// A question on its way.
pub(super) struct Pending {
    view: View,
    node: usize,
    /// Tokens that are played on from the node.
    after: Vec<String>,
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
    /// The choices of a token and their names.
    Path(ConnectionId, Option<u64>, String),
    /// One of the boards whose common part these connections see, with the number of the whole.
    Part(u64, Vec<ConnectionId>),
}

/// The engines that show positions, by the views of pages, and what they have been asked.
#[derive(Default)]
pub(super) struct Viewers {
    workers: BTreeMap<View, Box<dyn Worker>>,
    pending: BTreeMap<u64, Pending>,
    /// The boards of all seats that have come, by the number of the whole.
    parts: BTreeMap<u64, Vec<Board>>,
}

impl Viewers {
    /// Puts questions about a position to the engine of a view, which is started if it does not run.
    fn ask(
        &mut self,
        engines: &mut Engines,
        position: &PositionLine,
        pending: Pending,
    ) -> Result<(), Problem> {
        if self.pending.len() >= MAX_PENDING {
            return Err(Problem::new("busy", "too many questions wait for the engine"));
        }
        let view = pending.view;
        let viewer = match self.workers.entry(view) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let name = view.seat().map_or("all".into(), seat_name);
                place.insert(engines.start_viewer(Source::View(view), &format!("view-{name}"))?)
            }
        };
        let ticket = engines.ticket();
        let ask = Ask { position: position.to_string(), queries: pending.queries.clone() };
        viewer.send(ticket, Job::Ask(ask));
        self.pending.insert(ticket, pending);
        Ok(())
    }

    /// Nobody waits for an answer any more.
    pub(super) fn forget(&mut self) {
        self.pending.clear();
        self.parts.clear();
    }
}

impl Game {
    /// Puts questions about a node to the engine of a view.
    pub(super) fn question(
        &mut self,
        view: View,
        node: usize,
        queries: Vec<Query>,
        purpose: Purpose,
    ) -> Result<(), Problem> {
        self.put(Pending { view, node, after: Vec::new(), purpose, queries, retried: false })
    }

    fn put(&mut self, pending: Pending) -> Result<(), Problem> {
        let mut position = self.view_line(pending.view, pending.node)?;
        pending.after.iter().for_each(|token| position.append(token));
        self.viewers.ask(&mut self.engines, &position, pending)
    }

    /// The view of a connection at a node; an error where it may not look.
    pub(super) fn view_at(&self, id: ConnectionId, node: usize) -> Result<View, Problem> {
        let connection = self.connections.get(id)?;
        if self.tree.get(node).is_none() {
            return Err(Problem::new("unknown", "no such node"));
        }
        let hidden = || Problem::new("not-allowed", "the screen is covered");
        self.seating.view_of(connection).ok_or_else(hidden)
    }

    /// Asks the engines of all seats for their boards: who has no seat sees what they have in common.
    pub(super) fn ask_table(&mut self, node: usize, ids: &[ConnectionId]) {
        let number = self.engines.ticket();
        self.viewers.parts.insert(number, Vec::new());
        for seat in 0..self.seats() {
            let mut queries = vec![Query::Board];
            if self.table.is_none() {
                queries.insert(0, Query::Table);
            }
            let purpose = Purpose::Part(number, ids.to_vec());
            if let Err(problem) = self.question(View::Seat(seat), node, queries, purpose) {
                self.viewers.parts.remove(&number);
                ids.iter().for_each(|&id| self.tell_problem(id, None, &problem));
                return;
            }
        }
    }

    /// The board of one more seat has come.
    fn take_part(&mut self, number: u64, node: usize, ids: &[ConnectionId], board: Board) {
        let seats = self.seats();
        let Some(parts) = self.viewers.parts.get_mut(&number) else { return };
        parts.push(board);
        if parts.len() == seats
            && let Some(parts) = self.viewers.parts.remove(&number)
        {
            self.send_position(
                View::Table,
                node,
                ids,
                Some(&crate::runner::board::view::board(parts)),
                None,
            );
        }
    }

    /// The choices of a token that was played or might be, and how they are called. `after`: the
    /// tokens between the node and it, where nothing is secret.
    pub(super) fn ask_path(
        &mut self,
        id: ConnectionId,
        message: Option<u64>,
        node: usize,
        after: Vec<String>,
        token: String,
    ) -> Result<(), Problem> {
        let view = self.view_at(id, node)?;
        if !after.is_empty() {
            if view != View::All {
                return Err(Problem::new("not-allowed", "only where nothing is secret"));
            }
            let mut line = self.tree.position(node);
            after.iter().for_each(|token| line.append(token));
            if let Err((code, text)) = self.load(&line)? {
                return Err(Problem { code, text });
            }
        }
        let queries = vec![Query::Told(token.clone())];
        let purpose = Purpose::Path(id, message, token);
        self.put(Pending { view, node, after, purpose, queries, retried: false })
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
                if !self.may_have_record(self.connections.get(id)?) {
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
        let ply = self.tree.ply(node);
        let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let menu: String = self.setup.entry.menu.chars().map(fit).collect();
        let name = format!("{menu}-{ply}.{ending}");
        self.connections.answer(
            id,
            message,
            &Outgoing::Text(Text { what, name, text: text.to_owned() }),
        );
    }

    /// The answers of the engine of a view.
    pub(super) fn take_answers(
        &mut self,
        view: View,
        ticket: u64,
        answers: Result<Vec<Answer>, Fault>,
    ) {
        let Some(pending) = self.viewers.pending.remove(&ticket) else { return };
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
                if let Purpose::Part(number, _) = pending.purpose {
                    self.viewers.parts.remove(&number);
                }
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
                    self.connections.answer(id, message, &answer);
                }
                Some(Err((code, text))) => {
                    self.tell_problem(id, message, &Problem { code, text });
                }
                None => {}
            },
            Purpose::Moves(id, message) if self.still_sees(id, view) => {
                if let Some(Answer::Moves(tokens, many)) = others.pop() {
                    let answer = Outgoing::Moves(Moves { node, tokens, many });
                    self.connections.answer(id, message, &answer);
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
                self.connections.answer(id, message, &answer);
            }
            Purpose::Arrows(tokens) => self.take_arrows(view, node, tokens, others),
            Purpose::Path(id, message, token) if self.still_sees(id, view) => {
                let (arrow, words) = match others.pop() {
                    Some(Answer::Told(Some(Told { step, words }))) => {
                        (Arrow { path: step.path, show: step.show }, words)
                    }
                    _ => (Arrow::default(), Vec::new()),
                };
                let answer = Outgoing::Path(Path { node, token, arrow, words });
                self.connections.answer(id, message, &answer);
            }
            Purpose::Part(number, ids) => {
                if let Some(board) = board {
                    self.take_part(number, node, &ids, *board);
                }
            }
            _ => {}
        }
    }

    /// Whether a connection still has that view: it may have changed while the engine answered.
    pub(super) fn still_sees(&self, id: ConnectionId, view: View) -> bool {
        self.connections.find(id).is_some_and(|c| self.seating.view_of(c) == Some(view))
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
        Purpose::Position(ids) | Purpose::Part(_, ids) => {
            ids.iter().map(|&id| (id, None)).collect()
        }
        Purpose::Step(id, number)
        | Purpose::Moves(id, number)
        | Purpose::Text(id, number, _)
        | Purpose::Path(id, number, _)
        | Purpose::Hint(id, number, _) => vec![(*id, *number)],
        Purpose::Arrows(_) => Vec::new(),
    }
}
