//! What all games of a match have in common, and the trial before the first of them.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::client::{Client, Manner, printable};
use super::fault::Fault;
use super::limits::Limits;
use super::luck;
use super::openings::Opening;
use super::process::{ErrorOutput, Launch};
use super::specification::{Dialect, Specification};

/// A side gives up after so many moves of its own at or below a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resignation {
    /// Moves in a row.
    pub moves: u32,
    /// The score, as a positive number of centipawns.
    pub score: i32,
}

/// A game is drawn after so many moves in a row of scores near nought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// The first move (of a seat's own) that counts.
    pub from: u32,
    /// Moves in a row, of every seat.
    pub moves: u32,
    /// The largest score, in centipawns.
    pub score: i32,
}

/// Everything that the games of a match share.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The engines.
    pub engines: Vec<Specification>,
    /// The referee.
    pub referee: Specification,
    /// Who values throws, where results are to be adjusted for luck.
    pub analyst: Option<Specification>,
    /// The match's rule options.
    pub rules: Vec<(String, String)>,
    /// Limits for engines without their own.
    pub limits: Limits,
    /// How long a move may take where no limit is one of time.
    pub move_timeout: Duration,
    /// Openings, in the order they are played; never empty.
    pub openings: Vec<Opening>,
    /// Random plies after the opening.
    pub random_plies: u32,
    /// The seed of the match.
    pub seed: u64,
    /// Moves after which a game is drawn.
    pub ply_limit: Option<usize>,
    /// When a side gives up.
    pub resignation: Option<Resignation>,
    /// When scores make a draw.
    pub draw_rule: Option<DrawRule>,
    /// Whether a random mover takes the seat of a faulty engine.
    pub substitutes: bool,
    /// Patience and log.
    pub manner: Manner,
    /// Where the engines' standard error goes.
    pub error_directory: Option<PathBuf>,
    /// Whether the game is drawn on standard output as it goes.
    pub show: bool,
    /// Whether wall-clock times stay out of the records.
    pub reproducible: bool,
    /// The number of seats, as the referee told it.
    pub seats: usize,
    /// What the referee can be asked.
    pub abilities: Abilities,
    /// Which engines answer queries, by index.
    pub answering: Vec<bool>,
}

/// What a referee can be asked beyond the queries of plain UGI.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Abilities {
    /// `query turn`; else `query p1turn`.
    pub turn: bool,
    /// `query view`; else everybody sees everything.
    pub views: bool,
    /// `query islegal`; else the next `position` shows.
    pub legality: bool,
}

/// What the trial found out.
#[derive(Clone, Default, Debug)]
pub struct Trial {
    /// The number of seats.
    pub seats: usize,
    /// What the referee can be asked.
    pub abilities: Abilities,
    /// The rules in force, in the referee's words; empty if it does not tell.
    pub rules: String,
    /// What the engines call themselves.
    pub identities: Vec<String>,
    /// Which engines answer queries.
    pub answering: Vec<bool>,
}

impl Setup {
    /// What it takes to start an engine; `label` names the file of its standard error.
    pub fn launch(&self, engine: &Specification, label: &str, cores: &[usize]) -> Launch {
        let error_output = match &self.error_directory {
            None => ErrorOutput::Discard,
            Some(directory) => ErrorOutput::File(directory.join(format!("{label}.stderr"))),
        };
        Launch {
            program: engine.program.clone(),
            arguments: engine.arguments.clone(),
            directory: engine.directory.clone(),
            error_output,
            cores: cores.to_vec(),
        }
    }

    /// Starts an engine, greets it and sets its options: the match's rules, then its own.
    ///
    /// # Errors
    /// The engine's fault; a refused option counts as one.
    pub fn start(
        &self,
        engine: &Specification,
        label: &str,
        cores: &[usize],
    ) -> Result<Client, Fault> {
        let launch = self.launch(engine, label, cores);
        let mut client = Client::start(&launch, engine.dialect, label.to_owned(), &self.manner)?;
        let mut lines = String::new();
        for (name, value) in self.rules.iter().chain(&engine.options) {
            lines += &format!("setoption name {name} value {value}\n");
        }
        client.tell(&lines)?;
        Ok(client)
    }

