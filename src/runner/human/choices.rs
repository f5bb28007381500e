//! Lists of what can be chosen: in groups, short where there is much.

use anyhow::Result;

use super::display::WIDTH;
use super::entry::Entered;
use super::game::HumanGame;
use crate::picture::{Next, Step, terminal};
use crate::printing::print;

/// The most moves that are listed.
const LISTED: usize = 120;
/// Of more choices in groups only the first ones of each group are listed.
const MANY: usize = 40;

/// A list that was shortened: what had been typed before it, and all that could follow.
pub(super) struct Shortened {
    begun: Vec<String>,
    step: Step,
}

impl HumanGame {
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
        self.update_helper()?;
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
            [] => self.display.step(&mut self.helper.borrow_mut(), &[])?,
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

    /// What is to be chosen, and from what.
    pub(super) fn print_choices(&mut self, step: &Step) -> Result<()> {
        let short = step.next.len() > MANY && groups(step).len() > 1;
        self.shortened = short.then(|| Shortened { begun: self.begun.clone(), step: step.clone() });
        let mut text = self.display.named(&step.text);
        if let Some(form) = &step.form {
            let typed = if form.label.starts_with("in ") { "or type it" } else { "type any" };
            text += &format!(" ({typed} {})", form.label);
        }
        let mut lines = terminal::wrap(&format!("{text}:"), WIDTH);
        lines.extend(if short { overview(step) } else { in_full(step, None) });
        self.page(&lines);
        Ok(())
    }

    /// Lists a group of the shortened list, or all of it, if that is what the words name.
    pub(super) fn lists_more(&mut self, words: &[&str]) -> bool {
        let Some(Shortened { begun, step }) = &self.shortened else { return false };
        let begins = words.len() > begun.len() && begun.iter().zip(words).all(|(a, b)| a == b);
        let name = words[if begins { begun.len() } else { 0 }..].join(" ").to_ascii_lowercase();
        let group = groups(step).into_iter().map(|(group, _)| group).find(|group| *group == name);
        if group.is_none() && name != "all" {
            return false;
        }
        let lines = in_full(step, group.as_deref());
        self.begun = begun.clone();
        self.page(&lines);
        true
    }
}

/// The choices of a step by their groups, in the order of the engine.
fn groups(step: &Step) -> Vec<(String, Vec<&Next>)> {
    let mut groups: Vec<(String, Vec<&Next>)> = Vec::new();
    for next in &step.next {
        let group = next.group.clone().unwrap_or_default();
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, entries)) => entries.push(next),
            None => groups.push((group, vec![next])),
        }
    }
    groups
}

/// All choices, or those of one group.
fn in_full(step: &Step, only: Option<&str>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, entries) in groups(step) {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
        let entries: Vec<String> = entries.into_iter().map(entry).collect();
        let list = format!("{name}{}", entries.join(", "));
        lines.extend(terminal::wrap(&list, WIDTH - 2).iter().map(|line| format!("  {line}")));
    }
    lines
}

/// One line for each group: its first choices; and how to see the others.
fn overview(step: &Step) -> Vec<String> {
    let groups = groups(step);
    let widest = groups.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let mut lines: Vec<String> = groups
        .iter()
        .map(|(name, entries)| {
            let mut line = format!("  {name:<widest$}  ");
            for (index, next) in entries.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                let more = format!(", ... ({})", entries.len());
                let last = index + 1 == entries.len();
                let room = if last { WIDTH } else { WIDTH.saturating_sub(more.len()) };
                if line.chars().count() + comma.len() + next.choice.chars().count() > room {
                    line += &more;
                    break;
                }
                line += &format!("{comma}{}", next.choice);
            }
            line
        })
        .collect();
    let name = groups.iter().find(|(name, _)| !name.is_empty()).map_or("all", |(name, _)| name);
    let all = step.next.len();
    lines.push(format!("Type {name} for all of that group, all for all {all}."));
    lines
}

/// A choice as it is listed: what to type, and what it means where that says more.
fn entry(next: &Next) -> String {
    let meaning = next.label.as_ref().filter(|label| {
        let typed = next.choice.replace('_', " ");
        !label.eq_ignore_ascii_case(&typed)
    });
    match (meaning, &next.cost) {
        (Some(label), Some(cost)) => format!("{} ({label}; {cost})", next.choice),
        (Some(label), None) => format!("{} ({label})", next.choice),
        (None, Some(cost)) => format!("{} ({cost})", next.choice),
        (None, None) => next.choice.clone(),
    }
}

/// A list of moves as text.
fn listing(moves: &[String]) -> String {
    let shown: Vec<&str> = moves.iter().take(LISTED).map(String::as_str).collect();
    let more = moves.len() - shown.len();
    let mut lines = terminal::wrap(&shown.join(" "), WIDTH);
    if more > 0 {
        lines.push(format!("and {more} more: type ? and the first letters."));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_choices_have_a_line_a_group_and_each_group_is_listed_in_full() {
        let choice = |index: usize| Next {
            group: Some(["form", "parts and pieces"][index % 2].into()),
            ..Next::button(format!("choice_{index}"), "what it means")
        };
        let next: Vec<Next> = (0..60).map(choice).collect();
        let step = Step { next, ..Step::new(&[], "Ask") };
        let lines = overview(&step);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].starts_with("  form              choice_0, choice_2, "), "{}", lines[0]);
        assert!(lines[0].ends_with(", ... (30)"), "{}", lines[0]);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
        assert_eq!(lines[2], "Type form for all of that group, all for all 60.");
        let group = in_full(&step, Some("form")).concat();
        assert_eq!(group.matches("choice_").count(), 30);
        assert_eq!(in_full(&step, None).concat().matches("choice_").count(), 60);
    }
}
