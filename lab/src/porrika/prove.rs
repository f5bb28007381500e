//! Proofs that copper wins, with certificates.

mod endings;
mod extract;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Args, value_parser};
use indicatif::ProgressBar;
use parlor::files;
use parlor::game::{Game as _, Notation, Rules};
use parlor::games::porrika::solved::Certificate;
use parlor::games::porrika::{Kind, Position};
use parlor::progress;

use self::endings::Endings;
use self::search::{Guess, Prover};
use self::table::Table;
use super::record::{Format, Game};
use crate::printing::print_line;
use crate::recording::games::read_games;

/// How often the table is written while a proof is sought.
const WRITE_EVERY: Duration = Duration::from_secs(600);

/// Positions between two looks at the clock.
const SLICE: u64 = 200_000;

/// How the numbers of new positions follow from their evaluation. Of 45 positions of games at 20,000
/// nodes with two Ser'ra just locked, these proved 12 within 120,000 positions each when they were
/// chosen; the evaluation alone, at best 4.
const GUESS: Guess = Guess { centre: 600.0, width: 100.0, step: 60.0 };

/// Level of compression of certificates.
const LEVEL: i32 = 12;

/// Prove that copper wins, and write the certificate
///
/// Seeks a proof that copper wins a position, whatever silver does, by depth-first proof-number
/// search. The certificate has copper's move for every position that silver can lead to; `porrika
/// solve --certificate FILE` replays it by the rules alone. With --table an interrupted search goes on
/// where it was.
///
/// With --games the positions are those of recorded games in which as many Ser'ra as --locked says
/// have just been locked.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika prove --fen '-,-,-,-/-,-,-,-/...' --out win.certificate
  parlor-lab porrika prove --fen '...' --nodes 1000000000 --memory 8000 --table proof.table
  parlor-lab porrika record --games 200 --nodes 20000 --random 0 --out games
  parlor-lab porrika prove --games games --locked 2 --nodes 10000000 --out certificates")]
