//! One game, from the first position to the result.

use std::time::{Duration, Instant};

use super::adjudication::Adjudicator;
use super::client::{Client, Thought, printable};
use super::fault::{Fault, FaultKind};
use super::interrupt;
use super::limits::Clock;
use super::openings::Opening;
use super::record::{Ending, Move, Origin, Record, SeatFault, shares};
use super::schedule::Plan;
use super::setup::Setup;
use super::specification::Dialect;
use super::table::Abort;
use crate::game::splitmix64;

/// How many random openings are tried before one that does not end the game at once is given up on.
const OPENING_ATTEMPTS: u64 = 100;

/// Whose turn it is, as the referee says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    Seat(usize),
    /// The seat that throws, from 1; 0 for nobody.
    Chance(usize),
    Over,
}

/// One seat at the table.
#[derive(Debug)]
struct Seat {
    client: Option<Client>,
    /// The fault that kept its engine away, until it is told of.
    absent: Option<Fault>,
    /// The reply that it thinks about, and after how many tokens that would be.
    pondering: Option<(String, usize)>,
    /// Whether a random mover has taken over.
    substituted: bool,
}

/// One game in progress.
#[derive(Debug)]
pub struct Play<'a> {
    setup: &'a Setup,
    plan: &'a Plan,
    referee: &'a mut Client,
    seats: Vec<Seat>,
    clocks: Vec<Clock>,
    seed: u64,
    start: String,
    moves: Vec<Move>,
    /// Real throws so far, by thrower; nobody first.
    throws: [u64; 10],
    /// What the referee answered last.
    turn: Turn,
    result: String,
    faults: Vec<SeatFault>,
    adjudicator: Adjudicator,
    started: Instant,
}

/// The seed of the dice of a round, small enough for every reader of JSON.
pub fn dice_seed(seed: u64, round: u64) -> u64 {
    splitmix64(splitmix64(seed).wrapping_add(round)) >> 11
}

impl<'a> Play<'a> {
    /// A game about to begin, with the processes in its seats, or what kept them away.
    pub fn new(
        setup: &'a Setup,
        plan: &'a Plan,
        referee: &'a mut Client,
        seats: Vec<Result<Client, Fault>>,
    ) -> Self {
        let clocks = plan.seating.iter().map(|&engine| {
            let own = setup.engines.get(engine).map(|engine| engine.limits.clone());
            Clock::new(own.unwrap_or_default().or(&setup.limits))
        });
        let seats = seats.into_iter().map(|seat| {
            let (client, absent) = match seat {
                Ok(client) => (Some(client), None),
                Err(fault) => (None, Some(fault)),
            };
            Seat { client, absent, pondering: None, substituted: false }
        });
        Play {
            setup,
            plan,
            referee,
            seats: seats.collect(),
            clocks: clocks.collect(),
            seed: dice_seed(setup.seed, plan.round),
            start: String::new(),
            moves: Vec::new(),
            throws: [0; 10],
            turn: Turn::Over,
            result: String::new(),
            faults: Vec::new(),
            adjudicator: Adjudicator::new(setup, plan.seating.len()),
            started: Instant::now(),
        }
    }

    /// Gives the processes back that can play on.
    pub fn leave(self) -> Vec<Option<Client>> {
        self.seats.into_iter().map(|seat| seat.client).collect()
    }

    /// Plays the game to its end.
    ///
    /// # Errors
    /// When the referee fails or the match is stopped; faults of engines are part of the record.
    pub fn run(&mut self) -> Result<Record, Abort> {
        self.referee.new_game(None)?;
        if let Some(record) = self.greet()? {
            return Ok(record);
        }
        self.open()?;
        self.draw()?;
        loop {
            if interrupt::stopping_now() {
                return Err(Abort::Stopped);
            }
            let ended = match self.turn {
                Turn::Over => Some(self.over()?),
                Turn::Chance(thrower) => {
                    self.throw(thrower)?;
                    None
                }
                Turn::Seat(seat) => match self.adjudicator.verdict() {
                    Some((reason, places)) => {
                        self.finish_pondering();
                        Some(self.record(reason, places, Ending::Adjudication, None))
                    }
                    None => self.decide(seat)?,
                },
            };
            if let Some(record) = ended {
                return Ok(record);
            }
            self.draw()?;
        }
    }

