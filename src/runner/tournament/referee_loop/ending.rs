//! How a game ends: by its rules, or by a fault.

use super::decision::empty_seat;
use super::{RefereedGame, Seat};
use crate::runner::process::{Client, Fault, FaultKind, printable};
use crate::runner::tournament::record::{Ending, Record, SeatFault, shares};
use crate::runner::tournament::slot::Abort;

impl RefereedGame<'_> {
    /// The game is over by its rules: asks how, and whether the engines agree.
    pub(super) fn over(&mut self) -> Result<Record, Abort> {
        self.finish_pondering();
        let [outcome, points, reason] = self.end_answers()?;
        let places = places(outcome.as_deref().unwrap_or(""), &self.result, self.seats.len());
        let Some(places) = places else {
            let outcome = outcome.ok_or("it does not answer".to_owned());
            return Err(self.bad_answer("outcome", &outcome));
        };
        let points = points.filter(|points| points != "none");
        let reason = reason.filter(|reason| reason != "none").unwrap_or("rules".to_owned());
        self.compare_results()?;
        Ok(self.record(&reason, places, Ending::Rules, points))
    }

    /// What the referee says of the places, the points and the reason. It is asked only what it
    /// answered before the match, and even then may be silent.
    fn end_answers(&mut self) -> Result<[Option<String>; 3], Abort> {
        let referee = &self.setup.trial.referee;
        let known = [referee.outcome, referee.points, referee.reason];
        if known == [false; 3] {
            return Ok([const { None }; 3]);
        }
        let answers = self.referee.probe_all(["outcome", "points", "reason"])?;
        Ok(answers.map(|answer| answer.and_then(Result::ok)))
    }

    /// Every engine that answers queries must see the end and the result that the referee sees.
    /// Else that is a recorded fault, and the referee's result stands.
    fn compare_results(&mut self) -> Result<(), Abort> {
        let expected = self.result.clone();
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
        let last = self.seats.len() as u32;
        let places = (0..self.seats.len()).map(|seat| if seat == index { last } else { 1 });
        let places: Vec<u32> = places.collect();
        self.result = result_name(&places).to_owned();
        Some(self.record(kind.name(), places, Ending::Fault, None))
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

    pub(super) fn record(
        &mut self,
        reason: &str,
        places: Vec<u32>,
        ending: Ending,
        points: Option<String>,
    ) -> Record {
        let name =
            |&index: &usize| self.setup.plan.engines.get(index).map(|engine| engine.name.clone());
        let result = match ending {
            Ending::Rules => self.result.clone(),
            _ => result_name(&places).to_owned(),
        };
        let strays = self.strays();
        let mut record = Record {
            game: self.game.number,
            round: self.game.round + 1,
            pairing: self.game.pairing + 1,
            seating: self.game.seating.iter().filter_map(name).collect(),
            seed: None,
            start: self.start.clone(),
            moves: std::mem::take(&mut self.moves),
            result,
            shares: shares(&places),
            places,
            points,
            reason: reason.to_owned(),
            ending,
            luck: None,
            faults: std::mem::take(&mut self.faults),
            strays,
            ms: Some(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)),
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

/// Places from `rank 2 1 4 3`, or from the result where a referee knows no places.
pub(in crate::runner::tournament) fn places(
    outcome: &str,
    result: &str,
    seats: usize,
) -> Option<Vec<u32>> {
    if let Some(ranks) = outcome.strip_prefix("rank ") {
        let places: Option<Vec<u32>> =
            ranks.split_whitespace().map(|word| word.parse().ok()).collect();
        return places.filter(|places| places.len() == seats && places.contains(&1));
    }
    match (result, seats) {
        ("p1win", 2) => Some(vec![1, 2]),
        ("p2win", 2) => Some(vec![2, 1]),
        ("draw", 2) => Some(vec![1, 1]),
        _ => None,
    }
}

/// The result as the protocol names it.
fn result_name(places: &[u32]) -> &'static str {
    let firsts = places.iter().filter(|&&place| place == 1).count();
    match (places.first(), firsts) {
        (Some(1), 1) => "p1win",
        (Some(1), _) => "draw",
        _ => "p2win",
    }
}
