//! The commands of the human player: moves, help, lists, hints, undo.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Result;

use super::game::{HumanGame, Step};
use crate::runner::output::print;

/// The most moves that are listed.
const LISTED: usize = 60;

const HELP: &str = "\
  a move       plays it (its first letters are enough if no other move begins with them)
  ? [letters]  lists the legal moves that begin with these letters
  hint         shows what the engine would play
  undo         takes back your last move and everything after it
  board        draws the position again
  moves        shows the game as a position line
  help, quit";

/// One line of input; `None` at its end.
fn ask(prompt: &str) -> Option<String> {
    if std::io::stdin().is_terminal() {
        let mut out = std::io::stdout().lock();
        let _ = write!(out, "{prompt}").and_then(|()| out.flush());
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line.trim().to_owned()),
    }
}

impl HumanGame {
    /// Reads and carries out one command.
    pub(super) fn read_command(&mut self) -> Result<Step> {
        let Some(line) = ask(&format!("p{}> ", self.player + 1)) else { return Ok(Step::Quit) };
        let mut words = line.split_whitespace();
        let step = match (words.next().unwrap_or(""), words.next().unwrap_or("")) {
            ("", _) => Step::Again,
            ("quit" | "exit", _) => Step::Quit,
            ("help", _) => {
                print(HELP);
                Step::Again
            }
            ("board" | "d", _) => {
                self.draw()?;
                Step::Again
            }
            ("moves", _) => {
                // Only what the player may see.
                let view = self.query(&format!("view p{}", self.player + 1))?;
                print(&format!("position {view}"));
                Step::Again
            }
            ("?", prefix) => {
                let moves = self.legal(prefix)?;
                print(&listing(&moves, prefix));
                Step::Again
            }
            ("hint", _) => {
                self.hint()?;
                Step::Again
            }
            ("undo", _) => {
                self.undo()?;
                Step::Again
            }
            (text, _) => self.try_move(text)?,
        };
        Ok(step)
    }

    /// The legal moves that begin with a prefix; `None` if they cannot be listed.
    fn legal(&mut self, prefix: &str) -> Result<Option<Vec<String>>> {
        self.update_helper()?;
        let query = format!("legalmoves {prefix}");
        Ok(match self.helper.query(query.trim_end())? {
            Ok(text) if text == "none" => Some(Vec::new()),
            Ok(text) if text == "many" || text == "hidden" => None,
            Ok(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            Err(_) => None,
        })
    }

    fn hint(&mut self) -> Result<()> {
        let view = self.query(&format!("view p{}", self.player + 1))?;
        let line = format!("position {view}");
        let found = self.helper.search(&line, &self.go, self.allowance)?;
        let score = found.info.and_then(|info| info.score);
        let score = score.map_or(String::new(), |score| format!(" ({:+} cp)", score.centipawns()));
        print(&format!("The engine would play {}{score}.", found.token));
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        let Some(count) = self.decisions.pop() else {
            print("There is no move of yours to take back.");
            return Ok(());
        };
        self.tokens.truncate(count);
        self.refresh()?;
        self.draw()
    }

    fn try_move(&mut self, text: &str) -> Result<Step> {
        let text = if text.is_ascii() && text.len() < 4096 { text } else { "?" };
        let mut token = text.to_owned();
        if self.query_quietly(&format!("islegal {text}"))? != "true" {
            match self.legal(text)? {
                Some(moves) if moves.len() == 1 => token = moves.concat(),
                moves => {
                    print(&format!("{text} is not a legal move. {}", listing(&moves, text)));
                    return Ok(Step::Again);
                }
            }
        }
        self.decisions.push(self.tokens.len());
        self.append(token)?;
        self.draw()?;
        Ok(Step::Moved)
    }

    fn query_quietly(&mut self, query: &str) -> Result<String> {
        Ok(self.referee.query(query)?.unwrap_or_default())
    }
}

/// A list of moves as text.
fn listing(moves: &Option<Vec<String>>, prefix: &str) -> String {
    let Some(moves) = moves else {
        return "There are too many moves to list; type hint for the engine's choice.".to_owned();
    };
    if moves.is_empty() {
        return match prefix {
            "" => "There is no legal move.".to_owned(),
            _ => format!("No move begins with {prefix}; type ? for all."),
        };
    }
    let shown: Vec<&str> = moves.iter().take(LISTED).map(String::as_str).collect();
    let more = moves.len() - shown.len();
    let rest = if more > 0 {
        format!(" and {more} more: type ? and the first letters")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join(" "))
}
