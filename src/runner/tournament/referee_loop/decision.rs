//! What a seat decides: the view it is sent, its search, the move it plays.

use std::time::Duration;

use super::RefereedGame;
use crate::printing::printable;
use crate::protocol::{Dialect, Score, Turn};
use crate::runner::process::{Clock, Fault, FaultKind, Legality, NO_MOVE, SearchResult, interrupt};
use crate::runner::referee::is_token;
use crate::runner::tournament::officials::Abort;
use crate::runner::tournament::record::{Move, Origin, Record};

impl RefereedGame<'_> {
    /// Lets a seat decide; the record if that ended the game.
    pub(super) fn decide(&mut self, index: usize) -> Result<Option<Record>, Abort> {
        let substituted = self.seats.get(index).is_none_or(|seat| seat.substituted);
        if substituted {
            self.random_move(index, Origin::Substitute)?;
            return Ok(None);
        }
        let position = self.view(index)?;
        let found = match self.search(index, &position) {
            Ok(found) => found,
            Err(_) if interrupt::stopping_now() => return Err(Abort::Stopped),
            Err(fault) => return Ok(self.fault(index, fault)),
        };
        if let Some(clock) = self.clocks.get_mut(index) {
            clock.spend(found.elapsed);
        }
        let ponder = found.ponder.clone();
        if let Some(record) = self.submit(index, &found)? {
            return Ok(Some(record));
        }
        if let Some(reply) = ponder {
            self.start_pondering(index, reply)?;
        }
        Ok(None)
    }

    /// The `position` line for a seat, with only what it may see.
    pub(super) fn view(&mut self, index: usize) -> Result<String, Abort> {
        if !self.setup.trial.referee.secrets {
            return Ok(self.position());
        }
        Ok(format!("position {}", self.referee.view(index)?))
    }

    fn go(&self, index: usize, ponder: bool) -> (String, Duration) {
        let engine = self.engine(index);
        let dialect = engine.map_or(Dialect::Ugi, |engine| engine.dialect);
        let Some(clock) = self.clocks.get(index) else {
            return ("go".to_owned(), self.setup.plan.games.move_timeout);
        };
        let allowance = clock.allowance().unwrap_or(self.setup.plan.games.move_timeout);
        (clock.go(&self.clocks, dialect, ponder), allowance)
    }

    fn search(&mut self, index: usize, position: &str) -> Result<SearchResult, Fault> {
        let (go, allowance) = self.go(index, false);
        let count = self.moves.len();
        let last = self.moves.last().map(|m| m.token.as_str());
        let Some(seat) = self.seats.get_mut(index) else { return Err(empty_seat()) };
        let Some(client) = &mut seat.client else { return Err(empty_seat()) };
        if let Some((reply, after)) = seat.pondering.take() {
            if after == count && last == Some(reply.as_str()) {
                return client.ponder_hit(allowance);
            }
            client.ponder_miss()?;
        }
        client.search(position, &go, allowance)
    }

    /// Plays the move that a search found, if the referee allows it; the record if that ended the
    /// game.
    fn submit(&mut self, index: usize, found: &SearchResult) -> Result<Option<Record>, Abort> {
        let token = &found.token;
        if !is_token(token) {
            let detail = format!("'{}' is not a move", printable(token, 40));
            return Ok(self.move_fault(index, FaultKind::MalformedMove, detail));
        }
        let score = self.score_of_adjudicator()?;
        match self.referee.play(token)? {
            Err(_) if NO_MOVE.contains(&token.as_str()) => Ok(self.no_move(index)?),
            Err(objection) => self.refuse(index, token, &objection),
            Ok(()) => {
                let m = Move::found(index, found);
                self.adjudicator.note(index, if self.scorer.is_some() { score } else { m.cp });
                self.moves.push(m);
                Ok(None)
            }
        }
    }

    /// What the adjudicator, if there is one, says of the position for the seat that decides.
    fn score_of_adjudicator(&mut self) -> Result<Option<i32>, Abort> {
        let Some(specification) = &self.setup.plan.adjudicator else { return Ok(None) };
        let position = self.position();
        let allowance = self.setup.plan.games.move_timeout;
        let Some(scorer) = &mut self.scorer else { return Ok(None) };
        let clock = Clock::new(specification.limits.clone());
        let go = clock.go(&[], specification.dialect, false);
        let found = scorer.search(&position, &go, allowance).map_err(Abort::Adjudicator)?;
        Ok(found.info.and_then(|info| info.score).map(Score::centipawns))
    }

    /// An engine sees no move where the referee sees one.
    fn no_move(&mut self, index: usize) -> Result<Option<Record>, Abort> {
        let detail = "sees no move where the referee sees one".to_owned();
        let record = self.move_fault(index, FaultKind::Disagreement, detail);
        if record.is_none() {
            self.referee.restore()?;
        }
        Ok(record)
    }

    /// A move that the referee objects to is a fault.
    fn refuse(
        &mut self,
        index: usize,
        token: &str,
        objection: &str,
    ) -> Result<Option<Record>, Abort> {
        let kind = if objection.starts_with("bad-move") {
            FaultKind::MalformedMove
        } else {
            FaultKind::IllegalMove
        };
        let detail = format!("{}: {objection}", printable(token, 40));
        let record = self.move_fault(index, kind, detail);
        if record.is_none() {
            self.referee.restore()?;
        }
        Ok(record)
    }

    /// A fault in the move that a seat was asked for.
    fn move_fault(&mut self, index: usize, kind: FaultKind, detail: String) -> Option<Record> {
        let (go, _) = self.go(index, false);
        self.seat_fault(index, kind, detail, &go)
    }

    fn start_pondering(&mut self, index: usize, reply: String) -> Result<(), Abort> {
        let engine = self.engine(index);
        let wanted = engine.is_some_and(|engine| engine.ponder && engine.dialect == Dialect::Uci);
        let other = matches!(self.referee.turn(), Turn::Seat(seat) if seat != index);
        let known = self.referee.abilities().legality != Legality::Unknown;
        if !wanted || !other || !known || !is_token(&reply) || !self.referee.is_legal(&reply)? {
            return Ok(());
        }
        let position = format!("position {}", self.referee.line().with(&reply));
        let (go, _) = self.go(index, true);
        let count = self.moves.len() + 1;
        let Some(seat) = self.seats.get_mut(index) else { return Ok(()) };
        let Some(client) = &mut seat.client else { return Ok(()) };
        // After a fault here, the next search of this seat reports one.
        if client.ponder(&position, &go).is_ok() {
            seat.pondering = Some((reply, count));
        }
        Ok(())
    }

    pub(super) fn finish_pondering(&mut self) {
        for seat in &mut self.seats {
            if seat.pondering.take().is_some()
                && seat.client.as_mut().is_some_and(|client| client.ponder_miss().is_err())
            {
                seat.client = None;
            }
        }
    }
}

pub(super) fn empty_seat() -> Fault {
    Fault {
        kind: FaultKind::NoHandshake,
        detail: "there is no process in this seat".to_owned(),
        position: String::new(),
        command: String::new(),
    }
}
