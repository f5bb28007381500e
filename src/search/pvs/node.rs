//! The search of one position.

use super::move_picker::MovePicker;
use super::worker::{After, Node, PATH_INDEPENDENT, Searched, Stopped, Worker};
use crate::game::Game;
use crate::search::move_list::RankedMove;
use crate::search::table::Entry;
use crate::search::value::{MATE_BOUND, MAX_PLY, Value, WIN, is_proven};
use crate::search::{Bound, SearchHints};

/// What the search of the moves of a position found.
pub(super) struct BestMove<M> {
    pub value: Value,
    /// The best move and its tag, if its value is above alpha.
    pub found: Option<(M, u16)>,
    /// See [`Worker::path_dependence`].
    pub path_dependence: i32,
}

/// What of a node the search of its moves depends on.
struct MoveContext {
    depth: i32,
    /// The tag of a move that is searched one ply deeper; 0 for none.
    extended: u16,
    /// The tag of the move of the table; 0 for none.
    tag: u16,
    /// See [`Standing::improving`].
    improving: bool,
}

/// Where a move stands among those of its position.
#[derive(Clone, Copy)]
pub(super) struct Standing {
    /// How many moves were searched before it.
    pub searched: i32,
    /// How many variants of it were.
    pub variants: i32,
    /// Whether the evaluation has risen since the last turn of the seat.
    pub improving: bool,
}

