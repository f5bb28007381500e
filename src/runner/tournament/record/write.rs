//! Writing record files: game by game, by one process at a time, or whole.
//!
//! A record is written with one system call: a kill leaves at most one unfinished last line, which
//! is cut off before a match is resumed.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use nix::fcntl::Flock;
use serde_json::Value;

use super::{Header, NumberSet, Record, RecordFile, line};
use crate::files::NewFile;
use crate::runner::key::{self, MatchKey};
use crate::runner::lock::lock;

/// A record file that grows by a game at a time. It is locked: no other process can write it.
#[derive(Debug)]
pub(in crate::runner) struct Writer {
    file: Flock<File>,
    /// Bytes of all whole lines.
    length: u64,
    /// Whether something may follow them: half a line, or that of a key.
    torn: bool,
}

impl Writer {
    /// Starts a new file and keeps the key of the match beside it; one that exists is not
    /// overwritten.
    ///
    /// # Errors
    /// When it exists or cannot be written.
    pub(in crate::runner) fn create(path: &Path, header: &Header, key: &MatchKey) -> Result<Self> {
        ensure!(!is_packed(path), "records {}: {}", path.display(), cannot_grow(path));
        let open = File::options().create_new(true).append(true).open(path);
        let file = open.with_context(|| match path.exists() {
            true => format!(
                "records {}: the file exists; use another name, or add --resume",
                path.display()
            ),
            false => format!("records {}", path.display()),
        })?;
        let mut writer = Writer::of(path, file)?;
        if let Err(error) = writer.begin(path, header, key) {
            // An empty file would stand in the way of the next try.
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
        Ok(writer)
    }

    fn of(path: &Path, file: File) -> Result<Self> {
        let file = lock(file).with_context(|| format!("records {}", path.display()))?;
        Ok(Writer { file, length: 0, torn: true })
    }

    /// The key is kept first: records without it cannot be continued.
    fn begin(&mut self, path: &Path, header: &Header, key: &MatchKey) -> Result<()> {
        key.write(&key::file_beside(path))?;
        self.header(header)
    }

    /// Begins a file with its header.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn header(&mut self, header: &Header) -> Result<()> {
        self.append(&line::write(header)?)
    }

    /// Opens a file to append to, in place of an unfinished last line and of that of the key; calls
    /// `seen` with each game in it. Where there is no file, or no complete header in it, the file is new. Returns
    /// also the header in the file and the numbers of its games.
    ///
    /// # Errors
    /// When another process writes the file, when it cannot be read, or a line in it is damaged.
    pub(in crate::runner) fn resume(
        path: &Path,
        header: &Header,
        key: &MatchKey,
        seen: impl FnMut(Record) -> Result<()>,
    ) -> Result<(Self, Header, NumberSet)> {
        let (mut writer, old) = Self::open(path, seen)?;
        let Some(old) = old else {
            writer.begin(path, header, key)?;
            return Ok((writer, header.clone(), NumberSet::default()));
        };
        let kept = key::file_beside(path);
        if MatchKey::read_if_any(&kept).ok().flatten().as_ref() != Some(key) {
            key.write(&kept)?;
        }
        Ok((writer, old.header().clone(), old.seen().clone()))
    }

    /// Opens a file, or makes it, and reads what is in it: nothing where there is no complete
    /// header. Calls `seen` with each game. The file stays as it is until it is appended to.
    ///
    /// # Errors
    /// When another process writes the file, when it cannot be read, or a line in it is damaged.
    pub(in crate::runner) fn open(
        path: &Path,
        mut seen: impl FnMut(Record) -> Result<()>,
    ) -> Result<(Self, Option<RecordFile>)> {
        let context = || format!("records {}", path.display());
        ensure!(!is_packed(path), "{}: {}", context(), cannot_grow(path));
        let file = File::options().create(true).read(true).append(true).open(path);
        let mut writer = Writer::of(path, file.with_context(context)?)?;
        let mut old = RecordFile::open_if_begun(path)?;
        if let Some(old) = &mut old {
            while let Some(record) = old.next()? {
                seen(record)?;
            }
            writer.length = old.length();
        }
        Ok((writer, old))
    }

    /// Records that the match is run with other options from here on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn change_run(&mut self, run: &Value) -> Result<()> {
        self.append(&line::write_run(run)?)
    }

    /// Ends the records of a complete match with its key.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn end_with(&mut self, key: &MatchKey) -> Result<()> {
        self.append(&line::write_key(key)?)
    }

    /// Appends one game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game(&mut self, record: &Record) -> Result<()> {
        self.append(&line::write(record)?)
    }

    /// Nothing but whole lines stays where the disk is full.
    fn append(&mut self, line: &str) -> Result<()> {
        let written = self.cut().and_then(|()| self.file.write_all(line.as_bytes()));
        if let Err(error) = written {
            self.torn = true;
            // The next line tries again.
            let _ = self.cut();
            return Err(error).context("records cannot be written");
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Cuts off what follows the whole lines.
    fn cut(&mut self) -> std::io::Result<()> {
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        Ok(())
    }
}

/// Why a packed file is not appended to, and what to do instead.
fn cannot_grow(path: &Path) -> String {
    let (packed, plain) = (path.display(), path.with_extension(""));
    let plain = plain.display();
    let what = if path.exists() { "unpack it" } else { "write a plain one and pack it afterwards" };
    let (from, to) = if path.exists() { (packed, plain) } else { (plain, packed) };
    format!("a packed file cannot grow; {what}: parlor merge {from} -o {to}")
}

/// Whether the name of a file says that it is packed with zstd.
fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zst")
}

/// A file that is written from its start; an old one stays as it was until that is done. Packed with
/// zstd if its name ends in `.zst`.
pub(in crate::runner) enum WholeFile {
    /// As it is.
    Plain(NewFile),
    /// Packed.
    Packed(Box<zstd::Encoder<'static, NewFile>>),
}

impl WholeFile {
    /// Begins a file with its header.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn create(path: &Path, header: &Header) -> Result<Self> {
        let file = NewFile::create(path)?;
        let mut file = match is_packed(path) {
            true => WholeFile::Packed(Box::new(zstd::Encoder::new(file, 3)?)),
            false => WholeFile::Plain(file),
        };
        file.append(line::write(header)?.as_bytes())?;
        Ok(file)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game(&mut self, record: &Record) -> Result<()> {
        self.append(line::write(record)?.as_bytes())
    }

    /// Appends a game, as the line of another file; one without a checksum gets it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game_line(&mut self, line: &[u8]) -> Result<()> {
        if line::is_checked(line) {
            return self.append(line);
        }
        let record: Record = serde_json::from_slice(line).context("not a record")?;
        self.append(line::write(&record)?.as_bytes())
    }

    /// Ends the records of a complete match with its key.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn end_with(&mut self, key: &MatchKey) -> Result<()> {
        self.append(line::write_key(key)?.as_bytes())
    }

    fn append(&mut self, line: &[u8]) -> Result<()> {
        match self {
            WholeFile::Plain(file) => file.write_all(line)?,
            WholeFile::Packed(file) => file.write_all(line)?,
        }
        Ok(())
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn commit(self) -> Result<()> {
        match self {
            WholeFile::Plain(file) => file.commit()?,
            WholeFile::Packed(file) => file.finish()?.commit()?,
        }
        Ok(())
    }
}
