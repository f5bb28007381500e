//! What is explained: the first screen, the commands, the rules, the task of a turn.

use anyhow::Result;

use super::display::{WIDTH, enumerated, say};
use super::game::HumanGame;
use crate::picture::{Step, terminal};
use crate::printing::{print, print_styled};

/// Lines of a page at a terminal of 24.
const PAGE: usize = 21;

/// The commands that completion offers.
pub(super) const WORDS: [&str; 17] = [
    "?", "board", "card ", "cp", "flip", "help", "hint", "legend", "log", "moves", "quit",
    "resign", "rules", "save ", "score", "skip", "undo",
];

const COMMANDS: &str = "  rules       the rules of the game in short
  hint        what the engine would play and expects, and the next best move
  score       who is better, as the engine sees it;  cp  centipawns too, or not
  undo        takes back your last move and everything after it
  skip        passes, and goes on passing until you have another choice
  board       draws the position again;  flip  turns it;  legend  explains it
  log         what has happened;  moves  the game as a position line
  save FILE   writes the game;  parlor play --load FILE  goes on with it
  resign, quit
At a terminal: the arrow keys bring back earlier lines, Tab completes.";

/// In games with cards.
const OF_CARDS: &str = "  card b2     everything that is known of a card";

/// The commands, with a move of the game and its beginning as examples.
pub(super) fn commands(example: Option<&str>, begins: Option<&str>, has_cards: bool) -> String {
    let example = example.map_or(String::new(), |m| format!(" such as {m},"));
    let first =
        format!("A move is typed as the rules say,{example} or in parts with blanks between.");
    let first = terminal::wrap(&first, WIDTH).join("\n");
    let follows =
        begins.map_or(String::new(), |part| format!(";  ? {part}  what can follow {part}"));
    let short = "The first letters are enough if no other move begins with them.";
    let cards = if has_cards { format!("{OF_CARDS}\n") } else { String::new() };
    format!("{first}\n{short}\n  ?           what you can do now{follows}\n{cards}{COMMANDS}")
}

/// What else may be typed: told with the first task, where it stays on the screen.
const FIRST_WORDS: &str = "Or: rules, ?, hint, undo, help, quit.";

/// The first lines: what is played, who plays, and a move to begin with.
pub(super) fn greeting(game: &HumanGame, example: Option<&str>) -> String {
    let title = game.display.title().unwrap_or_else(|| game.program.engine.name.clone());
    let all = game.people.len() == game.display.names.len();
    let own: Vec<String> = game.people.iter().map(|seat| game.name(*seat)).collect();
    let others = (0..game.display.names.len()).filter(|seat| !game.people.contains(seat));
    let others: Vec<String> = others.map(|seat| game.name(seat)).collect();
    let level = match game.opponents.level {
        Some(level) if level < 10 => {
            format!(" at level {level} of 10")
        }
        _ => String::new(),
    };
    let who = match (all, own.as_slice()) {
        (true, _) => "All seats are people at this keyboard.".to_owned(),
        (false, [person]) => format!(
            "You are {person}. {} {} played by the engine{level}.",
            enumerated(&others),
            if others.len() == 1 { "is" } else { "are" }
        ),
        (false, several) => {
            format!(
                "People play {}, the engine{level} {}.",
                enumerated(several),
                enumerated(&others)
            )
        }
    };
    let example = example.map_or(String::new(), |m| format!(" Type a move such as {m}."));
    terminal::wrap(&format!("{title}. {who}{example}"), WIDTH).join("\n")
}

/// Whether one may pass and gives nothing up by it.
pub(super) fn passes_freely(step: &Step) -> bool {
    step.next.iter().any(|next| next.choice == "pass" && next.cost.is_none())
}

impl HumanGame {
    /// Draws the board for the person's turn and says what is to be done; before it, once, what that
    /// is about.
    pub(super) fn show_turn(&mut self) -> Result<()> {
        let step = self.choices_now()?;
        let help = step.as_ref().and_then(|step| step.help.clone());
        if let Some(help) = help.filter(|help| self.display.explains(help)) {
            self.display.flush();
            let help = self.display.named(&help);
            self.display.say(&help);
        }
        self.draw()?;
        if let Some(step) = step {
            let mut task = self.display.named(&step.text);
            if self.editor.is_terminal() && passes_freely(&step) {
                task += " (Enter passes)";
            }
            if !task.ends_with('?') {
                task.push('.');
            }
            if self.display.explains(FIRST_WORDS) {
                if let Some(level) = self.opponents.level.filter(|_| self.evened) {
                    say(&format!("You have the harder game: the engine plays at level {level}."));
                }
                let room = WIDTH.saturating_sub(task.chars().count() + 1);
                task.push(if FIRST_WORDS.len() <= room { ' ' } else { '\n' });
                task += FIRST_WORDS;
            }
            task.lines().for_each(say);
        }
        Ok(())
    }

    /// The rules of the game, and what the board above shows.
    pub(super) fn rules(&mut self) -> Result<()> {
        let Some(page) = self.program.rules_page() else {
            print("This engine has no page of rules. Type ? for what you can do.");
            return Ok(());
        };
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        self.update_adviser()?;
        let legend = self.display.legend(&self.adviser)?;
        if !legend.is_empty() {
            lines.push(String::new());
            let text = format!("On this screen: {}.", legend.join("; "));
            lines.extend(terminal::wrap(&text, WIDTH));
        }
        lines.push("Type board to see the board again, ? for what you can do.".to_owned());
        self.page(&lines);
        Ok(())
    }

    /// What the symbols of the board mean.
    pub(super) fn print_legend(&mut self) -> Result<()> {
        self.update_adviser()?;
        let legend = self.display.legend(&self.adviser)?;
        if legend.is_empty() {
            print("The board explains itself.");
        }
        for entry in legend {
            print(&format!("  {entry}"));
        }
        Ok(())
    }

    /// Prints many lines, a page at a time where a person reads them.
    pub(super) fn page(&mut self, lines: &[String]) {
        let mut pages = lines.chunks(PAGE).peekable();
        while let Some(page) = pages.next() {
            for line in page {
                print_styled(line);
            }
            if pages.peek().is_some() && self.editor.is_terminal() {
                match self.editor.read("-- Enter for more, q to stop -- ").as_deref() {
                    None | Some("q" | "quit") => return,
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Next;

    #[test]
    fn enter_passes_only_where_that_costs_nothing() {
        let step = |next| Step { next: vec![next], ..Step::new(&[], "Guess") };
        let pass = Next::button("pass", "pass");
        assert!(passes_freely(&step(pass.clone())));
        assert!(!passes_freely(&step(Next { cost: Some("the guess".into()), ..pass })));
        assert!(!passes_freely(&step(Next::button("stop", "stop"))));
    }

    #[test]
    fn help_has_examples_of_the_game() {
        let text = commands(Some("b1w"), Some("b1"), false);
        assert!(text.starts_with("A move is typed as the rules say, such as b1w, or in parts"));
        assert!(text.contains("? b1  what can follow b1"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        assert!(!commands(None, None, false).contains("such as"));
        assert!(!text.contains("card") && commands(None, None, true).contains("\n  card b2 "));
    }
}
