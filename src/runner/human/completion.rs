//! What may follow the beginning of a line, for completion.

use anyhow::Result;

use super::adviser::Adviser;
use super::editor::Following;
use super::spelling::{follow, names, orders, plain};
use crate::picture::{Next, Step};

/// What may follow the beginning of a line, from the steps of an adviser.
pub(super) fn following(adviser: Adviser) -> Following {
    Box::new(move |line| {
        if adviser.is_busy() {
            return None;
        }
        continued(&mut |path| adviser.step(path), line)
    })
}

/// Where the last choice of a line begins, and what it may become: after as many words as lead on.
fn continued(
    step: &mut dyn FnMut(&[String]) -> Result<Option<Step>>,
    line: &str,
) -> Option<(usize, Vec<String>)> {
    let blanks: Vec<usize> = line.match_indices(' ').map(|(index, _)| index + 1).collect();
    for start in blanks.into_iter().rev() {
        let (before, rest) = line.split_at(start);
        let words: Vec<&str> = before.split_whitespace().collect();
        for words in orders(&words) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let Ok(Ok(followed)) = follow(step, &words) else { continue };
            let mut next = followed.next;
            if followed.form.is_some_and(|form| form.complete) && !rest.is_empty() {
                // The words that begin so.
                let mut path = followed.path;
                path.push(format!("{}*", rest.to_lowercase()));
                next.extend(step(&path).ok().flatten().map(|step| step.next).unwrap_or_default());
            }
            return Some((start, next.iter().filter_map(|next| goes_on(next, rest)).collect()));
        }
    }
    None
}

/// How a choice goes on that was begun so: as the token says, or in words.
fn goes_on(next: &Next, text: &str) -> Option<String> {
    let begins = |name: &str| plain(name).starts_with(&plain(text));
    match &next.label {
        Some(label) if text.trim().contains(' ') => begins(label).then(|| label.clone()),
        _ => names(next).any(begins).then(|| next.choice.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Form;

    /// Objects, what can be done with them, then words that are completed or questions.
    fn step(path: &[String]) -> Result<Option<Step>> {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let words = |words: &[&str]| words.iter().map(|word| Next::button(*word, *word)).collect();
        let form = Form { kind: "word".into(), complete: true, ..Form::default() };
        let owned: Vec<String> = path.iter().map(|word| (*word).to_owned()).collect();
        let new = Step::new(&owned, "Choose");
        Ok(match path[..] {
            [] => Some(Step { next: vec![Next::card("b1"), Next::card("c1")], ..new }),
            ["c1"] => Some(Step { next: words(&["guess", "letter"]), ..new }),
            ["c1", "guess"] => Some(Step { form: Some(form), ..new }),
            ["c1", "guess", "te*"] => Some(Step { next: words(&["teapot", "tent"]), ..new }),
            ["b1"] => {
                let next = vec![
                    Next::button("is_alive", "Is it alive?"),
                    Next::button("is_awake", "Is it awake?"),
                    Next::button("has_tail", "Has it a tail?"),
                ];
                Some(Step { next, ..new })
            }
            _ => None,
        })
    }

    fn after(line: &str) -> Option<(usize, Vec<String>)> {
        continued(&mut step, line)
    }

    fn found(start: usize, texts: &[&str]) -> Option<(usize, Vec<String>)> {
        Some((start, texts.iter().map(|text| (*text).to_owned()).collect()))
    }

    #[test]
    fn what_follows_a_beginning_completes_it() {
        assert_eq!(after("c1 "), found(3, &["guess", "letter"]));
        assert_eq!(after("c1 GU"), found(3, &["guess"]));
        assert_eq!(after("c1 x"), found(3, &[]), "nothing else is offered there");
        assert_eq!(after("c"), None, "no beginning");
        assert_eq!(after("save "), None, "a command");
    }

    #[test]
    fn words_are_completed_by_the_engine_wherever_the_verb_stands() {
        assert_eq!(after("c1 guess te"), found(9, &["teapot", "tent"]));
        assert_eq!(after("guess c1 te"), found(9, &["teapot", "tent"]));
        assert_eq!(after("guess c1 "), found(9, &[]), "not all words that there are");
    }

    #[test]
    fn a_choice_goes_on_as_it_was_begun() {
        assert_eq!(after("ask b1 al"), found(7, &["is_alive"]));
        assert_eq!(after("b1 is"), found(3, &["is_alive", "is_awake"]));
        assert_eq!(after("b1 is it a"), found(3, &["Is it alive?", "Is it awake?"]));
    }
}
