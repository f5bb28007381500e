//! What is not a move: the end of a game, giving up, taking back, playing on from elsewhere, and
//! playing again.

use std::collections::BTreeSet;

use super::analysis::Analysis;
use super::clocks::Clocks;
use super::engines::Players;
use super::{ConnectionId, Ended, Game, Offer, Problem, Proposal, Tree};
use crate::platform::milliseconds_since_1970;
use crate::protocol::{Outcome, Turn, seat_name};
use crate::runner::board::message::{Phrase, SeatKind};
use crate::runner::board::outgoing::{Outgoing, Phase, Said};
use crate::runner::key::MatchKey;
use crate::runner::tournament::record::Ending;

impl Game {
    /// Ends the game: one seat is last, the others share the first place.
    pub(super) fn lose(&mut self, loser: usize, reason: &'static str) {
        self.finish(Outcome::loss(loser, self.seats(), reason), Ending::Adjudication);
        self.changed();
    }

    pub(super) fn finish(&mut self, outcome: Outcome, ending: Ending) {
        self.ended = Some(Ended { outcome, ending });
        self.when = milliseconds_since_1970();
        self.offer = None;
        self.seating.reveal(true);
        // Their engines are started again if play goes on.
        self.players = Players::default();
        self.record();
    }

    pub(super) fn resign(&mut self, id: ConnectionId, seat: Option<&str>) -> Result<(), Problem> {
        if self.ended.is_some() || self.setup.analysis {
            return Err(Problem::new("game-over", "there is no game to give up"));
        }
        let own = self.seating.seats_of(self.connections.get(id)?);
        let seat = match seat {
            Some(name) => self.seating.own(self.connections.get(id)?, name)?,
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

    /// The node that taking back leads to for those who play some seats.
    pub(super) fn undo_target(&self, own: &BTreeSet<usize>) -> Option<usize> {
        if self.setup.analysis || self.ended.is_some() {
            return None;
        }
        let alone = own.len() == 1 || !self.seating.engines_play();
        self.tree.undo_target(own, self.seating.has_secrets(), alone)
    }

    pub(super) fn undo(&mut self, id: ConnectionId) -> Result<(), Problem> {
        let connection = self.connections.get(id)?;
        if self.seating.view_of(connection).is_none() {
            return Err(Problem::new("not-allowed", "the screen is covered"));
        }
        let own = self.seating.seats_of(connection);
        let Some(target) = self.undo_target(&own) else {
            let text = match self.seating.has_secrets() {
                true => "what followed may have told a secret, so it stays",
                false => "there is nothing of yours to take back",
            };
            return Err(Problem::new("not-allowed", text));
        };
        let by = own.first().copied().unwrap_or_default();
        // People at other pages are asked.
        let wait = self.others_than(&own);
        if wait.is_empty() {
            self.take_back(target);
            return Ok(());
        }
        self.offer = Some(Offer { by, what: Proposal::Undo(target), wait });
        self.changed();
        Ok(())
    }

    /// The seats of other people.
    fn others_than(&self, own: &BTreeSet<usize>) -> BTreeSet<usize> {
        let person = |seat: &usize| {
            !own.contains(seat)
                && self.seating.kind(*seat).is_some_and(|kind| kind != SeatKind::Engine)
        };
        (0..self.seats()).filter(person).collect()
    }

    /// Whether those who play some seats may offer a draw: to people, who can refuse it. At one
    /// screen they agree without the page.
    pub(super) fn may_offer_draw(&self, own: &BTreeSet<usize>) -> bool {
        let plays = !own.is_empty() && self.phase() == Phase::Play;
        plays
            && (own.len() > 1 || !self.others_than(own).is_empty())
            && !self.seating.engines_play()
    }

    pub(super) fn offer_draw(&mut self, id: ConnectionId) -> Result<(), Problem> {
        let own = self.seating.seats_of(self.connections.get(id)?);
        if !self.may_offer_draw(&own) {
            return Err(Problem::new("not-allowed", "there is nobody to agree to a draw"));
        }
        let (by, wait) = (own.first().copied().unwrap_or_default(), self.others_than(&own));
        if wait.is_empty() {
            self.agree_draw();
        } else {
            self.offer = Some(Offer { by, what: Proposal::Draw, wait });
            self.changed();
        }
        Ok(())
    }

    fn agree_draw(&mut self) {
        self.players.stop();
        let places = vec![1; self.seats()];
        self.finish(Outcome::of_places(places, "agreed"), Ending::Adjudication);
        self.changed();
    }

    /// Tells everybody one of the set phrases.
    pub(super) fn say(&mut self, id: ConnectionId, phrase: Phrase) -> Result<(), Problem> {
        let seats = self.seating.seats_of(self.connections.get(id)?);
        let by = seats.iter().map(|&seat| seat_name(seat)).collect();
        self.connections.send_all(&Outgoing::Said(Said {
            game: self.setup.id.clone(),
            by,
            phrase,
        }));
        if phrase == Phrase::Ready {
            self.seating.note_ready(&seats);
            self.tell_states();
        }
        Ok(())
    }

    fn take_back(&mut self, target: usize) {
        self.players.stop();
        self.fault = None;
        self.offer = None;
        self.tree.set_live(target);
        self.when = milliseconds_since_1970();
        if let Some(node) = self.tree.get(target) {
            self.clocks.restore(&node.clocks);
        }
        self.connections.all_look_at_live();
        self.advance();
    }

    pub(super) fn answer(&mut self, id: ConnectionId, yes: bool) -> Result<(), Problem> {
        let own = self.seating.seats_of(self.connections.get(id)?);
        let Some(offer) = &mut self.offer else {
            return Err(Problem::new("unknown", "nothing was offered"));
        };
        let before = offer.wait.len();
        offer.wait.retain(|seat| !own.contains(seat));
        if offer.wait.len() == before {
            return Err(Problem::new("not-allowed", "you were not asked"));
        }
        let (what, agreed) = (offer.what, offer.wait.is_empty());
        match (yes, agreed) {
            (true, true) => match what {
                Proposal::Undo(to) => self.take_back(to),
                Proposal::Draw => self.agree_draw(),
            },
            (true, false) => self.changed(),
            (false, _) => {
                self.offer = None;
                self.changed();
            }
        }
        Ok(())
    }

    /// Play goes on from another node. What was only looked at is played from there: by a person who
    /// is to act, against engines.
    pub(super) fn go_on(
        &mut self,
        id: ConnectionId,
        node: usize,
        level: Option<u8>,
    ) -> Result<(), Problem> {
        self.connections.require_host(id)?;
        if self.tree.get(node).is_none() {
            return Err(Problem::new("unknown", "no such node"));
        }
        if self.seating.has_links() || self.seating.has_secrets() {
            return Err(Problem::new("not-allowed", "others play too, or there are secrets"));
        }
        if self.setup.analysis {
            self.know_turn(node)?;
            let Some(seat) = self.tree.turn(node).and_then(Turn::seat) else {
                return Err(Problem::new("game-over", "nobody is to act there"));
            };
            self.sit_down(seat, level)?;
        }
        self.ended = None;
        self.seating.reveal(false);
        self.take_back(node);
        Ok(())
    }

    /// Starts again, with the seats moved round by one; engines that have a level may get another.
    pub(super) fn rematch(&mut self, id: ConnectionId, level: Option<u8>) -> Result<(), Problem> {
        let connection = self.connections.get(id)?;
        let plays = connection.is_host() || !self.seating.seats_of(connection).is_empty();
        if !plays || self.setup.analysis {
            return Err(Problem::new("not-allowed", "you play no seat"));
        }
        if self.ended.is_none() {
            return Err(Problem::new("not-allowed", "the game is not over"));
        }
        self.setup.key = MatchKey::from_system()?;
        self.seating.rotate();
        self.seating.ready.clear();
        if let Some(level) = level {
            self.seating.set_levels(level);
        }
        self.round += 1;
        self.when = milliseconds_since_1970();
        self.persistence.next_round(self.round);
        self.players = Players::default();
        self.analysis = Analysis::default();
        self.review = None;
        self.viewers.forget();
        self.tree = Tree::new(&self.setup.start);
        self.ended = None;
        self.seating.reveal(false);
        self.fault = None;
        self.connections.restart();
        self.clocks = Clocks::new(self.setup.tc.as_deref(), self.seats(), &[])?;
        self.tree.note_clocks(self.clocks.all());
        self.advance();
        Ok(())
    }
}
