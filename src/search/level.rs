//! Play below full strength, for people.
//!
//! A player of a limited strength errs as people err. It sees less far: its nodes are few. It values
//! less exactly: noise is added to the value of every move, drawn once for a position of a game. It
//! overlooks moves, quiet ones more often than noisy ones. From some level on it is careful: it
//! neither leaves a win at hand nor walks into a loss at hand. Nothing depends on time, so a strength
//! is the same on every machine.

use std::ops::ControlFlow;

use super::control::Limits;
use super::player::{Choice, Info, Player, Report, Request, Score};
use crate::game::{Game, MoveListing, Random, Seat, Situation, Turn, splitmix64};

/// The level of the whole engine; below it are levels 1 to 9.
pub const FULL_LEVEL: usize = 10;

/// From this level on wins and losses in one move are seen.
const CAREFUL: usize = 3;

/// From this level on wins and losses in two moves are seen, in games of two seats.
const VERY_CAREFUL: usize = 5;

/// How often a quiet and a noisy move are overlooked at strength 0.
const OVERLOOKED: [f64; 2] = [0.4, 0.1];

/// The plies of an opening, and the least scale of the noise there: games of one strength begin in
/// several ways.
const OPENING: usize = 6;
const VARIETY: f64 = 8.0;

/// The fewest nodes that a move gets. A move whose value takes more is overlooked.
const NODES_PER_MOVE: u64 = 8;

/// What bounds the values that noise is added to.
const CLEAR: f64 = 3000.0;

/// The levels of a game: a few numbers, fitted by `parlor-lab levels`.
#[derive(Debug)]
pub struct Ladder {
    /// The scale of the noise at strength 0, in hundredths of a unit of evaluation.
    pub noise: f64,
    /// The nodes at strength 1000, more than one. Below it their logarithm falls in proportion, but
    /// every move has its few.
    pub nodes: f64,
    /// The strengths of levels 1 to 9, from 0 to 1000, rising.
    pub strengths: [u16; FULL_LEVEL - 1],
    /// Their Elo, rising, where it was measured. Random play has Elo 0.
    pub elo: Option<[u16; FULL_LEVEL - 1]>,
}

/// How strong a player is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// From 0 to 1.
    share: f64,
    /// How many own moves ahead it is careful; a fraction is the share of positions in which it is so
    /// one move further.
    care: f64,
}

impl Strength {
    /// A strength from 0 to 1 with the care of a level.
    #[must_use]
    pub fn new(share: f64, level: usize) -> Self {
        Strength { share, care: care(level) }
    }
}

/// How many own moves ahead a level is careful.
fn care(level: usize) -> f64 {
    f64::from(u8::from(level >= CAREFUL) + u8::from(level >= VERY_CAREFUL))
}

impl Ladder {
    /// The strength of a level; `None` for that of the whole engine.
    #[must_use]
    pub fn level(&self, level: usize) -> Option<Strength> {
        let strength = self.strengths.get(level.checked_sub(1)?)?;
        Some(Strength::new(f64::from(*strength) / 1000.0, level))
    }

    /// The strength of an Elo within that of the levels: between the strengths of two levels. `None`
    /// where no Elo was measured.
    #[must_use]
    pub fn at_elo(&self, elo: u16) -> Option<Strength> {
        let elos = self.elo?;
        let above = elos.iter().position(|known| *known > elo);
        let at = above.unwrap_or(elos.len() - 1).max(1);
        let step = f64::from(elos[at] - elos[at - 1]).max(1.0);
        let part = ((f64::from(elo) - f64::from(elos[at - 1])) / step).clamp(0.0, 1.0);
        let between = |low: f64, high: f64| low + part * (high - low);
        let [low, high] = [self.strengths[at - 1], self.strengths[at]].map(f64::from);
        Some(Strength { share: between(low, high) / 1000.0, care: between(care(at), care(at + 1)) })
    }
}

/// A player that plays below the strength of another.
pub struct LevelPlayer<G: Game> {
    inner: Box<dyn Player<G>>,
    ladder: &'static Ladder,
    strength: Strength,
    seed: u64,
    kinds: MoveKinds<G>,
}

/// Calls a function with moves of a position, until it breaks.
pub type Visits<G> =
    fn(&G, &mut dyn FnMut(<G as Game>::Move) -> ControlFlow<()>) -> ControlFlow<()>;

