//! Wins in a few moves with one right beginning, and positions with one move that does not lose.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use anyhow::{Context, Result, ensure};
use indexmap::IndexMap;
use parlor::game::{OptionValues, Random, Seat, Situation, Turn};
use parlor::picture::{Puzzle, Solution};
use parlor::search::{Info, Score};

use super::rating::{nodes_to_find, rating, weakest_level};
use super::sources::{Strength, around, engine, lines, options, play};
use super::wins::{TooLarge, Wins, after};
use super::{Provable, is_one, length, place_of, stem, task};

/// Own moves of a win.
pub const LEAST: u32 = 2;
const MOST: u32 = 6;

/// How many times longer searches and proofs are where only longer wins are wanted.
const PATIENCE: u64 = 20;

/// Positions of a proof that is checked again.
const CHECKING: u64 = 400_000_000;

/// Nodes of the search that looks for positions.
const LOOK: u64 = 3_000;

/// The fewest moves of a position.
const CHOICE: usize = 5;

/// Positions of a proof without the moves of kinds, and own moves of a win that is so found, where
/// shorter wins will do.
const PLAIN: u64 = 20_000;
const PLAIN_MOST: u32 = 4;

/// Moves after which a puzzle is looked for by its proof alone.
const BESIDE: usize = 16;

/// Replies that are tried as the first of a solution.
const TRIED: usize = 12;

/// Replies that are kept after the first move of a solution, and after later ones.
const WIDTH: [usize; 2] = [2, 1];

/// The most moves that are right at a point of a solution.
const RIGHT: usize = 60;

const NUMBERS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];

/// The right beginning of a puzzle, and what follows.
struct Found<M> {
    /// One move, or several that differ in what they gain alone.
    first: Vec<M>,
    solution: Solution,
    themes: Vec<String>,
    text: String,
    goal: &'static str,
}

/// What is looked for, and how long.
struct Hunt {
    options: OptionValues,
    /// The fewest own moves of a win. Above [`LEAST`] nothing but wins is wanted.
    least: u32,
    /// Nodes of a search that looks for positions.
    look: u64,
    /// Positions of a proof, and of one without the moves of kinds.
    proof: u64,
    plain: u64,
}

/// Puzzles of one game after the other, one of a game: those of a line are alike.
pub fn source<G: Provable>(seed: u64, least: u32) -> Result<impl FnMut(u64) -> Vec<Puzzle>> {
    let options = options::<G>(G::RULES)?;
    let times = if least > LEAST { PATIENCE } else { 1 };
    let (look, proof, plain) = (times * LOOK, times * G::SEEKING, times * PLAIN);
    let hunt = Hunt { options: options.clone(), least, look, proof, plain };
    let mut player = engine::<G>(&options);
    Ok(move |game| {
        let mut found = None;
        let mut visit = |situation: &Situation<G>| {
            if situation.position().is_near_end() {
                let has_kinds = situation.position().without_kinds().is_some();
                let aside = if has_kinds { vec![situation.clone()] } else { around(situation) };
                found = aside.iter().find_map(|situation| {
                    let position = situation.position();
                    let seat = chooser(position)?;
                    let lines = lines(&mut *player, situation, hunt.look, 2);
                    hunt.puzzle(position, seat, &lines)
                });
                if has_kinds && found.is_none() {
                    found = hunt.beside(situation.position());
                }
            }
            found.is_none()
        };
        // The rules of the options were accepted before.
        let _ = play(&options, (seed, game), Strength::Weak, &mut visit);
        found.into_iter().collect()
    })
}

/// The seat that decides, if it may choose and does not win at once.
fn chooser<G: Provable>(position: &G) -> Option<Seat> {
    let seat = position.turn().seat().filter(|seat| position.winning_move(*seat).is_none())?;
    let stems: HashSet<String> = position.main_moves().iter().map(|m| stem(position, m)).collect();
    (stems.len() >= CHOICE).then_some(seat)
}

impl Hunt {
    fn puzzle<G: Provable>(
        &self,
        position: &G,
        seat: Seat,
        lines: &[Info<G::Move>],
    ) -> Option<Puzzle> {
        let [best, second, ..] = lines else { return None };
        let found = match (best.score, second.score) {
            (Score::Mate(plies), other) if plies > 0 => {
                let own = (plies as u32).div_ceil(2);
                let same = stem(position, &best.pv[0]) == stem(position, &second.pv[0]);
                let unique =
                    same || !matches!(other, Score::Mate(other) if other > 0 && other <= plies);
                let wanted = (self.least..=MOST).contains(&own) && unique;
                wanted.then(|| self.win(position, seat, own, self.proof)).and_then(Result::ok)?
            }
            (best, Score::Mate(loss)) if loss < 0 && !matches!(best, Score::Mate(_)) => {
                self.escape(position, seat, self.proof).ok()?
            }
            _ => None,
        }?;
        finished(position, seat, found, &self.options)
    }

