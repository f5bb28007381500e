//! The options of a match as JSON: config files, the headers of records, and what is the same in
//! every part of one match.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value};

use super::MatchOptions;
use crate::reading;
use crate::runner::key::{self, MatchKey};
use crate::runner::lock;
use crate::runner::tournament::RoundTripError;
use crate::runner::tournament::record::{self, RecordFile};

/// Keys of the config that may change between the parts of one match.
const RUN_ONLY: [&str; 31] = [
    "wait",
    "pgn",
    "cores",
    "handshake",
    "new_game",
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
    "stop_file",
    "games",
    "rounds",
    "shard",
    "patience",
    "margin",
    "move_timeout",
    "json",
    "junit",
    "seed",
    "key_file",
];

/// Keys that are not recorded: the secret of the match, of which the header holds only a hash; what
/// is written beside the records, and where.
const NOT_RECORDED: [&str; 13] = [
    "pgn",
    "seed",
    "key_file",
    "stop_file",
    "records",
    "text",
    "stderr",
    "log",
    "json",
    "junit",
    "show",
    "quiet",
    "report",
];

/// Keys that are not recorded with `--reproducible`.
const OF_THE_MACHINE: [&str; 3] = ["concurrency", "affinity", "cores"];

/// Whether a key decides how each game is played.
fn decides_games(key: &str) -> bool {
    !RUN_ONLY.contains(&key)
}

/// Whether a key says how the match is run, and is recorded.
fn runs_match(key: &str) -> bool {
    RUN_ONLY.contains(&key) && !NOT_RECORDED.contains(&key)
}

/// What a header says of how each game is played. Other keys are no part of a record: one that
/// somebody wrote into it could name files to be written.
fn recorded_identity(config: &Value) -> Map<String, Value> {
    kept(config, decides_games)
}

/// What a header says of how the match is run.
fn recorded_run(run: &Value) -> Map<String, Value> {
    kept(run, runs_match)
}

