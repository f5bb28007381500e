//! Who plays: the chairs, the seats they stand at, and what each connection may do.

use std::collections::BTreeSet;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{Connection, ConnectionId, Game, Problem, View};
use crate::protocol::{Turn, seat_index, seat_name};
use crate::runner::board::message::{SeatChoice, SeatKind};
use crate::runner::board::outgoing::{Closed, EngineState, Outgoing, Phase, SeatState};
use crate::runner::process::Specification;

/// One player. A chair keeps its person or engine when the seats are moved round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::runner::board) struct Chair {
    pub(in crate::runner::board) kind: SeatKind,
    pub(in crate::runner::board) name: String,
    pub(in crate::runner::board) engine: usize,
    pub(in crate::runner::board) player: Option<String>,
    pub(in crate::runner::board) movetime: Option<u64>,
    pub(in crate::runner::board) depth: Option<u32>,
    pub(in crate::runner::board) nodes: Option<u64>,
    /// What a link to this chair ends in; it is not saved.
    #[serde(skip)]
    pub(in crate::runner::board) token: String,
}

impl Chair {
    /// A chair as a page wants it, with a token for a link.
    pub(in crate::runner::board) fn new(choice: &SeatChoice, token: String) -> Self {
        Chair {
            kind: choice.kind,
            name: choice.name.clone(),
            engine: choice.engine,
            player: choice.player.clone(),
            movetime: choice.movetime,
            depth: choice.depth,
            nodes: choice.nodes,
            token,
        }
    }

    /// The person at the host's pages, or an engine as it is.
    pub(in crate::runner::board) fn plain(kind: SeatKind, token: String) -> Self {
        let name = String::new();
        let (engine, player, movetime, depth, nodes) = (0, None, None, None, None);
        Chair { kind, name, engine, player, movetime, depth, nodes, token }
    }

    /// Milliseconds a move, where that is a limit.
    pub(super) fn movetime(&self, usual: u64) -> Option<u64> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.movetime.or(unlimited.then_some(usual))
    }
}

impl Game {
    /// Completes the chairs once the number of seats is known: engines for those left out.
    pub(super) fn fill_chairs(&mut self) -> Result<()> {
        let seats = self.seats();
        if self.setup.analysis {
            self.setup.chairs.clear();
            return Ok(());
        }
        anyhow::ensure!(
            self.setup.chairs.len() <= seats,
            "there are {seats} seats, and players for {}",
            self.setup.chairs.len()
        );
        while self.setup.chairs.len() < seats {
            let token = crate::runner::board::token()?;
            self.setup.chairs.push(Chair::plain(SeatKind::Engine, token));
        }
        if self.setup.seating.len() != seats {
            self.setup.seating = (0..seats).collect();
        }
        for chair in &self.setup.chairs {
            self.check_engine(chair)?;
        }
        for index in 0..self.setup.chairs.len() {
            self.set_link(index);
        }
        Ok(())
    }

    /// Makes the token of a chair lead to it, if it is for a link.
    fn set_link(&self, index: usize) {
        let Some(chair) = self.setup.chairs.get(index) else { return };
        let token = (chair.kind == SeatKind::Link).then_some(chair.token.as_str());
        self.outside.links.set(&self.setup.id, index, token);
    }

    /// Refuses an engine that is not in the menu's entry.
    fn check_engine(&self, chair: &Chair) -> Result<()> {
        anyhow::ensure!(
            chair.kind != SeatKind::Engine || chair.engine < self.setup.entry.engines.len(),
            "there is no engine {}",
            chair.engine
        );
        Ok(())
    }

    /// Who plays a seat; `None` on a board to analyse on.
    pub(super) fn chair(&self, seat: usize) -> Option<&Chair> {
        self.setup.chairs.get(*self.setup.seating.get(seat)?)
    }

    pub(super) fn kind(&self, seat: usize) -> Option<SeatKind> {
        self.chair(seat).map(|chair| chair.kind)
    }

    /// The engine of a seat, and which of its players.
    pub(super) fn specification(&self, seat: usize) -> Option<(Specification, Option<String>)> {
        let chair = self.chair(seat).filter(|chair| chair.kind == SeatKind::Engine)?;
        let engine = self.setup.entry.engines.get(chair.engine)?.clone();
        Some((engine, chair.player.clone()))
    }

