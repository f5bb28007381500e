//! Small games, each with one property that a driver must handle; tic-tac-toe is the one of
//! `examples/`.

use std::ops::ControlFlow;

use parlor::game::{Chance, Chances, Game, Hidden, Outcome, Random, Seat, Turn, splitmix64};
use parlor::search::{Evaluate, SearchHints};

use crate::tic_tac_toe::OpenLines;
pub use crate::tic_tac_toe::Position as TicTacToe;

fn visit_all<M, B>(
    moves: impl IntoIterator<Item = M>,
    mut visit: impl FnMut(M) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for m in moves {
        visit(m)?;
    }
    ControlFlow::Continue(())
}

/// Take one to three; whoever takes the last wins. The mover loses if and only if a multiple of four
/// is left.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    pub left: u8,
    pub mover: usize,
}

impl Game for Heap {
    type Move = u8;

    fn seats(&self) -> usize {
        2
    }
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Seat(Seat::new(self.mover)) }
    }
    fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        visit_all(1..=self.left.min(3), visit)
    }
    fn is_legal(&self, m: &u8) -> bool {
        (1..=self.left.min(3)).contains(m)
    }
    fn play(&mut self, m: &u8) {
        self.left -= m;
        self.mover = 1 - self.mover;
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then(|| Outcome::win(2, Seat::new(1 - self.mover)))
    }
    fn reason(&self) -> Option<&'static str> {
        (self.left == 0).then_some("last-taken")
    }
    fn fresh_key(&self) -> u64 {
        splitmix64(u64::from(self.left) * 2 + self.mover as u64)
    }
}

/// A row of numbers; the mover takes one from either end and owns it. In the variant `again`, an
/// even number gives another move, so that the sign of a value does not follow from the depth.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    pub numbers: [u8; 16],
    pub from: u8,
    pub to: u8,
    pub seats: u8,
    pub mover: u8,
    pub again: bool,
    pub owned: [u8; 4],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    Left,
    Right,
}

impl Row {
    pub fn new(seed: u64, length: u8, seats: u8, again: bool) -> Self {
        let mut random = Random::new(seed);
        let numbers = [(); 16].map(|()| 1 + random.below(9) as u8);
        Row { numbers, from: 0, to: length, seats, mover: 0, again, owned: [0; 4] }
    }
}

impl Game for Row {
    type Move = End;

    fn seats(&self) -> usize {
        self.seats as usize
    }
    fn turn(&self) -> Turn {
        if self.from == self.to { Turn::Over } else { Turn::Seat(Seat::new(self.mover as usize)) }
    }
    fn for_each_move<B>(&self, visit: impl FnMut(End) -> ControlFlow<B>) -> ControlFlow<B> {
        let ends = [End::Left, End::Right];
        let count = usize::from(self.to - self.from).min(2);
        visit_all(ends.into_iter().take(count), visit)
    }
    fn is_legal(&self, m: &End) -> bool {
        self.to - self.from > u8::from(*m == End::Right)
    }
    fn play(&mut self, m: &End) {
        let taken = match m {
            End::Left => {
                self.from += 1;
                self.numbers[self.from as usize - 1]
            }
            End::Right => {
                self.to -= 1;
                self.numbers[self.to as usize]
            }
        };
        self.owned[self.mover as usize] += taken;
        if !(self.again && taken % 2 == 0) {
            self.mover = (self.mover + 1) % self.seats;
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        let scores = self.owned.map(i64::from);
        (self.from == self.to).then(|| Outcome::from_scores(&scores[..self.seats as usize]))
    }
    fn reason(&self) -> Option<&'static str> {
        (self.from == self.to).then_some("row-empty")
    }
    fn fresh_key(&self) -> u64 {
        let place = u64::from(self.from) << 16 | u64::from(self.to) << 8 | u64::from(self.mover);
        splitmix64(place ^ splitmix64(u64::from(u32::from_le_bytes(self.owned))))
    }
}

/// Two kings that step along ranks and files of a board of 4 by 4. The first wins on the square of the
/// second, the second on the corner `GOAL`. Every move can be taken back, so that repetition matters,
/// and a third of the positions are drawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chase {
    pub kings: [u8; 2],
    pub mover: u8,
}

