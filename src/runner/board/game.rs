//! One game: a thread that is told everything by messages. Nothing in it waits for an engine but its
//! referee.
//!
//! What can be known apart is a type of its own: `Seating`, `Connections`, `Clocks`, `Persistence`,
//! `Engines` and `Players`, `Viewers`, `Analysis`, `Review`, and the `Tree`. [`Game`] holds what
//! couples them: who may do what, what follows, and who is told.

mod analysis;
mod asking;
mod beginning;
mod chairs;
mod clocks;
mod connections;
mod ending;
mod engines;
mod playing;
mod review;
mod saving;
mod showing;

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;

use super::answers::{self, split};
use super::catalogue::Entry;
use super::links::{Guest, Links};
use super::message::{Chair, GameRequest, SeatKind, Throws};
use super::outbox::Outbox;
use super::outgoing::{Closed, OpenGame, Origin, Outgoing, Phase, Problem};
use super::saved_games::{Place, SavedGames};
use super::tree::Tree;
use super::view::View;
use super::worker::{Report, Workshop};
use crate::picture::Table;
use crate::printing::printable;
use crate::protocol::{Outcome, PositionLine, Turn};
use crate::runner::key::MatchKey;
use crate::runner::process::{Fault, Legality, RefereeAbilities};
use crate::runner::referee::Referee;
use crate::runner::tournament::record::{Ending, Header, Move, Record};

use chairs::Seating;
use clocks::Clocks;
use connections::Connections;
use engines::{Engines, Players};
use saving::Persistence;

/// How often a game checks its clocks and connections while no message comes.
const IDLE_CHECK: Duration = Duration::from_secs(20);

/// Time without a connection after which a game is closed: in phase `play`, and in other phases.
const IDLE_LIMIT_PLAYING: Duration = Duration::from_secs(6 * 3600);
const IDLE_LIMIT_OTHER: Duration = Duration::from_secs(900);

/// The number of a connection.
pub(super) type ConnectionId = u64;

/// What a game is told.
pub(super) enum Event {
    /// A connection attaches; a guest for a link, none for a host.
    Join { connection: ConnectionId, out: Outbox, guest: Option<Guest> },
    /// A connection is gone, or attached to another game.
    Leave(ConnectionId),
    /// A page asks for something; with the number of its message.
    Ask(ConnectionId, Option<u64>, GameRequest),
    /// An engine has something to say.
    Report(Source, u64, Report),
    /// The file of the game could or could not be written.
    Saved(Result<(), String>),
    /// The game ends.
    Close,
}

/// Which engine says something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Source {
    /// The one that answers for a view.
    View(View),
    /// The one that plays in a seat.
    Seat(usize),
    /// The one that analyses for a view.
    Analyst(View),
    /// The one that goes through the whole game.
    Reviewer,
}

/// What a game begins with.
pub(super) struct Setup {
    pub(super) id: String,
    pub(super) entry: Arc<Entry>,
    pub(super) rules: BTreeMap<String, String>,
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    /// Tokens that are there from the beginning.
    pub(super) moves: Vec<Move>,
    /// Who sits where; empty on a board to analyse on.
    pub(super) chairs: Vec<Chair>,
    /// The chair of each seat; empty: each in its own.
    pub(super) seating: Vec<usize>,
    pub(super) throws: Throws,
    /// The time control, as it is written.
    pub(super) tc: Option<String>,
    /// Milliseconds left on each clock, if they do not begin full.
    pub(super) clocks: Vec<u64>,
    pub(super) analysis: bool,
    /// Who played a recorded game, seat by seat; empty if nobody knows.
    pub(super) names: Vec<String>,
    /// The table's throws follow from it.
    pub(super) key: MatchKey,
    /// Milliseconds a move of an engine, unless its chair says otherwise.
    pub(super) movetime: u64,
    /// The name of the game among the saved ones, and the place of one that was saved before.
    pub(super) saved: String,
    pub(super) place: Option<Arc<dyn Place>>,
    /// What the link of spectators ends in.
    pub(super) watch: String,
    /// When the game had its last move, in milliseconds since 1970; now for a new one.
    pub(super) when: u64,
}

/// What writes a finished game down.
pub(super) type Recorder = dyn Fn(&Header, Record) -> Result<()> + Send + Sync;

