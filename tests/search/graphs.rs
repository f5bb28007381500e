//! Every driver on graphs: equal to a plain reference of the same depth, and right about what is
//! forced.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor::game::{Game, MAX_SEATS, Outcome, Random, Seat, Situation, Turn};
use parlor::search::alpha_beta::alpha_beta;
use parlor::search::dice::{Depth, THROW_LIMIT, centipawns};
use parlor::search::maxn::maxn;
use parlor::search::star2::star2;
use parlor::search::value::{WIN, clip, outcome_value, score, value};
use parlor::search::vector_expectimax::vector_expectimax;
use parlor::search::{
    AlphaBetaPlayer, BestReplyPlayer, Bound, Control, Evaluate, Greedy, Info, KnownValue, Ladder,
    LevelPlayer, Limits, MaxNPlayer, MctsConfig, MctsPlayer, MoveKinds, Player, PvsConfig,
    PvsPlayer, Quiescence, Report, Request, Score, SearchHints, Settings, Star2Player, Strength,
    VectorExpectimaxPlayer,
};

use crate::graph::{
    FirstMove, Graph, LABELS, Labels, Owner, Place, Shape, Vertex, first, random, second, vertex,
    won,
};
use crate::wander::wander;

pub const TWO: Shape =
    Shape { seats: 2, vertices: 12, cycles: true, ends: 9, chance: 0, alternating: false };

fn staged_pvs(config: PvsConfig, hash: usize, staged: bool) -> PvsPlayer<Place, Labels> {
    PvsPlayer::new(Labels { staged }, config, &Settings { hash, threads: 0, ..Settings::default() })
}

pub fn pvs(config: PvsConfig, hash: usize) -> PvsPlayer<Place, Labels> {
    staged_pvs(config, hash, false)
}

/// The move of a player and all its reports.
pub fn ask(
    player: &mut dyn Player<Place>,
    situation: &Situation<Place>,
    request: &Request<u16>,
) -> (u16, Vec<Info<u16>>) {
    let mut infos = Vec::new();
    let choice = player.choose(situation, request, &mut |report| {
        if let Report::Info(info) = report {
            infos.push(info);
        }
    });
    (choice.expect("a move").best, infos)
}

/// The move of a player and its last report.
pub fn answer(
    player: &mut dyn Player<Place>,
    situation: &Situation<Place>,
    limits: Limits,
) -> (u16, Info<u16>) {
    let (m, mut infos) = ask(player, situation, &Request::new(limits));
    (m, infos.pop().expect("an info"))
}

/// Which parts of the pruned search a [`Reference`] has.
#[derive(Clone, Copy, Default)]
struct Parts {
    quiescence: bool,
    known_values: bool,
    extensions: i32,
}

/// Minimax for two seats without windows, with the whole history in a list.
struct Reference {
    parts: Parts,
    history: Vec<u64>,
    root_depth: i32,
}

impl Reference {
    fn new(situation: &Situation<Place>, parts: Parts, depth: i32) -> Self {
        let history = situation.history().keys().to_vec();
        Reference { parts, history, root_depth: depth }
    }

    /// The value of each move of a situation for its seat.
    fn moves(situation: &Situation<Place>, parts: Parts, depth: i32) -> HashMap<u16, i32> {
        let place = situation.position();
        let mut reference = Reference::new(situation, parts, depth);
        place.moves().into_iter().map(|m| (m, reference.after(place, m, depth, 0, None))).collect()
    }

    /// The value of a move for the seat that makes it. `quiet`: the plies below the last full one.
    fn after(&mut self, place: &Place, m: u16, depth: i32, ply: i32, quiet: Option<u32>) -> i32 {
        let seat = place.turn().seat().expect("a mover");
        let next = place.after(m);
        let occurred = self.history.iter().filter(|key| **key == next.key()).count();
        let repetition = if occurred >= 2 { next.repetition() } else { None };
        if let Some(end) = next.outcome().or(repetition) {
            return outcome_value(&end, seat, ply as usize + 1);
        }
        self.history.push(next.key());
        let value = match quiet {
            Some(plies) => self.quiescence(&next, ply + 1, plies + 1),
            None => self.node(&next, depth - 1, ply + 1),
        };
        self.history.pop();
        if next.turn().seat() == Some(seat) { value } else { -value }
    }

    fn known(&self, place: &Place, ply: i32) -> Option<i32> {
        let known = place.vertex().known.filter(|_| self.parts.known_values)?;
        Some(value(known.score, ply as usize))
    }

    fn node(&mut self, place: &Place, mut depth: i32, ply: i32) -> i32 {
        let (most, moves) = (self.parts.extensions, place.moves());
        if place.vertex().forced && moves.len() as i32 <= most && ply < 2 * self.root_depth {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence(place, ply, 0);
        }
        if let Some(value) = self.known(place, ply) {
            return value;
        }
        moves.iter().map(|m| self.after(place, *m, depth, ply, None)).max().expect("a move")
    }

    fn quiescence(&mut self, place: &Place, ply: i32, plies: u32) -> i32 {
        if let Some(value) = self.known(place, ply) {
            return value;
        }
        let seat = place.turn().seat().expect("a mover");
        let still = LABELS.score(&(), place, seat);
        let kind = if self.parts.quiescence {
            LABELS.quiescence(place, plies)
        } else {
            Quiescence::Static
        };
        let (moves, still) = match kind {
            Quiescence::Static => (Vec::new(), Some(still)),
            Quiescence::Noisy => (place.vertex().noisy.clone(), Some(still)),
            Quiescence::All => (place.moves(), None),
        };
        let searched: Vec<i32> =
            moves.iter().map(|m| self.after(place, *m, 0, ply, Some(plies))).collect();
        searched.into_iter().chain(still).max().expect("a value")
    }
}

/// The value at the end of a line for the seat to move, if the line is legal and searched to the end.
fn value_of_line(situation: &Situation<Place>, line: &[u16]) -> i32 {
    let seat = situation.seat().expect("a mover");
    let mut situation = situation.clone();
    for m in line {
        assert!(situation.position().is_legal(m), "{m} of {line:?} in {situation:?}");
        assert!(situation.outcome().is_none(), "{line:?} goes on after the end in {situation:?}");
        situation.play(m);
    }
    match situation.outcome() {
        Some(end) => outcome_value(&end, seat, line.len()),
        None => LABELS.score(&(), situation.position(), seat),
    }
}

/// Lines of full-width searches with these parts are exactly those of the reference, move by move.
fn equals_reference(
    config: &PvsConfig,
    parts: Parts,
    hashes: &[usize],
    seeds: u64,
    start: impl Fn(u64) -> Place,
) {
    for seed in 0..seeds {
        let situation = wander(&start(seed), seed, 16);
        let place = situation.position();
        if place.count_moves() == 1 {
            continue;
        }
        for hash in hashes {
            let mut player = staged_pvs(config.clone(), *hash, seed % 2 == 0);
            for depth in 1..=5 {
                let expected = Reference::moves(&situation, parts, depth as i32);
                let mut request = Request::new(Limits::depth(depth));
                request.multi_pv = 1 + (seed % 3) as usize;
                let (best, infos) = ask(&mut player, &situation, &request);
                let lines = request.multi_pv.min(expected.len());
                let last = &infos[infos.len() - lines..];
                let mut values: Vec<i32> = expected.values().copied().collect();
                values.sort_unstable_by_key(|value| -value);
                assert_eq!(best, last[0].pv[0]);
                for (index, info) in last.iter().enumerate() {
                    let case = format!("{situation:?} at {depth}, {hash} MiB: {info:?}");
                    assert_eq!(info.score, score(values[index]), "{case}");
                    assert_eq!(info.score, score(expected[&info.pv[0]]), "{case}");
                    assert_eq!((info.multipv, info.bound), (index + 1, Bound::Exact), "{case}");
                    assert_eq!(info.depth, depth, "{case}");
                    if *hash == 0 && !parts.known_values {
                        assert_eq!(
                            score(value_of_line(&situation, &info.pv)),
                            info.score,
                            "{case}"
                        );
                    }
                }
                let first: BTreeSet<u16> = last.iter().map(|info| info.pv[0]).collect();
                assert_eq!(first.len(), lines);
            }
        }
    }
}

#[test]
fn full_width_is_minimax_for_every_line() {
    for aspiration in [0, 1, 25, 400] {
        let config = PvsConfig { aspiration, ..PvsConfig::full_width() };
        equals_reference(&config, Parts::default(), &[0, 1], 60, labelled);
        let alternating = Shape { alternating: true, ..TWO };
        equals_reference(&config, Parts::default(), &[0, 1], 30, |seed| random(seed, alternating));
    }
}

