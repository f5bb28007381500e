//! `parlor merge`: one match from the records of its shards.
//!
//! Two passes: the first reads every game and notes where its line is, the second copies the lines
//! in the order of the games. Beside the standings, memory holds only the places of the lines.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::options::MatchOptions;
use super::record::{self, Header, Record, RecordFile, WholeFile};
use super::results::MISSED;
use super::schedule::{Schedule, ScheduleOptions, Seating};
use super::sequential::SequentialTest;
use super::standings::Standings;
use crate::printing;
use crate::reading;
use crate::runner::key::{self, MatchKey};
use crate::runner::lock::{self, Replacement};
use crate::runner::output;
use crate::statistics::Verdict;

/// Merge the records of the shards of one match.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct MergeOptions {
    /// The records of the shards
    #[arg(value_name = "FILE", required = true)]
    records: Vec<PathBuf>,
    /// The file for the whole match, sorted by game; packed if it ends in .zst
    #[arg(short, long, value_name = "FILE", required_unless_present = "sprt")]
    output: Option<PathBuf>,
    /// The match was played with this --seed [default: the key is beside the records]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The match was played with this --key-file
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    key_file: Option<PathBuf>,
    /// Where a sequential test over all shards stands, with the parameters of match --sprt; exit
    /// code 3 once it is lost
    #[arg(long, value_name = "PARAMETERS")]
    sprt: Option<String>,
    /// Make this file once the test is decided: it ends the shards played with --stop-file
    #[arg(long, value_name = "FILE", requires = "sprt")]
    stop_file: Option<PathBuf>,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Where the line of a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    game: u64,
    offset: u64,
    file: u32,
    length: u32,
}

/// What the first pass finds out.
struct Shards {
    header: Header,
    standings: Standings,
    places: Vec<Place>,
    sources: Vec<Source>,
    /// The key, if one of the files ends with it.
    key: Option<MatchKey>,
}

/// Merges record files.
///
/// # Errors
/// When they are not of one match, or two of them hold the same game.
pub(in crate::runner) fn run(options: &MergeOptions) -> Result<ExitCode> {
    let sprt = options.sprt.as_deref().map(SequentialTest::parse).transpose()?;
    // The old file may be one of those that are read: nobody may add to it meanwhile.
    let context = |path: &Path| format!("--output {}", path.display());
    let create = |path| Replacement::create(path).with_context(|| context(path));
    let output = options.output.as_deref().map(create).transpose()?;
    let mut shards = read_shards(&options.records)?;
    shards.places.sort_unstable_by_key(|place| place.game);
    refuse_doubles(&shards.places, &options.records)?;
    if sprt.is_some() {
        SequentialTest::ensure_applies(shards.header.engines.len())?;
    }
    if let (Some(path), Some(output)) = (&options.output, output) {
        let key = match_key(options, &shards)?;
        write(&mut shards, &options.records, key.as_ref(), path, output)
            .with_context(|| context(path))?;
    }
    let standings = &shards.standings;
    let verdict = sprt.map_or(Verdict::Open, |sprt| sprt.verdict(standings));
    if let Some(path) = &options.json {
        let mut value = standings.json();
        if let Some(sprt) = &sprt {
            value["sprt"] = sprt.json(standings, verdict);
        }
        output::write_json(path, &value)?;
    }
    let (table, summary) = (standings.table(), standings.summary());
    printing::print(&format!("{} games\n{table}\n{summary}", standings.games()));
    if let Some(line) = sprt.map(|sprt| sprt.line(standings, verdict)) {
        printing::print(&line);
        if let Some(path) = options.stop_file.as_ref().filter(|_| verdict != Verdict::Open) {
            lock::write(path, "--stop-file", line + "\n")?;
        }
    }
    Ok(if verdict == Verdict::Lower { ExitCode::from(MISSED) } else { ExitCode::SUCCESS })
}

/// Writes the whole match.
fn write(
    shards: &mut Shards,
    records: &[PathBuf],
    key: Option<&MatchKey>,
    path: &Path,
    output: Replacement,
) -> Result<()> {
    let complete = is_complete(shards, records);
    let mut output = WholeFile::begin(output, path, &shards.header)?;
    for place in &shards.places {
        if let Some(source) = shards.sources.get_mut(place.file as usize) {
            output.game_line(source.line(place)?)?;
        }
    }
    match key {
        Some(key) if complete => output.end_with(key)?,
        // The rest of the match can be played on from the merged records; where seats of other shards
        // could read the key, by who gives it again.
        Some(key) if !shards.header.secrets => key.keep(&key::file_beside(path))?,
        Some(_) | None => {}
    }
    output.commit()?;
    if key.is_none() && shards.header.key.is_some() {
        printing::note(
            "note: the key of the match is not beside the records; add --seed N or --key-file FILE \
             to merge it too",
        );
    }
    Ok(())
}

/// The key of the match: the one given, or that of one of the files, or beside one of them.
fn match_key(options: &MergeOptions, shards: &Shards) -> Result<Option<MatchKey>> {
    let Some(commitment) = &shards.header.key else { return Ok(None) };
    let given = match (&options.key_file, options.seed) {
        (Some(path), _) => Some(MatchKey::read(path).context("--key-file")?),
        (None, seed) => seed.map(MatchKey::of_seed),
    };
    if let Some(key) = given {
        key.ensure_is(commitment).context("--seed or --key-file")?;
        return Ok(Some(key));
    }
    if shards.key.is_some() {
        return Ok(shards.key.clone());
    }
    for path in &options.records {
        let path = key::file_beside(path);
        if let Some(key) = MatchKey::read_if_any(&path)? {
            key.ensure_is(commitment).with_context(|| path.display().to_string())?;
            return Ok(Some(key));
        }
    }
    Ok(None)
}

