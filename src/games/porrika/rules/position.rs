//! A position: pieces, side to move, rule options, phase and key.

use super::board::{
    self, DEAD, GOAL_SQUARES, GOALS, SERRA_STARTS, SPACES, Set, Space, across, spaces,
};
use super::options::{RuleOptions, Stuck};
use crate::game::{Seat, splitmix64};

/// The two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The Schelati: Egg-Carriers and Guardians. They move first.
    Copper,
    /// The Ser'ra.
    Silver,
}

impl Side {
    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Side::Copper => Side::Silver,
            Side::Silver => Side::Copper,
        }
    }

    /// The seat that plays this side.
    #[inline]
    #[must_use]
    pub const fn seat(self) -> Seat {
        Seat::new(self as usize)
    }

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Side::Copper => "copper",
            Side::Silver => "silver",
        }
    }
}

/// The kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Egg-Carrier, `E`.
    Egg,
    /// Guardian, `G`.
    Guardian,
    /// Ser'ra, `S`.
    Serra,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Egg, Kind::Guardian, Kind::Serra];

    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Kind::Egg => 'E',
            Kind::Guardian => 'G',
            Kind::Serra => 'S',
        }
    }

    /// The name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Egg => "Egg-Carrier",
            Kind::Guardian => "Guardian",
            Kind::Serra => "Ser'ra",
        }
    }

    /// How many of them the game has.
    #[must_use]
    pub const fn limit(self) -> u32 {
        match self {
            Kind::Egg => 2,
            Kind::Guardian | Kind::Serra => 4,
        }
    }

    /// The side that owns it.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Kind::Egg | Kind::Guardian => Side::Copper,
            Kind::Serra => Side::Silver,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndReason {
    /// Both eggs stand on the Por'rika.
    EggsHome,
    /// An Egg-Carrier faces a Ser'ra.
    EggCaptured,
    /// An egg stands where it can never move again, and not on a Por'rika.
    EggStranded,
    /// A piece without an egg stands on a Por'rika.
    PorrikaTaken,
    /// The squares before the Por'rika are full, with an egg still outside.
    AxesSealed,
    /// Neither side has a move.
    NobodyMoves,
    /// Copper has no move, and that decides.
    CopperStuck,
    /// Silver has no move, and that decides.
    SilverStuck,
}

impl EndReason {
    /// The hyphenated name that `query reason` answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::EggsHome => "eggs-home",
            EndReason::EggCaptured => "egg-captured",
            EndReason::EggStranded => "egg-stranded",
            EndReason::PorrikaTaken => "porrika-taken",
            EndReason::AxesSealed => "axes-sealed",
            EndReason::NobodyMoves => "nobody-moves",
            EndReason::CopperStuck | EndReason::SilverStuck => "no-moves",
        }
    }
}

/// What the side to move does next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Copper places its pieces.
    Setup,
    /// The side to move has a move.
    Moving,
    /// The side to move has none and must pass.
    Passing,
    /// The game is over.
    Over(EndReason),
}

/// One position with its rule options: 64 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pieces: [Set; 3],
    key: u64,
    rules: RuleOptions,
    side: Side,
    phase: Phase,
}

impl Position {
    /// A position from its pieces, possible or not: see [`Position::validate`].
    #[must_use]
    pub fn from_pieces(pieces: [Set; 3], side: Side, rules: RuleOptions) -> Self {
        let mut position = Position { pieces, key: 0, rules, side, phase: Phase::Moving };
        position.key = position.compute_key();
        position.phase = position.compute_phase();
        position
    }

    /// The starting position: copper has not placed its pieces yet.
    #[must_use]
    pub fn setup(rules: RuleOptions) -> Self {
        Position::from_pieces([0, 0, SERRA_STARTS], Side::Copper, rules)
    }

    /// The pieces of a kind.
    #[inline]
    #[must_use]
    pub const fn of(&self, kind: Kind) -> Set {
        self.pieces[kind as usize]
    }

    /// The Egg-Carriers.
    #[inline]
    #[must_use]
    pub const fn eggs(&self) -> Set {
        self.pieces[Kind::Egg as usize]
    }

    /// The Guardians.
    #[inline]
    #[must_use]
    pub const fn guardians(&self) -> Set {
        self.pieces[Kind::Guardian as usize]
    }

    /// The Ser'ra.
    #[inline]
    #[must_use]
    pub const fn serra(&self) -> Set {
        self.pieces[Kind::Serra as usize]
    }