pub const GOAL: u8 = 15;

impl Chase {
    fn reaches(&self, to: u8) -> bool {
        let from = self.kings[self.mover as usize];
        let (rank, file) = ((from / 4).abs_diff(to / 4), (from % 4).abs_diff(to % 4));
        // The second king may not step onto the first.
        rank + file == 1 && to < 16 && !(self.mover == 1 && to == self.kings[0])
    }
}

impl Game for Chase {
    type Move = u8;

    fn seats(&self) -> usize {
        2
    }
    fn turn(&self) -> Turn {
        if self.outcome().is_some() {
            Turn::Over
        } else {
            Turn::Seat(Seat::new(self.mover as usize))
        }
    }
    fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let over = self.outcome().is_some();
        visit_all((0..16).filter(|to| !over && self.reaches(*to)), visit)
    }
    fn is_legal(&self, m: &u8) -> bool {
        self.outcome().is_none() && self.reaches(*m)
    }
    fn play(&mut self, m: &u8) {
        self.kings[self.mover as usize] = *m;
        self.mover = 1 - self.mover;
    }
    fn outcome(&self) -> Option<Outcome> {
        if self.kings[0] == self.kings[1] {
            Some(Outcome::win(2, Seat::new(0)))
        } else {
            (self.kings[1] == GOAL).then(|| Outcome::win(2, Seat::new(1)))
        }
    }
    fn reason(&self) -> Option<&'static str> {
        self.outcome().map(|_| "caught-or-home")
    }
    fn fresh_key(&self) -> u64 {
        let kings = u64::from(self.kings[0]) << 8 | u64::from(self.kings[1]);
        splitmix64(kings << 8 | u64::from(self.mover))
    }
    fn repetition(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }
}

/// A race of `seats` counters to ten steps: throw one to three (weights 3 2 1), then move the
/// counter that far or keep it and push the leader back by one. A throw of three throws again.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    pub steps: [u8; 3],
    pub seats: u8,
    pub mover: u8,
    pub thrown: u8,
}

pub const HOME: u8 = 10;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaceMove {
    Throw(u8),
    Run,
    Push,
}

impl Race {
    pub fn new(seats: u8) -> Self {
        Race { steps: [0; 3], seats, mover: 0, thrown: 0 }
    }
}

impl Game for Race {
    type Move = RaceMove;

    fn seats(&self) -> usize {
        self.seats as usize
    }
    fn turn(&self) -> Turn {
        let seat = Seat::new(self.mover as usize);
        if self.outcome().is_some() {
            Turn::Over
        } else if self.thrown == 0 || self.thrown == 3 {
            Turn::Chance { thrower: Some(seat) }
        } else {
            Turn::Seat(seat)
        }
    }
    fn for_each_move<B>(&self, visit: impl FnMut(RaceMove) -> ControlFlow<B>) -> ControlFlow<B> {
        let throws = [RaceMove::Throw(1), RaceMove::Throw(2), RaceMove::Throw(3)];
        match self.turn() {
            Turn::Over => ControlFlow::Continue(()),
            Turn::Chance { .. } => visit_all(throws, visit),
            Turn::Seat(_) => visit_all([RaceMove::Run, RaceMove::Push], visit),
        }
    }
    fn is_legal(&self, m: &RaceMove) -> bool {
        self.moves().contains(m)
    }
    fn play(&mut self, m: &RaceMove) {
        match m {
            // Three throws again, with nothing kept of the first: a chain of chance nodes.
            RaceMove::Throw(n) => self.thrown = *n,
            RaceMove::Run => {
                let steps = &mut self.steps[self.mover as usize];
                *steps = (*steps + self.thrown).min(HOME);
            }
            RaceMove::Push => {
                let mover = self.mover as usize;
                let others = (0..self.seats as usize).filter(|seat| *seat != mover);
                if let Some(leader) = others.max_by_key(|seat| self.steps[*seat]) {
                    self.steps[leader] = self.steps[leader].saturating_sub(1);
                }
            }
        }
        if !matches!(m, RaceMove::Throw(_)) {
            self.mover = (self.mover + 1) % self.seats;
            self.thrown = 0;
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        let home = self.steps.iter().position(|steps| *steps >= HOME)?;
        Some(Outcome::win(self.seats as usize, Seat::new(home)))
    }
    fn reason(&self) -> Option<&'static str> {
        self.outcome().map(|_| "home")
    }
    fn fresh_key(&self) -> u64 {
        let [a, b, c] = self.steps.map(u64::from);
        splitmix64(
            a | b << 8 | c << 16 | u64::from(self.mover) << 24 | u64::from(self.thrown) << 32,
        )
    }
}