/// What a game needs of the server.
#[derive(Clone)]
pub(super) struct Outside {
    /// For the engines' reports.
    pub(super) events: Sender<Event>,
    /// What the list of open games says.
    pub(super) summary: Arc<Mutex<OpenGame>>,
    pub(super) saved_games: Arc<dyn SavedGames>,
    /// What starts engines.
    pub(super) workshop: Arc<dyn Workshop>,
    /// Where finished games are recorded, if they are.
    pub(super) recording: Option<Arc<Recorder>>,
    /// Before the token in the address of a link; `None` where nobody can come by one.
    pub(super) address: Option<String>,
    /// The tokens of links.
    pub(super) links: Arc<Links>,
}

/// How a game ended: by its rules, or by a clock or a person.
#[derive(Clone, Debug)]
struct Ended {
    outcome: Outcome,
    ending: Ending,
}

/// A fault that waits for a decision.
#[derive(Clone, Debug)]
struct SeatFault {
    seat: usize,
    engine: String,
    kind: &'static str,
    text: String,
}

/// Somebody asks the others to agree.
#[derive(Clone, Debug)]
struct Offer {
    by: usize,
    what: Proposal,
    wait: BTreeSet<usize>,
}

/// What is offered.
#[derive(Clone, Copy, Debug)]
enum Proposal {
    /// To take back to a node.
    Undo(usize),
    /// To end the game without a winner.
    Draw,
}

/// A running game.
pub(super) struct Game {
    setup: Setup,
    outside: Outside,
    referee: Referee,
    title: String,
    /// The rule options that hold, as the engine writes them; empty if it does not.
    rules: String,
    tree: Tree,
    turn: Turn,
    round: u32,
    /// When it began, had its last move or ended, in milliseconds since 1970.
    when: u64,
    seq: u64,
    ended: Option<Ended>,
    fault: Option<SeatFault>,
    offer: Option<Offer>,
    table: Option<Arc<Table>>,
    /// The argument of `position` of each view at the live node.
    views: BTreeMap<View, PositionLine>,
    clocks: Clocks,
    seating: Seating,
    connections: Connections,
    engines: Engines,
    players: Players,
    viewers: asking::Viewers,
    analysis: analysis::Analysis,
    review: Option<review::Review>,
    persistence: Persistence,
    closed: bool,
}

impl Game {
    /// Starts the referee and sets the game up.
    ///
    /// # Errors
    /// When the engine does not start, or refuses the rules or the position.
    pub(super) fn new(mut setup: Setup, outside: Outside) -> Result<Self> {
        let launcher = setup.entry.launcher(&setup.rules)?;
        let Some(engine) = setup.entry.referee() else { anyhow::bail!("there is no engine") };
        let mut client = launcher.start_referee(&engine, "referee", &[])?;
        let abilities = RefereeAbilities::probe(&mut client)?;
        let (seats, secrets) = (abilities.seats, abilities.secrets);
        let mut referee = Referee::new(client, abilities).restarted_by(&launcher, &engine);
        let rules = referee.probe("rules")?.and_then(Result::ok).unwrap_or_default();
        referee.new_game()?;
        let table = referee.probe("table")?.and_then(Result::ok);
        let table = table.and_then(|table| answers::json::<Table>(&table).ok());
        let named = || printable(referee.name(), 60);
        let title = table.as_ref().map_or_else(named, |table| table.title.clone());
        let (chairs, order) = (mem::take(&mut setup.chairs), mem::take(&mut setup.seating));
        let events = outside.events.clone();
        let (saved, place) = (mem::take(&mut setup.saved), setup.place.take());
        let mut game = Game {
            tree: Tree::new(&setup.start),
            turn: Turn::Over,
            round: 1,
            when: setup.when,
            seq: 0,
            ended: None,
            fault: None,
            offer: None,
            table: table.map(Arc::new),
            views: BTreeMap::new(),
            clocks: Clocks::new(setup.tc.as_deref(), seats, &setup.clocks)?,
            seating: match setup.analysis {
                true => Seating::empty(secrets),
                false => Seating::new(chairs, order, seats, secrets)?,
            },
            connections: Connections::new(),
            engines: Engines::new(
                &setup.id,
                &setup.entry,
                launcher,
                Arc::clone(&outside.workshop),
                events.clone(),
            ),
            players: Players::default(),
            viewers: asking::Viewers::default(),
            analysis: analysis::Analysis::default(),
            review: None,
            persistence: Persistence::new(Arc::clone(&outside.saved_games), saved, place, events),
            closed: false,
            setup,
            outside,
            referee,
            title,
            rules,
        };
        game.set_up()?;
        Ok(game)
    }

    /// The number of seats.
    fn seats(&self) -> usize {
        self.referee.abilities().seats
    }