    /// Tells every seat of the new game.
    fn greet(&mut self) -> Result<Option<Record>, Abort> {
        for index in 0..self.seats.len() {
            let seed = self.engine_seed(index);
            let Some(seat) = self.seats.get_mut(index) else { continue };
            let fault = match (&mut seat.client, seat.absent.take()) {
                (Some(client), None) => client.new_game(seed).err(),
                (_, absent) => absent,
            };
            if let Some(fault) = fault
                && let Some(record) = self.fault(index, fault)
            {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// The seed for an engine that declares one and was not given one by its user: another in every
    /// seat and round. Of a size that leaves room for the count of games that is taken off.
    fn engine_seed(&self, index: usize) -> Option<u64> {
        let engine = self.setup.engines.get(*self.plan.seating.get(index)?)?;
        let declared = self.seats.get(index)?.client.as_ref()?.has_option("Seed");
        let chosen = engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"));
        let seed = (splitmix64(self.seed.wrapping_add(index as u64)) >> 33) + (1 << 30);
        (declared && !chosen).then_some(seed)
    }

    /// Sets up the opening and plays its random plies.
    fn open(&mut self) -> Result<(), Abort> {
        let count = self.setup.openings.len().max(1) as u64;
        let index = (self.plan.round % count) as usize;
        let opening = self.setup.openings.get(index).cloned().unwrap_or_else(Opening::startpos);
        for attempt in 0..OPENING_ATTEMPTS {
            self.start.clone_from(&opening.start);
            let from = Some(Origin::Opening);
            let given = |token: &String| Move { token: token.clone(), from, ..Move::default() };
            self.moves = opening.tokens.iter().map(given).collect();
            self.throws = [0; 10];
            let position = format!("{}\n", self.position_line());
            self.refresh(&position)?;
            let mut left = self.setup.random_plies;
            let mut seed = splitmix64(self.seed.wrapping_add(attempt) ^ 0x5EED_0F0B_E717_A95E);
            while left > 0 && self.turn != Turn::Over {
                match self.turn {
                    Turn::Chance(thrower) => self.throw(thrower)?,
                    Turn::Seat(seat) => {
                        seed = splitmix64(seed);
                        self.random_move(seat, seed, Origin::Opening)?;
                        left -= 1;
                    }
                    Turn::Over => {}
                }
            }
            if self.turn != Turn::Over {
                break;
            }
        }
        Ok(())
    }

    fn random_move(&mut self, seat: usize, seed: u64, from: Origin) -> Result<(), Abort> {
        let query = format!("random {seed}");
        match self.referee.query(&query)? {
            Ok(token) if is_word(&token) => {
                let m = Move { token, seat: seat + 1, from: Some(from), ..Move::default() };
                self.append(m)
            }
            answer => Err(self.confused(&query, &answer)),
        }
    }

    /// An answer of the referee that makes no sense is the referee's fault.
    fn confused(&self, query: &str, answer: &Result<String, String>) -> Abort {
        let answer = match answer {
            Ok(text) => text.clone(),
            Err(error) => format!("error {error}"),
        };
        let detail = format!("the referee answers '{}'", printable(&answer, 40));
        let mut fault =
            self.referee.fault(FaultKind::Disagreement, detail, &format!("query {query}"));
        fault.position = self.position_line();
        Abort::Referee(fault)
    }

    fn position_line(&self) -> String {
        let mut line = format!("position {}", self.start);
        for (index, m) in self.moves.iter().enumerate() {
            line.push_str(if index == 0 { " moves " } else { " " });
            line.push_str(&m.token);
        }
        line
    }

    /// Appends a token that is known to be legal.
    fn append(&mut self, m: Move) -> Result<(), Abort> {
        let lines = if self.setup.abilities.turn {
            format!("moves {}\n", m.token)
        } else {
            format!("{} {}\n", self.position_line_for_next(), m.token)
        };
        self.moves.push(m);
        self.refresh(&lines)
    }

    fn position_line_for_next(&self) -> String {
        let line = self.position_line();
        if self.moves.is_empty() { format!("{line} moves") } else { line }
    }

    /// Sends lines to the referee and asks whose turn it is.
    fn refresh(&mut self, lines: &str) -> Result<(), Abort> {
        let turn = self.turn_query();
        let queries = [(lines, turn), ("", "gameover"), ("", "result")];
        let ([turn, over, result], refusal) = self.referee.ask(queries)?;
        if let Some(error) = refusal {
            return Err(self.confused(lines.trim_end(), &Err(error)));
        }
        self.take_state(turn, over, result)
    }

    fn turn_query(&self) -> &'static str {
        if self.setup.abilities.turn { "turn" } else { "p1turn" }
    }

    fn take_state(
        &mut self,
        turn: Result<String, String>,
        over: Result<String, String>,
        result: Result<String, String>,
    ) -> Result<(), Abort> {
        let Ok(result) = result else { return Err(self.confused("result", &result)) };
        let ended = over.as_deref() == Ok("true") || result != "none";
        self.turn = match turn.as_deref() {
            _ if ended => Turn::Over,
            Ok("true") => Turn::Seat(0),
            Ok("false") => Turn::Seat(1),
            Ok("chance") => Turn::Chance(0),
            Ok(text) => {
                let name = text.strip_prefix("chance ").unwrap_or(text);
                let number = name.strip_prefix('p').and_then(|digits| digits.parse().ok());
                match number {
                    Some(seat @ 1..=9) if seat <= self.seats.len() => {
                        if name == text {
                            Turn::Seat(seat - 1)
                        } else {
                            Turn::Chance(seat)
                        }
                    }
                    _ => return Err(self.confused("turn", &turn)),
                }
            }
            Err(_) => return Err(self.confused("turn", &turn)),
        };
        self.result = result;
        Ok(())
    }

    /// Throws: what is certain happens, anything else is drawn from the dice of the round.
    fn throw(&mut self, thrower: usize) -> Result<(), Abort> {
        let count = self.throws.get(thrower).copied().unwrap_or(0);
        let seed =
            splitmix64(splitmix64(self.seed.wrapping_add(thrower as u64)).wrapping_add(count));
        let query = format!("throw {seed}");
        let ([chances, token], _) = self.referee.ask([("", "chances"), ("", &query)])?;
        let listed = chances.as_deref().unwrap_or("");
        let certain = match listed.rsplit_once(':') {
            Some((token, _)) if is_word(token) => Some(token.to_owned()),
            _ => None,
        };
        let token = match (certain, token) {
            (Some(token), _) => token,
            (None, Ok(token)) if is_word(&token) => {
                if let Some(count) = self.throws.get_mut(thrower) {
                    *count += 1;
                }
                token
            }
            (None, answer) => return Err(self.confused(&query, &answer)),
        };
        let from = Some(Origin::Chance);
        self.append(Move { token, seat: thrower, from, ..Move::default() })
    }

    /// Lets a seat decide; the record if that ended the game.
    fn decide(&mut self, index: usize) -> Result<Option<Record>, Abort> {
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
    fn view(&mut self, index: usize) -> Result<String, Abort> {
        if !self.setup.abilities.views {
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
        let engine = self.plan.seating.get(index).and_then(|&index| self.setup.engines.get(index));
        let dialect = engine.map_or(Dialect::Ugi, |engine| engine.dialect);
        let Some(clock) = self.clocks.get(index) else {
            return ("go".to_owned(), self.setup.move_timeout);
        };
        let allowance = clock.allowance().unwrap_or(self.setup.move_timeout);
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
        let lines = if self.setup.abilities.turn {
            format!("moves {token}\n")
        } else {
            format!("{} {token}\n", self.position_line_for_next())
        };
        let turn = self.turn_query();
        let legality = format!("islegal {token}");
        let state = [(lines.as_str(), turn), ("", "gameover"), ("", "result")];
        let (legal, [turn, over, result], refusal) = if self.setup.abilities.legality {
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
        let score = info.and_then(|info| info.score).map(|score| score.centipawns());
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
            win,
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
        });
        self.take_state(turn, over, result)?;
        Ok(None)
    }

    fn start_pondering(&mut self, index: usize, reply: String) -> Result<(), Abort> {
        let engine = self.plan.seating.get(index).and_then(|&index| self.setup.engines.get(index));
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

    fn finish_pondering(&mut self) {
        for seat in &mut self.seats {
            if seat.pondering.take().is_some()
                && seat.client.as_mut().is_some_and(|client| client.ponder_miss().is_err())
            {
                seat.client = None;
            }
        }
    }

    /// The game is over by its rules: asks how, and whether the seats see it so.
    fn over(&mut self) -> Result<Record, Abort> {
        self.finish_pondering();
        let queries = [("", "outcome"), ("", "points"), ("", "reason")];
        let ([outcome, points, reason], _) = self.referee.ask(queries)?;
        let places = places(outcome.as_deref().unwrap_or(""), &self.result, self.seats.len());
        let Some(places) = places else { return Err(self.confused("outcome", &outcome)) };
        let points = points.ok().filter(|points| points != "none");
        let reason = reason.ok().filter(|reason| reason != "none").unwrap_or("rules".to_owned());
        self.compare_results()?;
        Ok(self.record(&reason, places, Ending::Rules, points))
    }

    /// Every engine that answers queries must see the end and the result that the referee sees.
    /// The result stands as the rules have it; the fault is noted.
    fn compare_results(&mut self) -> Result<(), Abort> {
        let expected = self.result.clone();
        for index in 0..self.seats.len() {
            let engine = self.plan.seating.get(index).copied().unwrap_or(usize::MAX);
            let answers = self.setup.answering.get(engine).copied().unwrap_or(false);
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

    fn seat_fault(
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
    fn fault(&mut self, index: usize, fault: Fault) -> Option<Record> {
        let kind = fault.kind;
        self.note_fault(index, fault);
        if self.setup.substitutes {
            if let Some(seat) = self.seats.get_mut(index) {
                seat.substituted = true;
            }
            return None;
        }
        self.finish_pondering();
        let last = self.seats.len() as u32;
        let places = (0..self.seats.len()).map(|seat| if seat == index { last } else { 1 });
        let places: Vec<u32> = places.collect();
        self.result = result_word(&places).to_owned();
        Some(self.record(kind.word(), places, Ending::Fault, None))
    }

    fn note_fault(&mut self, index: usize, fault: Fault) {
        let engine = self.plan.seating.get(index).and_then(|&index| self.setup.engines.get(index));
        if let Some(seat) = self.seats.get_mut(index) {
            seat.pondering = None;
            if !fault.kind.leaves_process_usable() {
                seat.client = None;
            }
        }
        let engine = engine.map(|engine| engine.name.clone()).unwrap_or_default();
        self.faults.push(SeatFault { seat: index + 1, engine, fault });
    }

    fn record(
        &mut self,
        reason: &str,
        places: Vec<u32>,
        ending: Ending,
        points: Option<String>,
    ) -> Record {
        let name = |&index: &usize| self.setup.engines.get(index).map(|engine| engine.name.clone());
        let result = match ending {
            Ending::Rules => self.result.clone(),
            _ => result_word(&places).to_owned(),
        };
        let mut record = Record {
            game: self.plan.game,
            round: self.plan.round + 1,
            pairing: self.plan.pairing + 1,
            seating: self.plan.seating.iter().filter_map(name).collect(),
            seed: self.seed,
            start: self.start.clone(),
            moves: std::mem::take(&mut self.moves),
            result,
            shares: shares(&places),
            places,
            points,
            reason: reason.to_owned(),
            ending,
            faults: std::mem::take(&mut self.faults),
            ms: Some(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)),
        };
        if self.setup.reproducible {
            record.forget_times();
        }
        record
    }

    /// Shows the position, if that is wanted.
    fn draw(&mut self) -> Result<(), Abort> {
        if self.setup.show {
            let diagram = self.referee.lines("d")?;
            super::show::position(self.moves.last(), self.moves.len(), &diagram);
        }
        Ok(())
    }
}

fn empty_seat() -> Fault {
    Fault {
        kind: FaultKind::NoHandshake,
        detail: "nobody sits here".to_owned(),
        position: String::new(),
        command: String::new(),
    }
}

fn result_of(client: &mut Client, view: &str) -> Result<(String, String), Fault> {
    client.position(view)?;
    let ([over, result], _) = client.ask([("", "gameover"), ("", "result")])?;
    Ok((over.unwrap_or_else(|error| error), result.unwrap_or_else(|error| error)))
}

/// Places by `rank 2 1 4 3`, or by the result where a referee knows no places.
fn places(outcome: &str, result: &str, seats: usize) -> Option<Vec<u32>> {
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

/// The result as the protocol words it.
fn result_word(places: &[u32]) -> &'static str {
    let firsts = places.iter().filter(|&&place| place == 1).count();
    match (places.first(), firsts) {
        (Some(1), 1) => "p1win",
        (Some(1), _) => "draw",
        _ => "p2win",
    }
}

/// Whether a token can stand in a move list at all.
fn is_word(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}
