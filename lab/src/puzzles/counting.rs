//! The ends of games that are counted: one move wins, every other draws or loses, by a search to the
//! last move of the game.

use std::collections::{BTreeMap, HashMap, HashSet};

use anyhow::{Context, Result, ensure};
use indexmap::IndexMap;
use parlor::game::{OptionValues, Seat, Situation, Turn};
use parlor::picture::{Puzzle, Solution};
use parlor::search::{Info, Score};

use super::rating::{nodes_to_find, rating, weakest_level};
use super::sources::{Strength, engine, lines, options, play};
use super::wins::{Killers, TooLarge, after};
use super::{Provable, is_one, length, place_of, stem};

/// Positions of a proof, when one is sought and when it is checked again.
const SEEKING: usize = 1_000_000;
const CHECKING: usize = 40_000_000;

/// Nodes of the search that looks for positions.
const LOOK: u64 = 4_000;

/// Its lines: a move may have three twists.
const LINES: usize = 4;

/// The fewest moves of a position.
const CHOICE: usize = 4;

/// The fewest positions of a proof: less is seen at a glance.
const LEAST: usize = 100;

/// Replies that are kept after the first move of a solution.
const WIDTH: usize = 2;

/// What is known of the ends of games, for one seat.
struct Ends<G: Provable> {
    seat: Seat,
    /// By key: whether the seat wins with best play by both.
    known: HashMap<u64, bool>,
    /// The moves that decided last, by the seat to move: they are tried first.
    killers: [Killers<G::Move>; 2],
    most: usize,
}

impl<G: Provable> Ends<G> {
    fn new(seat: Seat, most: usize) -> Self {
        Ends { seat, known: HashMap::new(), killers: Default::default(), most }
    }

    /// Whether the seat wins with best play by both.
    fn wins(&mut self, position: &G) -> Result<bool, TooLarge> {
        if let Some(result) = position.outcome() {
            return Ok(result.share(self.seat) == 1.0);
        }
        if let Some(known) = self.known.get(&position.key()) {
            return Ok(*known);
        }
        if self.known.len() > self.most {
            return Err(TooLarge);
        }
        // The seat needs a move that wins, the other one that does not lose.
        let own = position.turn() == Turn::Seat(self.seat);
        let mut found = !own;
        for m in self.killers[usize::from(own)].ordered(position) {
            if self.wins(&after(position, &m))? == own {
                self.killers[usize::from(own)].note(m);
                found = own;
                break;
            }
        }
        self.known.insert(position.key(), found);
        Ok(found)
    }

    /// The moves that win for the seat.
    fn winners(&mut self, position: &G) -> Result<Vec<G::Move>, TooLarge> {
        let mut winners = Vec::new();
        for m in position.moves() {
            if self.wins(&after(position, &m))? {
                winners.push(m);
            }
        }
        Ok(winners)
    }

    /// What is right from here on. Where several moves are right the line ends.
    fn line(&mut self, position: &G, width: usize) -> Result<Solution, TooLarge> {
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
        children.sort_by_key(|(_, child)| (std::cmp::Reverse(length(child)), child.accept.len()));
        solution.replies.extend(children.into_iter().take(width));
        Ok(solution)
    }
}

/// Puzzles of one game after the other, one of a game.
pub fn source<G: Provable>(seed: u64) -> Result<impl FnMut(u64) -> Vec<Puzzle>> {
    let options = options::<G>(G::RULES)?;
    let mut look = engine::<G>(&options);
    Ok(move |game| {
        let mut found = None;
        let mut visit = |now: &Situation<G>| {
            let lines = lines(&mut *look, now, LOOK, LINES);
            let won = |line: &Info<G::Move>| matches!(line.score, Score::Mate(1..));
            let winning: Vec<G::Move> =
                lines.iter().filter(|line| won(line)).map(|line| line.pv[0].clone()).collect();
            if !winning.is_empty() && is_one(now.position(), &winning) {
                found = puzzle(now.position(), &options);
            }
            found.is_none()
        };
        // The rules of the options were accepted before.
        let _ = play(&options, (seed, game), Strength::Even, &mut visit);
        found.into_iter().collect()
    })
}

fn puzzle<G: Provable>(position: &G, options: &OptionValues) -> Option<Puzzle> {
    let seat = position.turn().seat()?;
    let mut ends = Ends::new(seat, SEEKING);
    let first = ends.winners(position).ok()?;
    let stems: HashSet<String> = position.moves().iter().map(|m| stem(position, m)).collect();
    let is_hard = ends.known.len() >= LEAST && stems.len() >= CHOICE;
    if first.is_empty() || !is_one(position, &first) || !is_hard {
        return None;
    }
    let solution = ends.line(position, WIDTH).ok()?;
    let is_right = |m: &G::Move| first.contains(m);
    let nodes = nodes_to_find(position, options, &is_right);
    Some(Puzzle {
        id: String::new(),
        place: place_of(position, seat),
        text: "Count the end: one move wins, all others do not.".into(),
        solution,
        goal: "win".into(),
        rating: rating(nodes),
        level: weakest_level(position, options, &is_right).ok()?,
        nodes,
        themes: vec!["count the end".into()],
        loss: BTreeMap::new(),
    })
}

/// Solves the end again.
pub fn check<G: Provable>(position: &G, puzzle: &Puzzle) -> Result<()> {
    let seat = Seat::parse(&puzzle.place.seat).context("a seat")?;
    let mut ends = Ends::new(seat, CHECKING);
    let solution = ends.line(position, WIDTH)?;
    ensure!(is_one(position, &ends.winners(position)?), "several moves win");
    ensure!(solution == puzzle.solution, "its solution is {solution:?}");
    Ok(())
}
