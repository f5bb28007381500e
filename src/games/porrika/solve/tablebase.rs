//! Endgame tablebases: two eggs and one Guardian against one Ser'ra, for given walls.
//!
//! Locked pairs never move and act only as walls. With three pairs there are about 48 million
//! states. A state is a pair of egg places, a place of the Guardian (together a *triple*), a place
//! of the Ser'ra, and the side to move. For each triple the places of the Ser'ra are a set of 128
//! bits, and the analysis works on whole sets:
//!
//! - silver's moves stay inside a triple, so its step is local;
//! - copper's moves lead from a triple to others and leave the Ser'ra where it is, so its step is a
//!   union (copper wins) or an intersection (copper loses) over the triples it can move to.
//!
//! Each pass finds the states that are decided in exactly one ply more than the pass before. When
//! a pass finds nothing, the remaining states are drawn. Only the default rules are supported, with
//! any meaning of a third occurrence.

mod analysis;
mod file;
mod verify;

pub use analysis::SolveError;
pub use file::TablebaseError;
pub use verify::Mismatch;

use crate::game::Game;
use crate::games::porrika::rules::board::{
    BOARD, DEAD, GOAL_SQUARES, GOALS, Set, Space, across, spaces,
};
use crate::games::porrika::rules::{EndReason, Kind, Move, Phase, Position, RuleOptions, Side};

/// The value of a state with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Neither side can force a win.
    Drawn,
    /// Copper wins in this number of plies.
    CopperWins(u32),
    /// Silver wins in this number of plies.
    SilverWins(u32),
}

/// The greatest byte that stores a win for copper: half the plies, rounded up. Byte 0 is no state.
const MAX_HALVES: u32 = 126;
/// The byte that stores a draw.
const DRAWN: u8 = 127;
/// The least byte that stores a win for silver: this plus the plies.
const SILVER: u8 = 128;
const MAX_PLIES: u32 = 127;

impl Verdict {
    fn from_byte(byte: u8, side: Side) -> Option<Self> {
        match byte {
            0 => None,
            DRAWN => Some(Verdict::Drawn),
            SILVER.. => Some(Verdict::SilverWins(u32::from(byte - SILVER))),
            halves if side == Side::Copper => Some(Verdict::CopperWins(2 * u32::from(halves) - 1)),
            halves => Some(Verdict::CopperWins(2 * u32::from(halves))),
        }
    }
}

/// The spaces outside the walls, numbered: the Por'rika first, then those with a triangle across,
/// then the dead ones.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) walls: Set,
    /// The spaces by number.
    list: Vec<Space>,
    /// The number of each space; unused for spaces in walls.
    numbers: [u8; 128],
    /// How many places an egg may have: all but the dead spaces.
    eggs: usize,
    /// Where a Guardian or a Ser'ra may stand.
    pieces: Set,
}

impl Places {
    fn new(walls: Set) -> Self {
        let moving = BOARD & !walls & !DEAD;
        let stuck = DEAD & !GOALS & !walls;
        let list: Vec<Space> = spaces(GOALS).chain(spaces(moving)).chain(spaces(stuck)).collect();
        let mut numbers = [0; 128];
        for (number, space) in list.iter().enumerate() {
            numbers[space.index()] = number as u8;
        }
        let eggs = 2 + moving.count_ones() as usize;
        Places { walls, list, numbers, eggs, pieces: BOARD & !walls & !GOALS }
    }

    fn number(&self, space: Space) -> usize {
        usize::from(self.numbers[space.index() & 127])
    }

    /// How many places a Guardian or a Ser'ra may have: all but the Por'rika.
    pub(super) fn width(&self) -> usize {
        self.list.len() - 2
    }

    /// How many pairs of places the eggs may have.
    pub(super) fn pairs(&self) -> usize {
        self.eggs * (self.eggs - 1) / 2
    }

    /// The number of a pair of eggs; neither on a dead space.
    fn pair(&self, one: Space, other: Space) -> usize {
        let (one, other) = (self.number(one), self.number(other));
        let (low, high) = (one.min(other), one.max(other));
        high * high.saturating_sub(1) / 2 + low
    }

    /// The pair of eggs with a number.
    fn eggs_of(&self, pair: usize) -> [Space; 2] {
        let mut high = 1;
        while (high + 1) * high / 2 <= pair {
            high += 1;
        }
        [self.list[pair - high * (high - 1) / 2], self.list[high]]
    }

    /// The column of a Guardian or a Ser'ra: its place without the Por'rika.
    fn column(&self, space: Space) -> usize {
        self.number(space).saturating_sub(2)
    }

    fn piece_of(&self, column: usize) -> Space {
        self.list[column + 2]
    }
}

