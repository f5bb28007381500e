//! What an engine can be asked when it serves as the referee.
//!
//! An engine of plain UGI may answer very few queries and be silent on all others. Every query is
//! tried out before the first game, followed by `isready`, so that silence costs no time; in the
//! games only those are sent that were answered.

use anyhow::{Context, Result, bail, ensure};

use super::client::{Answer, Client};

/// The codes of errors that refuse a malformed or illegal token.
const MOVE_ERRORS: [&str; 2] = ["bad-move", "illegal-move"];

fn code_of(error: &str) -> &str {
    error.split(' ').next().unwrap_or(error)
}

/// How a referee tells whether a move is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Legality {
    /// By `query islegal`.
    IsLegal,
    /// By the list of `query legalmoves`.
    LegalMoves,
    /// Not at all; it may still refuse the next `position`.
    Unknown,
}

/// The number of seats, and the queries that a referee answers. It must answer `turn` or `p1turn`,
/// and `result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RefereeAbilities {
    /// `query seats`; 2 where it is not answered.
    pub(crate) seats: usize,
    /// `query turn`; else `query p1turn`.
    pub(crate) turn: bool,
    /// `moves TOKEN` plays on; else every token is sent with the whole `position`.
    pub(crate) appends: bool,
    /// `query gameover`; else the game is over when `query result` is not `none`.
    pub(crate) game_over: bool,
    /// `query outcome`; else the places follow from `query result`.
    pub(crate) outcome: bool,
    /// `query points`; else there are no points.
    pub(crate) points: bool,
    /// `query reason`; else there is none.
    pub(crate) reason: bool,
    /// `query view`; else every seat sees the whole position.
    pub(crate) views: bool,
    /// Whether a view at the start names its seat: else the game has no secrets, and the whole
    /// position is every seat's view.
    pub(crate) secrets: bool,
    /// `query random`, where that was [tried out](Self::try_random); else random moves are chosen
    /// from `query legalmoves`, if that is answered.
    pub(crate) random: bool,
    /// `query fen`.
    pub(crate) fen: bool,
    /// `query legalmoves`.
    pub(crate) list: bool,
    /// How it tells whether a move is legal.
    pub(crate) legality: Legality,
}

impl RefereeAbilities {
    /// Tries the queries out in the starting position.
    ///
    /// # Errors
    /// A fault, or an engine that does not report whose turn it is or how a game ends.
    pub(crate) fn probe(referee: &mut Client) -> Result<Self> {
        // Who knows `moves` refuses this; who does not leaves it out like any unknown word.
        let refusals = referee.send_synced("position startpos\nmoves ?\n")?;
        let appends = refusals.iter().any(|error| MOVE_ERRORS.contains(&code_of(error)));
        referee.send_synced("position startpos\n")?;
        let view = referee.probe("view p1")?.and_then(Result::ok);
        let mut answers = |query: &str| -> Result<bool> {
            Ok(referee.probe(query)?.is_some_and(|answer| answer.is_ok()))
        };
        let turn = answers("turn")?;
        if !turn && !answers("p1turn")? {
            bail!(
                "it answers neither 'query turn' nor 'query p1turn', as engines of UCI alone; name \
                 one that does with --referee ENGINE (for chess, examples/chess_referee.py)"
            );
        }
        if !answers("result")? {
            bail!("it does not answer 'query result'; see --referee");
        }
        let list = answers("legalmoves")?;
        let abilities = RefereeAbilities {
            seats: 2,
            turn,
            appends,
            game_over: answers("gameover")?,
            outcome: answers("outcome")?,
            points: answers("points")?,
            reason: answers("reason")?,
            views: view.is_some(),
            secrets: view.is_some_and(|view| view.split_whitespace().any(|word| word == "view")),
            random: false,
            fen: answers("fen")?,
            list,
            legality: if list { Legality::LegalMoves } else { Legality::Unknown },
        };
        // No move need have this name: an engine that knows the query says `false` or what is wrong.
        let legality = match knows(referee.probe("islegal 0000")?.as_ref()) {
            true => Legality::IsLegal,
            false => abilities.legality,
        };
        Ok(RefereeAbilities { seats: seats(referee)?, legality, ..abilities })
    }

    /// Tries out the query for random moves: only where one will be needed.
    ///
    /// # Errors
    /// A fault, or an engine that can give none.
    pub(crate) fn try_random(&mut self, referee: &mut Client) -> Result<()> {
        self.random = referee.probe("random 1")?.is_some_and(|answer| answer.is_ok());
        ensure!(
            self.random || self.list,
            "--random-plies and --on-fault random need a referee that answers 'random' or 'legalmoves'"
        );
        Ok(())
    }

    /// The query that tells the end of a game.
    pub(crate) fn end_query(&self) -> &'static str {
        if self.game_over { "gameover" } else { "result" }
    }

    /// What a user must know of a referee that cannot tell everything.
    pub(crate) fn warning(&self) -> Option<&'static str> {
        (self.legality == Legality::Unknown).then_some(
            "the referee answers neither 'islegal' nor 'legalmoves': a move is illegal only if it \
             refuses the position after it; name an engine that answers them with --referee",
        )
    }
}

/// Whether an answer shows that the query is known.
fn knows(answer: Option<&Answer>) -> bool {
    match answer {
        Some(Ok(_)) => true,
        Some(Err(error)) => !error.starts_with("unknown-query"),
        None => false,
    }
}

fn seats(referee: &mut Client) -> Result<usize> {
    let seats = match referee.probe("seats")? {
        Some(Ok(text)) => text
            .trim()
            .parse()
            .with_context(|| format!("'query seats' is answered by '{text}', not a number"))?,
        _ => 2,
    };
    ensure!((2..=9).contains(&seats), "'query seats' is answered by {seats}, not 2 to 9");
    Ok(seats)
}