/// Random noisy moves, threats and known values on a random graph.
fn labelled(seed: u64) -> Place {
    let mut dice = Random::new(seed);
    random(seed, TWO).with(|vertices| {
        for vertex in vertices.iter_mut().filter(|vertex| !vertex.to.is_empty()) {
            vertex.forced = dice.below(3) == 0;
            vertex.noisy = vertex.to.iter().copied().filter(|_| dice.below(2) == 0).collect();
            vertex.quiescence = match dice.below(4) {
                0 => Quiescence::Static,
                1 => Quiescence::All,
                _ => Quiescence::Noisy,
            };
            let known = match dice.below(12) {
                0 => Some(Score::Mate(1 + dice.below(6) as i32)),
                1 => Some(Score::Mate(-2 - dice.below(6) as i32)),
                2 => Some(Score::Cp(dice.below(600) as i32 - 300)),
                _ => None,
            };
            vertex.known = known.map(|score| KnownValue { score, bound: Bound::Exact });
        }
    })
}

#[test]
fn quiescence_is_its_definition() {
    let config = PvsConfig { quiescence: true, ..PvsConfig::full_width() };
    let parts = Parts { quiescence: true, ..Parts::default() };
    equals_reference(&config, parts, &[0, 1], 80, labelled);
}

#[test]
fn known_values_count_from_where_they_are_known() {
    let config = PvsConfig { known_values: true, quiescence: true, ..PvsConfig::full_width() };
    let parts = Parts { known_values: true, quiescence: true, ..Parts::default() };
    equals_reference(&config, parts, &[0, 1], 80, labelled);
}

#[test]
fn extensions_are_one_ply_within_twice_the_depth() {
    for extensions in [1, 2, 3] {
        let config = PvsConfig { extensions, ..PvsConfig::full_width() };
        let parts = Parts { extensions, ..Parts::default() };
        equals_reference(&config, parts, &[0], 50, labelled);
    }
}

#[test]
fn alpha_beta_is_minimax_on_graphs() {
    for seed in 0..150 {
        let situation = wander(&random(seed, TWO), seed, 16);
        for depth in 1..=5 {
            let expected = Reference::moves(&situation, Parts::default(), depth);
            let best = *expected.values().max().expect("a move");
            assert_eq!(alpha_beta(&situation, LABELS, depth as u32), best, "{situation:?}");
            let mut player = AlphaBetaPlayer::new(LABELS);
            let (m, info) = answer(&mut player, &situation, Limits::depth(depth as u32));
            assert_eq!((info.score, expected[&m]), (score(best), best), "{situation:?}");
            assert_eq!(m, info.pv[0]);
            if situation.position().count_moves() > 1 {
                assert_eq!(value_of_line(&situation, &info.pv), best, "{situation:?}");
            }
        }
    }
}

/// Several lines are those of the last depth that was finished, whenever the nodes end.
#[test]
fn the_lines_of_a_search_out_of_nodes_are_of_one_depth() {
    for seed in 0..12 {
        let situation = wander(&random(seed, TWO), seed, 16);
        if situation.position().count_moves() == 1 {
            continue;
        }
        let values: Vec<_> =
            (1..5).map(|depth| Reference::moves(&situation, Parts::default(), depth)).collect();
        for nodes in (40..700).step_by(13) {
            let mut request = Request::new(Limits { depth: Some(4), ..Limits::nodes(nodes) });
            request.multi_pv = 2;
            let (_, infos) = ask(&mut pvs(PvsConfig::full_width(), 0), &situation, &request);
            // In the first depth there may be one line.
            if infos.iter().all(|info| info.multipv == 1) {
                continue;
            }
            let last = &infos[infos.len() - 2..];
            assert_eq!((last[0].multipv, last[1].multipv), (1, 2), "{nodes} nodes");
            assert_eq!(last[0].depth, last[1].depth, "{nodes} nodes: {situation:?}");
            for info in last {
                let value = values[info.depth as usize - 1][&info.pv[0]];
                assert_eq!(info.score, score(value), "{nodes} nodes: {situation:?}");
            }
        }
    }
}

/// Where every move is a line, each has the last value that was found of it, also by a depth that was
/// not finished.
#[test]
fn where_all_lines_are_wanted_each_has_its_last_value() {
    let config = PvsConfig { aspiration: 0, ..PvsConfig::full_width() };
    let mut of_two_depths = 0;
    for seed in 0..12 {
        let situation = wander(&random(seed, TWO), seed, 16);
        let moves = situation.position().moves();
        if moves.len() == 1 {
            continue;
        }
        let values: Vec<_> =
            (1..5).map(|depth| Reference::moves(&situation, Parts::default(), depth)).collect();
        for nodes in (40..700).step_by(13) {
            let mut request = Request::new(Limits { depth: Some(4), ..Limits::nodes(nodes) });
            request.multi_pv = usize::MAX;
            let (_, infos) = ask(&mut pvs(config.clone(), 0), &situation, &request);
            let last = |m: &u16| infos.iter().rfind(|info| info.pv[0] == *m);
            let lines: Vec<_> = moves.iter().filter_map(last).collect();
            for info in lines.iter().filter(|info| info.depth > 0) {
                let value = values[info.depth as usize - 1][&info.pv[0]];
                assert_eq!(info.score, score(value), "{nodes} nodes: {situation:?}");
            }
            of_two_depths += u32::from(lines.iter().any(|line| line.depth != lines[0].depth));
        }
    }
    assert!(of_two_depths > 20, "{of_two_depths} searches");
}

/// Once no win within so many plies is left, the search for one is over.
#[test]
fn a_win_that_is_ruled_out_is_sought_no_longer() {
    let vertices = random(3, Shape { ends: u64::MAX, ..TWO }).graph.vertices.clone();
    let situation = Situation::new(Graph::without_repetition(2, vertices));
    let limits = Limits { mate: Some(3), ..Limits::nodes(20 * GUARD) };
    let mut player = pvs(PvsConfig::default(), 1);
    let (_, info) = answer(&mut player, &situation, limits);
    assert!(info.nodes < GUARD / 4, "{} nodes", info.nodes);
}

/// The table knows positions from searches with other plies left.
#[test]
fn full_width_is_alpha_beta_where_the_plies_run_out() {
    for seed in 0..40 {
        let open = wander(&random(seed, TWO), seed, 16);
        if open.position().count_moves() == 1 {
            continue;
        }
        let played = open.history().keys().len() - 1;
        for hash in [0, 1] {
            let mut player = pvs(PvsConfig::full_width(), hash);
            for (depth, plies) in (1..=5).flat_map(|depth| [1, 4, 2, 5, 3].map(|n| (depth, n))) {
                let situation = open.clone().drawn_after(played + plies);
                let expected = score(alpha_beta(&situation, LABELS, depth));
                let (_, info) = answer(&mut player, &situation, Limits::depth(depth));
                assert_eq!(info.score, expected, "{depth} of {plies} plies, {hash}: {situation:?}");
                if hash == 0 {
                    assert_eq!(score(value_of_line(&situation, &info.pv)), expected, "{info:?}");
                }
            }
        }
    }
}

/// What a search reports that its nodes end is still the value of its move at the depth that it names,
/// which need not be complete.
#[test]
fn a_search_out_of_nodes_reports_a_value_of_its_move() {
    let mut unfinished = 0;
    for seed in 0..20 {
        let situation = wander(&random(seed, TWO), seed, 16);
        if situation.position().count_moves() == 1 {
            continue;
        }
        let values: Vec<_> =
            (1..6).map(|depth| Reference::moves(&situation, Parts::default(), depth)).collect();
        for nodes in (1..900).step_by(11) {
            let narrow = PvsConfig { aspiration: 1, ..PvsConfig::full_width() };
            let mut players: [(&str, Box<dyn Player<Place>>); 2] = [
                ("pvs", Box::new(pvs(narrow, 0))),
                ("alpha-beta", Box::new(AlphaBetaPlayer::new(LABELS))),
            ];
            for (name, player) in &mut players {
                let limits = Limits { depth: Some(5), ..Limits::nodes(nodes) };
                let (m, infos) = ask(player.as_mut(), &situation, &Request::new(limits));
                assert!(infos.is_sorted_by_key(|info| info.depth), "{name} {nodes} {infos:?}");
                let info = infos.last().expect("an info");
                assert!(info.nodes <= nodes, "{name}");
                assert_eq!(info.pv[0], m, "{name}");
                if info.depth > 0 {
                    let values = &values[info.depth as usize - 1];
                    assert_eq!(info.score, score(values[&m]), "{name} {nodes} {info:?}");
                    unfinished += u32::from(values.values().any(|better| *better > values[&m]));
                }
            }
        }
    }
    assert!(unfinished > 20, "{unfinished}");
}

