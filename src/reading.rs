//! Files that others wrote, read within bounds: records, recorded games, openings, suites, tables,
//! weights, settings, keys. Nothing else in the project opens such files; a test holds that.
//!
//! | what | bound |
//! |---|---|
//! | a line | [`LONGEST_LINE`] |
//! | a text that is read as a whole | [`LONGEST_TEXT`], and no control characters |
//! | JSON | the bytes, values, objects and members of a [`Most`], counted before anything is made of it |
//! | what a packed file unpacks to, if it is read as a whole | 16 MiB and [`MOST_UNPACKED`] times its size |
//! | the window of a packed file | 32 MiB |
//!
//! Programs wait for nobody: what an engine is told to read is a [regular] file. What a
//! person names on the command line may be a pipe or a device as well.

#[cfg(any(feature = "engine", feature = "household"))]
mod json;

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;

#[cfg(any(feature = "engine", feature = "household"))]
pub use json::{Most, is_compact, json};

/// The longest line in bytes: some hundred thousand tokens with their scores.
pub const LONGEST_LINE: u64 = 16 << 20;

/// The longest text in bytes that is read as a whole.
pub const LONGEST_TEXT: u64 = 512 << 20;

/// How many bytes one of a packed file unpacks to at most, if it is read as a whole: recorded games
/// have three.
pub const MOST_UNPACKED: u64 = 32;

/// Opens a file, a pipe or a device.
///
/// # Errors
/// When it cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens a regular file. Opening a pipe would wait for its writer, and a device may have no end.
///
/// # Errors
/// When it cannot be opened, or is something else.
pub fn regular(path: &Path) -> io::Result<File> {
    // A pipe must not even be opened.
    ensure_regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    ensure_regular(&file.metadata()?)?;
    Ok(file)
}

fn ensure_regular(found: &std::fs::Metadata) -> io::Result<()> {
    let what = match found {
        found if found.is_file() => return Ok(()),
        found if found.is_dir() => "it is a directory, not a file",
        _ => "it is no regular file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// The bytes of a file, of which there are at most so many.
///
/// # Errors
/// When it cannot be read, or is larger.
pub fn bytes(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let known = file.metadata()?.len();
    // What is larger is not read, and what grows meanwhile not further.
    if known > most || file.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(too_large("it has", most));
    }
    Ok(bytes)
}

/// The last bytes of a regular file, at most so many, as text.
///
/// # Errors
/// When it cannot be read, or is no regular file.
pub fn end(path: &Path, most: u64) -> io::Result<String> {
    let mut file = regular(path)?;
    let start = file.metadata()?.len().saturating_sub(most);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn too_large(what: &str, most: u64) -> io::Error {
    let bound = match most {
        most if most >= 1 << 20 => format!("{} MiB", most >> 20),
        most => format!("{most} bytes"),
    };
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} more than {bound}"))
}

/// Reads up to a line end, as [`BufRead::read_until`] does, but no more than the longest line.
///
/// # Errors
/// When the file cannot be read, or the line is too long.
pub fn line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let count = reader.take(LONGEST_LINE).read_until(b'\n', line)?;
    if count as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        return Err(too_large("a line of", LONGEST_LINE));
    }
    Ok(count)
}

#[cfg(feature = "engine")]
mod packed {
    use std::io::{BufReader, Cursor};

    use super::{
        BufRead, File, LONGEST_TEXT, MOST_UNPACKED, Path, Read, damaged, io, open, too_large,
    };

    /// The largest window that a packed file may ask for, as a power of two in bytes.
    const WINDOW: u32 = 25;

    /// What every packed text may unpack to, however small the file.
    const LEAST_BOUND: u64 = 16 << 20;

    /// What a zstd file begins with.
    const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

    /// A file that is read from its start to its end, unpacked where it is packed with zstd.
    pub struct Input {
        reader: Box<dyn BufRead + Send>,
        packed: bool,
    }

    impl Input {
        /// Opens a file, a pipe or a device.
        ///
        /// # Errors
        /// When it cannot be opened or read.
        pub fn open(path: &Path) -> io::Result<Self> {
            Self::of(open(path)?)
        }

