//! The records of a match: a file of JSON lines, the first for the match, then one for each game.
//! A complete match ends with the line of its key.
//!
//! - `bounds`: what a file may hold;
//! - `line`: one line with its checksum;
//! - `read`: reading a file, packed with zstd or not, line by line;
//! - `write`: appending to a file that only one process may write, and writing a whole file;
//! - `numbers`: which games have been seen.

mod bounds;
mod line;
#[cfg(feature = "runner")]
mod numbers;
#[cfg(feature = "runner")]
mod read;
#[cfg(feature = "runner")]
mod write;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::protocol::{Outcome, PositionLine, Score};
use crate::runner::process::{Fault, SearchResult};

#[cfg(feature = "household")]
pub(in crate::runner) use bounds::check_texts;
#[cfg(feature = "runner")]
pub(super) use bounds::{
    HEADER, check_game as ensure_readable, check_header as ensure_readable_header,
};
#[cfg(feature = "runner")]
pub(in crate::runner) use line::{check_header, check_line};
#[cfg(feature = "runner")]
pub(in crate::runner) use numbers::NumberSet;
#[cfg(feature = "runner")]
pub use read::read;
#[cfg(feature = "runner")]
pub(in crate::runner) use read::{RecordFile, find, read_through};
#[cfg(feature = "runner")]
pub(in crate::runner) use write::{Keeping, WholeFile, Writer};

/// The version of the format.
pub(in crate::runner) const FORMAT: u32 = 2;

/// The oldest version of the format that is read. Its header and its games hold seeds, and it has no
/// key; such a match cannot be continued.
pub(in crate::runner) const OLDEST_FORMAT: u32 = 1;

/// The first line of a file.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub parlor: u32,
    /// 0: the header is no game.
    #[serde(default)]
    pub game: u64,
    /// The number of seats.
    pub seats: usize,
    /// The names of the engines, in the order given.
    pub engines: Vec<String>,
    /// What the engines call themselves.
    pub identities: Vec<String>,
    /// The game: what the referee calls itself. Old versions did not write it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub variant: String,
    /// The rule options of the match, as the referee reports them.
    pub rules: String,
    /// The BLAKE3 hash of the match key, in hexadecimal digits; none in format 1 and in imports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether the seats have secrets of each other. The key is then in no file while they play.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secrets: bool,
    /// The seed of a match of format 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The BLAKE3 hash of the file of openings, in hexadecimal digits; none without one, and in the
    /// records of old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The number of games in a bundle of each pairing.
    pub bundles: Vec<usize>,
    /// Everything that decides how each game is played, as in a config file.
    pub config: Value,
    /// How many games are played and how the match is run, as in a config file; `null` in the
    /// records of old versions, which did not write it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub run: Value,
}

impl Header {
    /// Whether the games of two files belong to one match, whatever part of it each was to play.
    pub(in crate::runner) fn is_same_match(&self, other: &Header) -> bool {
        let about = |header: &Header| {
            (header.parlor, header.seats, header.seed, header.rules.clone(), header.bundles.clone())
        };
        about(self) == about(other)
            && self.key == other.key
            && self.openings == other.openings
            && self.engines == other.engines
            && self.identities == other.identities
            && self.config == other.config
    }

    /// The header of the whole match, from that of a shard.
    pub(in crate::runner) fn of_whole_match(mut self) -> Header {
        if let Value::Object(run) = &mut self.run {
            run.remove("shard");
        }
        self
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By its rules.
    #[default]
    Rules,
    /// By the match's ply limit, or by scores.
    Adjudication,
    /// By an engine's fault.
    Fault,
}

/// Where a token came from, if not from the engine in the seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The opening, or its random plies.
    Opening,
    /// A throw or another chance event.
    Chance,
    /// The random mover that replaced a faulty engine.
    Substitute,
}

/// One token of a game.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Move {
    /// The token.
    pub token: String,
    /// The seat that decided, from 1; for chance the seat that threw, or 0 for none.
    pub seat: usize,
    /// Where it came from, if not from the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
    /// Milliseconds from `go` to `bestmove`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// The score that the mover reported, in centipawns (a mate as 32,000 less its distance).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The distance of a mate, as the mover reported it: plies under `ugi`, moves under `uci`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The mover's probability of coming first in permille, if it reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<u32>,
    /// The depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The luck of a throw for each seat, in shares of the first place, where throws are valued.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<f64>,
}

impl Move {
    /// What an engine in a seat, counted from 0, has found.
    pub(in crate::runner) fn found(seat: usize, found: &SearchResult) -> Self {
        let info = found.info.as_ref();
        let score = info.and_then(|info| info.score);
        let mate = match score {
            Some(Score::Mate(distance)) => Some(distance),
            _ => None,
        };
        let win = info.and_then(|info| match info.wdl {
            Some([win, draw, _]) => Some(win + draw / 2),
            None => info.shares.get(seat).copied(),
        });
        Move {
            token: found.token.clone(),
            seat: seat + 1,
            from: None,
            ms: Some((found.elapsed.as_secs_f64() * 1e4).round() / 10.0),
            cp: score.map(Score::centipawns),
            mate,
            win,
            depth: info.and_then(|info| info.depth),
            nodes: info.and_then(|info| info.nodes),
            luck: Vec::new(),
        }
    }