    /// Starts every engine and the referee once, with every option and opening, and compares what
    /// they say about the start.
    ///
    /// # Errors
    /// Whatever would make the match meaningless: said before the first game.
    pub fn trial(&self) -> Result<Trial> {
        let first = self.openings.first().map_or("startpos".to_owned(), Opening::argument);
        let mut trial = Trial::default();
        let start = self.tried(&self.referee, "the referee", |referee| {
            trial.abilities = abilities(referee)?;
            trial.seats = match referee.probe("seats")? {
                Some(Ok(text)) => text
                    .trim()
                    .parse()
                    .with_context(|| format!("'query seats' brings '{text}', not a number"))?,
                _ => 2,
            };
            ensure!((2..=9).contains(&trial.seats), "'query seats' brings {}", trial.seats);
            self.try_openings(referee)?;
            if let Some(Ok(rules)) = referee.probe("rules")? {
                trial.rules = rules;
            }
            fen(referee, &first)
        })?;
        for engine in &self.engines {
            let title = format!("engine {}", engine.name);
            let seats = trial.seats;
            let answering = self.tried(engine, &title, |client| {
                if let Some(Ok(theirs)) = client.probe("seats")? {
                    ensure!(
                        theirs == seats.to_string(),
                        "it plays with {theirs} seats, the referee with {seats}"
                    );
                }
                if let (Some(ours), Some(theirs)) = (&start, fen(client, &first)?) {
                    ensure!(
                        *ours == theirs,
                        "it starts from '{theirs}', the referee from '{ours}'"
                    );
                }
                ensure!(
                    !engine.ponder || (engine.dialect == Dialect::Uci && seats == 2),
                    "ponder=true needs proto=uci and a game of two seats"
                );
                trial.identities.push(format!("{} by {}", client.name(), client.author()));
                let answers = client.probe("gameover")?.is_some_and(|answer| answer.is_ok());
                Ok(answers && engine.dialect == Dialect::Ugi)
            })?;
            trial.answering.push(answering);
        }
        if let Some(analyst) = &self.analyst {
            self.tried(analyst, "--luck", |client| {
                luck::try_out(client, analyst, self.move_timeout, trial.seats)
            })?;
        }
        Ok(trial)
    }

    /// Tries one engine. Where its standard error is not kept, the end of it goes into the message.
    fn tried<T>(
        &self,
        engine: &Specification,
        title: &str,
        examine: impl FnOnce(&mut Client) -> Result<T>,
    ) -> Result<T> {
        let mut launch = self.launch(engine, &format!("{}.trial", engine.name), &[]);
        let scratch = match launch.error_output {
            ErrorOutput::File(_) => None,
            ErrorOutput::Discard => {
                let name = format!("parlor-{}-{}.stderr", std::process::id(), engine.name);
                let path = std::env::temp_dir().join(name.replace('/', "_"));
                launch.error_output = ErrorOutput::File(path.clone());
                Some(path)
            }
        };
        let result = self.started(engine, title, &launch).and_then(|mut client| {
            let result = examine(&mut client);
            client.quit();
            result
        });
        let complaint = scratch.map_or(String::new(), |path| {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let _ = std::fs::remove_file(&path);
            text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned()
        });
        match result {
            // Where the engine itself broke off, it may have said why.
            Err(error) if error.is::<Fault>() && !complaint.is_empty() => {
                let complaint = printable(&complaint, 200);
                Err(anyhow!("{error} (its last word on standard error: {complaint})"))
            }
            result => result,
        }
        .with_context(|| title.to_owned())
    }

    fn started(&self, engine: &Specification, title: &str, launch: &Launch) -> Result<Client> {
        let label = format!("{title} (trial)").replace(' ', "-");
        let mut client = Client::start(launch, engine.dialect, label, &self.manner)?;
        for ((name, value), whose) in self
            .rules
            .iter()
            .map(|rule| (rule, "--rule "))
            .chain(engine.options.iter().map(|option| (option, "option.")))
        {
            if !client.has_option(name) {
                let known: Vec<&str> =
                    client.options().iter().map(|option| option.name.as_str()).collect();
                bail!("no option for {whose}{name}={value}; it declares: {}", known.join(", "));
            }
            let errors = client.tell(&format!("setoption name {name} value {value}\n"))?;
            if let Some(error) = errors.first() {
                bail!("{whose}{name}={value} is refused: {error}");
            }
        }
        let errors = client.tell("position startpos\n")?;
        if let Some(error) = errors.first() {
            bail!("'position startpos' is refused: {error}");
        }
        Ok(client)
    }

    fn try_openings(&self, referee: &mut Client) -> Result<()> {
        for opening in &self.openings {
            let errors = referee.tell(&format!("position {}\n", opening.argument()))?;
            if let Some(error) = errors.first() {
                bail!("{}: the referee refuses it: {error}", opening.source);
            }
            if referee.query("gameover")?.as_deref() == Ok("true") {
                bail!("{}: the game is over there", opening.source);
            }
        }
        Ok(())
    }
}

fn abilities(referee: &mut Client) -> Result<Abilities> {
    referee.tell("position startpos\n")?;
    let turn = referee.probe("turn")?.is_some_and(|answer| answer.is_ok());
    let views = referee.probe("view p1")?.is_some_and(|answer| answer.is_ok());
    // No move is called so, but whoever knows the query says `false` or what is wrong with it.
    let legality = match referee.probe("islegal 0000")? {
        Some(Ok(_)) => true,
        Some(Err(error)) => !error.starts_with("unknown-query"),
        None => false,
    };
    if !turn && referee.probe("p1turn")?.is_none_or(|answer| answer.is_err()) {
        bail!("it answers neither 'query turn' nor 'query p1turn'; see --referee");
    }
    Ok(Abilities { turn, views, legality })
}

fn fen(client: &mut Client, position: &str) -> Result<Option<String>> {
    client.tell(&format!("position {position}\n"))?;
    Ok(client.probe("fen")?.and_then(Result::ok))
}
