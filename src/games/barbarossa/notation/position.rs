//! The position line: `key=value` pairs.

mod read;
mod write;

use crate::games::barbarossa::rules::position::Phase;

pub(super) use read::read;
pub(super) use write::write;

/// The keys; the last three are optional.
const KEYS: [&str; 20] = [
    "v", "n", "ring", "goal", "first", "turn", "phase", "pawn", "score", "jewels", "curse", "blob",
    "arrows", "asked", "pend", "win", "objects", "judge", "round", "end",
];

/// The number of keys that every line has.
const NEEDED: usize = 17;

const PHASES: [(Phase, &str); 15] = [
    (Phase::Judge, "judge"),
    (Phase::Deal, "deal"),
    (Phase::Word, "word"),
    (Phase::Show, "show"),
    (Phase::First, "first"),
    (Phase::Start, "start"),
    (Phase::Move, "move"),
    (Phase::Die, "die"),
    (Phase::Letter, "letter"),
    (Phase::Give, "give"),
    (Phase::Ask, "ask"),
    (Phase::Answer, "answer"),
    (Phase::Round2, "round2"),
    (Phase::Verdict, "verdict"),
    (Phase::Over, "over"),
];

/// The word of a phase.
pub(super) fn phase_word(phase: Phase) -> &'static str {
    PHASES.iter().find(|(known, _)| *known == phase).map_or("", |(_, word)| word)
}
