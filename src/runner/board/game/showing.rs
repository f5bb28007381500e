//! What every connection is shown: the tree, the state, the position, each through its own view.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::asking::Purpose;
use super::{Connection, ConnectionId, Game, Outbox, Problem, View};
use crate::picture::{Board, Step};
use crate::protocol::{PositionLine, reason_text, seat_name};
use crate::runner::board::answers::Query;
use crate::runner::board::message::{Live, NodeName};
use crate::runner::board::outgoing::{
    ClockState, GameResult, OfferState, Outgoing, Phase, Position, SeatFault, State, TableMessage,
    Tree, You,
};
use crate::runner::process::Clock;

impl Game {
    pub(super) fn join(&mut self, id: ConnectionId, out: Outbox, chair: Option<usize>) {
        let connection =
            Connection { out, chair, cursor: None, shown: None, tree: None, has_table: false };
        self.connections.insert(id, connection);
        self.refresh(id);
        self.tell_states();
    }

    pub(super) fn leave(&mut self, id: ConnectionId) {
        if self.connections.remove(&id).is_some() {
            self.forget_analysis(id);
            self.tell_states();
        }
    }

    /// The game has changed: everybody is told.
    pub(super) fn changed(&mut self) {
        self.seq += 1;
        self.summarize();
        self.cover_screens();
        let ids: Vec<ConnectionId> = self.connections.keys().copied().collect();
        for &id in &ids {
            self.learn_views(id);
        }
        for &id in &ids {
            self.tell_tree(id);
        }
        self.fresh.clear();
        for &id in &ids {
            self.tell_state(id);
        }
        self.show_positions(&ids);
        self.save();
    }

    /// One connection is told everything that it does not have.
    pub(super) fn refresh(&mut self, id: ConnectionId) {
        self.learn_views(id);
        self.tell_tree(id);
        self.tell_state(id);
        self.show_positions(&[id]);
    }

    /// The state alone, to everybody.
    pub(super) fn tell_states(&mut self) {
        self.seq += 1;
        let ids: Vec<ConnectionId> = self.connections.keys().copied().collect();
        for id in ids {
            self.tell_state(id);
        }
    }

    /// Screens are covered when another person at the same screen is to act.
    fn cover_screens(&mut self) {
        let Some(acting) = self.acting_seat().filter(|_| self.has_secrets()) else { return };
        let here = |connection: &Connection| self.seats_of(connection).contains(&acting);
        let drops: Vec<ConnectionId> = self
            .connections
            .iter()
            .filter(|(_, c)| c.shown.is_some_and(|shown| shown != acting) && here(c))
            .map(|(&id, _)| id)
            .collect();
        for id in drops {
            if let Some(connection) = self.connections.get_mut(&id) {
                connection.shown = None;
                connection.cursor = None;
            }
        }
    }

    /// A node that pages do not have yet, or not as it is.
    pub(super) fn note_fresh(&mut self, node: usize) {
        self.fresh.entry(None).or_default().insert(node);
    }

    /// Finds out how a connection's view names what was played.
    fn learn_views(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.get(&id) else { return };
        let Some(view @ View::Seat(seat)) = self.view_of(connection) else { return };
        match self.view_line(view, self.live) {
            Ok(line) => {
                let fresh = self.tree.note_view(self.live, seat, &line);
                self.fresh.entry(Some(view)).or_default().extend(fresh);
            }
            Err(problem) => self.tell_problem(id, None, &problem),
        }
    }

    /// What a view may see at a node: the argument of `position`.
    pub(super) fn view_line(&mut self, view: View, node: usize) -> Result<PositionLine, Problem> {
        let line = self.position(node);
        let View::Seat(seat) = view else { return Ok(line) };
        if node == self.live
            && let Some(known) = self.views.get(&view)
        {
            return Ok(known.clone());
        }
        if let Err(refusal) = self.load(&line)? {
            return Err(super::fault_of_referee(&refusal));
        }
        let seen = self.referee.view(seat)?;
        if node == self.live {
            self.views.insert(view, seen.clone());
        }
        Ok(seen)
    }

