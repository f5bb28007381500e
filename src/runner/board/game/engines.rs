//! The engine processes of a game: how they are started, and those that play.

use std::collections::{BTreeMap, btree_map};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::{Event, Problem, Source};
use crate::protocol::seat_name;
use crate::runner::board::catalogue::Entry;
use crate::runner::board::worker::{Job, Search, Setup, Strength, Worker, Workshop};
use crate::runner::process::{Launcher, Specification};

/// How much longer than its time an engine may take before it counts as hanging.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// How long a search without a limit of time may take.
pub(super) const LONGEST: Duration = Duration::from_secs(600);

/// What starts the engines of a game, and numbers their jobs.
pub(super) struct Engines {
    /// The name of the game, for the log.
    game: String,
    entry: Arc<Entry>,
    launcher: Launcher,
    workshop: Arc<dyn Workshop>,
    /// Where reports go.
    events: Sender<Event>,
    last_ticket: u64,
}

impl Engines {
    pub(super) fn new(
        game: &str,
        entry: &Arc<Entry>,
        launcher: Launcher,
        workshop: Arc<dyn Workshop>,
        events: Sender<Event>,
    ) -> Self {
        let (game, entry) = (game.to_owned(), Arc::clone(entry));
        Engines { game, entry, launcher, workshop, events, last_ticket: 1 }
    }

    /// The ticket of the last job.
    pub(super) fn last_ticket(&self) -> u64 {
        self.last_ticket
    }

    /// A new ticket for a job.
    pub(super) fn ticket(&mut self) -> u64 {
        self.last_ticket += 1;
        self.last_ticket
    }

    fn start(
        &self,
        source: Source,
        what: &str,
        engine: Option<Specification>,
        strength: Strength,
    ) -> Result<Box<dyn Worker>, Problem> {
        let Some(engine) = engine else {
            return Err(Problem::new("engine", "there is no engine"));
        };
        let label = format!("{}-{what}", self.game);
        let setup = Setup { launcher: self.launcher.clone(), engine, label, strength };
        let events = self.events.clone();
        let post = Box::new(move |ticket, report| {
            // The game may be gone.
            let _ = events.send(Event::Report(source, ticket, report));
        });
        Ok(self.workshop.start(setup, post)?)
    }

    /// The first engine without its options, to show positions.
    pub(super) fn start_viewer(
        &self,
        source: Source,
        what: &str,
    ) -> Result<Box<dyn Worker>, Problem> {
        self.start(source, what, self.entry.referee(), Strength::default())
    }

    /// The first engine with its own options, to look ahead.
    pub(super) fn start_analyst(
        &self,
        source: Source,
        what: &str,
    ) -> Result<Box<dyn Worker>, Problem> {
        self.start(source, what, self.entry.engines.first().cloned(), Strength::default())
    }
}

/// The engines that play, by their seats.
#[derive(Default)]
pub(super) struct Players {
    workers: BTreeMap<usize, Box<dyn Worker>>,
    /// The search of the seat that is to move, and its ticket.
    thinking: Option<(usize, u64)>,
}

impl Players {
    pub(super) fn thinking(&self) -> Option<usize> {
        self.thinking.map(|(seat, _)| seat)
    }

    /// Lets the engine of a seat search, started if it does not run.
    pub(super) fn think(
        &mut self,
        engines: &mut Engines,
        seat: usize,
        (engine, strength): (Specification, Strength),
        search: Search,
    ) -> Result<(), Problem> {
        let worker = match self.workers.entry(seat) {
            btree_map::Entry::Occupied(known) => known.into_mut(),
            btree_map::Entry::Vacant(place) => {
                let source = Source::Seat(seat);
                place.insert(engines.start(source, &seat_name(seat), Some(engine), strength)?)
            }
        };
        let ticket = engines.ticket();
        worker.send(ticket, Job::Search(search));
        self.thinking = Some((seat, ticket));
        Ok(())
    }

    /// Whether that is the search that is waited for; it is over then.
    pub(super) fn finish(&mut self, seat: usize, ticket: u64) -> bool {
        self.thinking.take_if(|thinking| *thinking == (seat, ticket)).is_some()
    }

    /// Stops the search of the seat that is to move; its result will be ignored.
    pub(super) fn stop(&mut self) {
        if let Some((seat, ticket)) = self.thinking.take()
            && let Some(player) = self.workers.get(&seat)
        {
            player.cancel_below(ticket + 1);
        }
    }

    /// The engine of a seat ends.
    pub(super) fn remove(&mut self, seat: usize) {
        self.workers.remove(&seat);
    }
}
