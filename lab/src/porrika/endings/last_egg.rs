//! One egg is home: the other egg and up to two Guardians against two Ser'ra.
//!
//! A *row* is a place of the egg and places of the Guardians. The states of a row are the pairs of
//! places of the Ser'ra, as a symmetric matrix of bits: for each place of one Ser'ra the set of
//! places of the other. As with two eggs, silver's moves stay inside a row, and copper's moves lead
//! from a row to others and leave the matrix as it is, but for the places that block the move. A
//! Guardian that locks a Ser'ra leads to a state of the same tablebase, in which neither moves.

use parlor::games::porrika::board::{BOARD, DEAD, GOAL_SQUARES, GOALS, Set, Space, across, spaces};
use parlor::games::porrika::solved::{
    DRAWN, Job, Layout, SILVER, SolveError, pair_of, predecessors, sources,
};
use rayon::prelude::*;

/// The last egg and the Guardians of a row.
pub(super) fn pieces_of(layout: &Layout, guardians: u32, row: usize) -> (Space, Set) {
    let (places, sets) = (&layout.places, layout.guardian_sets(guardians));
    let place = |column| places.piece_of(column).bit();
    let guards = match guardians {
        0 => 0,
        1 => place(row % sets),
        _ => pair_of(row % sets).map(place).iter().fold(0, |set, place| set | place),
    };
    (places.piece_of(row / sets), guards)
}

/// Where a move of copper leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// The other egg is home too.
    Win,
    /// The egg is stranded, and copper loses.
    Loss,
    /// Another row.
    Row(usize),
}

/// A move of the egg or of a Guardian, and where no Ser'ra may stand for it.
struct CopperMove {
    target: Target,
    /// Across from the piece, on its target, and for the egg also across from the target.
    blocks: Set,
}

/// What is the same for all states of a row.
struct Row {
    /// What stands on the board without the Ser'ra.
    occupied: Set,
    /// Where a Ser'ra may stand in a game that no capture has ended.
    free: Set,
    /// Where it captures the egg.
    victims: Set,
    /// Across from the Guardians, where it may not end.
    facing: Set,
    egg: Space,
    guards: Set,
}

impl Row {
    /// `None` where friends face each other or stand on one space.
    fn new(layout: &Layout, guardians: u32, number: usize) -> Option<Self> {
        let (egg, guards) = pieces_of(layout, guardians, number);
        let copper = guards | egg.bit();
        if guards & egg.bit() != 0 || across(copper) & copper != 0 {
            return None;
        }
        let occupied = layout.places.walls | copper;
        let victims = across(egg.bit()) & BOARD;
        let free = layout.places.pieces & !occupied & !victims;
        Some(Row { occupied, free, victims, facing: across(guards) & BOARD, egg, guards })
    }

    /// Copper's moves where no Ser'ra is in the way.
    fn moves(&self, layout: &Layout, guardians: u32) -> Vec<CopperMove> {
        let mut moves = Vec::with_capacity(32);
        let row = |egg, guards| Target::Row(layout.row_of(guardians, egg, guards));
        for to in spaces(self.egg.reach() & !self.occupied & !across(self.guards)) {
            let target = match to.bit() {
                goal if goal & GOALS != 0 => Target::Win,
                dead if dead & DEAD != 0 => Target::Loss,
                _ => row(to, self.guards),
            };
            let blocks = across(self.egg.bit()) | to.bit() | across(to.bit());
            moves.push(CopperMove { target, blocks });
        }
        for guard in spaces(self.guards) {
            let rest = self.guards & !guard.bit();
            let friends = across(rest | self.egg.bit());
            for to in spaces(guard.reach() & !GOALS & !self.occupied & !friends) {
                let target = row(self.egg, rest | to.bit());
                moves.push(CopperMove { target, blocks: across(guard.bit()) | to.bit() });
            }
        }
        moves
    }

