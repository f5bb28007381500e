//! Lists of choices and moves as text: in groups, short where there is much.

use std::collections::BTreeMap;

use super::display::WIDTH;
use crate::picture::{Next, Step, terminal};

/// Of more choices in groups only the first ones of each group are listed.
const MANY: usize = 40;

/// The most moves that are listed.
pub(super) const LISTED: usize = 120;

/// What earlier lines of the person mean for the next one.
#[derive(Default)]
pub(super) struct Typed {
    /// The words of a move that was begun and that the next line may complete.
    pub(super) begun: Vec<String>,
    /// A list that was shortened: what had been typed before it, and all that could follow.
    shortened: Option<(Vec<String>, Step)>,
    /// By seat the task of the choices at which its person passes without being asked.
    skipped: BTreeMap<usize, String>,
}

impl Typed {
    /// The lines that list the choices of a step; long lists are shortened.
    pub(super) fn list(&mut self, step: &Step) -> Vec<String> {
        let short = step.next.len() > MANY && groups(step).len() > 1;
        self.shortened = short.then(|| (self.begun.clone(), step.clone()));
        if short { overview(step) } else { in_full(step, None) }
    }

    /// A group of the shortened list, or all of it, if that is what the words name.
    pub(super) fn more(&mut self, words: &[&str]) -> Option<Vec<String>> {
        let (begun, step) = self.shortened.as_ref()?;
        let begins = words.len() > begun.len() && begun.iter().zip(words).all(|(a, b)| a == b);
        let name = words[if begins { begun.len() } else { 0 }..].join(" ").to_ascii_lowercase();
        let group = groups(step).into_iter().map(|(group, _)| group).find(|group| *group == name);
        if group.is_none() && name != "all" {
            return None;
        }
        let lines = in_full(step, group.as_deref());
        self.begun.clone_from(begun);
        Some(lines)
    }

    /// A move was played.
    pub(super) fn played(&mut self) {
        self.begun.clear();
        self.shortened = None;
    }

    /// A move was taken back: who skipped is asked again.
    pub(super) fn taken_back(&mut self) {
        self.begun.clear();
        self.skipped.clear();
    }

    /// The person of a seat passes here, and at all choices with the same task.
    pub(super) fn skip(&mut self, seat: usize, task: Option<String>) {
        match task {
            Some(task) => self.skipped.insert(seat, task),
            None => self.skipped.remove(&seat),
        };
    }

    /// Whether the person of a seat has said to pass at some choices.
    pub(super) fn skips(&self, seat: usize) -> bool {
        self.skipped.contains_key(&seat)
    }

    /// Whether the person of a seat passes at this task too; another one ends that.
    pub(super) fn skips_again(&mut self, seat: usize, task: Option<&str>) -> bool {
        let again = self.skipped.get(&seat).is_some_and(|skipped| task == Some(skipped.as_str()));
        if !again {
            self.skipped.remove(&seat);
        }
        again
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
                let typed = typed(next);
                if line.chars().count() + comma.len() + typed.chars().count() > room {
                    line += &more;
                    break;
                }
                line += &format!("{comma}{typed}");
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
    let typed = typed(next);
    let meaning = next.label.as_ref().filter(|label| !label.eq_ignore_ascii_case(&typed));
    match (meaning, &next.cost) {
        (Some(label), Some(cost)) => format!("{typed} ({label}; {cost})"),
        (Some(label), None) => format!("{typed} ({label})"),
        (None, Some(cost)) => format!("{typed} ({cost})"),
        (None, None) => typed,
    }
}

/// What to type for a choice: a cell is called what people call it.
fn typed(next: &Next) -> String {
    let called = next.label.as_ref().filter(|_| next.cell.is_some());
    called.unwrap_or(&next.choice).replace('_', " ")
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
        assert!(lines[0].starts_with("  form              choice 0, choice 2, "), "{}", lines[0]);
        assert!(lines[0].ends_with(", ... (30)"), "{}", lines[0]);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{lines:?}");
        assert_eq!(lines[2], "Type form for all of that group, all for all 60.");
        let group = in_full(&step, Some("form")).concat();
        assert_eq!(group.matches("choice ").count(), 30);
        assert_eq!(in_full(&step, None).concat().matches("choice ").count(), 60);
    }

    #[test]
    fn a_shortened_list_is_continued_by_the_name_of_a_group() {
        let choice = |index: usize| Next {
            group: Some(["form", "parts"][index % 2].into()),
            ..Next::button(format!("choice_{index}"), "what it means")
        };
        let step = |count| Step { next: (0..count).map(choice).collect(), ..Step::new(&[], "Ask") };
        let mut typed = Typed { begun: vec!["ask".into()], ..Typed::default() };
        assert_eq!(typed.list(&step(60)).len(), 3);
        typed.begun.clear();
        assert_eq!(typed.more(&["nothing"]), None);
        let group = typed.more(&["ask", "Form"]).unwrap().concat();
        assert_eq!(group.matches("choice ").count(), 30);
        assert_eq!(typed.begun, ["ask"]);
        assert_eq!(typed.more(&["all"]).unwrap().concat().matches("choice ").count(), 60);
        // A list in full is not continued.
        assert_eq!(typed.list(&step(10)).concat().matches("choice ").count(), 10);
        assert_eq!(typed.more(&["all"]), None);
    }

    #[test]
    fn a_choice_is_explained_where_its_word_does_not_say_it() {
        assert_eq!(entry(&Next::button("has_tail", "Has tail")), "has tail");
        let dear =
            |label: &str| Next { cost: Some("2 jewels".into()), ..Next::button("ask", label) };
        assert_eq!(entry(&dear("Ask")), "ask (2 jewels)");
        assert_eq!(entry(&dear("for a letter")), "ask (for a letter; 2 jewels)");
    }

    #[test]
    fn of_many_moves_the_number_of_the_others_is_told() {
        let moves: Vec<String> = (0..LISTED + 5).map(|index| format!("m{index}")).collect();
        let text = listing(&moves);
        assert!(text.ends_with("m119\nand 5 more: type ? and the first letters."), "{text}");
        assert!(listing(&moves[..LISTED]).ends_with("m119"));
    }

    #[test]
    fn skipping_lasts_while_the_task_stays() {
        let mut typed = Typed::default();
        typed.skip(1, Some("Ask".into()));
        assert!(typed.skips(1) && typed.skips_again(1, Some("Ask")));
        // What another person is asked is no choice of this one.
        assert!(!typed.skips(0) && !typed.skips_again(0, Some("Answer")) && typed.skips(1));
        assert!(!typed.skips_again(1, Some("Answer")) && !typed.skips(1));
    }
}
