//! The retrograde analysis: all states decided in one ply, in two, in three, ...

use rayon::prelude::*;

use super::{DRAWN, Ending, MOST_HALVES, MOST_PLIES, Places, Row, SILVER, Triple, reversed};
use crate::games::porrika::board::{BOARD, Set, spaces};

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unsolved {
    /// It was asked to end.
    #[error("stopped")]
    Stopped,
    /// A distance does not fit.
    #[error("a win takes more plies than the table can tell")]
    TooLong,
    /// No threads could be started.
    #[error("no threads could be started")]
    NoThreads,
}

/// The greatest width of a row.
const WIDEST: usize = 96;

/// What is known of a triple, as sets of places of the Ser'ra.
#[derive(Clone, Copy, Default)]
struct State {
    /// Where the game goes on.
    valid: Set,
    /// Where the Ser'ra has no move.
    silver_stuck: Set,
    /// Where copper has no move.
    copper_stuck: Set,
    /// Won and lost with copper to move, up to the ply before.
    won: Set,
    lost: Set,
    /// Found at the ply before, and at this one.
    last_won: Set,
    last_lost: Set,
    now_won: Set,
    now_lost: Set,
}

/// Everything the analysis keeps. The sets that other triples look at stand apart.
struct Analysis {
    places: Places,
    rows: Vec<Row>,
    states: Vec<State>,
    /// Won by copper with silver to move.
    won: Vec<Set>,
    /// Of those, found at the ply before.
    new_won: Vec<Set>,
    /// Lost by copper with silver to move.
    lost: Vec<Set>,
    /// Whether a row of `new_won`, and of `lost`, has changed at the ply before.
    changed: Vec<[bool; 2]>,
    copper: Vec<u8>,
    silver: Vec<u8>,
    whence: [Set; 128],
}

impl Ending {
    /// Solves the ending for walls, on so many threads. After each ply `progress` is told it and
    /// how many states were decided at it; it answers whether to go on.
    pub fn solve(
        walls: Set,
        threads: usize,
        progress: &mut (dyn FnMut(u32, u64) -> bool + Send),
    ) -> Result<Ending, Unsolved> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .build()
            .map_err(|_| Unsolved::NoThreads)?;
        pool.install(|| {
            let mut analysis = Analysis::new(Places::new(walls));
            for ply in 1.. {
                let found = analysis.decide(ply);
                if found == 0 {
                    break;
                }
                if ply > MOST_PLIES.min(2 * MOST_HALVES) {
                    return Err(Unsolved::TooLong);
                }
                if !progress(ply, found) {
                    return Err(Unsolved::Stopped);
                }
            }
            let Analysis { places, copper, silver, .. } = analysis;
            Ok(Ending { places, copper, silver })
        })
    }
}

impl Analysis {
    fn new(places: Places) -> Self {
        let (width, pairs) = (places.width(), places.pairs());
        let rows: Vec<Row> =
            (0..pairs).into_par_iter().map(|pair| Row::new(&places, pair)).collect();
        let triples = pairs * width;
        let mut analysis = Analysis {
            rows,
            states: vec![State::default(); triples],
            won: vec![0; triples],
            new_won: vec![0; triples],
            lost: vec![0; triples],
            changed: vec![[true; 2]; pairs],
            copper: vec![0; triples * width],
            silver: vec![0; triples * width],
            whence: reversed(),
            places,
        };
        analysis.begin();
        analysis
    }

