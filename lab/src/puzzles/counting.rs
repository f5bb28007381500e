//! The ends of games that are counted: one move wins, every other draws or loses, by a search to the
//! last move of the game, which also says by how many markers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use anyhow::{Context, Result, ensure};
use indexmap::IndexMap;
use parlor::game::{Game, Notation, OptionValues, Rules, Seat, Situation, Turn};
use parlor::games::Playable;
use parlor::games::chevrons::Field;
use parlor::games::chevrons::filling::play::final_lead;
use parlor::games::chevrons::filling::{Kind, Move, Position};
use parlor::picture::{Puzzle, Solution};
use parlor::search::Score;

use super::rating::{nodes_to_find, rating, weakest_level};
use super::sources::{Strength, around, engine, lines, options, play};
use super::wins::{TooLarge, after};
use super::{Provable, is_one, length, place_of, stem, task};
use crate::filling::exact::Exact;

/// Positions of a proof, when one is sought and when it is checked again.
const SEEKING: u64 = 40_000;
const CHECKING: u64 = 40_000_000;

/// Neutral fields of a position: with fewer the answer is seen at a glance, more are not solved.
const NEUTRAL: std::ops::RangeInclusive<usize> = 4..=24;

/// Ends of a game of Shacru that are tried, and of those in a row that are not solved.
const TRIED: usize = 80;
const UNSOLVED: u32 = 12;

/// Positions that are visited to make an end close, and how far apart the bounds of its count are.
const CLOSING: u64 = 600;
const OPEN: std::ops::RangeInclusive<i32> = 1..=12;

/// Nodes of the search that looks for positions, and its lines: more than there are moves.
const LOOK: u64 = 3_000;
const LINES: usize = 200;

/// The fewest moves of a position.
const CHOICE: usize = 3;

/// Replies that are kept after the first move of a solution.
const WIDTH: usize = 2;

/// More than can be lost by.
const LOST: i64 = 82;

/// What a draw and a loss cost where a win was possible, in thousandths of a game.
const COSTS: [u32; 2] = [500, 1000];

/// The ends of a game, for one seat.
struct Ends {
    seat: Seat,
    exact: Exact,
}

impl Ends {
    /// Whether the seat leads by at least so many markers at the end.
    fn leads<K: Kind>(&mut self, position: &Position<K>, by: i64) -> Result<bool, TooLarge> {
        let known = match self.seat.index() {
            0 => self.exact.at_least(position, by),
            _ => self.exact.at_least(position, 1 - by).map(|other| !other),
        };
        known.ok_or(TooLarge)
    }

    /// By how many markers the seat leads at the end.
    fn lead<K: Kind>(&mut self, position: &Position<K>) -> Result<i64, TooLarge> {
        let lead = self.exact.final_lead(position).ok_or(TooLarge)?;
        Ok(if self.seat.index() == 0 { lead } else { -lead })
    }

    /// The moves that win for the seat.
    fn winners<K: Kind>(&mut self, position: &Position<K>) -> Result<Vec<Move>, TooLarge> {
        let mut winners = Vec::new();
        for m in position.moves() {
            if self.leads(&after(position, &m), 1)? {
                winners.push(m);
            }
        }
        Ok(winners)
    }

    /// What is right from here on. Where several moves are right the line ends.
    fn line<K: Kind>(
        &mut self,
        position: &Position<K>,
        width: usize,
    ) -> Result<Solution, TooLarge> {
        let winners = self.winners(position)?;
        let mut accept: Vec<String> = winners.iter().map(|m| position.token(m)).collect();
        accept.sort();
        let mut solution = Solution { accept, replies: IndexMap::new() };
        let [m] = &winners[..] else { return Ok(solution) };
        let next = after(position, m);
        if next.turn() == Turn::Seat(self.seat) || next.outcome().is_some() {
            return Ok(solution);
        }
        let mut children = Vec::new();
        for reply in next.moves() {
            let answered = after(&next, &reply);
            if answered.turn() == Turn::Seat(self.seat) {
                children.push((next.token(&reply), self.line(&answered, 1)?));
            }
        }
        // First the lines that go on longest with one right move.
        children.sort_by_key(|(_, child)| (Reverse(length(child)), child.accept.len()));
        solution.replies.extend(children.into_iter().take(width));
        Ok(solution)
    }

