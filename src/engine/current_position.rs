//! The current position: root, moves, and where they led.

use super::interface::MoveCounts;
use super::options::MAX_PLIES;
use crate::game::{MoveListing, OptionValues, Seat, Situation, Turn, perft_until};
use crate::games::Playable;
use crate::protocol::{Code, PositionArgument, ProtocolError, Root};

/// A longer token is cut where an error quotes it.
const LONGEST_QUOTE: usize = 60;

/// A position as it was loaded: root, moves, and where they led.
#[derive(Clone)]
pub(super) struct CurrentPosition<G: Playable> {
    /// As it was given; for an equal beginning the next `position` plays only what is new.
    pub argument: PositionArgument,
    /// Whose view it is.
    pub viewer: Option<Seat>,
    /// The position the move list starts from.
    pub root: G,
    /// The rules it was loaded under.
    pub rules: Vec<(&'static str, String)>,
    /// The move list.
    pub moves: Vec<G::Move>,
    /// The position before the last move.
    pub before: Option<G>,
    /// Where it led: what a search is given.
    pub situation: Situation<G>,
    /// The number of tokens after the root at which the game is drawn; 0: none.
    pub max_plies: usize,
}

impl<G: Playable> CurrentPosition<G> {
    /// Plays one more token; if it is refused nothing changes.
    pub(super) fn play(&mut self, token: &str) -> Result<(), ProtocolError> {
        let index = self.moves.len();
        if self.situation.turn() == Turn::Over {
            let text = format!(
                "move {} '{}': the game is over ({})",
                index + 1,
                quote(token),
                self.situation.reason().unwrap_or("finished")
            );
            return Err(ProtocolError::new(Code::GameOver, text));
        }
        let m = read_move(self.situation.position(), token, index)?;
        self.before = Some(self.situation.position().clone());
        self.situation.play(&m);
        self.moves.push(m);
        self.argument.moves.push(token.to_owned());
        Ok(())
    }

    /// Plays more tokens; if one is refused nothing changes.
    pub(super) fn extend(&mut self, tokens: &[String]) -> Result<(), ProtocolError> {
        let count = self.moves.len();
        for token in tokens {
            if let Err(error) = self.play(token) {
                if self.moves.len() > count {
                    self.take_back_to(count);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Takes the last token back; `None` at the root.
    pub(super) fn take_back(&mut self) -> Option<String> {
        let last = self.argument.moves.last().cloned()?;
        self.take_back_to(self.moves.len() - 1);
        Some(last)
    }

    /// Perft of every move; with `bulk` the last ply is counted without being played. `None` if it
    /// was stopped.
    pub(super) fn perft(
        &self,
        depth: u32,
        bulk: bool,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<MoveCounts>, ProtocolError> {
        let position = self.situation.position();
        if position.move_listing() != MoveListing::Listed {
            return Err(unlisted());
        }
        let mut counts = Vec::new();
        if depth == 0 {
            return Ok(Some(counts));
        }
        for m in position.moves() {
            let mut next = position.clone();
            next.play(&m);
            let count = perft_until(&next, depth - 1, bulk, &stopped).map_err(|_| unlisted())?;
            match count {
                Some(count) if !stopped() => counts.push((position.token(&m), count)),
                _ => return Ok(None),
            }
        }
        counts.sort_unstable();
        Ok(Some(counts))
    }

    /// Replays the first tokens.
    fn take_back_to(&mut self, count: usize) {
        self.moves.truncate(count);
        self.argument.moves.truncate(count);
        self.situation = Situation::new(self.root.clone()).drawn_after(self.max_plies);
        self.before = None;
        for m in &self.moves {
            self.before = Some(self.situation.position().clone());
            self.situation.play(m);
        }
    }
}

/// The rules the options ask for, as the next position would have them.
pub(super) fn rule_values<G: Playable>(options: &OptionValues) -> Vec<(&'static str, String)> {
    G::start(options, None).map(|start| start.rules()).unwrap_or_default()
}

/// The value of `MaxPlies`.
pub(super) fn max_plies(options: &OptionValues) -> usize {
    MAX_PLIES.get(options) as usize
}

/// Loads a position and plays its moves.
pub(super) fn load<G: Playable>(
    argument: &PositionArgument,
    options: &OptionValues,
) -> Result<CurrentPosition<G>, ProtocolError> {
    let bad = |text: String| ProtocolError::new(Code::BadPosition, text);
    let viewer = match &argument.view {
        None => None,
        Some(word) => Some(
            Seat::parse(word)
                .ok_or_else(|| bad(format!("view takes a seat p1 to p6, not '{word}'")))?,
        ),
    };
    let root = match &argument.root {
        Root::Start => G::start(options, viewer),
        Root::Fen(text) => G::parse(text, options, viewer),
    };
    let root: G = root.map_err(|error| bad(error.to_string()))?;
    if let Some(seat) = viewer
        && seat.index() >= root.seats()
    {
        return Err(bad(format!("view {seat}: the game has {} seats", root.seats())));
    }
    let mut loaded = CurrentPosition {
        argument: PositionArgument { moves: Vec::new(), ..argument.clone() },
        viewer,
        rules: rule_values::<G>(options),
        moves: Vec::new(),
        before: None,
        situation: Situation::new(root.clone()).drawn_after(max_plies(options)),
        root,
        max_plies: max_plies(options),
    };
    for token in &argument.moves {
        loaded.play(token)?;
    }
    Ok(loaded)
}

/// Reads a legal move; an error names the token and its index from 1.
pub(super) fn read_move<G: Playable>(
    position: &G,
    token: &str,
    index: usize,
) -> Result<G::Move, ProtocolError> {
    let place = format!("move {} '{}'", index + 1, quote(token));
    let m = position
        .parse_move(token)
        .map_err(|error| ProtocolError::new(Code::BadMove, format!("{place}: {error}")))?;
    if position.is_legal(&m) {
        return Ok(m);
    }
    let why = position.explain_illegal(&m);
    Err(ProtocolError::new(Code::IllegalMove, format!("{place}: {why}")))
}

fn unlisted() -> ProtocolError {
    let text = "perft reaches a position with too many moves to list, or hidden ones";
    ProtocolError::new(Code::BadPosition, text)
}

fn quote(token: &str) -> String {
    match token.char_indices().nth(LONGEST_QUOTE) {
        None => token.into(),
        Some((end, _)) => format!("{}...", &token[..end]),
    }
}
