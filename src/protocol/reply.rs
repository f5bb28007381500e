//! The lines an engine answers, written and read back.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One `info` line with a score.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct InfoLine {
    /// Depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second, ...
    pub multipv: usize,
    /// The value for the seat to move.
    pub score: ScoreText,
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

/// A value as it is written: the unit of `mate` depends on the dialect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreText {
    /// Hundredths.
    Cp(i32),
    /// Plies (`ugi`) or moves (`uci`) to a forced result; negative when it is a loss.
    Mate(i32),
}

impl Default for ScoreText {
    fn default() -> Self {
        ScoreText::Cp(0)
    }
}

/// What a value that was cut off says.
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
    pub fn is_exact(&self) -> bool {
        *self == Bound::Exact
    }
}

/// What stands before `bestmove 0000` where nothing can be searched.
pub const EMPTY_INFO: &str = "info depth 0 score cp 0 nodes 0 time 0 nps 0";

/// The answer to `go` where nothing can be searched.
pub const NO_MOVE: &str = "bestmove 0000";

impl fmt::Display for ScoreText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreText::Cp(value) => write!(f, "cp {value}"),
            ScoreText::Mate(distance) => write!(f, "mate {distance}"),
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

impl InfoLine {
    /// Reads an `info` line of any engine; `None` unless it has a score. Words that are not
    /// understood are skipped.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace().peekable();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = InfoLine { multipv: 1, ..InfoLine::default() };
        let mut scored = false;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = words.next()?.parse().ok()?,
                "seldepth" => info.seldepth = words.next()?.parse().ok()?,
                "multipv" => info.multipv = words.next()?.parse().ok()?,
                "nodes" => info.nodes = words.next()?.parse().ok()?,
                "nps" => info.nps = words.next()?.parse().ok()?,
                "time" => info.time = words.next()?.parse().ok()?,
                "hashfull" => info.hashfull = words.next()?.parse().ok()?,
                "score" => {
                    let kind = words.next()?;
                    let value = words.next()?.parse().ok()?;
                    info.score = match kind {
                        "cp" => ScoreText::Cp(value),
                        "mate" => ScoreText::Mate(value),
                        _ => return None,
                    };
                    scored = true;
                }
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "wdl" => {
                    let mut next = || words.next()?.parse().ok();
                    info.wdl = Some([next()?, next()?, next()?]);
                }
                "vec" => {
                    let mut shares = Vec::new();
                    while let Some(share) = words.peek().and_then(|word| word.parse().ok()) {
                        shares.push(share);
                        words.next();
                    }
                    info.vec = Some(shares);
                }
                "pv" => info.pv = words.by_ref().map(String::from).collect(),
                "string" => return None,
                _ => {}
            }
        }
        scored.then_some(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_line_reads_back_as_it_was_written() {
        let info = InfoLine {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score: ScoreText::Mate(-4),
            bound: Bound::Lower,
            wdl: Some([0, 10, 990]),
            vec: Some(vec![1, 2, 3, 994]),
            nodes: 123,
            nps: 456,
            time: 789,
            hashfull: 12,
            pv: vec!["a1a2".into(), "pass".into()],
        };
        assert_eq!(InfoLine::parse(&info.to_string()), Some(info));
    }

    #[test]
    fn lines_without_a_score_are_no_info() {
        assert_eq!(InfoLine::parse("info string score cp 3"), None);
        assert_eq!(InfoLine::parse("info depth 3 nodes 4"), None);
        assert_eq!(InfoLine::parse("bestmove a1a2"), None);
    }
}