        /// Reads a file that is open at its start.
        ///
        /// # Errors
        /// When it cannot be read.
        pub fn of(file: File) -> io::Result<Self> {
            Self::new(file)
        }

        /// The same, and `-` is standard input.
        ///
        /// # Errors
        /// When it cannot be opened or read.
        pub fn open_or_standard(path: &Path) -> io::Result<Self> {
            if path == Path::new("-") { Self::new(io::stdin()) } else { Self::open(path) }
        }

        fn new(mut source: impl Read + Send + 'static) -> io::Result<Self> {
            let mut magic = Vec::new();
            source.by_ref().take(4).read_to_end(&mut magic)?;
            let packed = magic == MAGIC;
            // A pipe cannot be read again from its start.
            let whole = Cursor::new(magic).chain(source);
            let reader: Box<dyn BufRead + Send> = match packed {
                true => Box::new(BufReader::with_capacity(1 << 16, unpack(whole)?)),
                false => Box::new(BufReader::with_capacity(1 << 16, whole)),
            };
            Ok(Input { reader, packed })
        }

        /// Whether it is packed.
        #[must_use]
        pub fn is_packed(&self) -> bool {
            self.packed
        }
    }

    impl Read for Input {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.reader.read(buffer)
        }
    }

    impl BufRead for Input {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.reader.fill_buf()
        }

        fn consume(&mut self, count: usize) {
            self.reader.consume(count);
        }
    }

    /// Unpacks what is read.
    ///
    /// # Errors
    /// When memory is short.
    pub fn unpack(packed: impl Read) -> io::Result<impl Read> {
        let mut decoder = zstd::Decoder::new(packed)?;
        decoder.window_log_max(WINDOW)?;
        Ok(decoder)
    }

    /// Unpacks a block of at most so many bytes.
    ///
    /// # Errors
    /// When it is damaged or longer.
    pub fn unpack_block(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
        zstd::bulk::decompress(packed, most)
    }

    /// The text of a file, packed or not; `-` is standard input. What stands in it may become lines
    /// to an engine: control characters other than tabs and line ends are refused.
    ///
    /// # Errors
    /// When it cannot be read, is too long, is not UTF-8, or holds control characters.
    pub fn text(path: &Path) -> io::Result<String> {
        let mut input = Input::open_or_standard(path)?;
        let size = std::fs::metadata(path).map_or(0, |file| file.len());
        let most = match input.packed {
            true => {
                LONGEST_TEXT.min(LEAST_BOUND.saturating_add(size.saturating_mul(MOST_UNPACKED)))
            }
            false if size > LONGEST_TEXT => return Err(too_large("it has", LONGEST_TEXT)),
            false => LONGEST_TEXT,
        };
        let (mut bytes, mut number) = (Vec::new(), 0);
        // Line by line, so that a device without an end is refused at its first line.
        loop {
            let start = bytes.len();
            number += 1;
            let count = super::line(&mut input, &mut bytes)?;
            if bytes.len() as u64 > most {
                return Err(too_large("its text has", most));
            }
            if count == 0 {
                break;
            }
            ensure_plain(bytes.get(start..).unwrap_or_default(), number)?;
        }
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            damaged(format!("it is no text: byte {at} is not UTF-8"))
        })
    }

    /// Refuses control characters in a line, other than tabs and the line end.
    fn ensure_plain(line: &[u8], number: usize) -> io::Result<()> {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        // U+0080 to U+009F begin with the byte 0xC2.
        let after = text.get(1..).unwrap_or_default().iter().chain([&b' ']);
        let found = text.iter().zip(after).position(|(&byte, &next)| {
            (byte.is_ascii_control() && byte != b'\t')
                || (byte == 0xC2 && (0x80..0xA0).contains(&next))
        });
        match found {
            Some(at) => Err(damaged(format!(
                "it is no text: line {number}, byte {}: a control character; a text has none but \
                 tabs and line ends",
                at + 1
            ))),
            None => Ok(()),
        }
    }
}