fn kept(value: &Value, wanted: impl Fn(&str) -> bool) -> Map<String, Value> {
    let members = value.as_object().into_iter().flatten();
    members
        .filter(|(key, _)| wanted(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

impl MatchOptions {
    /// Refuses file names that the JSON of a config or a record cannot hold.
    ///
    /// # Errors
    /// The first name that is not UTF-8.
    pub(in crate::runner::tournament) fn check_file_names(&self) -> Result<()> {
        let names = [
            ("--openings", &self.openings),
            ("--key-file", &self.key_file),
            ("--config", &self.config),
            ("--save-config", &self.save_config),
            ("--records", &self.records),
            ("--text", &self.text),
            ("--pgn", &self.pgn),
            ("--stderr", &self.stderr),
            ("--log", &self.log),
            ("--json", &self.json),
            ("--junit", &self.junit),
            ("--stop-file", &self.stop_file),
        ];
        for (option, path) in names {
            let Some(path) = path else { continue };
            ensure!(
                path.to_str().is_some(),
                "{option} {}: the names of a match's files must be UTF-8, for its config quotes them",
                path.display()
            );
        }
        Ok(())
    }

    /// The options of the config file, overridden by the command line.
    ///
    /// # Errors
    /// When the file cannot be read or has an unknown key.
    pub(in crate::runner::tournament) fn with_config(self) -> Result<Self> {
        let Some(path) = &self.config else { return Ok(self) };
        let context = || format!("config {}", path.display());
        let text = reading::text(path).with_context(context)?;
        let base: Value = reading::json(text.as_bytes(), &record::HEADER).with_context(context)?;
        let kept = (
            self.config.clone(),
            self.save_config.clone(),
            self.resume.clone(),
            self.records.clone(),
        );
        let merged = self.over(base).with_context(context)?;
        let (config, save_config, resume, records) = kept;
        let records = records.or_else(|| merged.records.clone());
        Ok(MatchOptions { config, save_config, resume, records, ..merged })
    }

    /// Other options, given as JSON, overridden by these.
    fn over(&self, mut base: Value) -> Result<Self> {
        let Value::Object(base_map) = &mut base else { bail!("it must hold one JSON object") };
        if self.games.is_some() || self.rounds.is_some() {
            // One of the two replaces both.
            base_map.retain(|key, _| key != "games" && key != "rounds");
        }
        if self.gives_key() {
            base_map.retain(|key, _| key != "seed" && key != "key_file");
        }
        base_map.extend(self.keys(|_| true)?);
        Ok(serde_json::from_value(base)?)
    }

    /// With `--resume`: the match of the records, where this command line says nothing else. If it
    /// names engines, only the options of the run are taken from the records.
    ///
    /// # Errors
    /// When the records cannot be read, do not say how long the match is, or name programs that
    /// nobody agrees to run.
    pub(in crate::runner::tournament) fn with_records(mut self, built_in: &[&str]) -> Result<Self> {
        let Some(file) = self.resume.clone() else { return Ok(self) };
        if !file.is_empty() {
            ensure!(
                self.records.as_ref().is_none_or(|records| *records == Path::new(&file)),
                "--resume={file}: --records names another file"
            );
            self.records = Some(PathBuf::from(file));
        }
        let path = self.records.clone().context(
            "--resume needs --records FILE; or write --resume=FILE, with the equals sign",
        )?;
        let file = if path.exists() { record::read_through(&path)? } else { None };
        let Some(file) = file else {
            ensure!(
                !self.engines.is_empty(),
                "--resume: no match in {}, and no engines are named",
                path.display()
            );
            return Ok(self);
        };
        let key = self.key_of(&file, &path)?;
        let header = file.header().clone();
        let whole = self.engines.is_empty();
        ensure!(
            !whole || !header.run.is_null() || self.games.is_some() || self.rounds.is_some(),
            "records {}: this old file does not say how long the match is; add --games or --rounds",
            path.display()
        );
        let mut base = if whole { recorded_identity(&header.config) } else { Map::new() };
        base.extend(recorded_run(&header.run));
        let context = || format!("records {}", path.display());
        let named = self.openings.clone();
        let merged = self.over_header(&Value::Object(base)).with_context(context)?;
        if whole {
            let openings = merged.openings.as_deref().filter(|_| named.is_none());
            openings.map_or(Ok(()), ensure_regular).with_context(context)?;
            merged.ask_before_running(&path, openings, built_in)?;
        }
        let seats_read = header.secrets && !self.gives_key();
        let key_beside = seats_read.then(|| key::file_beside(&path));
        Ok(MatchOptions { key: Some(key), key_beside, ..merged })
    }

    /// The key that lies beside records of a game with secrets, and where: engines could read it.
    pub(in crate::runner::tournament) fn key_in_reach(&self) -> Option<(MatchKey, PathBuf)> {
        self.key.clone().zip(self.key_beside.clone())
    }

    /// The key of a match that is continued: the one given, or that in the file beside the records,
    /// or that of their last line.
    fn key_of(&self, file: &RecordFile, path: &Path) -> Result<MatchKey> {
        let records = path.display();
        let commitment = file.header().key.as_deref().with_context(|| {
            format!(
                "records {records}: they are of an older version, which threw other dice, or \
                 imported; they can be rated, merged and replayed, not continued"
            )
        })?;
        let beside = key::file_beside(path);
        let (key, source) = match (self.given_key()?, file.key()) {
            (Some(key), _) => (key, "--seed or --key-file".to_owned()),
            (None, Some(key)) => (key.clone(), "its last line".to_owned()),
            (None, None) => match MatchKey::read_if_any(&beside)? {
                Some(key) => (key, beside.display().to_string()),
                None if file.header().secrets => bail!(
                    "records {records}: the match cannot be continued without its key. In a game \
                     with secrets it is only in memory while seats play, and lost after a crash; \
                     --key-file FILE gives one that lasts"
                ),
                None => bail!(
                    "records {records}: the match cannot be continued without its key, {}; or add \
                     --seed N or --key-file FILE",
                    beside.display()
                ),
            },
        };
        key.ensure_is(commitment).with_context(|| format!("records {records}: {source}"))?;
        Ok(key)
    }

    /// Whether the options name a key.
    pub(in crate::runner::tournament) fn gives_key(&self) -> bool {
        self.seed.is_some() || self.key_file.is_some()
    }

    /// The key that the options name.
    ///
    /// # Errors
    /// A key file that cannot be read.
    pub(in crate::runner::tournament) fn given_key(&self) -> Result<Option<MatchKey>> {
        match (&self.key_file, self.seed) {
            (Some(_), Some(_)) => bail!("--seed and --key-file exclude each other"),
            (Some(path), None) => MatchKey::read(path).context("--key-file").map(Some),
            (None, seed) => Ok(seed.map(MatchKey::of_seed)),
        }
    }

    /// Settles the key of the match: that of the records to be continued, the one that is named, or
    /// a new one.
    ///
    /// # Errors
    /// Where every part or repetition of the match needs the same key, and none is named.
    pub(in crate::runner::tournament) fn with_key(mut self) -> Result<Self> {
        if self.key.is_none() {
            self.key = self.given_key()?;
        }
        if self.key.is_none() {
            // What is wrong with the shard itself comes first.
            self.schedule_options()?;
            ensure!(
                self.shard.is_none(),
                "--shard needs --seed N or --key-file FILE: all shards of a match have one key"
            );
            ensure!(
                !self.reproducible,
                "--reproducible needs --seed N or --key-file FILE: without them every match has a \
                 key of its own"
            );
            self.key = Some(MatchKey::from_system()?);
        }
        Ok(self)
    }

    /// The match in the header of a record file, run as this command line says.
    ///
    /// # Errors
    /// When the header holds something unknown.
    pub(in crate::runner::tournament) fn over_header(&self, config: &Value) -> Result<Self> {
        let merged = self.over(config.clone())?;
        Ok(MatchOptions {
            resume: self.resume.clone(),
            save_config: self.save_config.clone(),
            yes: self.yes,
            ..merged
        })
    }

    /// Everything that decides how each game is played.
    ///
    /// # Errors
    /// Never in practice: when the options cannot be written as JSON.
    pub(super) fn identity(&self) -> Result<Value> {
        Ok(Value::Object(self.keys(decides_games)?))
    }

    /// How many games are played and how the match is run: what `--resume` needs to know beside the
    /// identity of the match.
    ///
    /// # Errors
    /// Never in practice: when the options cannot be written as JSON.
    pub(super) fn recorded_run(&self) -> Result<Value> {
        let of_machine = |key: &str| self.reproducible && OF_THE_MACHINE.contains(&key);
        Ok(Value::Object(self.keys(|key| runs_match(key) && !of_machine(key))?))
    }

    /// The options with certain keys, as in a config file: those that were given.
    fn keys(&self, wanted: impl Fn(&str) -> bool) -> Result<Map<String, Value>> {
        let absent = serde_json::to_value(MatchOptions::default())?;
        let mut given: Map<String, Value> = serde_json::from_value(serde_json::to_value(self)?)?;
        given.retain(|key, value| absent.get(key) != Some(value) && wanted(key));
        Ok(given)
    }

    /// Writes the config file that repeats this match.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner::tournament) fn save(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.keys(|_| true)?)?;
        lock::write(path, "--save-config", text + "\n")
    }
}

/// Refuses openings that a header names where they are no regular file: a pipe may wait for ever, and
/// reading from a device may do anything.
fn ensure_regular(openings: &Path) -> Result<()> {
    reading::regular(openings).map(drop).with_context(|| {
        format!("its openings, {}; name others by --openings FILE", openings.display())
    })
}

/// Reads the text of a config file; what is read must be written and read again as the same.
///
/// # Errors
/// What is wrong with it.
pub(in crate::runner) fn check(text: &str) -> Result<()> {
    let empty = MatchOptions::default();
    let options = empty.over(serde_json::from_str(text)?)?;
    let again = empty.over(Value::Object(options.keys(|_| true)?))?;
    ensure!(again == options, RoundTripError(format!("{options:?} is read again as {again:?}")));
    options.schedule_options()?;
    options.identity()?;
    options.recorded_run()?;
    options.limits()?.check()
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
        let value = Value::Object(config.keys(|_| true).unwrap());
        let again = MatchOptions::default().over(value.clone()).unwrap();
        assert_eq!(again, config);
        let command = MatchOptions { nodes: Some(20), ..MatchOptions::default() };
        let merged = command.over(value).unwrap();
        assert_eq!((merged.nodes, merged.seed), (Some(20), Some(7)));
        assert!(command.over(serde_json::json!({"noddes": 1})).is_err());
    }

    #[test]
    fn the_identity_of_a_match_leaves_out_how_it_is_run() {
        let one = MatchOptions { nodes: Some(3), ..MatchOptions::default() };
        let two = MatchOptions { concurrency: Some(4), quiet: true, ..one.clone() };
        let three = MatchOptions { nodes: Some(4), ..one.clone() };
        assert_eq!(one.identity().unwrap(), two.identity().unwrap());
        assert_ne!(one.identity().unwrap(), three.identity().unwrap());
    }

    #[test]
    fn no_seed_and_no_key_file_is_recorded() {
        for options in [
            MatchOptions { seed: Some(3), ..MatchOptions::default() },
            MatchOptions { key_file: Some("key".into()), ..MatchOptions::default() },
        ] {
            let empty = MatchOptions::default();
            assert_eq!(options.identity().unwrap(), empty.identity().unwrap());
            assert_eq!(options.recorded_run().unwrap(), empty.recorded_run().unwrap());
        }
    }

    #[test]
    fn a_named_key_replaces_the_one_of_the_config() {
        let config = serde_json::json!({"seed": 7});
        let command = MatchOptions { key_file: Some("key".into()), ..MatchOptions::default() };
        assert_eq!(command.over(config).unwrap(), command);
    }

    #[test]
    fn shards_and_reproducible_matches_need_a_named_key() {
        let shard = MatchOptions { shard: Some("1/2".to_owned()), ..MatchOptions::default() };
        let equal = MatchOptions { reproducible: true, ..MatchOptions::default() };
        for options in [shard, equal] {
            assert!(options.clone().with_key().is_err());
            let named = MatchOptions { seed: Some(0), ..options }.with_key().unwrap();
            assert_eq!(named.key, Some(MatchKey::of_seed(0)));
        }
        assert!(MatchOptions::default().with_key().unwrap().key.is_some());
    }
}
