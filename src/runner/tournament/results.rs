//! The results of a running match: records, standings, the sequential test, the exit code.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::plan::RunSettings;
use super::record::{Header, NumberSet, Record, SeatFault, Writer};
use super::schedule::stages::SharedStages;
use super::sequential::SequentialTest;
use super::setup::Setup;
use super::standings::Standings;
use super::{game_text, pgn};
use crate::printing;
use crate::runner::build_report::{self, BuildCase, Severity};
use crate::runner::lock::Replacement;
use crate::runner::output;
use crate::runner::process::interrupt;
use crate::statistics::Verdict;

/// Exit code: an engine was at fault.
const FAULT_SEEN: u8 = 1;

/// Exit code: a sequential test was lost, or a score stayed below what was asked.
pub(super) const MISSED: u8 = 3;

/// Exit code after Ctrl-C, as shells know it.
const INTERRUPTED: u8 = 130;

/// Where results are collected.
pub(super) struct Results {
    standings: Standings,
    /// Where who meets whom follows from results.
    stages: Option<Arc<SharedStages>>,
    writer: Option<Writer>,
    text: Option<Replacement>,
    /// The games as PGN, with what the header says of them.
    pgn: Option<(Replacement, Header)>,
    sprt: Option<SequentialTest>,
    /// The games for build servers, where a report is wanted.
    cases: Option<Vec<BuildCase>>,
}

impl Results {
    /// Opens the files of a match: new ones, or those of a match to be continued; with the numbers
    /// of the games that are already played.
    pub(super) fn open(setup: &Setup) -> Result<(Self, NumberSet)> {
        let (run, key, header) = (&setup.plan.run, setup.key(), setup.header());
        let mut standings = Standings::new(&header.engines, header.seats, header.bundles.clone());
        let stages = setup.schedule.stages(&header.engines).map(SharedStages::new).map(Arc::new);
        let mut text = run.text.as_deref().map(create_text).transpose()?;
        let create_pgn = |path: &Path| -> Result<(Replacement, Header)> {
            let file = Replacement::create(path);
            Ok((file.with_context(|| format!("--pgn {}", path.display()))?, header.clone()))
        };
        let mut pgn = run.pgn.as_deref().map(create_pgn).transpose()?;
        let mut played = NumberSet::default();
        let mut writer = None;
        if let Some(path) = &run.records {
            let seen = |record: Record| {
                standings.add(&record);
                stages.iter().for_each(|stages| stages.add(&record));
                write_pgn(pgn.as_mut(), &record)?;
                write_text(text.as_mut(), &record)
            };
            let file = if run.resume {
                let (mut file, old, numbers) = Writer::resume(path, &header, key, seen)?;
                check_same_match(&old, &header)
                    .and_then(|()| check_same_encounters(&old, &header, stages.is_some()))
                    .with_context(|| format!("--resume {}", path.display()))?;
                if old.run != header.run {
                    file.change_run(&header.run)?;
                }
                played = numbers;
                file
            } else {
                Writer::create(path, &header, key)?
            };
            writer = Some(file);
        }
        let cases = build_report::is_wanted(run.junit.as_deref()).then(Vec::new);
        Ok((Results { standings, stages, writer, text, pgn, sprt: run.sprt, cases }, played))
    }

    /// Records a game.
    pub(super) fn add(&mut self, record: &Record) -> Result<()> {
        if let Some(writer) = &mut self.writer {
            writer.game(record)?;
        }
        write_text(self.text.as_mut(), record)?;
        write_pgn(self.pgn.as_mut(), record)?;
        self.standings.add(record);
        self.stages.iter().for_each(|stages| stages.add(record));
        if let Some(cases) = &mut self.cases {
            cases.push(build_case(record));
        }
        Ok(())
    }

