//! The trial before the first game, and the complete setup of a match that it leads to.

use anyhow::{Context, Result, bail, ensure};

use super::luck;
use super::openings::Opening;
use super::plan::MatchPlan;
use super::record::{self, FORMAT, Header, Keeping};
use super::schedule::{Schedule, Seating};
use super::sequential::SequentialTest;
use crate::protocol::Dialect;
use crate::runner::key::MatchKey;
use crate::runner::process::{Client, Fault, FaultKind, RefereeAbilities, Specification};

/// A match that is ready to be played. Nothing in it changes any more.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    /// What was asked for.
    pub(super) plan: MatchPlan,
    /// What the engines said about themselves.
    pub(super) trial: Trial,
    /// Every game.
    pub(super) schedule: Schedule,
}

/// What the trial found out.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    /// The number of seats, and what the referee can be asked.
    pub(super) referee: RefereeAbilities,
    /// The game, by the name of the referee.
    pub(super) variant: String,
    /// The rule options of the match, as the referee reports them; empty if it does not.
    pub(super) rules: String,
    /// What each engine calls itself, and whether it answers queries.
    pub(super) engines: Vec<EngineTrial>,
}

/// What the trial found out about one engine.
#[derive(Clone, Debug)]
pub(super) struct EngineTrial {
    /// Its name and author.
    pub(super) identity: String,
    /// Whether it answers queries about the result.
    pub(super) answers_queries: bool,
}

impl Setup {
    /// Tries every engine out and works out the schedule.
    ///
    /// # Errors
    /// Anything that would make the match meaningless.
    pub(super) fn new(plan: MatchPlan) -> Result<Self> {
        let trial = Trial::run(&plan)?;
        let names: Vec<String> = plan.engines.iter().map(|engine| engine.name.clone()).collect();
        let seats = trial.referee.seats;
        let seating = Seating::parse(&plan.schedule.seating, &names, seats)?;
        let schedule = Schedule::new(names.len(), seats, &seating, &plan.schedule)?;
        if plan.run.sprt.is_some() {
            SequentialTest::ensure_applies(names.len())?;
        }
        let setup = Setup { plan, trial, schedule };
        record::ensure_readable_header(&setup.header()).context("the records of this match")?;
        Ok(setup)
    }

    /// The number of seats.
    pub(super) fn seats(&self) -> usize {
        self.trial.referee.seats
    }

    /// The key of the match, and where it is kept.
    pub(super) fn key(&self) -> (MatchKey, Keeping) {
        let keeping = match (self.trial.referee.secrets, self.plan.games.key_given) {
            (false, _) => Keeping::Beside,
            (true, false) => Keeping::InMemory,
            (true, true) => Keeping::Given,
        };
        (self.plan.games.key.clone(), keeping)
    }

    /// What engines could find out.
    pub(super) fn warning(&self) -> Option<String> {
        let seed = self.plan.games.seed.filter(|_| self.trial.referee.secrets)?;
        Some(format!(
            "--seed {seed} in a game with secrets: an engine that tries small numbers finds the seed, \
             and every secret, within seconds; leave it out, or use --key-file FILE"
        ))
    }

    /// The first line of the records.
    pub(super) fn header(&self) -> Header {
        Header {
            parlor: FORMAT,
            seats: self.seats(),
            engines: self.plan.engines.iter().map(|engine| engine.name.clone()).collect(),
            identities: self.trial.engines.iter().map(|engine| engine.identity.clone()).collect(),
            variant: self.trial.variant.clone(),
            rules: self.trial.rules.clone(),
            key: Some(self.plan.games.key.commitment()),
            secrets: self.trial.referee.secrets,
            openings: self.plan.games.openings_hash.clone(),
            bundles: self.schedule.bundle_sizes(),
            config: self.plan.identity.clone(),
            run: self.plan.recorded_run.clone(),
            ..Header::default()
        }
    }
}

