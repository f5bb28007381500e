//! Which endings have a tablebase, and the numbers of their states.
//!
//! Locked pairs never move and act only as walls. For given walls two kinds of ending are solved:
//!
//! | kind | pieces that are not locked | states |
//! |---|---|---|
//! | two eggs | two eggs, a Guardian, a Ser'ra | 48 million with three pairs |
//! | last egg | an egg, up to two Guardians, two Ser'ra; the other egg is home | 2.3 billion with two pairs |
//!
//! Two eggs against two Ser'ra would be 10^11 states. The states with copper and with silver to
//! move have the same numbers.

use super::places::{Places, pair_number};
use crate::games::porrika::rules::board::{DEAD, GOALS, Set, Space, across, spaces};
use crate::games::porrika::rules::{Kind, Position, RuleOptions};

/// The most Guardians of an ending with one egg home.
const MAX_GUARDIANS: u32 = 2;

/// An ending that can be solved: its walls, and which other pieces there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    walls: Set,
    free: FreePieces,
}

/// The pieces that are not locked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FreePieces {
    /// Two eggs, a Guardian, a Ser'ra.
    TwoEggs,
    /// An egg, Guardians and two Ser'ra, the other egg at home.
    LastEgg {
        /// Where the other egg is.
        home: Space,
        /// How many Guardians.
        guardians: u32,
    },
}

/// Why a position has no tablebase.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTablebase {
    /// One of its rules is not the default one, and would change the values.
    #[error("an ending is not solved under {name}={value}, only under the default")]
    Rules {
        /// The rule option.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// Other pieces are not locked.
    #[error(
        "an ending has two E, one G and one S that are not locked, or one E home, the other E, at \
         most two G and two S; this position has {eggs} E ({home} home), {guardians} G and {serra} S"
    )]
    Pieces {
        /// Egg-Carriers.
        eggs: u32,
        /// Egg-Carriers on a Por'rika.
        home: u32,
        /// Guardians that are not locked.
        guardians: u32,
        /// Ser'ra that are not locked.
        serra: u32,
    },
    /// The pieces are known, the states too many.
    #[error(
        "two E on their way, {guardians} G and {serra} S that are not locked are {states} million \
         states, too many to solve{}",
        if *serra == 2 && *guardians <= MAX_GUARDIANS { "; with one E home it can be done" } else { "" }
    )]
    TooLarge {
        /// Guardians that are not locked.
        guardians: u32,
        /// Ser'ra that are not locked.
        serra: u32,
        /// States in millions, with either side to move.
        states: u64,
    },
}

impl Ending {
    /// The ending that a position is in.
    ///
    /// # Errors
    /// When it is in none that can be solved, or under other rules.
    pub fn of(position: &Position) -> Result<Ending, NoTablebase> {
        if let Some((name, value)) = unsupported(position.options()) {
            return Err(NoTablebase::Rules { name, value });
        }
        let walls = position.locked();
        let count = |set: Set| (set & !walls).count_ones();
        let [eggs, guardians, serra] = Kind::ALL.map(|kind| count(position.of(kind)));
        let at_home = position.eggs() & GOALS;
        let home = at_home.count_ones();
        match (eggs, guardians, serra, spaces(at_home).next()) {
            (2, 1, 1, _) => Ok(Ending { walls, free: FreePieces::TwoEggs }),
            (2, ..=MAX_GUARDIANS, 2, Some(home)) if at_home != GOALS => {
                Ok(Ending { walls, free: FreePieces::LastEgg { home, guardians } })
            }
            (2, _, 2.., None) => {
                let states = too_many(walls, guardians, serra);
                Err(NoTablebase::TooLarge { guardians, serra, states })
            }
            _ => Err(NoTablebase::Pieces { eggs, home, guardians, serra }),
        }
    }

    /// The ending with these spaces of locked pairs and these other pieces. In a game there are at
    /// most four pairs, and two Ser'ra are free with at most two.
    #[must_use]
    pub fn new(walls: Set, free: FreePieces) -> Self {
        Ending { walls, free }
    }

    /// The spaces of the locked pairs.
    #[must_use]
    pub fn walls(&self) -> Set {
        self.walls
    }

    /// The pieces that are not locked.
    #[must_use]
    pub fn free(&self) -> FreePieces {
        self.free
    }

    /// An upper bound of the states, both sides to move counted.
    #[must_use]
    pub fn max_states(&self) -> u64 {
        2 * Layout::new(*self).states() as u64
    }