    /// Where the other Ser'ra may stand in a game that no capture has ended.
    fn partners(&self, serra: Space) -> Set {
        self.free & !serra.bit() & !across(serra.bit())
    }

    /// Where the other Ser'ra may end a move, captures included.
    fn landing(&self, serra: Space) -> Set {
        let closed = self.occupied | serra.bit() | across(serra.bit()) | self.facing;
        (self.free | self.victims) & !closed
    }

    /// Where the other Ser'ra is not locked, and the space across from it is empty.
    fn able(&self, serra: Space) -> Set {
        self.partners(serra) & !across(self.occupied | serra.bit())
    }

    /// Whether `mover` has a move while the other Ser'ra stands still.
    fn can_move(&self, mover: Space, still: Space) -> bool {
        self.able(still) & mover.bit() != 0 && mover.reach() & self.landing(still) != 0
    }

    /// Whether neither Ser'ra has a move.
    fn silver_is_stuck(&self, one: Space, other: Space) -> bool {
        !self.can_move(one, other) && !self.can_move(other, one)
    }

    /// Where the other Ser'ra makes the last way into the Por'rika impossible.
    fn sealing(&self, serra: Space) -> Set {
        let open = GOAL_SQUARES & !self.occupied & !serra.bit();
        match open.count_ones() {
            0 => BOARD,
            1 => open,
            _ => 0,
        }
    }
}

/// For each place of one Ser'ra: the places of the other with which copper has no move.
fn copper_stuck(row: &Row, moves: &[CopperMove], serra: Space) -> Set {
    let open = moves.iter().filter(|m| m.blocks & serra.bit() == 0);
    open.fold(row.partners(serra), |stuck, m| stuck & m.blocks)
}

/// The greatest width of a matrix.
const MAX_WIDTH: usize = 96;

/// States of a row: for each place of one Ser'ra the places of the other.
type Matrix = [Set; MAX_WIDTH];

const EMPTY: Matrix = [0; MAX_WIDTH];

/// Two sets of states: those that copper wins, and those that it loses.
#[derive(Clone)]
struct Decided {
    won: Matrix,
    lost: Matrix,
    /// Whether there are any.
    any: bool,
}

impl Decided {
    const NONE: Decided = Decided { won: EMPTY, lost: EMPTY, any: false };

    /// Each set beside its counterpart.
    fn beside<'a>(
        &'a mut self,
        other: &'a Decided,
    ) -> impl Iterator<Item = (&'a mut Set, &'a Set)> {
        self.won.iter_mut().zip(&other.won).chain(self.lost.iter_mut().zip(&other.lost))
    }

    /// Leaves out the states that were decided before.
    fn without(&mut self, before: &Decided) {
        self.beside(before).for_each(|(set, before)| *set &= !before);
        self.any = self.won.iter().chain(&self.lost).any(|set| *set != 0);
    }

    fn add(&mut self, more: &Decided) {
        self.beside(more).for_each(|(set, more)| *set |= more);
        self.any |= more.any;
    }
}

/// What the analysis knows of the states of one row.
#[derive(Clone)]
struct RowState {
    /// Where the game goes on.
    valid: Matrix,
    /// With copper to move: decided before the previous ply, at the previous ply, and at this one.
    before: Decided,
    last: Decided,
    now: Decided,
    /// With silver to move: decided at any ply.
    silver: Decided,
}

impl RowState {
    const EMPTY: RowState = RowState {
        valid: EMPTY,
        before: Decided::NONE,
        last: Decided::NONE,
        now: Decided::NONE,
        silver: Decided::NONE,
    };
}

/// What copper's step reads of other rows: states with silver to move.
#[derive(Clone)]
struct Shared {
    /// Won by copper, found at the previous ply.
    new_won: Matrix,
    /// Lost by copper.
    lost: Matrix,
    /// Whether they changed at the previous ply.
    changed: [bool; 2],
}

impl Shared {
    const EMPTY: Shared = Shared { new_won: EMPTY, lost: EMPTY, changed: [false; 2] };
}

