//! The pages that look at a game: who they are, what they look at, and what they have been sent.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{ConnectionId, Outbox, Problem, View};
use crate::platform::Instant;
use crate::runner::board::links::Guest;
use crate::runner::board::outgoing::Outgoing;

/// A page.
pub(super) struct Connection {
    pub(super) out: Outbox,
    /// Who came by a link; `None`: a host.
    pub(super) guest: Option<Guest>,
    /// The node it looks at; `None`: the live one.
    pub(super) cursor: Option<usize>,
    /// The seat whose view was asked for, where people share a screen.
    pub(super) shown: Option<usize>,
    /// The view whose tree it has.
    pub(super) tree: Option<Option<View>>,
    pub(super) has_table: bool,
}

impl Connection {
    pub(super) fn new(out: Outbox, guest: Option<Guest>) -> Self {
        Connection { out, guest, cursor: None, shown: None, tree: None, has_table: false }
    }

    /// Whether it may do everything.
    pub(super) fn is_host(&self) -> bool {
        self.guest.is_none()
    }
}

/// All pages of a game.
pub(super) struct Connections {
    all: BTreeMap<ConnectionId, Connection>,
    /// When somebody was last here.
    watched: Instant,
}

impl Connections {
    pub(super) fn new() -> Self {
        Connections { all: BTreeMap::new(), watched: Instant::now() }
    }

    pub(super) fn join(&mut self, id: ConnectionId, connection: Connection) {
        self.all.insert(id, connection);
    }

    /// Whether it was there.
    pub(super) fn leave(&mut self, id: ConnectionId) -> bool {
        self.watched = Instant::now();
        self.all.remove(&id).is_some()
    }

    pub(super) fn ids(&self) -> Vec<ConnectionId> {
        self.all.keys().copied().collect()
    }

    pub(super) fn find(&self, id: ConnectionId) -> Option<&Connection> {
        self.all.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.all.get_mut(&id)
    }

    pub(super) fn get(&self, id: ConnectionId) -> Result<&Connection, Problem> {
        self.find(id).ok_or_else(|| Problem::new("no-game", "not in this game"))
    }

    pub(super) fn require_host(&self, id: ConnectionId) -> Result<(), Problem> {
        match self.get(id)?.is_host() {
            true => Ok(()),
            false => Err(Problem::new("not-allowed", "only the host may do that")),
        }
    }

    /// The pages of a link; of hosts without one.
    pub(super) fn of(&self, guest: Option<Guest>) -> Vec<ConnectionId> {
        let own = self.all.iter().filter(|(_, connection)| connection.guest == guest);
        own.map(|(&id, _)| id).collect()
    }

    pub(super) fn send(&self, id: ConnectionId, message: &Outgoing) {
        self.answer(id, None, message);
    }

    /// Sends an answer with the number of its message.
    pub(super) fn answer(&self, id: ConnectionId, message: Option<u64>, answer: &Outgoing) {
        if let Some(connection) = self.find(id) {
            connection.out.answer(message, answer);
        }
    }

    pub(super) fn send_all(&self, message: &Outgoing) {
        for connection in self.all.values() {
            connection.out.send(message);
        }
    }

    /// A page looks at a node; `None`: at the live one, whichever it is.
    pub(super) fn look(&mut self, id: ConnectionId, cursor: Option<usize>) {
        if let Some(connection) = self.all.get_mut(&id) {
            connection.cursor = cursor;
        }
    }

    /// Uncovers a shared screen for a seat; `None` covers it.
    pub(super) fn show(&mut self, id: ConnectionId, seat: Option<usize>) {
        if let Some(connection) = self.all.get_mut(&id) {
            connection.shown = seat;
            connection.cursor = connection.cursor.filter(|_| seat.is_none());
        }
    }

    /// All look at the live node.
    pub(super) fn all_look_at_live(&mut self) {
        for connection in self.all.values_mut() {
            connection.cursor = None;
        }
    }

    /// Another game begins: nobody has anything of it, and shared screens are covered.
    pub(super) fn restart(&mut self) {
        for connection in self.all.values_mut() {
            (connection.cursor, connection.shown, connection.tree) = (None, None, None);
        }
    }

    /// For how long nobody has been here.
    pub(super) fn idle(&self) -> Duration {
        if self.all.is_empty() { self.watched.elapsed() } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_look_and_go() {
        let mut pages = Connections::new();
        let page = |guest| Connection::new(Outbox::new(drop), guest);
        pages.join(1, page(None));
        let guest = Some(Guest::Chair(1));
        pages.join(2, page(guest));
        assert_eq!((pages.of(None), pages.of(guest)), (vec![1], vec![2]));
        assert!(pages.require_host(1).is_ok());
        assert_eq!(pages.require_host(2).unwrap_err().code, "not-allowed");
        assert_eq!(pages.require_host(3).unwrap_err().code, "no-game");
        pages.look(1, Some(7));
        pages.show(1, None);
        assert_eq!(pages.find(1).unwrap().cursor, Some(7));
        // Who takes over a shared screen looks at the game, and not at what was looked at before.
        pages.show(1, Some(0));
        assert_eq!(pages.find(1).unwrap().cursor, None);
        pages.restart();
        assert_eq!(pages.find(1).unwrap().shown, None);
        assert_eq!(pages.idle(), Duration::ZERO);
        assert!(pages.leave(1) && pages.leave(2) && !pages.leave(2));
        std::thread::sleep(Duration::from_millis(1));
        assert!(pages.idle() > Duration::ZERO);
    }
}
