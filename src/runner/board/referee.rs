//! The process that sees everything and says what the rules are. It never answers a page.

use anyhow::{Result, bail};

use super::answers::split;
use crate::protocol::engine_output::OptionDeclaration;
use crate::runner::process::{
    Answer, Client, Fault, Launcher, Legality, RefereeAbilities, Specification, printable,
};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// A seat decides, from 0.
    Seat(usize),
    /// Something is thrown for a seat.
    Chance(usize),
    /// Something is thrown for nobody.
    Deal,
    /// The game is over.
    Over,
}

impl Turn {
    /// In the words of `query turn`.
    pub(super) fn text(self) -> String {
        match self {
            Turn::Seat(seat) => super::seat_name(seat),
            Turn::Chance(seat) => format!("chance {}", super::seat_name(seat)),
            Turn::Deal => "chance".into(),
            Turn::Over => "none".into(),
        }
    }

    /// The seat that decides or throws.
    pub(super) fn seat(self) -> Option<usize> {
        match self {
            Turn::Seat(seat) | Turn::Chance(seat) => Some(seat),
            Turn::Deal | Turn::Over => None,
        }
    }
}

/// How a game ended by its rules.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ended {
    pub(super) result: String,
    pub(super) places: Vec<u32>,
    pub(super) reason: String,
    pub(super) points: Option<String>,
}

/// What a position is refused with: the code and the text.
pub(super) type Refusal = (String, String);

/// The referee of one game.
pub(super) struct Referee {
    launcher: Launcher,
    engine: Specification,
    client: Client,
    pub(super) abilities: RefereeAbilities,
    /// The rule options in force, as the engine writes them; empty if it does not.
    pub(super) rules: String,
    /// The argument of the position that is loaded.
    loaded: Option<String>,
}

impl Referee {
    /// Starts the process and finds out what it can be asked.
    ///
    /// # Errors
    /// When it does not start, refuses a rule, or cannot referee.
    pub(super) fn start(launcher: &Launcher, engine: &Specification) -> Result<Self> {
        let mut client = launcher.start(engine, "referee", &[])?;
        let abilities = RefereeAbilities::probe(&mut client)?;
        let rules = client.probe("rules")?.and_then(Result::ok).unwrap_or_default();
        client.new_game(None)?;
        let (launcher, engine) = (launcher.clone(), engine.clone());
        Ok(Referee { launcher, engine, client, abilities, rules, loaded: None })
    }

    /// The title that the engine gives its game.
    pub(super) fn title(&mut self) -> Result<String, Fault> {
        let table = self.asked(|client| client.probe("table"))?;
        let title = table.and_then(Result::ok).and_then(|table| {
            let table: crate::picture::Table = serde_json::from_str(&table).ok()?;
            Some(table.title)
        });
        Ok(title.unwrap_or_else(|| printable(self.client.name(), 60)))
    }

    /// Calls the engine; after a crash or a hang it is started anew, once.
    fn asked<T>(
        &mut self,
        mut ask: impl FnMut(&mut Client) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        match ask(&mut self.client) {
            Err(fault) if !fault.kind.leaves_process_usable() => {
                log::warn!("the referee is started anew: {fault}");
                self.client = self.launcher.start(&self.engine, "referee", &[])?;
                self.client.new_game(None)?;
                if let Some(position) = &self.loaded {
                    self.client.send_synced(&format!("position {position}\n"))?;
                }
                ask(&mut self.client)
            }
            answer => answer,
        }
    }

    /// Loads a position, unless it is loaded already.
    ///
    /// # Errors
    /// A fault; the refusal is the inner error.
    pub(super) fn load(&mut self, position: &str) -> Result<Result<(), Refusal>, Fault> {
        if self.loaded.as_deref() == Some(position) {
            return Ok(Ok(()));
        }
        // A restart must not send what may be refused.
        self.loaded = None;
        let line = format!("position {position}\n");
        let errors = self.asked(|client| client.send_synced(&line))?;
        Ok(match errors.first() {
            Some(error) => Err(split(error)),
            None => {
                self.loaded = Some(position.to_owned());
                Ok(())
            }
        })
    }

    fn query(&mut self, query: &str) -> Result<Answer, Fault> {
        self.asked(|client| client.query(query))
    }

    /// Whose turn it is in the loaded position.
    ///
    /// # Errors
    /// A fault, or an answer that makes no sense.
    pub(super) fn turn(&mut self) -> Result<Turn> {
        let over = self.query(self.abilities.end_query())?;
        let over = match over.as_deref() {
            Ok("true") => true,
            Ok("false" | "none") => false,
            _ => over.is_ok(),
        };
        if over {
            return Ok(Turn::Over);
        }
        if !self.abilities.turn {
            let first = self.query("p1turn")?.as_deref() == Ok("true");
            return Ok(Turn::Seat(usize::from(!first)));
        }
        let answer = self.query("turn")?;
        let text = answer.as_deref().unwrap_or_default();
        if text == "none" {
            return Ok(Turn::Over);
        }
        let name = text.strip_prefix("chance").map_or(text, str::trim);
        let seat = super::seat_index(name, self.abilities.seats);
        match (seat, text.starts_with("chance")) {
            (Some(seat), true) => Ok(Turn::Chance(seat)),
            (None, true) if name.is_empty() => Ok(Turn::Deal),
            (Some(seat), false) => Ok(Turn::Seat(seat)),
            _ => bail!("the referee answers 'query turn' with '{}'", printable(text, 60)),
        }
    }

