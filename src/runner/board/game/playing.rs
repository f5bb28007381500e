//! The course of a game: moves, throws, clocks, taking back, giving up, starting again.

use std::time::Duration;

use super::engines::{GRACE, LONGEST};
use super::{ConnectionId, Game, Origin, Problem, SeatFault, View};
use crate::platform::milliseconds_since_1970;
use crate::printing::printable;
use crate::protocol::{Dialect, Outcome, Turn, seat_name};
use crate::runner::board::message::{MAX_TOKEN, SeatKind, Throws, is_word};
use crate::runner::board::worker::Search;
use crate::runner::key::Purpose;
use crate::runner::process::{Clock, Fault, FaultKind, Limits, NO_MOVE, SearchResult};
use crate::runner::tournament::record::Ending;

/// The most throws in a row: an engine that throws for ever is no game.
const MAX_THROWS: usize = 10_000;

impl Game {
    /// Brings the game to where somebody must decide: throws what the table throws, lets an engine
    /// think, notes the end. Then tells everybody.
    pub(super) fn advance(&mut self) {
        if let Err(problem) = self.try_advance() {
            self.tell_all(&problem);
        }
        self.clocks.start();
        self.changed();
        self.think();
    }

    fn try_advance(&mut self) -> Result<(), Problem> {
        self.views.clear();
        for _ in 0..MAX_THROWS {
            let line = self.tree.position(self.tree.live());
            if let Err(refusal) = self.load(&line)? {
                return Err(super::fault_of_referee(&refusal));
            }
            self.turn = self.referee.turn();
            self.tree.note_turn(self.tree.live(), self.turn);
            match self.turn {
                Turn::Over => {
                    if self.ended.is_none() {
                        let ended = self.referee.outcome()?;
                        let reason = printable(&ended.reason, 60);
                        self.finish(Outcome { reason, ..ended }, Ending::Rules);
                    }
                    return Ok(());
                }
                _ if self.setup.analysis || self.ended.is_some() => return Ok(()),
                Turn::Seat(_) => return Ok(()),
                turn => {
                    if let Turn::Chance(seat) = turn
                        && !self.throws_itself(seat)?
                    {
                        return Ok(());
                    }
                    let token = self.thrown()?;
                    self.append(&token, Origin::Chance, None);
                }
            }
        }
        Err(Problem::new("engine", "the game throws for ever"))
    }

    /// Whether the table throws for a seat without being asked.
    fn throws_itself(&mut self, seat: usize) -> Result<bool, Problem> {
        let by_people = match self.setup.throws {
            Throws::Auto => false,
            Throws::Click => self.seating.kind(seat) != Some(SeatKind::Engine),
            Throws::Real => true,
        };
        Ok(!by_people || self.referee.is_certain()?)
    }

    /// What the table throws at the live node.
    fn thrown(&mut self) -> Result<String, Problem> {
        let seed = self.throw_seed(self.tree.live(), Purpose::Throw);
        Ok(self.referee.throw(seed)?.token)
    }

    /// The seed of a throw at a node. What is taken back and played again throws the same.
    fn throw_seed(&self, node: usize, purpose: Purpose) -> u64 {
        self.setup.key.seed(purpose, 1, 0, self.tree.ply(node) as u64)
    }

    /// Adds a token to the game, and what it took to decide.
    fn append(&mut self, token: &str, origin: Origin, time: Option<Duration>) {
        let ms = time.and_then(|time| u64::try_from(time.as_millis()).ok());
        self.tree.play(token, self.acting_seat(), origin, ms);
        self.when = milliseconds_since_1970();
        self.tree.note_clocks(self.clocks.all());
    }

