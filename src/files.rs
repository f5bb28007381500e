//! Files that are written whole or not at all.
//!
//! A new file is written beside the old one under another name, brought to the disk, and renamed
//! over it. Until then the old file is as it was: a full disk, a kill or a power cut destroys
//! nothing. If anything fails, the new file is removed. A kill may leave one behind; the next writer
//! of the same file removes it.
//!
//! Devices and pipes (`/dev/stdout`) cannot be replaced and are written as they are.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::Pid;

/// How the name of a file ends while it is written.
const ENDING: &str = ".unfinished";

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Readers {
    /// Whoever could read the old one; without an old one, as the process's mask has it.
    AsBefore,
    /// Its owner alone.
    Owner,
}

/// A file that replaces another one when it is [committed](NewFile::commit). Dropped before that,
/// it leaves nothing.
#[derive(Debug)]
pub struct NewFile {
    destination: PathBuf,
    /// Where it is written; `None` if that is the destination itself.
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create(path: &Path) -> io::Result<Self> {
        Self::create_as(path, Readers::AsBefore)
    }

    fn create_as(path: &Path, readers: Readers) -> io::Result<Self> {
        // What a link names is replaced, not the link.
        let destination = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&destination).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(&destination)?;
            return Ok(NewFile { destination, temporary: None, writer: BufWriter::new(file) });
        }
        let name = destination
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it names no file"))?;
        let folder = folder_of(&destination);
        remove_abandoned(folder, name);
        let temporary = folder.join(temporary_name(name));
        let mut options = File::options();
        options.write(true).create_new(true);
        if readers == Readers::Owner {
            options.mode(0o600);
        }
        let file = options.open(&temporary).map_err(|error| {
            let text = format!("no file can be made in {}: {error}", folder.display());
            io::Error::new(error.kind(), text)
        })?;
        let new = NewFile {
            destination,
            temporary: Some(temporary),
            writer: BufWriter::with_capacity(1 << 16, file),
        };
        if let Some(old) = old {
            if old.permissions().readonly() {
                let text = "the old file may not be written to";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
            }
            if readers == Readers::AsBefore {
                new.writer.get_ref().set_permissions(old.permissions())?;
            }
        }
        Ok(new)
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the disk is full or fails; the old file is then as it was.
    pub fn commit(mut self) -> io::Result<()> {
        self.writer.flush()?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        self.writer.get_ref().sync_all()?;
        fs::rename(temporary, &self.destination)?;
        self.temporary = None;
        // The new name is on the disk with its folder. Not every file system can do that, and the
        // file is whole either way.
        let _ = File::open(folder_of(&self.destination)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.writer.seek(place)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // What failed before is the error to report.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file.
///
/// # Errors
/// When it cannot be written; an old file is then as it was.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.commit()
}

/// Writes a whole file that only its owner may read.
///
/// # Errors
/// When it cannot be written; an old file is then as it was.
#[cfg(feature = "runner")]
pub(crate) fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = NewFile::create_as(path, Readers::Owner)?;
    file.write_all(bytes.as_ref())?;
    file.commit()
}

/// A folder of the user by the XDG base directories: what the variable says, or else what stands
/// under the home.
#[cfg(feature = "runner")]
pub(crate) fn base_folder(variable: &str, under_home: &str) -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(under_home)))
}

/// Whether a file could be written now: asked before long work, so that a wrong path fails at once.
///
/// # Errors
/// When it cannot be written.
pub fn ensure_writable(path: &Path) -> io::Result<()> {
    NewFile::create(path).map(drop)
}

/// Removes a file, where there is one, and what killed writers of it left.
///
/// # Errors
/// When it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    if let Some(name) = path.file_name() {
        remove_abandoned(folder_of(path), name);
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// `.NAME.PROCESS-NUMBER.unfinished`: different in every process, and for every file of one.
fn temporary_name(name: &OsStr) -> OsString {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}-{number}{ENDING}", std::process::id()));
    temporary
}

/// The process that writes a file of this name for a destination of that name.
fn writer_of(found: &OsStr, name: &OsStr) -> Option<i32> {
    let rest = found.as_encoded_bytes().strip_prefix(b".")?;
    let rest = rest.strip_prefix(name.as_encoded_bytes())?.strip_prefix(b".")?;
    let numbers = rest.strip_suffix(ENDING.as_bytes())?;
    let (process, _) = std::str::from_utf8(numbers).ok()?.split_once('-')?;
    process.parse().ok().filter(|process| *process > 0)
}

/// Removes what writers of the same file left behind when they were killed.
fn remove_abandoned(folder: &Path, name: &OsStr) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let writer = writer_of(&entry.file_name(), name);
        if writer.is_some_and(|process| kill(Pid::from_raw(process), None) == Err(Errno::ESRCH)) {
            // Somebody else may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        write(&path, "old").unwrap();
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"half of the new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["table"]);
        write(&path, "new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["table"]);
    }

    #[test]
    fn a_header_may_be_written_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"....data").unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(b"head").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"headdata");
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("table"), folder.path().join("link"));
        write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    #[cfg(feature = "runner")]
    fn private_files_are_read_by_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game");
        for text in ["one", "two"] {
            write_private(&path, text).unwrap();
            assert_eq!(fs::read(&path).unwrap(), text.as_bytes());
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn read_only_files_and_directories_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        let error = write(&path, "new").expect_err("read-only");
        assert_eq!(error.to_string(), "the old file may not be written to");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        let error = write(folder.path(), "new").expect_err("a directory");
        assert_eq!(error.to_string(), "it is a directory");
        let error = write(&folder.path().join("no/table"), "new").expect_err("no such directory");
        assert!(error.to_string().starts_with("no file can be made in "), "{error}");
        assert_eq!(names(folder.path()), ["table"]);
    }

    #[test]
    fn names_that_are_not_utf_8_will_do() {
        let folder = tempfile::tempdir().unwrap();
        let name = OsStr::from_bytes(b"t\xffble");
        write(&folder.path().join(name), "new").unwrap();
        assert_eq!(names(folder.path()), [name]);
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_by_the_next() {
        let folder = tempfile::tempdir().unwrap();
        // No process has this number: Linux stops at 2^22.
        let abandoned = folder.path().join(".table.2000000000-0.unfinished");
        let of_another = folder.path().join(".other.2000000000-0.unfinished");
        let in_use = folder.path().join(format!(".table.{}-77.unfinished", std::process::id()));
        for path in [&abandoned, &of_another, &in_use] {
            fs::write(path, "half").unwrap();
        }
        write(&folder.path().join("table"), "new").unwrap();
        assert!(!abandoned.exists() && of_another.exists() && in_use.exists());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_reported() {
        let error = write(Path::new("/dev/full"), "text").expect_err("no space");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        // A device stays a device.
        assert!(!fs::metadata("/dev/full").unwrap().is_file());
    }
}