    /// The one answer to a position, if it has one.
    fn answer<K: Kind>(&mut self, position: &Position<K>) -> Result<Option<Answer>, TooLarge> {
        if !self.leads(position, 1)? {
            return Ok(None);
        }
        let mut right = Vec::new();
        for m in position.moves() {
            if self.leads(&after(position, &m), 1)? {
                right.push(m);
            }
            if !is_one(position, &right) {
                return Ok(None);
            }
        }
        let Some(first) = right.first() else { return Ok(None) };
        let mut lead = self.lead(&after(position, first))?;
        let (mut loss, mut others) = (BTreeMap::new(), -LOST);
        for m in position.moves() {
            let next = after(position, &m);
            if right.contains(&m) {
                lead = lead.max(self.lead(&next)?);
                continue;
            }
            let draws = self.leads(&next, 0)?;
            loss.insert(position.token(&m), COSTS[usize::from(!draws)]);
            if self.leads(&next, others + 1)? {
                others = self.lead(&next)?;
            }
        }
        let solution = self.line(position, WIDTH)?;
        let text = task(&text(lead, others), right.len());
        Ok(Some(Answer { right, solution, loss, text }))
    }
}

/// The moves that win, and what is told of them and of the others.
struct Answer {
    right: Vec<Move>,
    solution: Solution,
    loss: BTreeMap<String, u32>,
    text: String,
}

/// The task. `lead` is that after the right move, `others` the best after another.
fn text(lead: i64, others: i64) -> String {
    let markers = |count: i64| match count {
        1 => "1 marker".to_owned(),
        _ => format!("{count} markers"),
    };
    let rest = match others {
        0 => "no other does better than a draw".to_owned(),
        -1 => "all others lose".to_owned(),
        _ => format!("all others lose by {} or more", markers(-others)),
    };
    format!("Count the end: one move wins by {}, {rest}.", markers(lead))
}

/// Puzzles of one game after the other, one of a game.
pub fn source<K: Kind>(seed: u64) -> Result<impl FnMut(u64) -> Vec<Puzzle>> {
    let options = options::<Position<K>>(Position::<K>::RULES)?;
    let mut look = engine::<Position<K>>(&options);
    Ok(move |game| {
        let (mut found, mut ends) = (None, Vec::new());
        let mut visit = |now: &Situation<Position<K>>| {
            let position = now.position();
            let neutral = Field::all().filter(|field| position.marker(*field).is_none());
            // Where nobody gains, little changes from move to move.
            let is_end = position.idle() == 0 && NEUTRAL.contains(&neutral.count());
            if is_end && !K::POWER {
                ends.push(position.clone());
                ends.extend(position.moves().iter().map(|m| after(position, m)));
            } else if is_end {
                found = around(now).iter().find_map(|now| {
                    let lines = lines(&mut *look, now, LOOK, LINES);
                    let won = lines.iter().filter(|line| matches!(line.score, Score::Mate(1..)));
                    let won: Vec<Move> = won.map(|line| line.pv[0]).collect();
                    let position = now.position();
                    let is_wanted = !won.is_empty() && is_one(position, &won);
                    is_wanted.then(|| puzzle(position, &options)).flatten()
                });
            }
            found.is_none()
        };
        // The rules of the options were accepted before.
        let _ = play(&options, (seed, game), Strength::Even, &mut visit);
        found.or_else(|| puzzle(&hardest(&ends)?, &options)).into_iter().collect()
    })
}

/// Of the ends of a game of Shacru, made close, that which is hardest.
fn hardest<K: Kind>(ends: &[Position<K>]) -> Option<Position<K>> {
    let is_open = |end: &&Position<K>| {
        final_lead(*end).is_some_and(|lead| OPEN.contains(&(lead.end() - lead.start())))
    };
    let mut found: Option<Close<K>> = None;
    let mut unsolved = 0;
    for end in ends.iter().rev().filter(|end| has_choice(*end)).filter(is_open).take(TRIED) {
        let Ok(closed) = close(end) else {
            unsolved += 1;
            if unsolved == UNSOLVED {
                break;
            }
            continue;
        };
        unsolved = 0;
        let is_harder = |new: &Close<K>| found.as_ref().is_none_or(|old| new.effort >= old.effort);
        found = closed.filter(is_harder).or(found);
    }
    found.map(|found| found.position)
}

