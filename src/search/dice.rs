//! What the drivers for games of dice share: the meaning of depth, iterative deepening, the
//! transposition table, and the conversion of values to probabilities.
//!
//! [`Depth`] counts the moves of seats; a throw costs none. A chain of throws without a move between
//! them is searched [`THROW_LIMIT`] long, then the position is evaluated. That limit is part of the
//! meaning of a depth, and the same in [`super::star2`], [`super::vector_expectimax`] and their
//! reference [`super::maxn`]. The table tells positions apart by their keys alone: the drivers that
//! use it do not suit a game that ends by repetition.

use super::deepening::Monitor;
use super::difficulty::Difficulty;
use super::player::{Bound, Choice, Info, Player, Report, Request, Score};
use super::value::{self, MAX_EVALUATION, MAX_PLY, WIN};
use crate::game::{Chance, Game, MAX_SEATS, Outcome, Seat, Situation, splitmix64};

/// The longest chain of throws that the players search.
pub const THROW_LIMIT: u32 = 3;

/// How deep a search is, or how much of its depth remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Moves of seats.
    pub moves: u32,
    /// Throws in a row.
    pub throws: u32,
    /// Plies until the game is drawn by their number; `None` if it never is.
    pub(super) plies: Option<usize>,
}

impl Depth {
    /// `moves` moves of seats, and chains of `throws` throws.
    #[must_use]
    pub const fn new(moves: u32, throws: u32) -> Self {
        Depth { moves, throws, plies: None }
    }

    /// `moves` moves of seats, and chains of [`THROW_LIMIT`] throws.
    #[must_use]
    pub const fn of_moves(moves: u32) -> Self {
        Self::new(moves, THROW_LIMIT)
    }

    /// The same in a game that is drawn after so many plies.
    pub(super) fn within(self, plies: Option<usize>) -> Self {
        Depth { plies, ..self }
    }

    /// What remains after a ply, chance included.
    pub(super) fn after_ply(self) -> Self {
        Depth { plies: self.plies.map(|plies| plies.saturating_sub(1)), ..self }
    }

    /// The result of a position that its rules do not end.
    pub(super) fn end<G: Game>(self, position: &G) -> Option<Outcome> {
        (self.plies == Some(0)).then(|| Outcome::draw(position.seats()))
    }

    /// What tells a position apart from itself with other plies left.
    fn salt(self) -> u64 {
        self.plies.map_or(0, |plies| splitmix64(plies as u64))
    }

    /// As one small number, for the table: it keeps values of different depths apart.
    pub(super) fn packed(self) -> u16 {
        (self.moves.min(255) << 8 | self.throws.min(255)) as u16
    }
}

/// A root move and its value.
pub(super) struct Root<M> {
    pub m: M,
    /// The value of the last finished depth for every seat; with two seats only the first is used.
    pub values: [f64; MAX_SEATS],
    /// Whether the value is exact; else it is only known to be no better than the best.
    pub exact: bool,
}

/// A search of one fixed depth.
pub(super) trait DiceSearch<G: Chance>: Send {
    /// Searches the root moves, in order, to a depth. The values of the best `lines` moves must be
    /// exact. `false` if the search was stopped; the values in `roots` are void then.
    fn search(
        &mut self,
        position: &G,
        roots: &mut [Root<G::Move>],
        depth: Depth,
        lines: usize,
        monitor: &mut Monitor<'_>,
    ) -> bool;

    /// The expected share of first place of each seat.
    fn shares(&self, position: &G, values: &[f64; MAX_SEATS]) -> Vec<f64>;

    /// Permille of the table in use.
    fn hashfull(&self) -> u16;

    /// Forgets all positions.
    fn forget(&mut self);
}

/// A player for games of dice, by iterative deepening.
pub struct DicePlayer<S>(pub(super) S);

impl<G: Chance, S: DiceSearch<G>> Player<G> for DicePlayer<S> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        choose(&mut self.0, situation, request, report)
    }

    fn new_game(&mut self) {
        self.0.forget();
    }
}

