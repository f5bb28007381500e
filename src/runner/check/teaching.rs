//! Steps about extension 3: lessons and puzzles that a client can show and judge without knowing the
//! rules.

use super::pictures::read;
use super::session::{CheckSession, best_token, is_best_move};
use super::{Checker, Findings};
use crate::picture::{Lessons, MAX_BYTES, Place, Puzzle, Puzzles, Solution, Wrong};
use crate::printing::printable;
use crate::protocol::PositionLine;

/// Characters of a text.
const LONGEST: usize = 200;

/// Puzzles of a page, and how many of all are looked at.
const PAGE: usize = 20;
const STRIDE: usize = 10;

/// The most single legal moves that are played at the end of a line.
const FORCED: usize = 8;

/// What a deeper search may spend on the end of a line.
const NODES: u64 = 100_000;

/// An engine that stands at the places of lessons and puzzles.
struct Board<'a> {
    checker: &'a Checker,
    session: CheckSession,
    /// The place that the session has the rules of.
    rules: Option<Place>,
}

impl<'a> Board<'a> {
    fn new(checker: &'a Checker) -> Result<Self, String> {
        Ok(Board { checker, session: start(checker)?, rules: None })
    }

    /// Loads a place. Other rules need another process: nothing sets an option back.
    fn load(&mut self, place: &Place) -> Result<PositionLine, String> {
        if self.rules.as_ref().is_none_or(|old| old.rules != place.rules) {
            self.session = start(self.checker)?;
            for (name, value) in &place.rules {
                self.send(&format!("setoption name {name} value {value}\n"))?;
            }
            self.rules = Some(place.clone());
        }
        let line = PositionLine::read(&place.position)
            .ok_or_else(|| format!("no position: '{}'", printable(&place.position, 60)))?;
        self.stand(&line)?;
        let turn = self.session.answer("turn")?;
        match turn == place.seat {
            true => Ok(line),
            false => Err(format!("the turn is {turn}, not {}", printable(&place.seat, 20))),
        }
    }

    /// Sends a line that must not be answered.
    fn send(&mut self, line: &str) -> Result<(), String> {
        match self.session.exchange(line)?.first() {
            None => Ok(()),
            Some(answer) => Err(format!(
                "'{}' is answered by '{}'",
                printable(line.trim_end(), 80),
                printable(answer, 80)
            )),
        }
    }

    fn stand(&mut self, line: &PositionLine) -> Result<(), String> {
        self.send(&format!("position {}\n", line.as_str()))
    }

    /// Every token of a solution is legal where it stands; `end` looks at the ends of its lines.
    fn follow(
        &mut self,
        line: &PositionLine,
        solution: &Solution,
        end: &mut dyn FnMut(&mut CheckSession) -> Result<(), String>,
    ) -> Result<(), String> {
        if solution.accept.is_empty() {
            return Err(format!("after '{}' nothing is right", printable(line.as_str(), 80)));
        }
        for token in &solution.accept {
            self.stand(line)?;
            self.expect_legal(token)?;
            let after = line.with(token);
            if solution.replies.is_empty() {
                self.stand(&after)?;
                end(&mut self.session)?;
            }
            for (reply, next) in &solution.replies {
                self.stand(&after)?;
                self.expect_legal(reply)?;
                self.follow(&after.with(reply), next, end)?;
            }
        }
        Ok(())
    }

    fn expect_legal(&mut self, token: &str) -> Result<(), String> {
        match self.session.answer(&format!("islegal {token}"))?.as_str() {
            "true" => Ok(()),
            _ => Err(format!("{} is not legal where it stands", printable(token, 40))),
        }
    }
}

/// A process with its options at their defaults: places say which differ.
fn start(checker: &Checker) -> Result<CheckSession, String> {
    CheckSession::start(&checker.launch, checker.patience)
}

/// What is wrong with a text that people read.
fn check_text(text: &str) -> Result<(), String> {
    let shown = printable(text, 40);
    if text.is_empty() || text.chars().count() >= LONGEST {
        return Err(format!("'{shown}' is empty or has {LONGEST} characters or more"));
    }
    match text.chars().find(|c| c.is_control() || "<>*`_#".contains(*c)) {
        Some(c) => Err(format!("'{shown}' has a '{}': texts are plain", c.escape_debug())),
        None => Ok(()),
    }
}

