//! The course of a training, as its user sees it.

use anyhow::ensure;

use super::samples::Samples;
use crate::printing::note_line;
use parlor::progress;

/// Says how many samples there are.
///
/// # Errors
/// When none is left for training.
pub fn announce<S>(samples: &Samples<S>) -> anyhow::Result<()> {
    let Samples { training, validation } = samples;
    ensure!(!training.is_empty(), "no position for training: more games are needed");
    note_line!("{} positions for training, {} for validation", training.len(), validation.len());
    Ok(())
}

/// Runs all epochs and says after each what was lost in training and in validation, which `epoch`
/// returns. `loss` is the name of the loss.
pub fn run_epochs(epochs: u64, loss: &str, mut epoch: impl FnMut(u64) -> [f64; 2]) {
    let bar = progress::bar(epochs, "epochs");
    for number in 0..epochs {
        let [trained, validated] = epoch(number);
        bar.suspend(|| {
            note_line!("epoch {:>3} {loss} {trained:.6} validation {validated:.6}", number + 1);
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
}
