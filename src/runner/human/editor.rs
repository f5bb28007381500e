//! Lines that people type: with history and completion at a terminal, as they come elsewhere.

use std::io::{BufRead, IsTerminal};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

/// Completes the beginning of a line to one of the lines that make sense now.
#[derive(Default)]
struct Lines {
    candidates: Vec<String>,
}

impl Helper for Lines {}
impl Highlighter for Lines {}
impl Validator for Lines {}

impl Hinter for Lines {
    type Hint = String;
}

impl Completer for Lines {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (start, found) = completions(&self.candidates, line.get(..end).unwrap_or(line));
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

/// What a line may become: the whole of it, or else its last word.
fn completions(candidates: &[String], line: &str) -> (usize, Vec<String>) {
    let beginning = |text: &str| -> Vec<String> {
        let text = text.to_lowercase();
        candidates.iter().filter(|known| known.to_lowercase().starts_with(&text)).cloned().collect()
    };
    let whole = beginning(line);
    if !whole.is_empty() {
        return (0, whole);
    }
    let start = line.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    (start, beginning(line.get(start..).unwrap_or("")))
}

/// Where lines come from.
pub(super) struct Editor {
    terminal: Option<rustyline::Editor<Lines, MemHistory>>,
}

impl Editor {
    pub(super) fn new() -> Self {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let config = Config::builder().completion_type(CompletionType::List);
        let config = config.auto_add_history(true).build();
        let editor = is_terminal
            .then(|| rustyline::Editor::with_history(config, MemHistory::new()))
            .and_then(Result::ok);
        let terminal = editor.map(|mut editor| {
            editor.set_helper(Some(Lines::default()));
            editor
        });
        Editor { terminal }
    }

    /// Whether a person types at a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// What the next line may be completed to.
    pub(super) fn offer(&mut self, candidates: Vec<String>) {
        if let Some(lines) = self.terminal.as_mut().and_then(rustyline::Editor::helper_mut) {
            lines.candidates = candidates;
        }
    }

    /// One line of input; `None` at its end.
    pub(super) fn read(&mut self, prompt: &str) -> Option<String> {
        if let Some(terminal) = &mut self.terminal {
            return match terminal.readline(prompt) {
                Ok(line) => Some(line.trim().to_owned()),
                // Ctrl-C gives up the line, Ctrl-D the game.
                Err(ReadlineError::Interrupted) => Some(String::new()),
                Err(_) => None,
            };
        }
        let mut line = Vec::new();
        match std::io::stdin().lock().read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_completed_as_a_whole_or_at_its_last_word() {
        let known = ["e2e4", "e2e5", "guess", "teapot"].map(str::to_owned);
        assert_eq!(completions(&known, "E2"), (0, vec!["e2e4".into(), "e2e5".into()]));
        assert_eq!(completions(&known, "guess c1 te"), (9, vec!["teapot".into()]));
        assert_eq!(completions(&known, "x").1, Vec::<String>::new());
    }
}
