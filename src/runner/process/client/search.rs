//! Searches: `go`, the reports meanwhile, and the move, in time or late.

use std::time::Duration;

use super::{Client, printable};
use crate::platform::Instant;
use crate::protocol::Info;
use crate::protocol::engine_output::{self, Line};
use crate::runner::process::connection::Failure;
use crate::runner::process::fault::{Fault, FaultKind};

/// Bytes of output after which an engine without `bestmove` counts as endless rather than silent.
pub(super) const FLOOD: usize = 1 << 20;

/// How often an observed search is asked whether it should go on.
#[cfg(feature = "household")]
const POLL: Duration = Duration::from_millis(15);

/// The allowance of a search without one.
#[cfg(feature = "household")]
const FOREVER: Duration = Duration::from_secs(1 << 30);

/// Error codes that mean: the engine refuses the position that it was sent.
const POSITION_ERRORS: [&str; 8] = [
    "bad-position",
    "bad-move",
    "illegal-move",
    "game-over",
    "too-long",
    "not-ascii",
    "stale",
    "not-to-act",
];

/// The names under which an engine sees no move; the first may be a pass.
pub(crate) const NO_MOVE: [&str; 2] = ["0000", "(none)"];

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SearchResult {
    /// The move.
    pub(crate) token: String,
    /// The expected reply, to ponder on.
    pub(crate) ponder: Option<String>,
    /// The last report of the principal variation before the move.
    pub(crate) info: Option<Info>,
    /// Why it is played, as the engine says.
    pub(crate) reason: Option<String>,
    /// The time from `go` to `bestmove`.
    pub(crate) elapsed: Duration,
}

impl Client {
    /// Sends a position and `go`, and reads to `bestmove`.
    ///
    /// # Errors
    /// The engine's fault; [`FaultKind::Overtime`] if the move came after `allowance`.
    pub(crate) fn search(
        &mut self,
        position: &str,
        go: &str,
        allowance: Duration,
    ) -> Result<SearchResult, Fault> {
        let started = self.send_search(position, go)?;
        self.await_move(go, started, allowance)
    }

    /// Sends a position and `go ponder ...`.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn ponder(&mut self, position: &str, go: &str) -> Result<(), Fault> {
        self.send_search(position, go).map(drop)
    }

    /// Sends a position and `go`, with `isready` between them: a `bestmove` before its answer is no
    /// answer to this `go`, however late it comes.
    fn send_search(&mut self, position: &str, go: &str) -> Result<Instant, Fault> {
        self.count_strays();
        position.clone_into(&mut self.position);
        let started = Instant::now();
        self.in_step = false;
        self.send(&format!("{position}\nisready\n{go}\n"))?;
        Ok(started)
    }

    /// The expected reply was played: the search continues on the engine's own clock.
    ///
    /// # Errors
    /// As [`Client::think`].
    pub(crate) fn ponder_hit(&mut self, allowance: Duration) -> Result<SearchResult, Fault> {
        let started = Instant::now();
        self.send("ponderhit\n")?;
        self.await_move("ponderhit", started, allowance)
    }

    /// Another reply was played: the search is stopped and its move ignored.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn ponder_miss(&mut self) -> Result<(), Fault> {
        self.send("stop\n")?;
        let started = Instant::now();
        self.await_move("stop", started, self.settings.patience).map(drop)
    }

    /// The same as [`Client::search`], with every report shown to `observe`, which is also asked
    /// often, with `None`, whether the search should go on. Without an allowance it goes on until
    /// that says `false`.
    ///
    /// # Errors
    /// As [`Client::search`].
    #[cfg(feature = "household")]
    pub(crate) fn watch(
        &mut self,
        position: &str,
        go: &str,
        allowance: Option<Duration>,
        observe: &mut dyn FnMut(Option<&Info>) -> bool,
    ) -> Result<SearchResult, Fault> {
        let started = self.send_search(position, go)?;
        let mut search = Search::new(started);
        let allowance = allowance.unwrap_or(FOREVER);
        let mut deadline = started + allowance;
        let mut stopped = false;
        loop {
            let now = Instant::now();
            if !stopped && (now >= deadline || !observe(None)) {
                stopped = true;
                deadline = now + self.settings.patience;
                if let Err(failure) = self.send_by("stop\n", deadline) {
                    return Err(self.failure(failure, go));
                }
            } else if now >= deadline {
                return Err(self.unstoppable(go));
            }
            match self.read_by(deadline.min(Instant::now() + POLL)) {
                Err(Failure::Timeout) => continue,
                Err(failure) => return Err(self.failure(failure, go)),
                Ok(()) => {}
            }
            match search.hear(&self.line, &mut self.in_step) {
                Heard::Found(found) => return self.judged(found, search.error, allowance, go),
                Heard::Info(info) => drop(observe(Some(&info))),
                other => self.note(other),
            }
        }
    }

    fn await_move(
        &mut self,
        go: &str,
        started: Instant,
        allowance: Duration,
    ) -> Result<SearchResult, Fault> {
        let mut search = Search::new(started);
        let deadline = started + allowance;
        match self.follow(&mut search, deadline) {
            Ok(found) => return self.judged(found, search.error, allowance, go),
            Err(Failure::Timeout) => {}
            Err(failure) => return Err(self.failure(failure, go)),
        }
        let received = self.engine.received();
        if let Err(failure) = self.send_by("stop\n", Instant::now() + self.settings.patience) {
            let failure = self.flooded(failure, received);
            let moment = format!("at '{go}'");
            return Err(self.diagnose(failure, "input", &moment, go));
        }
        match self.follow(&mut search, Instant::now() + self.settings.patience) {
            Ok(found) => return self.judged(found, search.error, allowance, go),
            Err(Failure::Timeout) => {}
            Err(failure) => return Err(self.failure(failure, go)),
        }
        Err(self.unstoppable(go))
    }

    /// The fault of an engine that does not answer `stop`.
    fn unstoppable(&mut self, go: &str) -> Fault {
        if self.engine.received() > FLOOD {
            return self.failure(Failure::Endless, go);
        }
        match self.send_synced("") {
            Ok(_) => {
                let detail = format!(
                    "no bestmove {} ms after stop, though isready is answered",
                    self.settings.patience.as_millis()
                );
                self.fault(FaultKind::SilenceAfterStop, detail, go)
            }
            Err(fault) if fault.kind == FaultKind::Hang => {
                let detail = format!("no bestmove, and {}", fault.detail);
                Fault { detail, command: go.to_owned(), ..fault }
            }
            Err(fault) => Fault { command: go.to_owned(), ..fault },
        }
    }

    fn flooded(&self, failure: Failure, received: usize) -> Failure {
        if failure == Failure::Timeout && received > FLOOD { Failure::Endless } else { failure }
    }

    fn follow(&mut self, search: &mut Search, deadline: Instant) -> Result<SearchResult, Failure> {
        loop {
            self.read_by(deadline)?;
            match search.hear(&self.line, &mut self.in_step) {
                Heard::Found(found) => return Ok(found),
                other => self.note(other),
            }
            // With endless output, `read_by` alone would never notice the deadline.
            if Instant::now() >= deadline {
                return Err(Failure::Timeout);
            }
        }
    }

    fn judged(
        &self,
        found: SearchResult,
        error: Option<String>,
        allowance: Duration,
        go: &str,
    ) -> Result<SearchResult, Fault> {
        judged(found, error, allowance).map_err(|(kind, detail)| self.fault(kind, detail, go))
    }

    /// Takes down what is neither a report nor the end of a search.
    fn note(&mut self, heard: Heard) {
        match heard {
            Heard::Stray => self.strays += 1,
            Heard::Complaint(error) => self.warn(&[error]),
            Heard::Nothing | Heard::Info(_) | Heard::Found(_) => {}
        }
    }
}

