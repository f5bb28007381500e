//! `parlor puzzle`: positions with one right answer at the terminal, and a rating that moves.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;

use super::display::{Display, say};
use super::progress::{Progress, PuzzleProgress};
use super::pupil::{Pupil, PupilOptions, Read};
use crate::picture::{Puzzle, Solution};
use crate::printing::{print, printable};
use crate::protocol::PositionLine;
use crate::runner::process::interrupt;
use crate::statistics::score_of_elo;

pub(in crate::runner) const EXAMPLES: &str = "\
Examples:
  parlor puzzle barca
  parlor puzzle chowka-bhara --easiest

A puzzle near your rating comes first; the rating rises with every puzzle that you
solve at once and falls with every other. What you solved is kept in
parlor/progress.json under XDG_STATE_HOME (~/.local/state).";

const COMMANDS: &str = "\
Type the right move, as in parlor play.
  hint        what the puzzle is about, then how its answer begins
  solution    the answer;  skip  another puzzle
  ?           all that you can do
  board       draws the position again;  legend  explains it;  rules  the rules
  quit";

/// What else may be typed: told with the first puzzle.
const FIRST_WORDS: &str = "Or: hint, solution, ?, skip, rules, help, quit.";

/// What the answer to a wrong move may take.
const THINKING: (&str, Duration) = ("go nodes 20000", Duration::from_secs(60));

/// Solve puzzles of a game.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct PuzzleOptions {
    #[command(flatten)]
    pupil: PupilOptions,
    /// The easiest one that you have not solved, instead of one near your rating
    #[arg(long)]
    easiest: bool,
}

/// Asks puzzles until the person leaves or all are solved.
///
/// # Errors
/// When the engine does not start, fails or has no puzzles, or when the progress cannot be kept.
pub(in crate::runner) fn run(options: &PuzzleOptions, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    options.pupil.color.choose();
    let mut solver = Solver::start(options, built_in)?;
    let result = solver.solve_all();
    solver.pupil.game.quit();
    result.map(|()| ExitCode::SUCCESS)
}

/// A word that may be typed at a puzzle.
enum Word {
    Hint,
    Solution,
    Skip,
    Help,
}

/// How a puzzle was left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Solved,
    Another,
    Quit,
}

/// A person, and the puzzles of a game.
struct Solver<'a> {
    pupil: Pupil<'a>,
    puzzles: Vec<Puzzle>,
    progress: Progress,
    easiest: bool,
    /// Those that were left in this run: they come again in the next.
    left: BTreeSet<String>,
}