    /// How the loaded position ended.
    ///
    /// # Errors
    /// The referee's fault.
    pub(super) fn ended(&mut self) -> Result<Ended, Fault> {
        let result = self.query("result")?.unwrap_or_else(|_| "draw".into());
        let RefereeAbilities { outcome, reason, points, seats, .. } = self.abilities;
        let mut ask = |known: bool, query: &str| -> Result<Option<String>, Fault> {
            if known { Ok(self.query(query)?.ok()) } else { Ok(None) }
        };
        let outcome = ask(outcome, "outcome")?;
        let reason = ask(reason, "reason")?;
        let points = ask(points, "points")?.filter(|points| points != "none");
        let listed = outcome.as_deref().and_then(|text| places(text, seats));
        let places = listed.unwrap_or_else(|| match result.as_str() {
            "p1win" => vec![1, 2],
            "p2win" => vec![2, 1],
            _ => vec![1; seats],
        });
        let reason = reason.filter(|reason| reason != "none").unwrap_or_else(|| "rules".into());
        Ok(Ended { result, places, reason: printable(&reason, 60), points })
    }

    /// What a seat may see of the loaded position: the argument of `position`.
    ///
    /// # Errors
    /// A fault, or an answer that is no position.
    pub(super) fn view(&mut self, seat: usize) -> Result<String> {
        let query = format!("view {}", super::seat_name(seat));
        match self.query(&query)? {
            Ok(view) if view.starts_with("startpos") || view.starts_with("fen ") => Ok(view),
            // The text of what is no view stays here: it may hold what the seat may not see.
            _ => bail!("the referee does not answer 'query {query}' with a position"),
        }
    }

    /// Whether a token is legal in the loaded position; the reason is the inner error.
    ///
    /// # Errors
    /// The referee's fault.
    pub(super) fn check(&mut self, token: &str) -> Result<Result<(), Refusal>, Fault> {
        let illegal = || Err(("illegal-move".to_owned(), format!("{token} is not legal here")));
        match self.abilities.legality {
            Legality::IsLegal => {
                let answer = self.query(&format!("islegal {token}"))?;
                if answer.as_deref() == Ok("true") {
                    return Ok(Ok(()));
                }
                Ok(self.explain(token)?.map_or_else(illegal, Err))
            }
            Legality::LegalMoves => match self.query("legalmoves")? {
                Ok(list) if matches!(list.trim(), "many" | "hidden") => Ok(Ok(())),
                Ok(list) if list.split_whitespace().any(|listed| listed == token) => Ok(Ok(())),
                _ => Ok(illegal()),
            },
            // It may still refuse the next position.
            Legality::Unknown => Ok(Ok(())),
        }
    }

    /// Why a token is refused, in the engine's words.
    fn explain(&mut self, token: &str) -> Result<Option<Refusal>, Fault> {
        let Some(position) = self.loaded.clone() else { return Ok(None) };
        let lines = format!("moves {token}\n");
        let errors = self.asked(|client| client.send_synced(&lines))?;
        self.loaded = None;
        // The session is stale after a refusal.
        let _ = self.load(&position)?;
        Ok(errors.first().map(|error| split(error)))
    }

    /// The chance token of a seed in the loaded position; where only one can come, that one.
    ///
    /// # Errors
    /// A fault, or an engine that cannot throw.
    pub(super) fn throw(&mut self, seed: u64) -> Result<String> {
        if let Ok(chances) = self.query("chances")?
            && let Some(listed) = crate::protocol::engine_output::chances(&chances)
            && let [(only, _)] = listed.as_slice()
        {
            return Ok((*only).to_owned());
        }
        match self.query(&format!("throw {seed}"))? {
            Ok(token) if super::message::is_word(&token) => Ok(token),
            _ => bail!("the referee does not answer 'query throw'"),
        }
    }

    /// Whether exactly one thing can be thrown in the loaded position.
    ///
    /// # Errors
    /// The referee's fault.
    pub(super) fn is_certain(&mut self) -> Result<bool, Fault> {
        let chances = self.query("chances")?.unwrap_or_default();
        let listed = crate::protocol::engine_output::chances(&chances);
        Ok(listed.is_some_and(|listed| listed.len() == 1))
    }

    /// Ends the process.
    pub(super) fn quit(self) {
        self.client.quit();
    }
}

/// The declared options that the answer to `query rules` names, with their values.
pub(super) fn rule_options<'a>(
    options: &'a [OptionDeclaration],
    rules: &str,
) -> Vec<(&'a OptionDeclaration, String)> {
    let padded = format!(" {rules}");
    let value = |option: &OptionDeclaration| {
        let (_, after) = padded.split_once(&format!(" {}=", option.name))?;
        Some(after.split(' ').next().unwrap_or("").to_owned())
    };
    let named = |option: &'a OptionDeclaration| Some((option, value(option)?));
    let mut found: Vec<_> = options.iter().filter_map(named).collect();
    // Set by name but left out of the answer at its default.
    let plies = options.iter().find(|option| option.name == "MaxPlies");
    if let Some(option) = plies.filter(|_| found.iter().all(|(o, _)| o.name != "MaxPlies")) {
        found.push((option, option.default.clone().unwrap_or_default()));
    }
    found
}

/// The places of `rank 2 1 4 3`.
fn places(outcome: &str, seats: usize) -> Option<Vec<u32>> {
    let numbers = outcome.strip_prefix("rank ")?.split_whitespace();
    let places: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
    places.filter(|places| places.len() == seats && places.contains(&1))
}