    /// The name of its file in a folder of tablebases: the egg that is home, the number of Guardians,
    /// and one space of each locked pair.
    #[must_use]
    pub fn file_name(&self) -> String {
        let mut name = match self.free {
            FreePieces::TwoEggs => "eggs".to_owned(),
            FreePieces::LastEgg { home, guardians } => format!("{home}-{guardians}"),
        };
        for space in spaces(self.walls).filter(|space| space.bit() < across(space.bit())) {
            name.push('-');
            name.push_str(&space.to_string());
        }
        name + ".ending"
    }
}

/// Millions of states of two eggs on their way.
fn too_many(walls: Set, guardians: u32, serra: u32) -> u64 {
    let places = Places::new(walls);
    let choose = |count: u32| {
        let width = places.width() as u128;
        (0..u128::from(count)).fold(1, |ways, taken| ways * (width - taken) / (taken + 1))
    };
    let states = 2 * places.pairs() as u128 * choose(guardians) * choose(serra);
    u64::try_from(states / 1_000_000).unwrap_or(u64::MAX)
}

/// Whether the tablebase is valid under these rules. Repetition does not change a forced win.
fn supports(rules: RuleOptions) -> bool {
    RuleOptions { repetition_wins: false, ..rules } == RuleOptions::default()
}

/// The first rule option, with its value, under which the tablebase is not valid.
fn unsupported(rules: RuleOptions) -> Option<(&'static str, String)> {
    let rules = RuleOptions { repetition_wins: false, ..rules };
    // The search asks for each position that it probes.
    if supports(rules) {
        return None;
    }
    let [values, defaults] = [rules, RuleOptions::default()].map(|rules| rules.values());
    values
        .into_iter()
        .zip(defaults)
        .find(|(value, default)| value != default)
        .map(|(value, _)| value)
}

/// The numbers of the states of an ending.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The ending.
    pub ending: Ending,
    /// The spaces outside its walls.
    pub places: Places,
}

impl Layout {
    /// The numbers of an ending.
    #[must_use]
    pub fn new(ending: Ending) -> Self {
        let fixed = match ending.free {
            FreePieces::TwoEggs => ending.walls,
            FreePieces::LastEgg { home, .. } => ending.walls | home.bit(),
        };
        Layout { ending, places: Places::new(fixed) }
    }

    /// How many numbers there are. Not every number is a state.
    #[must_use]
    pub fn states(&self) -> usize {
        let width = self.places.width();
        match self.ending.free {
            FreePieces::TwoEggs => self.places.pairs() * width * width,
            FreePieces::LastEgg { guardians, .. } => {
                self.rows(guardians) * self.places.piece_pairs()
            }
        }
    }

    /// The placements of the last egg and the Guardians.
    #[must_use]
    pub fn rows(&self, guardians: u32) -> usize {
        self.places.moving() * self.guardian_sets(guardians)
    }

    /// The placements of the Guardians of an ending with the last egg.
    #[must_use]
    pub fn guardian_sets(&self, guardians: u32) -> usize {
        match guardians {
            0 => 1,
            1 => self.places.width(),
            _ => self.places.piece_pairs(),
        }
    }

    /// The number of a placement of the last egg and the Guardians.
    #[must_use]
    pub fn row_of(&self, guardians: u32, egg: Space, guards: Set) -> usize {
        let mut columns = spaces(guards).map(|space| self.places.column(space));
        let number = match (columns.next(), columns.next()) {
            (None, _) => 0,
            (Some(only), None) => only,
            (Some(one), Some(other)) => pair_number(one, other),
        };
        self.places.column(egg) * self.guardian_sets(guardians) + number
    }

    /// The number of a position; `None` if it is not in the ending.
    #[must_use]
    pub fn number(&self, position: &Position) -> Option<usize> {
        let walls = self.ending.walls;
        if walls & !position.locked() != 0 || !supports(position.options()) {
            return None;
        }
        let (eggs, guards) = (position.eggs() & !walls, position.guardians() & !walls);
        let serra = position.serra() & !walls;
        if eggs.count_ones() != 2 || eggs & DEAD & !GOALS != 0 || (guards | serra) & GOALS != 0 {
            return None;
        }
        let counts = (guards.count_ones(), serra.count_ones());
        match self.ending.free {
            FreePieces::TwoEggs if counts == (1, 1) => {
                let width = self.places.width();
                let column = |set| spaces(set).next().map(|space| self.places.column(space));
                let triple = self.places.pair(eggs) * width + column(guards)?;
                Some(triple * width + column(serra)?)
            }
            FreePieces::LastEgg { home, guardians } if counts == (guardians, 2) => {
                let egg = spaces(eggs & !home.bit()).next()?;
                if eggs & GOALS != home.bit() {
                    return None;
                }
                let row = self.row_of(guardians, egg, guards);
                Some(row * self.places.piece_pairs() + self.places.piece_pair(serra))
            }
            _ => None,
        }
    }
}