    /// Sends what a connection does not have of the tree. While the screen is covered it has none.
    fn tell_tree(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.get(&id) else { return };
        let view = self.view_of(connection);
        let reset = connection.tree != Some(view);
        let numbers: BTreeSet<usize> = match view {
            None => BTreeSet::new(),
            Some(_) if reset => self.tree.numbers().into_iter().collect(),
            Some(_) => {
                let common = self.fresh.get(&None).into_iter().flatten();
                common.chain(self.fresh.get(&view).into_iter().flatten()).copied().collect()
            }
        };
        if !reset && numbers.is_empty() {
            return;
        }
        let seat = view.and_then(View::seat);
        let nodes = numbers.into_iter().filter_map(|number| self.tree.shown(number, seat));
        let tree = Tree { game: self.setup.id.clone(), reset, nodes: nodes.collect() };
        connection.out.send(&Outgoing::Tree(tree));
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.tree = Some(view);
        }
    }

    /// What is new in the tree, to everybody.
    pub(super) fn tell_fresh(&mut self) {
        let ids: Vec<ConnectionId> = self.connections.keys().copied().collect();
        for id in ids {
            self.tell_tree(id);
        }
        self.fresh.clear();
    }

    fn tell_state(&self, id: ConnectionId) {
        let Some(connection) = self.connections.get(&id) else { return };
        connection.out.send(&Outgoing::State(Box::new(self.state(connection))));
    }

    /// The view that a connection gets, as it is told; `None` while the screen is covered.
    fn shown_view(&self, connection: &Connection) -> Option<String> {
        Some(self.view_of(connection)?.seat().map_or_else(|| "all".to_owned(), seat_name))
    }

    /// The state as a connection sees it.
    fn state(&self, connection: &Connection) -> State {
        State {
            game: self.setup.id.clone(),
            seq: self.seq,
            round: self.round,
            title: self.title.clone(),
            menu: self.setup.entry.menu.clone(),
            phase: self.phase(),
            secrets: self.has_secrets(),
            turn: self.turn.to_string(),
            live: self.live,
            throws: self.setup.throws,
            seats: self.shown_seats(connection),
            you: self.you(connection),
            clocks: self.shown_clocks(),
            result: self.shown_result(),
            fault: self.fault.as_ref().map(|fault| SeatFault {
                seat: seat_name(fault.seat),
                engine: fault.engine.clone(),
                kind: fault.kind,
                text: fault.text.clone(),
            }),
            offer: self.offer.as_ref().map(|offer| OfferState {
                kind: "undo",
                by: seat_name(offer.by),
                wait: offer.wait.iter().map(|&seat| seat_name(seat)).collect(),
            }),
            review: self.review.as_ref().map(|review| Box::new(review.message(&self.setup.id))),
            saved: self.save_error.is_none(),
            saved_error: self.save_error.clone(),
        }
    }

    /// What a connection is and may do now.
    fn you(&self, connection: &Connection) -> You {
        let own = self.seats_of(connection);
        let host = connection.chair.is_none();
        let view = self.view_of(connection);
        let may_look = (host || !own.is_empty()) && self.may_look_ahead();
        You {
            host,
            seats: own.iter().map(|&seat| seat_name(seat)).collect(),
            view: self.shown_view(connection),
            curtain: self.handover_seat(connection).map(seat_name),
            undo: self.undo_target(&own).is_some(),
            analyse: may_look && view.is_some(),
            variations: self.may_vary(connection),
            record: self.may_have_record(connection),
            review: view == Some(View::All) && self.phase() != Phase::Play,
        }
    }

    fn shown_clocks(&self) -> Option<ClockState> {
        if self.clocks.is_empty() {
            return None;
        }
        let running = self.running();
        let left = |(seat, clock): (usize, &Clock)| {
            let left = clock.left().unwrap_or_default();
            let spent =
                if running == Some(seat) { self.since.elapsed() } else { Default::default() };
            u64::try_from(left.saturating_sub(spent).as_millis()).unwrap_or(u64::MAX)
        };
        Some(ClockState {
            tc: self.setup.tc.clone().unwrap_or_default(),
            left: self.clocks.iter().enumerate().map(left).collect(),
            running: running.map(seat_name),
        })
    }

    /// The milliseconds left on each clock.
    pub(super) fn clocks_left(&self) -> Vec<u64> {
        let left = |clock: &Clock| {
            u64::try_from(clock.left().unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
        };
        self.clocks.iter().map(left).collect()
    }

    fn shown_result(&self) -> Option<GameResult> {
        let ended = self.ended.as_ref()?;
        Some(GameResult {
            result: ended.result.clone(),
            places: ended.places.clone(),
            reason: ended.reason.clone(),
            points: ended.points.clone(),
            ending: if self.ending == "rules" { "rules" } else { "adjudication" },
            text: self.result_text(),
            why: reason_text(&ended.reason),
        })
    }

    /// Who has come first, for people.
    fn result_text(&self) -> String {
        let Some(ended) = &self.ended else { return String::new() };
        let winners: Vec<String> = (0..self.seats())
            .filter(|&seat| ended.places.get(seat) == Some(&1))
            .map(|seat| match self.player_name(seat) {
                name if name.is_empty() => seat_name(seat),
                name => format!("{} ({name})", seat_name(seat)),
            })
            .collect();
        let reason = reason_text(&ended.reason);
        match winners.len() {
            1 => format!("{} wins: {reason}", winners.concat()),
            n if n == self.seats() => format!("A draw: {reason}"),
            _ => format!("{} share the first place: {reason}", winners.join(" and ")),
        }
    }

    /// What the connections look at, asked of the engine of their view.
    fn show_positions(&mut self, ids: &[ConnectionId]) {
        let mut groups: std::collections::BTreeMap<(View, usize), Vec<ConnectionId>> =
            std::collections::BTreeMap::new();
        for &id in ids {
            let Some(connection) = self.connections.get(&id) else { continue };
            let node = connection.cursor.unwrap_or(self.live);
            match self.view_of(connection) {
                Some(view) => groups.entry((view, node)).or_default().push(id),
                None => self.show_covered(connection, node),
            }
        }
        for ((view, node), group) in groups {
            let mut queries = vec![Query::Board, Query::Step(Vec::new())];
            if self.table.is_none() {
                queries.insert(0, Query::Table);
            }
            if let Err(problem) =
                self.question(view, node, queries, Purpose::Position(group.clone()))
            {
                for id in group {
                    self.tell_problem(id, None, &problem);
                }
            }
        }
    }

    /// A position without anything on it.
    fn show_covered(&self, connection: &Connection, node: usize) {
        self.send_table(connection);
        connection.out.send(&self.position_message(connection, node, None, None));
    }

    fn send_table(&self, connection: &Connection) {
        if let (false, Some(table)) = (connection.has_table, &self.table) {
            let table = TableMessage { game: self.setup.id.clone(), table: Arc::clone(table) };
            connection.out.send(&Outgoing::Table(table));
        }
    }

    /// The position message of a connection.
    fn position_message(
        &self,
        connection: &Connection,
        node: usize,
        board: Option<Box<Board>>,
        step: Option<Box<Step>>,
    ) -> Outgoing {
        let at = self.tree.get(node);
        Outgoing::Position(Position {
            game: self.setup.id.clone(),
            seq: self.seq,
            node,
            ply: at.map_or(0, |at| at.ply),
            view: self.shown_view(connection),
            turn: at.and_then(|at| at.turn).map(|turn| turn.to_string()),
            act: self.act_at(connection, node).map(seat_name),
            board,
            step,
        })
    }

    /// Sends a position that has come, to those who still look at it.
    pub(super) fn send_position(
        &mut self,
        view: View,
        node: usize,
        ids: &[ConnectionId],
        board: Option<&Board>,
        step: Option<Box<Step>>,
    ) {
        for id in ids {
            let Some(connection) = self.connections.get(id) else { continue };
            let looks = connection.cursor.unwrap_or(self.live) == node;
            if !looks || self.view_of(connection) != Some(view) {
                continue;
            }
            self.send_table(connection);
            let acts = self.act_at(connection, node).is_some() || self.may_vary(connection);
            let step = step.clone().filter(|_| acts);
            connection.out.send(&self.position_message(
                connection,
                node,
                board.cloned().map(Box::new),
                step,
            ));
            let known = self.table.is_some();
            if let Some(connection) = self.connections.get_mut(id) {
                connection.has_table = known;
            }
        }
    }

    /// The connection looks at the live node again.
    pub(super) fn follow_live(&mut self, id: ConnectionId) {
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.cursor = None;
        }
    }

    pub(super) fn look(&mut self, id: ConnectionId, node: NodeName) -> Result<(), Problem> {
        let cursor = match node {
            NodeName::Live(Live::Live) => None,
            NodeName::Number(node) if self.tree.get(node).is_none() => {
                return Err(Problem::new("unknown", "no such node"));
            }
            NodeName::Number(node) => (node != self.live).then_some(node),
        };
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.cursor = cursor;
        }
        self.know_turn(cursor.unwrap_or(self.live))?;
        self.show_positions(&[id]);
        Ok(())
    }

    /// Asks whose turn it is at a node of a loaded game.
    pub(super) fn know_turn(&mut self, node: usize) -> Result<(), Problem> {
        if self.tree.get(node).is_none_or(|node| node.turn.is_some()) {
            return Ok(());
        }
        let line = self.position(node);
        if let Err(refusal) = self.load(&line)? {
            return Err(super::fault_of_referee(&refusal));
        }
        let turn = self.referee.turn();
        if let Some(node) = self.tree.get_mut(node) {
            node.turn = Some(turn);
        }
        Ok(())
    }
}