/// The least number of plies in which each vertex can be won, positive, or must be lost, negative, by
/// its seat. Found backwards from the ends, without a search.
fn solved(place: &Place) -> HashMap<u16, i32> {
    let vertices = &place.graph.vertices;
    let mut solved = HashMap::new();
    for distance in 1..=vertices.len() as i32 + 1 {
        let mut found = Vec::new();
        for at in (0..vertices.len() as u16).filter(|at| !solved.contains_key(at)) {
            let Owner::Seat(seat) = vertices[at as usize].owner else { continue };
            // For the seat of `at`: greater than 0 won, less lost.
            let outcomes: Vec<Option<i32>> = place
                .after(at)
                .moves()
                .iter()
                .map(|m| match &vertices[*m as usize].owner {
                    Owner::End(end) => Some(outcome_value(end, Seat::new(seat), 0)),
                    Owner::Seat(next) => {
                        solved.get(m).map(|plies: &i32| if *next == seat { *plies } else { -plies })
                    }
                    Owner::Chance => None,
                })
                .collect();
            if outcomes.iter().any(|outcome| outcome.is_some_and(|value| value > 0)) {
                found.push((at, distance));
            } else if outcomes.iter().all(|outcome| outcome.is_some_and(|value| value < 0)) {
                found.push((at, -distance));
            }
        }
        solved.extend(found);
    }
    solved
}

/// With draws by a second occurrence and values of the table from any depth, every forced end is
/// found as soon as the depth reaches it: no draw that only another line has hides it.
#[test]
fn repetitions_of_other_lines_hide_no_forced_end() {
    let config =
        PvsConfig { second_occurrence: true, deeper_entries: true, ..PvsConfig::full_width() };
    let mut ends = 0;
    for alternating in [false, true] {
        let shape = Shape { vertices: 14, ends: 6, alternating, ..TWO };
        for seed in 0..100 {
            let start = random(seed, shape);
            let solved = solved(&start);
            let mut player = pvs(config.clone(), 1);
            for at in 0..shape.vertices as u16 {
                let situation = Situation::new(start.after(at));
                if situation.position().count_moves() == 1 {
                    continue;
                }
                let (m, info) = answer(&mut player, &situation, Limits::depth(8));
                let truth = solved.get(&at).copied().filter(|plies| plies.abs() <= 8);
                let claimed = match info.score {
                    Score::Mate(plies) => Some(plies),
                    Score::Cp(_) => None,
                };
                assert_eq!(claimed.map(i32::signum), truth.map(i32::signum), "{m}: {situation:?}");
                ends += u32::from(truth.is_some());
            }
        }
    }
    assert!(ends > 400, "{ends} ends");
}

/// Null moves that lead anywhere the other seat moves, and labels whose threats are searched in full.
fn with_passes(start: &Place, seed: u64) -> Place {
    let mut dice = Random::new(seed);
    start.with(|vertices| {
        let owners: Vec<Owner> = vertices.iter().map(|vertex| vertex.owner.clone()).collect();
        for vertex in vertices.iter_mut() {
            let Owner::Seat(seat) = vertex.owner else { continue };
            let others: Vec<u16> = (0..owners.len() as u16)
                .filter(|at| owners[*at as usize] == Owner::Seat(1 - seat))
                .collect();
            if !others.is_empty() && dice.below(4) > 0 {
                vertex.pass = Some(others[dice.below(others.len() as u64) as usize]);
            }
            vertex.forced = dice.below(4) == 0;
            if vertex.forced {
                vertex.quiescence = Quiescence::All;
            } else if dice.below(2) == 0 {
                vertex.quiescence = Quiescence::Noisy;
                vertex.noisy = vertex.to[..1].to_vec();
            }
        }
    })
}

#[test]
fn every_forced_end_claimed_on_a_graph_is_one() {
    let configs = [
        PvsConfig::default(),
        PvsConfig { null_move: 1, ..PvsConfig::full_width() },
        PvsConfig { null_move: 1, aspiration: 0, deeper_entries: true, ..PvsConfig::full_width() },
        PvsConfig { singular: 2, singular_margin: 30, ..PvsConfig::default() },
        PvsConfig {
            improving: true,
            continuation: true,
            variant_depth: 20,
            variant_base: 0,
            variant_slope: 0,
            variant_reduction: 300,
            ..PvsConfig::default()
        },
        PvsConfig {
            late_move_pruning_base: 1,
            late_move_pruning_slope: 0,
            late_move_pruning_depth: 20,
            futility: 1,
            futility_depth: 20,
            reverse_futility: 1,
            reverse_futility_depth: 20,
            reduction_base: 300,
            null_move: 1,
            ..PvsConfig::default()
        },
    ];
    let mut claims = 0;
    for (number, config) in configs.into_iter().enumerate() {
        for seed in 0..50 {
            let shape = Shape { vertices: 16, ends: 5, alternating: seed % 2 == 0, ..TWO };
            let start = with_passes(&random(seed + 1_000 * number as u64, shape), seed);
            let solved = solved(&start);
            let mut player = staged_pvs(config.clone(), 1, seed % 4 < 2);
            for at in 0..shape.vertices as u16 {
                let situation = Situation::new(start.after(at));
                if situation.position().count_moves() == 1 {
                    continue;
                }
                let (m, info) = answer(&mut player, &situation, Limits::depth(7));
                assert!(situation.position().is_legal(&m));
                let Score::Mate(plies) = info.score else { continue };
                claims += 1;
                let Some(known) = solved.get(&at) else {
                    panic!("no end is forced: {info:?} in {situation:?}");
                };
                assert_eq!(known.signum(), plies.signum(), "{info:?} in {situation:?}");
                assert!(plies < 0 || plies >= *known, "sooner than can be: {situation:?}");
                if plies > 0 {
                    let next = start.after(m);
                    let wins = match next.outcome() {
                        Some(end) => end.place(situation.seat().expect("a mover")) == 1,
                        None => {
                            let same = next.turn().seat() == situation.seat();
                            solved.get(&m).is_some_and(|plies| (*plies > 0) == same)
                        }
                    };
                    assert!(wins, "{m} does not win: {situation:?}");
                }
            }
        }
    }
    assert!(claims > 400, "{claims} claims");
}

/// Max^n and expectation by their definition, with the whole history in a list.
fn naive_values(
    place: &Place,
    history: &mut Vec<u64>,
    moves: u32,
    throws: u32,
    limit: u32,
) -> [f64; 4] {
    let after = |m: u16, history: &mut Vec<u64>, moves, throws| {
        let next = place.after(m);
        let occurred = history.iter().filter(|key| **key == next.key()).count();
        let repetition = if occurred >= 2 { next.repetition() } else { None };
        if let Some(end) = next.outcome().or(repetition) {
            return shares(&end).map(|share| f64::from(WIN) * (2.0 * share - 1.0));
        }
        history.push(next.key());
        let values = naive_values(&next, history, moves, throws, limit);
        history.pop();
        values
    };
    match place.turn() {
        Turn::Seat(seat) if moves > 0 => {
            let better = |a: &[f64; 4], b: &[f64; 4]| b[seat.index()] > a[seat.index()];
            let all = place.moves().into_iter().map(|m| after(m, history, moves - 1, limit));
            // The first of equal moves.
            all.reduce(|a, b| if better(&a, &b) { b } else { a }).expect("moves")
        }
        Turn::Chance { .. } if moves > 0 && throws > 0 => {
            let vertex = place.vertex();
            let total: u64 = vertex.weights.iter().sum();
            let mut mean = [0.0; 4];
            for (m, weight) in vertex.to.iter().zip(&vertex.weights) {
                let values = after(*m, history, moves, throws - 1);
                for (sum, value) in mean.iter_mut().zip(values) {
                    *sum += value * *weight as f64;
                }
            }
            // In this order, so that equal means are equal numbers.
            mean.map(|sum| sum / total as f64)
        }
        _ => place.vertex().scores.map(f64::from),
    }
}

/// The shares of first place; beyond the seats of the game 0.5, so that they have the value 0.
fn shares(outcome: &Outcome) -> [f64; 4] {
    let mut shares = [0.5; 4];
    for seat in Seat::all(outcome.places().len()) {
        shares[seat.index()] = outcome.share(seat);
    }
    shares
}

fn assert_close(found: &[f64], expected: &[f64], case: &str) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} for {expected}: {case}");
    }
}

/// A random graph on which many moves are equal.
fn with_ties(place: &Place) -> Place {
    place.with(|vertices| {
        for score in vertices.iter_mut().flat_map(|vertex| &mut vertex.scores) {
            *score = *score / 100 * 100;
        }
    })
}