/// A move of an egg from one pair of places to another, and the places that forbid it.
struct EggMove {
    /// The pair it leads to; `None` where the egg is stranded and copper loses.
    pair: Option<usize>,
    /// Where no Guardian may stand: across from the egg, on the target, across from the target.
    guardian_blocks: Set,
    /// Where the Ser'ra may not stand: on the target, across from the target.
    serra_blocks: Set,
}

/// What is the same for all states with one pair of egg places.
struct Row {
    eggs: Set,
    moves: Vec<EggMove>,
}

impl Row {
    fn new(places: &Places, pair: usize) -> Self {
        let [one, other] = places.eggs_of(pair);
        let eggs = one.bit() | other.bit();
        let mut moves = Vec::new();
        for (egg, still) in [(one, other), (other, one)] {
            let occupied = places.walls | still.bit();
            if across(occupied) & egg.bit() != 0 {
                continue;
            }
            for to in spaces(egg.reach() & !occupied & !across(still.bit())) {
                let stranded = DEAD & !GOALS & to.bit() != 0;
                let facing = across(to.bit()) & BOARD;
                moves.push(EggMove {
                    pair: (!stranded).then(|| places.pair(to, still)),
                    guardian_blocks: across(egg.bit()) | to.bit() | facing,
                    serra_blocks: to.bit() | facing,
                });
            }
        }
        Row { eggs, moves }
    }

    /// Whether the eggs face each other, which is impossible.
    fn is_void(&self) -> bool {
        self.eggs & across(self.eggs) != 0
    }

    fn is_home(&self) -> bool {
        self.eggs == GOALS
    }
}

/// What is the same for all states of a triple.
struct Triple {
    occupied: Set,
    /// Where the Ser'ra may stand in a game that no capture has ended.
    valid: Set,
    /// Where the Guardian can move unless the Ser'ra is across from it.
    steps: Set,
    /// The space across from the Guardian.
    facing: Set,
    /// Where a Ser'ra may end, captures included.
    landing: Set,
    /// Where it captures an egg.
    captures: Set,
}

impl Triple {
    fn new(places: &Places, row: &Row, guardian: Space) -> Option<Self> {
        let guard = guardian.bit();
        if row.is_void() || (row.eggs | across(row.eggs)) & guard != 0 {
            return None;
        }
        let occupied = places.walls | row.eggs | guard;
        let facing = across(guard) & BOARD;
        let free = BOARD & !GOALS & !occupied;
        let victims = across(row.eggs) & BOARD;
        let steps = if across(occupied & !guard) & guard == 0 {
            guardian.reach() & free & !victims
        } else {
            0
        };
        let landing = free & !facing;
        let valid = free & !victims;
        Some(Triple { occupied, valid, steps, facing, landing, captures: victims & landing })
    }

    /// Where a Ser'ra closes the last way into the Por'rika.
    fn sealing(&self) -> Set {
        let open = GOAL_SQUARES & !self.occupied;
        if open.count_ones() == 1 { open & self.valid } else { 0 }
    }

    /// The places from which the Ser'ra can move.
    fn movers(&self) -> Set {
        let able = self.valid & !across(self.occupied);
        spaces(able)
            .filter(|serra| serra.reach() & self.landing != 0)
            .fold(0, |set, serra| set | serra.bit())
    }
}

/// For each space: the spaces from which a Ser'ra moves to it.
fn predecessors() -> [Set; 128] {
    let mut predecessors = [0; 128];
    for from in spaces(BOARD) {
        for to in spaces(from.reach()) {
            predecessors[to.index()] |= from.bit();
        }
    }
    predecessors
}

/// The verdict of every state for one set of walls.
pub struct Tablebase {
    places: Places,
    /// Verdicts with copper to move, triple by triple.
    copper: Vec<u8>,
    /// With silver to move.
    silver: Vec<u8>,
}

/// Why a position has no tablebase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTablebase {
    /// One of its rules is not the default one, and would change the values.
    #[error(
        "an ending with a free Ser'ra is not solved under {name}={value}, only under the default"
    )]
    Rules {
        /// The rule option.
        name: &'static str,
        /// Its value.
        value: &'static str,
    },
    /// Other pieces are not locked.
    #[error(
        "an ending has two E, one G and one S that are not locked, this position has {eggs}, \
         {guardians} and {serra}"
    )]
    Pieces {
        /// Egg-Carriers that are not locked.
        eggs: u32,
        /// Guardians that are not locked.
        guardians: u32,
        /// Ser'ra that are not locked.
        serra: u32,
    },
}

/// The number of states by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Copper wins.
    pub copper: u64,
    /// Silver wins.
    pub silver: u64,
    /// Neither.
    pub drawn: u64,
    /// The longest win for copper, in plies.
    pub longest_copper: u32,
    /// The longest win for silver, in plies.
    pub longest_silver: u32,
}