/// An end that was made close, and how hard it is: other moves that gain, positions of the proof.
struct Close<K> {
    position: Position<K>,
    effort: (usize, u64),
}

/// A position whose best move leads by more than all others, with so many markers of other colour that
/// it wins and no other does. Markers far from the neutral fields change.
fn close<K: Kind>(position: &Position<K>) -> Result<Option<Close<K>>, TooLarge> {
    let Some(seat) = position.turn().seat() else { return Ok(None) };
    let mut ends = Ends { seat, exact: Exact::bounded(CLOSING) };
    let lead = ends.lead(position)?;
    // A marker of other colour counts twice.
    let more = (2 - lead).div_euclid(2);
    let (mut right, mut gains) = (Vec::new(), 0);
    for m in position.moves() {
        if ends.leads(&after(position, &m), 1 - 2 * more)? {
            right.push(m);
        } else {
            gains += usize::from(position.is_noisy(&m));
        }
        if !is_one(position, &right) {
            return Ok(None);
        }
    }
    let effort = (gains.min(2), ends.exact.visited());
    Ok(painted(position, seat, more).map(|position| Close { position, effort }))
}

/// The position with so many more markers of a seat, or fewer.
fn painted<K: Kind>(position: &Position<K>, seat: Seat, more: i64) -> Option<Position<K>> {
    let old = if more > 0 { Seat::new(1 - seat.index()) } else { seat };
    let (neutral, mut quiet): (Vec<Field>, Vec<Field>) =
        Field::all().partition(|field| position.marker(*field).is_none());
    quiet.retain(|at| position.chevron(*at).is_none() && position.marker(*at) == Some(old));
    quiet.sort_by_key(|a| {
        let distance = |b: &Field| a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()));
        Reverse(neutral.iter().map(distance).min())
    });
    let fields = quiet.get(..more.unsigned_abs() as usize)?;
    let text = position.to_string();
    let (board, rest) = text.split_once(' ')?;
    let (mut painted, mut at, mut is_chevron) = (String::new(), 0, false);
    for c in board.chars() {
        let is_painted = fields.iter().any(|field| 9 * (8 - field.rank()) + field.file() == at);
        is_chevron = c == '[' || is_chevron && c != ']';
        painted.push(match c {
            'a' if is_painted => 'b',
            'b' if is_painted => 'a',
            _ => c,
        });
        at += match c.to_digit(10) {
            _ if is_chevron || c == '/' => 0,
            Some(neutral) => neutral as usize,
            None => 1,
        };
    }
    Position::parse(&format!("{painted} {rest}"), &Position::<K>::default_rules(), None).ok()
}

/// Whether there are enough moves.
fn has_choice<K: Kind>(position: &Position<K>) -> bool {
    let moves = position.moves();
    let stems: HashSet<String> = moves.iter().map(|m| stem(position, m)).collect();
    stems.len() >= CHOICE
}

fn puzzle<K: Kind>(position: &Position<K>, options: &OptionValues) -> Option<Puzzle> {
    let seat = position.turn().seat().filter(|_| has_choice(position))?;
    let answer = Ends { seat, exact: Exact::bounded(SEEKING) }.answer(position).ok()??;
    let is_right = |m: &Move| answer.right.contains(m);
    let nodes = nodes_to_find(position, options, &is_right);
    Some(Puzzle {
        id: String::new(),
        place: place_of(position, seat),
        text: answer.text,
        solution: answer.solution,
        goal: "win".into(),
        rating: rating(nodes),
        level: weakest_level(position, options, &is_right).ok()?,
        nodes,
        themes: vec!["count the end".into()],
        loss: answer.loss,
    })
}

/// Solves the end again.
pub fn check<K: Kind>(position: &Position<K>, puzzle: &Puzzle) -> Result<()> {
    let seat = Seat::parse(&puzzle.place.seat).context("a seat")?;
    let answer = Ends { seat, exact: Exact::bounded(CHECKING) }
        .answer(position)?
        .context("it has not one answer")?;
    ensure!(answer.solution == puzzle.solution, "its solution is {:?}", answer.solution);
    ensure!(answer.loss == puzzle.loss, "the others cost {:?}", answer.loss);
    ensure!(answer.text == puzzle.text, "its task is: {}", answer.text);
    Ok(())
}