impl Chance for Race {
    fn chances(&self) -> Chances<RaceMove> {
        let listed =
            vec![(RaceMove::Throw(1), 3), (RaceMove::Throw(2), 2), (RaceMove::Throw(3), 1)];
        Chances::Listed(if self.turn().is_chance() { listed } else { Vec::new() })
    }
}

impl Chance for Heap {}
impl Chance for Row {}
impl Chance for Chase {}

impl Hidden for Row {}
impl Hidden for Heap {}
impl Hidden for Chase {}
impl Hidden for Race {}

/// Simple evaluations that differ between positions, so that a wrong sign or line shows.
#[derive(Clone, Copy, Default)]
pub struct Plain;

impl SearchHints<Heap> for Plain {}
impl SearchHints<TicTacToe> for Plain {}
impl SearchHints<Row> for Plain {}
impl SearchHints<Chase> for Plain {}

impl Evaluate<Heap> for Plain {
    type Acc = ();

    fn fresh(&self, _: &Heap) {}
    fn score(&self, _: &(), position: &Heap, seat: Seat) -> i32 {
        let wild = (position.key() % 200) as i32 - 100;
        if seat.index() == 0 { wild } else { -wild }
    }
}

impl Evaluate<TicTacToe> for Plain {
    type Acc = ();

    fn fresh(&self, _: &TicTacToe) {}
    fn score(&self, _: &(), position: &TicTacToe, seat: Seat) -> i32 {
        OpenLines.score(&(), position, seat)
    }
}

impl Evaluate<Row> for Plain {
    /// What each seat owns, updated with every move, to test that accumulators are passed on.
    type Acc = [i32; 4];

    fn fresh(&self, position: &Row) -> [i32; 4] {
        position.owned.map(i32::from)
    }
    fn update(&self, acc: &[i32; 4], before: &Row, m: &End, after: &Row, next: &mut [i32; 4]) {
        *next = *acc;
        next[before.mover as usize] += match m {
            End::Left => i32::from(before.numbers[after.from as usize - 1]),
            End::Right => i32::from(before.numbers[after.to as usize]),
        };
    }
    fn score(&self, acc: &[i32; 4], position: &Row, seat: Seat) -> i32 {
        let others: i32 = (0..position.seats as usize)
            .filter(|other| *other != seat.index())
            .map(|other| acc[other])
            .sum();
        10 * (acc[seat.index()] * (i32::from(position.seats) - 1) - others)
    }
}

impl Evaluate<Chase> for Plain {
    type Acc = ();

    fn fresh(&self, _: &Chase) {}
    fn score(&self, _: &(), position: &Chase, seat: Seat) -> i32 {
        let distance = |a: u8, b: u8| {
            i32::from((a / 4).abs_diff(b / 4)) * 7 + i32::from((a % 4).abs_diff(b % 4)) * 5
        };
        let value =
            distance(position.kings[1], GOAL) - distance(position.kings[0], position.kings[1]);
        if seat.index() == 0 { value } else { -value }
    }
}

impl Evaluate<Race> for Plain {
    type Acc = ();

    fn fresh(&self, _: &Race) {}
    fn score(&self, _: &(), position: &Race, seat: Seat) -> i32 {
        let total: i32 = position.steps.iter().map(|steps| i32::from(*steps)).sum();
        100 * (i32::from(position.steps[seat.index()]) * i32::from(position.seats) - total)
    }
}
