//! `parlor learn`: the course of a game at the terminal, step by step.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, FromArgMatches};

use super::display::say;
use super::game::HumanGame;
use super::lists::Typed;
use super::loaded::Loaded;
use super::progress::Progress;
use super::{Colors, HumanOptions, examine};
use crate::picture::{Lesson, LessonStep, Place};
use crate::printing::{print, printable};
use crate::protocol::{PositionLine, seat_index};
use crate::runner::process::{Specification, interrupt};
use crate::runner::tournament::record::Move;

pub(in crate::runner) const EXAMPLES: &str = "\
Examples:
  parlor learn barca
  parlor learn pacru --lesson 2

Go on with the first step that you have not done. What you did is kept in
parlor/progress.json under XDG_STATE_HOME (~/.local/state).";

const COMMANDS: &str = "\
Type the move that does what the step asks for, as in parlor play.
  hint        help with this step;  ?  all that you can do
  skip        the next step;  back  the one before
  lessons     the list of lessons;  lesson 2  begins that one
  board       draws the position again;  legend  explains it;  rules  the rules
  quit";

/// What is said after a wrong move where the step says nothing.
const WRONG: &str = "That is not it. Try again, or type hint.";

/// Learn a game, step by step.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct LearnOptions {
    /// The engine of the game: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// The lesson to begin with, by its number
    #[arg(long, value_name = "N")]
    lesson: Option<usize>,
    /// Colours; auto: at a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = Colors::Auto, value_name = "WHEN")]
    color: Colors,
    /// Draw with ASCII alone [default: where the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
}

/// Teaches a game.
///
/// # Errors
/// When the engine does not start, fails or has no course, or when the progress cannot be kept.
pub(in crate::runner) fn run(options: &LearnOptions, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    options.color.choose();
    let mut teacher = Teacher::start(options, built_in)?;
    let result = teacher.teach(options.lesson);
    teacher.game.quit();
    result.map(|()| ExitCode::SUCCESS)
}

/// Where a line at a step leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Onward {
    /// The step is done.
    Done,
    Skip,
    Back,
    Lesson(usize),
    Quit,
}

/// A person, a course, and the position of a step as the game in progress.
struct Teacher<'a> {
    game: HumanGame,
    lessons: Vec<Lesson>,
    progress: Progress,
    /// The rule options of the game in progress.
    rules: BTreeMap<String, String>,
    options: &'a LearnOptions,
    built_in: &'a [&'a str],
}

