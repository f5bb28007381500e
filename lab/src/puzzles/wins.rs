//! Forced wins in games of two seats, by a full-width search of the rules alone: it knows no
//! evaluation, leaves out no move but those of a kind of which something is proved as a whole, and
//! remembers what it has proved.

use std::collections::HashMap;
use std::fmt::{self, Display};

use parlor::game::{Game, Seat, Turn};

use super::Provable;

/// A proof needs more positions than it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the proof needs too many positions")
    }
}

impl std::error::Error for TooLarge {}

/// The killer moves: those that decided last, the latest first.
pub struct Killers<M>(Vec<M>);

/// The most moves of a kind that are tried.
const OF_A_KIND: usize = 60_000;

/// How many killer moves are kept.
const KEPT: usize = 3;

impl<M> Default for Killers<M> {
    fn default() -> Self {
        Killers(Vec::new())
    }
}

impl<M: PartialEq> Killers<M> {
    /// A move has decided.
    pub fn note(&mut self, m: M) {
        self.0.retain(|known| *known != m);
        self.0.insert(0, m);
        self.0.truncate(KEPT);
    }

    /// The main moves of a position: the killers first, then noisy moves, then the others.
    pub fn ordered<G: Provable<Move = M>>(&self, position: &G) -> Vec<M> {
        let mut moves = position.main_moves();
        moves.sort_by_cached_key(|m| {
            let place = self.0.iter().position(|known| known == m).unwrap_or(KEPT);
            (place, !position.is_noisy(m))
        });
        moves
    }
}

/// What is known of wins for one seat.
pub struct Wins<G: Provable> {
    seat: Seat,
    /// By key and own moves: whether the seat wins within them.
    known: HashMap<(u64, u32), bool>,
    /// By own moves, for the seat and against it.
    killers: HashMap<(bool, u32), Killers<G::Move>>,
    nodes: u64,
    most: u64,
}

/// The position after a move.
pub fn after<G: Game>(position: &G, m: &G::Move) -> G {
    let mut next = position.clone();
    next.play(m);
    next
}

impl<G: Provable> Wins<G> {
    /// Proofs of wins for a seat that take `most` positions at most.
    pub fn new(seat: Seat, most: u64) -> Self {
        Wins { seat, known: HashMap::new(), killers: HashMap::new(), nodes: 0, most }
    }

    /// Whether the seat wins a position within a number of its own moves, whatever the other does.
    pub fn holds(&mut self, position: &G, own: u32) -> Result<bool, TooLarge> {
        if let Some(result) = position.outcome() {
            return Ok(result.share(self.seat) == 1.0);
        }
        let Turn::Seat(mover) = position.turn() else { return Ok(false) };
        let attacks = mover == self.seat;
        if own == 0 || position.least_moves(self.seat) > own {
            return Ok(false);
        }
        if attacks && own == 1 {
            self.count(1)?;
            return Ok(position.winning_move(self.seat).is_some());
        }
        let key = (position.key(), own);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        if attacks && position.winning_move(self.seat).is_some() {
            self.known.insert(key, true);
            return Ok(true);
        }
        // The seat needs a move that wins, the other one that does not lose.
        let left = if attacks { own - 1 } else { own };
        let mut found = !attacks;
        let mut tried = self.legal_killers(position, attacks, own);
        let killers = tried.len();
        for at in 0.. {
            if at == killers {
                tried.extend(self.ordered(position, attacks, own));
            }
            let Some(m) = tried.get(at) else { break };
            if let Some(m) = self.one_of_kind(position, m, attacks, left)? {
                self.killers.entry((attacks, own)).or_default().note(m);
                found = attacks;
                break;
            }
        }
        self.known.insert(key, found);
        Ok(found)
    }

    /// The killers that are legal and have no kind: they spare the list of all moves.
    fn legal_killers(&mut self, position: &G, attacks: bool, own: u32) -> Vec<G::Move> {
        let known = &self.killers.entry((attacks, own)).or_default().0;
        let is_plain = |m: &&G::Move| !position.is_of_kind(m) && position.is_legal(m);
        known.iter().filter(is_plain).cloned().collect()
    }

    /// A move of the kind of `m`, after which the seat wins within a number of own moves, if it moves
    /// there, or does not, if the other does.
    fn one_of_kind(
        &mut self,
        position: &G,
        m: &G::Move,
        attacks: bool,
        left: u32,
    ) -> Result<Option<G::Move>, TooLarge> {
        self.count(1)?;
        if !position.is_of_kind(m) {
            let holds = self.holds(&after(position, m), left)?;
            return Ok((holds == attacks).then(|| m.clone()));
        }
        let kind = match attacks {
            true => position.hopeful(m, left),
            false if position.falls(m) => Box::new(std::iter::empty()),
            false => position.kind(m),
        };
        for (tried, m) in kind.enumerate() {
            self.count(1)?;
            if tried == OF_A_KIND {
                return Err(TooLarge);
            }
            if self.holds(&after(position, &m), left)? == attacks {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    fn count(&mut self, nodes: u64) -> Result<(), TooLarge> {
        self.nodes += nodes;
        if self.nodes > self.most { Err(TooLarge) } else { Ok(()) }
    }

    fn ordered(&mut self, position: &G, attacks: bool, own: u32) -> Vec<G::Move> {
        self.killers.entry((attacks, own)).or_default().ordered(position)
    }

    /// The moves after which the seat wins within a number of further own moves. The list ends as soon
    /// as it is not `wanted`.
    pub fn winners(
        &mut self,
        position: &G,
        left: u32,
        wanted: impl Fn(&[G::Move]) -> bool,
    ) -> Result<Vec<G::Move>, TooLarge> {
        let mut winners = Vec::new();
        for m in self.ordered(position, true, left + 1) {
            for m in position.hopeful(&m, left) {
                self.count(1)?;
                if self.holds(&after(position, &m), left)? {
                    winners.push(m);
                    if !wanted(&winners) {
                        return Ok(winners);
                    }
                }
            }
        }
        Ok(winners)
    }

    /// A move of the kind of `m` after which the seat, which is not to move, does not win within a
    /// number of own moves.
    pub fn survivor(
        &mut self,
        position: &G,
        m: &G::Move,
        left: u32,
    ) -> Result<Option<G::Move>, TooLarge> {
        self.one_of_kind(position, m, false, left)
    }
}