/// Whether records hold all games of a match.
fn is_complete(shards: &Shards, records: &[PathBuf]) -> bool {
    let header = &shards.header;
    let schedule = || -> Result<Schedule> {
        let options = MatchOptions::default();
        let length = options.over_header(&header.run)?.schedule_options()?;
        let shape = options.over_header(&header.config)?.schedule_options()?;
        let shape = ScheduleOptions { rounds: length.rounds, games: length.games, ..shape };
        let seating = Seating::parse(&shape.seating, &header.engines, header.seats)?;
        Schedule::new(header.engines.len(), header.seats, &seating, &shape)
    };
    // Records of an old version do not say how long the match is.
    let Some(schedule) = schedule().ok().filter(|_| !header.run.is_null()) else { return false };
    let Some(mut stages) = schedule.stages(&header.engines) else {
        return shards.standings.games() >= schedule.total();
    };
    // Who met whom, and whether that was all, follows from the results.
    let mut add = |record: Record| {
        stages.add(&record);
        Ok(())
    };
    records.iter().all(|path| record::read(path, &mut add).is_ok()) && stages.is_over()
}

/// The first pass.
fn read_shards(paths: &[PathBuf]) -> Result<Shards> {
    let first = paths.first().context("no records given")?;
    let mut header = RecordFile::open(first)?.header().clone();
    let mut standings = Standings::new(&header.engines, header.seats, header.bundles.clone());
    let (mut places, mut sources, mut key) = (Vec::new(), Vec::new(), None);
    for (index, path) in paths.iter().enumerate() {
        let opened =
            reading::regular(path).with_context(|| format!("records {}", path.display()))?;
        let mut file = RecordFile::from_file(path, opened.try_clone()?)?;
        let mut source = Source::new(path, opened, file.is_packed())?;
        ensure!(
            file.header().is_same_match(&header),
            "{}: of another match than {}",
            path.display(),
            first.display()
        );
        while let Some(record) = file.next()? {
            let length = file.line().len();
            places.push(Place {
                game: record.game,
                offset: source.offset(&file)?,
                file: u32::try_from(index).context("too many files")?,
                length: u32::try_from(length).context("a line is too long")?,
            });
            standings.add(&record);
        }
        // Options of the run that were recorded later, such as the length of the match.
        header.run = file.header().run.clone();
        key = file.key().cloned().or(key);
        sources.push(source);
    }
    Ok(Shards { header: header.of_whole_match(), standings, places, sources, key })
}

fn refuse_doubles(places: &[Place], paths: &[PathBuf]) -> Result<()> {
    let double = places.windows(2).find(|two| match two {
        [one, other] => one.game == other.game,
        _ => false,
    });
    if let Some([one, other]) = double {
        let name = |place: &Place| {
            paths
                .get(place.file as usize)
                .map(|path| path.display().to_string())
                .unwrap_or_default()
        };
        bail!("game {} is in {} and in {}", one.game, name(one), name(other));
    }
    Ok(())
}

/// A file whose lines are read at their places, which mostly follow each other.
struct Source {
    file: File,
    /// Of a packed file, the lines are copied to a temporary one; so many bytes so far.
    copied: Option<u64>,
    path: PathBuf,
    /// What was read last, and where it begins.
    window: Vec<u8>,
    start: u64,
}

/// Bytes read at once.
const WINDOW: usize = 1 << 18;

impl Source {
    fn new(path: &Path, opened: File, packed: bool) -> Result<Self> {
        let (file, copied) = match packed {
            true => (temporary().context("no temporary file can be made")?, Some(0)),
            false => (opened, None),
        };
        Ok(Source { file, copied, path: path.to_owned(), window: Vec::new(), start: 0 })
    }

    /// Where the line is that was read last.
    fn offset(&mut self, read: &RecordFile) -> Result<u64> {
        let line = read.line();
        let Some(copied) = &mut self.copied else { return Ok(read.length() - line.len() as u64) };
        self.file.write_all(line).context("a temporary file cannot be written")?;
        let offset = *copied;
        *copied += line.len() as u64;
        Ok(offset)
    }

    /// The line at a place.
    fn line(&mut self, place: &Place) -> Result<&[u8]> {
        let length = place.length as usize;
        let end = self.start + self.window.len() as u64;
        if place.offset < self.start || place.offset + length as u64 > end {
            self.window.resize(length.max(WINDOW), 0);
            let context = || format!("records {}", self.path.display());
            let count = self.file.read_at(&mut self.window, place.offset).with_context(context)?;
            self.window.truncate(count);
            self.start = place.offset;
        }
        let from = (place.offset - self.start) as usize;
        self.window
            .get(from..from + length)
            .with_context(|| format!("records {}: changed meanwhile", self.path.display()))
    }
}

/// A file that is removed when it is closed.
fn temporary() -> std::io::Result<File> {
    let name = format!("parlor-merge-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