impl<'a> Teacher<'a> {
    fn start(options: &'a LearnOptions, built_in: &'a [&'a str]) -> Result<Self> {
        let rules = BTreeMap::new();
        let game = start_game(options, &rules, built_in)?;
        let course = game.adviser.lessons()?;
        let mut lessons = course.map(|course| course.lessons).unwrap_or_default();
        lessons.retain(|lesson| !lesson.steps.is_empty());
        ensure!(!lessons.is_empty(), "{} has no lessons", options.engine);
        let progress = Progress::read(&game.program.engine.name)?;
        Ok(Teacher { game, lessons, progress, rules, options, built_in })
    }

    /// Goes through the course from a lesson on, or from the first step that is not done.
    fn teach(&mut self, lesson: Option<usize>) -> Result<()> {
        let title = self.game.display.title();
        let title = title.unwrap_or_else(|| self.game.program.engine.name.clone());
        say(&format!("{title}, step by step. Type help for what you can type."));
        self.list();
        let open = |teacher: &Self, at: &usize| {
            let lesson = &teacher.lessons[*at];
            teacher.progress.of(&lesson.id) < lesson.steps.len()
        };
        let first = (0..self.lessons.len()).find(|at| open(self, at)).unwrap_or(0);
        let (mut at, mut step) = match lesson {
            Some(number) => (self.numbered(number).context("--lesson")?, 0),
            None => (first, self.done(first) % self.lessons[first].steps.len()),
        };
        while at < self.lessons.len() {
            let steps = self.lessons[at].steps.len();
            match self.take(at, step)? {
                Onward::Quit => return Ok(()),
                Onward::Lesson(other) => (at, step) = (other, 0),
                Onward::Back if step > 0 => step -= 1,
                Onward::Back if at > 0 => {
                    at -= 1;
                    step = self.lessons[at].steps.len() - 1;
                }
                Onward::Back => print("This is the first step."),
                onward => {
                    if onward == Onward::Done {
                        self.progress.reach(&self.lessons[at].id, step + 1)?;
                    }
                    step += 1;
                    if step == steps {
                        (at, step) = (at + 1, 0);
                    }
                }
            }
        }
        say(&format!("That was the last step. Now play: parlor play {}", self.options.engine));
        Ok(())
    }

    /// How many steps of a lesson are done.
    fn done(&self, at: usize) -> usize {
        let lesson = &self.lessons[at];
        self.progress.of(&lesson.id).min(lesson.steps.len())
    }

    fn list(&self) {
        for (at, lesson) in self.lessons.iter().enumerate() {
            let (done, steps) = (self.done(at), lesson.steps.len());
            let state =
                if done == steps { "done".to_owned() } else { format!("{done} of {steps}") };
            print(&format!("  {:>2}  {:<40}  {state}", at + 1, printable(&lesson.title, 40)));
        }
    }

    /// The index of a lesson by its number.
    fn numbered(&self, number: usize) -> Result<usize> {
        let count = self.lessons.len();
        ensure!((1..=count).contains(&number), "there are lessons 1 to {count}, not {number}");
        Ok(number - 1)
    }

    /// One step, until it is done or left.
    fn take(&mut self, at: usize, number: usize) -> Result<Onward> {
        let lesson = &self.lessons[at];
        let step = lesson.steps[number].clone();
        let heading = format!(
            "Lesson {}: {}. Step {} of {}.",
            at + 1,
            printable(&lesson.title, 60),
            number + 1,
            lesson.steps.len()
        );
        self.stand(&step.place)?;
        self.game.draw()?;
        say(&heading);
        self.tell(&step);
        let mut solution = step.solution.as_ref();
        loop {
            let token = match self.read(&step)? {
                Read::Onward(onward) => return Ok(onward),
                Read::Enter if solution.is_none() => return Ok(Onward::Done),
                Read::Enter => continue,
                Read::Token(token) => token,
            };
            let Some(right) = solution else {
                print("There is nothing to do here. Enter goes on.");
                continue;
            };
            if !right.accept.contains(&token) {
                let no = step.no.as_ref().and_then(|no| no.after(&token));
                say(no.unwrap_or(WRONG));
                continue;
            }
            let Some((reply, next)) = right.replies.first() else {
                say(step.yes.as_deref().unwrap_or("Right."));
                return Ok(Onward::Done);
            };
            self.answer(token, reply)?;
            solution = Some(next);
        }
    }

    /// What is to be read, and what is pointed out.
    fn tell(&self, step: &LessonStep) {
        say(&self.game.display.named(&step.text));
        let arrows = step.arrows.iter().map(|[from, to]| format!("{from} to {to}"));
        let pointed: Vec<String> = step.marks.iter().cloned().chain(arrows).collect();
        if !pointed.is_empty() {
            say(&format!("Marked: {}.", pointed.join(", ")));
        }
        if step.solution.is_none() {
            print("Enter goes on.");
        }
    }

    /// Stands at the position of a step.
    fn stand(&mut self, place: &Place) -> Result<()> {
        if place.rules != self.rules {
            let game = start_game(self.options, &place.rules, self.built_in)?;
            std::mem::replace(&mut self.game, game).quit();
            self.rules.clone_from(&place.rules);
        }
        let line = PositionLine::read(&place.position).context("a step without a position")?;
        let Loaded { start, moves, .. } =
            Loaded::position(line.as_str(), self.game.program.engine.clone());
        let game = &mut self.game;
        let seat = seat_index(&place.seat, game.display.names.len());
        let seat = seat.context("a step of a seat that there is not")?;
        game.course.start = start;
        game.course.moves = moves;
        game.course.look_back(game.course.moves.len())?;
        ensure!(game.course.decider() == Some(seat), "a step in which {} decides not", place.seat);
        game.people = vec![seat];
        game.viewer = seat;
        game.typed = Typed::default();
        game.display.forget();
        game.display.turn_board(&[seat]);
        Ok(())
    }

    /// Plays the right move and the reply, and draws.
    fn answer(&mut self, token: String, reply: &str) -> Result<()> {
        for token in [token, reply.to_owned()] {
            let decider = self.game.course.decider();
            if let Some(seat) = decider.filter(|seat| *seat != self.game.viewer) {
                self.game.display.played(seat, Some(&token), None);
            }
            self.game.course.append(Move { token, ..Move::default() })?;
        }
        self.game.typed = Typed::default();
        self.game.draw()?;
        say("Right. Go on.");
        Ok(())
    }

    /// Reads lines until one leads on or is a legal move.
    fn read(&mut self, step: &LessonStep) -> Result<Read> {
        loop {
            if self.game.editor.is_terminal() {
                let candidates = self.game.candidates()?;
                self.game.editor.offer(candidates);
            }
            let prompt = format!("{}> ", self.game.name(self.game.viewer));
            let game = &mut self.game;
            let Some(line) = game.editor.read_on(&prompt, &mut game.typed.begun) else {
                return Ok(Read::Onward(Onward::Quit));
            };
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                [] if game.typed.begun.is_empty() => return Ok(Read::Enter),
                [] => {
                    let begun = game.typed.begun.clone();
                    game.follows(&begun)?;
                }
                ["quit" | "exit"] => return Ok(Read::Onward(Onward::Quit)),
                ["skip" | "next"] => return Ok(Read::Onward(Onward::Skip)),
                ["back"] => return Ok(Read::Onward(Onward::Back)),
                ["lessons"] => self.list(),
                ["lesson", number] => {
                    match number.parse().map_err(Into::into).and_then(|n| self.numbered(n)) {
                        Ok(at) => return Ok(Read::Onward(Onward::Lesson(at))),
                        Err(error) => say(&format!("lesson {number}: {error}.")),
                    }
                }
                ["help"] => print(COMMANDS),
                ["hint"] => say(step.hint.as_deref().unwrap_or("There is no hint here.")),
                ["?" | "list", ref rest @ ..] => {
                    let rest: Vec<String> = rest.iter().map(|word| (*word).to_owned()).collect();
                    game.choices(&rest)?;
                }
                ["rules" | "legend" | "board" | "d" | "flip"] | ["card" | "about", _] => {
                    game.common_command(&words)?;
                }
                _ => {
                    if let Some(token) = game.understand(&words)? {
                        game.typed.played();
                        return Ok(Read::Token(token));
                    }
                }
            }
        }
    }
}

/// What was typed at a step.
enum Read {
    Onward(Onward),
    /// An empty line.
    Enter,
    /// A legal move.
    Token(String),
}

/// A game without engines in its seats.
fn start_game(
    options: &LearnOptions,
    rules: &BTreeMap<String, String>,
    built_in: &[&str],
) -> Result<HumanGame> {
    let mut words = vec!["play", "--seat", "all"];
    words.extend(options.ascii.then_some("--ascii"));
    let own = HumanOptions::augment_args(clap::Command::new("play"));
    let own = HumanOptions::from_arg_matches(&own.try_get_matches_from(words)?)?;
    let rules = rules.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let engine = Specification::parse(&options.engine, None, built_in)?;
    let loaded = Loaded::position("startpos", engine.clone());
    let (program, abilities) = examine(engine, options.engine.clone(), rules, built_in)?;
    HumanGame::start(program, abilities, &own, loaded)
}