#[test]
fn max_n_is_its_definition_when_positions_repeat() {
    for seats in 2..=4 {
        for seed in 0..80 {
            let shape = Shape { seats, vertices: 7, chance: 5 * (seed % 2), ends: 12, ..TWO };
            let start = random(seed, shape);
            let start = if seed % 4 < 2 { with_ties(&start) } else { start };
            let situation = wander(&start, seed, 24);
            let mut history = situation.history().keys().to_vec();
            for moves in 0..=4 {
                let limit = 1 + (seed % 3) as u32;
                let depth = Depth::new(moves, limit);
                let found = maxn(&situation, LABELS, depth);
                let place = situation.position();
                let expected = naive_values(place, &mut history, moves, limit, limit);
                assert_close(&found, &expected, &format!("{situation:?} at {moves}"));
            }
            let Some(seat) = situation.seat() else { continue };
            for moves in 1..=4 {
                let (m, info) =
                    answer(&mut MaxNPlayer::new(LABELS), &situation, Limits::depth(moves));
                let mut values = HashMap::new();
                for m in situation.position().moves() {
                    let next = situation.position().after(m);
                    let occurred = history.iter().filter(|key| **key == next.key()).count();
                    let end = next.outcome().or(next.repetition().filter(|_| occurred >= 2));
                    let value = match end {
                        Some(end) => shares(&end).map(|share| f64::from(WIN) * (2.0 * share - 1.0)),
                        None => {
                            history.push(next.key());
                            let values = naive_values(
                                &next,
                                &mut history,
                                moves - 1,
                                THROW_LIMIT,
                                THROW_LIMIT,
                            );
                            history.pop();
                            values
                        }
                    };
                    values.insert(m, value[seat.index()]);
                }
                let best = values.values().copied().fold(f64::MIN, f64::max);
                assert!(values[&m] > best - 1e-6, "{m}: {values:?} in {situation:?}");
                assert_eq!(info.score, score(clip(best.round() as i32)), "{situation:?}");
            }
        }
    }
}

#[test]
fn star2_and_vector_expectimax_are_max_n_on_graphs_without_repetition() {
    for seats in 2..=4 {
        for seed in 0..60 {
            let shape = Shape { seats, cycles: false, chance: 3, ends: 7, vertices: 14, ..TWO };
            let start = random(seed, shape);
            let start = if seed % 4 == 0 { with_ties(&start) } else { start };
            for at in 0..6 {
                let place = start.after(at);
                for moves in 0..=5 {
                    let limit = 1 + (seed % 3) as u32;
                    let depth = Depth::new(moves, limit);
                    let expected = naive_values(&place, &mut Vec::new(), moves, limit, limit);
                    for hash in [0, 1] {
                        let case = format!("{place:?} at {moves}, {hash} MiB");
                        if seats == 2 {
                            let (found, _) = star2(&place, LABELS, depth, hash);
                            assert_close(&[found], &expected, &case);
                        }
                        let found = vector_expectimax(&place, LABELS, depth, hash);
                        assert_close(&found, &expected[..seats], &case);
                    }
                }
            }
        }
    }
}

/// Every line of the players for dice is exact, in order, also from a table that earlier searches have
/// filled, and when the nodes end in the middle of a depth.
#[test]
fn players_of_dice_report_exact_lines_in_order() {
    for seed in 0..60 {
        let shape = Shape { cycles: false, chance: 3, ends: 7, vertices: 14, ..TWO };
        let start = random(seed, shape);
        for hash in [0, 1] {
            let mut players: [Box<dyn Player<Place>>; 2] = [
                Box::new(Star2Player::new(LABELS, hash)),
                Box::new(VectorExpectimaxPlayer::new(LABELS, hash)),
            ];
            for (at, nodes) in (0..5u16).flat_map(|at| [3, 17, 60, 10_000].map(|nodes| (at, nodes)))
            {
                let place = start.after(at);
                let Some(seat) = place.turn().seat() else { continue };
                let situation = Situation::new(place.clone());
                for player in &mut players {
                    let mut request =
                        Request::new(Limits { depth: Some(4), ..Limits::nodes(nodes) });
                    request.multi_pv = 1 + (seed % 3) as usize;
                    let (m, infos) = ask(player.as_mut(), &situation, &request);
                    let last = infos.last().expect("an info");
                    assert!(last.nodes <= nodes);
                    let lines = request.multi_pv.min(place.moves().len());
                    if last.depth == 0 {
                        continue;
                    }
                    let values: HashMap<u16, f64> = place
                        .moves()
                        .into_iter()
                        .map(|m| {
                            let next = place.after(m);
                            let values = match next.outcome() {
                                Some(end) => {
                                    shares(&end).map(|share| f64::from(WIN) * (2.0 * share - 1.0))
                                }
                                None => naive_values(
                                    &next,
                                    &mut Vec::new(),
                                    last.depth - 1,
                                    THROW_LIMIT,
                                    THROW_LIMIT,
                                ),
                            };
                            (m, values[seat.index()])
                        })
                        .collect();
                    let mut sorted: Vec<f64> = values.values().copied().collect();
                    sorted.sort_by(|a, b| b.total_cmp(a));
                    let final_lines = &infos[infos.len() - lines..];
                    assert_eq!(m, final_lines[0].pv[0]);
                    for (index, info) in final_lines.iter().enumerate() {
                        let case = format!("{info:?}: {values:?} of {place:?}");
                        assert_eq!((info.multipv, info.depth), (index + 1, last.depth), "{case}");
                        for value in [sorted[index], values[&info.pv[0]]] {
                            let found = centipawns(0.5 + value / f64::from(2 * WIN));
                            let (Score::Cp(found), Score::Cp(told)) = (found, info.score) else {
                                panic!("no probability: {case}");
                            };
                            assert!(found.abs_diff(told) <= 1, "{found}: {case}");
                        }
                    }
                }
            }
        }
    }
}

/// Best-reply search by its definition, with the history in a list.
fn best_reply(
    place: &Place,
    me: Seat,
    replied: bool,
    depth: u32,
    history: &mut Vec<(u64, bool)>,
    ply: usize,
) -> i32 {
    if depth == 0 {
        return LABELS.score(&(), place, me);
    }
    let mine = place.turn().seat() == Some(me);
    let likely = place.moves()[0];
    let moves = place.moves().into_iter().filter(|m| mine || !replied || *m == likely);
    let values: Vec<i32> = moves
        .map(|m| {
            let next = place.after(m);
            let replied = !mine && (replied || place.seats() > 2 && m != likely);
            let this = (next.key(), replied);
            let occurred = history.iter().filter(|earlier| **earlier == this).count();
            let repetition = if occurred >= 2 { next.repetition() } else { None };
            if let Some(end) = next.outcome().or(repetition) {
                return match end.share(me) {
                    share if share >= 1.0 => WIN - ply as i32 - 1,
                    share if share > 0.0 => 0,
                    _ => ply as i32 + 1 - WIN,
                };
            }
            history.push(this);
            let value = best_reply(&next, me, replied, depth - 1, history, ply + 1);
            history.pop();
            value
        })
        .collect();
    let best = if mine { values.into_iter().max() } else { values.into_iter().min() };
    best.expect("a move")
}

#[test]
fn best_reply_search_is_its_definition_when_positions_repeat() {
    for seats in 2..=4 {
        for seed in 0..60 {
            let shape = Shape { seats, vertices: 7, ends: 12, ..TWO };
            let situation = wander(&random(seed, shape), seed, 24);
            let Some(me) = situation.seat().filter(|_| situation.position().count_moves() > 1)
            else {
                continue;
            };
            let settings = Settings { hash: 1, threads: 0, ..Settings::default() };
            let config = PvsConfig::full_width();
            let mut player = BestReplyPlayer::<_, FirstMove, _>::new(LABELS, config, &settings);
            for depth in 1..=5 {
                let mut history: Vec<_> =
                    situation.history().keys().iter().map(|key| (*key, false)).collect();
                let expected = best_reply(situation.position(), me, false, depth, &mut history, 0);
                let (_, info) = answer(&mut player, &situation, Limits::depth(depth));
                assert_eq!(info.score, score(expected), "{situation:?} at {depth}");
            }
            // The table holds what the seat before has searched.
            for m in situation.position().moves() {
                let mut next = situation.clone();
                next.play(&m);
                let Some(me) = next.seat().filter(|_| next.position().count_moves() > 1) else {
                    continue;
                };
                let mut history: Vec<_> =
                    next.history().keys().iter().map(|key| (*key, false)).collect();
                let expected = best_reply(next.position(), me, false, 3, &mut history, 0);
                let (_, info) = answer(&mut player, &next, Limits::depth(3));
                assert_eq!(info.score, score(expected), "{next:?}");
            }
        }
    }
}

/// Without repetition these games would never end: the tree search proves their value only because a
/// third occurrence is a draw.
#[test]
fn tree_search_proves_the_value_of_games_that_repeat() {
    let config = MctsConfig { keep: usize::MAX, bytes: 64 << 20, ..MctsConfig::default() };
    let (mut draws, mut wins) = (0, 0);
    for seed in 0..80 {
        let shape = Shape { vertices: 3, ends: 4, ..TWO };
        let situation = wander(&random(seed, shape), seed, 4);
        let values = Reference::moves(&situation, Parts::default(), 60);
        let best = values.values().max().expect("a move").signum();
        let seat = situation.seat().expect("a mover").index();
        let mut player = MctsPlayer::new(LABELS, config.clone());
        let found = player.shares_after(&situation, 20_000)[seat];
        assert_eq!(found, (1 + best) as f32 / 2.0, "{values:?} in {situation:?}");
        let (m, info) = answer(&mut player, &situation, Limits::nodes(1_000_000));
        assert!(info.nodes < 1_000_000, "a proof ends the search");
        assert_eq!(values[&m].signum(), best, "{m} of {values:?} in {situation:?}");
        draws += u32::from(best == 0);
        wins += u32::from(best != 0);
    }
    assert!(draws > 10 && wins > 10, "{draws} draws, {wins} wins");
}

