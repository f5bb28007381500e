//! The course of a game between a human player and engines.

use std::time::Duration;

use anyhow::{Result, bail};

use super::HumanOptions;
use crate::runner::key::{MatchKey, Purpose};
use crate::runner::output::print;
use crate::runner::process::{Client, Launcher, Specification, printable};

/// How much longer than its time an engine may take before it is given up.
const GRACE: Duration = Duration::from_secs(60);

/// A game between a human player and engines.
pub(super) struct HumanGame {
    /// Sees the whole position and says what the rules are.
    pub(super) referee: Client,
    /// Sees what the human player may see: draws, lists moves, gives hints.
    pub(super) helper: Client,
    /// The engines in the other seats, the human player's left empty.
    pub(super) seats: Vec<Option<Client>>,
    /// The seat of the human player.
    pub(super) player: usize,
    pub(super) go: String,
    pub(super) start: String,
    pub(super) tokens: Vec<String>,
    /// The number of tokens before each decision of the human player.
    pub(super) decisions: Vec<usize>,
    /// Whether everything may be taken back, also what revealed a secret.
    pub(super) practice: bool,
    pub(super) key: MatchKey,
    pub(super) allowance: Duration,
}

/// What a typed line led to.
pub(super) enum Step {
    Moved,
    Again,
    Quit,
}

impl HumanGame {
    /// Starts a process for the referee, for the human player's view, and for every other seat.
    pub(super) fn start(
        launcher: &Launcher,
        engine: &Specification,
        options: &HumanOptions,
        seats: usize,
        player: usize,
    ) -> Result<Self> {
        let start = |label: &str| -> Result<Client> {
            let mut client = launcher.start(engine, label, &[])?;
            client.new_game(None)?;
            Ok(client)
        };
        let mut others = Vec::new();
        for seat in 0..seats {
            let client =
                if seat == player { None } else { Some(start(&format!("p{}", seat + 1))?) };
            others.push(client);
        }
        let position = options.position.strip_prefix("position ").unwrap_or(&options.position);
        let (from, moves) = position.split_once(" moves ").unwrap_or((position, ""));
        let key = match options.seed {
            0 => MatchKey::from_system()?,
            seed => MatchKey::of_seed(seed),
        };
        let mut game = HumanGame {
            referee: start("referee")?,
            helper: start("helper")?,
            seats: others,
            player,
            go: format!("go movetime {}", options.movetime),
            start: from.to_owned(),
            tokens: moves.split_whitespace().map(str::to_owned).collect(),
            decisions: Vec::new(),
            practice: options.practice,
            key,
            allowance: Duration::from_millis(options.movetime) + GRACE,
        };
        if let Some(error) = game.refresh()? {
            bail!("--position: {error}");
        }
        Ok(game)
    }

    fn position_line(&self) -> String {
        let moves = if self.tokens.is_empty() { "" } else { " moves " };
        format!("position {}{moves}{}", self.start, self.tokens.join(" "))
    }

    /// Sends the game to the referee; returns its error, if it refuses.
    pub(super) fn refresh(&mut self) -> Result<Option<String>> {
        let line = format!("{}\n", self.position_line());
        Ok(self.referee.send_synced(&line)?.into_iter().next())
    }

    pub(super) fn query(&mut self, query: &str) -> Result<String> {
        match self.referee.query(query)? {
            Ok(answer) => Ok(answer),
            Err(error) => bail!("the referee answers 'query {query}' with: {error}"),
        }
    }

    /// Sends the helper what the human player may see.
    pub(super) fn update_helper(&mut self) -> Result<()> {
        let view = self.query(&format!("view p{}", self.player + 1))?;
        self.helper.send_synced(&format!("position {view}\n"))?;
        Ok(())
    }

    pub(super) fn draw(&mut self) -> Result<()> {
        self.update_helper()?;
        print("");
        for line in self.helper.lines("d")? {
            print(&line);
        }
        Ok(())
    }

    /// Ends all processes.
    pub(super) fn quit(self) {
        self.referee.quit();
        self.helper.quit();
        for client in self.seats.into_iter().flatten() {
            client.quit();
        }
    }

    /// Plays to the end of the game, or until the player leaves.
    pub(super) fn play(&mut self) -> Result<()> {
        print(&format!("You are p{}. Type a move, or help.", self.player + 1));
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
            if seat == self.player + 1 {
                match self.read_command()? {
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
        let first = places.get(self.player) == Some(&"1");
        let shared = places.iter().filter(|place| **place == "1").count() > 1;
        let verdict = match (first, shared) {
            (true, false) => "You win",
            (true, true) => "You share the first place",
            (false, _) => "You lose",
        };
        print(&format!("{verdict} ({reason}; {outcome})."));
        print(&self.position_line());
        Ok(())
    }

    fn throw(&mut self, thrower: &str) -> Result<()> {
        let seat = thrower.strip_prefix('p').and_then(|digits| digits.parse().ok()).unwrap_or(0);
        // By the number of tokens: what is taken back and played again throws the same.
        let seed = self.key.seed(Purpose::Throw, 1, seat, self.tokens.len() as u64);
        let token = self.query(&format!("throw {seed}"))?;
        // What another seat is dealt may be hidden from the human player: so print from the view.
        self.append(token)?;
        let shown = self.last_in_view()?;
        let who = if thrower.is_empty() { "Chance" } else { thrower };
        print(&shown.map_or(format!("{who} has thrown"), |token| format!("{who} throws {token}")));
        Ok(())
    }

    pub(super) fn append(&mut self, token: String) -> Result<()> {
        self.tokens.push(token);
        if let Some(error) = self.refresh()? {
            self.tokens.pop();
            self.refresh()?;
            bail!("{error}");
        }
        Ok(())
    }

    /// The last token as the human player may see it; `None` where a view is no list of moves.
    fn last_in_view(&mut self) -> Result<Option<String>> {
        let view = self.query(&format!("view p{}", self.player + 1))?;
        let moves = view.split_once(" moves ").map(|(_, moves)| moves);
        Ok(moves.and_then(|moves| moves.split_whitespace().last()).map(str::to_owned))
    }

    fn answer(&mut self, seat: usize) -> Result<()> {
        let view = self.query(&format!("view p{}", seat + 1))?;
        let Some(Some(client)) = self.seats.get_mut(seat) else {
            bail!("there is no engine in seat p{}", seat + 1)
        };
        let found = client.search(&format!("position {view}"), &self.go, self.allowance)?;
        if self.query(&format!("islegal {}", found.token))? != "true" {
            bail!("p{} plays {}, which is illegal", seat + 1, printable(&found.token, 40));
        }
        self.append(found.token)?;
        let shown = self.last_in_view()?;
        let who = format!("p{}", seat + 1);
        print(&shown.map_or(format!("{who} has played"), |token| format!("{who} plays {token}")));
        if self.query("turn")? == format!("p{}", self.player + 1) {
            self.draw()?;
        }
        Ok(())
    }
}