    /// Copper's pieces.
    #[inline]
    #[must_use]
    pub const fn copper(&self) -> Set {
        self.eggs() | self.guardians()
    }

    /// All pieces.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> Set {
        self.eggs() | self.guardians() | self.serra()
    }

    /// The pieces that face another and can never move again.
    #[inline]
    #[must_use]
    pub const fn locked(&self) -> Set {
        let occupied = self.occupied();
        occupied & across(occupied)
    }

    /// The piece on a space.
    #[must_use]
    pub(crate) fn piece_at(&self, space: Space) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.of(*kind) & space.bit() != 0)
    }

    /// The side to move, also where it must pass and where the game is over.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// What the side to move does next.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The rule options.
    #[must_use]
    pub const fn options(&self) -> RuleOptions {
        self.rules
    }

    /// The key, updated by every move.
    #[inline]
    pub(super) const fn position_key(&self) -> u64 {
        self.key
    }

    /// The key computed from the pieces.
    pub(super) fn compute_key(&self) -> u64 {
        let mut key = 0;
        for kind in Kind::ALL {
            for space in spaces(self.of(kind)) {
                key ^= PIECE_KEYS[kind as usize][space.index()];
            }
        }
        if self.side == Side::Silver { key ^ SIDE_KEY } else { key }
    }

    /// The position with left and right exchanged, the only symmetry of the game.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Position::from_pieces(self.pieces.map(board::mirrored), self.side, self.rules)
    }

    /// Moves a piece and ends the turn.
    #[inline]
    pub(super) fn move_piece(&mut self, kind: Kind, from: Space, to: Space) {
        let keys = &PIECE_KEYS[kind as usize];
        self.pieces[kind as usize] ^= from.bit() | to.bit();
        self.key ^= keys[from.index() & 127] ^ keys[to.index() & 127];
        self.end_turn();
    }

    /// Puts copper's pieces on the board; the turn stays with copper.
    pub(super) fn place_copper(&mut self, eggs: Set, guardians: Set) {
        *self = Position::from_pieces([eggs, guardians, self.serra()], Side::Copper, self.rules);
    }

    /// Ends a turn.
    #[inline]
    pub(crate) fn end_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
        self.phase = self.compute_phase();
    }

    /// The phase that follows from pieces, side to move and rules.
    #[inline]
    fn compute_phase(&self) -> Phase {
        if let Some(reason) = self.decided_by_pieces() {
            return Phase::Over(reason);
        }
        if self.can_move(self.side) {
            return Phase::Moving;
        }
        self.phase_without_move()
    }

    /// How the pieces alone end the game, whoever can move.
    #[inline]
    fn decided_by_pieces(&self) -> Option<EndReason> {
        let [eggs, guardians, serra] = self.pieces;
        if eggs == GOALS {
            return Some(EndReason::EggsHome);
        }
        if eggs & across(serra) != 0 {
            return Some(EndReason::EggCaptured);
        }
        let occupied = eggs | guardians | serra;
        if occupied & (DEAD | GOAL_SQUARES) == 0 || self.rules.play_hopeless {
            return None;
        }
        if eggs & DEAD & !GOALS != 0 {
            return Some(EndReason::EggStranded);
        }
        if (guardians | serra) & GOALS != 0 {
            return Some(EndReason::PorrikaTaken);
        }
        let sealed = GOAL_SQUARES & !occupied == 0 && eggs & !GOALS != 0;
        sealed.then_some(EndReason::AxesSealed)
    }

    /// The phase of a position whose side to move cannot move a piece.
    #[cold]
    fn phase_without_move(&self) -> Phase {
        if self.copper() == 0 && self.side == Side::Copper && self.serra() == SERRA_STARTS {
            return Phase::Setup;
        }
        if !self.can_move(self.side.other()) {
            return Phase::Over(EndReason::NobodyMoves);
        }
        match (self.rules.stuck, self.side) {
            (Stuck::Pass, _) => Phase::Passing,
            (_, Side::Copper) => Phase::Over(EndReason::CopperStuck),
            (_, Side::Silver) => Phase::Over(EndReason::SilverStuck),
        }
    }
}

const PIECE_KEYS: [[u64; 128]; 3] = {
    let mut keys = [[0; 128]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut space = 0;
        while space < SPACES {
            keys[kind][space] = splitmix64((kind * SPACES + space) as u64 + 0x706f_7272_696b_6100);
            space += 1;
        }
        kind += 1;
    }
    keys
};

const SIDE_KEY: u64 = splitmix64(0x706f_7272_696b_6173);