/// The values of the labels, and a policy that prefers earlier moves.
struct InOrder;

impl Evaluate<Place> for InOrder {
    type Acc = <Labels as Evaluate<Place>>::Acc;

    fn fresh(&self, place: &Place) -> Self::Acc {
        LABELS.fresh(place)
    }

    fn score(&self, acc: &Self::Acc, place: &Place, seat: Seat) -> i32 {
        LABELS.score(acc, place, seat)
    }

    fn has_policy(&self) -> bool {
        true
    }

    fn scores_and_policy(
        &self,
        place: &Place,
        moves: &[u16],
        logits: &mut Vec<f32>,
    ) -> [i32; MAX_SEATS] {
        logits.extend((0..moves.len()).map(|at| -(at as f32)));
        self.scores(&self.fresh(place), place)
    }
}

/// The moves that look best lose by force; the one that saves is not kept. Then nothing is proven.
#[test]
fn moves_that_are_not_kept_are_not_taken_for_lost() {
    let vertices = vec![
        first(0, &[1, 6]),     // 0
        second(0, &[2, 3, 4]), // 1
        first(-300, &[5]),     // 2: looks good for the second seat
        first(-300, &[5]),     // 3: so does this
        first(300, &[6]),      // 4: the win of the second seat
        won(0),                // 5
        won(1),                // 6
    ];
    let situation = Situation::new(Graph::start(vertices));
    let config = |keep| MctsConfig { keep, ..MctsConfig::default() };
    let share = |keep| MctsPlayer::new(LABELS, config(keep)).shares_after(&situation, 1_000)[0];
    assert!(share(2) < 1.0, "a proof that leaves a move out");
    let by_policy = |keep, whole_after| {
        let config = MctsConfig { whole_after, ..config(keep) };
        MctsPlayer::new(InOrder, config).shares_after(&situation, 1_000)[0]
    };
    assert!(by_policy(2, 1_001) < 1.0, "a proof that leaves a move out");
    assert_eq!([by_policy(3, 1_001), by_policy(2, 4)], [0.0, 0.0], "of all moves");
    // A limit of nodes ends the search, though nothing new is left to visit.
    let mut player = MctsPlayer::new(LABELS, MctsConfig { keep: 2, ..MctsConfig::default() });
    answer(&mut player, &situation, Limits::nodes(500));
    assert_eq!(share(3), 0.0);
    // What was known of the moves kept is not found again: two more evaluations, no more.
    let nodes = |keep, whole_after| {
        let config = MctsConfig { whole_after, ..config(keep) };
        answer(&mut MctsPlayer::new(InOrder, config), &situation, Limits::nodes(500)).1.nodes
    };
    for whole_after in 2..7 {
        assert!(nodes(2, whole_after) <= nodes(3, 1_001) + 2, "after {whole_after}");
    }
}

/// The first move turns out a little worse than the position: only who takes moves that were not visited
/// to be worse still looks at it again.
#[test]
fn moves_that_were_not_visited_count_less_than_their_position() {
    let vertices = vec![
        first(0, &[1, 2]), // 0
        second(-20, &[3]), // 1
        second(400, &[4]), // 2: not known to be good
        first(-20, &[2]),  // 3
        first(400, &[1]),  // 4
    ];
    let situation = Situation::new(Graph::start(vertices));
    let share = |first_play_reduction| {
        let config = MctsConfig { first_play_reduction, exploration: 0.0, ..MctsConfig::default() };
        MctsPlayer::new(InOrder, config).shares_after(&situation, 2)[0]
    };
    assert!(share(0.1) < 0.5 && share(0.0) > 0.6, "{} {}", share(0.1), share(0.0));
}

/// The visit that proves a position counts with its proven value above it: vertex 1 is drawn, though that
/// visit found a win of the first seat.
#[test]
fn the_visit_that_completes_a_proof_counts_as_the_proven_value() {
    let vertices = vec![
        first(0, &[1, 6]),                            // 0
        second(0, &[2, 3]),                           // 1
        first(0, &[4]),                               // 2
        first(300, &[5]),                             // 3: visited last
        vertex(Owner::End(Outcome::draw(2)), 0, &[]), // 4
        won(0),                                       // 5
        second(-3_000, &[7]),                         // 6: never visited
        first(-3_000, &[6]),                          // 7
    ];
    let situation = Situation::new(Graph::start(vertices));
    let mut player = MctsPlayer::new(LABELS, MctsConfig::default());
    assert_eq!(player.shares_after(&situation, 3)[..2], [0.5, 0.5]);
}

/// A tree that has no memory left goes on without growing.
#[test]
fn a_tree_that_is_full_does_not_grow() {
    let (situation, _) = hidden_win();
    let line = |bytes| {
        let config = MctsConfig { bytes, ..MctsConfig::default() };
        answer(&mut MctsPlayer::new(LABELS, config), &situation, Limits::nodes(500)).1.pv
    };
    assert_eq!(line(1).len(), 1);
    assert!(line(1 << 20).len() > 1, "a small tree has no lines anyway");
}

/// A win on ply 3 is none where the game is drawn on ply 2, though the table knows it from a search that
/// had more plies left.
#[test]
fn players_of_dice_keep_positions_with_other_plies_left_apart() {
    let vertices = vec![
        first(0, &[1, 4]),
        second(0, &[2]),
        first(0, &[3, 5]),
        won(0),
        won(1),
        second(0, &[0]),
    ];
    let situation = Situation::new(Graph::start(vertices));
    for (name, player) in [
        ("star2", &mut Star2Player::new(LABELS, 1) as &mut dyn Player<Place>),
        ("vector expectimax", &mut VectorExpectimaxPlayer::new(LABELS, 1)),
    ] {
        let mut value_within = |plies| {
            let situation = situation.clone().drawn_after(plies);
            answer(player, &situation, Limits::depth(3)).1.score
        };
        let won = value_within(8);
        assert_ne!(won, Score::Cp(0), "{name}: the win is not seen");
        assert_eq!(value_within(2), Score::Cp(0), "{name}");
        assert_eq!(value_within(8), won, "{name}");
    }
}

/// The numbers that are told of three seats are probabilities, though their values add up to nothing in
/// particular.
#[test]
fn shares_of_three_seats_are_one_together() {
    let step = |seat: usize, to: &[u16]| {
        let scores = [9_000, 9_000, 9_000, 0];
        Vertex { scores, ..vertex(Owner::Seat(seat), 0, to) }
    };
    let vertices = vec![step(0, &[1, 2]), step(1, &[3]), step(1, &[3]), step(2, &[0])];
    let situation = Situation::new(Graph::without_repetition(3, vertices));
    for (name, player) in [
        (
            "vector expectimax",
            &mut VectorExpectimaxPlayer::new(LABELS, 0) as &mut dyn Player<Place>,
        ),
        ("tree search", &mut MctsPlayer::new(LABELS, MctsConfig::default())),
    ] {
        let (_, info) = answer(player, &situation, Limits { depth: Some(2), ..Limits::nodes(900) });
        let shares = info.shares.expect("shares");
        assert!(shares.iter().all(|share| (332..=334).contains(share)), "{name}: {shares:?}");
    }
}

/// Three seats in a circle, each of which can only step on or lose: the third occurrence saves them.
#[test]
fn three_seats_that_repeat_share_the_first_place() {
    let lost = |seat: usize| {
        let scores = [0, 1, 2].map(|other| i64::from(other != seat));
        vertex(Owner::End(Outcome::from_scores(&scores)), 0, &[])
    };
    let step = |seat: usize, to: &[u16]| vertex(Owner::Seat(seat), 0, to);
    let vertices =
        vec![step(0, &[3, 1]), step(1, &[4, 2]), step(2, &[5, 0]), lost(0), lost(1), lost(2)];
    let repetition = Some(Outcome::draw(3));
    let start = Place { graph: Arc::new(Graph { seats: 3, vertices, repetition }), at: 0 };
    let situation = Situation::new(start);
    let third = 1.0 / 3.0;
    let config = MctsConfig { keep: usize::MAX, ..MctsConfig::default() };
    let found = MctsPlayer::new(LABELS, config).shares_after(&situation, 20_000);
    for share in &found[..3] {
        assert!((share - third).abs() < 1e-6, "{found:?}");
    }
    let values = maxn(&situation, LABELS, Depth::of_moves(7));
    let expected = f64::from(WIN) * (2.0 / 3.0 - 1.0);
    assert_close(&values[..3], &[expected; 3], "max^n");
}

