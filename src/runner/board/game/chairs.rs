//! Who plays: the chairs, the seats they stand at, and whose view each page gets.

use std::collections::BTreeSet;

use anyhow::Result;

use super::connections::Connection;
use super::{ConnectionId, Game, Problem, View};
use crate::protocol::{Turn, seat_index, seat_name};
use crate::runner::board::catalogue::Entry;
use crate::runner::board::links::Guest;
use crate::runner::board::message::{Chair, SeatKind, Throws};
use crate::runner::board::outgoing::{Closed, EngineState, Outgoing, Phase, SeatState};
use crate::runner::board::worker::Strength;
use crate::runner::process::Specification;

impl Chair {
    /// The person at the host's pages, or an engine as it is.
    pub(in crate::runner::board) fn plain(kind: SeatKind, token: String) -> Self {
        let name = String::new();
        let (engine, player, movetime, depth, nodes, level) = (0, None, None, None, None, None);
        Chair { kind, name, engine, player, movetime, depth, nodes, level, token }
    }

    /// Without the token of a chair that no link leads to.
    pub(super) fn with_link_alone(&self) -> Self {
        let mut chair = self.clone();
        if chair.kind != SeatKind::Link {
            chair.token.clear();
        }
        chair
    }

    /// Milliseconds a move, where that is a limit.
    pub(super) fn movetime(&self, usual: u64) -> Option<u64> {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        self.movetime.or(unlimited.then_some(usual))
    }
}

/// Which chair stands at which seat.
pub(super) struct Seating {
    /// Nobody's on a board to analyse on.
    chairs: Vec<Chair>,
    /// The chair of each seat.
    order: Vec<usize>,
    /// Whether seats have secrets of each other.
    secrets: bool,
    /// Whether they are told: the game is over.
    revealed: bool,
    /// The chairs of people who have said that they are ready.
    pub(super) ready: BTreeSet<usize>,
}

impl Seating {
    /// Completes the chairs: engines for those left out; `order` may be empty: each in its own.
    ///
    /// # Errors
    /// More chairs than seats.
    pub(super) fn new(
        mut chairs: Vec<Chair>,
        mut order: Vec<usize>,
        seats: usize,
        secrets: bool,
    ) -> Result<Self> {
        let given = chairs.len();
        anyhow::ensure!(given <= seats, "there are {seats} seats, and players for {given}");
        while chairs.len() < seats {
            chairs.push(Chair::plain(SeatKind::Engine, crate::runner::board::token()?));
        }
        if order.is_empty() {
            order = (0..seats).collect();
        }
        let each_once = order.len() == seats && (0..seats).all(|chair| order.contains(&chair));
        anyhow::ensure!(each_once, "the seating is not of {seats} seats");
        Ok(Seating { chairs, order, ..Seating::empty(secrets) })
    }

    /// Of a board to analyse on: nobody plays.
    pub(super) fn empty(secrets: bool) -> Self {
        let (chairs, order, ready) = (Vec::new(), Vec::new(), BTreeSet::new());
        Seating { chairs, order, secrets, revealed: false, ready }
    }

    /// Tells the secrets, or keeps those of a new game.
    pub(super) fn reveal(&mut self, revealed: bool) {
        self.revealed = revealed;
    }

    pub(super) fn chairs(&self) -> &[Chair] {
        &self.chairs
    }

    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn has_secrets(&self) -> bool {
        self.secrets
    }

    /// Who plays a seat; `None` on a board to analyse on.
    pub(super) fn chair(&self, seat: usize) -> Option<&Chair> {
        self.chairs.get(*self.order.get(seat)?)
    }

    fn chair_mut(&mut self, seat: usize) -> Option<&mut Chair> {
        self.chairs.get_mut(*self.order.get(seat)?)
    }

    pub(super) fn kind(&self, seat: usize) -> Option<SeatKind> {
        self.chair(seat).map(|chair| chair.kind)
    }

    /// The seats move round by one.
    pub(super) fn rotate(&mut self) {
        self.order.rotate_right(1);
    }

