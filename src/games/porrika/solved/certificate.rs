//! Certificates: proofs that copper wins a position, replayed by the rules alone.
//!
//! A certificate is a text, packed with Zstandard or not:
//!
//! ```text
//! porrika certificate 1
//! root POSITION
//! BOARD MOVE PLIES
//! ...
//! ```
//!
//! Each further line is a position with copper to move: its board without the side to move, copper's
//! move, and the plies within which copper wins. [`Certificate::check`] accepts the whole only if
//! after every move either copper has won, or each reply of silver leads to a position of another
//! line, the longest with two plies less; and only if all lines are needed. The plies fall along
//! every line of play, so none is endless: that is the proof.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::io;
use std::path::Path;

use crate::game::{Game, Notation, OptionValues, Rules};
use crate::games::porrika::rules::board::Set;
use crate::games::porrika::rules::{Kind, Move, Phase, Position, RuleOptions, Side};
use crate::reading;

/// The first line.
const MAGIC: &str = "porrika certificate 1";

/// The most plies of a win.
const LONGEST: u32 = 1 << 20;

/// Why a certificate is refused: the line, counted from 1, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct CertificateError {
    line: usize,
    what: String,
}

/// Copper's move in a position, and the plies within which copper wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Winning {
    /// The move.
    pub m: Move,
    /// The plies, this move among them.
    pub plies: u32,
}

/// A claim that copper wins a position, with a move for every position that copper can come to.
#[derive(Clone, Debug)]
pub struct Certificate {
    root: Position,
    lines: HashMap<[Set; 3], (Winning, usize)>,
    /// Whether [`Self::check`] has accepted it as it is.
    checked: bool,
}

/// The pieces of a position.
fn pieces(position: &Position) -> [Set; 3] {
    Kind::ALL.map(|kind| position.of(kind))
}

impl Certificate {
    /// A certificate for a position, without lines.
    #[must_use]
    pub fn new(root: Position) -> Self {
        Certificate { root, lines: HashMap::new(), checked: false }
    }

    /// Adds the move of a position with copper to move.
    pub fn insert(&mut self, position: &Position, winning: Winning) {
        let line = self.lines.len() + 3;
        self.lines.entry(pieces(position)).or_insert((winning, line));
        self.checked = false;
    }

    /// The position that it is about.
    #[must_use]
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// How many positions have a line.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether it has no lines.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Copper's move in a position with copper to move.
    #[must_use]
    pub fn winning(&self, position: &Position) -> Option<Winning> {
        if position.side() != Side::Copper {
            return None;
        }
        self.lines.get(&pieces(position)).map(|(winning, _)| *winning)
    }

    /// The plies within which copper, to move in a position, is proved to win by a certificate that
    /// was checked.
    pub(super) fn probe(&self, position: &Position) -> Option<u32> {
        let holds = self.checked && position.options() == self.root.options();
        Some(holds.then(|| self.winning(position)).flatten()?.plies)
    }