/// The first seat can only take A, worth nothing, or X. After X the second seat can lose by force on
/// ply 9, or go to a vertex where a null move, but no move, wins for the first seat on ply 6.
#[test]
fn a_forced_end_after_a_null_move_is_no_proof() {
    let mut vertices = vec![
        first(0, &[1, 3]),   // 0
        second(0, &[2]),     // 1: A, to and fro
        first(0, &[1]),      // 2
        second(0, &[4, 11]), // 3: X
        first(-300, &[5]),   // 4: lost by force
        second(-300, &[6]),  // 5
        first(-300, &[7]),   // 6
        second(-300, &[8]),  // 7
        first(-300, &[9]),   // 8
        second(-300, &[10]), // 9
        first(-300, &[17]),  // 10
        first(-500, &[12]),  // 11
        second(-500, &[13]), // 12
        first(200, &[15]),   // 13: a null move leads to 14
        second(-500, &[17]), // 14: every move loses
        second(-500, &[16]), // 15
        first(-500, &[18]),  // 16
        won(0),              // 17
        second(-500, &[19]), // 18
        first(-500, &[15]),  // 19
    ];
    vertices[13].pass = Some(14);
    let situation = Situation::new(Graph::start(vertices));
    for depth in 9..=11 {
        let config = PvsConfig { null_move: 1, ..PvsConfig::full_width() };
        let (m, info) = answer(&mut pvs(config, 1), &situation, Limits::depth(depth));
        assert_eq!((m, info.score), (1, Score::Cp(0)), "at {depth}");
    }
}

/// The labels, and which vertices were evaluated.
struct Watched(Arc<Mutex<BTreeSet<u16>>>);

impl Evaluate<Place> for Watched {
    type Acc = ();

    fn fresh(&self, _: &Place) {}
    fn score(&self, _: &(), place: &Place, seat: Seat) -> i32 {
        self.0.lock().expect("no panic").insert(place.at);
        LABELS.score(&(), place, seat)
    }
}

impl SearchHints<Place> for Watched {
    fn null_move(&self, place: &Place) -> Option<Place> {
        LABELS.null_move(place)
    }
}

#[test]
fn two_null_moves_in_a_row_are_never_made() {
    let mut vertices = vec![
        first(0, &[1, 3]),  // 0
        second(0, &[2]),    // 1
        first(0, &[1]),     // 2
        second(-100, &[5]), // 3: passes to 4
        first(100, &[6]),   // 4: would pass to 7
        first(50, &[6]),    // 5
        second(-100, &[5]), // 6
        second(300, &[5]),  // 7: after two null moves
    ];
    (vertices[3].pass, vertices[4].pass) = (Some(4), Some(7));
    let seen = Arc::default();
    let config = PvsConfig { null_move: 1, ..PvsConfig::full_width() };
    let settings = Settings { hash: 0, threads: 0, ..Settings::default() };
    let mut player = PvsPlayer::new(Watched(Arc::clone(&seen)), config, &settings);
    answer(&mut player, &Situation::new(Graph::start(vertices)), Limits::depth(6));
    let seen = seen.lock().expect("no panic");
    assert!(seen.contains(&4), "no null move: {seen:?}");
    assert!(!seen.contains(&7), "two null moves: {seen:?}");
}

/// Late moves of the second seat look good for it until ply 5. At full depth all are bad.
#[test]
fn a_reduced_move_that_looks_good_is_searched_to_the_full_depth() {
    let vertices = vec![
        first(0, &[1, 6]),            // 0
        second(-500, &[2]),           // 1: bad for the first seat until ply 5
        first(-500, &[3]),            // 2
        second(-500, &[4]),           // 3
        first(-500, &[5]),            // 4
        second(0, &[4]),              // 5
        second(-600, &[7, 8, 9, 10]), // 6
        first(-600, &[11]),           // 7
        first(-600, &[11]),           // 8
        first(-600, &[11]),           // 9
        first(-600, &[11]),           // 10
        second(-600, &[12]),          // 11
        first(-600, &[13]),           // 12
        second(200, &[12]),           // 13
    ];
    let situation = Situation::new(Graph::start(vertices));
    for reduction_base in [100, 300] {
        let config = PvsConfig {
            reduction_base,
            reduction_divisor: 10_000,
            reduction_noisy: 0,
            reduction_history: 0,
            ..PvsConfig::full_width()
        };
        let (m, info) = answer(&mut pvs(config, 1), &situation, Limits::depth(5));
        assert_eq!((m, info.score), (6, Score::Cp(200)));
    }
}

/// The only win, on ply 3, is a late quiet move that this search never tries.
fn hidden_win() -> (Situation<Place>, PvsConfig) {
    let vertices = vec![
        first(0, &[1, 3]),      // 0
        second(0, &[2]),        // 1
        first(0, &[1]),         // 2
        second(-50, &[4, 5]),   // 3
        first(-50, &[6, 7, 8]), // 4
        first(-50, &[6, 7, 8]), // 5
        second(-50, &[2]),      // 6
        second(-50, &[2]),      // 7
        won(0),                 // 8
    ];
    let config = PvsConfig {
        late_move_pruning_depth: 1_000,
        late_move_pruning_base: 1,
        late_move_pruning_slope: 0,
        ..PvsConfig::full_width()
    };
    (Situation::new(Graph::start(vertices)), config)
}

const GUARD: u64 = 200_000;

#[test]
fn a_win_in_n_plies_is_proved_within_n_and_ruled_out_within_fewer() {
    let (situation, config) = hidden_win();
    for mate in 1..=6 {
        let limits = Limits { mate: Some(mate), ..Limits::nodes(GUARD) };
        for threads in [0, 2] {
            let settings = Settings { hash: 1, threads, ..Settings::default() };
            let mut player = PvsPlayer::new(LABELS, config.clone(), &settings);
            let (m, info) = answer(&mut player, &situation, limits.clone());
            let expected = if mate >= 3 { (3, Score::Mate(3)) } else { (1, Score::Cp(0)) };
            assert_eq!((m, info.score), expected, "mate {mate}, {threads} threads");
            assert!(info.nodes < GUARD, "mate {mate} does not end");
        }
        let (m, info) = answer(&mut AlphaBetaPlayer::new(LABELS), &situation, limits);
        let expected = if mate >= 3 { (3, Score::Mate(3)) } else { (1, Score::Cp(0)) };
        assert_eq!((m, info.score), expected, "mate {mate}, alpha-beta");
        assert_eq!(info.depth, mate.min(3), "mate {mate}, alpha-beta");
    }
    // A depth beside it holds: the proof would go deeper.
    let limits = Limits { mate: Some(5), ..Limits::depth(2) };
    let (m, info) = answer(&mut pvs(config, 1), &situation, limits);
    assert_eq!((m, info.score, info.depth), (1, Score::Cp(0), 2));
    let (_, config) = hidden_win();
    let never = pvs(config, 1);
    let (_, info) = answer(&mut { never }, &situation, Limits::depth(8));
    assert_eq!(info.score, Score::Cp(0), "the ordinary search finds it: the test shows nothing");
}

/// Where a third occurrence is a win, a second one is nothing yet.
#[test]
fn a_second_occurrence_ends_a_line_only_where_it_is_a_draw() {
    let vertices = vec![
        first(0, &[1, 3]), // 0
        second(40, &[2]),  // 1: to and fro
        first(40, &[1]),   // 2
        second(-90, &[4]), // 3: to and fro, and worse
        first(-90, &[3]),  // 4
    ];
    for (winner, won) in [(0, Score::Mate(5)), (1, Score::Mate(-5))] {
        let repetition = Some(Outcome::win(2, Seat::new(winner)));
        let graph = Graph { seats: 2, vertices: vertices.clone(), repetition };
        let situation = Situation::new(Place { graph: Arc::new(graph), at: 0 });
        for (depth, expected) in [(3, Score::Cp(40)), (4, Score::Cp(40)), (5, won)] {
            for hash in [0, 1] {
                let config = PvsConfig { second_occurrence: true, ..PvsConfig::full_width() };
                let (_, info) = answer(&mut pvs(config, hash), &situation, Limits::depth(depth));
                assert_eq!(info.score, expected, "at {depth}, {hash} MiB");
            }
        }
    }
}

