//! One game: a thread that owns its referee, its tree and its people, and that is told everything
//! by messages. Nothing in it waits for an engine but its referee.

mod analysis;
mod asking;
mod beginning;
mod chairs;
mod clocks;
mod ending;
mod playing;
mod review;
mod saving;
mod showing;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::answers::split;
use super::catalogue::Entry;
use super::links::Links;
use super::message::{GameRequest, Throws};
use super::outbox::Outbox;
use super::outgoing::{Closed, Origin, Outgoing, Phase, Problem};
use super::tree::Tree;
use super::worker::{Report, Worker};
use crate::picture::Table;
use crate::protocol::{Outcome, PositionLine, Turn};
use crate::runner::key::MatchKey;
use crate::runner::process::{Clock, Fault, Launcher, Legality, RefereeAbilities, printable};
use crate::runner::referee::Referee;
use crate::runner::tournament::record::Move;

pub(super) use chairs::Chair;
pub(super) use saving::{SavedGames, now, read_saved};

/// How often a game checks its clocks and connections while no message comes.
const IDLE_CHECK: Duration = Duration::from_secs(20);

/// Time without a connection after which a game is closed: in phase `play`, and in other phases.
const IDLE_LIMIT_PLAYING: Duration = Duration::from_secs(6 * 3600);
const IDLE_LIMIT_OTHER: Duration = Duration::from_secs(900);

/// The number of a connection.
pub(super) type ConnectionId = u64;

/// What a game is told.
pub(super) enum Event {
    /// A connection attaches; a chair for a link, none for a host.
    Join { connection: ConnectionId, out: Outbox, chair: Option<usize> },
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

/// Whose eyes a page sees with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum View {
    /// Everything: in a game without secrets, or where nobody has one to keep.
    All,
    /// What one seat may see.
    Seat(usize),
}

impl View {
    /// The seat, if it is that of one.
    fn seat(self) -> Option<usize> {
        match self {
            View::All => None,
            View::Seat(seat) => Some(seat),
        }
    }
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
    /// The name of the file that holds the game.
    pub(super) saved: String,
}

/// What the list of open games says.
#[derive(Clone, Default, Debug)]
pub(super) struct Summary {
    pub(super) title: String,
    pub(super) phase: Phase,
    pub(super) plies: usize,
}

/// What a game needs of the server.
#[derive(Clone)]
pub(super) struct Outside {
    /// For the engines' reports.
    pub(super) events: Sender<Event>,
    pub(super) summary: Arc<Mutex<Summary>>,
    pub(super) saved_games: Arc<SavedGames>,
    /// Before the token in the address of a link.
    pub(super) address: String,
    /// The tokens of links.
    pub(super) links: Arc<Links>,
}

/// A page.
struct Connection {
    out: Outbox,
    /// The chair of a link; `None`: a host.
    chair: Option<usize>,
    /// The node it looks at; `None`: the live one.
    cursor: Option<usize>,
    /// The seat whose view was asked for, where people share a screen.
    shown: Option<usize>,
    /// The view whose tree it has.
    tree: Option<Option<View>>,
    has_table: bool,
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
    to: usize,
    wait: BTreeSet<usize>,
}

/// A running game.
pub(super) struct Game {
    setup: Setup,
    outside: Outside,
    launcher: Launcher,
    referee: Referee,
    title: String,
    /// The rule options in force, as the engine writes them; empty if it does not.
    rules: String,
    tree: Tree,
    live: usize,
    turn: Turn,
    round: u32,
    seq: u64,
    ended: Option<Outcome>,
    /// How it ended: `rules`, or by a clock or a person.
    ending: &'static str,
    clocks: Vec<Clock>,
    /// Since when the present seat decides.
    since: Instant,
    fault: Option<SeatFault>,
    offer: Option<Offer>,
    connections: BTreeMap<ConnectionId, Connection>,
    table: Option<Arc<Table>>,
    viewers: BTreeMap<View, Worker>,
    /// The argument of `position` of each view at the live node.
    views: BTreeMap<View, PositionLine>,
    players: BTreeMap<usize, Worker>,
    /// The search of the seat that is to move.
    thinking: Option<(usize, u64)>,
    next_ticket: u64,
    pending: BTreeMap<u64, asking::Pending>,
    /// Nodes that pages do not know yet.
    fresh: BTreeMap<Option<View>, BTreeSet<usize>>,
    analysts: BTreeMap<View, analysis::Analyst>,
    review: Option<review::Review>,
    save_error: Option<String>,
    /// When somebody was last here.
    watched: Instant,
    closed: bool,
}

