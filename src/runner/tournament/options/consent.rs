//! What a match from a record file would run, shown to the person who continues it.
//!
//! Records are files that people send each other, and their header names the programs of the match.
//! Without consent only the games of this program are started from one.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, ensure};

use super::MatchOptions;
use crate::printing::{ask, is_terminal, note_line, printable};
use crate::runner::process::Specification;

impl MatchOptions {
    /// Asks whether the engines of a record file may be run, unless all of them are games of this
    /// program without settings, or `--yes` was given. `openings` is the file that it names.
    ///
    /// # Errors
    /// An answer that is not yes, or nobody to ask.
    pub(super) fn ask_before_running(
        &self,
        path: &Path,
        openings: Option<&Path>,
        built_in: &[&str],
    ) -> Result<()> {
        let commands = self.foreign_commands(built_in);
        if self.yes || commands.is_empty() {
            return Ok(());
        }
        note_line!("records {}: this match runs", path.display());
        for (role, command) in &commands {
            note_line!("  {role}: {}", printable(command, 1000));
        }
        if let Some(openings) = openings {
            note_line!("and reads {}", printable(&openings.display().to_string(), 1000));
        }
        let asked = std::io::stdin().is_terminal() && is_terminal()[1];
        ensure!(
            asked,
            "--resume={}: it runs the programs above; add --yes if you know the file, or name the \
             engines on the command line",
            path.display()
        );
        ask("Run them? [y/N] ");
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        let agreed = ["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str());
        ensure!(agreed, "the match is not continued");
        Ok(())
    }

    /// The engines that are more than the name of a game, each with the option that names it.
    fn foreign_commands(&self, built_in: &[&str]) -> Vec<(&'static str, &str)> {
        let engines = self.engines.iter().map(|engine| ("engine", engine));
        let named = [
            ("--each", &self.each),
            ("--referee", &self.referee),
            ("--adjudicator", &self.adjudicator),
            ("--luck", &self.luck),
        ];
        let others = named.into_iter().filter_map(|(role, text)| Some((role, text.as_ref()?)));
        engines
            .chain(others)
            .filter(|(role, text)| match *role {
                "--each" => !Specification::sets_only_the_match(text),
                _ => !text.is_empty() && !Specification::is_harmless(text, built_in),
            })
            .map(|(role, text)| (role, text.as_str()))
            .collect()
    }
}
