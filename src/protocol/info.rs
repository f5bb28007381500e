//! `info` lines with a score: written by our engines, read from those of anybody.

use std::fmt;
use std::str::{FromStr, SplitWhitespace};

use serde::{Deserialize, Serialize};

/// A value as it is written: the unit of `mate` depends on the dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of the engine's unit, for the seat to move.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Plies (`ugi`) or moves (`uci`) to a forced result; negative when it is a loss.
    Mate(i32),
}

impl Default for Score {
    fn default() -> Self {
        Score::Centipawns(0)
    }
}

impl Score {
    /// One scale for both: a mate counts 32,000 less its distance.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Centipawns(value) => value,
            Score::Mate(distance) if distance > 0 => 32_000 - distance.min(16_000),
            Score::Mate(distance) => -32_000 - distance.max(-16_000),
        }
    }
}

/// Whether a value is exact, or what is known of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The value itself.
    #[default]
    Exact,
    /// `lowerbound`.
    Lower,
    /// `upperbound`.
    Upper,
}

impl Bound {
    /// Whether the value is the value itself.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        *self == Bound::Exact
    }
}

/// One `info` line as our engines write it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct InfoLine {
    /// Depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second, ...
    pub multipv: usize,
    /// The value for the seat to move.
    pub score: Score,
    /// Whether it is exact.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub bound: Bound,
    /// Win, draw, loss of the seat to move, in permille.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u16; 3]>,
    /// Permille of first place for every seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vec: Option<Vec<u16>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Milliseconds.
    pub time: u64,
    /// Permille of the table in use.
    pub hashfull: u16,
    /// The expected moves.
    pub pv: Vec<String>,
}

/// A report of a search as a client reads it; fields that were missing or unreadable are `None`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    /// `depth`.
    pub depth: Option<u32>,
    /// `seldepth`.
    pub seldepth: Option<u32>,
    /// `multipv`.
    pub multipv: Option<u32>,
    /// `score cp` or `score mate`.
    pub score: Option<Score>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// `wdl`: permille of win, draw and loss for the mover.
    pub wdl: Option<[u32; 3]>,
    /// `vec`: permille of first place for each seat; empty if there was none.
    pub shares: Vec<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `nps`.
    pub nps: Option<u64>,
    /// `time` in milliseconds.
    pub time: Option<u64>,
    /// `hashfull` in permille.
    pub hashfull: Option<u32>,
    /// `pv`.
    pub pv: Vec<String>,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(distance) => write!(f, "mate {distance}"),
        }
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InfoLine { depth, seldepth, multipv, score, nodes, nps, time, hashfull, .. } = self;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multipv} score {score}")?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        if let Some(shares) = &self.vec {
            f.write_str(" vec")?;
            shares.iter().try_for_each(|share| write!(f, " {share}"))?;
        }
        write!(f, " nodes {nodes} nps {nps} time {time} hashfull {hashfull}")?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

impl Info {
    /// Reads what follows the word `info`; `None` if there is no field of a search report. A field
    /// that does not parse is left out, unknown words are skipped.
    pub(super) fn read(rest: &str) -> Option<Info> {
        let mut info = Info::default();
        let mut words = rest.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(words.next()),
                "seldepth" => info.seldepth = number(words.next()),
                "multipv" => info.multipv = number(words.next()),
                "nodes" => info.nodes = number(words.next()),
                "nps" => info.nps = number(words.next()),
                "time" => info.time = number(words.next()),
                "hashfull" => info.hashfull = number(words.next()),
                "score" => match (words.next(), words.next()) {
                    (Some("cp"), value) => info.score = number(value).map(Score::Centipawns),
                    (Some("mate"), value) => info.score = number(value).map(Score::Mate),
                    _ => {}
                },
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => {
                    let three = [number(words.next()), number(words.next()), number(words.next())];
                    if let [Some(win), Some(draw), Some(loss)] = three {
                        info.wdl = Some([win, draw, loss]);
                    }
                }
                "vec" => info.shares.extend(leading_numbers(&mut words)),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        (info != Info::default()).then_some(info)
    }
}

/// Takes the numbers at the front and leaves the word after them.
fn leading_numbers(words: &mut SplitWhitespace<'_>) -> Vec<u32> {
    let mut numbers = Vec::new();
    while let Some(value) = number(words.clone().next()) {
        numbers.push(value);
        words.next();
    }
    numbers
}

fn number<T: FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_reads_back_as_it_was_written() {
        let written = InfoLine {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score: Score::Mate(-4),
            bound: Bound::Lower,
            wdl: Some([0, 10, 990]),
            vec: Some(vec![1, 2, 3, 994]),
            nodes: 123,
            nps: 456,
            time: 789,
            hashfull: 12,
            pv: vec!["a1a2".into(), "pass".into()],
        };
        let expected = Info {
            depth: Some(7),
            seldepth: Some(12),
            multipv: Some(2),
            score: Some(Score::Mate(-4)),
            bound: Bound::Lower,
            wdl: Some([0, 10, 990]),
            shares: vec![1, 2, 3, 994],
            nodes: Some(123),
            nps: Some(456),
            time: Some(789),
            hashfull: Some(12),
            pv: vec!["a1a2".into(), "pass".into()],
        };
        let text = written.to_string();
        assert_eq!(Info::read(text.strip_prefix("info ").expect("an info line")), Some(expected));
    }

    #[test]
    fn an_unreadable_field_is_left_out_and_the_others_count() {
        let info = Info::read("depth x score cp -31 nps much vec 450 550 nodes 12 pv e2e4 e9e6");
        let info = info.expect("a report");
        assert_eq!((info.depth, info.nps, info.nodes), (None, None, Some(12)));
        assert_eq!(info.score, Some(Score::Centipawns(-31)));
        assert_eq!(info.shares, [450, 550]);
        assert_eq!(info.pv, ["e2e4", "e9e6"]);
        assert_eq!(Info::read("currmove e2e4 currmovenumber 3"), None);
    }

    #[test]
    fn scores_keep_their_names_in_json() {
        let json = |score: Score| serde_json::to_string(&score).expect("JSON");
        assert_eq!(json(Score::Centipawns(3)), r#"{"cp":3}"#);
        assert_eq!(json(Score::Mate(-2)), r#"{"mate":-2}"#);
    }

    #[test]
    fn mates_outrank_every_other_score() {
        assert_eq!(Score::Mate(3).centipawns(), 31_997);
        assert_eq!(Score::Mate(-4).centipawns(), -31_996);
        assert_eq!(Score::Mate(i32::MIN).centipawns(), -16_000);
    }
}
