//! The game, and the processes that know it.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::adviser::Adviser;
use super::completion::following;
use super::course::Course;
use super::display::Display;
use super::editor::Editor;
use super::lists::Shortened;
use super::loaded::Loaded;
use super::{HumanOptions, seat_indices};
use crate::protocol::{Outcome, PositionLine, seat_name};
use crate::runner::key::MatchKey;
use crate::runner::process::{Client, Launcher, RefereeAbilities, Specification};
use crate::runner::referee::Referee;
use crate::runner::tournament::record::Ending;

/// How much longer than its time an engine may take before it is given up.
const GRACE: Duration = Duration::from_secs(60);

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
    /// What the engine can be asked.
    pub(super) abilities: RefereeAbilities,
}

/// How a game ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) outcome: Outcome,
    pub(super) ending: Ending,
}

/// A game between people and engines.
pub(super) struct HumanGame {
    pub(super) course: Course,
    pub(super) adviser: Adviser,
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
        let start = |label: &str| -> Result<Client> {
            let mut client = setup.launcher.start(setup.engine, label, &[])?;
            client.new_game(None)?;
            Ok(client)
        };
        let seats = setup.abilities.seats;
        let (adviser, table) = Adviser::start(setup.launcher, setup.engine)?;
        let display = Display::new(&adviser, table, seats, options)?;
        let people = seat_indices(&options.seat, &display.names)?;
        let Some(&viewer) = people.first() else { bail!("--seat names no seat") };
        let key = match options.seed {
            0 => MatchKey::from_system()?,
            seed => MatchKey::of_seed(seed),
        };
        let following = adviser.has_pictures().then(|| following(adviser.clone()));
        let referee = Referee::new(start("referee")?, setup.abilities);
        let seats = (0..seats).map(|seat| match people.contains(&seat) {
            true => Ok(None),
            false => start(&seat_name(seat)).map(Some),
        });
        let seats = seats.collect::<Result<_>>()?;
        let source = if options.load.is_some() { "--load" } else { "--position" };
        let course = Course::begin(referee, loaded, &people).context(source)?;
        let mut game = HumanGame {
            course,
            seats,
            adviser,
            viewer,
            secrets: false,
            editor: Editor::new(following),
            engine: setup.engine.clone(),
            engine_text: setup.engine_text.to_owned(),
            rules: setup.rules.to_vec(),
            has_rules_page: setup.has_rules_page,
            movetime: options.movetime,
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
        game.secrets = game.view(viewer)?.is_view();
        game.display.turn_board(&game.people);
        Ok(game)
    }

    /// What a seat may see.
    pub(super) fn view(&mut self, seat: usize) -> Result<PositionLine> {
        Ok(self.course.referee.view(seat)?)
    }

    /// Shows the adviser what the person at the keyboard may see.
    pub(super) fn update_adviser(&mut self) -> Result<()> {
        let view = self.view(self.viewer)?;
        self.adviser.see(&view)
    }

    /// How long an engine thinks, and how long until it is given up.
    pub(super) fn limits(&self, movetime: u64) -> (String, Duration) {
        (format!("go movetime {movetime}"), Duration::from_millis(movetime) + GRACE)
    }

    /// The name of a seat for people.
    pub(super) fn name(&self, seat: usize) -> String {
        self.display.names.get(seat).cloned().unwrap_or_else(|| seat_name(seat))
    }

    /// Ends all processes.
    pub(super) fn quit(self) {
        self.course.referee.quit();
        // The editor holds the adviser too.
        drop(self.editor);
        self.adviser.quit();
        for client in self.seats.into_iter().flatten() {
            client.quit();
        }
    }
}