    /// Sends the referee a position; why it is refused is the inner error.
    fn load(&mut self, line: &PositionLine) -> Result<Result<(), Refusal>, Fault> {
        Ok(self.referee.load(line)?.map_err(|error| split(&error)))
    }

    /// Whether the referee allows a token at a position, and the position after it.
    fn try_token(
        &mut self,
        line: &PositionLine,
        token: &str,
    ) -> Result<Result<(), Refusal>, Fault> {
        if let Err(refusal) = self.load(line)? {
            return Ok(Err(refusal));
        }
        if self.referee.is_legal(token)? {
            // An engine that cannot say what is legal may still refuse the position.
            return self.load(&line.with(token));
        }
        let told = match self.referee.abilities().legality {
            Legality::IsLegal => self.referee.refusal(token)?,
            _ => None,
        };
        let told = told.map(|error| split(&error));
        let illegal = || ("illegal-move".to_owned(), format!("{token} is not legal here"));
        Ok(Err(told.unwrap_or_else(illegal)))
    }

    /// Runs until everybody is told that it is over.
    pub(super) fn run(mut self, events: &Receiver<Event>) {
        self.begin();
        while !self.closed {
            match events.recv_timeout(self.time_to_event()) {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => self.look_at_clock(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.end();
    }

    /// Does what can be done now, without waiting; whether the game goes on.
    pub(super) fn pump(&mut self, events: &Receiver<Event>) -> bool {
        while !self.closed {
            let Ok(event) = events.try_recv() else { break };
            self.handle(event);
        }
        self.look_at_clock();
        !self.closed
    }

    /// Begins to play.
    pub(super) fn begin(&mut self) {
        self.summarize();
        self.advance();
    }

    /// Somebody may have run out of time, or nobody has been here for long.
    fn look_at_clock(&mut self) {
        self.check_flag();
        self.close_if_idle();
    }

    /// Tells everybody that it is over, and ends its engines.
    pub(super) fn end(self) {
        self.persistence.finish();
        self.connections.send_all(&Outgoing::Closed(Closed { game: self.setup.id.clone() }));
        // Engines that think are told to stop first, so that they end at the same time.
        drop((self.players, self.viewers, self.analysis));
        self.referee.quit();
    }

    /// How long it may wait for a message.
    pub(super) fn time_to_event(&self) -> Duration {
        self.clocks.time_to_flag(self.running()).min(IDLE_CHECK)
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Join { connection, out, guest } => self.join(connection, out, guest),
            Event::Leave(connection) => self.leave(connection),
            Event::Ask(connection, id, request) => {
                let is_answered = request.is_question() || id.is_none();
                match self.ask(connection, id, request) {
                    Err(problem) => self.tell_problem(connection, id, &problem),
                    Ok(()) if is_answered => {}
                    Ok(()) => self.connections.answer(connection, id, &Outgoing::Done),
                }
            }
            Event::Report(source, ticket, report) => self.take_report(source, ticket, report),
            Event::Saved(result) => {
                if self.persistence.note(result) {
                    self.tell_states();
                }
            }
            Event::Close => self.closed = true,
        }
        self.rest_if_unwatched();
    }

    /// Carries out what a page asks for.
    fn ask(
        &mut self,
        connection: ConnectionId,
        id: Option<u64>,
        request: GameRequest,
    ) -> Result<(), Problem> {
        let spectates = self.connections.get(connection)?.guest == Some(Guest::Spectator);
        if spectates && !request.is_for_spectators() {
            return Err(Problem::new("not-allowed", "you look on"));
        }
        match request {
            GameRequest::Look { node } => self.look(connection, node),
            GameRequest::Step { node, path } => self.ask_step(connection, id, node, path),
            GameRequest::Moves { node, prefix } => self.ask_moves(connection, id, node, prefix),
            GameRequest::Play { node, token } => self.play(connection, node, &token),
            GameRequest::Throw { node } => self.throw(connection, node),
            GameRequest::Undo => self.undo(connection),
            GameRequest::Answer { yes } => self.answer(connection, yes),
            GameRequest::Resign { seat } => self.resign(connection, seat.as_deref()),
            GameRequest::GoOn { node, level } => self.go_on(connection, node, level),
            GameRequest::Rematch { level } => self.rematch(connection, level),
            GameRequest::Seat { seat, to } => self.reseat(connection, &seat, &to),
            GameRequest::Name { seat, name } => self.rename(connection, &seat, &name),
            GameRequest::Show { seat } => self.show(connection, &seat),
            GameRequest::Hide => self.hide(connection),
            GameRequest::Draw => self.offer_draw(connection),
            GameRequest::Say { phrase } => self.say(connection, phrase),
            GameRequest::Path { node, after, token } => {
                self.ask_path(connection, id, node, after, token)
            }
            GameRequest::Hint { node } => self.hint(connection, id, node),
            GameRequest::Analyse { on: true, node, lines } => self.analyse(connection, node, lines),
            GameRequest::Analyse { on: false, .. } => self.stop_analysis(connection),
            GameRequest::Review { on, movetime, depth } => {
                let limit = match depth {
                    Some(depth) => review::Limit::Depth(depth),
                    None => review::Limit::Time(movetime),
                };
                self.set_review(connection, on.then_some(limit))
            }
            GameRequest::Text { node, what } => self.ask_text(connection, id, node, what),
            GameRequest::Close => self.close(connection),
        }
    }

    fn close(&mut self, connection: ConnectionId) -> Result<(), Problem> {
        self.connections.require_host(connection)?;
        self.closed = true;
        Ok(())
    }

    fn take_report(&mut self, source: Source, ticket: u64, report: Report) {
        match (source, report) {
            (Source::View(view), Report::Answers(answers)) => {
                self.take_answers(view, ticket, answers);
            }
            (Source::Seat(seat), Report::Found(found)) => self.take_move(seat, ticket, found),
            (Source::Analyst(view), report) => self.take_analysis(view, ticket, report),
            (Source::Reviewer, Report::Found(found)) => self.take_reviewed(ticket, found),
            _ => {}
        }
    }

    fn tell_problem(&self, connection: ConnectionId, id: Option<u64>, problem: &Problem) {
        let error = Outgoing::Error(self.without_secrets(problem));
        self.connections.answer(connection, id, &error);
    }

    /// What an engine says when it fails may hold what some page must not read.
    fn without_secrets(&self, problem: &Problem) -> Problem {
        if problem.code == "engine" && self.seating.has_secrets() {
            log::warn!("{}", problem.text);
            return Problem::new("engine", "an engine does not answer as it should");
        }
        problem.clone()
    }

    /// Something that everybody should read.
    fn tell_all(&self, problem: &Problem) {
        self.connections.send_all(&Outgoing::Error(self.without_secrets(problem)));
    }

    /// A game that nobody has looked at for long is closed; an unfinished one stays saved.
    fn close_if_idle(&mut self) {
        let limit = if self.phase() == Phase::Play { IDLE_LIMIT_PLAYING } else { IDLE_LIMIT_OTHER };
        self.closed |= self.connections.idle() > limit;
    }

    /// Ends the engines of a game that is over and that nobody looks at, but for a review. They
    /// start again when somebody comes.
    fn rest_if_unwatched(&mut self) {
        let reviews = self.review.as_ref().is_some_and(review::Review::is_running);
        if self.phase() == Phase::Over && self.connections.ids().is_empty() && !reviews {
            self.players = Players::default();
            self.viewers = asking::Viewers::default();
            self.analysis = analysis::Analysis::default();
            self.review = None;
            self.referee.rest();
        }
    }

    /// Brings the list of open games up to date.
    fn summarize(&self) {
        let mut summary = self.outside.summary.lock().unwrap_or_else(PoisonError::into_inner);
        *summary = OpenGame {
            game: self.setup.id.clone(),
            title: self.title.clone(),
            phase: self.phase(),
            plies: self.tree.ply(self.tree.live()),
            seats: self.seat_labels(),
            when: self.when,
            idle: self.is_idle(),
            result: self.shown_result(),
        };
    }

    /// Whether nobody looks, and the game is over or waits for a person without a clock. What is
    /// unfinished stays saved, and opens again from the menu or by its links.
    fn is_idle(&self) -> bool {
        let kind = self.acting_seat().and_then(|seat| self.seating.kind(seat));
        let waits = self.setup.tc.is_none()
            && self.persistence.error().is_none()
            && matches!(kind, Some(SeatKind::Here | SeatKind::Link));
        self.connections.ids().is_empty() && (self.phase() != Phase::Play || waits)
    }

    fn phase(&self) -> Phase {
        match (self.setup.analysis, &self.ended) {
            (true, _) => Phase::Analysis,
            (false, None) => Phase::Play,
            (false, Some(_)) => Phase::Over,
        }
    }
}

/// What the referee refuses something with: the code and the text.
type Refusal = (String, String);

/// The referee refuses what it has accepted before: a fault of its own. What it says may hold
/// secrets, so it goes the way of all faults.
fn fault_of_referee((code, text): &Refusal) -> Problem {
    Problem::new("engine", format!("the referee refuses the game: {code} {text}"))
}
