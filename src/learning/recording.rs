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

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgMatches, Command, value_parser};

use super::arguments::number;
use crate::files;
use crate::game::{Random, splitmix64};
use crate::progress;

/// The file that says what a directory holds.
const LABEL: &str = "recording.txt";

/// Part `part` of `of`, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shard {
    part: u64,
    of: u64,
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

/// Which games are recorded, and where they go.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    games: u64,
    seed: u64,
    chunk: u64,
    shard: Shard,
    directory: Option<PathBuf>,
    /// What decides the content of the games, for [`LABEL`].
    label: String,
}

impl Recording {
    /// Adds the arguments that [`Recording::new`] reads.
    pub(crate) fn arguments(command: Command) -> Command {
        command
            .arg(number("games", "100", "Number of games"))
            .arg(number("seed", "1", "Seed of everything random"))
            .arg(
                Arg::new("out")
                    .long("out")
                    .value_name("DIR")
                    .value_parser(value_parser!(PathBuf))
                    .help(
                        "Directory for numbered files of games; those that are there are not made \
                         again. Without it the games are printed",
                    ),
            )
            .arg(number("chunk", "500", "Games of a file, with --out"))
            .arg(
                Arg::new("shard")
                    .long("shard")
                    .value_name("I/N")
                    .default_value("1/1")
                    .value_parser(value_parser!(Shard))
                    .requires("out")
                    .help("Make only every N-th file, beginning with the I-th"),
            )
    }

    /// Reads the arguments. `settings` are those of the game that change what is recorded.
    pub(crate) fn new(matches: &ArgMatches, settings: &str) -> anyhow::Result<Self> {
        let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
        let (games, seed, chunk) = (number("games"), number("seed"), number("chunk"));
        ensure!(chunk > 0, "--chunk: at least 1");
        let shard = matches.get_one::<Shard>("shard").copied();
        Ok(Recording {
            games,
            seed,
            chunk,
            shard: shard.unwrap_or(Shard { part: 1, of: 1 }),
            directory: matches.get_one::<PathBuf>("out").cloned(),
            label: format!("{settings} --games {games} --seed {seed} --chunk {chunk}\n"),
        })
    }

    /// The random numbers of a game.
    pub(crate) fn random(&self, game: u64) -> Random {
        Random::new(splitmix64(self.seed << 32 | game))
    }

    /// Plays the games that are not there yet, each to a line, and writes them. `play` runs on a
    /// thread with a stack of `stack` bytes.
    pub(crate) fn run(
        &self,
        stack: usize,
        play: impl FnMut(Random) -> anyhow::Result<String> + Send,
    ) -> anyhow::Result<()> {
        scope(|scope| {
            let games = || match &self.directory {
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
        self.claim(directory)?;
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

    fn print(&self, mut play: impl FnMut(Random) -> anyhow::Result<String>) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        let bar = progress::bar(self.games, "games");
        for game in 0..self.games {
            writeln!(out, "{}", play(self.random(game))?)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// The chunks of this shard, from 0.
    fn chunks(&self) -> impl Iterator<Item = u64> {
        let Shard { part, of } = self.shard;
        (0..self.games.div_ceil(self.chunk)).filter(move |chunk| chunk % of == part - 1)
    }

    fn games_of(&self, chunk: u64) -> Range<u64> {
        chunk * self.chunk..((chunk + 1) * self.chunk).min(self.games)
    }

    /// Makes the directory and labels it, or checks that it holds the same recording.
    fn claim(&self, directory: &Path) -> anyhow::Result<()> {
        let path = directory.join(LABEL);
        let failed = || format!("cannot record in {}", directory.display());
        match fs::read_to_string(&path) {
            Ok(label) if label == self.label => Ok(()),
            Ok(label) => bail!(
                "{} holds another recording: '{}', not '{}'; name another directory",
                directory.display(),
                label.trim_end(),
                self.label.trim_end()
            ),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(directory).with_context(failed)?;
                files::write(&path, &self.label).with_context(failed)
            }
            Err(error) => Err(error).with_context(failed),
        }
    }
}

/// The name of a chunk counts from 1.
fn file_of(directory: &Path, chunk: u64) -> PathBuf {
    directory.join(format!("games-{:05}.txt", chunk + 1))
}

/// The files of games in a directory, packed or not, by name.
pub(super) fn chunks_of(directory: &Path) -> io::Result<Vec<PathBuf>> {
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
    use super::*;

    fn recording(directory: &Path, arguments: &[&str]) -> anyhow::Result<Recording> {
        let command = Recording::arguments(Command::new("record"));
        let out = directory.to_str().expect("a name");
        let all = ["record", "--games", "10", "--chunk", "3", "--out", out];
        Recording::new(&command.try_get_matches_from(all.iter().chain(arguments))?, "test")
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
}