/// Iterative deepening until a limit is reached.
fn choose<G: Chance>(
    search: &mut impl DiceSearch<G>,
    situation: &Situation<G>,
    request: &Request<G::Move>,
    report: &mut dyn FnMut(Report<G::Move>),
) -> Option<Choice<G::Move>> {
    let seat = situation.seat()?;
    let position = situation.position();
    let (mut roots, single) = root_moves(position, request);
    let limits = &request.limits;
    let mut monitor = Monitor::new(limits, &request.control);
    let last = limits.depth.or(limits.mate).unwrap_or(MAX_PLY as u32).min(MAX_PLY as u32);
    let reach = Depth::of_moves(0).within(situation.plies_left());
    let lines = request.multi_pv.clamp(1, roots.len().max(1));
    let mut best = roots.first()?.m.clone();
    let mut reported = false;
    let (mut difficulty, mut changes) = (Difficulty::default(), 0);
    for depth in 1..=last {
        let done = search.search(
            position,
            &mut roots,
            Depth { moves: depth, ..reach },
            lines,
            &mut monitor,
        );
        if !done {
            break;
        }
        // A stable sort: of equal moves the first stays first.
        let value = |root: &Root<G::Move>| root.values[seat.index()];
        roots.sort_by(|a, b| b.exact.cmp(&a.exact).then(value(b).total_cmp(&value(a))));
        let mut score = Score::Cp(0);
        for (at, root) in roots.iter().take(lines).filter(|root| root.exact).enumerate() {
            let mut info = describe(search, position, seat, root);
            if at == 0 {
                score = info.score;
            }
            (info.depth, info.seldepth, info.multipv) = (depth, depth, at + 1);
            info.nodes = monitor.nodes;
            info.time = request.control.elapsed();
            report(Report::Info(info));
            reported = true;
        }
        let first = roots.first()?;
        changes += u64::from(first.m != best);
        best = first.m.clone();
        let scale = difficulty.after(changes, value::value(score, 0), None);
        let is_over = request.control.past_scaled_limit(limits, scale);
        if single || is_over || monitor.stopped {
            break;
        }
    }
    if !reported {
        report(Report::Info(unsearched(position, seat, &best, search)));
    }
    Some(Choice { best, ponder: None })
}

/// The allowed root moves, and whether only one is legal. A move that leads to the same position as
/// an allowed one counts as it.
fn root_moves<G: Game>(position: &G, request: &Request<G::Move>) -> (Vec<Root<G::Move>>, bool) {
    let after = |m: &G::Move| {
        let mut next = position.clone();
        next.play(m);
        next
    };
    let all = position.moves();
    let allowed: Option<Vec<G>> = request
        .search_moves
        .as_ref()
        .map(|list| list.iter().filter(|m| position.is_legal(m)).map(after).collect());
    let root = |m: G::Move| Root { m, values: [0.0; MAX_SEATS], exact: false };
    let chosen: Vec<_> = match &allowed {
        Some(list) => all.iter().filter(|m| list.contains(&after(m))).cloned().map(root).collect(),
        None => Vec::new(),
    };
    let single = all.len() == 1;
    let roots = if chosen.is_empty() { all.into_iter().map(root).collect() } else { chosen };
    (roots, single)
}

fn describe<G: Chance>(
    search: &impl DiceSearch<G>,
    position: &G,
    seat: Seat,
    root: &Root<G::Move>,
) -> Info<G::Move> {
    let shares = search.shares(position, &root.values);
    let mover = shares.get(seat.index()).copied().unwrap_or(0.5);
    let mut info = Info::new(0, centipawns(mover), vec![root.m.clone()]);
    let permille: Vec<u16> = shares.iter().map(|share| (share * 1000.0).round() as u16).collect();
    if position.seats() == 2 {
        let won = permille[seat.index()];
        info.wdl = Some([won, 0, 1000 - won.min(1000)]);
    } else {
        info.shares = Some(permille);
    }
    info.hashfull = search.hashfull();
    info.bound = Bound::Exact;
    info
}

/// The report when no depth was finished: equal chances.
fn unsearched<G: Chance>(
    position: &G,
    seat: Seat,
    best: &G::Move,
    search: &impl DiceSearch<G>,
) -> Info<G::Move> {
    let root = Root { m: best.clone(), values: [0.0; MAX_SEATS], exact: true };
    describe(search, position, seat, &root)
}

/// A probability of first place as a score: 400 log10(p / (1 - p)), clipped at 9999.
#[must_use]
pub fn centipawns(probability: f64) -> Score {
    let probability = probability.clamp(0.0, 1.0);
    let odds = probability / (1.0 - probability).max(1e-300);
    let value = if odds > 0.0 { 400.0 * libm::log10(odds) } else { -9999.0 };
    Score::Cp(libm::round(value.clamp(-9999.0, 9999.0)) as i32)
}

/// The greatest value of an evaluation or an outcome with two seats.
pub(super) fn value_limit<G: Game, E: super::Evaluate<G>>(evaluator: &E) -> f64 {
    let won = evaluator.outcome_score(&Outcome::win(2, Seat::new(0)), Seat::new(0));
    won.abs().max(f64::from(MAX_EVALUATION)).min(f64::from(WIN))
}

/// An entry of an [`ExactTable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<V> {
    key: u64,
    pub value: V,
    /// [`Depth::packed`].
    depth: u16,
    pub bound: Bound,
    /// The tag of the best move.
    pub tag: u16,
    used: bool,
}

