//! The engine that shows recorded games, or goes on with one.
//!
//! Records are files that people send each other: nothing in one may decide what is started. Of the
//! engines that a header names only the games of this program are, without their settings; any
//! other engine is named on the command line.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::record::Header;
use crate::runner::process::{Client, Launcher, Specification};

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The engine for the games of a header, and the rule options that they were played by.
///
/// # Errors
/// When none is named, and the match's own is no game of this program; when it cannot be started.
pub(in crate::runner) fn find(
    header: &Header,
    named: Option<Specification>,
    built_in: &[&str],
) -> Result<(Specification, Vec<String>)> {
    let (referee, rules, client) = started(header, named, built_in)?;
    client.quit();
    Ok((referee, rules))
}

/// Starts the engine for the games of a header, under their rules.
///
/// # Errors
/// When none is named, and the match's own is no game of this program; when it cannot be started.
pub(in crate::runner) fn start(
    header: &Header,
    named: Option<&str>,
    built_in: &[&str],
) -> Result<Client> {
    let named = named.map(|text| Specification::parse(text, None, built_in).context("--referee"));
    let (referee, rules, mut client) = started(header, named.transpose()?, built_in)?;
    Launcher::new(&rules, PATIENCE)?.set_options(&mut client, &referee)?;
    Ok(client)
}

/// The engine, the rule options to be set, and its process without them: it says which are rules.
fn started(
    header: &Header,
    named: Option<Specification>,
    built_in: &[&str],
) -> Result<(Specification, Vec<String>, Client)> {
    let referee = match named {
        Some(referee) => referee,
        None => own_game(header, built_in)?,
    };
    let client = Launcher::new(&[], PATIENCE)?.start_referee(&referee, "referee", &[]);
    let mut client = client.context("the referee of the match")?;
    let rules = rules(header, &mut client)?;
    Ok((referee, rules, client))
}

/// The game of this program that the match's referee or first engine is.
fn own_game(header: &Header, built_in: &[&str]) -> Result<Specification> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let first = || text(header.config.get("engines")?.get(0)?);
    let recorded = header.config.get("referee").and_then(text).or_else(first).unwrap_or_default();
    let own = |name: &str| built_in.iter().find(|game| **game == name).copied();
    let words = recorded.split_whitespace().next().and_then(own);
    let game = words.or_else(|| own(&header.variant)).with_context(|| {
        format!(
            "the referee of these games was '{}', and a file starts no program: name the engine \
             on the command line",
            recorded.escape_debug()
        )
    })?;
    Specification::parse(game, None, built_in)
}

/// The recorded rule options that the engine calls rules. Any other option in a file might name
/// another file, which the engine would read or write.
fn rules(header: &Header, client: &mut Client) -> Result<Vec<String>> {
    let recorded = header.config.get("rules").and_then(Value::as_array).into_iter().flatten();
    let recorded: Vec<&str> = recorded.filter_map(Value::as_str).collect();
    if recorded.is_empty() {
        return Ok(Vec::new());
    }
    let known = client.probe("rules")?.and_then(Result::ok).unwrap_or_default();
    let is_rule = |name: &str| {
        let named = |word: &str| word.split_once('=').is_some_and(|(rule, _)| rule == name);
        known.split_whitespace().any(named)
            || client
                .options()
                .iter()
                .any(|option| option.name.eq_ignore_ascii_case(name) && option.kind != "string")
    };
    let name_of = |rule: &&str| rule.split_once('=').is_some_and(|(name, _)| is_rule(name));
    Ok(recorded.into_iter().filter(name_of).map(String::from).collect())
}
