//! What every connection is shown: the tree, the state, the position, each through its own view.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::asking::Purpose;
use super::connections::Connection;
use super::{ConnectionId, Ended, Game, Outbox, Problem, Proposal, View};
use crate::picture::{Board, Step};
use crate::protocol::{Outcome, PositionLine, reason_text, seat_name};
use crate::runner::board::answers::Query;
use crate::runner::board::links::Guest;
use crate::runner::board::message::{Live, NodeName};
use crate::runner::board::outgoing::{
    GameResult, OfferState, Outgoing, Phase, Position, SeatFault, State, TableMessage, Tree, You,
};
use crate::runner::tournament::record::Ending;

impl Game {
    pub(super) fn join(&mut self, id: ConnectionId, out: Outbox, guest: Option<Guest>) {
        self.connections.join(id, Connection::new(out, guest));
        self.refresh(id);
        self.summarize();
        self.tell_states();
    }

    pub(super) fn leave(&mut self, id: ConnectionId) {
        if self.connections.leave(id) {
            self.analysis.forget(id, self.engines.last_ticket());
            self.note_absent();
            self.summarize();
            self.tell_states();
        }
    }

    /// The game has changed: everybody is told.
    pub(super) fn changed(&mut self) {
        self.seq += 1;
        self.summarize();
        self.cover_screens();
        let ids = self.connections.ids();
        for &id in &ids {
            self.learn_views(id);
        }
        for &id in &ids {
            self.tell_tree(id);
        }
        self.tree.note_sent();
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
        let ids = self.connections.ids();
        for id in ids {
            self.tell_state(id);
        }
    }

    /// Screens are covered when another person at the same screen is to act.
    fn cover_screens(&mut self) {
        let Some(acting) = self.acting_seat().filter(|_| self.seating.has_secrets()) else {
            return;
        };
        for id in self.connections.ids() {
            if let Some(connection) = self.connections.get_mut(id)
                && connection.shown.is_some_and(|shown| shown != acting)
                && self.seating.seats_of(connection).contains(&acting)
            {
                (connection.shown, connection.cursor) = (None, None);
            }
        }
    }

    /// Finds out how a connection's view names what was played.
    fn learn_views(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.find(id) else { return };
        let seats = match self.seating.view_of(connection) {
            Some(View::Seat(seat)) => seat..seat + 1,
            Some(View::Table) => 0..self.seats(),
            Some(View::All) | None => 0..0,
        };
        for seat in seats {
            match self.view_line(View::Seat(seat), self.tree.live()) {
                Ok(line) => self.tree.note_view(seat, &line),
                Err(problem) => self.tell_problem(id, None, &problem),
            }
        }
    }

    /// What a view may see at a node: the argument of `position`.
    pub(super) fn view_line(&mut self, view: View, node: usize) -> Result<PositionLine, Problem> {
        let line = self.tree.position(node);
        let seat = match view {
            View::All => return Ok(line),
            View::Seat(seat) => seat,
            View::Table => {
                return Err(Problem::new("not-allowed", "players have secrets of each other here"));
            }
        };
        if node == self.tree.live()
            && let Some(known) = self.views.get(&view)
        {
            return Ok(known.clone());
        }
        if let Err(refusal) = self.load(&line)? {
            return Err(super::fault_of_referee(&refusal));
        }
        let seen = self.referee.view(seat)?;
        if node == self.tree.live() {
            self.views.insert(view, seen.clone());
        }
        Ok(seen)
    }

    /// Sends what a connection does not have of the tree. While the screen is covered it has none.
    fn tell_tree(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.find(id) else { return };
        let view = self.seating.view_of(connection);
        let reset = connection.tree != Some(view);
        let numbers: BTreeSet<usize> = match view {
            None => BTreeSet::new(),
            Some(_) if reset => self.tree.numbers(),
            Some(view) => self.tree.unsent(view),
        };
        if !reset && numbers.is_empty() {
            return;
        }
        let nodes = numbers.into_iter();
        let nodes = nodes.filter_map(|number| self.tree.shown(number, view?, self.seats()));
        let tree = Tree { game: self.setup.id.clone(), reset, nodes: nodes.collect() };
        connection.out.send(&Outgoing::Tree(tree));
        if let Some(connection) = self.connections.get_mut(id) {
            connection.tree = Some(view);
        }
    }

    /// What is new in the tree, to everybody.
    pub(super) fn send_unsent(&mut self) {
        let ids = self.connections.ids();
        for id in ids {
            self.tell_tree(id);
        }
        self.tree.note_sent();
    }

    fn tell_state(&self, id: ConnectionId) {
        let Some(connection) = self.connections.find(id) else { return };
        connection.out.send(&Outgoing::State(Box::new(self.state(connection))));
    }