    /// Engines that play at a level play at another.
    pub(super) fn set_levels(&mut self, level: u8) {
        self.chairs
            .iter_mut()
            .filter_map(|chair| chair.level.as_mut())
            .for_each(|own| *own = level);
    }

    /// The engine of a seat, and which of its players.
    pub(super) fn specification(
        &self,
        seat: usize,
        entry: &Entry,
    ) -> Option<(Specification, Strength)> {
        let chair = self.chair(seat).filter(|chair| chair.kind == SeatKind::Engine)?;
        let engine = entry.engines.get(chair.engine)?.clone();
        Some((engine, Strength { player: chair.player.clone(), level: chair.level }))
    }

    /// The name of a seat's player for people.
    pub(super) fn player_name(&self, seat: usize, entry: &Entry) -> String {
        let Some(chair) = self.chair(seat) else { return String::new() };
        if !chair.name.is_empty() {
            return chair.name.clone();
        }
        match (chair.kind, &chair.player) {
            (SeatKind::Engine, Some(player)) if player != "engine" => player.clone(),
            (SeatKind::Engine, _) => {
                entry.engines.get(chair.engine).map_or(String::new(), |e| e.name.clone())
            }
            _ => String::new(),
        }
    }

    /// The seats that a connection plays.
    pub(super) fn seats_of(&self, connection: &Connection) -> BTreeSet<usize> {
        let plays = |&seat: &usize| match connection.guest {
            Some(Guest::Chair(chair)) => self.order.get(seat) == Some(&chair),
            Some(Guest::Spectator) => false,
            None => self.kind(seat) == Some(SeatKind::Here),
        };
        (0..self.order.len()).filter(plays).collect()
    }

    /// Those who play some seats are ready.
    pub(super) fn note_ready(&mut self, seats: &BTreeSet<usize>) {
        self.ready.extend(seats.iter().filter_map(|&seat| self.order.get(seat)));
    }

    /// Whether people play by link.
    pub(super) fn has_links(&self) -> bool {
        self.chairs.iter().any(|chair| chair.kind == SeatKind::Link)
    }

    /// Whether an engine has a seat.
    pub(super) fn engines_play(&self) -> bool {
        self.chairs.iter().any(|chair| chair.kind == SeatKind::Engine)
    }

    /// The view that a connection gets; `None` while the screen is covered.
    pub(super) fn view_of(&self, connection: &Connection) -> Option<View> {
        if !self.secrets || self.revealed {
            return Some(View::All);
        }
        let seats = self.seats_of(connection);
        let mut own = seats.iter();
        match (own.next(), own.next()) {
            (Some(&seat), None) => Some(View::Seat(seat)),
            (Some(_), Some(_)) => {
                connection.shown.filter(|seat| seats.contains(seat)).map(View::Seat)
            }
            // Who only looks on sees everything, unless people play.
            _ if self.chairs.iter().all(|chair| chair.kind == SeatKind::Engine) => Some(View::All),
            _ => Some(View::Table),
        }
    }

    /// The seat that a connection should be asked for, while the screen is covered.
    pub(super) fn handover_seat(
        &self,
        connection: &Connection,
        acting: Option<usize>,
    ) -> Option<usize> {
        if self.view_of(connection).is_some() {
            return None;
        }
        let seats = self.seats_of(connection);
        acting.filter(|seat| seats.contains(seat)).or_else(|| seats.first().copied())
    }

    /// The seat of that name.
    pub(super) fn named(&self, name: &str) -> Result<usize, Problem> {
        let unknown = || Problem::new("unknown", format!("no seat '{}'", name.escape_debug()));
        seat_index(name, self.order.len()).ok_or_else(unknown)
    }

    /// The seat of that name, if the connection plays it.
    pub(super) fn own(&self, connection: &Connection, name: &str) -> Result<usize, Problem> {
        let seat = self.named(name)?;
        match self.seats_of(connection).contains(&seat) {
            true => Ok(seat),
            false => Err(Problem::new("not-allowed", format!("{} is not yours", seat_name(seat)))),
        }
    }
}

