//! Lists of choices and moves as text: in groups, short where there is much.

use super::display::WIDTH;
use crate::picture::{Next, Step, terminal};

/// The most moves that are listed.
pub(super) const LISTED: usize = 120;

/// A list that was shortened: what had been typed before it, and all that could follow.
pub(super) struct Shortened {
    pub(super) begun: Vec<String>,
    pub(super) step: Step,
}

/// The choices of a step by their groups, in the order of the engine.
pub(super) fn groups(step: &Step) -> Vec<(String, Vec<&Next>)> {
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
pub(super) fn in_full(step: &Step, only: Option<&str>) -> Vec<String> {
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
pub(super) fn overview(step: &Step) -> Vec<String> {
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
pub(super) fn listing(moves: &[String]) -> String {
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
