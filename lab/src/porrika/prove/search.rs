//! Depth-first proof-number search (Nagai 2002) for a win of copper.
//!
//! A position with copper to move is proved by one move, one with silver to move by all of them. The
//! numbers of a position with several ways are the greatest of them plus the count of the others
//! ("weak" proof numbers, Ueda et al. 2008): the sum would count transpositions over and over. New
//! positions start from the evaluation. A position that repeats counts as no win, so what is proved
//! holds on every path; what is disproved by a repetition alone is not remembered.

use parlor::game::Game;
use parlor::games::porrika::board::spaces;
use parlor::games::porrika::play::distance::home;
use parlor::games::porrika::solved::Verdict;
use parlor::games::porrika::{Evaluation, Position, Side};

use super::endings::Endings;
use super::table::{Entry, INFINITE, Numbers, Table};

/// The longest line that is searched.
const LONGEST: usize = 256;

/// The greatest number of a new position.
const MOST: f64 = 100_000.0;

/// A search has taken as many positions as it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfNodes;

/// A successor.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    numbers: Numbers,
    plies: u32,
    /// Disproved on this path alone: by a repetition.
    tainted: bool,
}

/// What came of a visit.
#[derive(Clone, Copy)]
struct Found {
    entry: Entry,
    tainted: bool,
}

/// How the numbers of a new position follow from its evaluation for copper, in centipawns. With `step`
/// taken off for each move that an egg still has to make, the proof number is
/// `1 + exp((centre - value) / width)`, the disproof number `1 + exp((value - centre) / width)`.
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    pub centre: f64,
    pub width: f64,
    pub step: f64,
}

/// The search, with what it remembers.
pub struct Prover {
    pub table: Table,
    pub endings: Endings,
    evaluation: Evaluation,
    guess: Guess,
    nodes: u64,
    most: u64,
    /// Keys of the positions on the path.
    path: Vec<u64>,
    /// How many of them have each low part of a key.
    low: Box<[u8; 4096]>,
}

impl Prover {
    /// A search with a table.
    pub fn new(table: Table, endings: Endings, guess: Guess) -> Self {
        Prover {
            table,
            endings,
            evaluation: Evaluation::default(),
            guess,
            nodes: 0,
            most: 0,
            path: Vec::new(),
            low: Box::new([0; 4096]),
        }
    }

    /// Positions visited since the last [`Self::prove`] began.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches until a position is decided: whether copper wins it. `false` also where a line became
    /// too long, or every line repeats.
    pub fn prove(&mut self, position: &Position, most: u64) -> Result<bool, OutOfNodes> {
        (self.nodes, self.most) = (0, most);
        let mut numbers = self.child(*position).numbers;
        if !numbers.decided() {
            let limit = Numbers { proof: INFINITE, disproof: INFINITE };
            numbers = self.visit(position, limit).entry.numbers;
        }
        if numbers.decided() { Ok(numbers.proof == 0) } else { Err(OutOfNodes) }
    }

    /// What is known of a position without a search: the plies within which copper wins it.
    pub fn proved(&self, position: &Position) -> Option<u32> {
        let child = self.child(*position);
        (child.numbers.proof == 0).then_some(child.plies)
    }

    fn is_on_path(&self, key: u64) -> bool {
        self.low[key as usize % 4096] > 0 && self.path.contains(&key)
    }

    /// What is known of a position before it is searched.
    fn child(&self, position: Position) -> Child {
        let decided = |numbers, plies| Child { position, numbers, plies, tainted: false };
        if let Some(outcome) = position.outcome() {
            let wins = outcome.share(Side::Copper.seat()) == 1.0;
            return decided(if wins { Numbers::PROVED } else { Numbers::DISPROVED }, 0);
        }
        if self.is_on_path(position.key()) {
            return Child { position, numbers: Numbers::DISPROVED, plies: 0, tainted: true };
        }
        if let Some(verdict) = self.endings.probe(&position) {
            return match verdict {
                Verdict::CopperWins(plies) => decided(Numbers::PROVED, plies),
                _ => decided(Numbers::DISPROVED, 0),
            };
        }
        if let Some(entry) = self.table.get(position.key()) {
            return decided(entry.numbers, entry.plies);
        }
        if let Some(plies) = position.copper_runs_home() {
            return match plies {
                Some(plies) => decided(Numbers::PROVED, plies),
                None => decided(Numbers::DISPROVED, 0),
            };
        }
        decided(self.first_numbers(&position), 0)
    }

    /// The numbers of a position that was never searched.
    fn first_numbers(&self, position: &Position) -> Numbers {
        let Guess { centre, width, step } = self.guess;
        let far: u32 = spaces(position.eggs()).map(|egg| u32::from(home(egg))).sum();
        let value = f64::from(self.evaluation.for_copper(position)) - step * f64::from(far);
        let number = |exponent: f64| (1.0 + exponent.exp()).min(MOST) as u32;
        Numbers {
            proof: number((centre - value) / width),
            disproof: number((value - centre) / width),
        }
    }