/// The result of a search, unless the engine has refused the position or the move came too late:
/// then the kind of fault and what was seen.
///
/// # Errors
/// The fault.
pub(crate) fn judged(
    found: SearchResult,
    error: Option<String>,
    allowance: Duration,
) -> Result<SearchResult, (FaultKind, String)> {
    if let Some(error) = error {
        return Err((FaultKind::Disagreement, format!("refuses: {error}")));
    }
    if found.elapsed > allowance {
        let detail = format!(
            "{} after {} ms, {} ms allowed",
            printable(&found.token, 40),
            found.elapsed.as_millis(),
            allowance.as_millis()
        );
        return Err((FaultKind::Overtime, detail));
    }
    Ok(found)
}

/// What a line means to a search.
#[derive(Debug)]
pub(crate) enum Heard {
    /// Nothing.
    Nothing,
    /// A move or a report of no search.
    Stray,
    /// An error that does not mean that the position is refused.
    Complaint(String),
    /// A report.
    #[cfg_attr(not(feature = "household"), expect(dead_code, reason = "only a board watches"))]
    Info(Info),
    /// Its end.
    Found(SearchResult),
}

/// A search in progress, from its reports.
#[derive(Debug)]
pub(crate) struct Search {
    started: Instant,
    info: Option<Info>,
    reason: Option<String>,
    /// Why the position is refused.
    pub(crate) error: Option<String>,
}

impl Search {
    pub(crate) fn new(started: Instant) -> Self {
        Search { started, info: None, reason: None, error: None }
    }

    /// Takes a line down; `in_step`: whether the `isready` before the `go` has been answered.
    pub(crate) fn hear(&mut self, line: &str, in_step: &mut bool) -> Heard {
        match engine_output::read(line) {
            Line::ReadyOk => {
                *in_step = true;
                Heard::Nothing
            }
            line if !*in_step && line.is_of_search() => Heard::Stray,
            Line::BestMove { token, ponder } => Heard::Found(self.found(token, ponder)),
            Line::Info(info) => {
                self.note(info.clone());
                Heard::Info(info)
            }
            Line::Reason(reason) => {
                self.reason = Some(reason.to_owned());
                Heard::Nothing
            }
            line => self.note_error(&line).map_or(Heard::Nothing, Heard::Complaint),
        }
    }

    /// The result, once the move has come.
    fn found(&mut self, token: &str, ponder: Option<&str>) -> SearchResult {
        SearchResult {
            token: token.to_owned(),
            ponder: ponder.map(str::to_owned),
            info: self.info.take(),
            reason: self.reason.take(),
            elapsed: self.started.elapsed(),
        }
    }

    /// Keeps the first error that means: the position is refused. Another one is returned.
    fn note_error(&mut self, line: &Line) -> Option<String> {
        let Line::Error { code, text } = line else { return None };
        let error = format!("{code} {text}");
        if !POSITION_ERRORS.contains(code) {
            return Some(error);
        }
        self.error.get_or_insert(error);
        None
    }

    /// Keeps the last report of the principal variation; a report with a bound or without a score
    /// leaves the last exact score in place.
    fn note(&mut self, info: Info) {
        if info.multipv.is_some_and(|number| number != 1) {
            return;
        }
        let Some(last) = &mut self.info else {
            self.info = Some(info);
            return;
        };
        if info.score.is_some() && info.bound.is_exact() {
            *last = info;
        } else {
            last.nodes = info.nodes.or(last.nodes);
            last.depth = info.depth.or(last.depth);
        }
    }
}