/// What a game says of its moves to a player below full strength.
#[derive(Clone, Copy, Debug)]
pub struct MoveKinds<G: Game> {
    /// Whether a move is noisy: it is seen before quiet ones.
    pub is_noisy: fn(&G, &G::Move) -> bool,
    /// All moves that may win at once, with or without others.
    pub possible_wins: Visits<G>,
    /// All moves after which the mover may win with its next move whatever the others do, with or
    /// without others.
    pub attacks: Visits<G>,
    /// All moves after which the next seat may not win at once, with or without others.
    pub defences: Visits<G>,
}

/// A root move with its value, noise included.
struct Candidate<M> {
    value: f64,
    info: Info<M>,
}

impl<G: Game> LevelPlayer<G> {
    /// A player below the strength of `inner`, which reports as many lines as it is asked for. Its
    /// errors follow from the seed.
    #[must_use]
    pub fn new(
        inner: Box<dyn Player<G>>,
        ladder: &'static Ladder,
        strength: Strength,
        seed: u64,
        kinds: MoveKinds<G>,
    ) -> Self {
        LevelPlayer { inner, ladder, strength, seed, kinds }
    }

    /// The last line of every move by a search of the nodes of the strength.
    fn lines(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
    ) -> Vec<Info<G::Move>> {
        // With fewer nodes hardly a move would have a value.
        let moves = situation.position().count_moves();
        let most = self.ladder.nodes.powf(self.strength.share).round() as u64;
        let fewest = (NODES_PER_MOVE * moves).min(self.ladder.nodes as u64);
        let most = most.max(fewest);
        let nodes = request.limits.nodes.map_or(most, |nodes| nodes.min(most));
        let request = Request {
            limits: Limits { nodes: Some(nodes), ..request.limits.clone() },
            multi_pv: usize::MAX,
            ..request.clone()
        };
        let mut lines: Vec<Info<G::Move>> = Vec::new();
        self.inner.choose(situation, &request, &mut |report| {
            let Report::Info(info) = report else { return };
            let Some(first) = info.pv.first() else { return };
            match lines.iter_mut().find(|line| line.pv.first() == Some(first)) {
                Some(line) => *line = info,
                None => lines.push(info),
            }
        });
        lines
    }

    /// The moves as this player values them, the best first. One that is overlooked comes last.
    fn candidates(
        &self,
        situation: &Situation<G>,
        lines: Vec<Info<G::Move>>,
    ) -> Vec<Candidate<G::Move>> {
        let position = situation.position();
        let weakness = 1.0 - self.strength.share;
        let rate = weakness * weakness;
        let is_opening = situation.history().keys().len() <= OPENING;
        let usual = rate * self.ladder.noise;
        let scale = |score: Score| match score {
            Score::Cp(_) if is_opening => usual.max(VARIETY),
            _ => usual,
        };
        let judge = |info: Info<G::Move>| {
            let m = &info.pv[0];
            let mut next = position.clone();
            next.play(m);
            let mut random = Random::new(self.seed ^ next.key());
            let is_overlooked = probability(&mut random)
                < rate * OVERLOOKED[usize::from((self.kinds.is_noisy)(position, m))];
            let noise = gumbel(&mut random);
            let penalty = if is_overlooked { 4.0 * CLEAR } else { 0.0 };
            let value = hundredths(info.score) + scale(info.score) * noise - penalty;
            Candidate { value, info }
        };
        let mut candidates: Vec<_> = lines.into_iter().map(judge).collect();
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates
    }

    /// Own moves that the player looks ahead for wins and losses.
    fn reach(&self, position: &G) -> u32 {
        let mut random = Random::new(splitmix64(self.seed) ^ position.key());
        let is_further = probability(&mut random) < self.strength.care.fract();
        let care = self.strength.care as u32 + u32::from(is_further);
        // With more seats a win in two moves is nobody's to force.
        if position.seats() == 2 { care } else { care.min(1) }
    }

    /// Whether a move loses by force within so many moves of the next seat.
    fn loses(&self, situation: &Situation<G>, seat: Seat, m: &G::Move, moves: u32) -> bool {
        let mut next = situation.clone();
        next.play(m);
        match next.turn() {
            Turn::Seat(other) if other != seat => {
                self.forced_win(next.position(), other, moves, &|_| true).is_some()
            }
            _ => next.outcome().is_some_and(|result| result.share(seat) == 0.0),
        }
    }