    /// The time from `go` to `bestmove`, where it is known.
    pub(in crate::runner) fn time(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.ms? / 1000.0).ok()
    }
}

/// A fault, and the engine at fault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SeatFault {
    /// The seat, from 1.
    pub seat: usize,
    /// The engine.
    pub engine: String,
    /// The fault.
    #[serde(flatten)]
    pub fault: Fault,
}

/// One finished game.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the game, from 1; it decides the pairing, opening, seating and dice.
    pub game: u64,
    /// The round, from 1: one opening and one set of dice.
    pub round: u64,
    /// The pairing within the round, from 1. Games of one round and pairing form a bundle.
    pub pairing: usize,
    /// The engine in each seat.
    pub seating: Vec<String>,
    /// The seed of the game's dice in format 1; its tokens alone are enough to replay it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// `startpos` or `fen ...`.
    pub start: String,
    /// Every token, in order.
    pub moves: Vec<Move>,
    /// `p1win`, `p2win` or `draw`, as in the protocol.
    pub result: String,
    /// The place of each seat, from 1; equal seats share a place.
    pub places: Vec<u32>,
    /// Each seat's share of the first place.
    pub shares: Vec<f64>,
    /// The summed luck of each seat, where throws are valued; the share less this is the share
    /// adjusted for luck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Vec<f64>>,
    /// Points, in games with points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
    /// Why it ended: the game's own reason, `ply-limit`, `resign`, `draw`, or the kind of fault.
    pub reason: String,
    /// How it ended.
    pub ending: Ending,
    /// The faults of engines.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<SeatFault>,
    /// Moves and search reports that each seat's engine printed outside of a search; empty if there
    /// were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strays: Vec<u64>,
    /// Milliseconds from the start of the game to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

impl Record {
    /// A record of nothing but how the game ended.
    pub(in crate::runner) fn of(outcome: Outcome, ending: Ending) -> Self {
        let Outcome { result, places, reason, points } = outcome;
        let shares = shares(&places);
        Record { result, places, shares, points, reason, ending, ..Record::default() }
    }

    /// Sums the luck of all throws.
    pub(in crate::runner) fn sum_luck(&mut self) {
        let mut sums = vec![0.0; self.places.len()];
        for m in &self.moves {
            for (sum, luck) in sums.iter_mut().zip(&m.luck) {
                *sum += luck;
            }
        }
        self.luck = Some(sums.into_iter().map(millionths).collect());
    }

    /// Removes what depends on wall-clock times.
    pub(in crate::runner) fn forget_times(&mut self) {
        self.ms = None;
        self.strays.clear();
        for m in &mut self.moves {
            m.ms = None;
        }
    }

    /// The argument of `position` after the first `count` tokens.
    pub(in crate::runner) fn position(&self, count: usize) -> PositionLine {
        let tokens = self.moves.iter().take(count).map(|m| m.token.as_str());
        PositionLine::new(&self.start, tokens)
    }
}

/// A line of a record file, with its checksum and its line end.
///
/// # Errors
/// A value that is not an object with members.
#[cfg(feature = "household")]
pub(in crate::runner) fn line_of(value: &impl Serialize) -> anyhow::Result<String> {
    line::write(value)
}

/// Compares a line with the checksum that it must have.
///
/// # Errors
/// A line that is not as it was written.
#[cfg(feature = "household")]
pub(in crate::runner) fn verify_line(line: &str) -> anyhow::Result<()> {
    line::verify(line.as_bytes(), true)
}

/// A share, rounded as the records hold it.
pub(in crate::runner) fn millionths(share: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (share * 1e6).round() / 1e6 + 0.0
}

/// Each seat's share of the first place.
pub(in crate::runner) fn shares(places: &[u32]) -> Vec<f64> {
    let firsts = places.iter().filter(|&&place| place == 1).count().max(1);
    let share = 1.0 / firsts as f64;
    places.iter().map(|&place| if place == 1 { share } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// How much of it was to be played is no part of that.
    #[test]
    fn a_match_is_the_same_if_all_is_that_decides_its_games() {
        let header = Header::default();
        let is_same = |edit: fn(&mut Header)| {
            let mut edited = header.clone();
            edit(&mut edited);
            edited.is_same_match(&header)
        };
        let edits: [fn(&mut Header); 10] = [
            |header| header.parlor = 1,
            |header| header.seats = 3,
            |header| header.seed = Some(1),
            |header| header.rules = "Players=3".to_owned(),
            |header| header.bundles = vec![2],
            |header| header.key = Some("another".to_owned()),
            |header| header.openings = Some("another".to_owned()),
            |header| header.engines = vec!["a".to_owned()],
            |header| header.identities = vec!["a by b".to_owned()],
            |header| header.config = json!({ "each": "nodes=1" }),
        ];
        for (number, edit) in edits.into_iter().enumerate() {
            assert!(!is_same(edit), "edit {number}");
        }
        let run: fn(&mut Header) = |header| header.run = json!({ "shard": "1/2" });
        assert!(is_same(run));
    }
}