struct Analysis<'a> {
    stopped: &'a (dyn Fn() -> bool + Sync),
    layout: &'a Layout,
    guardians: u32,
    predecessors: [Set; 128],
    states: Vec<RowState>,
    shared: Vec<Shared>,
    /// The bytes, row by row.
    copper: Vec<u8>,
    silver: Vec<u8>,
}

/// About how many bytes an analysis takes.
pub(super) fn memory(layout: &Layout, guardians: u32) -> u64 {
    let row = size_of::<RowState>() + size_of::<Shared>() + 2 * layout.places.piece_pairs();
    (layout.rows(guardians) * row) as u64
}

/// The verdicts with copper and with silver to move, as bytes.
pub(super) fn solve(
    layout: &Layout,
    guardians: u32,
    job: &mut Job<'_>,
) -> Result<[Vec<u8>; 2], SolveError> {
    let mut analysis = Analysis::new(layout, guardians, job.stopped);
    analysis.initialise();
    job.every_ply(|ply| analysis.decide_copper(ply) + analysis.decide_silver(ply))?;
    Ok([analysis.copper, analysis.silver])
}

impl<'a> Analysis<'a> {
    fn new(layout: &'a Layout, guardians: u32, stopped: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let rows = layout.rows(guardians);
        let bytes = || vec![0; rows * layout.places.piece_pairs()];
        Analysis {
            stopped,
            layout,
            guardians,
            predecessors: predecessors(),
            states: vec![RowState::EMPTY; rows],
            shared: vec![Shared::EMPTY; rows],
            copper: bytes(),
            silver: bytes(),
        }
    }

    /// Finds where the game goes on and where it is over.
    fn initialise(&mut self) {
        let (layout, guardians, stopped) = (self.layout, self.guardians, self.stopped);
        let pairs = layout.places.piece_pairs();
        self.states
            .par_iter_mut()
            .zip(&mut self.shared)
            .zip(self.copper.par_chunks_mut(pairs))
            .zip(self.silver.par_chunks_mut(pairs))
            .enumerate()
            .for_each(|(number, (((state, shared), copper), silver))| {
                if stopped() {
                    return;
                }
                let Some(row) = Row::new(layout, guardians, number) else { return };
                let moves = row.moves(layout, guardians);
                for serra in spaces(row.free) {
                    let column = layout.places.column(serra);
                    let over = over(&row, &moves, serra);
                    state.valid[column] = row.partners(serra) & !over;
                    state.last.lost[column] = over;
                    state.silver.lost[column] = over;
                }
                state.last.any = state.last.lost.iter().any(|set| *set != 0);
                shared.lost = state.last.lost;
                // At the first ply every row has captures or moves home.
                shared.changed = [true; 2];
                for (matrix, byte) in [(&state.valid, DRAWN), (&state.last.lost, SILVER)] {
                    write(layout, copper, matrix, byte);
                    write(layout, silver, matrix, byte);
                }
            });
    }

    /// Copper to move: won if one move wins, lost if all moves lose.
    fn decide_copper(&mut self, ply: u32) -> u64 {
        let (layout, guardians, stopped) = (self.layout, self.guardians, self.stopped);
        let shared = &self.shared;
        self.states
            .par_iter_mut()
            .zip(self.copper.par_chunks_mut(layout.places.piece_pairs()))
            .enumerate()
            .map(|(number, (state, bytes))| {
                state.now.any = false;
                let row = Row::new(layout, guardians, number).filter(|_| !stopped());
                let Some(row) = row else { return 0 };
                let moves = row.moves(layout, guardians);
                let Some(mut now) = copper_step(layout, &row, &moves, number, shared, ply == 1)
                else {
                    return 0;
                };
                for (column, valid) in state.valid.iter().enumerate() {
                    now.won[column] &= valid & !state.last.won[column];
                    now.lost[column] &= valid & !state.last.lost[column];
                }
                now.without(&state.before);
                state.now = now;
                write(layout, bytes, &state.now.won, ply.div_ceil(2) as u8)
                    + write(layout, bytes, &state.now.lost, SILVER.wrapping_add(ply as u8))
            })
            .sum()
    }

