//! The engine that sees what the person at the keyboard may see.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;

use crate::picture::{Board, Card, Lessons, Puzzle, Puzzles, Step, Table};
use crate::protocol::PositionLine;
use crate::runner::process::{Client, Launcher, SearchResult, Specification};

/// The option by which an engine plays as another player.
const PLAYER: &str = "Player";

/// Puzzles that are asked for at once, and the most that are taken.
const PAGE: usize = 50;
const MOST_PUZZLES: usize = 10_000;

/// Describes the board, lists moves and gives hints, from the view that it was shown last. Completion
/// asks it too: clones share one process.
#[derive(Clone)]
pub(super) struct Adviser {
    client: Rc<RefCell<Client>>,
    /// Whether it describes its board.
    has_pictures: bool,
}

impl Adviser {
    /// Starts the process; also returns the table, of an engine that describes it. It plays as the
    /// engine itself does: a weaker player is an opponent and no adviser.
    ///
    /// # Errors
    /// The engine's fault.
    pub(super) fn start(
        launcher: &Launcher,
        engine: &Specification,
    ) -> Result<(Self, Option<Table>)> {
        let mut engine = engine.clone();
        engine.options.retain(|(name, _)| !name.eq_ignore_ascii_case(PLAYER));
        let mut client = launcher.start(&engine, "helper", &[])?;
        client.send_synced("position startpos\n")?;
        let answer = client.probe("table")?.and_then(Result::ok);
        let table: Option<Table> = answer.and_then(|text| parsed(&text));
        let has_pictures = table.is_some();
        Ok((Adviser { client: Rc::new(RefCell::new(client)), has_pictures }, table))
    }

    /// Whether it is being asked something.
    pub(super) fn is_busy(&self) -> bool {
        self.client.try_borrow_mut().is_err()
    }

    /// Whether it describes its board.
    pub(super) fn has_pictures(&self) -> bool {
        self.has_pictures
    }

    /// Shows it a position.
    pub(super) fn see(&self, view: &PositionLine) -> Result<()> {
        self.client.borrow_mut().send_synced(&format!("position {view}\n"))?;
        Ok(())
    }

    /// The board, of an engine that describes it.
    pub(super) fn board(&self) -> Result<Option<Board>> {
        if !self.has_pictures {
            return Ok(None);
        }
        let answer = self.client.borrow_mut().query("board")?.ok();
        Ok(answer.and_then(|text| parsed(&text)))
    }

    /// The cards of the board; none where it has none.
    pub(super) fn cards(&self) -> Result<Vec<Card>> {
        Ok(self.board()?.map(|board| board.cards).unwrap_or_default())
    }

    /// What may follow some choices, of an engine that tells it.
    pub(super) fn step(&self, path: &[String]) -> Result<Option<Step>> {
        if !self.has_pictures {
            return Ok(None);
        }
        Ok(self.answered_step(path)?.ok().and_then(|text| parsed(&text)))
    }

    /// The choices that lead to a token.
    pub(super) fn path(&self, token: &str) -> Result<Option<Vec<String>>> {
        if !self.has_pictures {
            return Ok(None);
        }
        let answer = self.client.borrow_mut().query(&format!("path {token}"))?.ok();
        Ok(answer.and_then(|text| parsed(&text)))
    }

    /// What is wrong with choices; `None` of those that may be made.
    pub(super) fn refused(&self, path: &[String]) -> Result<Option<String>> {
        Ok(if self.has_pictures { self.answered_step(path)?.err() } else { None })
    }

    fn answered_step(&self, path: &[String]) -> Result<Result<String, String>> {
        let query = format!("step {}", path.join(" "));
        Ok(self.client.borrow_mut().query(query.trim_end())?)
    }

    /// The course, of an engine that has one.
    pub(super) fn lessons(&self) -> Result<Option<Lessons>> {
        let answer = self.client.borrow_mut().probe("lessons")?.and_then(Result::ok);
        Ok(answer.and_then(|text| parsed(&text)))
    }

    /// The puzzles, of an engine that has some.
    pub(super) fn puzzles(&self) -> Result<Vec<Puzzle>> {
        let mut found: Vec<Puzzle> = Vec::new();
        loop {
            let query = format!("puzzles {PAGE} {}", found.len());
            let answer = self.client.borrow_mut().probe(&query)?.and_then(Result::ok);
            let page: Option<Puzzles> = answer.and_then(|text| parsed(&text));
            let Some(page) = page.filter(|page| !page.puzzles.is_empty()) else { return Ok(found) };
            found.extend(page.puzzles);
            if found.len() >= page.count.min(MOST_PUZZLES) {
                return Ok(found);
            }
        }
    }

    /// Its own drawing of the board.
    pub(super) fn diagram(&self) -> Result<Vec<String>> {
        Ok(self.client.borrow_mut().lines("d")?)
    }

    /// The legal moves that begin with a prefix; `None` if they cannot be listed.
    pub(super) fn legal(&self, prefix: &str) -> Result<Option<Vec<String>>> {
        let query = format!("legalmoves {prefix}");
        Ok(match self.client.borrow_mut().query(query.trim_end())? {
            Ok(text) if text == "none" => Some(Vec::new()),
            Ok(text) if text == "many" || text == "hidden" => None,
            Ok(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            Err(_) => None,
        })
    }

    /// What it objects to a token, which leaves it without a position.
    pub(super) fn objection(&self, token: &str) -> Result<Option<String>> {
        let errors = self.client.borrow_mut().send_synced(&format!("moves {token}\n"))?;
        Ok(errors.into_iter().next())
    }

    /// Its choice in a position.
    pub(super) fn search(
        &self,
        view: &PositionLine,
        go: &str,
        allowance: Duration,
    ) -> Result<SearchResult> {
        Ok(self.client.borrow_mut().search(&format!("position {view}"), go, allowance)?)
    }

    /// Ends the process, if no clone is left.
    pub(super) fn quit(self) {
        if let Some(client) = Rc::into_inner(self.client) {
            client.into_inner().quit();
        }
    }
}

/// A value of an engine's answer; control characters become others, so that no escape sequence gets
/// to the terminal.
fn parsed<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    let harmless = text.replace("\\u000", "\\u003").replace("\\u001", "\\u003");
    serde_json::from_str(&harmless).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_sends_no_escape_sequences() {
        let text: String = parsed(r#""a\u001b[31mb\u0007""#).unwrap();
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}
