//! The game, and the processes that know it.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::choices::Shortened;
use super::completion::following;
use super::display::Display;
use super::editor::Editor;
use super::saving::Loaded;
use super::{HumanOptions, seat_indices};
use crate::runner::key::MatchKey;
use crate::runner::process::{Client, Launcher, Specification};
use crate::runner::tournament::record::{Ending, Move, Origin};

/// How much longer than its time an engine may take before it is given up.
const GRACE: Duration = Duration::from_secs(60);
/// The option by which an engine plays as another player.
const PLAYER: &str = "Player";

/// What is known before the processes start.
pub(super) struct Setup<'a> {
    pub(super) launcher: &'a Launcher,
    pub(super) engine: &'a Specification,
    /// The engine as the command line names it.
    pub(super) engine_text: &'a str,
    /// The rule options as the command line gives them.
    pub(super) rules: &'a [String],
    /// Whether the engine's program prints the rules of its game.
    pub(super) has_rules_page: bool,
    pub(super) seats: usize,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// The place of each seat, from 1.
    pub(super) places: Vec<u32>,
    pub(super) reason: String,
    pub(super) ending: Ending,
}

/// A game between people and engines.
pub(super) struct HumanGame {
    /// Sees the whole position and says what the rules are.
    pub(super) referee: Client,
    /// Sees what the person at the keyboard may see: draws, lists moves, gives hints; completion
    /// asks it too.
    pub(super) helper: Rc<RefCell<Client>>,
    /// The engines in their seats, the seats of people left empty.
    pub(super) seats: Vec<Option<Client>>,
    /// The seats of people.
    pub(super) people: Vec<usize>,
    /// The person at the keyboard.
    pub(super) viewer: usize,
    /// Whether the seats see different things.
    pub(super) secrets: bool,
    pub(super) display: Display,
    pub(super) editor: Editor,
    pub(super) engine: Specification,
    pub(super) engine_text: String,
    pub(super) rules: Vec<String>,
    pub(super) has_rules_page: bool,
    pub(super) movetime: u64,
    pub(super) start: String,
    pub(super) moves: Vec<Move>,
    /// The number of tokens before each decision of a person.
    pub(super) decisions: Vec<usize>,
    /// The number of tokens when the board was last drawn.
    pub(super) drawn: Option<usize>,
    /// The words of a move that the person has begun and that the next line may complete.
    pub(super) begun: Vec<String>,
    /// The list that was shortened last, in the present position.
    pub(super) shortened: Option<Shortened>,
    /// The task of the choices at which the person passes without being asked.
    pub(super) skipped: Option<String>,
    /// Whether everything may be taken back, also what revealed a secret.
    pub(super) practice: bool,
    pub(super) centipawns: bool,
    pub(super) key: MatchKey,
    pub(super) ended: Option<Ended>,
}

/// The engine that gives hints: a weaker player is an opponent and no adviser.
fn adviser(engine: &Specification) -> Specification {
    let mut engine = engine.clone();
    engine.options.retain(|(name, _)| !name.eq_ignore_ascii_case(PLAYER));
    engine
}

/// What a typed line led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Moved,
    Again,
    Quit,
}

impl HumanGame {
    /// Starts a process for the referee, for the person's view, and for every engine's seat.
    pub(super) fn start(setup: &Setup, options: &HumanOptions, loaded: Loaded) -> Result<Self> {
        let start_as = |engine: &Specification, label: &str| -> Result<Client> {
            let mut client = setup.launcher.start(engine, label, &[])?;
            client.new_game(None)?;
            Ok(client)
        };
        let start = |label: &str| start_as(setup.engine, label);
        let mut helper = start_as(&adviser(setup.engine), "helper")?;
        let display = Display::new(&mut helper, setup.seats, options)?;
        let people = seat_indices(&options.seat, &display.names)?;
        let Some(&viewer) = people.first() else { bail!("--seat names no seat") };
        let seats = (0..setup.seats).map(|seat| match people.contains(&seat) {
            true => Ok(None),
            false => start(&format!("p{}", seat + 1)).map(Some),
        });
        let key = match options.seed {
            0 => MatchKey::from_system()?,
            seed => MatchKey::of_seed(seed),
        };
        let helper = Rc::new(RefCell::new(helper));
        let following = display.table.is_some().then(|| following(Rc::clone(&helper)));
        let mut game = HumanGame {
            referee: start("referee")?,
            seats: seats.collect::<Result<_>>()?,
            helper,
            viewer,
            secrets: false,
            editor: Editor::new(following),
            engine: setup.engine.clone(),
            engine_text: setup.engine_text.to_owned(),
            rules: setup.rules.to_vec(),
            has_rules_page: setup.has_rules_page,
            movetime: options.movetime,
            start: loaded.start,
            moves: loaded.moves,
            decisions: Vec::new(),
            drawn: None,
            begun: Vec::new(),
            shortened: None,
            skipped: None,
            practice: options.practice,
            centipawns: options.cp,
            key,
            ended: None,
            display,
            people,
        };
        if let Some(error) = game.refresh()? {
            bail!("{}: {error}", if options.load.is_some() { "--load" } else { "--position" });
        }
        // Tokens of a position line do not say who decided.
        if game.moves.iter().all(|played| played.seat == 0) {
            game.find_seats()?;
        }
        let own = |played: &Move| game.people.iter().any(|seat| played.seat == seat + 1);
        let moves = game.moves.iter().enumerate();
        game.decisions = moves
            .filter(|(_, played)| own(played) && played.from.is_none())
            .map(|(index, _)| index)
            .collect();
        let view = game.view(viewer)?;
        game.secrets = view.split_whitespace().any(|word| word == "view");
        game.display.turn_board(&game.people);
        Ok(game)
    }

