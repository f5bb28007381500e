//! `parlor learn`: the course of a game at the terminal, step by step.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::display::say;
use super::progress::Progress;
use super::pupil::{Pupil, PupilOptions, Read};
use super::puzzle::beginning;
use crate::picture::{Lesson, LessonStep};
use crate::printing::{print, printable};
use crate::runner::process::interrupt;

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

/// What else may be typed: told with the first step.
const FIRST_WORDS: &str = "Or: hint, ?, skip, back, lessons, rules, help, quit.";

/// What is said after a wrong move where the step says nothing.
const WRONG: &str = "That is not it. Try again, or type hint.";

/// Learn a game, step by step.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct LearnOptions {
    #[command(flatten)]
    pupil: PupilOptions,
    /// The lesson to begin with, by its number
    #[arg(long, value_name = "N")]
    lesson: Option<usize>,
}

/// Teaches a game.
///
/// # Errors
/// When the engine does not start, fails or has no course, or when the progress cannot be kept.
pub(in crate::runner) fn run(options: &LearnOptions, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    options.pupil.color.choose();
    let mut teacher = Teacher::start(options, built_in)?;
    let result = teacher.teach(options.lesson);
    teacher.pupil.game.quit();
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

/// A word that may be typed at a step.
enum Word {
    Onward(Onward),
    List,
    /// A lesson by its number.
    Lesson(usize),
    Help,
    Hint,
}

/// A person and a course.
struct Teacher<'a> {
    pupil: Pupil<'a>,
    lessons: Vec<Lesson>,
    progress: Progress,
}

impl<'a> Teacher<'a> {
    fn start(options: &'a LearnOptions, built_in: &'a [&'a str]) -> Result<Self> {
        let pupil = Pupil::start(&options.pupil, built_in)?;
        let course = pupil.game.adviser.lessons()?;
        let mut lessons = course.map(|course| course.lessons).unwrap_or_default();
        lessons.retain(|lesson| !lesson.steps.is_empty());
        ensure!(!lessons.is_empty(), "{} has no lessons", options.pupil.engine);
        let progress = Progress::read(&pupil.game.program.engine.name)?;
        Ok(Teacher { pupil, lessons, progress })
    }

    /// Goes through the course from a lesson on, or from the first step that is not done.
    fn teach(&mut self, lesson: Option<usize>) -> Result<()> {
        let title = self.pupil.title();
        say(&format!("{title}, step by step."));
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
        say(&format!(
            "That was the last step. Now play: parlor play {}",
            self.pupil.game.program.text
        ));
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
        self.pupil.stand(&step.place, &[heading.clone(), told(&step)])?;
        self.pupil.offer(FIRST_WORDS);
        if step.solution.is_none() {
            print("Enter goes on.");
        }
        let mut solution = step.solution.as_ref();
        let mut hint = step.hint.clone().unwrap_or_else(|| "There is no hint here.".into());
        loop {
            let token = match self.read(&hint)? {
                Read::Word(onward) => return Ok(onward),
                Read::End => return Ok(Onward::Quit),
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
            // What was pointed out was for the first move.
            self.pupil.tell(&[heading.clone(), step.text.clone()]);
            self.pupil.answer(token, reply)?;
            say("Right. Go on.");
            hint = beginning(next, &self.pupil.game.display);
            solution = Some(next);
        }
    }

    /// Reads lines until one leads on or is a legal move.
    fn read(&mut self, hint: &str) -> Result<Read<Onward>> {
        loop {
            let read = self.pupil.read(|words| match words {
                ["skip" | "next"] => Some(Word::Onward(Onward::Skip)),
                ["back"] => Some(Word::Onward(Onward::Back)),
                ["lessons"] => Some(Word::List),
                ["lesson", number] => Some(Word::Lesson(number.parse().unwrap_or(0))),
                ["help"] => Some(Word::Help),
                ["hint"] => Some(Word::Hint),
                _ => None,
            })?;
            match read {
                Read::Word(Word::Onward(onward)) => return Ok(Read::Word(onward)),
                Read::Word(Word::List) => self.list(),
                Read::Word(Word::Lesson(number)) => match self.numbered(number) {
                    Ok(at) => return Ok(Read::Word(Onward::Lesson(at))),
                    Err(error) => say(&format!("{error}.")),
                },
                Read::Word(Word::Help) => print(COMMANDS),
                Read::Word(Word::Hint) => say(hint),
                Read::Enter => return Ok(Read::Enter),
                Read::Token(token) => return Ok(Read::Token(token)),
                Read::End => return Ok(Read::End),
            }
        }
    }
}

/// What is to be read, and what is pointed out.
fn told(step: &LessonStep) -> String {
    let arrows = step.arrows.iter().map(|[from, to]| format!("{from} to {to}"));
    let pointed: Vec<String> = step.marks.iter().cloned().chain(arrows).collect();
    match pointed.is_empty() {
        true => step.text.clone(),
        false => format!("{} Marked: {}.", step.text, pointed.join(", ")),
    }
}
