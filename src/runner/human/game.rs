//! The game, and the processes that know it.

use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::adviser::Adviser;
use super::completion::following;
use super::course::Course;
use super::display::Display;
use super::editor::Editor;
use super::lists::Typed;
use super::loaded::Loaded;
use super::{HumanOptions, seat_indices};
use crate::picture::{self, TableSeat};
use crate::protocol::{Dialect, Outcome, PositionLine, seat_name};
use crate::runner::key::MatchKey;
use crate::runner::process::{
    Client, Clock, Launcher, Limits, RefereeAbilities, SearchResult, Specification, set_apart,
};
use crate::runner::referee::Referee;
use crate::runner::tournament::record::{Ending, Move};

/// How much longer than its time an engine may take before it is given up.
const GRACE: Duration = Duration::from_secs(60);

/// How long an engine without a limit of time may take.
const UNTIMED: Duration = Duration::from_secs(24 * 60 * 60);

/// The engine's program, and what it is started with.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) launcher: Launcher,
    pub(super) engine: Specification,
    /// The engine as the command line names it.
    pub(super) text: String,
    /// The rule options as the command line gives them.
    pub(super) rules: Vec<String>,
    /// Whether it prints the rules of its game.
    pub(super) has_rules_page: bool,
}

impl Program {
    fn start(&self, label: &str) -> Result<Client> {
        let mut client = self.launcher.start(&self.engine, label, &[])?;
        client.new_game(None)?;
        Ok(client)
    }

    /// Starts an engine that plays at a level, and differently in every game unless its seed is set.
    fn start_at(&self, level: u8, label: &str) -> Result<Client> {
        let mut engine = self.engine.clone();
        engine.options.push(("Level".into(), level.to_string()));
        if !engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("Seed")) {
            engine.options.push(("Seed".into(), "0".into()));
        }
        Program { engine, ..self.clone() }.start(label)
    }

    /// What `GAME rules` prints.
    pub(super) fn rules_page(&self) -> Option<String> {
        if !self.has_rules_page {
            return None;
        }
        let mut command = Command::new(&self.engine.program);
        command.args(&self.engine.arguments).arg("rules");
        let output =
            set_apart(&mut command).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let text = output.status.success().then_some(output.stdout)?;
        String::from_utf8(text).ok()
    }
}

/// Milliseconds for a move, if nothing else is said.
const MOVE_TIME: u64 = 1000;

/// The level against which people begin.
const FIRST_LEVEL: u8 = 3;

/// The options that say how strong an engine plays.
const STRENGTH: [&str; 4] = ["Level", "Player", "UCI_Elo", "UCI_LimitStrength"];

/// The level at which the engine is to play: what is asked for, else that of beginners, which is another
/// one where the person has the harder game, unless the command line says how it plays.
fn wanted_level(
    engine: &Specification,
    options: &HumanOptions,
    harder: Option<&TableSeat>,
) -> Option<u8> {
    let says_how = |(name, _): &(String, String)| {
        STRENGTH.iter().any(|strength| name.eq_ignore_ascii_case(strength))
    };
    let is_set = options.movetime.is_some()
        || engine.limits != Limits::default()
        || engine.options.iter().any(says_how);
    let usual = harder.map_or(FIRST_LEVEL, |seat| seat.even_level(FIRST_LEVEL));
    options.level.or((!is_set).then_some(usual))
}

/// The engines in their seats, the seats of people left empty.
pub(super) struct Opponents {
    clients: Vec<Option<Client>>,
    /// The clock of every seat at the start of the game.
    clocks: Vec<Clock>,
    dialect: Dialect,
    /// The level at which they play, where they have levels.
    pub(super) level: Option<u8>,
}

impl Opponents {
    /// Starts an engine for every seat that no person has.
    fn start(
        program: &Program,
        seats: usize,
        people: &[usize],
        options: &HumanOptions,
        level: Option<u8>,
    ) -> Result<Self> {
        let usual = Some(Duration::from_millis(options.movetime.unwrap_or(MOVE_TIME)));
        let limits = program.engine.limits.or(&Limits { move_time: usual, ..Limits::default() });
        let (mut clients, mut clocks) = (Vec::new(), Vec::new());
        for seat in 0..seats {
            let is_engine = !people.contains(&seat);
            let client = is_engine.then(|| match level {
                Some(level) => program.start_at(level, &seat_name(seat)),
                None => program.start(&seat_name(seat)),
            });
            let client = client.transpose()?;
            clients.push(client);
            clocks.push(Clock::new(if is_engine { limits.clone() } else { Limits::default() }));
        }
        Ok(Opponents { clients, clocks, dialect: program.engine.dialect, level })
    }

    /// The move of the engine in a seat after some moves.
    pub(super) fn search(
        &mut self,
        seat: usize,
        view: &PositionLine,
        moves: &[Move],
    ) -> Result<SearchResult> {
        let clocks = after(&self.clocks, moves);
        let (Some(Some(client)), Some(clock)) = (self.clients.get_mut(seat), clocks.get(seat))
        else {
            bail!("there is no engine in seat {}", seat_name(seat))
        };
        let allowance = clock.allowance().map_or(UNTIMED, |time| time + GRACE);
        let go = clock.go(&clocks, self.dialect, false);
        Ok(client.search(&format!("position {view}"), &go, allowance)?)
    }

