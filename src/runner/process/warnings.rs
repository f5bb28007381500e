//! What engines complained of beside their answers: `info string error` lines that end no game, as of
//! a file that an option names and that is not there.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::printing::printable;

/// The most that is told of one command.
const MOST: usize = 20;

/// The longest line.
const LENGTH: usize = 300;

/// Complaints of all processes, each told once for an engine.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    complaints: Mutex<Complaints>,
}

#[derive(Debug, Default)]
struct Complaints {
    seen: BTreeSet<String>,
    new: Vec<String>,
}

impl Warnings {
    /// Takes a complaint down; `label` is the engine's name, and the number of its process after `@`.
    pub(super) fn note(&self, label: &str, text: &str) {
        let engine = label.rsplit_once('@').map_or(label, |(engine, _)| engine);
        let line = format!("{engine}: {}", printable(text, LENGTH));
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if complaints.seen.len() < MOST && complaints.seen.insert(line.clone()) {
            complaints.new.push(line);
        }
    }

    /// What has been noted since the last time.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut complaints.new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_told_once_for_an_engine() {
        let warnings = Warnings::default();
        for label in ["a@1.1", "a@1.2", "b@2.1", "referee@1"] {
            warnings.note(label, "bad-value no such file");
        }
        let told = ["a", "b", "referee"].map(|name| format!("{name}: bad-value no such file"));
        assert_eq!(warnings.take(), told);
        assert_eq!(warnings.take(), Vec::<String>::new());
        for number in 0..100 {
            warnings.note("a@1.1", &number.to_string());
        }
        assert_eq!(warnings.take().len(), MOST - told.len());
    }
}
