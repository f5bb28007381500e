//! The commands of the human player: moves, help, lists, hints, undo.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write};

use anyhow::Result;

use super::game::{HumanGame, Step};
use crate::runner::output::print;
use crate::runner::process::printable;

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
        let words: Vec<&str> = line.split_whitespace().collect();
        let step = match words[..] {
            [] => Step::Again,
            ["quit" | "exit"] => Step::Quit,
            ["help"] => {
                print(HELP);
                Step::Again
            }
            ["board" | "d"] => {
                self.draw()?;
                Step::Again
            }
            ["moves"] => {
                // Only what the player may see.
                let view = self.query(&format!("view p{}", self.player + 1))?;
                print(&format!("position {view}"));
                Step::Again
            }
            ["?"] | ["?", _] => {
                let prefix = words.get(1).copied().unwrap_or("");
                let moves = self.legal(prefix)?;
                print(&listing(&moves, prefix));
                Step::Again
            }
            ["hint"] => {
                self.hint()?;
                Step::Again
            }
            ["undo"] => {
                self.undo()?;
                Step::Again
            }
            _ => self.try_move(&words)?,
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
        let Some(&count) = self.decisions.last() else {
            print("There is no move of yours to take back.");
            return Ok(());
        };
        if !self.practice && self.would_forget(count)? {
            print(
                "What followed your last move may have told you something that was secret, so it \
                 stays. (With --practice everything can be taken back.)",
            );
            return Ok(());
        }
        self.decisions.pop();
        self.tokens.truncate(count);
        self.refresh()?;
        self.draw()
    }

    /// Whether a secret may have been revealed after the first `count` tokens: in a game with
    /// secrets, by anything but the player's own moves.
    fn would_forget(&mut self, count: usize) -> Result<bool> {
        let view = self.query(&format!("view p{}", self.player + 1))?;
        let secrets = view.split_whitespace().any(|word| word == "view");
        let own = self.decisions.iter().filter(|decision| **decision >= count).count();
        Ok(secrets && self.tokens.len() > count + own)
    }

    fn try_move(&mut self, words: &[&str]) -> Result<Step> {
        let spellings = spellings(words);
        let mut token = None;
        for spelling in &spellings {
            if self.query_quietly(&format!("islegal {spelling}"))? == "true" {
                token = Some(spelling.clone());
                break;
            }
        }
        let first = spellings.first().map_or("", String::as_str);
        let token = match token {
            Some(token) => token,
            None => match self.legal(first)? {
                Some(moves) if moves.len() == 1 => moves.concat(),
                moves => {
                    let text = words.join(" ");
                    let reason = self.reason(&spellings)?;
                    print(&format!(
                        "{text} is not a legal move{reason}. {}",
                        listing(&moves, first)
                    ));
                    return Ok(Step::Again);
                }
            },
        };
        self.decisions.push(self.tokens.len());
        self.append(token)?;
        self.draw()?;
        Ok(Step::Moved)
    }

    /// Why the engine refuses a move, from what the human player may see: of all spellings of the
    /// line, the first that is a move at all.
    fn reason(&mut self, spellings: &[String]) -> Result<String> {
        let mut said: Option<String> = None;
        for spelling in spellings {
            // What is refused leaves the helper without a position.
            self.update_helper()?;
            let errors = self.helper.send_synced(&format!("moves {spelling}\n"))?;
            let Some(error) = errors.into_iter().next() else { continue };
            let is_move = error.starts_with("illegal-move");
            if is_move || said.is_none() {
                said = Some(error);
            }
            if is_move {
                break;
            }
        }
        let said = said.unwrap_or_default();
        // `illegal-move move 3 'e2e5': the reason`
        let reason = said.split_once("': ").map_or(said.as_str(), |(_, reason)| reason);
        let reason = reason.trim_end_matches('.');
        Ok(if reason.is_empty() { String::new() } else { format!(": {}", printable(reason, 300)) })
    }

    fn query_quietly(&mut self, query: &str) -> Result<String> {
        Ok(self.referee.query(query)?.unwrap_or_default())
    }
}

/// The tokens that a line may stand for, the most likely first: `e2e4`, `e2 e4`, `E2-E4`,
/// `guess c2 teapot`, `ask c1 is it alive?`.
fn spellings(words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: String| {
        let readable = !text.is_empty() && text.len() < 4096 && text.is_ascii();
        if readable && !text.contains(char::is_whitespace) && !found.contains(&text) {
            found.push(text);
        }
    };
    let line = words.join(" ");
    if let Some((start, text)) = line.split_once('~') {
        add(format!("{}~{}", start.split_whitespace().collect::<Vec<_>>().join(":"), escape(text)));
    }
    for text in [words.concat(), words.join(":"), words.join(",")] {
        add(text.clone());
        add(text.to_ascii_lowercase());
        add(text.to_ascii_lowercase().replace('-', ""));
    }
    if let [ask, object, question @ ..] = words
        && !question.is_empty()
    {
        let start = format!("{ask}:{object}").to_ascii_lowercase();
        add(format!("{start}:{}", question.join("_").trim_end_matches('?').to_ascii_lowercase()));
        add(format!("{start}:~{}", escape(&question.join(" "))));
    }
    if found.is_empty() {
        found.push("?".to_owned());
    }
    found
}

/// Free text as a token holds it: bytes other than `a-z 0-9 _` and `%` escapes are escaped.
fn escape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut escaped = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let digits = bytes.get(index + 1..index + 3);
        let written = *byte == b'%' && digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit));
        if written || matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_') {
            escaped.push(char::from(*byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
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

#[cfg(test)]
mod tests {
    use super::*;

    fn first_of(line: &str, legal: &[&str]) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        spellings(&words).into_iter().find(|spelling| legal.contains(&spelling.as_str()))
    }

    #[test]
    fn moves_may_be_written_as_people_write_them() {
        for line in ["e2e4", "e2 e4", "E2-E4", "E2 E4", "e2 - e4"] {
            assert_eq!(first_of(line, &["e2e4"]).as_deref(), Some("e2e4"), "{line}");
        }
        assert_eq!(
            first_of("guess c2 Teapot", &["guess:c2:teapot"]).as_deref(),
            Some("guess:c2:teapot")
        );
        assert_eq!(
            first_of("ask c1 is alive?", &["ask:c1:is_alive"]).as_deref(),
            Some("ask:c1:is_alive")
        );
        let free = "ask:c1:~is%20it%20an%20elephant%3F";
        for line in ["ask:c1:~is it an elephant?", "ask c1 is it an elephant?"] {
            assert_eq!(first_of(line, &[free]).as_deref(), Some(free), "{line}");
        }
        assert_eq!(
            first_of("ask:c1:~is%20it", &["ask:c1:~is%20it"]).as_deref(),
            Some("ask:c1:~is%20it")
        );
        // The pawn that moves first comes first: c1e2,e2d5.
        assert_eq!(first_of("c1e2 e2d5", &["c1e2,e2d5"]).as_deref(), Some("c1e2,e2d5"));
        // Nothing is dropped.
        assert_eq!(first_of("e2e4 foo", &["e2e4", "foo"]), None);
    }

    #[test]
    fn what_cannot_be_a_token_becomes_none() {
        assert_eq!(spellings(&["\u{e9}\u{e9}"]), ["?"]);
        assert!(spellings(&[&"x".repeat(5000)]).iter().all(|spelling| spelling.len() < 4096));
    }
}