    /// The name of a seat's player for people.
    pub(super) fn player_name(&self, seat: usize) -> String {
        let Some(chair) = self.chair(seat) else { return String::new() };
        if !chair.name.is_empty() {
            return chair.name.clone();
        }
        match (chair.kind, &chair.player) {
            (SeatKind::Engine, Some(player)) if player != "engine" => player.clone(),
            (SeatKind::Engine, _) => {
                self.setup.entry.engines.get(chair.engine).map_or(String::new(), |e| e.name.clone())
            }
            _ => String::new(),
        }
    }

    /// The seats that a connection plays.
    pub(super) fn seats_of(&self, connection: &Connection) -> BTreeSet<usize> {
        let plays = |&seat: &usize| match connection.chair {
            Some(chair) => self.setup.seating.get(seat) == Some(&chair),
            None => self.kind(seat) == Some(SeatKind::Here),
        };
        (0..self.setup.seating.len()).filter(plays).collect()
    }

    /// Whether people play by link.
    pub(super) fn has_links(&self) -> bool {
        self.setup.chairs.iter().any(|chair| chair.kind == SeatKind::Link)
    }

    /// Whether nobody is helped who plays against other people: no person by link, or the game is
    /// over.
    pub(super) fn may_look_ahead(&self) -> bool {
        self.ended.is_some() || !self.has_links()
    }

    /// The view that a connection gets; `None` while the screen is covered.
    pub(super) fn view_of(&self, connection: &Connection) -> Option<View> {
        if !self.has_secrets() {
            return Some(View::All);
        }
        let seats = self.seats_of(connection);
        let mut own = seats.iter();
        match (own.next(), own.next()) {
            (Some(&seat), None) => Some(View::Seat(seat)),
            (Some(_), Some(_)) => {
                connection.shown.filter(|seat| seats.contains(seat)).map(View::Seat)
            }
            // A host who only looks on sees everything, unless people play.
            _ if connection.chair.is_none() && !self.has_links() => Some(View::All),
            _ => None,
        }
    }

    /// The seat that a connection should be asked for, while the screen is covered.
    pub(super) fn handover_seat(&self, connection: &Connection) -> Option<usize> {
        if self.view_of(connection).is_some() {
            return None;
        }
        let seats = self.seats_of(connection);
        let acting = self.acting_seat().filter(|seat| seats.contains(seat));
        acting.or_else(|| seats.first().copied())
    }

    /// The seat for which a connection may act at a node.
    pub(super) fn act_at(&self, connection: &Connection, node: usize) -> Option<usize> {
        if node != self.live || self.ended.is_some() || self.fault.is_some() {
            return None;
        }
        let seats = self.seats_of(connection);
        let seat = self.acting_seat()?;
        let real = matches!(self.turn, Turn::Chance(_))
            && self.setup.throws == crate::runner::board::message::Throws::Real;
        if real && connection.chair.is_none() {
            return Some(seat);
        }
        seats.contains(&seat).then_some(seat).filter(|&seat| match self.view_of(connection) {
            Some(View::Seat(shown)) => shown == seat,
            Some(View::All) => true,
            None => false,
        })
    }

    /// The seat that decides or throws now.
    pub(super) fn acting_seat(&self) -> Option<usize> {
        self.turn.seat()
    }

    /// Whether a connection may add variations at a node.
    pub(super) fn may_vary(&self, connection: &Connection) -> bool {
        self.phase() != Phase::Play && self.view_of(connection) == Some(View::All)
    }

    pub(super) fn connection(&self, id: ConnectionId) -> Result<&Connection, Problem> {
        self.connections.get(&id).ok_or_else(|| Problem::new("no-game", "not in this game"))
    }

    pub(super) fn require_host(&self, id: ConnectionId) -> Result<(), Problem> {
        match self.connection(id)?.chair {
            None => Ok(()),
            Some(_) => Err(Problem::new("not-allowed", "only the host may do that")),
        }
    }

    /// The seat of that name, if the connection plays it.
    pub(super) fn require_seat(&self, id: ConnectionId, name: &str) -> Result<usize, Problem> {
        let connection = self.connection(id)?;
        let seat = self.require_seat_name(name)?;
        if self.seats_of(connection).contains(&seat) {
            return Ok(seat);
        }
        Err(Problem::new("not-allowed", format!("{} is not yours", seat_name(seat))))
    }

    pub(super) fn require_seat_name(&self, name: &str) -> Result<usize, Problem> {
        let unknown = || Problem::new("unknown", format!("no seat '{}'", name.escape_debug()));
        seat_index(name, self.setup.seating.len()).ok_or_else(unknown)
    }

