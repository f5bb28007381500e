//! Exact values: positions without a free Ser'ra, endgame tablebases, certificates of wins.
//!
//! - `egg_run`: no Ser'ra can move, so the value follows from shortest paths.
//! - `ending`, `places`, `verdict`: which endings are solved, the numbers of their states, their values.
//! - `tablebase`: these values in memory and in files, which are probed.
//! - `generate`, `two_eggs`: the small endings by retrograde analysis, in seconds.
//! - `certificate`: proofs of wins, checked by the rules alone.
//! - `cache`: the tablebases of a game in progress, generated in the background or in files.
//! - `command`: the subcommand `solve`.

#[cfg(feature = "engine")]
mod cache;
#[cfg(feature = "engine")]
mod certificate;
#[cfg(feature = "engine")]
mod command;
mod egg_run;
#[cfg(feature = "engine")]
mod ending;
#[cfg(feature = "engine")]
mod generate;
#[cfg(feature = "engine")]
mod places;
#[cfg(feature = "engine")]
mod tablebase;
#[cfg(feature = "engine")]
mod two_eggs;
#[cfg(feature = "engine")]
mod verdict;

#[cfg(feature = "engine")]
pub(super) use cache::TablebaseCache;
#[cfg(feature = "engine")]
pub(crate) use command::subcommand;
#[cfg(feature = "engine")]
pub use {
    certificate::{Certificate, CertificateError, Winning},
    ending::{Ending, FreePieces, Layout, NoTablebase},
    generate::{Job, SolveError, predecessors, sources},
    places::{Places, pair_of},
    tablebase::{BLOCK, Tablebase, TablebaseError, checksum_of, header},
    verdict::{Census, DRAWN, SILVER, Verdict},
};
