//! The games that can be started, and what is known of them before they are.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;
#[cfg(feature = "board")]
use serde_json::Value;

use super::answers::{self, Answer, Pictures, Query, split};
use super::outgoing::{About, AboutEngine, MenuEngine, MenuEntry, Range, RuleOption};
use crate::picture::{Lesson, Lessons, Puzzle, Puzzles};
use crate::printing::printable;
use crate::protocol::engine_output::OptionDeclaration;
use crate::runner::process::{Launcher, RefereeAbilities, Specification};
#[cfg(feature = "board")]
use crate::runner::process::{make_names_unique, own_program, set_apart};

/// How long `isready` and queries may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// A game that can be started, with the engines that play it. The first is its referee.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The name by which pages ask for it.
    pub(super) menu: String,
    /// The engines; never empty.
    pub(super) engines: Vec<Specification>,
    /// `NAME=VALUE` rule options of the command line.
    pub(super) rules: Vec<String>,
}

impl Entry {
    /// The engine that referees: the first one, without its own options.
    pub(super) fn referee(&self) -> Option<Specification> {
        self.engines.first().map(|first| Specification { options: Vec::new(), ..first.clone() })
    }

    /// Starts engines under the rules of the command line and those of a page.
    pub(super) fn launcher(&self, rules: &BTreeMap<String, String>) -> Result<Launcher> {
        let same = |rule: &&String| {
            let name = rule.split('=').next().unwrap_or("");
            !rules.keys().any(|own| own.eq_ignore_ascii_case(name))
        };
        let mut all: Vec<String> = self.rules.iter().filter(same).cloned().collect();
        all.extend(rules.iter().map(|(name, value)| format!("{name}={value}")));
        Launcher::new(&all, PATIENCE)
    }

    /// As it stands in the menu.
    pub(super) fn shown(&self) -> MenuEntry {
        let engines = self.engines.iter().map(|engine| engine.name.clone()).enumerate();
        let engines = engines.map(|(engine, name)| MenuEngine { engine, name });
        MenuEntry { game: self.menu.clone(), engines: engines.collect() }
    }

    /// Starts every engine once and asks what a page shows before a game begins.
    pub(super) fn about(&self, rules: &BTreeMap<String, String>) -> Result<About> {
        let Some(referee) = self.referee() else { bail!("there is no engine") };
        self.check_rules(rules)?;
        let launcher = self.launcher(rules)?;
        let about = launcher.examine(&referee, &referee.name, |client| {
            let abilities = RefereeAbilities::probe(client)?;
            let pictures = Pictures::of(client)?;
            client.send_synced("position startpos\n")?;
            let Answer::Table(table) = pictures.ask(client, &Query::Table)? else {
                bail!("there is no table")
            };
            let board = match abilities.secrets {
                // What stands there may be secret even at the start.
                true => None,
                false => match pictures.ask(client, &Query::Board)? {
                    Answer::Board(board) => Some(*board),
                    _ => None,
                },
            };
            let rules = client.probe("rules")?.and_then(std::result::Result::ok);
            let options = rule_options(client.options(), &rules.unwrap_or_default())
                .into_iter()
                .filter(|(option, _)| is_choosable(option))
                .map(|(option, value)| shown_option(option, value))
                .collect::<Vec<_>>();
            let puzzles = client.probe("puzzles 1 0")?.and_then(std::result::Result::ok);
            let puzzles: Option<Puzzles> = puzzles.and_then(|text| answers::json(&text).ok());
            let chance = client
                .probe("chances")?
                .is_some_and(|answer| answer.is_ok_and(|text| text != "none"));
            Ok(About {
                menu: self.menu.clone(),
                title: table.title.clone(),
                seats: abilities.seats,
                secrets: abilities.secrets,
                chance,
                table: *table,
                board,
                rules: options,
                puzzles: puzzles.map_or(0, |told| told.count),
                engines: Vec::new(),
            })
        })?;
        let engines = self.engines.iter().enumerate();
        let engines = engines.map(|(index, engine)| engine_about(&launcher, index, engine));
        Ok(About { engines: engines.collect(), ..about })
    }

    /// The lessons of the engine; none where it has none.
    pub(super) fn lessons(&self) -> Result<Vec<Lesson>> {
        let told: Option<Lessons> = self.teaching("lessons")?;
        Ok(told.map_or_else(Vec::new, |told| told.lessons))
    }

    /// Puzzles of the engine from a number on, and how many there are; the engine may send less
    /// than is asked for.
    pub(super) fn puzzles(&self, from: usize, count: usize) -> Result<(Vec<Puzzle>, usize)> {
        let told: Option<Puzzles> = self.teaching(&format!("puzzles {count} {from}"))?;
        Ok(told.map_or((Vec::new(), 0), |told| (told.puzzles, told.count)))
    }

    /// What the engine tells to teach its game; `None` where it does not.
    fn teaching<T: DeserializeOwned>(&self, query: &str) -> Result<Option<T>> {
        let Some(referee) = self.referee() else { bail!("there is no engine") };
        let launcher = self.launcher(&BTreeMap::new())?;
        launcher.examine(&referee, &referee.name, |client| {
            let told = client.probe(query)?.and_then(std::result::Result::ok);
            told.map(|text| answers::json(&text).context("no lessons or puzzles")).transpose()
        })
    }