    /// A puzzle after one of some moves, found by its proof instead of a search: in a game whose moves
    /// have kinds that is quicker.
    fn beside<G: Provable>(&self, position: &G) -> Option<Puzzle> {
        let mut random = Random::new(position.key());
        let mut moves = position.main_moves();
        moves.retain(|m| !position.is_of_kind(m));
        (0..BESIDE.min(moves.len())).find_map(|_| {
            let m = moves.swap_remove(random.below(moves.len() as u64) as usize);
            let next = after(position, &m);
            let seat = chooser(&next)?;
            let found = self
                .quickly(&next, |next, nodes| self.win(next, seat, PLAIN_MOST, nodes))
                .or_else(|| self.quickly(&next, |next, nodes| self.escape(next, seat, nodes)))?;
            finished(&next, seat, found, &self.options)
        })
    }

    /// A proof of a position whose moves have kinds, first sought without these.
    fn quickly<G: Provable, F>(
        &self,
        position: &G,
        prove: impl Fn(&G, u64) -> Result<Option<F>, TooLarge>,
    ) -> Option<F> {
        prove(&position.without_kinds()?, self.plain).ok()??;
        prove(position, self.proof).ok()?
    }

    /// A win of enough own moves, at most so many.
    fn win<G: Provable>(
        &self,
        position: &G,
        seat: Seat,
        most: u32,
        nodes: u64,
    ) -> Result<Option<Found<G::Move>>, TooLarge> {
        win(position, seat, self.least..=most, nodes)
    }

    /// The one move that does not lose, where such are wanted.
    fn escape<G: Provable>(
        &self,
        position: &G,
        seat: Seat,
        nodes: u64,
    ) -> Result<Option<Found<G::Move>>, TooLarge> {
        if self.least > LEAST { Ok(None) } else { escape(position, seat, nodes) }
    }
}

fn finished<G: Provable>(
    position: &G,
    seat: Seat,
    found: Found<G::Move>,
    options: &OptionValues,
) -> Option<Puzzle> {
    let is_right = |m: &G::Move| found.first.contains(m);
    let nodes = nodes_to_find(position, options, &is_right);
    Some(Puzzle {
        id: String::new(),
        place: place_of(position, seat),
        text: found.text,
        solution: found.solution,
        goal: found.goal.into(),
        rating: rating(nodes),
        level: weakest_level(position, options, &is_right).ok()?,
        nodes,
        themes: found.themes,
        loss: std::collections::BTreeMap::new(),
    })
}

/// The only move that wins in a number of own moves, where none wins sooner.
fn win<G: Provable>(
    position: &G,
    seat: Seat,
    wanted: RangeInclusive<u32>,
    nodes: u64,
) -> Result<Option<Found<G::Move>>, TooLarge> {
    let mut wins = Wins::<G>::new(seat, nodes);
    let mut own = 1;
    while !wins.holds(position, own)? {
        own += 1;
        if own > *wanted.end() {
            return Ok(None);
        }
    }
    if !wanted.contains(&own) {
        return Ok(None);
    }
    // A second right move spoils a puzzle: most are refused by the first that is found.
    let wanted = |moves: &[G::Move]| moves.len() <= RIGHT && is_one(position, moves);
    let first = wins.winners(position, own - 1, wanted)?;
    let Some(m) = first.first().filter(|_| wanted(&first)) else { return Ok(None) };
    let solution = line(&mut wins, position, &first, own, 0)?;
    if widest(&solution) > RIGHT {
        return Ok(None);
    }
    let mut themes = vec![format!("win in {own}")];
    themes.extend(position.theme(m).map(str::to_owned));
    if is_double(position, m, seat) {
        themes.push("double threat".into());
    }
    let text = task(&format!("Win in {} moves.", NUMBERS[own as usize]), first.len());
    Ok(Some(Found { first, solution, themes, text, goal: "win" }))
}

