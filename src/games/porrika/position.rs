//! A position, the rules in force in it, and how it stands.

use super::board::{
    BOARD, DEAD, GOAL_SQUARES, GOALS, SERRA_STARTS, SPACES, Set, Space, across, spaces,
};
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
    pub const fn other(self) -> Self {
        match self {
            Side::Copper => Side::Silver,
            Side::Silver => Side::Copper,
        }
    }

    /// The seat that plays this side.
    #[inline]
    pub const fn seat(self) -> Seat {
        Seat::new(self as usize)
    }

    /// The word for people.
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
    pub const fn letter(self) -> char {
        match self {
            Kind::Egg => 'E',
            Kind::Guardian => 'G',
            Kind::Serra => 'S',
        }
    }

    /// The word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Egg => "Egg-Carrier",
            Kind::Guardian => "Guardian",
            Kind::Serra => "Ser'ra",
        }
    }

    /// How many there are at most.
    pub const fn limit(self) -> u32 {
        match self {
            Kind::Egg => 2,
            Kind::Guardian | Kind::Serra => 4,
        }
    }

    /// Whose it is.
    pub const fn side(self) -> Side {
        match self {
            Kind::Egg | Kind::Guardian => Side::Copper,
            Kind::Serra => Side::Silver,
        }
    }
}

/// Who may end on a Por'rika.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entry {
    /// Egg-Carriers alone.
    Eggs,
    /// Egg-Carriers and Guardians.
    Copper,
    /// Everyone.
    Any,
}

/// What happens to a side that cannot move while the other can.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stuck {
    /// It passes.
    Pass,
    /// It loses.
    Loss,
    /// The game is drawn.
    Draw,
}

/// The rule options of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleSet {
    /// Whether a Ser'ra may end facing a Guardian.
    pub serra_lock: bool,
    /// Whether an Egg-Carrier may end facing a Ser'ra, and lose.
    pub egg_suicide: bool,
    /// Who may end on a Por'rika.
    pub entry: Entry,
    /// Whether the game goes on when copper's aim has become impossible.
    pub play_hopeless: bool,
    /// What becomes of a side without a move.
    pub stuck: Stuck,
    /// Whether silver wins by a third occurrence; else it is a draw.
    pub repetition_wins: bool,
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet {
            serra_lock: false,
            egg_suicide: false,
            entry: Entry::Eggs,
            play_hopeless: false,
            stuck: Stuck::Pass,
            repetition_wins: false,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
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

impl Ending {
    /// The hyphenated word that `query reason` answers.
    pub const fn word(self) -> &'static str {
        match self {
            Ending::EggsHome => "eggs-home",
            Ending::EggCaptured => "egg-captured",
            Ending::EggStranded => "egg-stranded",
            Ending::PorrikaTaken => "porrika-taken",
            Ending::AxesSealed => "axes-sealed",
            Ending::NobodyMoves => "nobody-moves",
            Ending::CopperStuck | Ending::SilverStuck => "no-moves",
        }
    }
}

/// How a position stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Copper places its pieces.
    Setup,
    /// The side to move has a move.
    Moving,
    /// The side to move has none and must pass.
    Passing,
    /// The game is over.
    Over(Ending),
}

/// One position: 64 bytes, rules and all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pieces: [Set; 3],
    key: u64,
    pub(super) rules: RuleSet,
    side: Side,
    phase: Phase,
}

impl Position {
    /// A position from its pieces, whatever they are; [`Position::fault`] tells whether it is one
    /// that can be played.
    pub(super) fn assemble(pieces: [Set; 3], side: Side, rules: RuleSet) -> Self {
        let mut position = Position { pieces, key: 0, rules, side, phase: Phase::Moving };
        position.key = position.key_afresh();
        position.phase = position.settle();
        position
    }

    /// A position from its pieces: Egg-Carriers, Guardians, Ser'ra. The error says what is wrong.
    pub fn new(pieces: [Set; 3], side: Side, rules: RuleSet) -> Result<Self, String> {
        let position = Position::assemble(pieces, side, rules);
        position.fault().map_or(Ok(position), Err)
    }

    /// Before copper has placed its pieces.
    pub fn setup(rules: RuleSet) -> Self {
        Position::assemble([0, 0, SERRA_STARTS], Side::Copper, rules)
    }

    /// What no position may show: pieces off the board or upon each other, too many of them,
    /// friends that face each other.
    fn fault(&self) -> Option<String> {
        let [eggs, guardians, serra] = self.pieces;
        if (eggs | guardians | serra) & !BOARD != 0 {
            return Some("a piece stands off the board".into());
        }
        if eggs & guardians | (eggs | guardians) & serra != 0 {
            return Some("two pieces stand on one space".into());
        }
        for kind in Kind::ALL {
            let count = self.of(kind).count_ones();
            if count > kind.limit() {
                let (letter, most) = (kind.letter(), kind.limit());
                return Some(format!("{count} pieces {letter}; at most {most} are allowed"));
            }
        }
        for friends in [eggs | guardians, serra] {
            if let Some(space) = spaces(friends & across(friends)).next() {
                return Some(match space.across() {
                    Some(other) => format!("friends face each other on {space} and {other}"),
                    None => format!("friends face each other on {space}"),
                });
            }
        }
        None
    }

