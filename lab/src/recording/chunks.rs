//! Recording of many self-play games: in order to standard output, or as numbered files of some games
//! each, which may be made by several machines and resumed.
//!
//! The games are numbered from 0, and the number and the seed decide all that is random in a game.
//! So a chunk has the same content whoever makes it. A chunk is written whole or not at all; one that
//! is there is not made again. `recording.txt` in the directory says what is recorded there:
//! other arguments are refused.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::{Builder, scope};

use anyhow::{Context, bail};
use clap::{Args, value_parser};
use parlor::files;
use parlor::game::{Random, splitmix64};
use parlor::progress;
use parlor::reading;

/// The file that says what a directory holds.
const LABEL: &str = "recording.txt";

/// Part `part` of `of`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its number, from 1.
    pub part: u64,
    of: u64,
}

impl Shard {
    /// Whether a piece of the work, counted from 0, belongs to it.
    pub fn has(self, piece: u64) -> bool {
        piece % self.of == self.part - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').map(|(part, of)| (part.parse(), of.parse()));
        match numbers {
            Some((Ok(part), Ok(of))) if 1 <= part && part <= of => Ok(Shard { part, of }),
            _ => Err(format!("'{text}' is no part of the work; write 1/4 for the first of four")),
        }
    }
}

// Which games are recorded, and where they go. No doc comment: it would describe the command.
#[derive(Args, Clone, Debug)]
pub struct RecordingArguments {
    /// Number of games
    #[arg(long, value_name = "N", default_value = "100")]
    games: u64,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Directory for numbered files of games; those that are there are not made again. Without it the
    /// games are printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games of a file, with --out
    #[arg(long, value_name = "N", default_value = "500", value_parser = value_parser!(u64).range(1..))]
    chunk: u64,
    /// Make only every N-th file, beginning with the I-th
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "out")]
    shard: Shard,
}

/// A recording.
#[derive(Clone, Debug)]
pub struct Recording {
    arguments: RecordingArguments,
    /// What decides the content of the games, for [`LABEL`].
    label: String,
}

impl Recording {
    /// The recording that the arguments ask for. `settings` are those of the game that change what is
    /// recorded.
    pub fn new(arguments: RecordingArguments, settings: &str) -> Self {
        let RecordingArguments { games, seed, chunk, .. } = arguments;
        let label = format!("{settings} --games {games} --seed {seed} --chunk {chunk}\n");
        Recording { arguments, label }
    }

    /// The random numbers of a game.
    pub fn random(&self, game: u64) -> Random {
        Random::new(splitmix64(self.arguments.seed << 32 | game))
    }

