//! What an engine can be asked when it serves as the referee.

use anyhow::{Context, Result, bail, ensure};

use super::client::Client;

/// The number of seats, and the queries a referee answers beyond those of plain UGI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RefereeAbilities {
    /// `query seats`; 2 where it is not answered.
    pub(crate) seats: usize,
    /// `query turn`; else `query p1turn`.
    pub(crate) turn: bool,
    /// `query view`; else every seat sees the whole position.
    pub(crate) views: bool,
    /// `query islegal`; else the answer to the next `position` shows it.
    pub(crate) legality: bool,
}

impl RefereeAbilities {
    /// Tries the queries out in the starting position.
    ///
    /// # Errors
    /// A fault, or an engine that does not report whose turn it is.
    pub(crate) fn probe(referee: &mut Client) -> Result<Self> {
        referee.send_synced("position startpos\n")?;
        let turn = referee.probe("turn")?.is_some_and(|answer| answer.is_ok());
        let views = referee.probe("view p1")?.is_some_and(|answer| answer.is_ok());
        // No move has this name: an engine that knows the query says `false` or what is wrong.
        let legality = match referee.probe("islegal 0000")? {
            Some(Ok(_)) => true,
            Some(Err(error)) => !error.starts_with("unknown-query"),
            None => false,
        };
        if !turn && referee.probe("p1turn")?.is_none_or(|answer| answer.is_err()) {
            bail!("it answers neither 'query turn' nor 'query p1turn'; see --referee");
        }
        let seats = match referee.probe("seats")? {
            Some(Ok(text)) => text
                .trim()
                .parse()
                .with_context(|| format!("'query seats' is answered by '{text}', not a number"))?,
            _ => 2,
        };
        ensure!((2..=9).contains(&seats), "'query seats' is answered by {seats}, not 2 to 9");
        Ok(RefereeAbilities { seats, turn, views, legality })
    }
}