impl Game {
    /// Sits everybody down.
    pub(super) fn seat_all(&mut self) -> Result<()> {
        for chair in self.seating.chairs() {
            self.check_engine(chair)?;
        }
        for index in 0..self.seating.chairs().len() {
            self.set_link(index);
        }
        if !self.setup.analysis {
            self.outside.links.set(&self.setup.id, Guest::Spectator, Some(&self.setup.watch));
        }
        Ok(())
    }

    /// A person sits down at a seat of a game that was only looked at, engines at all others.
    pub(super) fn sit_down(&mut self, seat: usize, level: Option<u8>) -> Result<()> {
        let chair = |at| {
            let token = crate::runner::board::token()?;
            Ok(match at == seat {
                true => Chair::plain(SeatKind::Here, token),
                false => Chair { level, ..Chair::plain(SeatKind::Engine, token) },
            })
        };
        let chairs = (0..self.seats()).map(chair).collect::<Result<_>>()?;
        let secrets = self.seating.has_secrets();
        self.seating = Seating::new(chairs, Vec::new(), self.seats(), secrets)?;
        self.setup.analysis = false;
        self.seat_all()
    }

    /// Whether somebody is there who plays a chair.
    fn is_present(&self, index: usize) -> bool {
        match self.seating.chairs().get(index).map(|chair| chair.kind) {
            Some(SeatKind::Here) => !self.connections.of(None).is_empty(),
            Some(SeatKind::Link) => !self.connections.of(Some(Guest::Chair(index))).is_empty(),
            Some(SeatKind::Engine) => true,
            None => false,
        }
    }

    /// Who has gone is not ready.
    pub(super) fn note_absent(&mut self) {
        let ready = std::mem::take(&mut self.seating.ready);
        self.seating.ready = ready.into_iter().filter(|&chair| self.is_present(chair)).collect();
    }

