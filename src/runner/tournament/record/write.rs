//! Writing record files: game by game, by one process at a time, or whole.
//!
//! A record is written with one system call: a kill leaves at most one unfinished last line, which
//! is cut off before a match is resumed. A file is locked while it is written, also by those who
//! replace it; one that was removed or replaced all the same is found out with the next game.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Header, NumberSet, Record, RecordFile, line};
use crate::files::NewFile;
use crate::printing::note_line;
use crate::reading;
use crate::runner::key::{self, MatchKey};
use crate::runner::lock::{LockError, lock};

/// A record file that grows by a game at a time. It is locked: no other process can write it.
#[derive(Debug)]
pub(in crate::runner) struct Writer {
    file: File,
    path: PathBuf,
    /// The key of the match, where one is kept beside the file.
    key: Option<MatchKey>,
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
        let open = File::options().create_new(true).read(true).append(true).open(path);
        let file = open.with_context(|| match path.exists() {
            true => format!(
                "records {}: the file exists; use another name, or add --resume",
                path.display()
            ),
            false => format!("records {}", path.display()),
        })?;
        let mut writer = Writer::of(path, file)?;
        if let Err(error) = writer.begin(header, key) {
            // An empty file would stand in the way of the next try.
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
        Ok(writer)
    }

    fn of(path: &Path, file: File) -> Result<Self> {
        lock_records(path, &file)?;
        Ok(Writer { file, path: path.to_owned(), key: None, length: 0, torn: true })
    }

    /// The key is kept first: records without it cannot be continued.
    fn begin(&mut self, header: &Header, key: &MatchKey) -> Result<()> {
        key.write(&key::file_beside(&self.path))?;
        self.key = Some(key.clone());
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
            writer.begin(header, key)?;
            return Ok((writer, header.clone(), NumberSet::default()));
        };
        let kept = key::file_beside(path);
        if MatchKey::read_if_any(&kept).ok().flatten().as_ref() != Some(key) {
            key.write(&kept)?;
        }
        writer.key = Some(key.clone());
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
        if is_at(&self.path, &self.file) { Ok(()) } else { self.rescue() }
    }

    /// Another file, or none, stands where this one was: what was written gets a name again.
    fn rescue(&self) -> Result<()> {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{}.rescued", std::process::id()));
        let rescued = PathBuf::from(name);
        let copy = || -> Result<()> {
            let mut new = File::create_new(&rescued)?;
            let mut bytes = vec![0; WINDOW];
            let mut done = 0;
            while done < self.length {
                let count = self.file.read_at(&mut bytes, done)?;
                ensure!(count > 0, "it is shorter than it was");
                new.write_all(bytes.get(..count).unwrap_or_default())?;
                done += count as u64;
            }
            self.key.as_ref().map_or(Ok(()), |key| key.write(&key::file_beside(&rescued)))
        };
        let (path, rescued) = (self.path.display(), rescued.display());
        copy().with_context(|| format!("records {path}: removed meanwhile; {rescued}"))?;
        bail!("records {path}: removed or replaced meanwhile; the games are in {rescued}")
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

/// Bytes copied at once.
const WINDOW: usize = 1 << 16;

/// Locks records until their file is closed. Where the file system knows no locks, a warning says so.
fn lock_records(path: &Path, file: &File) -> Result<()> {
    match lock(file) {
        Err(error @ LockError::NoLocks(_)) => {
            let path = path.display();
            note_line!("warning: records {path}: {error}, or see to it that nobody else writes it");
            Ok(())
        }
        locked => locked.with_context(|| format!("records {}", path.display())),
    }?;
    ensure!(is_at(path, file), "records {}: replaced just now; try again", path.display());
    Ok(())
}

/// Whether a path names this open file.
fn is_at(path: &Path, file: &File) -> bool {
    let (Ok(named), Ok(open)) = (std::fs::metadata(path), file.metadata()) else { return false };
    (named.dev(), named.ino()) == (open.dev(), open.ino())
}

/// A file that is to be replaced, locked until then; `None` where there is none.
pub(in crate::runner) struct Replaced(#[expect(dead_code, reason = "holds the lock")] Option<File>);

impl Replaced {
    /// Locks what is there.
    ///
    /// # Errors
    /// When another process writes it.
    pub(in crate::runner) fn at(path: &Path) -> Result<Self> {
        // What may not be read is replaced without a lock; what is no file cannot be replaced.
        let Ok(file) = reading::regular(path) else { return Ok(Replaced(None)) };
        lock_records(path, &file)?;
        Ok(Replaced(Some(file)))
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
pub(in crate::runner) struct WholeFile {
    file: Target,
    /// Nobody writes the old one meanwhile.
    _old: Replaced,
}

enum Target {
    Plain(NewFile),
    Packed(Box<zstd::Encoder<'static, NewFile>>),
}

impl WholeFile {
    /// Begins a file with its header.
    ///
    /// # Errors
    /// When it cannot be written, or another process writes the old one.
    pub(in crate::runner) fn create(path: &Path, header: &Header) -> Result<Self> {
        Self::replace(Replaced::at(path)?, path, header)
    }

    /// The same where the old file is locked already.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn replace(old: Replaced, path: &Path, header: &Header) -> Result<Self> {
        let file = NewFile::create(path)?;
        let file = match is_packed(path) {
            true => Target::Packed(Box::new(zstd::Encoder::new(file, 3)?)),
            false => Target::Plain(file),
        };
        let mut file = WholeFile { file, _old: old };
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
        match &mut self.file {
            Target::Plain(file) => file.write_all(line)?,
            Target::Packed(file) => file.write_all(line)?,
        }
        Ok(())
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn commit(self) -> Result<()> {
        match self.file {
            Target::Plain(file) => file.commit()?,
            Target::Packed(file) => file.finish()?.commit()?,
        }
        Ok(())
    }
}