    /// Ends the records of a complete match with its key, and leaves that of another beside them. A
    /// shard does not tell it: other shards may still be played.
    pub(super) fn keep_key(&mut self, setup: &Setup, verdict: &Result<Verdict>) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let schedule = &setup.schedule;
        let is_over = match &self.stages {
            Some(stages) => stages.lock().is_over(),
            None => self.standings.games() >= schedule.total(),
        };
        let played = verdict.as_ref().is_ok_and(|verdict| is_over || *verdict != Verdict::Open);
        if played && schedule.is_whole() {
            writer.end_with(&setup.plan.games.key)
        } else {
            writer.leave_key()
        }
    }

    /// Sees to it that the records are where they are looked for.
    ///
    /// # Errors
    /// When they were removed meanwhile: it says where they are now.
    pub(super) fn keep_records(&mut self) -> Result<()> {
        self.writer.as_mut().map_or(Ok(()), Writer::keep)
    }

    /// Puts the files of `--text` and `--pgn` in their places.
    pub(super) fn keep_text(&mut self) -> Result<()> {
        self.pgn.take().map_or(Ok(()), |(file, _)| file.commit()).context("--pgn")?;
        self.text.take().map_or(Ok(()), Replacement::commit).context("--text")
    }

    /// How far a tournament in stages has come, if this is one.
    pub(super) fn stages(&self) -> Option<Arc<SharedStages>> {
        self.stages.clone()
    }

    /// The sum of all games.
    pub(super) fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The verdict of the sequential test, if there is one.
    pub(super) fn verdict(&self) -> Verdict {
        self.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&self.standings))
    }

    /// The state of the sequential test, as a line.
    pub(super) fn test_line(&self, verdict: Verdict) -> Option<String> {
        Some(self.sprt.as_ref()?.line(&self.standings, verdict))
    }

    fn write_json(&self, path: &Path, verdict: Verdict) -> Result<()> {
        let mut value = self.standings.json();
        if let Some(sprt) = &self.sprt {
            value["sprt"] = sprt.json(&self.standings, verdict);
        }
        if let Some(stages) = &self.stages {
            value["tournament"] = stages.lock().json();
        }
        output::write_json(path, &value)
    }

    /// Prints the result; the exit code sums it up.
    pub(super) fn conclude(self, run: &RunSettings, verdict: Verdict) -> Result<ExitCode> {
        let games = self.standings.games();
        printing::print(&format!("{games} {}", if games == 1 { "game" } else { "games" }));
        printing::print(&self.standings.table());
        printing::print(&self.standings.summary());
        if let Some(stages) = &self.stages {
            printing::print(&stages.lock().report());
        }
        if let Some(line) = self.test_line(verdict) {
            printing::print(&line);
        }
        if let Some(path) = &run.json {
            self.write_json(path, verdict)?;
        }
        if let Some(cases) = &self.cases {
            build_report::write(run.junit.as_deref(), "match", cases)?;
        }
        let mut code = 0;
        if self.standings.faults() > 0 && !run.allow_faults {
            code = FAULT_SEEN;
        }
        if let Some(share) = run.fail_below
            && self.standings.first_score() < share
        {
            let score = self.standings.first_score();
            printing::print(&format!("score {score:.3} is below {share}"));
            code = MISSED;
        }
        if interrupt::finishing() {
            let records =
                self.writer.as_ref().map_or("", |_| "; --resume continues from the records");
            printing::print(&format!("interrupted{records}"));
            code = INTERRUPTED;
        }
        if verdict == Verdict::Lower {
            code = MISSED;
        }
        Ok(ExitCode::from(code))
    }
}

/// A game for build servers. What a process does to itself is an error, a wrong answer a failure.
fn build_case(record: &Record) -> BuildCase {
    let is_error = |fault: &SeatFault| !fault.fault.kind.leaves_process_usable();
    let severity = match record.faults.iter().any(is_error) {
        true => Severity::Error,
        false => Severity::Failure,
    };
    let fault = |fault: &SeatFault| format!("p{} {}: {}", fault.seat, fault.engine, fault.fault);
    let texts: Vec<String> = record.faults.iter().map(fault).collect();
    BuildCase {
        name: format!("game {}: {}", record.game, record.seating.join(" - ")),
        seconds: record.ms.unwrap_or(0) as f64 / 1e3,
        found: (!texts.is_empty()).then(|| (severity, texts.join("; "))),
        detail: record.faults.first().map(|fault| fault.fault.position.clone()).unwrap_or_default(),
        line: None,
    }
}

fn create_text(path: &Path) -> Result<Replacement> {
    Replacement::create(path).with_context(|| format!("--text {}", path.display()))
}

fn write_pgn(file: Option<&mut (Replacement, Header)>, record: &Record) -> Result<()> {
    match file {
        Some((file, header)) => {
            file.write_all(pgn::game(header, record).as_bytes()).context("--pgn")
        }
        None => Ok(()),
    }
}

fn write_text(file: Option<&mut Replacement>, record: &Record) -> Result<()> {
    match file {
        Some(file) => {
            file.write_all(printing::shown(&game_text::text(record)).as_bytes()).context("--text")
        }
        None => Ok(()),
    }
}

/// In a tournament in stages the numbers of the games follow from how many an encounter has.
fn check_same_encounters(old: &Header, new: &Header, in_stages: bool) -> Result<()> {
    let games = |header: &Header| header.run.get("games").and_then(Value::as_u64);
    let told = |header: &Header| {
        games(header).map_or("no --games".to_owned(), |games| format!("--games {games}"))
    };
    ensure!(
        !in_stages || games(old) == games(new),
        "the encounters of this tournament were begun with {}, now {}; they keep their length",
        told(old),
        told(new)
    );
    Ok(())
}

fn check_same_match(old: &Header, new: &Header) -> Result<()> {
    ensure!(
        old.config == new.config && old.bundles == new.bundles,
        "the records are of another match: {}",
        old.config
    );
    ensure!(
        old.identities == new.identities && old.rules == new.rules,
        "the engines have changed: then {} ({}), now {} ({})",
        old.identities.join(", "),
        old.rules,
        new.identities.join(", "),
        new.rules
    );
    // Old versions wrote no hash.
    ensure!(
        old.openings.is_none() || old.openings == new.openings,
        "the file of openings, {}, has changed since the match began; a match with other openings \
         needs other records",
        new.config.get("openings").and_then(Value::as_str).unwrap_or("--openings")
    );
    Ok(())
}