impl Trial {
    /// Starts every engine and the referee once, with every option and opening, and compares what
    /// they report about the start.
    fn run(plan: &MatchPlan) -> Result<Self> {
        let openings = &plan.games.openings;
        let first = openings.first().map_or("startpos", Opening::argument).to_owned();
        let (referee, variant, rules, start) =
            plan.launcher.examine(&plan.referee, "the referee", |client| {
                let mut abilities = RefereeAbilities::probe(client)?;
                if plan.games.random_plies > 0 || plan.games.substitutes {
                    abilities.try_random(client)?;
                }
                try_openings(client, openings, abilities)?;
                let rules = client.probe("rules")?.and_then(Result::ok).unwrap_or_default();
                Ok((abilities, client.name().to_owned(), rules, fen(client, &first)?))
            })?;
        let try_player = |engine: &Specification, title: &str| {
            let tried = plan.launcher.examine(engine, title, |client| {
                try_engine(client, engine, referee.seats, &first, start.as_deref())
            })?;
            match tried {
                Some(tried) => Ok(tried),
                None => plan.launcher.examine(engine, title, |client| {
                    Ok(EngineTrial { identity: identity(client), answers_queries: false })
                }),
            }
        };
        let mut engines = Vec::new();
        for engine in &plan.engines {
            engines.push(try_player(engine, &format!("engine {}", engine.name))?);
        }
        if let Some(analyst) = &plan.analyst {
            plan.launcher.examine(analyst, "--luck", |client| {
                luck::try_out(client, analyst, plan.games.move_timeout, referee.seats)
            })?;
        }
        if let Some(adjudicator) = &plan.adjudicator {
            try_player(adjudicator, "--adjudicator")?;
        }
        Ok(Trial { referee, variant, rules, engines })
    }
}

/// Every opening must be a position where somebody is to move.
fn try_openings(
    referee: &mut Client,
    openings: &[Opening],
    abilities: RefereeAbilities,
) -> Result<()> {
    for opening in openings {
        let errors = referee.send_synced(&format!("position {}\n", opening.argument()))?;
        if let Some(error) = errors.first() {
            bail!("{}: the referee refuses it: {error}", opening.source);
        }
        let end = referee.probe(abilities.end_query())?.and_then(Result::ok);
        if end.is_some_and(|end| end != "false" && end != "none") {
            bail!("{}: the game is over there", opening.source);
        }
    }
    Ok(())
}

/// An engine must play with as many seats as the referee and start from the same position. `None` if
/// it ends at a query: a player need not know any, and is asked none when it is started again.
fn try_engine(
    client: &mut Client,
    engine: &Specification,
    seats: usize,
    position: &str,
    start: Option<&str>,
) -> Result<Option<EngineTrial>> {
    ensure!(
        !engine.ponder || (engine.dialect == Dialect::Uci && seats == 2),
        "ponder=true needs proto=uci and a game of two seats"
    );
    match ask_engine(client, engine, seats, position, start) {
        Err(error) if error.downcast_ref().is_some_and(has_ended_at_query) => Ok(None),
        tried => tried.map(Some),
    }
}

fn has_ended_at_query(fault: &Fault) -> bool {
    let ended = matches!(fault.kind, FaultKind::Crash | FaultKind::ClosedPipe);
    ended && fault.command.starts_with("query")
}

fn ask_engine(
    client: &mut Client,
    engine: &Specification,
    seats: usize,
    position: &str,
    start: Option<&str>,
) -> Result<EngineTrial> {
    if let Some(Ok(theirs)) = client.probe("seats")? {
        ensure!(
            theirs == seats.to_string(),
            "it plays with {theirs} seats, the referee with {seats}"
        );
    }
    if let (Some(ours), Some(theirs)) = (start, fen(client, position)?) {
        ensure!(
            *ours == theirs,
            "it starts from '{theirs}', the referee from '{ours}': another game, or other rules"
        );
    }
    let answers = client.probe_all(["gameover", "result"])?;
    let answers = answers.iter().all(|answer| matches!(answer, Some(Ok(_))));
    let answers_queries = answers && engine.dialect == Dialect::Ugi;
    Ok(EngineTrial { identity: identity(client), answers_queries })
}

fn identity(client: &Client) -> String {
    format!("{} by {}", client.name(), client.author())
}

fn fen(client: &mut Client, position: &str) -> Result<Option<String>> {
    client.send_synced(&format!("position {position}\n"))?;
    Ok(client.probe("fen")?.and_then(Result::ok))
}