/// That the second seat is known to lose does not say that the first wins; what is known where the
/// first is to move counts.
#[test]
fn best_reply_takes_known_values_of_the_searching_seat_alone() {
    let step = |seat, score, to: &[u16]| vertex(Owner::Seat(seat), score, to);
    let known = |plies| Some(KnownValue { score: Score::Mate(plies), bound: Bound::Exact });
    let mut vertices = vec![
        step(0, 0, &[1, 2]), // 0
        step(1, 10, &[3]),   // 1
        step(1, -20, &[4]),  // 2: known to be lost for the second seat
        step(2, 10, &[5]),   // 3
        step(2, -20, &[6]),  // 4
        step(0, 10, &[1]),   // 5
        step(0, -20, &[2]),  // 6
    ];
    vertices[2].known = known(-2);
    let chosen = |vertices: &[Vertex]| {
        let (vertices, repetition) = (vertices.to_vec(), Some(Outcome::draw(3)));
        let start = Place { graph: Arc::new(Graph { seats: 3, vertices, repetition }), at: 0 };
        let config = PvsConfig { known_values: true, ..PvsConfig::full_width() };
        let settings = Settings { hash: 0, threads: 0, ..Settings::default() };
        let mut player = BestReplyPlayer::<_, FirstMove, _>::new(LABELS, config, &settings);
        let (m, info) = answer(&mut player, &Situation::new(start), Limits::depth(4));
        (m, info.score)
    };
    assert_eq!(chosen(&vertices), (1, Score::Cp(10)));
    vertices[6].known = known(1);
    assert_eq!(chosen(&vertices), (2, Score::Mate(4)));
}

#[test]
fn a_search_for_a_win_without_proof_ends_at_the_depth_of_the_win() {
    let (situation, _) = hidden_win();
    for mate in 3..=6 {
        let limits = Limits { mate: Some(mate), ..Limits::nodes(GUARD) };
        let (_, info) = answer(&mut pvs(PvsConfig::full_width(), 1), &situation, limits.clone());
        assert_eq!((info.score, info.depth), (Score::Mate(3), 3), "mate {mate}");
    }
    for player in [
        &mut MaxNPlayer::new(LABELS) as &mut dyn Player<Place>,
        &mut Star2Player::new(LABELS, 0),
        &mut VectorExpectimaxPlayer::new(LABELS, 0),
    ] {
        let limits = Limits { mate: Some(2), ..Limits::nodes(GUARD) };
        assert_eq!(answer(player, &situation, limits).1.depth, 2);
    }
}

/// A forced end is settled once the depth has reached its length, not before and not after; and only
/// on a clock.
#[test]
fn on_a_clock_a_search_ends_when_the_depth_reaches_the_forced_end() {
    let known = |plies| Some(KnownValue { score: Score::Mate(plies), bound: Bound::Exact });
    // A win on ply 5 is known at depth 1.
    let mut vertices = vec![
        first(0, &[1, 2]),  // 0
        second(0, &[3]),    // 1: known
        second(0, &[4, 5]), // 2
        first(0, &[2]),     // 3
        first(0, &[2]),     // 4
        first(0, &[2, 6]),  // 5
        won(0),             // 6
    ];
    vertices[1].known = known(-4);
    let clock = Limits { soft: Some(Duration::from_secs(3_600)), ..Limits::nodes(GUARD) };
    let config = PvsConfig { known_values: true, ..PvsConfig::full_width() };
    let settled = |vertices: &Vec<Vertex>, limits: &Limits| {
        let situation = Situation::new(Graph::start(vertices.clone()));
        let (_, info) = answer(&mut pvs(config.clone(), 1), &situation, limits.clone());
        (info.score, info.depth)
    };
    assert_eq!(settled(&vertices, &clock), (Score::Mate(5), 5));
    assert_eq!(settled(&vertices, &Limits::depth(7)), (Score::Mate(5), 7));
    // While it ponders, no clock runs.
    let limits = Limits { depth: Some(7), ..clock.clone() };
    let pondering = Request { control: Control::new(true), ..Request::new(limits) };
    let situation = Situation::new(Graph::start(vertices.clone()));
    let (_, infos) = ask(&mut pvs(config.clone(), 1), &situation, &pondering);
    assert_eq!(infos.last().map(|info| info.depth), Some(7));
    // A win on ply 3 appears at depth 3.
    vertices[4].to.push(6);
    assert_eq!(settled(&vertices, &clock), (Score::Mate(3), 3));
    // Lost on ply 6 whatever is played.
    for at in [1, 2] {
        vertices[at].known = known(5);
    }
    assert_eq!(settled(&vertices, &clock), (Score::Mate(-6), 6));
}

/// What the second seat is known to have at least, or at most, decides only outside the window; the
/// search of that vertex would say something else.
#[test]
fn a_known_bound_decides_only_outside_the_window() {
    let answer_where = |score, bound, searched| {
        let mut vertices = vec![
            first(0, &[1, 3]),      // 0
            second(0, &[2]),        // 1: A, to and fro
            first(0, &[1]),         // 2
            second(searched, &[4]), // 3: known
            first(searched, &[5]),  // 4
            second(searched, &[4]), // 5
        ];
        vertices[3].known = Some(KnownValue { score, bound });
        let config = PvsConfig { known_values: true, ..PvsConfig::full_width() };
        let situation = Situation::new(Graph::start(vertices));
        answer(&mut pvs(config, 1), &situation, Limits::depth(3)).1.score
    };
    // A is worth 0: at least 10 for the second seat is enough, at least -10 is not.
    let cp = Score::Cp;
    assert_eq!(answer_where(cp(10), Bound::Lower, 500), cp(0));
    assert_eq!(answer_where(cp(-10), Bound::Lower, 500), cp(500));
    // At most -10 for the second seat is better than A, whose search with an open window decides; at most
    // 10 says nothing.
    assert_eq!(answer_where(cp(10), Bound::Upper, -500), cp(0));
    assert_eq!(answer_where(cp(10), Bound::Upper, 500), cp(500));
    // A win is enough, however late. What is lost at the soonest, or won at the latest, says nothing.
    assert_eq!(answer_where(Score::Mate(8), Bound::Lower, 500), cp(0));
    assert_eq!(answer_where(Score::Mate(-8), Bound::Lower, 500), cp(500));
    assert_eq!(answer_where(Score::Mate(8), Bound::Upper, 500), cp(500));
}

/// The only move of the first seat leads to what is known to be lost for the second at the soonest on
/// ply 8.
#[test]
fn a_loss_at_the_soonest_is_no_value_in_an_open_window() {
    let mut vertices = vec![first(0, &[1]), second(40, &[2]), first(40, &[1, 3]), second(40, &[2])];
    let known = KnownValue { score: Score::Mate(-8), bound: Bound::Lower };
    vertices[1].known = Some(known);
    let config = PvsConfig { known_values: true, ..PvsConfig::full_width() };
    let situation = Situation::new(Graph::start(vertices));
    let (_, info) = answer(&mut pvs(config, 0), &situation, Limits::depth(3));
    assert_eq!(info.score, Score::Cp(40));
}

/// An evaluation so great that its share is as good as 1 is no result: the second seat then wins.
#[test]
fn no_evaluation_is_great_enough_to_be_a_proof() {
    let vertices = vec![
        first(0, &[1, 3]),    // 0
        second(20_000, &[2]), // 1
        won(1),               // 2
        second(-900, &[4]),   // 3
        vertex(Owner::End(Outcome::draw(2)), 0, &[]),
    ];
    let situation = Situation::new(Graph::start(vertices));
    let mut player = MctsPlayer::new(LABELS, MctsConfig::default());
    assert_eq!(player.shares_after(&situation, 200)[..2], [0.5, 0.5]);
}

/// Both moves of the second seat lose, and both are kept.
#[test]
fn a_position_all_of_whose_moves_were_kept_is_proven_by_them() {
    let vertices = vec![
        first(0, &[1, 4]),    // 0
        second(-50, &[2, 3]), // 1: lost for the second seat
        first(-50, &[5]),     // 2
        first(-50, &[5]),     // 3
        second(-900, &[0]),   // 4
        won(0),               // 5
    ];
    let situation = Situation::new(Graph::start(vertices));
    let config = MctsConfig { keep: 2, ..MctsConfig::default() };
    assert_eq!(MctsPlayer::new(LABELS, config).shares_after(&situation, 500)[..2], [1.0, 0.0]);
}

/// The second seat can draw or lose by what is kept; what is not kept looks bad for it.
#[test]
fn the_best_of_the_moves_that_were_kept_counts_where_others_were_not() {
    let vertices = vec![
        first(0, &[1, 6]),                            // 0
        second(0, &[2, 3, 4]),                        // 1
        first(-300, &[5]),                            // 2: loses
        first(-300, &[7]),                            // 3: draws
        first(300, &[8]),                             // 4: wins, and is not kept
        won(0),                                       // 5
        second(-900, &[9]),                           // 6
        vertex(Owner::End(Outcome::draw(2)), 0, &[]), // 7
        won(1),                                       // 8
        first(-900, &[6]),                            // 9
    ];
    let situation = Situation::new(Graph::start(vertices));
    let config = MctsConfig { keep: 2, ..MctsConfig::default() };
    let share = MctsPlayer::new(LABELS, config).shares_after(&situation, 1_000)[0];
    assert!((0.45..0.6).contains(&share), "{share}");
}

