//! How a game ends: by its rules, or by a fault.

use super::decision::empty_seat;
use super::{RefereedGame, Seat};
use crate::printing::printable;
use crate::protocol::Outcome;
use crate::runner::process::{Client, Fault, FaultKind};
use crate::runner::tournament::officials::Abort;
use crate::runner::tournament::record::{Ending, Record, SeatFault};

impl RefereedGame<'_> {
    /// The game is over by its rules: asks how, and whether the engines agree.
    pub(super) fn over(&mut self) -> Result<Record, Abort> {
        self.finish_pondering();
        let outcome = self.referee.outcome()?;
        self.compare_results(&outcome.result)?;
        Ok(self.record(outcome, Ending::Rules))
    }

    /// Every engine that answers queries must see the end and the result that the referee sees.
    /// Else that is a recorded fault, and the referee's result stands.
    fn compare_results(&mut self, expected: &str) -> Result<(), Abort> {
        for index in 0..self.seats.len() {
            let engine = self.game.seating.get(index);
            let trial = engine.and_then(|&engine| self.setup.trial.engines.get(engine));
            let answers = trial.is_some_and(|trial| trial.answers_queries);
            if !answers || self.seats.get(index).is_none_or(|seat| seat.client.is_none()) {
                continue;
            }
            let view = self.view(index)?;
            let Some(seat) = self.seats.get_mut(index) else { continue };
            let Some(client) = &mut seat.client else { continue };
            let fault = match result_of(client, &view) {
                Ok((over, result)) if over == "true" && result == expected => continue,
                Ok((over, result)) => {
                    let detail = format!(
                        "sees gameover {}, result {} where the referee sees true, {expected}",
                        printable(&over, 40),
                        printable(&result, 40)
                    );
                    client.fault(FaultKind::Disagreement, detail, "query result")
                }
                Err(fault) => fault,
            };
            self.note_fault(index, fault);
        }
        Ok(())
    }

    pub(super) fn seat_fault(
        &mut self,
        index: usize,
        kind: FaultKind,
        detail: String,
        command: &str,
    ) -> Option<Record> {
        let client = self.seats.get(index).and_then(|seat| seat.client.as_ref());
        let fault = client.map_or_else(empty_seat, |client| client.fault(kind, detail, command));
        self.fault(index, fault)
    }

    /// A fault ends the game, or lets a random mover take the seat.
    pub(super) fn fault(&mut self, index: usize, fault: Fault) -> Option<Record> {
        let kind = fault.kind;
        self.note_fault(index, fault);
        if self.setup.plan.games.substitutes {
            if let Some(seat) = self.seats.get_mut(index) {
                seat.substituted = true;
            }
            return None;
        }
        self.finish_pondering();
        let outcome = Outcome::loss(index, self.seats.len(), kind.name());
        Some(self.record(outcome, Ending::Fault))
    }

    fn note_fault(&mut self, index: usize, fault: Fault) {
        let engine = self.engine(index);
        if let Some(seat) = self.seats.get_mut(index) {
            seat.pondering = None;
            if !fault.kind.leaves_process_usable() {
                seat.client = None;
            }
        }
        let engine = engine.map(|engine| engine.name.clone()).unwrap_or_default();
        self.faults.push(SeatFault { seat: index + 1, engine, fault });
    }

    pub(super) fn record(&mut self, outcome: Outcome, ending: Ending) -> Record {
        let name =
            |&index: &usize| self.setup.plan.engines.get(index).map(|engine| engine.name.clone());
        let strays = self.strays();
        let mut record = Record {
            game: self.game.number,
            round: self.game.round + 1,
            pairing: self.game.pairing + 1,
            seating: self.game.seating.iter().filter_map(name).collect(),
            start: self.start.clone(),
            moves: std::mem::take(&mut self.moves),
            faults: std::mem::take(&mut self.faults),
            strays,
            ms: Some(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)),
            ..Record::of(outcome, ending)
        };
        if self.analyst.is_some() {
            record.sum_luck();
        }
        if self.setup.plan.games.reproducible {
            record.forget_times();
        }
        record
    }
}

impl RefereedGame<'_> {
    /// The stray lines of each seat, if there were any.
    fn strays(&mut self) -> Vec<u64> {
        let count = |seat: &mut Seat| match &mut seat.client {
            Some(client) => client.take_strays(),
            None => 0,
        };
        let strays: Vec<u64> = self.seats.iter_mut().map(count).collect();
        if strays.iter().any(|&count| count > 0) { strays } else { Vec::new() }
    }
}

fn result_of(client: &mut Client, view: &str) -> Result<(String, String), Fault> {
    client.position(view)?;
    let ([over, result], _) = client.ask([("", "gameover"), ("", "result")])?;
    Ok((over.unwrap_or_else(|error| error), result.unwrap_or_else(|error| error)))
}