impl Game {
    /// Starts the referee and sets the game up.
    ///
    /// # Errors
    /// When the engine does not start, or refuses the rules or the position.
    pub(super) fn new(setup: Setup, outside: Outside) -> Result<Self> {
        let launcher = setup.entry.launcher(&setup.rules)?;
        let Some(engine) = setup.entry.referee() else { anyhow::bail!("there is no engine") };
        let mut client = launcher.start(&engine, "referee", &[])?;
        let abilities = RefereeAbilities::probe(&mut client)?;
        let mut referee = Referee::new(client, abilities).restarted_by(&launcher, &engine);
        let rules = referee.probe("rules")?.and_then(Result::ok).unwrap_or_default();
        referee.new_game()?;
        let table = referee.probe("table")?.and_then(Result::ok);
        let table = table.and_then(|table| serde_json::from_str::<Table>(&table).ok());
        let title = table.map_or_else(|| printable(referee.name(), 60), |table| table.title);
        let mut game = Game {
            setup,
            outside,
            launcher,
            referee,
            title,
            rules,
            tree: Tree::new(),
            live: 0,
            turn: Turn::Over,
            round: 1,
            seq: 0,
            ended: None,
            ending: "rules",
            clocks: Vec::new(),
            since: Instant::now(),
            fault: None,
            offer: None,
            connections: BTreeMap::new(),
            table: None,
            viewers: BTreeMap::new(),
            views: BTreeMap::new(),
            players: BTreeMap::new(),
            thinking: None,
            next_ticket: 1,
            pending: BTreeMap::new(),
            fresh: BTreeMap::new(),
            analysts: BTreeMap::new(),
            review: None,
            save_error: None,
            watched: Instant::now(),
            closed: false,
        };
        game.set_up()?;
        Ok(game)
    }

    /// The number of seats.
    fn seats(&self) -> usize {
        self.referee.abilities().seats
    }

    /// Whether seats have secrets of each other.
    fn has_secrets(&self) -> bool {
        self.referee.abilities().secrets
    }

    /// The argument of `position` at a node, with everything.
    fn position(&self, node: usize) -> PositionLine {
        PositionLine::new(&self.setup.start, self.tree.tokens(node))
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
        self.summarize();
        self.advance();
        while !self.closed {
            let event = match events.recv_timeout(self.time_to_flag().min(IDLE_CHECK)) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    self.check_flag();
                    self.close_if_abandoned();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
            };
            self.handle(event);
        }
        self.send_all(&Outgoing::Closed(Closed { game: self.setup.id.clone() }));
        // Engines that think are told to stop first, so that they end at the same time.
        self.thinking = None;
        self.players.clear();
        self.viewers.clear();
        self.analysts.clear();
        self.referee.quit();
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Join { connection, out, chair } => self.join(connection, out, chair),
            Event::Leave(connection) => self.leave(connection),
            Event::Ask(connection, id, request) => {
                if let Err(problem) = self.ask(connection, id, request) {
                    self.tell_problem(connection, id, &problem);
                }
            }
            Event::Report(source, ticket, report) => self.take_report(source, ticket, report),
            Event::Saved(result) => self.note_saved(result),
            Event::Close => self.closed = true,
        }
    }

    /// Carries out what a page asks for.
    fn ask(
        &mut self,
        connection: ConnectionId,
        id: Option<u64>,
        request: GameRequest,
    ) -> Result<(), Problem> {
        match request {
            GameRequest::Look { node } => self.look(connection, node),
            GameRequest::Step { node, path } => self.ask_step(connection, id, node, path),
            GameRequest::Moves { node, prefix } => self.ask_moves(connection, id, node, prefix),
            GameRequest::Play { node, token } => self.play(connection, node, &token),
            GameRequest::Throw { node } => self.throw(connection, node),
            GameRequest::Undo => self.undo(connection),
            GameRequest::Answer { yes } => self.answer(connection, yes),
            GameRequest::Resign { seat } => self.resign(connection, seat.as_deref()),
            GameRequest::GoOn { node } => self.go_on(connection, node),
            GameRequest::Rematch => self.rematch(connection),
            GameRequest::Seat { seat, to } => self.reseat(connection, &seat, &to),
            GameRequest::Name { seat, name } => self.rename(connection, &seat, &name),
            GameRequest::Show { seat } => self.show(connection, &seat),
            GameRequest::Hide => self.hide(connection),
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
        self.require_host(connection)?;
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

    /// A new ticket for a job.
    fn ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket
    }

    fn tell_problem(&self, connection: ConnectionId, id: Option<u64>, problem: &Problem) {
        if let Some(connection) = self.connections.get(&connection) {
            connection.out.answer(id, &Outgoing::Error(self.without_secrets(problem)));
        }
    }

    /// What an engine says when it fails may hold what some page must not read.
    fn without_secrets(&self, problem: &Problem) -> Problem {
        if problem.code == "engine" && self.has_secrets() {
            log::warn!("{}", problem.text);
            return Problem::new("engine", "an engine does not answer as it should");
        }
        problem.clone()
    }

    /// Something that everybody should read.
    fn tell_all(&self, problem: &Problem) {
        self.send_all(&Outgoing::Error(self.without_secrets(problem)));
    }

    /// Sends a message to every connection.
    fn send_all(&self, message: &Outgoing) {
        for connection in self.connections.values() {
            connection.out.send(message);
        }
    }

    /// A game that nobody has looked at for long is closed; an unfinished one stays saved.
    fn close_if_abandoned(&mut self) {
        if !self.connections.is_empty() {
            self.watched = Instant::now();
        }
        let limit = if self.phase() == Phase::Play { IDLE_LIMIT_PLAYING } else { IDLE_LIMIT_OTHER };
        self.closed |= self.watched.elapsed() > limit;
    }

    /// Brings the list of open games up to date.
    fn summarize(&self) {
        let mut summary = self.outside.summary.lock().unwrap_or_else(PoisonError::into_inner);
        summary.title.clone_from(&self.title);
        summary.phase = self.phase();
        summary.plies = self.tree.get(self.live).map_or(0, |node| node.ply);
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
