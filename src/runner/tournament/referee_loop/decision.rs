//! What a seat decides: the view it is sent, its search, the move it plays.

use std::time::Duration;

use super::{RefereedGame, Turn, is_word};
use crate::protocol::Dialect;
use crate::protocol::Score;
use crate::random::splitmix64;
use crate::runner::process::{Fault, FaultKind, Thought, interrupt, printable};
use crate::runner::tournament::record::{Move, Origin, Record};
use crate::runner::tournament::slot::Abort;

impl RefereedGame<'_> {
    /// Lets a seat decide; the record if that ended the game.
    pub(super) fn decide(&mut self, index: usize) -> Result<Option<Record>, Abort> {
        let substituted = self.seats.get(index).is_none_or(|seat| seat.substituted);
        if substituted {
            let seed = splitmix64(self.seed.wrapping_add(self.moves.len() as u64));
            self.random_move(index, seed, Origin::Substitute)?;
            return Ok(None);
        }
        let position = self.view(index)?;
        let thought = match self.think(index, &position) {
            Ok(thought) => thought,
            Err(_) if interrupt::stopping_now() => return Err(Abort::Stopped),
            Err(fault) => return Ok(self.fault(index, fault)),
        };
        if let Some(clock) = self.clocks.get_mut(index) {
            clock.spend(thought.elapsed);
        }
        let ponder = thought.ponder.clone();
        if let Some(record) = self.submit(index, thought)? {
            return Ok(Some(record));
        }
        if let Some(reply) = ponder {
            self.start_pondering(index, reply)?;
        }
        Ok(None)
    }

    /// The `position` line for a seat: what it may see and no more.
    pub(super) fn view(&mut self, index: usize) -> Result<String, Abort> {
        if !self.setup.trial.referee.views {
            return Ok(self.position_line());
        }
        let query = format!("view p{}", index + 1);
        match self.referee.query(&query)? {
            Ok(view) if view.starts_with("startpos") || view.starts_with("fen ") => {
                Ok(format!("position {view}"))
            }
            answer => Err(self.confused(&query, &answer)),
        }
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

    fn think(&mut self, index: usize, position: &str) -> Result<Thought, Fault> {
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
        client.think(position, &go, allowance)
    }

    /// Puts a move before the referee.
    fn submit(&mut self, index: usize, thought: Thought) -> Result<Option<Record>, Abort> {
        let token = thought.token;
        let (go, _) = self.go(index, false);
        if !is_word(&token) || token.len() > 4096 {
            let detail = format!("'{}' is no move", printable(&token, 40));
            return Ok(self.seat_fault(index, FaultKind::MalformedMove, detail, &go));
        }
        let lines = if self.setup.trial.referee.turn {
            format!("moves {token}\n")
        } else {
            format!("{} {token}\n", self.position_line_for_next())
        };
        let turn = self.turn_query();
        let legality = format!("islegal {token}");
        let state = [(lines.as_str(), turn), ("", "gameover"), ("", "result")];
        let (legal, [turn, over, result], refusal) = if self.setup.trial.referee.legality {
            let [first, second, third] = state;
            let ([legal, turn, over, result], refusal) =
                self.referee.ask([("", &legality), first, second, third])?;
            (Some(legal), [turn, over, result], refusal)
        } else {
            let (answers, refusal) = self.referee.ask(state)?;
            (None, answers, refusal)
        };
        let illegal = match (&legal, &refusal) {
            (Some(Ok(answer)), None) => answer != "true",
            (Some(Err(_)), _) | (_, Some(_)) => true,
            (None, None) => false,
        };
        if illegal {
            let objection = match (legal, refusal) {
                (_, Some(error)) | (Some(Err(error)), None) => error,
                _ => "illegal-move islegal is false".to_owned(),
            };
            let kind = if objection.starts_with("bad-move") {
                FaultKind::MalformedMove
            } else {
                FaultKind::IllegalMove
            };
            let detail = format!("{}: {}", printable(&token, 40), objection);
            let record = self.seat_fault(index, kind, detail, &go);
            if record.is_none() {
                // The refused token left the referee without a position.
                let position = format!("{}\n", self.position_line());
                self.refresh(&position)?;
            }
            return Ok(record);
        }
        let info = thought.info.as_ref();
        let score = info.and_then(|info| info.score);
        let mate = match score {
            Some(Score::Mate(distance)) => Some(distance),
            _ => None,
        };
        let score = score.map(Score::centipawns);
        let win = info.and_then(|info| match info.wdl {
            Some([win, draw, _]) => Some(win + draw / 2),
            None => info.shares.get(index).copied(),
        });
        self.adjudicator.note(index, score);
        self.moves.push(Move {
            token,
            seat: index + 1,
            from: None,
            ms: Some((thought.elapsed.as_secs_f64() * 1e4).round() / 10.0),
            cp: score,
            mate,
            win,
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            luck: Vec::new(),
        });
        self.take_state(turn, over, result)?;
        Ok(None)
    }

    fn start_pondering(&mut self, index: usize, reply: String) -> Result<(), Abort> {
        let engine = self.engine(index);
        let wanted = engine.is_some_and(|engine| engine.ponder && engine.dialect == Dialect::Uci);
        let other = matches!(self.turn, Turn::Seat(seat) if seat != index);
        if !wanted || !other || !is_word(&reply) {
            return Ok(());
        }
        if self.referee.query(&format!("islegal {reply}"))?.as_deref() != Ok("true") {
            return Ok(());
        }
        let position = format!("{} {reply}", self.position_line_for_next());
        let (go, _) = self.go(index, true);
        let count = self.moves.len() + 1;
        let Some(seat) = self.seats.get_mut(index) else { return Ok(()) };
        let Some(client) = &mut seat.client else { return Ok(()) };
        // A fault here shows itself again when the seat is next to move.
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
        detail: "nobody sits here".to_owned(),
        position: String::new(),
        command: String::new(),
    }
}