#[cfg(any(feature = "engine", feature = "household"))]
fn damaged(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(feature = "engine")]
pub use packed::{Input, text, unpack, unpack_block};

#[cfg(all(test, feature = "engine"))]
mod tests {
    use std::io::Write;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_text_comes_back_packed_or_not() {
        let folder = folder();
        let path = folder.path().join("text");
        for content in ["", "a", "one\ntwo\n"] {
            std::fs::write(&path, content).unwrap();
            assert_eq!(text(&path).unwrap(), content);
            std::fs::write(&path, zstd::encode_all(content.as_bytes(), 3).unwrap()).unwrap();
            assert_eq!(text(&path).unwrap(), content);
        }
        std::fs::write(&path, b"ab\xff").unwrap();
        let error = text(&path).expect_err("no text").to_string();
        assert_eq!(error, "it is no text: byte 3 is not UTF-8");
    }

    /// A text may become lines to an engine, and end on a terminal.
    #[test]
    fn a_text_has_no_control_characters() {
        let folder = folder();
        let path = folder.path().join("text");
        std::fs::write(&path, "a\tb\r\ncaf\u{e9} \u{a0}\n").unwrap();
        assert!(text(&path).is_ok());
        for hostile in ["a\rquit", "a\0", "\u{1b}[2J", "a\u{9b}2J", "a\u{7f}", "\r\r\n"] {
            std::fs::write(&path, format!("fine\n{hostile}\n")).unwrap();
            let error = text(&path).expect_err("a control character").to_string();
            assert!(error.starts_with("it is no text: line 2, byte "), "{hostile:?}: {error}");
        }
        let error = text(Path::new("/dev/zero")).expect_err("no end").to_string();
        assert_eq!(error, "a line of more than 16 MiB");
    }

    /// A small file that unpacks to much is refused after the bound, not after all of it.
    #[test]
    fn what_unpacks_to_too_much_is_refused() {
        let folder = folder();
        let path = folder.path().join("text.zst");
        let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
        let line = [&[b'a'; 1023][..], b"\n"].concat();
        for _ in 0..20 << 10 {
            packed.write_all(&line).unwrap();
        }
        std::fs::write(&path, packed.finish().unwrap()).unwrap();
        let error = text(&path).expect_err("20 MiB").to_string();
        assert_eq!(error, "its text has more than 16 MiB");
        // Line by line it is read to its end.
        let mut input = Input::open(&path).unwrap();
        let (mut buffer, mut lines) = (Vec::new(), 0);
        while super::line(&mut input, &mut buffer).unwrap() > 0 {
            lines += 1;
            buffer.clear();
        }
        assert_eq!(lines, 20 << 10);
    }

    #[test]
    fn a_file_beyond_the_bound_is_refused_before_it_is_read() {
        let folder = folder();
        let path = folder.path().join("sparse");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(text(&path).unwrap_err().to_string(), "it has more than 512 MiB");
        let read = |path, most| bytes(open(path).unwrap(), most);
        assert_eq!(read(&path, 64 << 20).unwrap_err().to_string(), "it has more than 64 MiB");
        assert_eq!(end(&path, 3).unwrap(), "\0\0\0");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(read(&path, 3).unwrap(), b"abc");
        assert_eq!(end(&path, 2).unwrap(), "bc");
        for (path, most) in [(path.as_path(), 2), (Path::new("/dev/zero"), 2)] {
            assert_eq!(read(path, most).unwrap_err().to_string(), "it has more than 2 bytes");
        }
    }

    /// Opening a pipe without a writer would wait for ever.
    #[test]
    fn only_regular_files_are_opened_for_an_engine() {
        let folder = folder();
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for (path, expected) in [
            (pipe.as_path(), "it is no regular file"),
            (Path::new("/dev/zero"), "it is no regular file"),
            (folder.path(), "it is a directory, not a file"),
        ] {
            assert_eq!(regular(path).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused_at_its_bound() {
        let mut endless = io::BufReader::new(io::repeat(b'a'));
        let error = line(&mut endless, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "a line of more than 16 MiB");
    }
}