impl Census {
    fn add(&mut self, byte: u8, side: Side) {
        match Verdict::from_byte(byte, side) {
            None => {}
            Some(Verdict::Drawn) => self.drawn += 1,
            Some(Verdict::CopperWins(plies)) => {
                self.copper += 1;
                self.longest_copper = self.longest_copper.max(plies);
            }
            Some(Verdict::SilverWins(plies)) => {
                self.silver += 1;
                self.longest_silver = self.longest_silver.max(plies);
            }
        }
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.copper + self.silver + self.drawn
    }
}

impl Tablebase {
    /// The walls of a position in such an ending: its locked pairs, if two eggs, one Guardian and
    /// one Ser'ra are not locked.
    pub fn walls_of(position: &Position) -> Result<Set, NoTablebase> {
        if let Some((name, value)) = unsupported(position.options()) {
            return Err(NoTablebase::Rules { name, value });
        }
        let walls = position.locked();
        let count = |set: Set| (set & !walls).count_ones();
        let [eggs, guardians, serra] = Kind::ALL.map(|kind| count(position.of(kind)));
        if (eggs, guardians, serra) != (2, 1, 1) {
            return Err(NoTablebase::Pieces { eggs, guardians, serra });
        }
        Ok(walls)
    }

    /// The walls that it was generated for.
    #[must_use]
    pub fn walls(&self) -> Set {
        self.places.walls
    }

    /// The verdict of a position with these walls; `None` for any other position.
    #[must_use]
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        let walls = self.places.walls;
        let rest = |set: Set| spaces(set & !walls);
        let (mut eggs, mut guardians) = (rest(position.eggs()), rest(position.guardians()));
        let mut serra = rest(position.serra());
        let fits = walls & !position.locked() == 0 && supports(position.options());
        let (one, other) = (eggs.next()?, eggs.next()?);
        let (guardian, hunter) = (guardians.next()?, serra.next()?);
        if !fits || guardians.next().is_some() || serra.next().is_some() {
            return None;
        }
        let stranded = DEAD & !GOALS & (one.bit() | other.bit()) != 0;
        if stranded || GOALS & (guardian.bit() | hunter.bit()) != 0 {
            return None;
        }
        self.verdict([one, other], guardian, hunter, position.side())
    }

    /// An upper bound of the states for given walls, both sides to move counted.
    #[must_use]
    pub(crate) fn max_states(walls: Set) -> u64 {
        let places = Places::new(walls);
        2 * places.pairs() as u64 * (places.width() * places.width()) as u64
    }

    /// The verdict of a position that may be over; `None` if the tablebase does not cover it.
    fn verdict_after(&self, next: &Position) -> Option<Verdict> {
        match next.phase() {
            Phase::Over(EndReason::EggsHome) => Some(Verdict::CopperWins(0)),
            Phase::Over(_) => Some(Verdict::SilverWins(0)),
            _ => self.probe(next),
        }
    }

    /// Whether a move keeps the verdict of a position and its distance.
    #[must_use]
    pub(crate) fn is_best(&self, position: &Position, m: &Move) -> bool {
        let mut next = *position;
        next.play(m);
        let after = self.verdict_after(&next).map(one_ply_before);
        after.is_some() && after == self.probe(position)
    }

    fn verdict(
        &self,
        [one, other]: [Space; 2],
        guardian: Space,
        serra: Space,
        side: Side,
    ) -> Option<Verdict> {
        let places = &self.places;
        let width = places.width();
        let triple = places.pair(one, other) * width + places.column(guardian);
        let index = triple * width + places.column(serra);
        let bytes = if side == Side::Copper { &self.copper } else { &self.silver };
        Verdict::from_byte(*bytes.get(index)?, side)
    }

    /// Counts the states with one side to move.
    #[must_use]
    pub fn census(&self, side: Side) -> Census {
        let bytes = if side == Side::Copper { &self.copper } else { &self.silver };
        let mut census = Census::default();
        for byte in bytes {
            census.add(*byte, side);
        }
        census
    }
}

/// Whether the tablebase is valid under these rules. Repetition does not change a forced win.
fn supports(rules: RuleOptions) -> bool {
    RuleOptions { repetition_wins: false, ..rules } == RuleOptions::default()
}

/// The first rule option, with its value, under which the tablebase is not valid.
fn unsupported(rules: RuleOptions) -> Option<(&'static str, &'static str)> {
    let rules = RuleOptions { repetition_wins: false, ..rules };
    let [values, defaults] = [rules, RuleOptions::default()].map(|rules| rules.values());
    values
        .into_iter()
        .zip(defaults)
        .find(|(value, default)| value != default)
        .map(|(value, _)| value)
}

/// The verdict one ply before.
fn one_ply_before(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Drawn => Verdict::Drawn,
        Verdict::CopperWins(plies) => Verdict::CopperWins(plies + 1),
        Verdict::SilverWins(plies) => Verdict::SilverWins(plies + 1),
    }
}