    /// Reads a certificate; it is not checked.
    ///
    /// # Errors
    /// When it is no certificate, with the line.
    pub fn parse(text: &str) -> Result<Self, CertificateError> {
        let rules = Position::default_rules();
        let wrong = |line, what| CertificateError { line, what };
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line != MAGIC) {
            return Err(wrong(1, format!("a certificate begins with '{MAGIC}'")));
        }
        let root = lines.next().and_then(|(_, line)| line.strip_prefix("root "));
        let root = root.ok_or_else(|| wrong(2, "expected 'root' and a position".into()))?;
        let root =
            Position::parse(root, &rules, None).map_err(|error| wrong(2, error.to_string()))?;
        let mut certificate = Certificate::new(root);
        for (number, line) in lines {
            let (position, winning) = parse(line, &rules).map_err(|what| wrong(number, what))?;
            if certificate.winning(&position).is_some() {
                return Err(wrong(number, "the position has a line already".into()));
            }
            certificate.insert(&position, winning);
        }
        Ok(certificate)
    }

    /// Reads a certificate from a file and checks it: the certificate, and the plies within which
    /// copper wins its root.
    ///
    /// # Errors
    /// When it cannot be read or proves nothing.
    pub fn open(path: &Path) -> io::Result<(Self, u32)> {
        let invalid = |error: CertificateError| io::Error::new(io::ErrorKind::InvalidData, error);
        let mut certificate = Certificate::parse(&reading::text(path)?).map_err(invalid)?;
        let plies = certificate.check().map_err(invalid)?;
        Ok((certificate, plies))
    }

    /// Replays the proof by the rules: the plies within which copper wins the root.
    ///
    /// # Errors
    /// When a line proves nothing, or is not needed.
    pub fn check(&mut self) -> Result<u32, CertificateError> {
        let wrong = |line, what| CertificateError { line, what };
        if self.root.options() != RuleOptions::default() {
            return Err(wrong(2, "proofs hold under the default rules only".into()));
        }
        let (mut reached, mut open) = (HashSet::new(), Vec::new());
        let mut reach = |position: Position, open: &mut Vec<Position>| {
            if reached.insert(pieces(&position)) {
                open.push(position);
            }
        };
        let plies = match self.root.side() {
            Side::Copper => {
                reach(self.root, &mut open);
                self.winning(&self.root).map(|winning| winning.plies)
            }
            Side::Silver => {
                let replies = self.replies(&self.root).map_err(|what| wrong(2, what))?;
                replies.iter().for_each(|(next, _)| reach(*next, &mut open));
                Some(longest(&replies).saturating_add(1))
            }
        };
        let plies = plies.ok_or_else(|| wrong(2, "no line has this position".into()))?;
        while let Some(position) = open.pop() {
            // Only positions with a line are reached.
            let Some((winning, line)) = self.lines.get(&pieces(&position)) else { continue };
            let replies =
                self.check_line(&position, *winning).map_err(|what| wrong(*line, what))?;
            replies.iter().for_each(|(next, _)| reach(*next, &mut open));
        }
        let unused = self.lines.iter().filter(|(pieces, _)| !reached.contains(*pieces));
        match unused.map(|(_, (_, line))| *line).min() {
            Some(line) => Err(wrong(line, "no line of play leads to this position".into())),
            None => {
                self.checked = true;
                Ok(plies)
            }
        }
    }

    /// Checks copper's move in a position: what silver can answer.
    fn check_line(
        &self,
        position: &Position,
        winning: Winning,
    ) -> Result<Vec<(Position, u32)>, String> {
        if !position.is_legal(&winning.m) {
            return Err(position.explain_illegal(&winning.m));
        }
        let mut next = *position;
        next.play(&winning.m);
        let replies = self.replies(&next)?;
        // Longer ones could not be told apart: their sums do not fit.
        if winning.plies > LONGEST {
            return Err(format!("a win has at most {LONGEST} plies"));
        }
        let needed = longest(&replies).saturating_add(1);
        if needed != winning.plies {
            return Err(format!("copper wins in {needed} plies, not {}", winning.plies));
        }
        Ok(replies)
    }

    /// The positions after silver's moves, with the plies of copper's win from each move on; none
    /// where copper has won.
    fn replies(&self, position: &Position) -> Result<Vec<(Position, u32)>, String> {
        if let Some(outcome) = position.outcome() {
            let won = outcome.share(Side::Copper.seat()) == 1.0;
            return won.then(Vec::new).ok_or_else(|| "copper's move does not win".into());
        }
        let after = |reply: &Move| {
            let mut next = *position;
            next.play(reply);
            let winning = self.winning(&next).filter(|_| next.phase() != Phase::Setup);
            let plies = winning.map(|winning| winning.plies.saturating_add(1));
            let plies = plies.ok_or_else(|| format!("no line answers {}", position.token(reply)));
            plies.map(|plies| (next, plies))
        };
        position.moves().iter().map(after).collect()
    }
}

/// The longest of silver's replies, in plies.
fn longest(replies: &[(Position, u32)]) -> u32 {
    replies.iter().map(|(_, plies)| *plies).max().unwrap_or(0)
}

/// The text of a certificate: the lines by the plies, longest first.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{MAGIC}\nroot {}", self.root)?;
        let mut lines: Vec<_> = self.lines.iter().collect();
        lines.sort_unstable_by_key(|(pieces, (winning, _))| {
            (std::cmp::Reverse(winning.plies), **pieces)
        });
        for (pieces, (winning, _)) in lines {
            let position = Position::from_pieces(*pieces, Side::Copper, self.root.options());
            let text = position.to_string();
            let board = text.split(' ').next().unwrap_or_default();
            f.write_str(board)?;
            f.write_char(' ')?;
            writeln!(f, "{} {}", position.token(&winning.m), winning.plies)?;
        }
        Ok(())
    }
}

/// Reads a line with a position.
fn parse(line: &str, rules: &OptionValues) -> Result<(Position, Winning), String> {
    let mut words = line.split(' ');
    let (Some(board), Some(token), Some(plies), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Err("expected a board, a move and a number of plies".into());
    };
    let position =
        Position::parse(&format!("{board} c"), rules, None).map_err(|error| error.to_string())?;
    let m = position.parse_move(token).map_err(|error| format!("move '{token}': {error}"))?;
    let plies = plies.parse().map_err(|_| format!("'{plies}' is no number of plies"))?;
    Ok((position, Winning { m, plies }))
}