    /// Where the game goes on, where it is over, and who is stuck.
    fn begin(&mut self) {
        let (places, width) = (&self.places, self.places.width());
        self.states
            .par_chunks_mut(width)
            .zip(self.new_won.par_chunks_mut(width))
            .zip(self.lost.par_chunks_mut(width))
            .zip(self.copper.par_chunks_mut(width * width))
            .zip(self.silver.par_chunks_mut(width * width))
            .zip(&self.rows)
            .for_each(|(((((states, new_won), lost), copper), silver), row)| {
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

    /// Finds what is decided at a ply; the number of states.
    fn decide(&mut self, ply: u32) -> u64 {
        self.decide_copper(ply) + self.decide_silver(ply)
    }

    /// Copper to move: one way that wins is enough, all ways must lose.
    fn decide_copper(&mut self, ply: u32) -> u64 {
        let (places, width) = (&self.places, self.places.width());
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
                if !(wins || losses) || row.is_home() {
                    return 0;
                }
                let unions = if wins { unite(places, row, pair, new_won) } else { [0; WIDEST] };
                let common = if losses { intersect(places, row, pair, lost) } else { [0; WIDEST] };
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

    /// Silver to move: the same the other way round, within each triple.
    fn decide_silver(&mut self, ply: u32) -> u64 {
        let (places, width, whence) = (&self.places, self.places.width(), &self.whence);
        self.states
            .par_chunks_mut(width)
            .zip(self.won.par_chunks_mut(width))
            .zip(self.new_won.par_chunks_mut(width))
            .zip(self.lost.par_chunks_mut(width))
            .zip(self.silver.par_chunks_mut(width * width))
            .zip(&mut self.changed)
            .zip(&self.rows)
            .map(|((((((states, won), new_won), lost), bytes), changed), row)| {
                *changed = [false; 2];
                let mut found = 0;
                for (column, state) in states.iter_mut().enumerate() {
                    let first = ply == 1 && state.valid != 0;
                    let [now_won, now_lost] = if first || state.last_won | state.last_lost != 0 {
                        step(places, row, column, state, whence, first)
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

/// What a triple begins with: its state, and where the game is over.
fn start(row: &Row, guard: Set, triple: &Triple) -> (State, Set) {
    let mut free = 0;
    for m in row.moves.iter().filter(|m| m.barred & guard == 0) {
        free |= !m.taken;
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

/// Where copper can move to a triple of `sets`.
fn unite(places: &Places, row: &Row, pair: usize, sets: &[Set]) -> [Set; WIDEST] {
    let width = places.width();
    let mut unions = [0; WIDEST];
    for m in &row.moves {
        let Some(to) = m.pair else { continue };
        let kept = keep(places, m.barred, &unions);
        for (union, set) in unions.iter_mut().zip(&sets[to * width..(to + 1) * width]) {
            *union |= set;
        }
        put_back(&mut unions, kept);
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

/// Where every move of copper's leads to a triple of `sets`, or loses at once.
fn intersect(places: &Places, row: &Row, pair: usize, sets: &[Set]) -> [Set; WIDEST] {
    let width = places.width();
    let mut common = [Set::MAX; WIDEST];
    for m in &row.moves {
        let Some(to) = m.pair else { continue };
        let kept = keep(places, m.barred, &common);
        for (common, set) in common.iter_mut().zip(&sets[to * width..(to + 1) * width]) {
            *common &= set | m.taken;
        }
        put_back(&mut common, kept);
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

/// The columns of Guardians that forbid a move, with what stands there.
fn keep(places: &Places, barred: Set, sets: &[Set; WIDEST]) -> [(usize, Set); 3] {
    let mut kept = [(WIDEST, 0); 3];
    let standing = barred & places.pieces;
    for (slot, space) in kept.iter_mut().zip(spaces(standing)) {
        let column = places.column(space);
        *slot = (column, sets[column]);
    }
    kept
}

fn put_back(sets: &mut [Set; WIDEST], kept: [(usize, Set); 3]) {
    for (column, set) in kept {
        if let Some(place) = sets.get_mut(column) {
            *place = set;
        }
    }
}

/// Silver's step within a triple: where all its moves, or one, lead to what was found last.
fn step(
    places: &Places,
    row: &Row,
    column: usize,
    state: &State,
    whence: &[Set; 128],
    first: bool,
) -> [Set; 2] {
    let Some(triple) = Triple::new(places, row, places.piece_of(column)) else {
        return [0; 2];
    };
    let sources = |set: Set| spaces(set).fold(0, |all, to| all | whence[to.index() & 127]);
    let movers = state.valid & !state.silver_stuck;
    let escapes = triple.landing & !state.won;
    let held = spaces(sources(state.last_won) & movers)
        .filter(|serra| serra.reach() & escapes == 0)
        .fold(0, |set, serra| set | serra.bit());
    let mut lost = sources(state.last_lost & triple.landing) & movers;
    if first {
        lost |= sources(triple.captures) & movers;
    }
    let stuck = state.silver_stuck;
    [held | stuck & state.last_won, lost | stuck & state.last_lost]
}

/// Writes a byte for every place of a set; how many.
fn write(places: &Places, bytes: &mut [u8], set: Set, byte: u8) -> u64 {
    let mut count = 0;
    for space in spaces(set) {
        bytes[places.column(space)] = byte;
        count += 1;
    }
    count
}