impl<'a> Solver<'a> {
    fn start(options: &'a PuzzleOptions, built_in: &'a [&'a str]) -> Result<Self> {
        let pupil = Pupil::start(&options.pupil, built_in)?;
        let puzzles = pupil.game.adviser.puzzles()?;
        ensure!(!puzzles.is_empty(), "{} has no puzzles", options.pupil.engine);
        let progress = Progress::read(&pupil.game.program.engine.name)?;
        let (easiest, left) = (options.easiest, BTreeSet::new());
        Ok(Solver { pupil, puzzles, progress, easiest, left })
    }

    fn solve_all(&mut self) -> Result<()> {
        let title = self.pupil.title();
        let kept = self.progress.puzzles();
        say(&format!(
            "{title}: {} puzzles, {} solved. Your rating is {}.",
            self.puzzles.len(),
            kept.solved.len(),
            kept.rating
        ));
        while let Some(at) = self.next() {
            let puzzle = self.puzzles[at].clone();
            match self.ask(&puzzle)? {
                Left::Quit => return Ok(()),
                Left::Solved => {}
                Left::Another => {
                    self.left.insert(puzzle.id);
                }
            }
        }
        say("There is no puzzle left for now.");
        Ok(())
    }

    /// The puzzle to be asked now.
    fn next(&self) -> Option<usize> {
        let kept = self.progress.puzzles();
        let open = |id: &String| !kept.solved.contains(id) && !self.left.contains(id);
        let distance = |puzzle: &Puzzle| match self.easiest {
            true => puzzle.rating,
            false => puzzle.rating.abs_diff(kept.rating),
        };
        let open = self.puzzles.iter().enumerate().filter(|(_, puzzle)| open(&puzzle.id));
        open.min_by_key(|(_, puzzle)| distance(puzzle)).map(|(at, _)| at)
    }

    /// One puzzle, until it is solved or left.
    fn ask(&mut self, puzzle: &Puzzle) -> Result<Left> {
        let task = format!("{} ({})", puzzle.text, puzzle.rating);
        self.pupil.stand(&puzzle.place, std::slice::from_ref(&task))?;
        self.tell_card(puzzle, &task)?;
        self.pupil.offer(FIRST_WORDS);
        let (mut solution, mut hints, mut counted) = (&puzzle.solution, 0, false);
        loop {
            let token = match self.pupil.read(word)? {
                Read::End => return Ok(Left::Quit),
                Read::Enter => continue,
                Read::Word(Word::Help) => {
                    print(COMMANDS);
                    continue;
                }
                Read::Word(Word::Hint) => {
                    say(&hint(puzzle, solution, hints, &self.pupil.game.display));
                    hints += 1;
                    continue;
                }
                Read::Word(Word::Skip) => return Ok(Left::Another),
                Read::Word(Word::Solution) => {
                    self.count(puzzle, 0.0, &mut counted)?;
                    let right = solution.accept.iter();
                    let right: Vec<String> =
                        right.map(|token| self.pupil.game.display.words(token)).collect();
                    say(&format!("The answer is {}.", printable(&right.join(" or "), 70)));
                    return Ok(Left::Another);
                }
                Read::Token(token) => token,
            };
            if !solution.accept.contains(&token) {
                self.refute(puzzle, &token)?;
                self.count(puzzle, 0.0, &mut counted)?;
                continue;
            }
            let Some((reply, next)) = solution.replies.first() else {
                // Who took a hint has half of it.
                let score = if hints == 0 { 1.0 } else { 0.5 };
                self.count(puzzle, score, &mut counted)?;
                self.progress.solve(&puzzle.id)?;
                say(&self.praise(puzzle));
                return Ok(Left::Solved);
            };
            self.pupil.answer(token, reply)?;
            say("Right. Go on.");
            solution = next;
        }
    }

    /// Tells all that is known of the card that is to be guessed, which may be cut on the board, and
    /// the task below it.
    fn tell_card(&self, puzzle: &Puzzle, task: &str) -> Result<()> {
        let answer = puzzle.solution.accept.first().filter(|_| puzzle.goal == "word");
        let Some(answer) = answer else { return Ok(()) };
        let game = &self.pupil.game;
        let cards = game.adviser.cards()?;
        let is_asked = |id: &str| answer.split(':').any(|part| part == id);
        if let Some(card) = cards.iter().find(|card| is_asked(&card.id)) {
            game.display.about(card).iter().for_each(print);
            say(task);
        }
        Ok(())
    }

    /// The first result of a puzzle moves the rating.
    fn count(&mut self, puzzle: &Puzzle, score: f64, counted: &mut bool) -> Result<()> {
        if !std::mem::replace(counted, true) {
            self.progress.rate(puzzle.rating, score)?;
        }
        Ok(())
    }

    fn praise(&self, puzzle: &Puzzle) -> String {
        let level = match puzzle.level {
            10.. => String::new(),
            level => format!(" The engine finds it from level {level} on."),
        };
        format!("Solved.{level} Your rating is {} now.", self.progress.puzzles().rating)
    }

    /// Why a move is wrong: what it costs, or what the other answers.
    fn refute(&mut self, puzzle: &Puzzle, token: &str) -> Result<()> {
        let shown = self.pupil.game.display.words(token);
        if let Some(loss) = puzzle.loss.get(token) {
            let cost = match (puzzle.goal.as_str(), loss) {
                ("win", 1000..) => "loses".to_owned(),
                ("win", 500..) => "does not win, it draws at best".to_owned(),
                _ => format!("loses {} % of a game", f64::from(*loss) / 10.0),
            };
            say(&format!("{shown} {cost}. Try again."));
            return Ok(());
        }
        let course = &self.pupil.game.course;
        let so_far = course.moves.iter().map(|played| played.token.as_str());
        let line = PositionLine::new(&course.start, so_far.chain([token]));
        let answer = match puzzle.goal.as_str() {
            "win" | "escape" => self.pupil.game.adviser.search(&line, THINKING.0, THINKING.1).ok(),
            _ => None,
        };
        let token = answer.map(|answer| self.pupil.game.display.words(&answer.token));
        let token = token.filter(|token| !token.is_empty() && token != "0000");
        let why =
            token.map_or(String::new(), |token| format!(" The other side would answer {token}."));
        say(&format!("{shown} is not it.{why} Try again, or type hint or solution."));
        Ok(())
    }
}

fn word(words: &[&str]) -> Option<Word> {
    match words {
        ["hint"] => Some(Word::Hint),
        ["solution"] => Some(Word::Solution),
        ["skip" | "next"] => Some(Word::Skip),
        ["help"] => Some(Word::Help),
        _ => None,
    }
}

/// What the puzzle is about; asked again, how the answer begins.
fn hint(puzzle: &Puzzle, solution: &Solution, before: usize, display: &Display) -> String {
    // The task itself says in how many moves the win is.
    let themes = puzzle.themes.iter().filter(|theme| !theme.starts_with("win in "));
    let themes: Vec<&str> = themes.map(String::as_str).collect();
    if before == 0 && !themes.is_empty() {
        return format!("It is about: {}.", printable(&themes.join(", "), 70));
    }
    beginning(solution, display)
}

/// How the answer begins: a whole cell, and of a word the first letter.
pub(super) fn beginning(solution: &Solution, display: &Display) -> String {
    let answer = solution.accept.first().map_or("", String::as_str);
    let start = match answer.rsplit_once(':') {
        Some((before, word)) => {
            display.words(&format!("{before}:{}", word.chars().take(1).collect::<String>()))
        }
        None => {
            let beginnings = (1..=answer.len()).rev().filter_map(|length| answer.get(..length));
            let cell = beginnings.clone().find(|beginning| display.is_cell(beginning));
            cell.or(answer.get(..2)).unwrap_or(answer).to_owned()
        }
    };
    format!("The answer begins with {}.", printable(&start, 40))
}

/// How far one puzzle moves a rating: more while little is known of it.
const STEPS: [f64; 2] = [48.0, 24.0];

/// Puzzles after which a rating is known better.
const PROVISIONAL: u32 = 20;

impl PuzzleProgress {
    /// The Elo rating after a puzzle, as after a game against its rating.
    pub(super) fn rate(&mut self, rating: u32, score: f64) {
        let expected = score_of_elo(f64::from(self.rating) - f64::from(rating));
        let step = STEPS[usize::from(self.played >= PROVISIONAL)];
        let moved = f64::from(self.rating) + step * (score - expected);
        self.rating = moved.round().clamp(0.0, 9_999.0) as u32;
        self.played = self.played.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_tells_the_beginning_of_a_cell_or_of_a_word() {
        let hinted = |answer: &str, themes: &str, before| {
            let puzzle = format!(
                r#"{{"id":"a","position":"startpos","seat":"p1","text":"?","goal":"word","rating":1,
                "level":1,"nodes":1,"solution":{{"accept":["{answer}"]}},"themes":[{themes}]}}"#
            );
            let puzzle: Puzzle = serde_json::from_str(&puzzle).unwrap();
            hint(&puzzle, &puzzle.solution, before, &Display::of_seats(&["White", "Black"]))
        };
        assert_eq!(hinted("e2e4", "", 0), "The answer begins with e2.");
        assert_eq!(hinted("guess:a2:rook", "", 0), "The answer begins with guess a2 r.");
        assert_eq!(hinted("e2e4", r#""fear""#, 0), "It is about: fear.");
        assert_eq!(hinted("e2e4", r#""fear""#, 1), "The answer begins with e2.");
        assert_eq!(hinted("e2e4", r#""win in 3""#, 0), "The answer begins with e2.");
    }

    #[test]
    fn a_rating_moves_as_elo_does() {
        let mut progress = PuzzleProgress { rating: 1000, ..PuzzleProgress::default() };
        // Against an equal rating half a point is expected.
        progress.rate(1000, 1.0);
        assert_eq!((progress.rating, progress.played), (1024, 1));
        progress.played = 20;
        // 400 points above it one win in eleven is expected: 24 / 11 and 24 * 10 / 11 points.
        progress.rate(1424, 0.0);
        assert_eq!(progress.rating, 1022);
        progress.rate(1422, 1.0);
        assert_eq!(progress.rating, 1044);
        progress.rate(1044, 0.5);
        assert_eq!(progress.rating, 1044);
    }
}
