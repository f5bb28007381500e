//! Endings of engine games: does the search say what the exact reference says?

use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use parlor::game::{Game, OptionValues, Random, Rules, Seat, Situation, Turn};
use parlor::games::chevrons::filling::play::{EnginePlayer, ending_result};
use parlor::games::chevrons::filling::{Kind, Position};
use parlor::reading;
use parlor::search::{Limits, Player, Report, Request, Score, Settings};

use super::Work;
use super::exact::Exact;
use crate::printing::{note_line, print_line};

// No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct Endings {
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Turns before the end
    #[arg(long, default_value_t = 12)]
    turns: usize,
    /// Nodes of a move of the games
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// First game
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Positions that the reference may visit
    #[arg(long, default_value_t = 20_000_000)]
    most: u64,
    /// Positions that the engine's proof-number search may visit; 0 for no such search
    #[arg(long, default_value_t = 0)]
    proofs: u64,
}

// No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct Compare {
    /// Positions with results
    file: std::path::PathBuf,
    /// Milliseconds of a search
    #[arg(long, default_value_t = 100)]
    time: u64,
    /// Nodes of a search instead
    #[arg(long)]
    nodes: Option<u64>,
}

impl Work for Endings {
    fn run<K: Kind>(&self) -> anyhow::Result<()> {
        for game in self.from..self.from + self.games {
            let Some(position) = self.ending::<K>(game)? else { continue };
            let mut reference = Exact::new(self.most);
            let by_reference = reference.result(&position);
            let by_proof = match self.proofs {
                0 => None,
                most => ending_result(&position, most),
            };
            if let (Some(reference), Some(proof)) = (by_reference, by_proof) {
                ensure!(reference == proof, "{position}: {reference} and {proof}");
            }
            let mover = if position.turn() == Turn::Seat(Seat::new(0)) { 1 } else { -1 };
            let result = match by_reference.or(by_proof).map(|result| result * mover) {
                Some(1) => "won",
                Some(0) => "drawn",
                Some(_) => "lost",
                None => "?",
            };
            let by = match (by_reference, by_proof) {
                (Some(_), Some(_)) => "both",
                (Some(_), None) => "reference",
                (None, Some(_)) => "proof",
                (None, None) => "?",
            };
            print_line!("{position} | {result} | {by}");
        }
        Ok(())
    }
}

impl Endings {
    fn ending<K: Kind>(&self, game: u64) -> anyhow::Result<Option<Position<K>>> {
        let mut random = Random::new(game + 1);
        let rules: OptionValues = Position::<K>::default_rules();
        let mut game = Situation::new(Position::<K>::start(&rules, None)?);
        let mut player = EnginePlayer::new(&settings(), K::judgement());
        let mut line = Vec::new();
        while !game.turn().is_over() {
            let m = if line.len() < 4 {
                game.position().random_move(&mut random)
            } else {
                let request = Request::new(Limits::nodes(self.nodes));
                player.choose(&game, &request, &mut |_| ()).map(|choice| choice.best)
            };
            line.push(game.position().clone());
            game.play(&m.context("a move")?);
        }
        Ok(line.len().checked_sub(self.turns).map(|at| line[at].clone()))
    }
}

impl Work for Compare {
    fn run<K: Kind>(&self) -> anyhow::Result<()> {
        let (mut proved, mut decided, mut same_sign, mut known) = (0, 0, 0, 0);
        for line in reading::text(&self.file)?.lines() {
            let mut words = line.split(" | ");
            let (Some(text), Some(result)) = (words.next(), words.next()) else { continue };
            if result == "?" {
                continue;
            }
            let position: Position<K> = text.parse()?;
            let (score, nodes) = self.searched(position)?;
            let (sign, is_proof) = match score {
                Score::Mate(1..) => (1, true),
                Score::Mate(_) => (-1, true),
                Score::Cp(value) => (value.signum(), false),
            };
            let found = ["lost", "drawn", "won"][(sign + 1) as usize];
            known += 1;
            same_sign += u32::from(found == result);
            decided += u32::from(result != "drawn");
            proved += u32::from(found == result && is_proof);
            if found != result {
                note_line!("{score:?} after {nodes}, not {result}: {text}");
            }
        }
        print_line!("{proved} of {decided} wins and losses proved");
        print_line!("{same_sign} of {known} scores with the sign of the result");
        Ok(())
    }
}

impl Compare {
    fn searched<K: Kind>(&self, position: Position<K>) -> anyhow::Result<(Score, u64)> {
        let mut player = EnginePlayer::new(&settings(), K::judgement());
        let time = Limits::time(Duration::from_millis(self.time));
        let request = Request::new(self.nodes.map_or(time, Limits::nodes));
        let mut found = None;
        player.choose(&Situation::new(position), &request, &mut |report| {
            if let Report::Info(info) = report {
                found = Some((info.score, info.nodes));
            }
        });
        found.context("a score")
    }
}

fn settings() -> Settings {
    Settings { hash: 16, threads: 1, ..Settings::default() }
}
