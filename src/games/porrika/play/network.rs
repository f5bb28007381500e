//! The neural network of the evaluation: its inputs and its buckets.
//!
//! The network looks at the board once from each egg. Where the egg stands on the right half of the
//! board, its view is mirrored, so that mirrored positions have equal values. The inputs of a view
//! are the space of the egg itself, and for each other piece its space and what it is: the other
//! egg, a free Guardian, a free Ser'ra, or one of a locked pair, which is only a wall. They depend on
//! the square of the egg, so that a weight can say what a Ser'ra on c4w is to an egg on b3. The
//! egg nearer to the Por'rika comes first in the output. The bucket of output weights is chosen by
//! the side to move, the number of free Ser'ra, and whether an egg is home. The arithmetic is
//! [`crate::search::network`].

use std::path::Path;

use arrayvec::ArrayVec;

use super::distance::home;
use crate::games::porrika::rules::board::{COLUMNS, GOALS, ROWS, SPACES, Set, Space, spaces};
use crate::games::porrika::rules::{Kind, Position, Side};
use crate::search::network::{self, Shape, SparseNetwork};
use crate::search::weight_file::{self, WeightFileError};

/// The number of hidden sums of each view.
pub const HIDDEN: usize = 64;

/// Squares of half the board, by which the inputs of a view differ.
const SQUARES: usize = COLUMNS / 2 * ROWS - 1;

/// What another piece may be to an egg: the other egg, a free Guardian, a free Ser'ra, a wall.
const KINDS: usize = 4;

/// A block of inputs for each kind of piece and square of the egg, and one for the egg itself.
/// Buckets: by side to move, free Ser'ra, eggs at home.
pub const SHAPE: Shape =
    Shape { blocks: KINDS * SQUARES + 1, used: SPACES, stride: 128, buckets: 2 * 5 * 2 };

/// The block of the egg itself.
const OWN: usize = KINDS * SQUARES;

/// The shape in training: every kind of piece also has a block for all squares of the egg. What is
/// learned there is added to the blocks for one square when the training is done.
pub const TRAINING_SHAPE: Shape = Shape { blocks: SHAPE.blocks + KINDS, ..SHAPE };

/// The input of a block for all squares that an input of a view stands for; `None` for the egg
/// itself.
#[must_use]
pub fn shared_input(input: usize) -> Option<usize> {
    let (block, space) = (input / SHAPE.stride, input % SHAPE.stride);
    (block < OWN).then_some((SHAPE.blocks + block % KINDS) * SHAPE.stride + space)
}

/// The most pieces on the board.
pub const PIECES: usize = 10;

/// The name of the game in weight files.
const GAME: &str = "porrika";

/// The hidden sums of both views.
pub(super) type Accumulator = network::Accumulator<HIDDEN, 2>;

/// The inputs of a view.
pub type Inputs = ArrayVec<usize, PIECES>;

/// The network of the evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network(SparseNetwork<HIDDEN, 2>);

/// The default network, written by `parlor-lab porrika train`.
static BUILT_IN: &[u8] = include_bytes!("../../../../data/porrika.network");

impl Default for Network {
    /// The network that the engine plays with.
    fn default() -> Self {
        Network::from_bytes(BUILT_IN)
            .unwrap_or_else(|error| unreachable!("the network in the program {error}"))
    }
}

impl From<SparseNetwork<HIDDEN, 2>> for Network {
    fn from(network: SparseNetwork<HIDDEN, 2>) -> Self {
        Network(network)
    }
}

/// What stands on the board, as the network sees it.
#[derive(Clone, Copy)]
struct Pieces {
    eggs: Set,
    /// The kinds after the other egg: free Guardians, free Ser'ra, walls.
    others: [Set; KINDS - 1],
}

impl Pieces {
    #[inline(always)]
    fn of(position: &Position) -> Self {
        let walls = position.locked() & !position.eggs();
        let others = [position.guardians() & !walls, position.serra() & !walls, walls];
        Pieces { eggs: position.eggs(), others }
    }
}

/// The view of an egg.
#[derive(Clone, Copy)]
struct View {
    /// The block of the first kind.
    block: usize,
    mirrored: bool,
    egg: Space,
}

impl View {
    #[inline(always)]
    fn of(egg: Space) -> Self {
        let mirrored = egg.column() >= COLUMNS / 2;
        let column = if mirrored { COLUMNS - 1 - egg.column() } else { egg.column() };
        // Of row 7 only b7 and its mirror image exist.
        let square = (COLUMNS / 2 * egg.row() + column).min(SQUARES - 1);
        View { block: KINDS * square, mirrored, egg }
    }

    /// The input of a piece.
    #[inline(always)]
    fn input(self, kind: usize, space: Space) -> usize {
        (self.block + kind) * SHAPE.stride + self.seen(space)
    }

    #[inline(always)]
    fn seen(self, space: Space) -> usize {
        if self.mirrored { space.mirrored().index() } else { space.index() }
    }

