//! One game under the referee, from the first position to the result.

mod decision;
mod ending;
mod opening;

use std::time::Instant;

use super::adjudication::Adjudicator;
use super::game_text;
use super::luck::Analyst;
use super::officials::{Abort, Officials};
use super::record::{self, Ending, Move, Record, SeatFault};
use super::schedule::ScheduledGame;
use super::setup::Setup;
use crate::protocol::{Outcome, Turn};
use crate::runner::key::Purpose;
use crate::runner::process::{Client, Clock, Fault, Specification, interrupt};
use crate::runner::referee::Referee;

/// One seat of the game.
#[derive(Debug)]
struct Seat {
    client: Option<Client>,
    /// Why its engine could not be started, until that is recorded.
    absent: Option<Fault>,
    /// The reply that it ponders on, and the number of tokens after it.
    pondering: Option<(String, usize)>,
    /// Whether a random mover has taken the seat.
    substituted: bool,
}

/// One game in progress.
#[derive(Debug)]
pub(super) struct RefereedGame<'a> {
    setup: &'a Setup,
    game: &'a ScheduledGame,
    referee: &'a mut Referee,
    /// Values throws, if that is wanted.
    analyst: Option<&'a mut Analyst>,
    /// Gives the scores for adjudication, if not the players do.
    scorer: Option<&'a mut Client>,
    seats: Vec<Seat>,
    clocks: Vec<Clock>,
    start: String,
    moves: Vec<Move>,
    /// The number of throws with more than one outcome, by thrower; index 0 is for none.
    throws: [u64; 10],
    /// The number of moves that were not the engine's, by seat: random plies of the opening, moves
    /// of the mover that replaces it.
    random_plies: [u64; 10],
    substitute_moves: [u64; 10],
    faults: Vec<SeatFault>,
    adjudicator: Adjudicator,
    started: Instant,
}

impl<'a> RefereedGame<'a> {
    /// A game before its start, with the processes in its seats, or why they could not be started.
    pub(super) fn new(
        setup: &'a Setup,
        game: &'a ScheduledGame,
        officials: &'a mut Officials,
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
            referee: &mut officials.referee,
            analyst: officials.analyst.as_mut(),
            scorer: officials.adjudicator.as_mut(),
            seats: seats.collect(),
            clocks: clocks.collect(),
            start: String::new(),
            moves: Vec::new(),
            throws: [0; 10],
            random_plies: [0; 10],
            substitute_moves: [0; 10],
            faults: Vec::new(),
            adjudicator: Adjudicator::new(settings.adjudication, game.seating.len()),
            started: Instant::now(),
        }
    }

    /// Returns the processes that can be used again.
    pub(super) fn into_clients(self) -> Vec<Option<Client>> {
        self.seats.into_iter().map(|seat| seat.client).collect()
    }

    /// Plays the game to its end.
    ///
    /// # Errors
    /// When the referee fails or the match is stopped; faults of engines are part of the record.
    pub(super) fn run(&mut self) -> Result<Record, Abort> {
        self.referee.new_game()?;
        if let Some(analyst) = &mut self.analyst {
            analyst.new_game().map_err(Abort::Analyst)?;
        }
        if let Some(scorer) = &mut self.scorer {
            scorer.new_game(None).map_err(Abort::Adjudicator)?;
        }
        if let Some(record) = self.announce_game()? {
            return Ok(record);
        }
        self.open()?;
        self.draw()?;
        loop {
            if interrupt::stopping_now() {
                return Err(Abort::Stopped);
            }
            let ended = match self.referee.turn() {
                Turn::Over => Some(self.over()?),
                turn @ (Turn::Chance(_) | Turn::Deal) => {
                    self.throw_for_luck(turn.seat())?;
                    None
                }
                Turn::Seat(seat) => match self.adjudicator.verdict() {
                    Some((reason, places)) => {
                        self.finish_pondering();
                        Some(self.record(Outcome::of_places(places, reason), Ending::Adjudication))
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

    /// Sends the new game to every seat.
    fn announce_game(&mut self) -> Result<Option<Record>, Abort> {
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

    /// The seed that an engine's randomness in this game starts from, if it declares `Seed`. One
    /// that was given a value by its user plays its n-th game as a process would that has played
    /// the whole match; with 0 it takes what the system gives it.
    fn engine_seed(&self, index: usize) -> Option<u64> {
        let engine = self.engine(index)?;
        let largest = self.seats.get(index)?.client.as_ref()?.largest_seed()?;
        let chosen = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Seed"));
        let seed = match chosen {
            None => self.seed(Purpose::EngineSeed, index + 1, 0),
            Some((_, text)) => match text.parse().ok()? {
                0_u64 => return None,
                seed => seed.saturating_add(self.game.number - 1),
            },
        };
        Some(largest.checked_add(1).map_or(seed, |count| seed % count))
    }

    /// A seed for this round.
    fn seed(&self, purpose: Purpose, seat: usize, k: u64) -> u64 {
        self.setup.plan.games.key.seed(purpose, self.game.round + 1, seat, k)
    }

    /// The engine in a seat.
    fn engine(&self, index: usize) -> Option<&'a Specification> {
        self.setup.plan.engines.get(*self.game.seating.get(index)?)
    }

    fn position(&self) -> String {
        format!("position {}", self.referee.line())
    }

    /// Appends a token that is known to be legal.
    fn append(&mut self, m: Move) -> Result<(), Abort> {
        self.referee.append(&m.token)?;
        self.moves.push(m);
        Ok(())
    }

    /// Throws, and records the luck of the throw.
    fn throw_for_luck(&mut self, thrower: Option<usize>) -> Result<(), Abort> {
        let before = self.analyst.is_some().then(|| self.referee.line().clone());
        let listed = self.throw(thrower)?;
        let Some(thrown) = self.moves.last_mut() else { return Ok(()) };
        if let (Some(analyst), Some(line)) = (&mut self.analyst, before) {
            let luck = analyst.luck(&line, &listed, &thrown.token).map_err(Abort::Analyst)?;
            thrown.luck = luck.unwrap_or_default().into_iter().map(record::millionths).collect();
        }
        Ok(())
    }

    /// Prints the board, if that is wanted.
    fn draw(&mut self) -> Result<(), Abort> {
        if self.setup.plan.games.show {
            let diagram = self.referee.diagram()?;
            game_text::print_position(self.moves.last(), self.moves.len(), &diagram);
        }
        Ok(())
    }
}
