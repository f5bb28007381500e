//! The options of a match as JSON: config files, the headers of records, and what is the same in
//! every part of one match.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::MatchOptions;
use crate::files;
use crate::runner::tournament::record;

/// Keys of the config that may change between the parts of one match.
const RUN_ONLY: [&str; 22] = [
    "concurrency",
    "affinity",
    "records",
    "resume",
    "text",
    "stderr",
    "log",
    "config",
    "save_config",
    "show",
    "quiet",
    "report",
    "allow_faults",
    "fail_below",
    "sprt",
    "games",
    "rounds",
    "shard",
    "patience",
    "margin",
    "move_timeout",
    "json",
];

impl MatchOptions {
    /// The options of the config file, overridden by the command line.
    ///
    /// # Errors
    /// When the file cannot be read or has an unknown key.
    pub(in crate::runner::tournament) fn with_config(self) -> Result<Self> {
        let Some(path) = &self.config else { return Ok(self) };
        let context = || format!("config {}", path.display());
        let text = std::fs::read_to_string(path).with_context(context)?;
        let base: Value = serde_json::from_str(&text).with_context(context)?;
        let (config, save_config, resume) =
            (self.config.clone(), self.save_config.clone(), self.resume);
        let merged = self.over(base).with_context(context)?;
        Ok(MatchOptions { config, save_config, resume, ..merged })
    }

    /// Other options, given as JSON, overridden by these.
    fn over(&self, mut base: Value) -> Result<Self> {
        let own = serde_json::to_value(self)?;
        let (Value::Object(base_map), Value::Object(own)) = (&mut base, own) else {
            bail!("it must hold one JSON object");
        };
        base_map.extend(own);
        Ok(serde_json::from_value(base)?)
    }

    /// With `--resume` and no engines: the match of the records, run as this command line says.
    ///
    /// # Errors
    /// When the records cannot be read.
    pub(in crate::runner::tournament) fn with_records(self) -> Result<Self> {
        let Some(path) = self.records.clone().filter(|_| self.resume) else {
            return Ok(self);
        };
        if !self.engines.is_empty() || !path.exists() {
            return Ok(self);
        }
        self.over_header(&record::header(&path)?.config)
    }

    /// The match in the header of a record file, run as this command line says.
    ///
    /// # Errors
    /// When the header holds something unknown.
    pub(in crate::runner::tournament) fn over_header(&self, config: &Value) -> Result<Self> {
        let resume = self.resume;
        Ok(MatchOptions { resume, ..self.over(config.clone())? })
    }

    /// Everything that decides which games are played.
    ///
    /// # Errors
    /// Never in practice: when the options cannot be written as JSON.
    pub(super) fn identity(&self) -> Result<Value> {
        let mut value = serde_json::to_value(self)?;
        if let Value::Object(map) = &mut value {
            map.retain(|key, _| !RUN_ONLY.contains(&key.as_str()));
        }
        Ok(value)
    }

    /// Writes the config file that repeats this match.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner::tournament) fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        files::write(path, text + "\n").with_context(|| format!("--save-config {}", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_repeats_a_command_and_is_overridden_by_one() {
        let config = MatchOptions {
            engines: vec!["a".to_owned(), "b".to_owned()],
            nodes: Some(10),
            seed: Some(7),
            show: true,
            ..MatchOptions::default()
        };
        let value = serde_json::to_value(&config).unwrap();
        let again = MatchOptions::default().over(value.clone()).unwrap();
        assert_eq!(again, config);
        let command = MatchOptions { nodes: Some(20), ..MatchOptions::default() };
        let merged = command.over(value).unwrap();
        assert_eq!((merged.nodes, merged.seed), (Some(20), Some(7)));
        assert!(command.over(serde_json::json!({"noddes": 1})).is_err());
    }

    #[test]
    fn the_identity_of_a_match_leaves_out_how_it_is_run() {
        let one = MatchOptions { seed: Some(3), ..MatchOptions::default() };
        let two = MatchOptions { concurrency: Some(4), quiet: true, ..one.clone() };
        let three = MatchOptions { seed: Some(4), ..one.clone() };
        assert_eq!(one.identity().unwrap(), two.identity().unwrap());
        assert_ne!(one.identity().unwrap(), three.identity().unwrap());
    }
}
