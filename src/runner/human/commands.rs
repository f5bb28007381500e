//! What may be typed at a prompt: moves, help, lists, hints, undo, and the rest.

use std::path::Path;

use anyhow::Result;

use super::display::say;
use super::entry::Entered;
use super::game::{Ended, HumanGame, Step};
use super::help;
use crate::printing::print;
use crate::protocol::Outcome;
use crate::runner::tournament::record::{Ending, Move};

/// So few choices are listed after what is no move.
const FEW: usize = 12;

impl HumanGame {
    /// Reads and carries out one command.
    pub(super) fn read_command(&mut self) -> Result<Step> {
        let may_pass = self.is_legal("pass")?;
        // Another choice ends skipping also where one cannot pass.
        if self.typed.skips(self.viewer) && self.passes_again()? && may_pass {
            return self.play_token("pass".to_owned());
        }
        if self.editor.is_terminal() {
            let candidates = self.candidates()?;
            self.editor.offer(candidates);
        }
        let prompt = format!("{}> ", self.name(self.viewer));
        let Some(line) = self.editor.read_on(&prompt, &mut self.typed.begun) else {
            return Ok(Step::Quit);
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] | ["?" | "list"] if !self.typed.begun.is_empty() => {
                let begun = self.typed.begun.clone();
                self.again(|game| game.follows(&begun))
            }
            [] if may_pass && self.editor.is_terminal() && self.passes_freely()? => {
                self.play_token("pass".to_owned())
            }
            [] => Ok(Step::Again),
            ["resign"] => self.resign(),
            ["hint"] => self.again(Self::hint),
            ["score"] => self.again(Self::score),
            ["skip"] if may_pass && self.passes_freely()? => self.skip(),
            ["skip"] if may_pass => self.again(|_| {
                print("That would give something up. Type pass, if you want to.");
                Ok(())
            }),
            ["skip"] => self.again(|_| {
                print("You cannot pass here; type ? for what you can do.");
                Ok(())
            }),
            ["undo"] => match self.undo()? {
                true => Ok(Step::Moved),
                false => Ok(Step::Again),
            },
            ["?" | "list"] => self.again(|game| game.choices(&[])),
            ["?" | "list", ref rest @ ..] => {
                if self.lists_more(rest) {
                    return Ok(Step::Again);
                }
                let rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
                self.again(|game| game.choices(&rest))
            }
            _ => match self.common_command(&words)? {
                Some(step) => Ok(step),
                None => self.try_move(&words),
            },
        }
    }

    fn again(&mut self, command: impl FnOnce(&mut Self) -> Result<()>) -> Result<Step> {
        command(self).map(|()| Step::Again)
    }

    /// A line after the end of the game.
    pub(super) fn command_afterwards(&mut self, line: &str) -> Result<Step> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => Ok(Step::Again),
            ["review"] => self.again(Self::review),
            ["undo"] => match self.undo()? {
                true => Ok(Step::Moved),
                false => Ok(Step::Again),
            },
            _ => match self.common_command(&words)? {
                Some(step) => Ok(step),
                None => self.again(|_| {
                    print("The game is over. Type review, save FILE, undo, board, moves or quit.");
                    Ok(())
                }),
            },
        }
    }

    /// What may be typed during the game and after it; `None` for everything else.
    pub(super) fn common_command(&mut self, words: &[&str]) -> Result<Option<Step>> {
        match words {
            ["quit" | "exit"] => return Ok(Some(Step::Quit)),
            ["help"] => {
                let (example, begins) = self.examples()?;
                print(&help::commands(
                    example.as_deref(),
                    begins.as_deref(),
                    self.display.has_cards(),
                ));
            }
            ["rules"] => self.rules()?,
            ["legend"] => self.print_legend()?,
            ["board" | "d"] => self.draw()?,
            ["flip"] => {
                self.display.flip();
                self.draw()?;
            }
            ["moves"] => {
                // Only what the person may see.
                let view = self.view(self.viewer)?;
                print(&format!("position {view}"));
            }
            ["log"] => print(&self.display.recent()),
            ["cp"] => {
                self.display.centipawns = !self.display.centipawns;
                let with = if self.display.centipawns { "with" } else { "without" };
                print(&format!("Scores are shown {with} centipawns."));
            }
            ["save", path] => match self.save(Path::new(path)) {
                Ok(text) => say(&text),
                Err(error) => say(&format!("Not saved: {error:#}.")),
            },
            ["save"] => print("Write a file name after save, such as: save game.jsonl"),
            ["card" | "about", id] => self.about(id)?,
            _ => return Ok(None),
        }
        Ok(Some(Step::Again))
    }

    /// What completion may offer.
    pub(super) fn candidates(&mut self) -> Result<Vec<String>> {
        let mut candidates = self.legal("")?.unwrap_or_default();
        if let Some(step) = self.adviser.step(&[])? {
            candidates.extend(step.next.into_iter().map(|next| next.choice));
        }
        candidates.extend(help::WORDS.iter().map(|word| (*word).to_owned()));
        candidates.sort();
        candidates.dedup();
        Ok(candidates)
    }

    /// Draws the position for the person at the keyboard.
    pub(super) fn draw(&mut self) -> Result<()> {
        self.update_adviser()?;
        self.display.flush();
        print("");
        self.drawn = Some(self.course.moves.len());
        if let Some(columns) = self.editor.columns() {
            self.display.fit(columns);
        }
        self.display.draw(&self.adviser)
    }

    /// Plays a move, or the rest of the one that the last line began.
    fn try_move(&mut self, words: &[&str]) -> Result<Step> {
        match self.understand(words)? {
            Some(token) => self.play_token(token),
            None => Ok(Step::Again),
        }
    }

    /// The token that a line stands for, or the rest of a move that the last line began; otherwise
    /// says what can follow, or why it is none.
    pub(super) fn understand(&mut self, words: &[&str]) -> Result<Option<String>> {
        if self.lists_more(words) {
            return Ok(None);
        }
        let begun = std::mem::take(&mut self.typed.begun);
        let whole: Vec<&str> = begun.iter().map(String::as_str).chain(words.to_vec()).collect();
        let mut entered = self.read_move(&whole)?;
        let mut read = whole.as_slice();
        // Any line at all could be the text of a question: what is a move by itself is no text.
        let may_be_text = match &entered {
            Entered::Token(token) => token.contains('~'),
            Entered::Beginning(step) => step.path.iter().any(|choice| choice.starts_with('~')),
            Entered::Illegal => false,
        };
        if !begun.is_empty() && (may_be_text || matches!(entered, Entered::Illegal)) {
            let alone = self.read_move(words)?;
            if !(may_be_text && matches!(alone, Entered::Illegal)) {
                entered = alone;
                read = words;
            }
        }
        match entered {
            Entered::Token(token) => return Ok(Some(token)),
            Entered::Beginning(step) => {
                // One word may be several choices, and only these can be gone on with: `a5a1d`.
                self.typed.begun = match read {
                    [_] if step.path.len() > 1 && !may_be_text => step.path.clone(),
                    _ => read.iter().map(|word| (*word).to_owned()).collect(),
                };
                self.print_choices(&step)?;
            }
            Entered::Illegal => {
                let mut text = self.refuse(words)?;
                let step = self.choices_now()?;
                let step = step.filter(|step| step.next.len() <= FEW);
                if step.is_none() && !text.ends_with('?') {
                    text += " Type ? for what you can do.";
                }
                say(&text);
                if let Some(step) = step {
                    self.print_choices(&step)?;
                }
            }
        }
        Ok(None)
    }

    /// Plays a legal token for the person at the keyboard.
    pub(super) fn play_token(&mut self, token: String) -> Result<Step> {
        self.typed.played();
        self.display.decides();
        self.course.decide(Move { token, seat: self.viewer + 1, ..Move::default() })?;
        self.keep_in_log()?;
        Ok(Step::Moved)
    }

    /// Everything that is known of a card.
    fn about(&mut self, id: &str) -> Result<()> {
        self.update_adviser()?;
        let cards = self.adviser.cards()?;
        let Some(card) = cards.iter().find(|card| card.id.eq_ignore_ascii_case(id)) else {
            let known: Vec<&str> = cards.iter().map(|card| card.id.as_str()).collect();
            print(&match known.is_empty() {
                true => "There are no cards in this game.".to_owned(),
                false => format!("There is no card {id}; there are {}.", known.join(" ")),
            });
            return Ok(());
        };
        let lines = self.display.about(card);
        self.page(&lines);
        Ok(())
    }

    /// Whether the person passes here because they said so at a choice such as this one.
    fn passes_again(&mut self) -> Result<bool> {
        let task = self.task()?;
        Ok(self.typed.skips_again(self.viewer, task.as_deref()))
    }

    /// Whether passing gives nothing up here; an engine without pictures does not say that it would.
    fn passes_freely(&mut self) -> Result<bool> {
        let step = self.choices_now()?;
        Ok(step.is_none_or(|step| help::passes_freely(&step)))
    }

    fn skip(&mut self) -> Result<Step> {
        let task = self.task()?;
        self.typed.skip(self.viewer, task);
        self.play_token("pass".to_owned())
    }

    /// What the person is to do now, in the words of the engine.
    pub(super) fn task(&mut self) -> Result<Option<String>> {
        let step = self.choices_now()?;
        Ok(step.map(|step| step.text).filter(|text| !text.is_empty()))
    }

    /// Takes back the last decision of a person; whether it did.
    fn undo(&mut self) -> Result<bool> {
        let Some(&count) = self.course.decisions.last() else {
            print("There is no move of yours to take back.");
            return Ok(false);
        };
        let engines_play = self.people.len() < self.display.names.len();
        let told = self.secrets && self.course.may_have_told(count, self.people.len() > 1);
        if !self.practice && engines_play && told {
            print(
                "What followed your last move may have told somebody something that was secret, so \
                 it stays. (With --practice everything can be taken back.)",
            );
            return Ok(false);
        }
        self.course.take_back()?;
        self.typed.taken_back();
        self.display.take_back();
        self.drawn = None;
        Ok(true)
    }

    fn resign(&mut self) -> Result<Step> {
        print(&format!("{} resigns.", self.name(self.viewer)));
        let outcome = Outcome::loss(self.viewer, self.display.names.len(), "resign");
        self.ended = Some(Ended { outcome, ending: Ending::Adjudication });
        Ok(Step::Moved)
    }

    /// What completion offers after the end.
    pub(super) fn offer_afterwards(&mut self) {
        let words = help::WORDS.iter().chain(&["review"]);
        self.editor.offer(words.map(|word| (*word).to_owned()).collect());
    }
}