    /// A move of a person.
    pub(super) fn play(
        &mut self,
        id: ConnectionId,
        node: usize,
        token: &str,
    ) -> Result<(), Problem> {
        let connection = self.connections.get(id)?;
        let origin = if connection.is_host() { Origin::Here } else { Origin::Link };
        if let Some(seat) = self.act_at(connection, node) {
            self.require_legal(token)?;
            if matches!(self.turn, Turn::Chance(_)) && self.setup.throws == Throws::Auto {
                return Err(Problem::new("not-allowed", "the table throws in this game"));
            }
            let time = self.clocks.elapsed();
            if matches!(self.turn, Turn::Seat(_)) {
                self.clocks.spend(seat, time);
            }
            self.append(token, origin, Some(time));
            self.offer = None;
            self.connections.look(id, None);
            self.advance();
            return Ok(());
        }
        if self.tree.get(node).is_none() {
            return Err(Problem::new("unknown", "no such node"));
        }
        if self.may_vary(connection) {
            return self.vary(id, node, token);
        }
        if node != self.tree.live() {
            self.connections.look(id, None);
            self.refresh(id);
            return Err(Problem::new("stale", "somebody has played meanwhile"));
        }
        Err(self.not_to_act())
    }

    fn not_to_act(&self) -> Problem {
        match (&self.ended, self.acting_seat()) {
            (Some(_), _) => Problem::new("game-over", "the game is over"),
            (None, Some(seat)) => {
                Problem::new("not-to-act", format!("{} is to act", seat_name(seat)))
            }
            (None, None) => Problem::new("not-to-act", "nobody is to act"),
        }
    }

    /// Whether the referee allows a token at the live node.
    fn require_legal(&mut self, token: &str) -> Result<(), Problem> {
        let line = self.tree.position(self.tree.live());
        match self.try_token(&line, token)? {
            Ok(()) => Ok(()),
            // The referee knows more than the page may.
            Err((code, _)) if self.seating.has_secrets() => {
                Err(Problem::new(&code, "that is not possible here"))
            }
            Err((code, text)) => Err(Problem { code, text }),
        }
    }

    /// A move beside the game.
    fn vary(&mut self, id: ConnectionId, node: usize, token: &str) -> Result<(), Problem> {
        if !self.tree.has_room() {
            return Err(Problem::new("busy", "the tree is full"));
        }
        let line = self.tree.position(node);
        if let Err((code, text)) = self.try_token(&line, token)? {
            return Err(Problem { code, text });
        }
        let turn = self.referee.turn();
        let by = self.tree.turn(node).and_then(Turn::seat);
        let added = self.tree.add(node, token, by, Origin::Variation);
        self.tree.note_turn(added, turn);
        self.connections.look(id, Some(added));
        self.changed();
        Ok(())
    }

    /// The table throws because somebody asks for it.
    pub(super) fn throw(&mut self, id: ConnectionId, node: usize) -> Result<(), Problem> {
        let connection = self.connections.get(id)?;
        if self.act_at(connection, node).is_some() && matches!(self.turn, Turn::Chance(_)) {
            let line = self.tree.position(self.tree.live());
            let _ = self.load(&line)?;
            let token = self.thrown()?;
            self.append(&token, Origin::Chance, None);
            self.connections.look(id, None);
            self.advance();
            return Ok(());
        }
        if self.may_vary(connection) && self.tree.get(node).is_some() {
            let line = self.tree.position(node);
            let _ = self.load(&line)?;
            // In a variation other dice fall than in the game.
            let seed = self.throw_seed(node, Purpose::RandomPly);
            let token = self.referee.throw(seed)?.token;
            return self.vary(id, node, &token);
        }
        Err(self.not_to_act())
    }

    /// Lets the engine of the seat that decides think.
    pub(super) fn think(&mut self) {
        let Turn::Seat(seat) = self.turn else { return };
        let waits = self.ended.is_some() || self.fault.is_some() || self.setup.analysis;
        let thinks = self.players.thinking().is_some();
        if waits || thinks || self.seating.kind(seat) != Some(SeatKind::Engine) {
            return;
        }
        let view = if self.seating.has_secrets() { View::Seat(seat) } else { View::All };
        let position = match self.view_line(view, self.tree.live()) {
            Ok(position) => position.to_string(),
            Err(problem) => return self.tell_all(&problem),
        };
        let Some((go, allowance)) = self.go(seat) else { return };
        let Some(engine) = self.seating.specification(seat, &self.setup.entry) else { return };
        let search = Search { position, go, allowance: Some(allowance), lines: 0 };
        if let Err(problem) = self.players.think(&mut self.engines, seat, engine, search) {
            return self.tell_all(&problem);
        }
        self.clocks.start();
        self.tell_states();
    }

