//! Lines that people type: with history and completion at a terminal, as they come elsewhere.

use std::io::{BufRead, IsTerminal};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

use crate::printing::{forget_scrolled, is_terminal, print, shown};

/// What may follow the words of a line after some of its blanks: where that begins, and the texts.
pub(super) type Following = Box<dyn Fn(&str) -> Option<(usize, Vec<String>)>>;

/// Terminals on which the line editor cannot move the cursor.
const DUMB: [&str; 3] = ["dumb", "cons25", "emacs"];

/// Completes the beginning of a line to one of the lines that make sense now.
struct Lines {
    candidates: Vec<String>,
    /// Asks the engine what may follow.
    following: Option<Following>,
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
        let line = line.get(..end).unwrap_or(line);
        let following = self.following.as_ref().and_then(|following| following(line));
        let (start, found) = following.unwrap_or_else(|| completions(&self.candidates, line));
        let pair = |text: String| Pair { display: shown(&text).into_owned(), replacement: text };
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
    /// Whether a line can be shown as begun.
    shows_beginning: bool,
}

impl Editor {
    /// Reads from the standard input; `following` completes what has a beginning.
    pub(super) fn new(following: Option<Following>) -> Self {
        let is_terminal = std::io::stdin().is_terminal() && is_terminal()[0];
        let config = Config::builder().completion_type(CompletionType::List);
        let config = config.auto_add_history(true).build();
        let editor = is_terminal
            .then(|| rustyline::Editor::with_history(config, MemHistory::new()))
            .and_then(Result::ok);
        let terminal = editor.map(|mut editor| {
            editor.set_helper(Some(Lines { candidates: Vec::new(), following }));
            editor
        });
        let name = std::env::var("TERM").unwrap_or_default().to_ascii_lowercase();
        let shows_beginning = terminal.is_some() && !DUMB.contains(&name.as_str());
        Editor { terminal, shows_beginning }
    }

    /// Whether a person types at a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// The columns of the terminal.
    pub(super) fn columns(&mut self) -> Option<usize> {
        let (columns, _) = self.terminal.as_mut()?.dimensions()?;
        Some(usize::from(columns)).filter(|columns| *columns > 0)
    }

    /// Forgets earlier lines, and what has gone out of sight where the terminal can: the next person
    /// is not to find them.
    pub(super) fn forget(&mut self) {
        let Some(terminal) = &mut self.terminal else { return };
        // A history in memory is always cleared.
        let _ = terminal.clear_history();
        if self.shows_beginning {
            forget_scrolled();
        }
    }

    /// What the next line may be completed to.
    pub(super) fn offer(&mut self, candidates: Vec<String>) {
        if let Some(lines) = self.terminal.as_mut().and_then(rustyline::Editor::helper_mut) {
            lines.candidates = candidates;
        }
    }

    /// One line of input; `None` at its end.
    pub(super) fn read(&mut self, prompt: &str) -> Option<String> {
        self.read_from(prompt, "")
    }

    /// What follows the words of a line that was begun, which a terminal shows as already typed; who
    /// erases them there begins anew. `None` at the end of the input.
    pub(super) fn read_on(&mut self, prompt: &str, begun: &mut Vec<String>) -> Option<String> {
        if begun.is_empty() || !self.shows_beginning {
            return self.read(prompt);
        }
        let start = begun.join(" ");
        let line = self.read_from(prompt, &format!("{start} "))?;
        match line.strip_prefix(&start) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => Some(rest.trim().to_owned()),
            _ => {
                begun.clear();
                Some(line)
            }
        }
    }

    fn read_from(&mut self, prompt: &str, start: &str) -> Option<String> {
        if let Some(terminal) = &mut self.terminal {
            return match terminal.readline_with_initial(prompt, (start, "")) {
                Ok(line) => Some(line.trim().to_owned()),
                // Ctrl-C gives up the line, Ctrl-D the game.
                Err(ReadlineError::Interrupted) => Some(String::new()),
                Err(_) => {
                    // What follows begins on a line of its own.
                    print("");
                    None
                }
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
