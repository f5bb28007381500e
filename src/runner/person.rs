//! `parlor play`: a person at the terminal against engines.

use std::io::{BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::client::{Client, printable};
use super::options::MatchOptions;
use super::play::dice_seed;
use super::setup::Setup;
use super::show::print as say;
use crate::game::splitmix64;

/// How long an engine may take beyond its time before it counts as stuck.
const GRACE: Duration = Duration::from_secs(60);

/// Moves listed at once.
const LISTED: usize = 60;

const HELP: &str = "\
  a move       plays it (the first letters do, if only one move begins so)
  ? [letters]  the legal moves that begin so
  hint         what the engine would play
  undo         takes your last move back, and what followed it
  board        draws the position again
  moves        the game so far, as a position line
  help, quit";

/// Play against an engine at the terminal.
#[derive(Clone, Debug, Args)]
pub struct PersonOptions {
    /// The engine: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE")]
    pub engine: String,
    /// Your seat
    #[arg(long, default_value = "p1", value_name = "SEAT")]
    pub seat: String,
    /// Milliseconds the engine thinks
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    pub movetime: u64,
    /// A rule option, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    pub rules: Vec<String>,
    /// The position to begin with: startpos moves ..., fen ...
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    pub position: String,
    /// The seed of the dice; 0: another each time
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,
}

/// A game between a person and engines.
struct Evening {
    /// Sees everything and says what the rules are.
    referee: Client,
    /// Sees what the person may see: draws, lists moves, gives hints.
    helper: Client,
    /// The engines in the other seats, the person's own left empty.
    seats: Vec<Option<Client>>,
    person: usize,
    go: String,
    start: String,
    tokens: Vec<String>,
    /// How many tokens there were before each decision of the person's.
    decisions: Vec<usize>,
    seed: u64,
    allowance: Duration,
}

/// What the person's line came to.
enum Step {
    Moved,
    Again,
    Quit,
}

/// Plays one game at the terminal.
///
/// # Errors
/// When the engine does not start or fails.
pub fn run(options: &PersonOptions, built_in: &[&str]) -> Result<ExitCode> {
    let config = MatchOptions {
        engines: vec![options.engine.clone()],
        rules: options.rules.clone(),
        movetime: Some(options.movetime),
        ..MatchOptions::default()
    };
    let setup = config.setup(built_in)?;
    let trial = setup.trial()?;
    ensure!(
        trial.abilities.turn && trial.abilities.views,
        "{} does not answer 'query turn' and 'query view'; it can only play matches",
        options.engine
    );
    let person = seat_number(&options.seat, trial.seats)?;
    let mut evening = Evening::begin(&setup, options, trial.seats, person)?;
    let result = evening.play();
    evening.referee.quit();
    evening.helper.quit();
    for client in evening.seats.into_iter().flatten() {
        client.quit();
    }
    result.map(|()| ExitCode::SUCCESS)
}

fn seat_number(text: &str, seats: usize) -> Result<usize> {
    let number = text.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
    match number {
        Some(number) if (1..=seats).contains(&number) => Ok(number - 1),
        _ => bail!("--seat {text}: say p1 to p{seats}"),
    }
}

/// One line of the person's; `None` at the end of input.
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

impl Evening {
    fn begin(setup: &Setup, options: &PersonOptions, seats: usize, person: usize) -> Result<Self> {
        let engine = setup.engines.first().context("no engine")?;
        let start = |label: &str| -> Result<Client> {
            let mut client = setup.start(engine, label, &[])?;
            client.new_game(None)?;
            Ok(client)
        };
        let mut others = Vec::new();
        for seat in 0..seats {
            let client =
                if seat == person { None } else { Some(start(&format!("p{}", seat + 1))?) };
            others.push(client);
        }
        let position = options.position.strip_prefix("position ").unwrap_or(&options.position);
        let (from, moves) = position.split_once(" moves ").unwrap_or((position, ""));
        let seed = match options.seed {
            0 => std::time::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos() as u64),
            seed => seed,
        };
        let mut evening = Evening {
            referee: start("referee")?,
            helper: start("helper")?,
            seats: others,
            person,
            go: format!("go movetime {}", options.movetime),
            start: from.to_owned(),
            tokens: moves.split_whitespace().map(str::to_owned).collect(),
            decisions: Vec::new(),
            seed: dice_seed(seed, 0),
            allowance: Duration::from_millis(options.movetime) + GRACE,
        };
        if let Some(error) = evening.refresh()? {
            bail!("--position: {error}");
        }
        Ok(evening)
    }

    fn position_line(&self) -> String {
        let moves = if self.tokens.is_empty() { "" } else { " moves " };
        format!("position {}{moves}{}", self.start, self.tokens.join(" "))
    }

    /// Sends the game so far to the referee; its error, if it refuses.
    fn refresh(&mut self) -> Result<Option<String>> {
        let line = format!("{}\n", self.position_line());
        Ok(self.referee.tell(&line)?.into_iter().next())
    }

    fn query(&mut self, query: &str) -> Result<String> {
        match self.referee.query(query)? {
            Ok(answer) => Ok(answer),
            Err(error) => bail!("the referee answers 'query {query}' with: {error}"),
        }
    }

    /// Shows the helper what the person may see.
    fn look(&mut self) -> Result<()> {
        let view = self.query(&format!("view p{}", self.person + 1))?;
        self.helper.tell(&format!("position {view}\n"))?;
        Ok(())
    }

    fn draw(&mut self) -> Result<()> {
        self.look()?;
        say("");
        for line in self.helper.lines("d")? {
            say(&line);
        }
        Ok(())
    }

    fn play(&mut self) -> Result<()> {
        say(&format!("You are p{}. Type a move, or help.", self.person + 1));
        self.draw()?;
        loop {
            if self.query("gameover")? == "true" {
                return self.announce();
            }
            let turn = self.query("turn")?;
            if let Some(thrower) = turn.strip_prefix("chance") {
                self.throw(thrower.trim())?;
                continue;
            }
            let Some(seat) = turn.strip_prefix('p').and_then(|digits| digits.parse().ok()) else {
                bail!("the referee answers 'query turn' with '{}'", printable(&turn, 40));
            };
            let seat: usize = seat;
            if seat == self.person + 1 {
                match self.listen()? {
                    Step::Moved => {}
                    Step::Again => continue,
                    Step::Quit => return Ok(()),
                }
            } else {
                self.answer(seat - 1)?;
            }
        }
    }

    fn announce(&mut self) -> Result<()> {
        self.draw()?;
        let outcome = self.query("outcome")?;
        let reason = self.query("reason")?;
        let places: Vec<&str> = outcome.split_whitespace().skip(1).collect();
        let first = places.get(self.person) == Some(&"1");
        let shared = places.iter().filter(|place| **place == "1").count() > 1;
        let verdict = match (first, shared) {
            (true, false) => "You win",
            (true, true) => "You share the first place",
            (false, _) => "You lose",
        };
        say(&format!("{verdict} ({reason}; {outcome})."));
        say(&self.position_line());
        Ok(())
    }

    fn throw(&mut self, thrower: &str) -> Result<()> {
        let seed = splitmix64(self.seed.wrapping_add(self.tokens.len() as u64));
        let token = self.query(&format!("throw {seed}"))?;
        // What is dealt to somebody else is not for the person's eyes: the view tells.
        self.append(token)?;
        let shown = self.last_in_view()?;
        let who = if thrower.is_empty() { "Chance" } else { thrower };
        say(&shown.map_or(format!("{who} has thrown"), |token| format!("{who} throws {token}")));
        Ok(())
    }

    fn append(&mut self, token: String) -> Result<()> {
        self.tokens.push(token);
        if let Some(error) = self.refresh()? {
            self.tokens.pop();
            self.refresh()?;
            bail!("{error}");
        }
        Ok(())
    }

    /// The last token as the person may see it; `None` where a view is no list of moves.
    fn last_in_view(&mut self) -> Result<Option<String>> {
        let view = self.query(&format!("view p{}", self.person + 1))?;
        let moves = view.split_once(" moves ").map(|(_, moves)| moves);
        Ok(moves.and_then(|moves| moves.split_whitespace().last()).map(str::to_owned))
    }

    fn answer(&mut self, seat: usize) -> Result<()> {
        let view = self.query(&format!("view p{}", seat + 1))?;
        let Some(Some(client)) = self.seats.get_mut(seat) else {
            bail!("nobody sits at p{}", seat + 1)
        };
        let thought = client.think(&format!("position {view}"), &self.go, self.allowance)?;
        if self.query(&format!("islegal {}", thought.token))? != "true" {
            bail!("p{} plays {}, which is illegal", seat + 1, printable(&thought.token, 40));
        }
        self.append(thought.token)?;
        let shown = self.last_in_view()?;
        let who = format!("p{}", seat + 1);
        say(&shown.map_or(format!("{who} has played"), |token| format!("{who} plays {token}")));
        if self.query("turn")? == format!("p{}", self.person + 1) {
            self.draw()?;
        }
        Ok(())
    }

    /// One line of the person's.
    fn listen(&mut self) -> Result<Step> {
        let Some(line) = ask(&format!("p{}> ", self.person + 1)) else { return Ok(Step::Quit) };
        let mut words = line.split_whitespace();
        let step = match (words.next().unwrap_or(""), words.next().unwrap_or("")) {
            ("", _) => Step::Again,
            ("quit" | "exit", _) => Step::Quit,
            ("help", _) => {
                say(HELP);
                Step::Again
            }
            ("board" | "d", _) => {
                self.draw()?;
                Step::Again
            }
            ("moves", _) => {
                // Only what the person may know.
                let view = self.query(&format!("view p{}", self.person + 1))?;
                say(&format!("position {view}"));
                Step::Again
            }
            ("?", prefix) => {
                let moves = self.legal(prefix)?;
                say(&listing(&moves, prefix));
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
        self.look()?;
        let query = format!("legalmoves {prefix}");
        Ok(match self.helper.query(query.trim_end())? {
            Ok(text) if text == "none" => Some(Vec::new()),
            Ok(text) if text == "many" || text == "hidden" => None,
            Ok(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            Err(_) => None,
        })
    }

    fn hint(&mut self) -> Result<()> {
        let view = self.query(&format!("view p{}", self.person + 1))?;
        let line = format!("position {view}");
        let thought = self.helper.think(&line, &self.go, self.allowance)?;
        let score = thought.info.and_then(|info| info.score);
        let score = score.map_or(String::new(), |score| format!(" ({:+} cp)", score.centipawns()));
        say(&format!("The engine would play {}{score}.", thought.token));
        Ok(())
    }

    fn undo(&mut self) -> Result<()> {
        let Some(count) = self.decisions.pop() else {
            say("There is nothing of yours to take back.");
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
                    say(&format!("{text} is no legal move. {}", listing(&moves, text)));
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

/// Moves as a person wants them listed.
fn listing(moves: &Option<Vec<String>>, prefix: &str) -> String {
    let Some(moves) = moves else {
        return "The moves here are too many to list; try the engine's hint.".to_owned();
    };
    if moves.is_empty() {
        return match prefix {
            "" => "There is no move.".to_owned(),
            _ => format!("None begins with {prefix}; type ? for all."),
        };
    }
    let shown: Vec<&str> = moves.iter().take(LISTED).map(String::as_str).collect();
    let more = moves.len() - shown.len();
    let rest = if more > 0 {
        format!(" and {more} more: type ? and first letters")
    } else {
        String::new()
    };
    format!("{}{rest}", shown.join(" "))
}