/// What the search without the move of the table says.
enum Singular {
    /// Nothing.
    No,
    /// That move is the only good one.
    Extend,
    /// Another move is good enough as well.
    Cut(Value),
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// The value of a child for the seat of its parent. The sign comes from the seats.
    pub(super) fn child<const PV: bool>(
        &mut self,
        seat: crate::game::Seat,
        child: &Node<G>,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Searched {
        if child.seat == seat {
            self.node::<PV>(child, depth, alpha, beta)
        } else {
            Ok(-self.node::<PV>(child, depth, -beta, -alpha)?)
        }
    }

    /// The value of a position for its seat, searched to a depth; outside the window a bound.
    pub(super) fn node<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Searched {
        if PV {
            self.pv[node.ply].clear();
        }
        if self.is_extended(node) {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(node, alpha, beta, 0);
        }
        self.path_dependence = PATH_INDEPENDENT;
        if node.ply >= MAX_PLY {
            return Ok(self.evaluate(node));
        }
        // Nothing can be won or lost sooner than by the next move.
        alpha = alpha.max(node.ply as Value + 1 - WIN);
        beta = beta.min(WIN - node.ply as Value - 1);
        if alpha >= beta {
            return Ok(alpha);
        }
        let excluded = self.excluded[node.ply] != 0;
        let entry = self.probe_node(node);
        if let (false, false, Some(entry)) = (PV, excluded, &entry)
            && let Some(value) = self.cut_by_table(node, entry, depth, alpha, beta)
        {
            return Ok(value);
        }
        if let Some(value) = self.cut_by_knowledge(node, alpha, beta) {
            return Ok(value);
        }
        // Where a threat must be answered, the static evaluation says too little.
        let stored = entry.and_then(|entry| entry.evaluation);
        let evaluation =
            if self.is_forced(node) { None } else { stored.or_else(|| Some(self.evaluate(node))) };
        self.evaluations[node.ply] = evaluation;
        let before = node.ply.checked_sub(2).and_then(|ply| self.evaluations[ply]);
        let improving = evaluation.zip(before).is_none_or(|(now, before)| now > before);
        let tag = entry.map_or(0, |entry| entry.tag);
        if tag != 0 && depth > 1 {
            self.prefetch_after(node, tag);
        }
        if !PV
            && !excluded
            && let Some(evaluation) = evaluation
            && let Some(value) =
                self.cut_by_evaluation(node, evaluation, depth, alpha, beta, improving)?
        {
            return Ok(value);
        }
        let reduced_from = self.config.internal_iterative_reduction;
        if tag == 0 && reduced_from > 0 && depth >= reduced_from {
            depth -= 1;
        }
        let mut extended = 0;
        if let Some(entry) = entry.filter(|_| !excluded && node.ply > 0) {
            match self.test_singular(node, &entry, depth, beta)? {
                Singular::Extend => extended = tag,
                Singular::Cut(value) if !PV => return Ok(value),
                _ => {}
            }
        }
        let context = MoveContext { depth, extended, tag, improving };
        let best = self.search_moves::<PV>(node, &context, alpha, beta, evaluation)?;
        if !excluded {
            self.store_node(node, &best, depth, alpha, beta, evaluation);
        }
        self.path_dependence = if best.path_dependence >= node.ply as i32 {
            PATH_INDEPENDENT
        } else {
            best.path_dependence
        };
        Ok(best.value)
    }

    /// Whether the seat to move must answer a threat and has so few moves that they are searched
    /// deeper.
    fn is_extended(&self, node: &Node<G>) -> bool {
        let most = self.config.extensions;
        most > 0
            && (node.ply as i32) < 2 * self.root_depth
            && self.is_forced(node)
            && node.position.count_moves() <= most as u64
    }

    /// Whether the move of the table is the only good one: all others, searched less deep, stay below
    /// its value by a margin. If they do not and exceed beta, so does the node.
    fn test_singular(
        &mut self,
        node: &Node<G>,
        entry: &Entry,
        depth: i32,
        beta: Value,
    ) -> Result<Singular, Stopped> {
        let least = self.config.singular;
        let Some((value, bound)) = entry.value else {
            return Ok(Singular::No);
        };
        if least == 0
            || depth < least
            || entry.tag == 0
            || entry.depth < depth - 3
            || bound == Bound::Upper
            || is_proven(value)
            || node.ply as i32 >= 2 * self.root_depth
        {
            return Ok(Singular::No);
        }
        let target = value - self.config.singular_margin * depth;
        self.excluded[node.ply] = entry.tag;
        let others = self.node::<false>(node, (depth - 1) / 2, target - 1, target);
        self.excluded[node.ply] = 0;
        Ok(match others? {
            others if others < target => Singular::Extend,
            others if others >= beta && !is_proven(others) => Singular::Cut(others),
            _ => Singular::No,
        })
    }

    fn search_moves<const PV: bool>(
        &mut self,
        node: &Node<G>,
        context: &MoveContext,
        mut alpha: Value,
        beta: Value,
        evaluation: Option<Value>,
    ) -> Result<BestMove<G::Move>, Stopped> {
        let depth = context.depth;
        let excluded = self.excluded[node.ply];
        let mut best = BestMove { value: -WIN, found: None, path_dependence: PATH_INDEPENDENT };
        // The children of the last ply are not looked up in the table.
        let is_probed = depth > 1 || self.config.extensions > 0;
        let mut picker = MovePicker::new(self, node, context.tag, is_probed);
        let start = picker.start();
        let first_variant = self.variants.len();
        let mut child = node.clone();
        let improving = context.improving;
        let mut searched = 0;
        loop {
            let index = picker.picked();
            let left_out = index as i32 - searched;
            let skip_quiet = |worker: &Self, picked: usize| {
                let searched = picked as i32 - left_out;
                let standing = Standing { searched, variants: 0, improving };
                !PV && worker.is_pruned(0, depth, standing, evaluation, alpha, best.value)
            };
            let Some(ranked) = picker.next(self, node, skip_quiet) else {
                break;
            };
            let mut standing = Standing { searched, variants: 0, improving };
            let priority = ranked.priority;
            if !PV && self.is_pruned(priority, depth, standing, evaluation, alpha, best.value) {
                // The moves that follow are no better.
                break;
            }
            if excluded != 0 && ranked.tag == excluded {
                searched += 1;
                continue;
            }
            let variant = self.variant_of(&ranked.m);
            if variant != 0 {
                let (variants, known) = self.known_variants(first_variant, variant);
                standing.variants = variants;
                let must_prove = best.value <= -MATE_BOUND || is_proven(alpha);
                if !PV && !must_prove && self.is_superfluous(depth, standing, known, alpha) {
                    self.moves.leave_out(start + index);
                    continue;
                }
            }
            picker.prepare_next(self, node);
            let value = match self.play(node, &ranked, &mut child, is_probed) {
                Ok(After::End(value)) => Ok(value),
                Ok(After::Node) => {
                    self.line.push(child.key);
                    let extended = context.extended != 0 && ranked.tag == context.extended;
                    let depth = depth + i32::from(extended);
                    let value =
                        self.search_move::<PV>(node, &child, &ranked, depth, standing, alpha, beta);
                    self.line.pop();
                    value
                }
                Err(stopped) => Err(stopped),
            };
            let value = match value {
                Ok(value) => value,
                Err(stopped) => {
                    self.moves.truncate(start);
                    self.variants.truncate(first_variant);
                    return Err(stopped);
                }
            };
            if variant != 0 {
                self.variants.push((variant, value));
            }
            searched += 1;
            best.path_dependence = best.path_dependence.min(self.path_dependence);
            if value > best.value {
                best.value = value;
                if value > alpha {
                    best.found = Some((ranked.m, ranked.tag));
                    if PV {
                        self.extend_pv(node.ply, ranked.m);
                    }
                    if value >= beta {
                        best.path_dependence = self.path_dependence;
                        self.update_histories(node, start, start + index, depth);
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.moves.truncate(start);
        self.variants.truncate(first_variant);
        Ok(best)
    }

    /// Late move pruning and futility pruning: whether a move of this priority, and all that follow
    /// it, are not searched. Where a threat must be answered there is no evaluation, and nothing is
    /// pruned; nor where only proven losses were found so far, because a lost value must be a proof.
    #[inline]
    fn is_pruned(
        &self,
        priority: i8,
        depth: i32,
        standing: Standing,
        evaluation: Option<Value>,
        alpha: Value,
        best: Value,
    ) -> bool {
        let Some(evaluation) = evaluation else {
            return false;
        };
        if standing.searched == 0
            || best <= -MATE_BOUND
            || is_proven(alpha)
            || i32::from(priority) > self.config.prune_priority
        {
            return false;
        }
        self.is_late(depth, standing) || self.is_futile(depth, evaluation, alpha)
    }

    /// What a move is a variant of, if variants are treated apart.
    #[inline]
    fn variant_of(&self, m: &G::Move) -> u16 {
        if self.config.variant_depth > 0 { self.evaluator.variant(m) } else { 0 }
    }

    /// How many variants of a move were searched in this position, whose begin in the list at
    /// `first`, and the greatest value of one.
    #[inline]
    fn known_variants(&self, first: usize, variant: u16) -> (i32, Value) {
        let known = self.variants[first..].iter().filter(|(other, _)| *other == variant);
        known.fold((0, -WIN), |(count, most), (_, value)| (count + 1, most.max(*value)))
    }

    /// Whether enough is known of the variants of a move.
    #[inline]
    fn is_superfluous(&self, depth: i32, standing: Standing, known: Value, alpha: Value) -> bool {
        let config = &self.config;
        let enough = config.variant_base + depth * config.variant_slope / 4;
        standing.variants > 0
            && depth <= config.variant_depth
            && (standing.variants >= enough || known + config.variant_margin * depth <= alpha)
    }

    /// Late move pruning: enough moves were searched at this depth.
    #[inline]
    fn is_late(&self, depth: i32, standing: Standing) -> bool {
        let config = &self.config;
        let mut enough =
            config.late_move_pruning_base + depth * depth * config.late_move_pruning_slope / 4;
        if config.improving && !standing.improving {
            enough = enough * 5 / 8;
        }
        depth <= config.late_move_pruning_depth && standing.searched >= enough
    }

    /// Futility pruning: a quiet move cannot be expected to raise the evaluation to alpha.
    #[inline]
    fn is_futile(&self, depth: i32, evaluation: Value, alpha: Value) -> bool {
        let config = &self.config;
        config.futility > 0
            && depth <= config.futility_depth
            && evaluation + config.futility * (depth + 1) <= alpha
    }

    /// The value of a move that leads to a position to be searched: late moves with a reduction and
    /// a null window first.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        node: &Node<G>,
        child: &Node<G>,
        ranked: &RankedMove<G::Move>,
        depth: i32,
        standing: Standing,
        alpha: Value,
        beta: Value,
    ) -> Searched {
        if PV && standing.searched == 0 {
            return self.child::<true>(node.seat, child, depth - 1, alpha, beta);
        }
        if PV {
            self.pv[child.ply].clear();
        }
        let reduction = self.reduction::<PV>(node, child, ranked, depth, standing);
        let reduced = depth - 1 - reduction;
        let mut value = self.child::<false>(node.seat, child, reduced, alpha, alpha + 1)?;
        if value > alpha && reduction > 0 {
            value = self.child::<false>(node.seat, child, depth - 1, alpha, alpha + 1)?;
        }
        if PV && value > alpha && value < beta {
            value = self.child::<true>(node.seat, child, depth - 1, alpha, beta)?;
        }
        Ok(value)
    }

    #[inline]
    fn reduction<const PV: bool>(
        &self,
        node: &Node<G>,
        child: &Node<G>,
        ranked: &RankedMove<G::Move>,
        depth: i32,
        standing: Standing,
    ) -> i32 {
        let Standing { searched, variants, improving } = standing;
        let late = searched >= if PV { 3 } else { 2 };
        if depth < 3 || !late || self.config.reduction_divisor == 0 {
            return 0;
        }
        let mut plies =
            i32::from(self.reductions[depth.min(63) as usize][searched.min(63) as usize]);
        if self.config.reduction_history > 0 {
            let history =
                self.histories.of_move(node.seat, ranked.slot, ranked.priority, node.previous);
            plies -= history / self.config.reduction_history;
        }
        plies += i32::from(self.config.improving && !improving);
        plies += variants.min(3) * self.config.variant_reduction / 100;
        plies -= i32::from(PV);
        let noisy = self.config.reduction_noisy;
        if noisy != 0 && (ranked.priority > 0 || self.is_forced(child) || self.is_forced(node)) {
            plies -= noisy;
        }
        plies.clamp(0, depth - 2)
    }

    /// After a beta cutoff: the move becomes a refutation and gains history, those searched before
    /// it lose history.
    fn update_histories(&mut self, node: &Node<G>, start: usize, index: usize, depth: i32) {
        let ranked = self.moves.get(index);
        let noisy = ranked.priority > 0;
        if noisy && !self.config.noisy_history {
            return;
        }
        let bonus = (depth * depth * 16).min(2_000);
        if !noisy {
            self.histories.add_refutation(node.seat, node.ply, node.previous, ranked.tag);
        }
        self.reward(node, &ranked, bonus);
        for earlier in start..index {
            if self.moves.is_left_out(earlier) {
                continue;
            }
            let earlier = self.moves.get(earlier);
            if earlier.priority > 0 || !noisy {
                self.reward(node, &earlier, -bonus);
            }
        }
    }

    /// Adds a bonus or a penalty to the history scores of a move.
    fn reward(&mut self, node: &Node<G>, ranked: &RankedMove<G::Move>, bonus: i32) {
        if ranked.priority <= 0 {
            self.histories.update(node.seat, ranked.slot, bonus, node.previous);
        } else if self.config.noisy_history {
            self.histories.update_noisy(node.seat, ranked.slot, bonus);
        }
    }
}
