//! Whether a move is legal, and which rule an illegal one breaks.

use super::board::{GOALS, Space};
use super::moves::{Move, is_setup};
use super::options::Entry;
use super::position::{EndReason, Kind, Phase, Position, Side};

/// The rule that a well-formed move breaks. `Display` explains it in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over ({})", .0.name())]
    Over(EndReason),
    /// The set-up has the wrong number of pieces.
    #[error("a set-up has two E and four G on six different spaces")]
    BadSetup,
    /// Copper has not set up yet.
    #[error("copper sets up first: eight letters E, G or . for a1n a1w b1n b1e c1n c1w d1n d1e")]
    SetupFirst,
    /// Copper has set up already.
    #[error("the set-up is over, pieces are on the board")]
    SetupDone,
    /// This side passes although it has a move.
    #[error("{} can move, so it may not pass", .0.name())]
    MayNotPass(Side),
    /// This side moves a piece although it must pass.
    #[error("{} has no move and must pass", .0.name())]
    MustPass(Side),
    /// No piece stands on the space.
    #[error("no piece stands on {0}")]
    NoPiece(Space),
    /// The piece belongs to the other side.
    #[error("the {kind} on {from} is not {side}'s, and {side} is to move", kind = .kind.name(), side = .side.name())]
    NotYours {
        /// The piece.
        kind: Kind,
        /// Where it stands.
        from: Space,
        /// The side to move.
        side: Side,
    },
    /// No triangle exists across from the space, so nothing can leave it.
    #[error("nothing is across from {0}, a piece there can never move")]
    Dead(Space),
    /// Another piece is across from the piece, so both are locked.
    #[error("the {kind} on {from} is locked by the {by} on {at}", kind = .kind.name(), by = .by.name())]
    Locked {
        /// The piece that should move.
        kind: Kind,
        /// Where it stands.
        from: Space,
        /// The piece across from it.
        by: Kind,
        /// Where that one stands.
        at: Space,
    },
    /// The target cannot be reached from the triangle across.
    #[error(
        "{to} is no second step from {through}: it must touch an outer corner of {through} and share no side with it"
    )]
    OutOfReach {
        /// The target.
        to: Space,
        /// The triangle across.
        through: Space,
    },
    /// A piece stands on the target.
    #[error("a piece ({by}) stands on {to}", by = .by.name())]
    Occupied {
        /// The target.
        to: Space,
        /// The piece.
        by: Kind,
    },
    /// A piece of this kind may not end on a Por'rika.
    #[error("a {} may not end on a Por'rika (PorrikaEntry)", .0.name())]
    Entry(Kind),
    /// The piece would face one of its own side.
    #[error("on {to} it would face a friend, the {friend} on {at}", friend = .friend.name())]
    FacesFriend {
        /// The target.
        to: Space,
        /// The friend.
        friend: Kind,
        /// Where it stands.
        at: Space,
    },
    /// An Egg-Carrier would face a Ser'ra.
    #[error("on {to} the Egg-Carrier would face the Ser'ra on {at} (EggSuicide)")]
    EggSuicide {
        /// The target.
        to: Space,
        /// Where the Ser'ra stands.
        at: Space,
    },
    /// A Ser'ra would face a Guardian.
    #[error("on {to} the Ser'ra would face the Guardian on {at} (SerraLock)")]
    SerraLock {
        /// The target.
        to: Space,
        /// Where the Guardian stands.
        at: Space,
    },
}

impl Position {
    /// Whether a move is legal.
    #[inline]
    pub(super) fn allows(&self, m: Move) -> bool {
        match (m, self.phase()) {
            (Move::Pass, Phase::Passing) => true,
            (Move::Setup { eggs, guardians }, Phase::Setup) => is_setup(eggs, guardians),
            (Move::Walk { from, to }, Phase::Moving) => self.allows_walk(from, to),
            _ => false,
        }
    }

    fn allows_walk(&self, from: Space, to: Space) -> bool {
        self.piece_at(from).is_some_and(|kind| {
            kind.side() == self.side()
                && self.unlocked(kind) & from.bit() != 0
                && from.reach() & self.landing(kind) & to.bit() != 0
        })
    }

    /// The rule that a move breaks; `None` if it is legal.
    #[must_use]
    pub fn why_illegal(&self, m: Move) -> Option<Illegal> {
        let side = self.side();
        match (m, self.phase()) {
            (_, Phase::Over(reason)) => Some(Illegal::Over(reason)),
            (Move::Setup { eggs, guardians }, Phase::Setup) => {
                (!is_setup(eggs, guardians)).then_some(Illegal::BadSetup)
            }
            (_, Phase::Setup) => Some(Illegal::SetupFirst),
            (Move::Setup { .. }, _) => Some(Illegal::SetupDone),
            (Move::Pass, Phase::Passing) => None,
            (Move::Pass, _) => Some(Illegal::MayNotPass(side)),
            (Move::Walk { .. }, Phase::Passing) => Some(Illegal::MustPass(side)),
            (Move::Walk { from, to }, _) => self.why_no_walk(from, to),
        }
    }

    fn why_no_walk(&self, from: Space, to: Space) -> Option<Illegal> {
        let Some(kind) = self.piece_at(from) else {
            return Some(Illegal::NoPiece(from));
        };
        if kind.side() != self.side() {
            return Some(Illegal::NotYours { kind, from, side: self.side() });
        }
        let Some(through) = from.across() else {
            return Some(Illegal::Dead(from));
        };
        if let Some(by) = self.piece_at(through) {
            return Some(Illegal::Locked { kind, from, by, at: through });
        }
        if from.reach() & to.bit() == 0 {
            return Some(Illegal::OutOfReach { to, through });
        }
        if let Some(by) = self.piece_at(to) {
            return Some(Illegal::Occupied { to, by });
        }
        self.why_no_landing(kind, to)
    }

    /// What forbids a kind of piece to end on an empty space.
    fn why_no_landing(&self, kind: Kind, to: Space) -> Option<Illegal> {
        let rules = self.options();
        let enters = match kind {
            Kind::Egg => true,
            Kind::Guardian => rules.entry != Entry::Eggs,
            Kind::Serra => rules.entry == Entry::Any,
        };
        if GOALS & to.bit() != 0 && !enters {
            return Some(Illegal::Entry(kind));
        }
        let at = to.across()?;
        match (kind, self.piece_at(at)?) {
            (_, friend) if friend.side() == kind.side() => {
                Some(Illegal::FacesFriend { to, friend, at })
            }
            (Kind::Egg, _) => (!rules.egg_suicide).then_some(Illegal::EggSuicide { to, at }),
            (Kind::Serra, Kind::Guardian) => {
                (!rules.serra_lock).then_some(Illegal::SerraLock { to, at })
            }
            _ => None,
        }
    }
}
