//! One game under the referee, from the first position to the result.

mod decision;
mod ending;
mod opening;

pub(super) use ending::places;

use std::time::Instant;

use super::adjudication::Adjudicator;
use super::game_text;
use super::luck::Analyst;
use super::record::{self, Ending, Move, Record, SeatFault};
use super::schedule::{ScheduledGame, dice_seed};
use super::setup::Setup;
use super::slot::Abort;
use crate::random::splitmix64;
use crate::runner::process::{
    Answer, Client, Clock, Fault, FaultKind, Specification, interrupt, printable,
};

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
pub struct RefereedGame<'a> {
    setup: &'a Setup,
    game: &'a ScheduledGame,
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

impl<'a> RefereedGame<'a> {
    /// A game about to begin, with the processes in its seats, or what kept them away.
    pub(super) fn new(
        setup: &'a Setup,
        game: &'a ScheduledGame,
        referee: &'a mut Client,
        analyst: Option<&'a mut Analyst>,
        seats: Vec<Result<Client, Fault>>,
    ) -> Self {
        let settings = &setup.plan.games;
        let clocks = game.seating.iter().map(|&engine| {
            let own = setup.plan.engines.get(engine).map(|engine| engine.limits.clone());
            Clock::new(own.unwrap_or_default().or(&settings.limits))
        });
        let seats = seats.into_iter().map(|seat| {
            let (client, absent) = match seat {
                Ok(client) => (Some(client), None),
                Err(fault) => (None, Some(fault)),
            };
            Seat { client, absent, pondering: None, substituted: false }
        });
        RefereedGame {
            setup,
            game,
            referee,
            analyst,
            seats: seats.collect(),
            clocks: clocks.collect(),
            seed: dice_seed(settings.seed, game.round),
            start: String::new(),
            moves: Vec::new(),
            throws: [0; 10],
            turn: Turn::Over,
            result: String::new(),
            faults: Vec::new(),
            adjudicator: Adjudicator::new(settings.adjudication, game.seating.len()),
            started: Instant::now(),
        }
    }

    /// Gives the processes back that can play on.
    pub(super) fn leave(self) -> Vec<Option<Client>> {
        self.seats.into_iter().map(|seat| seat.client).collect()
    }

    /// Plays the game to its end.
    ///
    /// # Errors
    /// When the referee fails or the match is stopped; faults of engines are part of the record.
    pub(super) fn run(&mut self) -> Result<Record, Abort> {
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
        let engine = self.engine(index)?;
        let declared = self.seats.get(index)?.client.as_ref()?.has_option("Seed");
        let chosen = engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed"));
        let seed = (splitmix64(self.seed.wrapping_add(index as u64)) >> 33) + (1 << 30);
        (declared && !chosen).then_some(seed)
    }

    /// The engine in a seat.
    fn engine(&self, index: usize) -> Option<&'a Specification> {
        self.setup.plan.engines.get(*self.game.seating.get(index)?)
    }

    /// An answer of the referee that makes no sense is the referee's fault.
    fn confused(&self, query: &str, answer: &Answer) -> Abort {
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
        let lines = if self.setup.trial.referee.turn {
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
        if self.setup.trial.referee.turn { "turn" } else { "p1turn" }
    }

    fn take_state(&mut self, turn: Answer, over: Answer, result: Answer) -> Result<(), Abort> {
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

    /// Shows the position, if that is wanted.
    fn draw(&mut self) -> Result<(), Abort> {
        if self.setup.plan.games.show {
            let diagram = self.referee.lines("d")?;
            game_text::print_position(self.moves.last(), self.moves.len(), &diagram);
        }
        Ok(())
    }
}

/// Whether a token can stand in a move list at all.
fn is_word(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}