    /// All inputs.
    fn inputs(self, pieces: &Pieces) -> Inputs {
        let mut inputs = Inputs::new();
        // There is room: a position has at most ten pieces.
        let mut add = |input| _ = inputs.try_push(input);
        add(OWN * SHAPE.stride + self.seen(self.egg));
        spaces(pieces.eggs & !self.egg.bit()).for_each(|space| add(self.input(0, space)));
        for (kind, set) in (1..).zip(pieces.others) {
            spaces(set).for_each(|space| add(self.input(kind, space)));
        }
        inputs
    }

    /// How near the egg is to the Por'rika; equal for mirrored spaces alone.
    #[inline(always)]
    fn rank(self) -> usize {
        usize::from(home(self.egg)) * SPACES + self.seen(self.egg)
    }
}

/// The views of the eggs, by index of their spaces; `None` for a missing egg.
#[inline(always)]
fn views(eggs: Set) -> [Option<View>; 2] {
    let mut eggs = spaces(eggs).map(View::of);
    [eggs.next(), eggs.next()]
}

/// The order of the views in the output, and whether both orders are equally good.
#[inline(always)]
fn order(eggs: Set) -> ([usize; 2], bool) {
    let ranks = views(eggs).map(|view| view.map_or(usize::MAX, View::rank));
    (if ranks[1] < ranks[0] { [1, 0] } else { [0, 1] }, ranks[0] == ranks[1])
}

/// The inputs of both views, the egg nearer to the Por'rika first.
#[must_use]
pub fn inputs_of(position: &Position) -> [Inputs; 2] {
    let pieces = Pieces::of(position);
    let views = views(pieces.eggs);
    let order = order(pieces.eggs).0;
    order.map(|at| views[at].map_or_else(Inputs::new, |view| view.inputs(&pieces)))
}

/// The bucket of output weights of a position.
#[inline(always)]
#[must_use]
pub fn bucket_of(position: &Position) -> usize {
    let serra = position.unlocked(Kind::Serra).count_ones().min(4) as usize;
    let side = usize::from(position.side() == Side::Silver);
    let home = usize::from(position.eggs() & GOALS != 0);
    (side * 5 + serra) * 2 + home
}

impl Network {
    /// Reads a weight file that [`Network::to_bytes`] or `parlor-lab porrika train` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, WeightFileError> {
        SparseNetwork::from_bytes(bytes, GAME, SHAPE).map(Network)
    }

    /// Reads a weight file from disk.
    pub fn read(path: &Path) -> Result<Network, WeightFileError> {
        Network::from_bytes(&weight_file::read(path)?)
    }

    /// The network as a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes(GAME)
    }

    /// The accumulator of a position.
    pub(super) fn fresh(&self, position: &Position) -> Accumulator {
        let mut sums = self.0.empty();
        self.refresh(&Pieces::of(position), &mut sums);
        sums
    }

    fn refresh(&self, pieces: &Pieces, sums: &mut Accumulator) {
        for (at, view) in views(pieces.eggs).into_iter().enumerate() {
            let inputs = view.map_or_else(Inputs::new, |view| view.inputs(pieces));
            self.0.refresh(sums, at, &inputs);
        }
    }

    /// Writes the accumulator after a move, from that before.
    #[inline]
    pub(super) fn update(
        &self,
        sums: &Accumulator,
        before: &Position,
        after: &Position,
        next: &mut Accumulator,
    ) {
        let (before, after) = (Pieces::of(before), Pieces::of(after));
        let [Some(first), Some(second)] = views(after.eggs) else {
            return self.refresh(&after, next);
        };
        if before.eggs == after.eggs {
            for (at, view) in [first, second].into_iter().enumerate() {
                let changes = changes(view, &before.others, &after.others);
                self.0.replace_view((sums, at), &changes, (next, at));
            }
            return;
        }
        let Some((from, to)) = egg_move(before.eggs, after.eggs) else {
            return self.refresh(&after, next);
        };
        for (at, view) in [first, second].into_iter().enumerate() {
            if view.egg == to {
                self.0.refresh(next, at, &view.inputs(&after));
            } else {
                let was = usize::from(from.index() < view.egg.index());
                let mut changes = changes(view, &before.others, &after.others);
                _ = changes.try_push([view.input(0, from), view.input(0, to)]);
                self.0.replace_view((sums, was), &changes, (next, at));
            }
        }
    }

    /// The value for copper, in hundredths.
    #[inline]
    pub(super) fn value(&self, sums: &Accumulator, position: &Position) -> i32 {
        let (order, equal) = order(position.eggs());
        let bucket = bucket_of(position);
        let value = self.0.value(sums, order, bucket);
        if equal {
            return (value + self.0.value(sums, [order[1], order[0]], bucket)) / 2;
        }
        value
    }
}

/// Where an egg went, of two.
#[inline]
fn egg_move(before: Set, after: Set) -> Option<(Space, Space)> {
    let (from, to) = (before & !after, after & !before);
    let two = before.count_ones() == 2 && from.count_ones() == 1 && to.count_ones() == 1;
    if two { spaces(from).next().zip(spaces(to).next()) } else { None }
}

