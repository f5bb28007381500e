//! Writing record files: game by game, by one process at a time, or whole.
//!
//! A record is written with one system call: a kill leaves at most one unfinished last line, which
//! is cut off before a match is resumed. A file is locked while it is written, also by those who
//! replace it. Whether one was removed or replaced all the same is looked up with every game, and
//! when the writing ends: what was written then gets a name again.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Header, NumberSet, Record, RecordFile, line};
use crate::printing::note_line;
use crate::runner::key::{self, MatchKey};
use crate::runner::lock::{Replacement, is_at, lock_at};

/// Where the key of a match is while the match is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::runner) enum Keeping {
    /// Beside the records, which alone are then enough to continue the match.
    Beside,
    /// In memory: a seat could read it in a file, and with it every secret.
    InMemory,
    /// With whoever gave it, and gives it again.
    Given,
}

/// A record file that grows by a game at a time. It is locked: no other process can write it.
#[derive(Debug)]
pub(in crate::runner) struct Writer {
    file: File,
    path: PathBuf,
    /// The key of the match, and where it is kept.
    key: Option<(MatchKey, Keeping)>,
    /// Whether the key stands in the last line alone, which the next game cuts off.
    key_in_line: bool,
    /// Bytes of all whole lines.
    length: u64,
    /// Whether something may follow them: half a line, or that of a key.
    torn: bool,
}

impl Writer {
    /// Starts a new file and keeps the key of the match; one that exists is not overwritten.
    ///
    /// # Errors
    /// When it exists or cannot be written.
    pub(in crate::runner) fn create(
        path: &Path,
        header: &Header,
        key: (MatchKey, Keeping),
    ) -> Result<Self> {
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
        lock_at(path, &file).with_context(|| format!("records {}", path.display()))?;
        let path = path.to_owned();
        Ok(Writer { file, path, key: None, key_in_line: false, length: 0, torn: true })
    }

    /// The key is kept first: records without it cannot be continued.
    fn begin(&mut self, header: &Header, key: (MatchKey, Keeping)) -> Result<()> {
        self.key = Some(key);
        self.keep_key()?;
        self.header(header)
    }

    /// Sees to it that the key is where it is to be kept, and nowhere else.
    fn keep_key(&mut self) -> Result<()> {
        self.key_in_line = false;
        let beside = key::file_beside(&self.path);
        match &self.key {
            Some((key, Keeping::Beside)) => key.keep(&beside),
            Some((key, Keeping::InMemory)) => key.take_away(&beside),
            Some((_, Keeping::Given)) | None => Ok(()),
        }
    }

    /// Leaves the key beside the records of an unfinished match. No seat is at work any more.
    ///
    /// # Errors
    /// When something else is there, or it cannot be written.
    pub(in crate::runner) fn leave_key(&mut self) -> Result<()> {
        if let Some((_, keeping @ Keeping::InMemory)) = &mut self.key {
            *keeping = Keeping::Beside;
        }
        if self.key_in_line { Ok(()) } else { self.keep_key() }
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
        key: (MatchKey, Keeping),
        seen: impl FnMut(Record) -> Result<()>,
    ) -> Result<(Self, Header, NumberSet)> {
        let (mut writer, old) = Self::open(path, seen)?;
        let Some(old) = old else {
            writer.begin(header, key)?;
            return Ok((writer, header.clone(), NumberSet::default()));
        };
        writer.key = Some(key);
        match old.key() {
            Some(_) => writer.key_in_line = true,
            None => writer.keep_key()?,
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
        if self.key_in_line {
            self.keep_key()?;
        }
        self.append(&line::write_run(run)?)
    }

    /// Ends the records of a complete match with its key.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn end_with(&mut self, key: &MatchKey) -> Result<()> {
        let ended = line::write_key(key).and_then(|line| self.append(&line));
        if ended.is_err() {
            self.leave_key()?;
        }
        ended
    }

