//! One game, from the first position to the result.

mod ending;
mod opening;

pub use ending::places;

use std::time::{Duration, Instant};

use super::adjudication::Adjudicator;
use super::client::{Client, Thought, printable};
use super::fault::{Fault, FaultKind};
use super::interrupt;
use super::limits::Clock;
use super::luck::Analyst;
use super::record::{self, Ending, Move, Origin, Record, SeatFault};
use super::schedule::Plan;
use super::setup::Setup;
use super::specification::Dialect;
use super::table::Abort;
use crate::game::splitmix64;
use crate::protocol::engine_output::Score;

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
    /// Who values throws, if that is wanted.
    analyst: Option<&'a mut Analyst>,
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
        analyst: Option<&'a mut Analyst>,
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
            analyst,
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
        if let Some(analyst) = &mut self.analyst {
            analyst.new_game().map_err(Abort::Analyst)?;
        }
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
                    self.throw_for_luck(thrower)?;
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

    /// Throws, and notes what the throw gave each seat.
    fn throw_for_luck(&mut self, thrower: usize) -> Result<(), Abort> {
        let position = self.position_line();
        let listed = self.throw(thrower)?;
        let Some(thrown) = self.moves.last_mut() else { return Ok(()) };
        if let Some(analyst) = &mut self.analyst {
            let luck = analyst.luck(&position, &listed, &thrown.token).map_err(Abort::Analyst)?;
            thrown.luck = luck.unwrap_or_default().into_iter().map(record::millionths).collect();
        }
        Ok(())
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

/// Whether a token can stand in a move list at all.
fn is_word(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}