    /// The short rules, if the engine is built in: its program prints them.
    pub(super) fn rules_text(&self) -> String {
        #[cfg(feature = "board")]
        return self.printed_rules();
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        return crate::platform::file(&format!("rules/{}.txt", self.menu));
        #[cfg(not(any(feature = "board", all(target_arch = "wasm32", target_os = "unknown"))))]
        String::new()
    }

    #[cfg(feature = "board")]
    fn printed_rules(&self) -> String {
        let Some(first) = self.engines.first() else { return String::new() };
        let Ok((program, before)) = own_program() else { return String::new() };
        let own = first.arguments.strip_prefix(before).filter(|_| program == first.program);
        let Some([word, game, ..]) = own else { return String::new() };
        if word != "engine" {
            return String::new();
        }
        let mut command = std::process::Command::new(program);
        command.args(before).args([word, game, "rules", "--json"]);
        let output = set_apart(&mut command).stdin(std::process::Stdio::null()).output();
        let output = output.ok().filter(|output| output.status.success());
        let printed: Option<Value> =
            output.and_then(|output| serde_json::from_slice(&output.stdout).ok());
        let rules = printed.as_ref().and_then(|printed| printed.get("rules")?.as_str());
        rules.unwrap_or_default().to_owned()
    }

    /// Starts the referee once, so that an option that it refuses is found.
    #[cfg(feature = "board")]
    pub(super) fn try_rules(&self) -> Result<()> {
        let Some(referee) = self.referee() else { bail!("there is no engine") };
        let launcher = self.launcher(&BTreeMap::new())?;
        launcher.examine(&referee, &format!("engine {}", referee.name), |_| Ok(()))
    }

    /// Refuses what a page may not set: anything but a rule option of a harmless kind.
    pub(super) fn check_rules(&self, rules: &BTreeMap<String, String>) -> Result<()> {
        if rules.is_empty() {
            return Ok(());
        }
        let Some(referee) = self.referee() else { bail!("there is no engine") };
        let launcher = self.launcher(&BTreeMap::new())?;
        let refused = launcher.examine(&referee, &referee.name, |client| {
            let answer = client.probe("rules")?.and_then(std::result::Result::ok);
            let declared = client.options().to_vec();
            let options = rule_options(&declared, &answer.unwrap_or_default());
            for (name, value) in rules {
                let known = options.iter().map(|(option, _)| option);
                let mut choosable = known.filter(|option| is_choosable(option));
                if !choosable.any(|option| option.name.eq_ignore_ascii_case(name)) {
                    return Ok(Some(format!("'{}' is no rule of this game", printable(name, 40))));
                }
                let line = format!("setoption name {name} value {value}\n");
                if let Some(error) = client.send_synced(&line)?.first() {
                    return Ok(Some(split(error).1));
                }
            }
            Ok(None)
        })?;
        refused.map_or(Ok(()), |text| Err(anyhow!(text)))
    }
}

/// The values of the option `Player`.
pub(super) fn players(options: &[OptionDeclaration]) -> Vec<String> {
    let player = options.iter().find(|option| option.name.eq_ignore_ascii_case("Player"));
    player.map_or(Vec::new(), |option| option.choices.clone())
}

/// The highest value of the option `Level`; 0 without one.
fn levels(options: &[OptionDeclaration]) -> u8 {
    let level = options.iter().find(|option| option.name == "Level" && option.kind == "spin");
    level.and_then(|level| u8::try_from(level.max?).ok()).unwrap_or(0)
}

/// Options of other kinds may name files.
fn is_choosable(option: &OptionDeclaration) -> bool {
    matches!(option.kind.as_str(), "spin" | "check" | "combo")
}

fn shown_option(option: &OptionDeclaration, value: String) -> RuleOption {
    RuleOption {
        name: option.name.clone(),
        kind: option.kind.clone(),
        value,
        choices: option.choices.clone(),
        range: option.min.zip(option.max).map(|(min, max)| Range { min, max }),
    }
}

/// Starts an engine once.
fn engine_about(launcher: &Launcher, index: usize, engine: &Specification) -> AboutEngine {
    let found = launcher.examine(engine, &engine.name, |client| {
        let own = Pictures::of(client)?.own;
        Ok((own, players(client.options()), levels(client.options())))
    });
    let about = AboutEngine { engine: index, name: engine.name.clone(), ..AboutEngine::default() };
    match found {
        Ok((pictures, players, levels)) => {
            AboutEngine { ok: true, pictures, players, levels, ..about }
        }
        Err(error) => AboutEngine { text: Some(printable(&format!("{error:#}"), 400)), ..about },
    }
}

/// The menu: one entry for the engines of the command line, or one for each built-in engine.
///
/// # Errors
/// An engine that cannot be read.
#[cfg(feature = "board")]
pub(super) fn menu(engines: &[String], rules: &[String], built_in: &[&str]) -> Result<Vec<Entry>> {
    let entry = |engines: Vec<Specification>| {
        let menu = engines.first().map_or(String::new(), |engine| engine.name.clone());
        Entry { menu, engines, rules: rules.to_vec() }
    };
    if engines.is_empty() {
        let alone = |name: &&str| Ok(entry(vec![Specification::parse(name, None, built_in)?]));
        return built_in.iter().map(alone).collect();
    }
    let parse = |text: &String| Specification::parse(text, None, built_in);
    let mut named = engines.iter().map(parse).collect::<Result<Vec<_>>>()?;
    make_names_unique(&mut named)?;
    Ok(vec![entry(named)])
}

/// The declared options that the answer to `query rules` names, with their values.
fn rule_options<'a>(
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