    /// The `go` line of a seat, and how long its engine may take.
    fn go(&self, seat: usize) -> Option<(String, Duration)> {
        let chair = self.seating.chair(seat)?;
        let engine = self.setup.entry.engines.get(chair.engine)?;
        if let Some((go, left)) = self.clocks.go(seat, engine.dialect, chair.depth, chair.nodes) {
            return Some((go, left + GRACE));
        }
        let limits = Limits {
            move_time: chair.movetime(self.setup.movetime).map(Duration::from_millis),
            depth: chair.depth,
            nodes: chair.nodes,
            ..Limits::default()
        };
        let go = Clock::new(limits).go(&[], Dialect::Ugi, false);
        let allowance = chair.movetime(self.setup.movetime).map(Duration::from_millis);
        Some((go, allowance.map_or(LONGEST, |time| time + GRACE)))
    }

    /// The move of an engine.
    pub(super) fn take_move(
        &mut self,
        seat: usize,
        ticket: u64,
        found: Result<SearchResult, Fault>,
    ) {
        if !self.players.finish(seat, ticket) {
            return;
        }
        let taken = match found {
            Ok(found) => self.submit(seat, &found),
            Err(fault) => {
                self.note_fault(seat, &fault);
                Ok(())
            }
        };
        if let Err(problem) = taken {
            self.tell_all(&problem);
        }
    }

    fn submit(&mut self, seat: usize, found: &SearchResult) -> Result<(), Problem> {
        let token = found.token.as_str();
        let fault = |kind, detail: String| Fault {
            kind,
            detail,
            position: String::new(),
            command: String::new(),
        };
        if !is_word(token) || token.len() > MAX_TOKEN {
            let detail = format!("'{}' is not a move", printable(token, 40));
            self.note_fault(seat, &fault(FaultKind::MalformedMove, detail));
            return Ok(());
        }
        if let Err(problem) = self.require_legal(token) {
            if problem.code == "engine" {
                return Err(problem);
            }
            let kind = match NO_MOVE.contains(&token) {
                true => FaultKind::Disagreement,
                false => FaultKind::IllegalMove,
            };
            let detail = format!("{}: {}", printable(token, 40), problem.text);
            self.note_fault(seat, &fault(kind, detail));
            return Ok(());
        }
        self.clocks.spend(seat, found.elapsed);
        if self.clocks.has_flagged(seat) {
            self.lose_on_time(seat);
            return Ok(());
        }
        let value = found.info.as_ref().and_then(|info| self.value_at(self.tree.live(), info));
        self.tree.note_value(self.tree.live(), value);
        self.append(token, Origin::Engine, Some(found.elapsed));
        self.advance();
        Ok(())
    }

    fn note_fault(&mut self, seat: usize, fault: &Fault) {
        let text = match self.seating.has_secrets() {
            // What the engine said may be its secret.
            true => match fault.kind {
                FaultKind::IllegalMove | FaultKind::MalformedMove => "its move is not legal",
                FaultKind::Disagreement => "it sees another position than the referee",
                _ => "it does not answer as it should",
            }
            .to_owned(),
            false => printable(&fault.detail, 300),
        };
        let engine = self.player_name(seat);
        log::warn!("{} ({}) fails: {}", seat_name(seat), engine, fault.kind);
        if !fault.kind.leaves_process_usable() {
            self.players.remove(seat);
        }
        self.fault = Some(SeatFault { seat, engine, kind: fault.kind.name(), text });
        self.changed();
    }

    /// The seat whose clock runs.
    pub(super) fn running(&self) -> Option<usize> {
        let seat = self.turn.decider()?;
        let stands = self.ended.is_some() || self.fault.is_some() || self.setup.analysis;
        (!stands && !self.clocks.is_empty()).then_some(seat)
    }

    pub(super) fn check_flag(&mut self) {
        if let Some(seat) = self.running()
            && self.clocks.flag(seat)
        {
            self.lose_on_time(seat);
        }
    }

    fn lose_on_time(&mut self, seat: usize) {
        self.players.stop();
        self.lose(seat, "overtime");
    }
}