/// Whether two replies to a move leave wins at once, but no common one.
fn is_double<G: Provable>(position: &G, first: &G::Move, seat: Seat) -> bool {
    let next = after(position, first);
    let mut common: Option<Vec<G::Move>> = None;
    for reply in next.main_moves() {
        let answered = after(&next, &reply);
        if answered.turn() != Turn::Seat(seat) || answered.winning_move(seat).is_none() {
            return false;
        }
        let wins = |m: &G::Move| {
            after(&answered, m).outcome().is_some_and(|result| result.share(seat) == 1.0)
        };
        match &mut common {
            Some(common) => common.retain(|m| answered.is_legal(m) && wins(m)),
            None => common = Some(answered.moves().into_iter().filter(wins).collect()),
        }
    }
    common.is_some_and(|common| common.is_empty())
}

/// What is right from here on, and the replies that last longest. Where several moves are right but
/// none ends the game, the line ends: a reply must follow each.
fn line<G: Provable>(
    wins: &mut Wins<G>,
    position: &G,
    winners: &[G::Move],
    own: u32,
    ply: usize,
) -> Result<Solution, TooLarge> {
    let mut solution = Solution {
        accept: winners.iter().map(|m| position.token(m)).collect(),
        replies: IndexMap::new(),
    };
    solution.accept.sort();
    let [m] = winners else { return Ok(solution) };
    let next = after(position, m);
    if own == 1 || next.outcome().is_some() {
        return Ok(solution);
    }
    let mut longest = Vec::new();
    for reply in next.main_moves() {
        let answered = after(&next, &reply);
        if answered.outcome().is_none() && !wins.holds(&answered, own.saturating_sub(2))? {
            longest.push((next.token(&reply), answered));
        }
        if longest.len() == TRIED {
            break;
        }
    }
    let mut children = Vec::new();
    for (token, answered) in longest {
        let winners = wins.winners(&answered, own - 2, |moves| moves.len() <= RIGHT)?;
        children.push((token, line(wins, &answered, &winners, own - 1, ply + 1)?));
    }
    // First the lines that go on longest with one right move.
    children.sort_by_key(|(_, child)| (std::cmp::Reverse(length(child)), child.accept.len()));
    let mut kept: Vec<&Solution> = Vec::new();
    for (token, child) in &children {
        if kept.len() < WIDTH[ply.min(1)] && kept.iter().all(|old| old.accept != child.accept) {
            solution.replies.insert(token.clone(), child.clone());
            kept.push(child);
        }
    }
    Ok(solution)
}

/// The most moves that are right at one of the points of a solution.
fn widest(solution: &Solution) -> usize {
    solution.replies.values().map(widest).max().unwrap_or(0).max(solution.accept.len())
}

/// The only move after which the other does not win within [`Provable::LOST_IN`] moves.
fn escape<G: Provable>(
    position: &G,
    seat: Seat,
    nodes: u64,
) -> Result<Option<Found<G::Move>>, TooLarge> {
    let other = Seat::new(1 - seat.index());
    let mut wins = Wins::<G>::new(other, nodes);
    let mut safe = Vec::new();
    for m in position.main_moves() {
        if let Some(m) = wins.survivor(position, &m, G::LOST_IN)? {
            safe.push(m);
        }
        // Of a kind there are more.
        let is_paid = safe.last().is_some_and(|m| position.is_of_kind(m));
        if is_paid || !is_one(position, &safe) {
            return Ok(None);
        }
    }
    let Some(m) = safe.first() else { return Ok(None) };
    let mut accept: Vec<String> = safe.iter().map(|m| position.token(m)).collect();
    accept.sort();
    let solution = Solution { accept, replies: IndexMap::new() };
    let mut themes = vec!["escape".to_owned()];
    themes.extend(position.theme(m).map(str::to_owned));
    let text = match G::LOST_IN {
        1 => "All moves but one let the other side win at once. Find the one.",
        _ => "All moves but one lose within two moves of the other side. Find the one.",
    };
    let text = task(text, safe.len());
    Ok(Some(Found { first: safe, solution, themes, text, goal: "escape" }))
}

/// Proves a puzzle again: nothing of its making is believed.
pub fn check<G: Provable>(position: &G, puzzle: &Puzzle) -> Result<()> {
    let seat = Seat::parse(&puzzle.place.seat).context("a seat")?;
    let found = match puzzle.themes.first().and_then(|theme| theme.strip_prefix("win in ")) {
        Some(own) => {
            let own = own.parse()?;
            win(position, seat, own..=own, CHECKING)?
        }
        None => escape(position, seat, CHECKING)?,
    };
    let found = found.context("it has not one solution")?;
    ensure!(found.text == puzzle.text, "its task is: {}", found.text);
    ensure!(found.themes == puzzle.themes, "its themes are {}", found.themes.join(", "));
    ensure!(found.solution == puzzle.solution, "its solution is {:?}", found.solution);
    Ok(())
}
