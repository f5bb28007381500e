//! The course of a training on recorded games: what its user sets, and what they see.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, value_parser};
use parlor::progress;
use parlor::search::weight_file::{self, WeightFileError};

use super::adam::AdamSettings;
use super::descent::Weights;
use super::samples::Samples;
use super::trainer::{Settings, Task, Trainer};
use crate::arguments::{GamesFiles, OutFile};
use crate::printing::note_line;

// No doc comment: it would describe the command. A game sets its own defaults with `mut_arg`.
#[derive(Args, Debug)]
pub struct Course {
    #[command(flatten)]
    pub games: GamesFiles,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value = "10", value_parser = value_parser!(u64).range(1..))]
    epochs: u64,
    /// Positions per step of Adam
    #[arg(long, value_name = "N", default_value = "4096")]
    batch: usize,
    /// Seed of the initial weights and of the order
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    out: OutFile,
}

// What a training begins with. No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct Beginning {
    /// Begin with the weights of this file, not with random ones
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Length of the first steps, in millionths; it falls to a hundredth of that
    #[arg(long, value_name = "N", default_value = "2000", value_parser = value_parser!(u32).range(1..))]
    rate: u32,
}

impl Beginning {
    /// The first weights by a seed, and how the training goes on: those of the file as `of_payload`
    /// reads them, if there is a file, otherwise `random` ones.
    pub fn begun<W>(
        &self,
        description: &str,
        of_payload: impl FnOnce(&[u8]) -> Result<W, WeightFileError>,
        random: impl FnOnce(u64) -> W,
    ) -> anyhow::Result<(impl FnOnce(u64) -> W, Settings)> {
        let read = |path: &PathBuf| {
            let bytes = weight_file::read(path)?;
            of_payload(weight_file::unpack(&bytes, description)?)
        };
        let known =
            self.from.as_ref().map(|path| read(path).with_context(|| path.display().to_string()));
        let known = known.transpose()?;
        let settings = Settings { rate: self.rate as f32 / 1e6, adam: AdamSettings::default() };
        Ok((|seed| known.unwrap_or_else(|| random(seed)), settings))
    }
}

impl Course {
    /// Trains on samples, beginning with the weights that `first` makes of a seed, and writes the file
    /// that `file` makes of them. Says how many samples there are, and after each epoch the mean loss,
    /// whose name is `loss`, of both kinds.
    ///
    /// # Errors
    /// When no sample is left for training, or the file cannot be written.
    pub fn run<W: Weights, T: Task<W>>(
        &self,
        task: &T,
        samples: &Samples<T::Sample>,
        (first, settings): (impl FnOnce(u64) -> W, Settings),
        loss: &str,
        file: impl FnOnce(&W) -> Vec<u8>,
    ) -> anyhow::Result<()> {
        let Samples { training, validation } = samples;
        ensure!(!training.is_empty(), "no position for training: more games are needed");
        let (many, few) = (training.len(), validation.len());
        note_line!("{many} positions for training, {few} for validation");
        self.out.write(|| {
            let mut trainer = Trainer::new(first(self.seed), settings, self.batch, self.seed);
            note_line!("before training: validation {:.6}", trainer.mean_loss(task, validation));
            let bar = progress::bar(self.epochs, "epochs");
            for epoch in 0..self.epochs {
                let trained = trainer.epoch(task, training, epoch, self.epochs);
                let validated = trainer.mean_loss(task, validation);
                let number = epoch + 1;
                bar.suspend(|| {
                    note_line!("epoch {number:>3} {loss} {trained:.6} validation {validated:.6}");
                });
                bar.inc(1);
            }
            bar.finish_and_clear();
            Ok(file(trainer.weights()))
        })
    }
}
