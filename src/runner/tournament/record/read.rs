//! Reading record files, packed with zstd or not, line by line.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::line::{self, Line};
use super::{Header, NumberSet, Record, bounds};
use crate::reading::{self, Input};
use crate::runner::key::MatchKey;

/// A record file that is being read; an unfinished last line is not part of it.
pub(in crate::runner) struct RecordFile {
    path: PathBuf,
    reader: Input,
    header: Header,
    checked: bool,
    /// The line read last, with its line end.
    line: Vec<u8>,
    /// Lines read.
    count: u64,
    /// Bytes of all complete lines read, that of the key left out.
    length: u64,
    seen: NumberSet,
    key: Option<MatchKey>,
}

impl RecordFile {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// When it cannot be read or is not a record file.
    pub(in crate::runner) fn open(path: &Path) -> Result<Self> {
        let file = reading::open(path).with_context(|| format!("records {}", path.display()))?;
        Self::from_file(path, file)
    }

    /// The same; `None` where there is no complete header.
    ///
    /// # Errors
    /// When the file cannot be read or is not a record file.
    pub(in crate::runner) fn open_if_begun(path: &Path) -> Result<Option<Self>> {
        let context = || format!("records {}", path.display());
        let file = reading::open(path).with_context(context)?;
        Self::begin(path, file)
    }

    /// The same, for a file that is open at its start.
    ///
    /// # Errors
    /// When the file cannot be read or is not a record file.
    pub(in crate::runner) fn from_file(path: &Path, file: File) -> Result<Self> {
        match Self::begin(path, file)? {
            Some(file) => Ok(file),
            None => bail!("records {}: no match in it", path.display()),
        }
    }

    fn begin(path: &Path, file: File) -> Result<Option<Self>> {
        let context = || format!("records {}", path.display());
        let mut reader = Input::of(file).with_context(context)?;
        let mut line = Vec::new();
        let count = reading::line(&mut reader, &mut line).with_context(context)?;
        if line.last() != Some(&b'\n') {
            return Ok(None);
        }
        let header = line::header(&line).with_context(|| format!("{}, line 1", context()))?;
        Ok(Some(RecordFile {
            path: path.to_owned(),
            reader,
            header,
            checked: line::is_checked(&line),
            line,
            count: 1,
            length: count as u64,
            seen: NumberSet::default(),
            key: None,
        }))
    }

    /// Whether the file is packed.
    pub(in crate::runner) fn is_packed(&self) -> bool {
        self.reader.is_packed()
    }

    /// The header, with the options of the run that hold where the file was read to.
    pub(in crate::runner) fn header(&self) -> &Header {
        &self.header
    }

    /// The numbers of the games read so far.
    pub(in crate::runner) fn seen(&self) -> &NumberSet {
        &self.seen
    }

    /// The key, if the match is complete and the file read to its end.
    pub(in crate::runner) fn key(&self) -> Option<&MatchKey> {
        self.key.as_ref()
    }

    /// The place in the unpacked file after the last complete line read, or before that of the key.
    pub(in crate::runner) fn length(&self) -> u64 {
        self.length
    }

    /// The line of the game read last.
    pub(in crate::runner) fn line(&self) -> &[u8] {
        &self.line
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// A file that cannot be read, a damaged line, a game that is there twice.
    pub(in crate::runner) fn next(&mut self) -> Result<Option<Record>> {
        loop {
            if !self.advance().with_context(|| format!("records {}", self.path.display()))? {
                return Ok(None);
            }
            let context = || format!("records {}, line {}", self.path.display(), self.count);
            ensure!(self.key.is_none(), "{}: nothing may follow the match key", context());
            match line::read(&self.line, self.checked).with_context(context)? {
                Line::Run(run) => {
                    self.header.run = run;
                    bounds::check_header(&self.header).with_context(context)?;
                }
                Line::Key(key) => {
                    let promised = self.header.key.as_deref().unwrap_or_default();
                    key.ensure_is(promised).with_context(context)?;
                    self.length -= self.line.len() as u64;
                    self.key = Some(key);
                }
                Line::Game(record) => {
                    bounds::check_game(&record, self.header.seats).with_context(context)?;
                    let number = record.game;
                    ensure!(
                        self.seen.insert(number),
                        "{}: game {number} is there twice",
                        context()
                    );
                    return Ok(Some(*record));
                }
            }
        }
    }

    /// Reads the next complete line, if there is one.
    fn advance(&mut self) -> Result<bool> {
        self.line.clear();
        let count = reading::line(&mut self.reader, &mut self.line)?;
        let complete = self.line.last() == Some(&b'\n');
        if complete {
            self.count += 1;
            self.length += count as u64;
        }
        Ok(complete)
    }
}

/// Reads a file to its end: then its header has the options of the run that were written last.
///
/// # Errors
/// When the file cannot be read or a line in it is damaged; `None` if there is no complete header.
pub(in crate::runner) fn read_through(path: &Path) -> Result<Option<RecordFile>> {
    let Some(mut file) = RecordFile::open_if_begun(path)? else { return Ok(None) };
    while file.next()?.is_some() {}
    Ok(Some(file))
}

/// Reads a whole file, game by game; an unfinished last line is skipped.
///
/// # Errors
/// When the file cannot be read or is not a record file.
pub fn read(path: &Path, mut seen: impl FnMut(Record) -> Result<()>) -> Result<Header> {
    let mut file = RecordFile::open(path)?;
    while let Some(record) = file.next()? {
        seen(record)?;
    }
    Ok(file.header)
}

/// The header of a file and one of its games.
///
/// # Errors
/// When the file cannot be read or has no such game.
pub(in crate::runner) fn find(path: &Path, game: u64) -> Result<(Header, Record)> {
    let mut found = None;
    let header = read(path, |record| {
        if record.game == game {
            found = Some(record);
        }
        Ok(())
    })?;
    let record = found.with_context(|| format!("{}: no game {game}", path.display()))?;
    Ok((header, record))
}