    /// A move that wins for the seat to move at once.
    fn win_at_once(
        &self,
        position: &G,
        seat: Seat,
        allows: &dyn Fn(&G::Move) -> bool,
    ) -> Option<G::Move> {
        first_visited(self.kinds.possible_wins, position, |m| {
            allows(m) && is_won(&after(position, m), seat)
        })
    }

    /// A move that wins for the seat to move within one or two of its moves, whatever the others do.
    fn forced_win(
        &self,
        position: &G,
        seat: Seat,
        own_moves: u32,
        allows: &dyn Fn(&G::Move) -> bool,
    ) -> Option<G::Move> {
        let at_once = self.win_at_once(position, seat, allows);
        if at_once.is_some() || own_moves < 2 {
            return at_once;
        }
        let holds = |next: &G| {
            is_won(next, seat)
                || next.turn() == Turn::Seat(seat)
                    && self.win_at_once(next, seat, &|_| true).is_some()
        };
        // What refuted one move often refutes the next one.
        let mut killer: Option<G::Move> = None;
        let mut wins = |m: &G::Move| {
            let next = after(position, m);
            if !matches!(next.turn(), Turn::Seat(other) if other != seat) {
                return false;
            }
            let refutes = |reply: &G::Move| !holds(&after(&next, reply));
            let known = killer.take().filter(|reply| next.is_legal(reply) && refutes(reply));
            killer = known.or_else(|| first_visited(self.kinds.defences, &next, refutes));
            killer.is_none()
        };
        first_visited(self.kinds.attacks, position, |m| allows(m) && wins(m))
    }
}

/// The first of the visited moves of which something holds.
pub fn first_visited<G: Game>(
    visits: Visits<G>,
    position: &G,
    mut holds: impl FnMut(&G::Move) -> bool,
) -> Option<G::Move> {
    let mut found = None;
    let _ = visits(position, &mut |m| {
        if !holds(&m) {
            return ControlFlow::Continue(());
        }
        found = Some(m);
        ControlFlow::Break(())
    });
    found
}

fn after<G: Game>(position: &G, m: &G::Move) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

fn is_won<G: Game>(position: &G, seat: Seat) -> bool {
    position.outcome().is_some_and(|result| result.share(seat) == 1.0)
}

impl<G: Game> Player<G> for LevelPlayer<G> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        let seat = situation.seat()?;
        if situation.position().move_listing() != MoveListing::Listed {
            return self.inner.choose(situation, request, report);
        }
        let reach = self.reach(situation.position());
        let position = situation.position();
        let win = (1..=reach).find_map(|own_moves| {
            let win = self.forced_win(position, seat, own_moves, &|m| request.allows(m))?;
            Some((own_moves, win))
        });
        let chosen = match win {
            Some((own_moves, m)) => {
                let plies = 2 * own_moves - 1;
                Info::new(plies, Score::Mate(plies as i32), vec![m])
            }
            None => {
                let lines = self.lines(situation, request);
                let mut candidates = self.candidates(situation, lines);
                // Where every move loses in two, one that does not lose in one.
                let safe = (1..=reach).rev().find_map(|moves| {
                    let loses = |m: &G::Move| self.loses(situation, seat, m, moves);
                    candidates.iter().position(|candidate| !loses(&candidate.info.pv[0]))
                });
                let at = safe.unwrap_or(0);
                if candidates.is_empty() {
                    return self.inner.choose(situation, request, report);
                }
                candidates.swap_remove(at).info
            }
        };
        let best = chosen.pv.first()?.clone();
        let ponder = chosen.pv.get(1).cloned();
        let time = request.control.elapsed();
        report(Report::Info(Info { multipv: 1, time, ..chosen }));
        Some(Choice { best, ponder })
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn get_ready(&mut self, position: &G) {
        self.inner.get_ready(position);
    }
}

/// A number between 0 and 1, neither of them.
pub(crate) fn probability(random: &mut Random) -> f64 {
    (random.below(1 << 52) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Gumbel noise. The greatest of values to which it is added is a choice by their softmax.
pub(crate) fn gumbel(random: &mut Random) -> f64 {
    -libm::log(-libm::log(probability(random)))
}

/// A score as a number, bounded where the game is as good as decided.
fn hundredths(score: Score) -> f64 {
    match score {
        Score::Cp(value) => f64::from(value).clamp(-CLEAR, CLEAR),
        Score::Mate(plies) if plies > 0 => 2.0 * CLEAR - f64::from(plies),
        Score::Mate(plies) => -2.0 * CLEAR - f64::from(plies),
    }
}
