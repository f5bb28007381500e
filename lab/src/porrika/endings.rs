//! Endings solved by retrograde analysis, checked by the rules, and written as files.
//!
//! The product solves the endings with two eggs on their way itself; `last_egg` solves those with
//! one egg home, which take minutes. `verify` compares every verdict with those of its successors.

mod last_egg;
#[cfg(test)]
mod tests;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use parlor::files::{self, NewFile};
use parlor::game::{Notation, Rules};
use parlor::games::porrika::Position;
use parlor::games::porrika::solved::{
    BLOCK, Ending, FreePieces, Job, Layout, SolveError, Tablebase, checksum_of, header,
};
use parlor::progress;
use rayon::prelude::*;

use self::verify::verify;
use crate::printing::print_line;

/// The arguments.
#[derive(Args, Debug)]
#[command(
    after_help = "The locked pairs of the position are the walls; every position with these \
walls and as many other pieces is solved: two Egg-Carriers, a Guardian and a Ser'ra (48 million \
states, seconds); or, with one Egg-Carrier home, the other one, at most two Guardians and two Ser'ra \
(2 billion states, minutes, 8 GB of memory).

Examples:
  parlor-lab porrika endings --out walls.ending \\
    --fen 'EnEe,-,-,-/-,-,Gw,-/GnSs,-,-,GnSs/GnSs,-,-,-/-,-,Sn,-/-,-,-,-/-,-,-,- c'
  parlor-lab porrika endings --fen '...' --out endings/ --verify=10
  porrika solve --fen '...' --table walls.ending"
)]
pub struct Endings {
    /// A position of the ending
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    fen: String,
    /// Write the table to this file, or into this folder under its usual name
    #[arg(long, value_name = "FILE", required_unless_present = "verify")]
    out: Option<PathBuf>,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Check that every value of each N-th part follows from its successors
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1",
        value_parser = value_parser!(u32).range(1..))]
    verify: Option<u32>,
}

impl Endings {
    /// Solves the ending, and checks and writes its table.
    pub fn run(self) -> anyhow::Result<()> {
        let rules = Position::default_rules();
        let position = Position::parse(&self.fen, &rules, None).context("--fen")?;
        let ending = Ending::of(&position)?;
        let out = self.out.as_ref().map(|path| match path.is_dir() {
            true => path.join(ending.file_name()),
            false => path.clone(),
        });
        if let Some(path) = &out {
            files::ensure_writable(path).with_context(|| format!("--out {}", path.display()))?;
        }
        let threads = usize::from(self.threads);
        let bar = progress::bar(ending.max_states(), "states");
        let started = Instant::now();
        let tablebase = solve(ending, threads, &mut |_, found| bar.inc(found))?;
        bar.finish_and_clear();
        print_line!("solved: {:.2} s on {threads} threads", started.elapsed().as_secs_f64());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        if let Some(stride) = self.verify {
            pool.install(|| check(&tablebase, stride as usize))?;
        }
        if let Some(path) = out {
            let bytes = pool
                .install(|| save(&tablebase, &path))
                .with_context(|| format!("--out {}", path.display()))?;
            print_line!("written: {}, {} kB", path.display(), bytes.div_ceil(1000));
        }
        Ok(())
    }
}

/// Generates the tablebase of any ending. After each ply `progress` gets the ply and the number of
/// states decided at it.
pub(super) fn solve(
    ending: Ending,
    threads: usize,
    progress: &mut (dyn FnMut(u32, u64) + Send),
) -> Result<Tablebase, SolveError> {
    let FreePieces::LastEgg { guardians, .. } = ending.free() else {
        return Tablebase::solve(ending, threads, &|| false, progress);
    };
    let layout = Layout::new(ending);
    let job = Job { threads, stopped: &|| false, progress };
    let bytes = last_egg::memory(&layout, guardians);
    let sides = job.run(bytes, |job| last_egg::solve(&layout, guardians, job))?;
    Ok(Tablebase::in_memory(ending, sides))
}

/// Compares every verdict with those of its successors, in each `stride`-th part.
fn check(tablebase: &Tablebase, stride: usize) -> anyhow::Result<()> {
    let bar = progress::bar(tablebase.ending().max_states() / stride as u64, "states");
    let verified = AtomicU64::new(0);
    let result = verify(tablebase, stride, &|count| {
        bar.set_position(verified.fetch_add(count, Ordering::Relaxed) + count);
    });
    bar.finish_and_clear();
    match result {
        Ok(count) => print_line!("verified: {count} states, each the best of its successors"),
        Err(mismatch) => bail!(
            "the table is wrong: {} is {:?} there and {:?} by its successors",
            mismatch.position,
            mismatch.stored,
            mismatch.expected
        ),
    }
    Ok(())
}

/// Compression level.
const LEVEL: i32 = 9;

/// Writes a tablebase; an old file stays as it was if that fails. Returns its size in bytes.
fn save(tablebase: &Tablebase, path: &Path) -> anyhow::Result<u64> {
    let sides = tablebase.sides().context("the tablebase is in a file already: copy that")?;
    let blocks = sides.par_iter().flat_map(|side| side.par_chunks(BLOCK)).map(pack);
    let blocks = blocks.collect::<std::io::Result<Vec<Vec<u8>>>>()?;
    let lengths: Vec<usize> = blocks.iter().map(Vec::len).collect();
    let header = header(tablebase.ending(), &lengths);
    let mut file = NewFile::create(path)?;
    file.write_all(&header)?;
    for block in &blocks {
        file.write_all(block)?;
    }
    file.commit()?;
    Ok((header.len() + lengths.iter().sum::<usize>()) as u64)
}

/// A block as it is in the file.
fn pack(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packed = zstd::bulk::compress(bytes, LEVEL)?;
    packed.extend(checksum_of(&packed));
    Ok(packed)
}