/// Lessons load, their tasks can be done and done wrong.
pub(super) fn lessons(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut board = Board::new(checker)?;
    let answer = board.session.query("lessons")?;
    if answer.starts_with("error unknown-query") {
        return Ok(());
    }
    if answer.len() > MAX_BYTES {
        findings.push(format!("the lessons have {} bytes", answer.len()));
    }
    for lesson in read::<Lessons>("lessons", &answer)?.lessons {
        for (number, step) in lesson.steps.iter().enumerate() {
            let mut look = || {
                let wrong: Vec<(&str, &str)> = match &step.no {
                    None => Vec::new(),
                    Some(Wrong::Any(text)) => vec![("", text)],
                    Some(Wrong::Each(texts)) => {
                        texts.iter().map(|(token, text)| (token.as_str(), text.as_str())).collect()
                    }
                };
                let texts = [Some(&step.text), step.hint.as_ref(), step.yes.as_ref()];
                texts.into_iter().flatten().try_for_each(|text| check_text(text))?;
                wrong.iter().try_for_each(|(_, text)| check_text(text))?;
                let line = board.load(&step.place)?;
                let Some(solution) = &step.solution else { return Ok(()) };
                for (token, _) in wrong.iter().filter(|(token, _)| !token.is_empty()) {
                    board.expect_legal(token)?;
                    if solution.accept.iter().any(|right| right == token) {
                        return Err(format!("{} is right and wrong", printable(token, 40)));
                    }
                }
                board.follow(&line, solution, &mut |_| Ok(()))
            };
            if let Err(why) = look() {
                let id = printable(&lesson.id, 40);
                findings.push(format!("lesson {id}, step {}: {why}", number + 1));
            }
        }
    }
    Ok(())
}

/// Every tenth puzzle: its lines are legal, and those that should win do.
pub(super) fn puzzles(checker: &Checker, findings: &mut Findings) -> Result<(), String> {
    let mut board = Board::new(checker)?;
    let mut from = 0;
    let mut easiest = 0;
    loop {
        let query = format!("puzzles {PAGE} {from}");
        let answer = board.session.query(&query)?;
        if answer.starts_with("error unknown-query") {
            return Ok(());
        }
        let page: Puzzles = read(&query, &answer)?;
        if answer.len() > MAX_BYTES || page.puzzles.is_empty() && from < page.count {
            let (bytes, count) = (answer.len(), page.puzzles.len());
            return Err(format!("'query {query}' has {count} puzzles of {bytes} bytes"));
        }
        for (at, puzzle) in page.puzzles.iter().enumerate() {
            if puzzle.rating < easiest {
                findings.push(format!("{}: easier than the one before", printable(&puzzle.id, 40)));
            }
            easiest = puzzle.rating;
            if (from + at).is_multiple_of(STRIDE)
                && let Err(why) = check_puzzle(&mut board, puzzle)
            {
                findings.push(format!("puzzle {}: {why}", printable(&puzzle.id, 40)));
            }
        }
        from += page.puzzles.len();
        if from >= page.count || findings.len() >= super::pictures::ENOUGH {
            return Ok(());
        }
    }
}

fn check_puzzle(board: &mut Board, puzzle: &Puzzle) -> Result<(), String> {
    check_text(&puzzle.text)?;
    let line = board.load(&puzzle.place)?;
    for token in puzzle.loss.keys() {
        board.expect_legal(token)?;
    }
    let must_win = puzzle.goal == "win";
    let seat = &puzzle.place.seat;
    board.follow(&line, &puzzle.solution, &mut |session| match must_win {
        true => expect_won(session, seat),
        false => Ok(()),
    })
}

/// The game is won for a seat, or a search says so. A single legal move may be answered without a
/// search: it is played first.
fn expect_won(session: &mut CheckSession, seat: &str) -> Result<(), String> {
    for _ in 0..FORCED {
        let legal = session.answer("legalmoves")?;
        let only = legal.split_whitespace().next().filter(|only| only.len() == legal.trim().len());
        match only {
            Some(only) if session.answer(&format!("islegal {only}"))? == "true" => {
                session.exchange(&format!("moves {only}\n"))?;
            }
            _ => break,
        }
    }
    let number: Option<usize> = seat.strip_prefix('p').and_then(|digits| digits.parse().ok());
    if session.answer("gameover")? == "true" {
        let outcome = session.answer("outcome")?;
        let place = outcome.split(' ').nth(number.unwrap_or(0));
        return match place {
            Some("1") => Ok(()),
            _ => Err(format!("a line ends in '{}'", printable(&outcome, 40))),
        };
    }
    let losing = session.answer("turn")? != seat;
    let is_proof = |line: &str| {
        let mate = line.split_once(" score mate ").filter(|_| !line.contains("bound "));
        mate.is_some_and(|(_, plies)| plies.starts_with('-') == losing)
    };
    session.send(&format!("go nodes {NODES}\n"))?;
    let lines = session.until("bestmove", |line| is_proof(line) || is_best_move(line))?;
    if lines.last().is_some_and(|line| is_proof(line)) {
        return session.search("stop\n").map(drop);
    }
    Err(format!("no win is seen at the end of a line, but {}", best_token(&lines)))
}