    /// Asks the referee who decided each token.
    fn find_seats(&mut self) -> Result<()> {
        for count in 0..self.moves.len() {
            self.referee.send_synced(&format!("{}\n", self.position_line(count)))?;
            let turn = self.query("turn")?;
            if let Some(played) = self.moves.get_mut(count) {
                let seat = turn.rsplit('p').next().and_then(|digits| digits.parse().ok());
                played.seat = seat.unwrap_or(0);
                played.from = turn.starts_with("chance").then_some(Origin::Chance);
            }
        }
        self.refresh().map(drop)
    }

    /// The line of the position after so many tokens.
    pub(super) fn position_line(&self, count: usize) -> String {
        let tokens: Vec<&str> = self.moves.iter().take(count).map(|m| m.token.as_str()).collect();
        let moves = if tokens.is_empty() { "" } else { " moves " };
        format!("position {}{moves}{}", self.start, tokens.join(" "))
    }

    /// Sends the game to the referee; returns its error, if it refuses.
    pub(super) fn refresh(&mut self) -> Result<Option<String>> {
        let line = format!("{}\n", self.position_line(self.moves.len()));
        Ok(self.referee.send_synced(&line)?.into_iter().next())
    }

    /// One query to the referee.
    pub(super) fn query(&mut self, query: &str) -> Result<String> {
        match self.referee.query(query)? {
            Ok(answer) => Ok(answer),
            Err(error) => bail!("the referee answers 'query {query}' with: {error}"),
        }
    }

    /// What a seat may see, as the argument of `position`.
    pub(super) fn view(&mut self, seat: usize) -> Result<String> {
        self.query(&format!("view p{}", seat + 1))
    }

    /// Sends the helper what the person at the keyboard may see.
    pub(super) fn update_helper(&mut self) -> Result<()> {
        let view = self.view(self.viewer)?;
        self.helper.borrow_mut().send_synced(&format!("position {view}\n"))?;
        Ok(())
    }

    /// Adds a token to the game.
    pub(super) fn append(&mut self, played: Move) -> Result<()> {
        self.moves.push(played);
        if let Some(error) = self.refresh()? {
            self.moves.pop();
            self.refresh()?;
            bail!("{error}");
        }
        Ok(())
    }

    /// The seat that decides, and nothing at a chance node or after the end.
    pub(super) fn decider(&mut self) -> Result<Option<usize>> {
        let turn = self.query("turn")?;
        let number = turn.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
        Ok(number.and_then(|number| number.checked_sub(1)))
    }

    /// How long an engine thinks, and how long until it is given up.
    pub(super) fn limits(&self, movetime: u64) -> (String, Duration) {
        (format!("go movetime {movetime}"), Duration::from_millis(movetime) + GRACE)
    }

    /// The name of a seat for people.
    pub(super) fn name(&self, seat: usize) -> String {
        self.display.names.get(seat).cloned().unwrap_or_else(|| format!("p{}", seat + 1))
    }

    /// Places from `rank 2 1 3`.
    pub(super) fn places(&mut self) -> Result<Vec<u32>> {
        let outcome = self.query("outcome")?;
        let places = outcome.split_whitespace().skip(1).map(str::parse).collect::<Result<_, _>>();
        places.with_context(|| format!("'query outcome' is answered by '{outcome}'"))
    }

    /// Ends all processes.
    pub(super) fn quit(self) {
        self.referee.quit();
        // The editor holds the helper too.
        drop(self.editor);
        if let Some(helper) = Rc::into_inner(self.helper) {
            helper.into_inner().quit();
        }
        for client in self.seats.into_iter().flatten() {
            client.quit();
        }
    }
}
