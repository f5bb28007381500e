//! What the recorded games of two seats have in common: the result is the head of a line, and the
//! value of a move is its score in hundredths for the side that moves.

use anyhow::{bail, ensure};

use crate::game::{Outcome, Seat};

/// The greatest recorded score; forced wins count as this.
pub(crate) const GREATEST: i32 = 2_000;

/// Reads a head: the outcome of the game.
pub(crate) fn parse_result(head: &str) -> anyhow::Result<Outcome> {
    Ok(match head {
        "1-0" => Outcome::win(2, Seat::new(0)),
        "0-1" => Outcome::win(2, Seat::new(1)),
        "1/2" => Outcome::draw(2),
        other => bail!("'{other}' is no result: 1-0, 0-1 or 1/2"),
    })
}

/// The head of a game with this outcome.
pub(crate) fn result(outcome: &Outcome) -> String {
    let word = match outcome.places() {
        [1, 2] => "1-0",
        [2, 1] => "0-1",
        _ => "1/2",
    };
    word.into()
}

/// Reads a score.
pub(crate) fn parse_score(text: &str) -> anyhow::Result<i32> {
    let score: i32 = text.parse()?;
    ensure!(score.abs() <= GREATEST, "a score is at most {GREATEST} either way");
    Ok(score)
}
