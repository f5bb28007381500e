//! What can be chosen, listed for the person at the keyboard.

use anyhow::Result;

use super::display::WIDTH;
use super::entry::Entered;
use super::game::HumanGame;
use super::lists::{LISTED, listing};
use crate::picture::{Step, terminal};
use crate::printing::{print, printable};

impl HumanGame {
    /// A legal token for people. One of letters alone, such as a set-up, as what is chosen for it.
    pub(super) fn words(&self, token: &str) -> Result<String> {
        let is_code = !token.bytes().any(|byte| byte.is_ascii_lowercase());
        let path = if is_code { self.adviser.path(token)? } else { None };
        Ok(path.map_or_else(|| self.display.words(token), |path| printable(&path.join(" "), WIDTH)))
    }

    /// Lists what can follow the words of a move that was begun.
    pub(super) fn follows(&mut self, begun: &[String]) -> Result<()> {
        let words: Vec<&str> = begun.iter().map(String::as_str).collect();
        match self.read_move(&words)? {
            Entered::Beginning(step) => self.print_choices(&step),
            _ => self.choices(begun),
        }
    }

    /// Lists what the person can do, or what can follow the words.
    pub(super) fn choices(&mut self, words: &[String]) -> Result<()> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let prefix = words.concat();
        let moves = self.legal(&prefix)?;
        self.update_adviser()?;
        // Words such as word:a1:teapot are better chosen part by part, and so are many moves.
        let in_parts = self.display.table.is_some();
        let plain = |moves: &Vec<String>| {
            !moves.is_empty()
                && !moves.iter().any(|token| token.contains(':'))
                && (!in_parts || moves.len() <= LISTED)
        };
        if let Some(moves) = moves.filter(plain) {
            print(&listing(&moves));
            return Ok(());
        }
        let step = match words.as_slice() {
            [] => self.adviser.step(&[])?,
            _ => match self.read_move(&words)? {
                Entered::Beginning(step) => Some(*step),
                _ => None,
            },
        };
        match step {
            Some(step) => self.print_choices(&step),
            None if words.is_empty() && self.display.table.is_some() => {
                print("There is no legal move.");
                Ok(())
            }
            None if words.is_empty() => {
                print("There are too many moves to list; type hint for the engine's choice.");
                Ok(())
            }
            None => {
                print(&format!("No move begins with {}; type ? for all.", words.join(" ")));
                Ok(())
            }
        }
    }

    /// What is to be chosen, and from what; before it what is known of the card that was chosen.
    pub(super) fn print_choices(&mut self, step: &Step) -> Result<()> {
        let mut lines = Vec::new();
        if let [chosen] = step.path.as_slice()
            && self.display.has_cards()
        {
            let cards = self.adviser.cards()?;
            let card = cards.iter().find(|card| card.id == *chosen);
            lines.extend(card.into_iter().flat_map(|card| self.display.about(card)));
        }
        let mut text = self.display.named(&step.text);
        if let Some(form) = &step.form {
            let typed = if form.label.starts_with("in ") { "or type it" } else { "type any" };
            text += &format!(" ({typed} {})", form.label);
        }
        lines.extend(terminal::wrap(&format!("{text}:"), WIDTH));
        lines.extend(self.typed.list(step));
        self.page(&lines);
        Ok(())
    }

    /// Lists a group of the shortened list, or all of it, if that is what the words name.
    pub(super) fn lists_more(&mut self, words: &[&str]) -> bool {
        let lines = self.typed.more(words);
        if let Some(lines) = &lines {
            self.page(lines);
        }
        lines.is_some()
    }
}