    /// Makes the token of a chair lead to it, if it is for a link.
    fn set_link(&self, index: usize) {
        let Some(chair) = self.seating.chairs().get(index) else { return };
        let token = (chair.kind == SeatKind::Link).then_some(chair.token.as_str());
        self.outside.links.set(&self.setup.id, Guest::Chair(index), token);
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

    /// The name of a seat's player for people.
    pub(super) fn player_name(&self, seat: usize) -> String {
        self.seating.player_name(seat, &self.setup.entry)
    }

    /// Whether nobody is helped who plays against other people: no person by link, or the game is
    /// over.
    pub(super) fn may_look_ahead(&self) -> bool {
        self.ended.is_some() || !self.seating.has_links()
    }

    /// The seat for which a connection may act at a node.
    pub(super) fn act_at(&self, connection: &Connection, node: usize) -> Option<usize> {
        if node != self.tree.live() || self.ended.is_some() || self.fault.is_some() {
            return None;
        }
        let seats = self.seating.seats_of(connection);
        let seat = self.acting_seat()?;
        let real = matches!(self.turn, Turn::Chance(_)) && self.setup.throws == Throws::Real;
        if real && connection.is_host() {
            return Some(seat);
        }
        seats.contains(&seat).then_some(seat).filter(|&seat| {
            match self.seating.view_of(connection) {
                Some(View::Seat(shown)) => shown == seat,
                Some(View::All) => true,
                Some(View::Table) | None => false,
            }
        })
    }

    /// The seat that decides or throws now.
    pub(super) fn acting_seat(&self) -> Option<usize> {
        self.turn.seat()
    }

    /// Whether a connection may add variations at a node.
    pub(super) fn may_vary(&self, connection: &Connection) -> bool {
        let spectates = connection.guest == Some(Guest::Spectator);
        let sees = self.seating.view_of(connection) == Some(View::All);
        self.phase() != Phase::Play && sees && !spectates
    }

    /// Gives a seat to another player; also how a faulty engine is replaced.
    pub(super) fn reseat(
        &mut self,
        id: ConnectionId,
        name: &str,
        to: &Chair,
    ) -> Result<(), Problem> {
        self.connections.require_host(id)?;
        let seat = self.seating.named(name)?;
        let was = self.seating.kind(seat);
        let keeps_secrets = self.seating.has_secrets() && self.ended.is_none();
        if keeps_secrets && to.kind == SeatKind::Here && was != Some(SeatKind::Here) {
            let text = "what this seat knows is not yours to see; choose an engine or a link";
            return Err(Problem::new("not-allowed", text));
        }
        let token = match (self.seating.chair(seat), to.kind) {
            (Some(chair), SeatKind::Link) if chair.kind == SeatKind::Link => chair.token.clone(),
            _ => crate::runner::board::token()?,
        };
        let chair = Chair { token, ..to.clone() };
        self.check_engine(&chair)?;
        let Some(&index) = self.seating.order().get(seat) else { return Ok(()) };
        if let Some(place) = self.seating.chair_mut(seat) {
            *place = chair;
        }
        self.set_link(index);
        if to.kind != SeatKind::Link {
            self.turn_out(index);
        }
        self.players.stop();
        self.players.remove(seat);
        self.fault = self.fault.take().filter(|fault| fault.seat != seat);
        self.offer = None;
        self.advance();
        Ok(())
    }

    /// Ends the connections of a chair that is no person's any more.
    fn turn_out(&mut self, chair: usize) {
        for id in self.connections.of(Some(Guest::Chair(chair))) {
            let closed = Closed { game: self.setup.id.clone() };
            self.connections.send(id, &Outgoing::Closed(closed));
            self.leave(id);
        }
    }

    pub(super) fn rename(
        &mut self,
        id: ConnectionId,
        seat: &str,
        name: &str,
    ) -> Result<(), Problem> {
        let seat = self.seating.own(self.connections.get(id)?, seat)?;
        if let Some(chair) = self.seating.chair_mut(seat) {
            chair.name = name.to_owned();
        }
        self.changed();
        Ok(())
    }

    /// Uncovers the screen for a seat: a covered one, and for whoever is to act if that is one of
    /// those who share it.
    pub(super) fn show(&mut self, id: ConnectionId, name: &str) -> Result<(), Problem> {
        let connection = self.connections.get(id)?;
        let seat = self.seating.own(connection, name)?;
        let own = self.seating.seats_of(connection);
        let awaited = connection.shown.or(self.acting_seat()).filter(|seat| own.contains(seat));
        if self.seating.has_secrets() && awaited.is_some_and(|awaited| awaited != seat) {
            let text = match connection.shown {
                Some(_) => "the screen shows what another seat may see: cover it first",
                None => "the screen waits for the seat that is to act",
            };
            return Err(Problem::new("not-allowed", text));
        }
        self.connections.show(id, Some(seat));
        self.refresh(id);
        Ok(())
    }

    /// Covers the screen.
    pub(super) fn hide(&mut self, id: ConnectionId) -> Result<(), Problem> {
        self.connections.get(id)?;
        self.connections.show(id, None);
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
        let own = self.seating.seats_of(connection);
        let seat = |(seat, &index): (usize, &usize)| {
            let chair = self.seating.chair(seat)?;
            let is_link = chair.kind == SeatKind::Link && connection.is_host();
            Some(SeatState {
                seat: seat_name(seat),
                kind: chair.kind.into(),
                name: self.player_name(seat),
                yours: own.contains(&seat),
                online: self.is_present(index),
                ready: self.seating.ready.contains(&index),
                engine: (chair.kind == SeatKind::Engine).then(|| self.shown_engine(seat, chair)),
                link: self.link(&chair.token).filter(|_| is_link),
            })
        };
        self.seating.order().iter().enumerate().filter_map(seat).collect()
    }

    /// The address of a link, where somebody can come by one.
    pub(super) fn link(&self, token: &str) -> Option<String> {
        self.outside.address.as_ref().map(|address| format!("{address}{token}"))
    }

    fn shown_engine(&self, seat: usize, chair: &Chair) -> EngineState {
        EngineState {
            engine: chair.engine,
            player: chair.player.clone(),
            level: chair.level,
            thinking: self.players.thinking() == Some(seat),
            movetime: chair.movetime(self.setup.movetime),
            depth: chair.depth,
            nodes: chair.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::board::outbox::Outbox;

    fn seating(kinds: &[SeatKind], seats: usize, secrets: bool) -> Seating {
        let chair = |kind: &SeatKind| Chair::plain(*kind, String::new());
        Seating::new(kinds.iter().map(chair).collect(), Vec::new(), seats, secrets).unwrap()
    }

    fn page(chair: Option<usize>, shown: Option<usize>) -> Connection {
        Connection { shown, ..Connection::new(Outbox::new(drop), chair.map(Guest::Chair)) }
    }

    #[test]
    fn seats_without_a_player_get_an_engine_and_chairs_move_round() {
        let mut seating = seating(&[SeatKind::Here], 3, false);
        let engine = Some(SeatKind::Engine);
        assert_eq!([0, 1, 2].map(|s| seating.kind(s)), [Some(SeatKind::Here), engine, engine]);
        assert_eq!(seating.seats_of(&page(None, None)), BTreeSet::from([0]));
        seating.rotate();
        assert_eq!(seating.seats_of(&page(None, None)), BTreeSet::from([1]));
        assert!(seating.named("p4").is_err() && seating.own(&page(None, None), "p1").is_err());
        let chairs = vec![Chair::plain(SeatKind::Here, String::new()); 3];
        assert!(Seating::new(chairs, Vec::new(), 2, false).is_err());
    }

    #[test]
    fn an_engine_without_another_limit_has_the_usual_time() {
        let chair = Chair::plain(SeatKind::Engine, String::new());
        let (depth, nodes, movetime) = (Some(3), Some(500), Some(20));
        let limited = [
            chair.clone(),
            Chair { depth, ..chair.clone() },
            Chair { nodes, ..chair.clone() },
            Chair { depth, movetime, ..chair },
        ];
        assert_eq!(limited.map(|chair| chair.movetime(1000)), [Some(1000), None, None, Some(20)]);
    }

    #[test]
    fn with_secrets_nobody_gets_the_view_of_another_seat() {
        use SeatKind::{Engine, Here, Link};
        let view = |kinds: &[SeatKind], secrets, chair, shown| {
            let seating = seating(kinds, 2, secrets);
            seating.view_of(&page(chair, shown))
        };
        assert_eq!(view(&[Here, Here], false, None, None), Some(View::All));
        assert_eq!(view(&[Here, Engine], true, None, None), Some(View::Seat(0)));
        assert_eq!(view(&[Here, Link], true, None, Some(1)), Some(View::Seat(0)));
        assert_eq!(view(&[Here, Link], true, Some(1), Some(0)), Some(View::Seat(1)));
        // Two people at one page: the one who has asked.
        assert_eq!(view(&[Here, Here], true, None, None), None);
        assert_eq!(view(&[Here, Here], true, None, Some(1)), Some(View::Seat(1)));
        // Who only looks on sees engines play, and of people what all may see.
        assert_eq!(view(&[Engine, Engine], true, None, None), Some(View::All));
        assert_eq!(view(&[Link, Engine], true, None, None), Some(View::Table));
        let spectator = Connection::new(Outbox::new(drop), Some(Guest::Spectator));
        let of = |kinds: &[SeatKind], secrets| seating(kinds, 2, secrets).view_of(&spectator);
        assert_eq!(of(&[Here, Engine], true), Some(View::Table));
        assert_eq!(of(&[Here, Here], false), Some(View::All));
        let mut over = seating(&[Here, Link], 2, true);
        over.reveal(true);
        assert_eq!(over.view_of(&spectator), Some(View::All));
        let seating = seating(&[Here, Here], 2, true);
        assert_eq!(seating.handover_seat(&page(None, None), Some(1)), Some(1));
        assert_eq!(seating.handover_seat(&page(None, Some(0)), Some(1)), None);
    }
}