    /// Searches a position until one of its numbers reaches its limit.
    fn visit(&mut self, position: &Position, limit: Numbers) -> Found {
        self.nodes += 1;
        self.endings.visit(position);
        let (key, before) = (position.key(), self.nodes);
        self.path.push(key);
        self.low[key as usize % 4096] += 1;
        let found = self.search(position, limit);
        self.path.pop();
        self.low[key as usize % 4096] -= 1;
        // What a repetition has disproved may be won on another path: it is only put back.
        let stored = match found.tainted && found.entry.numbers.disproof == 0 {
            true => Entry { numbers: Numbers { proof: INFINITE / 2, disproof: 1 }, plies: 0 },
            false => found.entry,
        };
        self.table.put(key, stored, self.nodes - before + 1);
        found
    }

    fn search(&mut self, position: &Position, limit: Numbers) -> Found {
        let copper = position.side() == Side::Copper;
        let mut children = self.children(position, copper);
        loop {
            let found = combined(&children, copper);
            let Numbers { proof, disproof } = found.entry.numbers;
            let reached = proof >= limit.proof || disproof >= limit.disproof;
            if found.entry.numbers.decided() || reached || self.nodes >= self.most {
                return found;
            }
            let Some((best, inner)) = chosen(&children, copper, limit) else { return found };
            let child = &mut children[best];
            if self.path.len() >= LONGEST {
                (child.numbers, child.tainted) = (Numbers::DISPROVED, true);
                continue;
            }
            let Found { entry, tainted } = self.visit(&child.position, inner);
            (child.numbers, child.plies, child.tainted) = (entry.numbers, entry.plies, tainted);
        }
    }

    /// The successors, up to the first that decides.
    fn children(&self, position: &Position, copper: bool) -> Vec<Child> {
        let mut children = Vec::with_capacity(32);
        for m in position.moves() {
            let mut next = *position;
            next.play(&m);
            let child = self.child(next);
            children.push(child);
            if alone(child.numbers, copper) == 0 && !child.tainted {
                break;
            }
        }
        children
    }
}

/// The number that one child decides alone, and the one to which all contribute.
fn alone(numbers: Numbers, copper: bool) -> u32 {
    if copper { numbers.proof } else { numbers.disproof }
}

fn together(numbers: Numbers, copper: bool) -> u32 {
    if copper { numbers.disproof } else { numbers.proof }
}

fn of(copper: bool, alone: u32, together: u32) -> Numbers {
    match copper {
        true => Numbers { proof: alone, disproof: together },
        false => Numbers { proof: together, disproof: alone },
    }
}

/// The numbers of a position from those of its successors.
fn combined(children: &[Child], copper: bool) -> Found {
    let (mut least, mut greatest, mut open) = (INFINITE, 0, 0);
    let (mut shortest, mut longest, mut tainted) = (u32::MAX, 0, false);
    let mut sound_refutation = false;
    for child in children {
        least = least.min(alone(child.numbers, copper));
        let share = together(child.numbers, copper);
        greatest = greatest.max(share);
        open += u32::from(share > 0);
        if child.numbers.proof == 0 {
            shortest = shortest.min(child.plies);
            longest = longest.max(child.plies);
        }
        if child.numbers.disproof == 0 {
            tainted |= child.tainted;
            sound_refutation |= !child.tainted;
        }
    }
    let sum = if greatest >= INFINITE {
        INFINITE
    } else {
        (greatest + open.saturating_sub(1)).min(INFINITE - 1)
    };
    let numbers = of(copper, least, sum);
    let plies = match (numbers.proof == 0, copper) {
        (false, _) => 0,
        (true, true) => shortest + 1,
        (true, false) => longest + 1,
    };
    // One sound refutation is enough for silver; copper needs all of its moves refuted soundly.
    let tainted = if copper { tainted } else { tainted && !sound_refutation };
    Found { entry: Entry { numbers, plies }, tainted }
}

/// The successor to search next and its limits.
fn chosen(children: &[Child], copper: bool, limit: Numbers) -> Option<(usize, Numbers)> {
    let (mut best, mut least, mut second) = (None, INFINITE, INFINITE);
    let mut open = 0;
    for (index, child) in children.iter().enumerate() {
        let number = alone(child.numbers, copper);
        open += u32::from(together(child.numbers, copper) > 0);
        if number < least {
            (best, second, least) = (Some(index), least, number);
        } else {
            second = second.min(number);
        }
    }
    // A quarter beyond the second best before the line is changed (1 + epsilon, Pawlewicz and Lew 2007).
    let switch = second.saturating_add(second / 4).saturating_add(1);
    let alone_limit = self::alone(limit, copper).min(switch);
    let together_limit = self::together(limit, copper);
    let inner = match together_limit >= INFINITE {
        true => INFINITE,
        false => together_limit.saturating_sub(open.saturating_sub(1)).max(1),
    };
    Some((best?, of(copper, alone_limit, inner)))
}