    /// Appends one game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game(&mut self, record: &Record) -> Result<()> {
        if self.key_in_line {
            self.keep_key()?;
        }
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
        self.keep()
    }

    /// Sees to it that what was written has a name: another file, or none, may stand where this one
    /// was.
    ///
    /// # Errors
    /// When that was so, once: it says where the games are now.
    pub(in crate::runner) fn keep(&mut self) -> Result<()> {
        if self.length == 0 || is_at(&self.path, &self.file) {
            return Ok(());
        }
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{}.rescued", std::process::id()));
        let lost = std::mem::replace(&mut self.path, name.into());
        let (lost, rescued) = (lost.display(), self.path.display());
        self.file =
            self.copy().with_context(|| format!("records {lost}: removed meanwhile; {rescued}"))?;
        bail!("records {lost}: removed or replaced meanwhile; the games are in {rescued}")
    }

    /// Writes all whole lines and the key anew.
    fn copy(&self) -> Result<File> {
        let mut new = File::options().create_new(true).read(true).append(true).open(&self.path)?;
        let mut bytes = vec![0; WINDOW];
        let mut done = 0;
        while done < self.length {
            let wanted = (self.length - done).min(WINDOW as u64) as usize;
            let bytes = bytes.get_mut(..wanted).unwrap_or_default();
            let count = self.file.read_at(bytes, done)?;
            ensure!(count > 0, "it is shorter than it was");
            new.write_all(bytes.get(..count).unwrap_or_default())?;
            done += count as u64;
        }
        if let Some((key, Keeping::Beside)) = &self.key {
            key.keep(&key::file_beside(&self.path))?;
        }
        Ok(new)
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

impl Drop for Writer {
    /// For those who end without asking.
    fn drop(&mut self) {
        if let Err(error) = self.keep() {
            note_line!("{error:#}");
        }
    }
}

/// Bytes copied at once.
const WINDOW: usize = 1 << 16;

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
    Plain(Replacement),
    Packed(Box<zstd::Encoder<'static, Replacement>>),
}

impl WholeFile {
    /// Begins a file with its header.
    ///
    /// # Errors
    /// When it cannot be written, or another process writes the old one.
    pub(in crate::runner) fn create(path: &Path, header: &Header) -> Result<Self> {
        Self::begin(Replacement::create(path)?, path, header)
    }

    /// The same where nothing but the header is missing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn begin(
        file: Replacement,
        path: &Path,
        header: &Header,
    ) -> Result<Self> {
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

    /// Appends a game, as the line of another file; one that this program would not have written so
    /// is written anew.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::runner) fn game_line(&mut self, line: &[u8]) -> Result<()> {
        if line::is_as_written(line) {
            return self.append(line);
        }
        self.game(&line::game(line)?)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::lock::testing::without_locks;
    use crate::runner::tournament::record::FORMAT;

    /// A header, the key of a match, and a folder.
    fn material() -> (tempfile::TempDir, Header, MatchKey) {
        let header = Header { parlor: FORMAT, seats: 2, ..Header::default() };
        (tempfile::tempdir().unwrap(), header, MatchKey::of_seed(1))
    }

    fn kept(key: &MatchKey) -> (MatchKey, Keeping) {
        (key.clone(), Keeping::Beside)
    }

    #[test]
    fn records_are_written_and_replaced_where_no_file_can_be_locked() {
        let (folder, header, key) = material();
        let path = folder.path().join("records.jsonl");
        without_locks(|| {
            drop(Writer::create(&path, &header, kept(&key)).unwrap());
            drop(Writer::resume(&path, &header, kept(&key), |_| Ok(())).unwrap());
            WholeFile::create(&path, &header).unwrap().commit().unwrap();
        });
        // Where they can be, one at a time writes them.
        let writer = Writer::open(&path, |_| Ok(())).unwrap();
        let held = Writer::resume(&path, &header, kept(&key), |_| Ok(())).unwrap_err();
        assert!(format!("{held:#}").contains("is writing this file"), "{held:#}");
        assert!(WholeFile::create(&path, &header).is_err());
        drop(writer);
    }

    #[test]
    fn a_removed_file_is_rescued_once_whoever_asks() {
        let (folder, header, key) = material();
        let path = folder.path().join("records.jsonl");
        let rescued = folder.path().join(format!("records.jsonl.{}.rescued", std::process::id()));
        let mut writer = Writer::create(&path, &header, kept(&key)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        writer.keep().unwrap();
        std::fs::remove_file(&path).unwrap();
        let error = writer.keep().unwrap_err().to_string();
        assert!(error.ends_with(&format!("the games are in {}", rescued.display())), "{error}");
        writer.keep().unwrap();
        assert_eq!(std::fs::read_to_string(&rescued).unwrap(), text);
        std::fs::remove_file(&rescued).unwrap();
        // One that nobody asks is asked when it is dropped.
        let writer = Writer::create(&path, &header, kept(&key)).unwrap();
        std::fs::rename(&path, folder.path().join("elsewhere")).unwrap();
        drop(writer);
        assert_eq!(std::fs::read_to_string(&rescued).unwrap(), text);
    }
}
