//! What is fuzzed: each target takes any bytes and panics if the answer to them is wrong.
//!
//! The programs in `bin/` run a target under libFuzzer; `tests/rules/corpus.rs` replays the corpus
//! without it.

/// The first byte chooses a game; the rest is for a function that is generic over it.
macro_rules! for_chosen_game {
    ($data:expr, $run:ident) => {
        if let Some((game, rest)) = super::choose($data, super::GAMES) {
            match game {
                0 => $run::<parlor::games::barca::Position>(rest),
                1 => $run::<parlor::games::pacru::Position>(rest),
                2 => $run::<parlor::games::porrika::Position>(rest),
                3 => $run::<parlor::games::chowka_bhara::Position>(rest),
                4 => $run::<parlor::games::barbarossa::Position>(rest),
                5 => $run::<parlor::games::shacru::Position>(rest),
                _ => $run::<parlor::games::azacru::Position>(rest),
            }
        }
    };
}

pub mod board_message;
pub mod command_line;
pub mod data_file;
pub mod differential;
pub mod engine_output;
pub mod picture;
pub mod position;
pub mod runner_file;
pub mod session;
pub mod xboard;

/// How many games there are to choose from.
pub const GAMES: usize = 7;

/// A target.
pub type Target = fn(&[u8]);

/// Every target under the name of its folder in the corpus.
pub const ALL: [(&str, Target); 10] = [
    ("board_message", board_message::run),
    ("command_line", command_line::run),
    ("data_file", data_file::run),
    ("differential", differential::run),
    ("engine_output", engine_output::run),
    ("picture", picture::run),
    ("position", position::run),
    ("runner_file", runner_file::run),
    ("session", session::run),
    ("xboard", xboard::run),
];

/// The first byte chooses one of several; the rest is for it.
pub fn choose(data: &[u8], count: usize) -> Option<(usize, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((usize::from(*first) % count, rest))
}