    /// Gives a seat to another player; also how a faulty engine is replaced.
    pub(super) fn reseat(
        &mut self,
        id: ConnectionId,
        name: &str,
        to: &SeatChoice,
    ) -> Result<(), Problem> {
        self.require_host(id)?;
        let seat = self.require_seat_name(name)?;
        let was = self.kind(seat);
        let keeps_secrets = self.has_secrets() && self.ended.is_none();
        if keeps_secrets && to.kind == SeatKind::Here && was != Some(SeatKind::Here) {
            let text = "what this seat knows is not yours to see; choose an engine or a link";
            return Err(Problem::new("not-allowed", text));
        }
        let token = match (self.chair(seat), to.kind) {
            (Some(chair), SeatKind::Link) if chair.kind == SeatKind::Link => chair.token.clone(),
            _ => crate::runner::board::token()?,
        };
        let chair = Chair::new(to, token);
        self.check_engine(&chair)?;
        let Some(&index) = self.setup.seating.get(seat) else { return Ok(()) };
        if let Some(place) = self.setup.chairs.get_mut(index) {
            *place = chair;
        }
        self.set_link(index);
        if to.kind != SeatKind::Link {
            self.turn_out(index);
        }
        self.stop_thinking();
        self.players.remove(&seat);
        self.fault = self.fault.take().filter(|fault| fault.seat != seat);
        self.offer = None;
        self.advance();
        Ok(())
    }

    /// Ends the connections of a chair that is no person's any more.
    fn turn_out(&mut self, chair: usize) {
        let gone: Vec<ConnectionId> = self
            .connections
            .iter()
            .filter(|(_, connection)| connection.chair == Some(chair))
            .map(|(&id, _)| id)
            .collect();
        for id in gone {
            if let Some(connection) = self.connections.get(&id) {
                let closed = Closed { game: self.setup.id.clone() };
                connection.out.send(&Outgoing::Closed(closed));
            }
            self.leave(id);
        }
    }

    pub(super) fn rename(
        &mut self,
        id: ConnectionId,
        seat: &str,
        name: &str,
    ) -> Result<(), Problem> {
        let seat = self.require_seat(id, seat)?;
        let Some(&index) = self.setup.seating.get(seat) else { return Ok(()) };
        if let Some(chair) = self.setup.chairs.get_mut(index) {
            chair.name = name.to_owned();
        }
        self.changed();
        Ok(())
    }

    /// Uncovers the screen for a seat.
    pub(super) fn show(&mut self, id: ConnectionId, name: &str) -> Result<(), Problem> {
        let seat = self.require_seat(id, name)?;
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.shown = Some(seat);
            connection.cursor = None;
        }
        self.refresh(id);
        Ok(())
    }

    /// Covers the screen.
    pub(super) fn hide(&mut self, id: ConnectionId) -> Result<(), Problem> {
        self.connection(id)?;
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.shown = None;
        }
        self.refresh(id);
        Ok(())
    }

    /// The seats as a connection sees them.
    pub(super) fn shown_seats(&self, connection: &Connection) -> Vec<SeatState> {
        if self.setup.analysis {
            let played = self.setup.names.iter().take(self.seats()).enumerate();
            let seat = |(seat, name): (usize, &String)| SeatState {
                seat: seat_name(seat),
                name: name.clone(),
                online: true,
                ..SeatState::default()
            };
            return played.map(seat).collect();
        }
        let own = self.seats_of(connection);
        let seat = |seat: usize| {
            let chair = self.chair(seat)?;
            let index = *self.setup.seating.get(seat)?;
            let online = match chair.kind {
                SeatKind::Engine => true,
                SeatKind::Here => self.connections.values().any(|c| c.chair.is_none()),
                SeatKind::Link => self.connections.values().any(|c| c.chair == Some(index)),
            };
            let is_link = chair.kind == SeatKind::Link && connection.chair.is_none();
            Some(SeatState {
                seat: seat_name(seat),
                kind: chair.kind.into(),
                name: self.player_name(seat),
                yours: own.contains(&seat),
                online,
                engine: (chair.kind == SeatKind::Engine).then(|| self.shown_engine(seat, chair)),
                link: is_link.then(|| format!("{}{}", self.outside.address, chair.token)),
            })
        };
        (0..self.setup.seating.len()).filter_map(seat).collect()
    }

    fn shown_engine(&self, seat: usize, chair: &Chair) -> EngineState {
        EngineState {
            engine: chair.engine,
            player: chair.player.clone(),
            thinking: self.thinking.is_some_and(|(thinker, _)| thinker == seat),
            movetime: chair.movetime(self.setup.movetime),
            depth: chair.depth,
            nodes: chair.nodes,
        }
    }
}
