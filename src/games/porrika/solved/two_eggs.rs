//! Two eggs and one Guardian against one Ser'ra.
//!
//! A state is a pair of egg places, a place of the Guardian (together a *triple*), a place of the
//! Ser'ra, and the side to move. For each triple the places of the Ser'ra are a set of 128 bits, and
//! the analysis works on whole sets:
//!
//! - silver's moves stay inside a triple, so its step is local;
//! - copper's moves lead from a triple to others and leave the Ser'ra where it is, so its step is a
//!   union (copper wins) or an intersection (copper loses) over the triples it can move to.

use rayon::prelude::*;

use super::ending::{Ending, FreePieces, Layout};
use super::generate::{Job, SolveError, predecessors, sources};
use super::places::Places;
use super::tablebase::Tablebase;
use super::verdict::{DRAWN, SILVER};
use crate::games::porrika::rules::board::{
    BOARD, DEAD, GOAL_SQUARES, GOALS, Set, Space, across, spaces,
};

impl Tablebase {
    /// Generates the tablebase of an ending with two eggs on their way. After each ply `progress`
    /// gets the ply and the number of states decided at it. `stopped` is asked many times a
    /// millisecond.
    ///
    /// # Errors
    /// When it is another ending, when it was stopped, when memory is short, or when a distance is
    /// too great for a byte.
    pub fn solve(
        ending: Ending,
        threads: usize,
        stopped: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u32, u64) + Send),
    ) -> Result<Tablebase, SolveError> {
        if ending.free() != FreePieces::TwoEggs {
            return Err(SolveError::LastEgg);
        }
        let places = Layout::new(ending).places;
        let job = Job { threads, stopped, progress };
        let sides = job.run(memory(&places), |job| solve(places, job))?;
        Ok(Tablebase::in_memory(ending, sides))
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
        let eggs = places.eggs_of(pair);
        let mut moves = Vec::new();
        for egg in spaces(eggs) {
            let still = eggs & !egg.bit();
            let occupied = places.walls | still;
            if across(occupied) & egg.bit() != 0 {
                continue;
            }
            for to in spaces(egg.reach() & !occupied & !across(still)) {
                let stranded = DEAD & !GOALS & to.bit() != 0;
                let facing = across(to.bit()) & BOARD;
                moves.push(EggMove {
                    pair: (!stranded).then(|| places.pair(to.bit() | still)),
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

/// The greatest width of a row.
const MAX_WIDTH: usize = 96;

/// The state of the analysis for one triple, as sets of places of the Ser'ra.
#[derive(Clone, Copy, Default)]
struct State {
    /// Where the game goes on.
    valid: Set,
    /// Where the Ser'ra has no move.
    silver_stuck: Set,
    /// Where copper has no move.
    copper_stuck: Set,
    /// Won and lost with copper to move, up to the previous ply.
    won: Set,
    lost: Set,
    /// Found at the previous ply, and at this one.
    last_won: Set,
    last_lost: Set,
    now_won: Set,
    now_lost: Set,
}

/// The whole analysis. Sets that other triples read are kept in vectors of their own.
struct Analysis<'a> {
    /// Whether the rows that are left are passed over.
    stopped: &'a (dyn Fn() -> bool + Sync),
    places: Places,
    rows: Vec<Row>,
    states: Vec<State>,
    /// Won by copper with silver to move.
    won: Vec<Set>,
    /// Of those, found at the previous ply.
    new_won: Vec<Set>,
    /// Lost by copper with silver to move.
    lost: Vec<Set>,
    /// Whether a row of `new_won`, and of `lost`, changed at the previous ply.
    changed: Vec<[bool; 2]>,
    copper: Vec<u8>,
    silver: Vec<u8>,
    predecessors: [Set; 128],
}

/// About how many bytes an analysis takes.
fn memory(places: &Places) -> u64 {
    let (pairs, width) = (places.pairs(), places.width());
    // An egg has moves to a few tens of places.
    let row = size_of::<Row>() + 40 * size_of::<EggMove>();
    let triple = size_of::<State>() + 3 * size_of::<Set>() + 2 * width;
    (pairs * (row + width * triple)) as u64
}

/// The verdicts with copper and with silver to move, as bytes.
fn solve(places: Places, job: &mut Job<'_>) -> Result<[Vec<u8>; 2], SolveError> {
    let mut analysis = Analysis::new(places, job.stopped);
    job.every_ply(|ply| analysis.decide(ply))?;
    Ok([analysis.copper, analysis.silver])
}

impl<'a> Analysis<'a> {
    fn new(places: Places, stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (width, pairs) = (places.width(), places.pairs());
        let rows: Vec<Row> =
            (0..pairs).into_par_iter().map(|pair| Row::new(&places, pair)).collect();
        let triples = pairs * width;
        let mut analysis = Analysis {
            stopped,
            rows,
            states: vec![State::default(); triples],
            won: vec![0; triples],
            new_won: vec![0; triples],
            lost: vec![0; triples],
            changed: vec![[true; 2]; pairs],
            copper: vec![0; triples * width],
            silver: vec![0; triples * width],
            predecessors: predecessors(),
            places,
        };
        analysis.initialise();
        analysis
    }

    /// Finds where the game goes on, where it is over, and who is stuck.
    fn initialise(&mut self) {
        let (places, width, stopped) = (&self.places, self.places.width(), self.stopped);
        self.states
            .par_chunks_mut(width)
            .zip(self.new_won.par_chunks_mut(width))
            .zip(self.lost.par_chunks_mut(width))
            .zip(self.copper.par_chunks_mut(width * width))
            .zip(self.silver.par_chunks_mut(width * width))
            .zip(&self.rows)
            .for_each(|(((((states, new_won), lost), copper), silver), row)| {
                if stopped() {
                    return;
                }
                if row.is_home() {
                    new_won.fill(BOARD);
                    return;
                }
                for column in 0..width {
                    let guardian = places.piece_of(column);
                    let Some(triple) = Triple::new(places, row, guardian) else { continue };
                    let bytes = column * width..(column + 1) * width;
                    let (copper, silver) = (&mut copper[bytes.clone()], &mut silver[bytes]);
                    let over;
                    (states[column], over) = start(row, guardian.bit(), &triple);
                    lost[column] = over;
                    for (set, byte) in [(over, SILVER), (states[column].valid, DRAWN)] {
                        write(places, copper, set, byte);
                        write(places, silver, set, byte);
                    }
                }
            });
    }

    /// Finds the states decided at a ply, and returns their number.
    fn decide(&mut self, ply: u32) -> u64 {
        self.decide_copper(ply) + self.decide_silver(ply)
    }

    /// Copper to move: won if one move wins, lost if all moves lose.
    fn decide_copper(&mut self, ply: u32) -> u64 {
        let (places, width, stopped) = (&self.places, self.places.width(), self.stopped);
        let (new_won, lost, changed) = (&self.new_won, &self.lost, &self.changed);
        self.states
            .par_chunks_mut(width)
            .zip(self.copper.par_chunks_mut(width * width))
            .zip(&self.rows)
            .enumerate()
            .map(|(pair, ((states, bytes), row))| {
                let looks_at = row.moves.iter().filter_map(|m| m.pair).chain([pair]);
                let [wins, losses] = looks_at.fold([false; 2], |[wins, losses], pair| {
                    [wins | changed[pair][0], losses | changed[pair][1]]
                });
                if !(wins || losses) || row.is_home() || stopped() {
                    return 0;
                }
                let unions = if wins {
                    unions_over_moves(places, row, pair, new_won)
                } else {
                    [0; MAX_WIDTH]
                };
                let common = if losses {
                    intersections_over_moves(places, row, pair, lost)
                } else {
                    [0; MAX_WIDTH]
                };
                let mut found = 0;
                for (column, state) in states.iter_mut().enumerate() {
                    let triple = pair * width + column;
                    let stuck = state.copper_stuck;
                    let won = unions[column] | stuck & new_won[triple];
                    let lost = common[column] & !stuck | stuck & lost[triple];
                    state.now_won = won & state.valid & !state.won;
                    state.now_lost = lost & state.valid & !state.lost;
                    let bytes = &mut bytes[column * width..(column + 1) * width];
                    found += write(places, bytes, state.now_won, ply.div_ceil(2) as u8);
                    found += write(places, bytes, state.now_lost, SILVER.wrapping_add(ply as u8));
                }
                found
            })
            .sum()
    }

    /// Silver to move: the same with sides exchanged, within each triple.
    fn decide_silver(&mut self, ply: u32) -> u64 {
        let (places, width, predecessors) = (&self.places, self.places.width(), &self.predecessors);
        let stopped = self.stopped;
        self.states
            .par_chunks_mut(width)
            .zip(self.won.par_chunks_mut(width))
            .zip(self.new_won.par_chunks_mut(width))
            .zip(self.lost.par_chunks_mut(width))
            .zip(self.silver.par_chunks_mut(width * width))
            .zip(&mut self.changed)
            .zip(&self.rows)
            .map(|((((((states, won), new_won), lost), bytes), changed), row)| {
                if stopped() {
                    return 0;
                }
                *changed = [false; 2];
                let mut found = 0;
                for (column, state) in states.iter_mut().enumerate() {
                    let first = ply == 1 && state.valid != 0;
                    let [now_won, now_lost] = if first || state.last_won | state.last_lost != 0 {
                        silver_step(places, row, column, state, predecessors, first)
                    } else {
                        [0; 2]
                    };
                    let now_won = now_won & !won[column];
                    let now_lost = now_lost & !lost[column];
                    won[column] |= now_won;
                    new_won[column] = now_won;
                    lost[column] |= now_lost;
                    *changed = [changed[0] | (now_won != 0), changed[1] | (now_lost != 0)];
                    let bytes = &mut bytes[column * width..(column + 1) * width];
                    found += write(places, bytes, now_won, (ply / 2) as u8);
                    found += write(places, bytes, now_lost, SILVER.wrapping_add(ply as u8));
                    state.won |= state.now_won;
                    state.lost |= state.now_lost;
                    (state.last_won, state.last_lost) = (state.now_won, state.now_lost);
                    (state.now_won, state.now_lost) = (0, 0);
                }
                found
            })
            .sum()
    }
}

/// The initial state of a triple, and where the game is over.
fn start(row: &Row, guard: Set, triple: &Triple) -> (State, Set) {
    let mut free = 0;
    for m in row.moves.iter().filter(|m| m.guardian_blocks & guard == 0) {
        free |= !m.serra_blocks;
    }
    for to in spaces(triple.steps) {
        free |= !(to.bit() | triple.facing);
    }
    let silver_stuck = triple.valid & !triple.movers();
    let copper_stuck = triple.valid & !free;
    let over = triple.sealing() | silver_stuck & copper_stuck;
    let valid = triple.valid & !over;
    let state = State {
        valid,
        silver_stuck: silver_stuck & valid,
        copper_stuck: copper_stuck & valid,
        last_lost: over,
        ..State::default()
    };
    (state, over)
}

/// For each column: the union of `sets` over copper's moves.
fn unions_over_moves(places: &Places, row: &Row, pair: usize, sets: &[Set]) -> [Set; MAX_WIDTH] {
    let width = places.width();
    let mut unions = [0; MAX_WIDTH];
    for m in &row.moves {
        let Some(to) = m.pair else { continue };
        let kept = save_columns(places, m.guardian_blocks, &unions);
        for (union, set) in unions.iter_mut().zip(&sets[to * width..(to + 1) * width]) {
            *union |= set;
        }
        restore_columns(&mut unions, kept);
    }
    let own = &sets[pair * width..(pair + 1) * width];
    for (column, union) in unions.iter_mut().enumerate().take(width) {
        if let Some(triple) = Triple::new(places, row, places.piece_of(column)) {
            for to in spaces(triple.steps) {
                *union |= own[places.column(to)] & !triple.facing;
            }
        }
    }
    unions
}

/// For each column: the intersection of `sets` over copper's moves, without those that lose at once.
fn intersections_over_moves(
    places: &Places,
    row: &Row,
    pair: usize,
    sets: &[Set],
) -> [Set; MAX_WIDTH] {
    let width = places.width();
    let mut common = [Set::MAX; MAX_WIDTH];
    for m in &row.moves {
        let Some(to) = m.pair else { continue };
        let kept = save_columns(places, m.guardian_blocks, &common);
        for (common, set) in common.iter_mut().zip(&sets[to * width..(to + 1) * width]) {
            *common &= set | m.serra_blocks;
        }
        restore_columns(&mut common, kept);
    }
    let own = &sets[pair * width..(pair + 1) * width];
    for (column, common) in common.iter_mut().enumerate().take(width) {
        if let Some(triple) = Triple::new(places, row, places.piece_of(column)) {
            for to in spaces(triple.steps) {
                *common &= own[places.column(to)] | to.bit() | triple.facing;
            }
        }
    }
    common
}

/// The columns of Guardian places that forbid a move, with their sets.
fn save_columns(places: &Places, blocked: Set, sets: &[Set; MAX_WIDTH]) -> [(usize, Set); 3] {
    let mut kept = [(MAX_WIDTH, 0); 3];
    let standing = blocked & places.pieces;
    for (slot, space) in kept.iter_mut().zip(spaces(standing)) {
        let column = places.column(space);
        *slot = (column, sets[column]);
    }
    kept
}

fn restore_columns(sets: &mut [Set; MAX_WIDTH], kept: [(usize, Set); 3]) {
    for (column, set) in kept {
        if let Some(place) = sets.get_mut(column) {
            *place = set;
        }
    }
}

/// Silver's step within a triple: where all its moves lead to states won for copper at the previous
/// ply or before, and where one move leads to a state lost for copper at the previous ply.
fn silver_step(
    places: &Places,
    row: &Row,
    column: usize,
    state: &State,
    predecessors: &[Set; 128],
    first: bool,
) -> [Set; 2] {
    let Some(triple) = Triple::new(places, row, places.piece_of(column)) else {
        return [0; 2];
    };
    let movers = state.valid & !state.silver_stuck;
    let escapes = triple.landing & !state.won;
    let held = spaces(sources(predecessors, state.last_won) & movers)
        .filter(|serra| serra.reach() & escapes == 0)
        .fold(0, |set, serra| set | serra.bit());
    let mut lost = sources(predecessors, state.last_lost & triple.landing) & movers;
    if first {
        lost |= sources(predecessors, triple.captures) & movers;
    }
    let stuck = state.silver_stuck;
    [held | stuck & state.last_won, lost | stuck & state.last_lost]
}

/// Writes a byte for every place of a set, and returns their number.
fn write(places: &Places, bytes: &mut [u8], set: Set, byte: u8) -> u64 {
    let mut count = 0;
    for space in spaces(set) {
        bytes[places.column(space)] = byte;
        count += 1;
    }
    count
}