/// Entries of a table that are allocated together.
const CHUNK: usize = 512;

/// A transposition table with whole keys and values that are not rounded, owned by one search. A new
/// entry always replaces the old one in its slot.
///
/// Memory is taken as it is needed: to write a large table before the first search would keep a `stop`
/// waiting.
pub(super) struct ExactTable<V> {
    /// The empty ones have no entries.
    chunks: Vec<Box<[Entry<V>]>>,
    size: usize,
    used: usize,
}

impl<V: Copy + Default> ExactTable<V> {
    /// A table of `mebibytes` MiB; 0 for none.
    pub(super) fn new(mebibytes: usize) -> Self {
        let mut size = mebibytes.saturating_mul(1 << 20) / size_of::<Entry<V>>();
        let mut chunks = Vec::new();
        if chunks.try_reserve_exact(size.div_ceil(CHUNK)).is_ok() {
            chunks.resize_with(size.div_ceil(CHUNK), Box::default);
        } else {
            log::warn!("no memory for a table of {mebibytes} MiB");
            size = 0;
        }
        ExactTable { chunks, size, used: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| *chunk = Box::default());
        self.used = 0;
    }

    /// The chunk of a position, and its place there.
    fn slot(&self, key: u64, depth: Depth) -> (usize, usize) {
        let mixed = key ^ u64::from(depth.packed()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = crate::game::multiply_shift(mixed, self.size as u64) as usize;
        (slot / CHUNK, slot % CHUNK)
    }

    /// The entry of a position at exactly this depth.
    pub(super) fn probe(&self, key: u64, depth: Depth) -> Option<&Entry<V>> {
        let key = key ^ depth.salt();
        let (chunk, place) = self.slot(key, depth);
        let entry = self.chunks.get(chunk)?.get(place)?;
        (entry.used && entry.key == key && entry.depth == depth.packed()).then_some(entry)
    }

    /// Stores an entry; where memory is short, it is forgotten.
    pub(super) fn store(&mut self, key: u64, depth: Depth, value: V, bound: Bound, tag: u16) {
        let key = key ^ depth.salt();
        let (chunk, place) = self.slot(key, depth);
        let Some(chunk) = self.chunks.get_mut(chunk) else { return };
        if chunk.is_empty() {
            *chunk = empty_chunk();
        }
        if let Some(entry) = chunk.get_mut(place) {
            self.used += usize::from(!entry.used);
            *entry = Entry { key, value, depth: depth.packed(), bound, tag, used: true };
        }
    }

    /// Permille in use.
    pub(super) fn full(&self) -> u16 {
        match self.size {
            0 => 0,
            size => (self.used * 1000 / size) as u16,
        }
    }
}

/// A chunk without entries in use; none where memory is short.
fn empty_chunk<V: Copy + Default>() -> Box<[Entry<V>]> {
    let bound = Bound::Exact;
    let empty = Entry { key: 0, value: V::default(), depth: 0, bound, tag: 0, used: false };
    let mut entries = Vec::new();
    if entries.try_reserve_exact(CHUNK).is_ok() {
        entries.resize(CHUNK, empty);
    }
    entries.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_follow_the_odds() {
        assert_eq!(centipawns(0.5), Score::Cp(0));
        assert_eq!(centipawns(10.0 / 11.0), Score::Cp(400));
        assert_eq!(centipawns(1.0 / 11.0), Score::Cp(-400));
        assert_eq!(centipawns(1.0), Score::Cp(9999));
        assert_eq!(centipawns(0.0), Score::Cp(-9999));
    }

    #[test]
    fn a_table_finds_what_it_stored_and_takes_no_memory_before() {
        let depth = Depth::new(3, 1);
        let mut table = ExactTable::<f64>::new(1);
        assert!(table.chunks.len() > 20 && table.chunks.iter().all(|chunk| chunk.is_empty()));
        assert!(table.probe(0, depth).is_none());
        for key in (0..1_000u64).map(|n| n << 54) {
            table.store(key, depth, key as f64, Bound::Lower, 7);
            assert_eq!(table.probe(key, depth).map(|entry| entry.value), Some(key as f64));
            assert!(table.probe(key, Depth::new(2, 1)).is_none());
        }
        let used = table.used;
        assert!(used > 900 && table.full() > 0);
        for key in (0..1_000u64).map(|n| n << 54) {
            table.store(key, depth, 0.0, Bound::Upper, 0);
        }
        assert_eq!(table.used, used, "the same positions take no more of it");
        table.clear();
        assert!(table.full() == 0 && table.probe(0, depth).is_none());
        let mut none = ExactTable::<f64>::new(0);
        none.store(1, depth, 1.0, Bound::Exact, 0);
        assert!(none.probe(1, depth).is_none());
    }
}