    /// Plays the games that are not there yet, each to a line, and writes them. `play` runs on a
    /// thread with a stack of `stack` bytes.
    pub fn run(
        &self,
        stack: usize,
        play: impl FnMut(Random) -> anyhow::Result<String> + Send,
    ) -> anyhow::Result<()> {
        scope(|scope| {
            let games = || match &self.arguments.out {
                Some(directory) => self.write(directory, play),
                None => self.print(play),
            };
            let thread = Builder::new().stack_size(stack).spawn_scoped(scope, games);
            let thread = thread.context("no thread to play the games on")?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    fn write(
        &self,
        directory: &Path,
        mut play: impl FnMut(Random) -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        claim(directory, LABEL, &self.label)?;
        let missing: Vec<u64> =
            self.chunks().filter(|chunk| !file_of(directory, *chunk).exists()).collect();
        let games =
            missing.iter().map(|chunk| self.games_of(*chunk)).map(|games| games.end - games.start);
        let bar = progress::bar(games.sum(), "games");
        for chunk in missing {
            let mut text = String::new();
            for game in self.games_of(chunk) {
                text += &play(self.random(game))?;
                text.push('\n');
                bar.inc(1);
            }
            let path = file_of(directory, chunk);
            files::write(&path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "it ends where nothing can be written")]
    fn print(&self, mut play: impl FnMut(Random) -> anyhow::Result<String>) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        let bar = progress::bar(self.arguments.games, "games");
        for game in 0..self.arguments.games {
            writeln!(out, "{}", play(self.random(game))?)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// The chunks of this shard, from 0.
    fn chunks(&self) -> impl Iterator<Item = u64> {
        let RecordingArguments { games, chunk, shard, .. } = self.arguments;
        (0..games.div_ceil(chunk)).filter(move |chunk| shard.has(*chunk))
    }

    fn games_of(&self, chunk: u64) -> Range<u64> {
        chunk * self.arguments.chunk..((chunk + 1) * self.arguments.chunk).min(self.arguments.games)
    }
}

/// Makes a directory of results and writes a file into it that says what made them, or checks that
/// the file that is there says the same.
pub fn claim(directory: &Path, name: &str, label: &str) -> anyhow::Result<()> {
    let path = directory.join(name);
    let failed = || format!("cannot record in {}", directory.display());
    match reading::text(&path) {
        Ok(known) if known == label => Ok(()),
        Ok(known) => bail!(
            "{} holds another recording: '{}', not '{}'; name another directory",
            directory.display(),
            known.trim_end(),
            label.trim_end()
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(directory).with_context(failed)?;
            files::write(&path, label).with_context(failed)
        }
        Err(error) => Err(error).with_context(failed),
    }
}

/// The name of a chunk counts from 1.
fn file_of(directory: &Path, chunk: u64) -> PathBuf {
    directory.join(format!("games-{:05}.txt", chunk + 1))
}

/// The files of games in a directory, packed or not, by name.
pub fn chunks_of(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        if text.starts_with("games-") && (text.ends_with(".txt") || text.ends_with(".txt.zst")) {
            files.push(directory.join(&name));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        recording: RecordingArguments,
    }

    fn recording(directory: &Path, arguments: &[&str]) -> anyhow::Result<Recording> {
        let out = directory.to_str().expect("a name");
        let all = ["record", "--games", "10", "--chunk", "3", "--out", out];
        let line = Line::try_parse_from(all.iter().chain(arguments))?;
        Ok(Recording::new(line.recording, "test"))
    }

    /// Every game of the directory, and how many were played now.
    fn made(recording: &Recording, directory: &Path) -> (String, usize) {
        let mut played = 0;
        let mut play = |mut random: Random| {
            played += 1;
            Ok(random.next().to_string())
        };
        recording.run(1 << 20, &mut play).expect("games");
        let files = chunks_of(directory).expect("files");
        let texts = files.iter().map(|file| fs::read_to_string(file).expect("a text"));
        (texts.collect(), played)
    }

    #[test]
    fn shards_and_a_resumed_recording_make_the_games_of_one_run() {
        let directories = [(); 2].map(|()| tempfile::tempdir().expect("a directory"));
        let [whole, parts] = directories.each_ref().map(|directory| directory.path());
        let (games, played) = made(&recording(whole, &[]).expect("arguments"), whole);
        assert_eq!((games.lines().count(), played), (10, 10));
        let lines: std::collections::HashSet<&str> = games.lines().collect();
        assert_eq!(lines.len(), 10);

        let second = recording(parts, &["--shard", "2/2"]).expect("arguments");
        assert_eq!(made(&second, parts).1, 4);
        assert_eq!(made(&second, parts).1, 0);
        let first = recording(parts, &["--shard", "1/2"]).expect("arguments");
        assert_eq!(made(&first, parts), (games.clone(), 6));
        fs::remove_file(file_of(parts, 3)).expect("the last file");
        assert_eq!(made(&recording(parts, &[]).expect("arguments"), parts), (games, 1));
    }

    #[test]
    fn other_arguments_in_one_directory_and_wrong_shards_are_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        made(&recording(directory.path(), &[]).expect("arguments"), directory.path());
        let other = recording(directory.path(), &["--seed", "2"]).expect("arguments");
        let error =
            other.run(1 << 20, |_| Ok(String::new())).expect_err("another seed").to_string();
        assert!(error.contains("holds another recording"), "{error}");
        for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
            assert!(recording(directory.path(), &["--shard", shard]).is_err(), "{shard}");
        }
    }

    /// The seed and the number of a game decide it; what else the directory says must be the same.
    #[test]
    fn games_differ_by_seed_and_number_and_the_label_holds_all_that_decides() {
        let here = Path::new("here");
        let numbers = |arguments: &[&str]| -> Vec<u64> {
            let recording = recording(here, arguments).expect("arguments");
            (0..50).map(|game| recording.random(game).next()).collect()
        };
        let all = [numbers(&[]), numbers(&["--seed", "2"]), numbers(&["--seed", "3"])].concat();
        let different: std::collections::HashSet<&u64> = all.iter().collect();
        assert_eq!(different.len(), all.len());
        // The parts and the sizes of files do not change a game.
        assert_eq!(numbers(&["--shard", "2/2"]), all[..50]);

        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path();
        let claimed = |recording: &Recording| claim(path, LABEL, &recording.label);
        claimed(&recording(path, &[]).expect("arguments")).expect("an empty directory");
        let shard = recording(path, &["--shard", "2/3"]).expect("arguments");
        claimed(&shard).expect("a part of the same recording");
        let line = |games: &str, chunk: &str, seed: &str, settings: &str| {
            let line = ["record", "--games", games, "--chunk", chunk, "--seed", seed];
            Recording::new(Line::try_parse_from(line).expect("arguments").recording, settings)
        };
        claimed(&line("10", "3", "1", "test")).expect("the same, spelled out");
        for other in [
            line("11", "3", "1", "test"),
            line("10", "4", "1", "test"),
            line("10", "3", "4", "test"),
            line("10", "3", "1", "other"),
        ] {
            assert!(claimed(&other).is_err(), "{}", other.label);
        }
    }

    #[test]
    fn the_files_of_games_are_found_by_name_and_in_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let names = ["games-00010.txt", "games-00002.txt.zst", "games-00001.txt", LABEL];
        for name in names.iter().chain(&["games-00003.txt.tmp", "notes.txt", "old-games-1.txt"]) {
            fs::write(directory.path().join(name), "").expect("a file");
        }
        let found = chunks_of(directory.path()).expect("a list");
        let found: Vec<_> = found.iter().map(|path| path.file_name().expect("a name")).collect();
        assert_eq!(found, ["games-00001.txt", "games-00002.txt.zst", "games-00010.txt"]);
    }
}