pub struct Prove {
    /// The position
    #[arg(
        long,
        value_name = "TEXT",
        allow_hyphen_values = true,
        required_unless_present = "games"
    )]
    fen: Option<String>,
    /// Recorded games, or the directory of `record --out`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "table"])]
    games: Option<PathBuf>,
    /// Prove the positions after so many Ser'ra were locked
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(1..=4))]
    locked: u32,
    /// Positions that a proof may visit
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// MiB of the table
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = value_parser!(u32).range(1..=1_000_000))]
    memory: u32,
    /// Memory for endings that are solved on the way, in units of 100 MB; 0 for none. One with three
    /// locked pairs takes one, one with two and an egg home takes 23 (and 8 GB while it is solved)
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(..=10_000))]
    endings: u32,
    /// Keep the table in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write the certificate to this file; with --games, all of them into this folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Prove {
    /// Seeks the proofs.
    pub fn run(self) -> anyhow::Result<()> {
        let mut prover = Prover::new(
            Table::new(self.memory as usize)?,
            Endings::new(self.endings as usize),
            GUESS,
        );
        match (&self.games, &self.fen) {
            (Some(path), _) => self.prove_games(&mut prover, path),
            (None, Some(fen)) => self.prove_one(&mut prover, fen),
            (None, None) => bail!("either --fen or --games says what to prove"),
        }
    }

    fn prove_one(&self, prover: &mut Prover, fen: &str) -> anyhow::Result<()> {
        let position = Position::parse(fen, &Position::default_rules(), None).context("--fen")?;
        if let Some(path) = &self.out {
            files::ensure_writable(path).with_context(|| format!("--out {}", path.display()))?;
        }
        if let Some(path) = self.table.as_ref().filter(|path| path.exists()) {
            prover.table.read(path).with_context(|| format!("--table {}", path.display()))?;
        }
        let bar = progress::bar(self.nodes, "positions");
        let attempt = self.seek(prover, &position, &bar)?;
        bar.finish_and_clear();
        if let Some(path) = &self.table {
            prover.table.write(path)?;
        }
        let Attempt { won, nodes, seconds } = attempt;
        print_line!("{}, {nodes} positions, {seconds:.1} s", won.word());
        if won == Won::Yes {
            let certificate = extract::certificate(prover, &position)?;
            print_line!("certificate: {}", finish(certificate, self.out.as_deref())?);
        }
        Ok(())
    }

    fn prove_games(&self, prover: &mut Prover, path: &Path) -> anyhow::Result<()> {
        let games = read_games::<Format>(path)?;
        if let Some(folder) = &self.out {
            ensure!(folder.is_dir(), "--out {}: it is no folder", folder.display());
        }
        let positions: Vec<_> = games
            .iter()
            .enumerate()
            .filter_map(|(number, game)| Some((number, self.start(game)?)))
            .collect();
        print_line!(
            "{} games, {} with {} Ser'ra locked",
            games.len(),
            positions.len(),
            self.locked
        );
        print_line!(
            "{:>6} {:>6} {:<12} {:>11} {:>8} {:>7}  certificate",
            "game",
            "ply",
            "copper",
            "positions",
            "s",
            "endings"
        );
        let bar = progress::bar(positions.len() as u64, "games");
        let mut proved = 0;
        for (number, (ply, position)) in &positions {
            prover.table.clear();
            prover.endings = Endings::new(self.endings as usize);
            let Attempt { won, nodes, seconds } =
                self.seek(prover, position, &ProgressBar::hidden())?;
            let mut words = String::new();
            if won == Won::Yes {
                proved += 1;
                let certificate = extract::certificate(prover, position)?;
                let name = format!("{number:05}.certificate");
                let file = self.out.as_ref().map(|folder| folder.join(name));
                words = finish(certificate, file.as_deref())?;
            }
            bar.suspend(|| {
                print_line!(
                    "{number:>6} {ply:>6} {:<12} {nodes:>11} {seconds:>8.1} {:>7}  {words}",
                    won.word(),
                    prover.endings.made()
                );
            });
            bar.inc(1);
        }
        bar.finish_and_clear();
        let share = 100.0 * f64::from(proved) / positions.len().max(1) as f64;
        print_line!("proved: {proved} of {}, {share:.1} %", positions.len());
        Ok(())
    }

    /// The position of a game in which the wanted number of Ser'ra has just been locked, and its ply.
    fn start(&self, game: &Game) -> Option<(usize, Position)> {
        let mut position = game.start;
        for (ply, (m, _)) in (1..).zip(&game.moves) {
            position.play(m);
            let locked = position.locked() & position.of(Kind::Serra);
            if locked.count_ones() >= self.locked {
                return position.outcome().is_none().then_some((ply, position));
            }
        }
        None
    }

    /// Seeks one proof; writes the table from time to time.
    fn seek(
        &self,
        prover: &mut Prover,
        position: &Position,
        bar: &ProgressBar,
    ) -> anyhow::Result<Attempt> {
        let (started, mut written) = (Instant::now(), Instant::now());
        let mut nodes = 0;
        let won = loop {
            let result = prover.prove(position, SLICE.min(self.nodes - nodes));
            nodes += prover.nodes();
            bar.set_position(nodes);
            match result {
                Ok(true) => break Won::Yes,
                Ok(false) => break Won::No,
                Err(_) if nodes >= self.nodes => break Won::Unknown,
                Err(_) => {}
            }
            if let Some(path) = self.table.as_ref().filter(|_| written.elapsed() > WRITE_EVERY) {
                prover.table.write(path)?;
                written = Instant::now();
            }
        };
        Ok(Attempt { won, nodes, seconds: started.elapsed().as_secs_f64() })
    }
}

/// What became of a search.
struct Attempt {
    won: Won,
    nodes: u64,
    seconds: f64,
}

/// What a search has found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Won {
    Yes,
    /// Copper does not win, or only by a line that is too long.
    No,
    /// The positions did not suffice.
    Unknown,
}

impl Won {
    const fn word(self) -> &'static str {
        match self {
            Won::Yes => "wins",
            Won::No => "does not win",
            Won::Unknown => "unknown",
        }
    }
}

/// Checks a certificate, writes it, and says in words how long it is.
fn finish(mut certificate: Certificate, out: Option<&Path>) -> anyhow::Result<String> {
    let plies = certificate.check().context("the search was wrong")?;
    if let Some(path) = out {
        let text = certificate.to_string();
        let packed = zstd::bulk::compress(text.as_bytes(), LEVEL)?;
        files::write(path, packed).with_context(|| format!("--out {}", path.display()))?;
    }
    Ok(format!("{plies} plies, {} positions", certificate.len()))
}
