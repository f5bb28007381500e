//! What is not a move: the end of a game, giving up, taking back, playing on from elsewhere, and
//! playing again.

use std::collections::BTreeSet;

use super::{ConnectionId, Game, Offer, Origin, Problem};
use crate::protocol::Outcome;
use crate::runner::board::message::SeatKind;
use crate::runner::key::MatchKey;

impl Game {
    /// Ends the game: one seat is last, the others share the first place.
    pub(super) fn lose(&mut self, loser: usize, reason: &'static str) {
        self.finish(Outcome::loss(loser, self.seats(), reason), reason);
        self.changed();
    }

    pub(super) fn finish(&mut self, ended: Outcome, ending: &'static str) {
        self.ended = Some(ended);
        self.ending = ending;
        self.offer = None;
        self.stop_thinking();
        self.record();
    }

    pub(super) fn resign(&mut self, id: ConnectionId, seat: Option<&str>) -> Result<(), Problem> {
        if self.ended.is_some() || self.setup.analysis {
            return Err(Problem::new("game-over", "there is no game to give up"));
        }
        let own = self.seats_of(self.connection(id)?);
        let seat = match seat {
            Some(name) => self.require_seat(id, name)?,
            None => {
                let acting = self.acting_seat().filter(|seat| own.contains(seat));
                let Some(seat) = acting.or_else(|| own.first().copied()) else {
                    return Err(Problem::new("not-allowed", "you play no seat"));
                };
                seat
            }
        };
        self.fault = None;
        self.lose(seat, "resign");
        Ok(())
    }

    /// The node that taking back leads to for a connection: before the last decision of its own.
    pub(super) fn undo_target(&self, own: &BTreeSet<usize>) -> Option<usize> {
        if self.setup.analysis || self.ended.is_some() || own.is_empty() {
            return None;
        }
        let path = self.tree.path(self.live);
        let decides = |number: &&usize| {
            self.tree.get(**number).is_some_and(|node| {
                let is_own = node.by.is_some_and(|seat| own.contains(&seat));
                is_own && !node.thrown && node.origin != Origin::Opening
            })
        };
        let last = *path.iter().rev().find(decides)?;
        let position = path.iter().position(|&number| number == last)?;
        let after = path.get(position + 1..).unwrap_or_default();
        // What others did or the table threw may have told a secret.
        let own_only = after.iter().all(|&number| {
            self.tree
                .get(number)
                .is_some_and(|node| !node.thrown && node.by.is_some_and(|seat| own.contains(&seat)))
        });
        // Of several people at one page one may have told another.
        let alone = own.len() == 1 || !self.engines_play();
        if self.has_secrets() && !(own_only && alone) {
            return None;
        }
        self.tree.get(last)?.parent
    }

    /// Whether an engine has a seat.
    fn engines_play(&self) -> bool {
        (0..self.seats()).any(|seat| self.kind(seat) == Some(SeatKind::Engine))
    }

    pub(super) fn undo(&mut self, id: ConnectionId) -> Result<(), Problem> {
        let connection = self.connection(id)?;
        let own = self.seats_of(connection);
        let Some(target) = self.undo_target(&own) else {
            let text = match self.has_secrets() {
                true => "what followed may have told a secret, so it stays",
                false => "there is nothing of yours to take back",
            };
            return Err(Problem::new("not-allowed", text));
        };
        let by = own.first().copied().unwrap_or_default();
        // People at other pages are asked.
        let person = |seat: &usize| {
            !own.contains(seat) && self.kind(*seat).is_some_and(|kind| kind != SeatKind::Engine)
        };
        let wait: BTreeSet<usize> = (0..self.seats()).filter(person).collect();
        if wait.is_empty() {
            self.take_back(target);
            return Ok(());
        }
        self.offer = Some(Offer { by, to: target, wait });
        self.changed();
        Ok(())
    }

    fn take_back(&mut self, target: usize) {
        self.stop_thinking();
        self.fault = None;
        self.offer = None;
        self.live = target;
        self.restore_clocks();
        for connection in self.connections.values_mut() {
            connection.cursor = None;
        }
        self.advance();
    }

    pub(super) fn answer(&mut self, id: ConnectionId, yes: bool) -> Result<(), Problem> {
        let own = self.seats_of(self.connection(id)?);
        let Some(offer) = &mut self.offer else {
            return Err(Problem::new("unknown", "nothing was offered"));
        };
        let before = offer.wait.len();
        offer.wait.retain(|seat| !own.contains(seat));
        if offer.wait.len() == before {
            return Err(Problem::new("not-allowed", "you were not asked"));
        }
        let (to, agreed) = (offer.to, offer.wait.is_empty());
        match (yes, agreed) {
            (true, true) => self.take_back(to),
            (true, false) => self.changed(),
            (false, _) => {
                self.offer = None;
                self.changed();
            }
        }
        Ok(())
    }

    /// Play goes on from another node.
    pub(super) fn go_on(&mut self, id: ConnectionId, node: usize) -> Result<(), Problem> {
        self.require_host(id)?;
        if self.tree.get(node).is_none() {
            return Err(Problem::new("unknown", "no such node"));
        }
        if self.setup.analysis {
            return Err(Problem::new("not-allowed", "nobody plays here; start a game"));
        }
        if self.has_links() || self.has_secrets() {
            return Err(Problem::new("not-allowed", "others play too, or there are secrets"));
        }
        self.ended = None;
        self.ending = "rules";
        self.take_back(node);
        Ok(())
    }

    /// Starts again, with the seats moved round by one.
    pub(super) fn rematch(&mut self, id: ConnectionId) -> Result<(), Problem> {
        let connection = self.connection(id)?;
        let plays = connection.chair.is_none() || !self.seats_of(connection).is_empty();
        if !plays || self.setup.analysis {
            return Err(Problem::new("not-allowed", "you play no seat"));
        }
        if self.ended.is_none() {
            return Err(Problem::new("not-allowed", "the game is not over"));
        }
        self.setup.key = MatchKey::from_system()?;
        self.setup.seating.rotate_right(1);
        self.setup.saved = format!("{}-{}", self.setup.saved, self.round + 1);
        self.players.clear();
        self.analysts.clear();
        self.review = None;
        self.pending.clear();
        self.fresh.clear();
        self.tree = super::Tree::new();
        self.live = 0;
        self.round += 1;
        self.ended = None;
        self.ending = "rules";
        self.fault = None;
        for connection in self.connections.values_mut() {
            connection.cursor = None;
            connection.shown = None;
            connection.tree = None;
        }
        self.set_clocks()?;
        self.advance();
        Ok(())
    }
}