    /// Silver to move: the same with sides exchanged, within each row.
    fn decide_silver(&mut self, ply: u32) -> u64 {
        let (layout, guardians, stopped) = (self.layout, self.guardians, self.stopped);
        let predecessors = &self.predecessors;
        self.states
            .par_iter_mut()
            .zip(&mut self.shared)
            .zip(self.silver.par_chunks_mut(layout.places.piece_pairs()))
            .enumerate()
            .map(|(number, ((state, shared), bytes))| {
                let mut found = 0;
                let row = Row::new(layout, guardians, number).filter(|_| !stopped());
                shared.changed = [false; 2];
                if let Some(row) = row.filter(|_| state.last.any || ply == 1) {
                    state.before.add(&state.last);
                    let mut now = SilverStep { layout, row, predecessors, state }.decide(ply == 1);
                    now.without(&state.silver);
                    found = write(layout, bytes, &now.won, (ply / 2) as u8)
                        + write(layout, bytes, &now.lost, SILVER.wrapping_add(ply as u8));
                    state.silver.add(&now);
                    let any = |matrix: &Matrix| matrix.iter().any(|set| *set != 0);
                    shared.changed = [any(&now.won), any(&now.lost)];
                    shared.new_won = now.won;
                    shared.lost = state.silver.lost;
                }
                if state.now.any || state.last.any {
                    std::mem::swap(&mut state.last, &mut state.now);
                }
                found
            })
            .sum()
    }
}

/// The places of the other Ser'ra with which the game is over.
fn over(row: &Row, moves: &[CopperMove], serra: Space) -> Set {
    spaces(copper_stuck(row, moves, serra))
        .filter(|other| row.silver_is_stuck(serra, *other))
        .fold(row.partners(serra) & row.sealing(serra), |set, other| set | other.bit())
}

/// Copper's step in one row: what follows from the states with silver to move. `None` if nothing
/// changed there.
fn copper_step(
    layout: &Layout,
    row: &Row,
    moves: &[CopperMove],
    number: usize,
    shared: &[Shared],
    first: bool,
) -> Option<Decided> {
    let targets = moves.iter().filter_map(|m| match m.target {
        Target::Row(to) => Some(to),
        _ => None,
    });
    let [wins, losses] = targets.chain([number]).fold([first; 2], |[wins, losses], to| {
        let [won, lost] = shared[to].changed;
        [wins | won, losses | lost]
    });
    if !(wins || losses) {
        return None;
    }
    let columns: Vec<(usize, Set)> =
        spaces(row.free).map(|space| (layout.places.column(space), space.bit())).collect();
    let mut decided = Decided::NONE;
    if wins {
        decided.won = unions_over_moves(moves, &columns, shared, first);
    }
    if losses {
        decided.lost = intersections_over_moves(moves, &columns, shared);
    }
    let own = &shared[number];
    for serra in spaces(row.free) {
        let column = layout.places.column(serra);
        let stuck = copper_stuck(row, moves, serra);
        if stuck != 0 {
            let [won, lost] = [&mut decided.won[column], &mut decided.lost[column]];
            let passed = if own.changed[0] { own.new_won[column] } else { 0 };
            *won = *won & !stuck | passed & stuck;
            *lost = *lost & !stuck | own.lost[column] & stuck;
        }
    }
    Some(decided)
}