/// The inputs of a view that end, each with one that begins. No piece leaves the board, so there are
/// as many of both.
#[inline(always)]
fn changes(
    view: View,
    before: &[Set; KINDS - 1],
    after: &[Set; KINDS - 1],
) -> ArrayVec<[usize; 2], PIECES> {
    let mut changes: ArrayVec<[usize; 2], PIECES> = ArrayVec::new();
    for (kind, (before, after)) in (1..).zip(before.iter().zip(after)) {
        for space in spaces(before & !after) {
            _ = changes.try_push([view.input(kind, space), 0]);
        }
    }
    let mut entered = changes.iter_mut();
    for (kind, (before, after)) in (1..).zip(before.iter().zip(after)) {
        for space in spaces(after & !before) {
            if let Some(change) = entered.next() {
                change[1] = view.input(kind, space);
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Random};
    use crate::games::porrika::rules::{Entry, RuleOptions};
    use crate::search::weight_file::pack;

    /// A network with random weights.
    fn random_network(seed: u64) -> Network {
        let mut random = Random::new(seed);
        let rows = SHAPE.blocks * SHAPE.used + 1 + 2 * SHAPE.buckets;
        let weights = (0..rows * HIDDEN).map(|_| random.below(120) as i16 - 60);
        let mut payload: Vec<u8> = weights.flat_map(i16::to_le_bytes).collect();
        payload.resize(payload.len() + 4 * SHAPE.buckets, 0);
        let description = SparseNetwork::<HIDDEN, 2>::description(GAME, SHAPE);
        Network::from_bytes(&pack(&description, &payload)).expect("a network")
    }

    /// Visits the positions of random games, with those after them.
    fn for_each_step(
        options: RuleOptions,
        games: u64,
        mut visit: impl FnMut(&Position, &Position),
    ) {
        for seed in 0..games {
            let mut random = Random::new(seed);
            let mut position = Position::setup(options);
            for _ in 0..200 {
                let Some(m) = position.random_move(&mut random) else { break };
                let before = position;
                position.play(&m);
                visit(&before, &position);
            }
        }
    }

    fn assert_updated(network: &Network, before: &Position, after: &Position) {
        let sums = network.fresh(before);
        // What was there before must not matter.
        let mut next = network.fresh(&Position::setup(RuleOptions::default()));
        network.update(&sums, before, after, &mut next);
        assert!(next == network.fresh(after), "{before} to {after}");
    }

    #[test]
    fn accumulators_are_those_computed_afresh() {
        let network = random_network(1);
        let odd = RuleOptions {
            serra_lock: true,
            egg_suicide: true,
            entry: Entry::Any,
            play_hopeless: true,
            ..RuleOptions::default()
        };
        for options in [RuleOptions::default(), odd] {
            let mut walls = 0;
            for_each_step(options, 40, |before, after| {
                walls += usize::from(before.locked() != after.locked());
                assert_updated(&network, before, after);
            });
            assert!(walls > 40, "{walls}");
        }
    }

    #[test]
    fn positions_with_fewer_eggs_have_values_too() {
        let network = random_network(2);
        for text in [
            "-,Gn,-,-/-,En,-,-/-,-,Gw,-/-,-,-,-/-,-,-,-/-,SsSw,Se,-/-,-,-,- c",
            "-,Gn,-,-/-,-,-,-/-,-,Gw,-/-,-,-,-/-,-,-,-/-,SsSw,Se,-/-,-,-,- c",
        ] {
            let position: Position = text.parse().expect(text);
            for m in position.moves() {
                let mut after = position;
                after.play(&m);
                assert_updated(&network, &position, &after);
                let value = network.value(&network.fresh(&after), &after);
                let mirror = after.mirrored();
                assert_eq!(network.value(&network.fresh(&mirror), &mirror), value);
            }
        }
    }

    #[test]
    fn mirrored_positions_have_equal_values() {
        let network = random_network(3);
        let mut between_mirrored_eggs = 0;
        let mut values = std::collections::BTreeSet::new();
        for_each_step(RuleOptions::default(), 100, |_, position| {
            let mirror = position.mirrored();
            let value = network.value(&network.fresh(position), position);
            assert_eq!(network.value(&network.fresh(&mirror), &mirror), value, "{position}");
            values.insert(value);
            let eggs = position.eggs();
            between_mirrored_eggs += usize::from(eggs == mirror.eggs());
        });
        assert!(values.len() > 500 && between_mirrored_eggs > 10, "{between_mirrored_eggs}");
    }

    #[test]
    fn a_network_comes_back_from_its_bytes_and_damaged_ones_are_refused() {
        let bytes = Network::default().to_bytes();
        assert!(bytes == BUILT_IN);
        for byte in (0..bytes.len()).step_by(9_973) {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x10;
            assert!(Network::from_bytes(&damaged).is_err(), "byte {byte}");
        }
        assert!(Network::from_bytes(&bytes[1..]).is_err());
        assert!(Network::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    }
}