    /// The pieces of a kind.
    #[inline]
    pub const fn of(&self, kind: Kind) -> Set {
        self.pieces[kind as usize]
    }

    /// The Egg-Carriers.
    #[inline]
    pub const fn eggs(&self) -> Set {
        self.pieces[Kind::Egg as usize]
    }

    /// The Guardians.
    #[inline]
    pub const fn guardians(&self) -> Set {
        self.pieces[Kind::Guardian as usize]
    }

    /// The Ser'ra.
    #[inline]
    pub const fn serra(&self) -> Set {
        self.pieces[Kind::Serra as usize]
    }

    /// Copper's pieces.
    #[inline]
    pub const fn copper(&self) -> Set {
        self.eggs() | self.guardians()
    }

    /// All pieces.
    #[inline]
    pub const fn occupied(&self) -> Set {
        self.eggs() | self.guardians() | self.serra()
    }

    /// The pieces that face another and can never move again.
    #[inline]
    pub const fn locked(&self) -> Set {
        let occupied = self.occupied();
        occupied & across(occupied)
    }

    /// What stands on a space.
    pub fn piece_at(&self, space: Space) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.of(*kind) & space.bit() != 0)
    }

    /// The side to move (also where it must pass, and where the game is over).
    #[inline]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// How the position stands.
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The rule options in force.
    pub const fn rule_set(&self) -> RuleSet {
        self.rules
    }

    /// The key, kept as pieces move.
    #[inline]
    pub const fn position_key(&self) -> u64 {
        self.key
    }

    /// The key computed from nothing.
    pub fn key_afresh(&self) -> u64 {
        let mut key = 0;
        for kind in Kind::ALL {
            for space in spaces(self.of(kind)) {
                key ^= PIECE_KEYS[kind as usize][space.index()];
            }
        }
        if self.side == Side::Silver { key ^ SIDE_KEY } else { key }
    }

    /// The position with left and right exchanged, the only symmetry of the game.
    pub fn mirrored(&self) -> Self {
        Position::assemble(self.pieces.map(super::board::mirrored), self.side, self.rules)
    }

    /// Moves a piece and hands the turn over.
    #[inline]
    pub(super) fn shift(&mut self, kind: Kind, from: Space, to: Space) {
        let keys = &PIECE_KEYS[kind as usize];
        self.pieces[kind as usize] ^= from.bit() | to.bit();
        self.key ^= keys[from.index() & 127] ^ keys[to.index() & 127];
        self.hand_over();
    }

    /// Puts copper's pieces on the board; the turn stays with copper.
    pub(super) fn place(&mut self, eggs: Set, guardians: Set) {
        *self = Position::assemble([eggs, guardians, self.serra()], Side::Copper, self.rules);
    }

    /// Ends a turn.
    #[inline]
    pub(super) fn hand_over(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
        self.phase = self.settle();
    }

    /// How the position stands, from the pieces.
    #[inline]
    fn settle(&self) -> Phase {
        if let Some(ending) = self.decided() {
            return Phase::Over(ending);
        }
        if self.can_move(self.side) {
            return Phase::Moving;
        }
        self.settle_stuck()
    }

    /// The endings that do not ask who can move.
    #[inline]
    fn decided(&self) -> Option<Ending> {
        let [eggs, guardians, serra] = self.pieces;
        if eggs == GOALS {
            return Some(Ending::EggsHome);
        }
        if eggs & across(serra) != 0 {
            return Some(Ending::EggCaptured);
        }
        let occupied = eggs | guardians | serra;
        if occupied & (DEAD | GOAL_SQUARES) == 0 || self.rules.play_hopeless {
            return None;
        }
        if eggs & DEAD & !GOALS != 0 {
            return Some(Ending::EggStranded);
        }
        if (guardians | serra) & GOALS != 0 {
            return Some(Ending::PorrikaTaken);
        }
        let sealed = GOAL_SQUARES & !occupied == 0 && eggs & !GOALS != 0;
        sealed.then_some(Ending::AxesSealed)
    }

    /// How a position stands whose side to move has no move of a piece.
    #[cold]
    fn settle_stuck(&self) -> Phase {
        if self.copper() == 0 && self.side == Side::Copper && self.serra() == SERRA_STARTS {
            return Phase::Setup;
        }
        if !self.can_move(self.side.other()) {
            return Phase::Over(Ending::NobodyMoves);
        }
        match (self.rules.stuck, self.side) {
            (Stuck::Pass, _) => Phase::Passing,
            (_, Side::Copper) => Phase::Over(Ending::CopperStuck),
            (_, Side::Silver) => Phase::Over(Ending::SilverStuck),
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