    /// The view that a connection gets, as it is told; `None` while the screen is covered.
    fn shown_view(&self, connection: &Connection) -> Option<String> {
        Some(match self.seating.view_of(connection)? {
            View::All => "all".to_owned(),
            View::Table => "table".to_owned(),
            View::Seat(seat) => seat_name(seat),
        })
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
            secrets: self.seating.has_secrets(),
            turn: self.turn.to_string(),
            live: self.tree.live(),
            throws: self.setup.throws,
            seats: self.shown_seats(connection),
            you: self.you(connection),
            clocks: self.clocks.shown(self.running()),
            result: self.shown_result(),
            fault: self.fault.as_ref().map(|fault| SeatFault {
                seat: seat_name(fault.seat),
                engine: fault.engine.clone(),
                kind: fault.kind,
                text: fault.text.clone(),
            }),
            offer: self.offer.as_ref().map(|offer| OfferState {
                kind: match offer.what {
                    Proposal::Undo(_) => "undo",
                    Proposal::Draw => "draw",
                },
                by: seat_name(offer.by),
                wait: offer.wait.iter().map(|&seat| seat_name(seat)).collect(),
            }),
            review: self.review.as_ref().map(|review| Box::new(review.message(&self.setup.id))),
            watch: self
                .link(&self.setup.watch)
                .filter(|_| connection.is_host() && !self.setup.analysis),
            spectators: self.connections.of(Some(Guest::Spectator)).len(),
            saved: self.persistence.error().is_none(),
            saved_error: self.persistence.error().map(str::to_owned),
        }
    }

    /// What a connection is and may do now.
    fn you(&self, connection: &Connection) -> You {
        let own = self.seating.seats_of(connection);
        let host = connection.is_host();
        let view = self.seating.view_of(connection);
        let may_look = (host || !own.is_empty()) && self.may_look_ahead();
        You {
            host,
            seats: own.iter().map(|&seat| seat_name(seat)).collect(),
            view: self.shown_view(connection),
            curtain: self.seating.handover_seat(connection, self.acting_seat()).map(seat_name),
            undo: view.is_some() && self.undo_target(&own).is_some(),
            draw: self.may_offer_draw(&own),
            analyse: may_look && view.is_some(),
            variations: self.may_vary(connection),
            record: self.may_have_record(connection),
            review: view == Some(View::All)
                && self.phase() != Phase::Play
                && !self.seating.has_secrets()
                && connection.guest.is_none_or(|guest| guest != Guest::Spectator),
        }
    }

    pub(super) fn shown_result(&self) -> Option<GameResult> {
        let Ended { outcome, ending } = self.ended.as_ref()?;
        Some(GameResult {
            result: outcome.result.clone(),
            places: outcome.places.clone(),
            reason: outcome.reason.clone(),
            points: outcome.points.clone(),
            ending: if *ending == Ending::Rules { "rules" } else { "adjudication" },
            text: self.result_text(outcome),
            why: reason_text(&outcome.reason),
        })
    }

    /// Who has come first, for people.
    fn result_text(&self, outcome: &Outcome) -> String {
        let winners: Vec<String> = (0..self.seats())
            .filter(|&seat| outcome.places.get(seat) == Some(&1))
            .map(|seat| match self.player_name(seat) {
                name if name.is_empty() => seat_name(seat),
                name => format!("{} ({name})", seat_name(seat)),
            })
            .collect();
        let reason = reason_text(&outcome.reason);
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
            let Some(connection) = self.connections.find(id) else { continue };
            let node = connection.cursor.unwrap_or(self.tree.live());
            match self.seating.view_of(connection) {
                Some(view) => groups.entry((view, node)).or_default().push(id),
                None => self.show_covered(connection, node),
            }
        }
        for ((view, node), group) in groups {
            if view == View::Table {
                self.ask_table(node, &group);
                continue;
            }
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
            let Some(connection) = self.connections.find(*id) else { continue };
            let looks = connection.cursor.unwrap_or(self.tree.live()) == node;
            if !looks || self.seating.view_of(connection) != Some(view) {
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
            if let Some(connection) = self.connections.get_mut(*id) {
                connection.has_table = known;
            }
        }
    }

    pub(super) fn look(&mut self, id: ConnectionId, node: NodeName) -> Result<(), Problem> {
        let cursor = match node {
            NodeName::Live(Live::Live) => None,
            NodeName::Number(node) if self.tree.get(node).is_none() => {
                return Err(Problem::new("unknown", "no such node"));
            }
            NodeName::Number(node) => (node != self.tree.live()).then_some(node),
        };
        self.connections.look(id, cursor);
        self.know_turn(cursor.unwrap_or(self.tree.live()))?;
        self.show_positions(&[id]);
        Ok(())
    }

    /// Asks whose turn it is at a node of a loaded game.
    pub(super) fn know_turn(&mut self, node: usize) -> Result<(), Problem> {
        if self.tree.get(node).is_none_or(|node| node.turn.is_some()) {
            return Ok(());
        }
        let line = self.tree.position(node);
        if let Err(refusal) = self.load(&line)? {
            return Err(super::fault_of_referee(&refusal));
        }
        self.tree.note_turn(node, self.referee.turn());
        Ok(())
    }
}