/// A game without an end or a draw, in which vertices 1 and 2 follow the start.
fn two_ways(at_first: i32, at_second: i32) -> Vec<Vertex> {
    vec![
        first(0, &[1, 2]),       // 0
        second(at_first, &[3]),  // 1
        second(at_second, &[4]), // 2
        first(at_first, &[1]),   // 3
        first(at_second, &[2]),  // 4
    ]
}

/// A proven draw is taken before what is worse, and after what is better, visited or not.
#[test]
fn tree_search_ranks_a_proven_draw_by_its_result() {
    for (other, expected) in [(200, 2), (-200, 1)] {
        // The draw looks better than it is: it is visited first.
        let mut vertices = two_ways(300, other);
        vertices[3] = vertex(Owner::End(Outcome::draw(2)), 0, &[]);
        let situation = Situation::new(Graph::without_repetition(2, vertices));
        // Two moves are known before the first visit, which makes one more.
        for nodes in [3, 400] {
            let mut player = MctsPlayer::new(LABELS, MctsConfig::default());
            let (m, info) = answer(&mut player, &situation, Limits::nodes(nodes));
            assert_eq!((m, info.pv[0]), (expected, expected), "{nodes} nodes: {info:?}");
        }
    }
}

/// At the root every move is kept, though others look better than the one that wins.
#[test]
fn tree_search_forgets_no_move_of_the_root() {
    let mut vertices = two_ways(50, 50);
    vertices[0].to = vec![1, 2, 5];
    vertices.extend([second(-50, &[6]), first(-50, &[7]), won(0)]);
    let config = MctsConfig { keep: 2, ..MctsConfig::default() };
    let mut player = MctsPlayer::new(LABELS, config);
    let situation = Situation::new(Graph::without_repetition(2, vertices));
    let (m, _) = answer(&mut player, &situation, Limits::nodes(3_000));
    assert_eq!(m, 5);
}

/// What is told of a line belongs to that line: its shares, and only moves that were visited.
#[test]
fn tree_search_tells_of_every_line_what_it_found_there() {
    let situation = Situation::new(Graph::without_repetition(2, two_ways(150, -150)));
    let lines = |nodes, bytes| {
        let mut request = Request::new(Limits::nodes(nodes));
        request.multi_pv = 2;
        let config = MctsConfig { bytes, ..MctsConfig::default() };
        let (_, infos) = ask(&mut MctsPlayer::new(LABELS, config), &situation, &request);
        infos[infos.len() - 2..].to_vec()
    };
    // The second is never visited here: its shares are those of its evaluation.
    for info in lines(600, 1 << 20) {
        let share = f64::from(info.shares.as_ref().expect("shares")[0]) / 1_000.0;
        let (Score::Cp(told), Score::Cp(from), Score::Cp(to)) =
            (info.score, centipawns(share - 0.001), centipawns(share + 0.002))
        else {
            panic!("no probability: {info:?}");
        };
        assert!((from..=to).contains(&told), "{info:?}");
    }
    // No visit, and one.
    assert!(lines(2, 1 << 20).iter().all(|info| info.pv.len() == 1 && info.nodes == 2));
    assert!(lines(3, 1 << 20).iter().all(|info| info.pv.len() == 1 && info.nodes == 3));
    assert_eq!(lines(600, 1_000)[0].hashfull, 1_000);
}

/// Also where the search prunes so much that a later line may turn out to be the better one.
#[test]
fn no_line_is_worse_than_a_later_one() {
    let config = PvsConfig {
        late_move_pruning_base: 1,
        futility: 5,
        reverse_futility: 5,
        reduction_base: 200,
        null_move: 1,
        aspiration: 5,
        ..PvsConfig::default()
    };
    for seed in 0..60 {
        let situation = Situation::new(with_passes(&random(seed, TWO), seed));
        let mut request = Request::new(Limits::depth(7));
        request.multi_pv = 3;
        let (m, infos) = ask(&mut pvs(config.clone(), 1), &situation, &request);
        for pair in infos.windows(2).filter(|pair| pair[0].multipv < pair[1].multipv) {
            assert!(!pair[1].score.is_better_than(pair[0].score), "{pair:?}");
        }
        let best = infos.iter().rfind(|info| info.multipv == 1).expect("a line");
        assert_eq!(m, best.pv[0]);
    }
}

/// The mover has lost but for a move to a third occurrence, whose evaluation is bad. Tree search knows
/// it without a visit.
#[test]
fn tree_search_knows_a_third_occurrence_when_it_lists_the_moves() {
    let vertices = vec![first(0, &[1, 2]), second(-900, &[0]), won(1)];
    // Vertex 1 twice, the start as often.
    let mut situation = Situation::new(Graph::start(vertices).after(1));
    for m in [0, 1, 0] {
        situation.play(&m);
    }
    let found = MctsPlayer::new(LABELS, MctsConfig::default()).shares_after(&situation, 0);
    assert_eq!(found[..2], [0.5, 0.5]);
}

/// The labels, where every vertex is forced and searched in full below the last full ply.
struct Forced;

impl Evaluate<Place> for Forced {
    type Acc = ();

    fn fresh(&self, _: &Place) {}
    fn score(&self, _: &(), place: &Place, seat: Seat) -> i32 {
        LABELS.score(&(), place, seat)
    }
}

impl SearchHints<Place> for Forced {
    fn is_forced(&self, _: &Place) -> bool {
        true
    }
    fn quiescence(&self, _: &Place, _: u32) -> Quiescence {
        Quiescence::All
    }
}

/// A line that never ends, of forced moves alone, is evaluated where a search can go no deeper.
#[test]
fn a_line_without_end_is_evaluated_at_the_greatest_ply() {
    let vertices = vec![first(70, &[1, 3]), second(70, &[2]), first(70, &[1]), second(-70, &[2])];
    let situation = Situation::new(Graph::without_repetition(2, vertices));
    let full = PvsConfig::full_width();
    for (config, depth) in [
        (PvsConfig { quiescence: true, ..full.clone() }, 1),
        (PvsConfig { extensions: 1, ..full.clone() }, 200),
        (PvsConfig { extensions: 1, quiescence: true, ..full }, 200),
    ] {
        for hash in [0, 1] {
            let settings = Settings { hash, threads: 0, ..Settings::default() };
            let mut player = PvsPlayer::new(Forced, config.clone(), &settings);
            let (_, info) = answer(&mut player, &situation, Limits::depth(depth));
            assert_eq!((info.score, info.depth), (Score::Cp(70), depth), "{config:?}");
            assert_eq!(info.seldepth, 240, "{config:?}");
        }
    }
}

pub const KINDS: MoveKinds<Place> = MoveKinds {
    is_noisy: |_, _| false,
    possible_wins: |place, visit| place.for_each_move(visit),
    attacks: |place, visit| place.for_each_move(visit),
    defences: |place, visit| place.for_each_move(visit),
};

/// A level without noise and without care takes the nearer win and the later loss.
#[test]
fn levels_take_the_nearer_win_and_the_later_loss() {
    static EXACT: Ladder = Ladder { noise: 0.0, nodes: 5_000.0, strengths: [0; 9], elo: None };
    for (winner, best) in [(0, 1), (1, 2)] {
        for to in [[1, 2], [2, 1]] {
            let vertices = vec![
                first(0, &to),                                    // 0
                second(0, if winner == 0 { &[3] } else { &[6] }), // 1: over on ply 2 or 3
                second(0, &[4]),                                  // 2: over two plies later
                first(0, &[6]),                                   // 3
                first(0, &[5]),                                   // 4
                second(0, if winner == 0 { &[3] } else { &[6] }), // 5
                won(winner),                                      // 6
            ];
            let inner = Box::new(pvs(PvsConfig::full_width(), 0));
            let mut player = LevelPlayer::new(inner, &EXACT, Strength::new(1.0, 1), 1, KINDS);
            let situation = Situation::new(Graph::start(vertices));
            let (m, info) = answer(&mut player, &situation, Limits::default());
            assert_eq!(m, best, "{to:?}: {info:?}");
        }
    }
}

/// Worse moves are listed before the best, each better than the one before it.
#[test]
fn a_greedy_player_takes_each_of_several_best_moves_as_often() {
    const SEEDS: usize = 1_000;
    let mut vertices = vec![first(0, &[1, 2, 3, 4, 5, 6, 7])];
    vertices.extend([-30, -20, -10, 5, 5, 5, 5].map(|score| second(score, &[0])));
    let situation = Situation::new(Graph::start(vertices));
    let mut chosen = [0; 8];
    for seed in 0..SEEDS as u64 {
        let (m, _) = answer(&mut Greedy::new(LABELS, seed), &situation, Limits::default());
        chosen[usize::from(m)] += 1;
    }
    assert_eq!(chosen[4..].iter().sum::<usize>(), SEEDS);
    assert!(chosen[4..].iter().all(|times| (200..300).contains(times)), "{chosen:?}");
}