/// For each column, the states that a move wins, by the states found at the previous ply.
fn unions_over_moves(
    moves: &[CopperMove],
    columns: &[(usize, Set)],
    shared: &[Shared],
    first: bool,
) -> Matrix {
    const ALL: Matrix = [BOARD; MAX_WIDTH];
    let mut unions = EMPTY;
    for m in moves {
        let won = match m.target {
            Target::Win if first => &ALL,
            Target::Row(to) if shared[to].changed[0] => &shared[to].new_won,
            _ => continue,
        };
        for (column, serra) in columns {
            if m.blocks & serra == 0 {
                unions[*column] |= won[*column] & !m.blocks;
            }
        }
    }
    unions
}

/// For each column, the states in which every move loses.
fn intersections_over_moves(
    moves: &[CopperMove],
    columns: &[(usize, Set)],
    shared: &[Shared],
) -> Matrix {
    let mut common = [Set::MAX; MAX_WIDTH];
    for m in moves {
        let lost = match m.target {
            Target::Win => &EMPTY,
            Target::Loss => continue,
            Target::Row(to) => &shared[to].lost,
        };
        for (column, serra) in columns {
            if m.blocks & serra == 0 {
                common[*column] &= lost[*column] | m.blocks;
            }
        }
    }
    common
}

/// Silver's step in one row.
struct SilverStep<'a> {
    layout: &'a Layout,
    row: Row,
    predecessors: &'a [Set; 128],
    state: &'a RowState,
}

impl SilverStep<'_> {
    /// The states in which all moves of silver lead to states won by copper, the last of them found
    /// at the previous ply, and those in which a move leads to a state lost by copper.
    fn decide(&self, first: bool) -> Decided {
        let (row, last) = (&self.row, &self.state.last);
        let mut held = EMPTY;
        let mut decided = Decided::NONE;
        for serra in spaces(row.free) {
            let column = self.layout.places.column(serra);
            let (won, lost) = (last.won[column], last.lost[column]);
            if won | lost == 0 && !first {
                continue;
            }
            let (landing, valid) = (row.landing(serra), self.state.valid[column]);
            let able = row.able(serra) & valid;
            let captures = if first { row.victims & landing } else { 0 };
            held[column] = sources(self.predecessors, won & landing) & able;
            decided.lost[column] = sources(self.predecessors, lost & landing | captures) & able;
            for other in spaces((won | lost) & valid) {
                if row.silver_is_stuck(serra, other) {
                    decided.won[column] |= won & other.bit();
                    decided.lost[column] |= lost & other.bit();
                }
            }
        }
        self.mirror(&mut decided.lost);
        for (serra, column) in self.columns() {
            for other in spaces(held[column]) {
                if !self.escapes(other, serra) && !self.escapes(serra, other) {
                    decided.won[column] |= other.bit();
                }
            }
        }
        self.mirror(&mut decided.won);
        decided
    }

    fn columns(&self) -> impl Iterator<Item = (Space, usize)> {
        spaces(self.row.free).map(|space| (space, self.layout.places.column(space)))
    }

    /// Whether a Ser'ra has a move to a state that is not known as won by copper.
    fn escapes(&self, mover: Space, still: Space) -> bool {
        let column = self.layout.places.column(still);
        self.row.able(still) & mover.bit() != 0
            && mover.reach() & self.row.landing(still) & !self.state.before.won[column] != 0
    }

    /// Adds each state with the Ser'ra exchanged.
    fn mirror(&self, matrix: &mut Matrix) {
        let before = *matrix;
        for (serra, column) in self.columns() {
            for other in spaces(before[column]) {
                matrix[self.layout.places.column(other)] |= serra.bit();
            }
        }
    }
}

/// Writes a byte for every state of a matrix, and returns their number.
fn write(layout: &Layout, bytes: &mut [u8], matrix: &Matrix, byte: u8) -> u64 {
    let mut count = 0;
    for (high, set) in matrix.iter().enumerate().filter(|(_, set)| **set != 0) {
        let start = high * high.saturating_sub(1) / 2;
        for space in spaces(*set) {
            let low = layout.places.column(space);
            if low < high {
                bytes[start + low] = byte;
                count += 1;
            }
        }
    }
    count
}
