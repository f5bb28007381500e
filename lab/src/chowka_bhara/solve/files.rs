//! The files that the solver writes: tables, and checkpoints, which hold the values in full
//! precision, so that an interrupted solution continues exactly. No partial file has the final
//! name: see [`parlor::files`].

use std::fs;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use parlor::files::NewFile;
use parlor::games::chowka_bhara::solved::{Checksum, Header, Ranking, TABLE};
use parlor::reading;

use super::value_iteration::{Progress, Tables};
use super::value_table::ValueTable;

const CHECKPOINT: &[u8; 8] = b"chowkaC3";
/// Compression level: higher ones cost time and gain little, the low bytes being noise.
const LEVEL: i32 = 6;

/// Writes the values of a solution in 16 bits.
pub(super) fn write_table(
    path: &Path,
    header: &Header,
    ranking: &Ranking,
    values: &ValueTable,
) -> anyhow::Result<()> {
    write(path, header.to_bytes(TABLE, [0; 2]), |file| {
        let mut data = zstd::Encoder::new(file, LEVEL)?;
        let (mut high, mut low) = (Vec::new(), Vec::new());
        for other in 0..ranking.half_states() {
            high.clear();
            low.clear();
            ranking.for_each_run_of(other, |run| {
                for value in run.map(|index| values.get(index)) {
                    let [first, second] =
                        ((value.clamp(0.0, 1.0) * 65535.0).round() as u16).to_be_bytes();
                    high.push(first);
                    low.push(second);
                }
            });
            data.write_all(&high)?;
            data.write_all(&low)?;
        }
        data.finish()?;
        Ok(())
    })
}

/// The path of the checkpoint of a table.
#[must_use]
pub fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// Writes the work so far.
pub(super) fn write_checkpoint(
    path: &Path,
    header: &Header,
    progress: Progress,
    ranking: &Ranking,
    tables: &Tables,
) -> anyhow::Result<()> {
    let header = header.to_bytes(CHECKPOINT, [progress.group, progress.sweeps]);
    write(path, header, |file| {
        let mut bytes = Vec::new();
        for table in tables {
            for other in 0..ranking.half_states() {
                bytes.clear();
                ranking.for_each_run_of(other, |run| {
                    bytes.extend(run.flat_map(|index| table.get(index).to_le_bytes()));
                });
                file.write_all(&bytes)?;
            }
        }
        Ok(())
    })
}

/// Reads the work so far into tables of the right size.
pub(super) fn read_checkpoint(
    path: &Path,
    header: &Header,
    ranking: &Ranking,
    tables: &mut Tables,
) -> anyhow::Result<Progress> {
    let what = || format!("{} is no checkpoint to go on from", path.display());
    let (found, [group, sweeps]) = Header::read(path, CHECKPOINT).with_context(what)?;
    ensure!(
        found == *header,
        "{}: it is of --pawns {} --chain {} --change {}{}; remove it or give these",
        what(),
        found.pawns,
        found.chain,
        found.change,
        if found.bracket { " --bracket" } else { ", without --bracket" }
    );
    let size = Header::BYTES as u64 + 4 * ranking.count().1 * tables.len() as u64;
    let length = fs::metadata(path).with_context(what)?.len();
    ensure!(length == size, "{}: it has {length} bytes, not {size}", what());
    let mut file = BufReader::with_capacity(1 << 20, reading::regular(path).with_context(what)?);
    file.seek_relative(Header::BYTES as i64).with_context(what)?;
    let mut result = Ok(());
    for table in tables {
        ranking.for_each_run(|run| {
            for index in run {
                let mut bytes = [0; 4];
                match file.read_exact(&mut bytes) {
                    Ok(()) => table.set(index, f32::from_le_bytes(bytes)),
                    Err(error) => result = Err(error),
                }
            }
        });
    }
    result.with_context(what)?;
    Ok(Progress { group, sweeps })
}

/// Writes a file: a header, its checksum, and what `data` writes.
fn write(
    path: &Path,
    mut header: Vec<u8>,
    data: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let written = || -> io::Result<()> {
        let mut file = NewFile::create(path)?;
        // The header is written last, when the checksum is known.
        file.write_all(&[0; Header::BYTES])?;
        let mut hashing = Hashing { file: &mut file, checksum: Checksum::default() };
        hashing.checksum.add(&header);
        data(&mut hashing)?;
        header.extend(hashing.checksum.sum().to_le_bytes());
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header)?;
        file.commit()
    };
    written().with_context(|| format!("cannot write {}", path.display()))
}

/// Passes bytes on and computes their checksum.
struct Hashing<'a> {
    file: &'a mut NewFile,
    checksum: Checksum,
}

impl Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.checksum.add(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
