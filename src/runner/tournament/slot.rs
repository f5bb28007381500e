//! A slot of a match: the processes that play one game after another.
//!
//! Every seat has its own process, even where one engine plays several seats: what a process
//! learns in one seat never reaches another seat of the same game.

use super::luck::Analyst;
use super::officials::{Abort, Officials};
use super::record::Record;
use super::referee_loop::RefereedGame;
use super::schedule::ScheduledGame;
use super::setup::Setup;
use crate::runner::process::{Client, Fault, FaultKind, Specification, interrupt};
use crate::runner::referee::Referee;

/// How often a game is started when the referee fails.
const REFEREE_ATTEMPTS: usize = 3;

/// The officials, and the processes in the seats or why they could not be started.
type Processes = (Officials, Vec<Result<Client, Fault>>);

/// The processes of one slot.
#[derive(Debug)]
pub(super) struct GameSlot<'a> {
    setup: &'a Setup,
    number: usize,
    cores: Vec<usize>,
    referee: Option<Referee>,
    analyst: Option<Analyst>,
    adjudicator: Option<Client>,
    /// Idle processes, each with the index of its engine.
    idle: Vec<(usize, Client)>,
    started: usize,
}

impl<'a> GameSlot<'a> {
    /// A slot without processes yet; they are started when they are needed.
    pub(super) fn new(setup: &'a Setup, number: usize, cores: Vec<usize>) -> Self {
        GameSlot {
            setup,
            number,
            cores,
            referee: None,
            analyst: None,
            adjudicator: None,
            idle: Vec::new(),
            started: 0,
        }
    }

    /// Plays one game.
    ///
    /// # Errors
    /// [`Abort`] when the game could not be finished; then nothing is recorded.
    pub(super) fn play(&mut self, game: &ScheduledGame) -> Result<Record, Abort> {
        let mut last = None;
        for _ in 0..REFEREE_ATTEMPTS {
            let (mut officials, seats) = match self.fill_seats(game) {
                Ok(seated) => seated,
                Err(abort) => {
                    last = Some(abort);
                    continue;
                }
            };
            let mut play = RefereedGame::new(self.setup, game, &mut officials, seats);
            let result = play.run();
            let seats = play.into_clients();
            if interrupt::stopping_now() {
                return Err(Abort::Stopped);
            }
            self.keep_idle(game, seats);
            match result {
                Ok(record) => {
                    self.referee = Some(officials.referee);
                    self.analyst = officials.analyst;
                    self.adjudicator = officials.adjudicator;
                    return Ok(record);
                }
                Err(Abort::Stopped) => return Err(Abort::Stopped),
                Err(abort) => last = Some(abort),
            }
        }
        if interrupt::stopping_now() {
            return Err(Abort::Stopped);
        }
        Err(last.unwrap_or(Abort::Stopped))
    }

    /// Fills the seats: with idle processes, else with new ones. An engine that does not start
    /// leaves its fault in its seat.
    fn fill_seats(&mut self, game: &ScheduledGame) -> Result<Processes, Abort> {
        self.idle.retain_mut(|(engine, _)| game.seating.contains(engine));
        let referee = match self.referee.take() {
            Some(referee) => referee,
            None => {
                let label = format!("referee@{}", self.number);
                let plan = &self.setup.plan;
                let client = plan.launcher.start_referee(&plan.referee, &label, &self.cores)?;
                Referee::new(client, self.setup.trial.referee)
            }
        };
        let analyst = match (self.analyst.take(), &self.setup.plan.analyst) {
            (None, Some(specification)) => {
                let label = format!("analyst@{}", self.number);
                let client = self.setup.plan.launcher.start(specification, &label, &self.cores);
                let client = client.map_err(Abort::Analyst)?;
                // Time does not matter here: a late value is as good as any.
                let allowance = self.setup.plan.games.move_timeout;
                Some(Analyst::new(client, specification, allowance, self.setup.seats()))
            }
            (analyst, _) => analyst,
        };
        let adjudicator = match (self.adjudicator.take(), &self.setup.plan.adjudicator) {
            (None, Some(specification)) => {
                let label = format!("adjudicator@{}", self.number);
                let client = self.setup.plan.launcher.start(specification, &label, &self.cores);
                Some(client.map_err(Abort::Adjudicator)?)
            }
            (adjudicator, _) => adjudicator,
        };
        let mut seats = Vec::new();
        for &engine in &game.seating {
            seats.push(self.process_for(engine));
        }
        Ok((Officials { referee, analyst, adjudicator }, seats))
    }

    fn process_for(&mut self, engine: usize) -> Result<Client, Fault> {
        if let Some(place) = self.idle.iter().position(|(index, _)| *index == engine) {
            return Ok(self.idle.swap_remove(place).1);
        }
        self.started += 1;
        let specification = self.specification(engine);
        let label = format!("{}@{}.{}", specification.name, self.number, self.started);
        self.setup.plan.launcher.start(specification, &label, &self.cores).map_err(|fault| Fault {
            // Whatever the fault was, it happened before the game.
            kind: FaultKind::NoHandshake,
            ..fault
        })
    }

    fn specification(&self, engine: usize) -> &'a Specification {
        self.setup.plan.engines.get(engine).unwrap_or(&self.setup.plan.referee)
    }

    /// Keeps the processes that can be used again. In games with secrets none is: the rotations of
    /// a round have the same deal, and a process that remembered one would know the next.
    fn keep_idle(&mut self, game: &ScheduledGame, seats: Vec<Option<Client>>) {
        for (&engine, client) in game.seating.iter().zip(seats) {
            let Some(client) = client else { continue };
            if self.setup.trial.referee.secrets || self.specification(engine).restart {
                client.quit();
            } else {
                self.idle.push((engine, client));
            }
        }
    }

    /// Ends all processes.
    pub(super) fn close(&mut self) {
        for (_, client) in self.idle.drain(..) {
            client.quit();
        }
        if let Some(referee) = self.referee.take() {
            referee.quit();
        }
        if let Some(analyst) = self.analyst.take() {
            analyst.quit();
        }
        if let Some(adjudicator) = self.adjudicator.take() {
            adjudicator.quit();
        }
    }
}