    fn quit(self) {
        for client in self.clients.into_iter().flatten() {
            client.quit();
        }
    }
}

/// Clocks after some moves. What is taken back gives its time back.
fn after(clocks: &[Clock], moves: &[Move]) -> Vec<Clock> {
    let mut clocks = clocks.to_vec();
    for played in moves {
        let clock = played.seat.checked_sub(1).and_then(|seat| clocks.get_mut(seat));
        if let (Some(clock), Some(time)) = (clock, played.time()) {
            clock.spend(time);
        }
    }
    clocks
}

/// The words of `go` for a time in milliseconds, and how long until the engine is given up.
pub(super) fn limits(movetime: u64) -> (String, Duration) {
    (format!("go movetime {movetime}"), Duration::from_millis(movetime) + GRACE)
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
    pub(super) program: Program,
    pub(super) adviser: Adviser,
    pub(super) opponents: Opponents,
    /// The seats of people.
    pub(super) people: Vec<usize>,
    /// The person at the keyboard.
    pub(super) viewer: usize,
    /// Whether the seats see different things.
    pub(super) secrets: bool,
    pub(super) display: Display,
    pub(super) editor: Editor,
    pub(super) typed: Typed,
    /// The number of tokens when the board was last drawn.
    pub(super) drawn: Option<usize>,
    /// Milliseconds for a hint or a score.
    pub(super) movetime: u64,
    /// Whether everything may be taken back, also what revealed a secret.
    pub(super) practice: bool,
    pub(super) ended: Option<Ended>,
    /// Whether the result has been counted: what is undone and played again is not.
    pub(super) counted: bool,
    /// Whether the level of the engine makes up for the harder game of the person's seat.
    pub(super) evened: bool,
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
    pub(super) fn start(
        program: Program,
        abilities: RefereeAbilities,
        options: &HumanOptions,
        loaded: Loaded,
    ) -> Result<Self> {
        let (adviser, table) = Adviser::start(&program.launcher, &program.engine)?;
        let display = Display::new(&adviser, table, abilities.seats, options)?;
        let people = seat_indices(&options.seat, &display.names)?;
        let Some(&viewer) = people.first() else { bail!("--seat names no seat") };
        let key = match options.seed {
            0 => MatchKey::from_system()?,
            seed => MatchKey::of_seed(seed),
        };
        let following = adviser.has_pictures().then(|| following(adviser.clone()));
        let seats = abilities.seats;
        let mut client = program.launcher.start_referee(&program.engine, "referee", &[])?;
        client.new_game(None)?;
        let has_levels = client.has_option("Level");
        let referee = Referee::new(client, abilities);
        ensure!(
            has_levels || options.level.is_none(),
            "--level: {} has no option Level",
            program.engine.name
        );
        let harder = display.harder_seat(&people);
        let level = wanted_level(&program.engine, options, harder).filter(|_| has_levels);
        let evened = level.is_some() && options.level.is_none() && harder.is_some();
        let opponents = Opponents::start(&program, seats, &people, options, level)?;
        let source = if options.load.is_some() { "--load" } else { "--position" };
        let course = Course::begin(referee, loaded, key, &people).context(source)?;
        let mut game = HumanGame {
            course,
            program,
            opponents,
            adviser,
            viewer,
            secrets: false,
            editor: Editor::new(following),
            typed: Typed::default(),
            movetime: options.movetime.unwrap_or(MOVE_TIME),
            drawn: None,
            practice: options.practice,
            ended: None,
            counted: options.load.is_some(),
            evened,
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
        // After the end all papers lie open.
        let view = match self.ended {
            Some(_) => self.course.whole(),
            None => self.view(self.viewer)?,
        };
        self.adviser.see(&view)
    }

    /// What the person at the keyboard may choose now, of an engine that tells it.
    pub(super) fn choices_now(&mut self) -> Result<Option<picture::Step>> {
        self.update_adviser()?;
        self.adviser.step(&[])
    }

    /// The name of a seat for people.
    pub(super) fn name(&self, seat: usize) -> String {
        self.display.name(seat)
    }

    /// Ends all processes.
    pub(super) fn quit(self) {
        self.course.referee.quit();
        // The editor holds the adviser too.
        drop(self.editor);
        self.adviser.quit();
        self.opponents.quit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engine in seat 2 has a clock, the person in seat 1 none, whatever the records say.
    #[test]
    fn the_clock_of_an_engine_runs_during_its_moves_alone() {
        let mut limits = Limits::default();
        limits.set("tc", "10+1").unwrap();
        let clocks = [Limits::default(), limits].map(Clock::new);
        let played = |seat, ms| Move { seat, ms, ..Move::default() };
        let moves =
            [played(1, Some(9e3)), played(2, Some(2.5e3)), played(0, None), played(2, None)];
        let go = |count: usize| {
            after(&clocks, &moves[..count])[1].go(
                &after(&clocks, &moves[..count]),
                Dialect::Ugi,
                false,
            )
        };
        assert_eq!(go(1), "go p2time 11000 p2inc 1000");
        assert_eq!(go(4), "go p2time 9500 p2inc 1000");
        for absurd in [-1.0, 1e300, f64::NAN] {
            after(&clocks, &[played(2, Some(absurd))]);
        }
    }
}
