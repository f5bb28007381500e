//! A game in progress as an object: any game by its name, without a session. Packages for other
//! languages stand on it.
//!
//! ```
//! # #[cfg(feature = "barca")] {
//! use parlor::engine::in_progress::begin;
//! use parlor::protocol::PositionArgument;
//!
//! let mut game = begin("barca", &[("MaxPlies", "2")], &PositionArgument::default())?;
//! game.play("e2e4")?;
//! assert!(game.play("e2e4").unwrap_err().to_string().starts_with("illegal-move"));
//! assert_eq!(game.query("turn", &[])?, "p2");
//! game.play("e9e6")?;
//! assert_eq!(game.query("reason", &[])?, "max-plies");
//! assert_eq!(game.take_back().as_deref(), Some("e9e6"));
//! # }
//! # Ok::<(), parlor::protocol::ProtocolError>(())
//! ```

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::current_position::{CurrentPosition, load};
use super::interface::MoveCounts;
use super::{options, picture, query};
use crate::game::{MoveListing, OptionValues, Outcome, Random, Situation, Turn, splitmix64};
use crate::games::{GameVisitor, NAMES, Playable, with_game};
use crate::protocol::{Code, PositionArgument, ProtocolError};

/// A game in progress, of whatever game.
pub trait InProgress: Send + Sync {
    /// The name of the game.
    fn name(&self) -> &'static str;

    /// The answer to a query of the protocol, without the word `response`.
    ///
    /// # Errors
    /// As the protocol refuses it.
    fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError>;

    /// Plays one token.
    ///
    /// # Errors
    /// Why it is refused; then nothing has changed.
    fn play(&mut self, token: &str) -> Result<(), ProtocolError>;

    /// Takes the last token back; `None` at the loaded position.
    fn take_back(&mut self) -> Option<String>;

    /// How the position was told: where it starts, and the tokens since.
    fn argument(&self) -> &PositionArgument;

    /// The legal moves; none once the game is over.
    fn legal_moves(&self) -> Moves;

    /// Who decides next.
    fn turn(&self) -> Turn;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The key of the position.
    fn key(&self) -> u64;

    /// The board as a diagram in ASCII.
    fn diagram(&self) -> String;

    /// The static evaluation, explained in lines; the last is `score cp N`.
    fn evaluate(&self) -> String;

    /// Perft of every move. `None` if it was stopped.
    ///
    /// # Errors
    /// When a position has moves that cannot be listed.
    fn perft(
        &self,
        depth: u32,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<MoveCounts>, ProtocolError>;

    /// Plays the game to its end by random moves, or until `max_plies` plies were played.
    fn playout(&self, seed: u64, max_plies: u64) -> Playout;

    /// The same game once more.
    fn copy(&self) -> Box<dyn InProgress>;
}

/// The legal moves of a position.
pub enum Moves {
    /// All of them.
    Listed(Box<dyn LegalMoves>),
    /// Too many to list.
    Many,
    /// A secret of another seat.
    Hidden,
}

/// A list of legal moves of which those are written as tokens that are asked for, in a fixed order. It
/// stays what it is when the game goes on.
pub trait LegalMoves: Send + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The token at an index.
    fn token(&self, index: usize) -> Option<String>;

    /// All tokens.
    fn tokens(&self) -> Vec<String>;

    /// Whether a token is one of them.
    fn contains(&self, token: &str) -> bool;
}

/// The moves of a position, found when they are asked for.
struct Unwritten<G: Playable> {
    position: G,
    count: usize,
    /// How many tokens were asked for one by one, and all moves once they were many.
    asked: AtomicUsize,
    moves: OnceLock<Vec<G::Move>>,
}

/// From so many tokens on a list of the moves is kept.
const ONE_BY_ONE: usize = 3;

impl<G: Playable> Unwritten<G> {
    fn of(position: &G) -> Self {
        let count = usize::try_from(position.count_moves()).unwrap_or(usize::MAX);
        Unwritten { count, ..Self::none(position) }
    }

    /// The list after the end of a game.
    fn none(position: &G) -> Self {
        let (asked, moves) = (AtomicUsize::new(0), OnceLock::new());
        Unwritten { position: position.clone(), count: 0, asked, moves }
    }

    fn moves(&self) -> &[G::Move] {
        let list = || if self.count == 0 { Vec::new() } else { self.position.moves() };
        self.moves.get_or_init(list)
    }
}

impl<G: Playable> LegalMoves for Unwritten<G> {
    fn count(&self) -> usize {
        self.count
    }

    fn token(&self, index: usize) -> Option<String> {
        if index >= self.count {
            return None;
        }
        if self.moves.get().is_none() && self.asked.fetch_add(1, Ordering::Relaxed) < ONE_BY_ONE {
            return self.position.nth_move(index as u64).map(|m| self.position.token(&m));
        }
        self.moves().get(index).map(|m| self.position.token(m))
    }

    fn tokens(&self) -> Vec<String> {
        self.moves().iter().map(|m| self.position.token(m)).collect()
    }

    fn contains(&self, token: &str) -> bool {
        // Another spelling of a move is not the token that the list has.
        self.count > 0
            && self.position.parse_move(token).is_ok_and(|m| {
                self.position.is_legal(&m)
                    && self.position.token(&m) == token
                    && self.moves().contains(&m)
            })
    }
}

/// How a random game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// The result; `None` where it was left unfinished.
    pub outcome: Option<Outcome>,
    /// The number of tokens played.
    pub plies: u64,
}

/// Starts a game by its name, with rule options by name and value, at a position.
///
/// # Errors
/// When there is no such game or option, or the position is refused.
pub fn begin(
    game: &str,
    rules: &[(&str, &str)],
    argument: &PositionArgument,
) -> Result<Box<dyn InProgress>, ProtocolError> {
    with_game(game, Begin { rules, argument }).unwrap_or_else(|| Err(unknown_game(game)))
}

/// What is told where no game has the name.
#[must_use]
pub fn unknown_game(name: &str) -> ProtocolError {
    let text = format!("no game '{name}'; there are {}", NAMES.join(" "));
    ProtocolError::new(Code::BadValue, text)
}

/// The rule options of a game with their defaults; `None` if there is no such game.
#[must_use]
pub fn rule_options(game: &str) -> Option<OptionValues> {
    struct Declared;
    impl GameVisitor for Declared {
        type Output = OptionValues;
        fn visit<G: Playable>(self) -> OptionValues {
            OptionValues::new(options::rules::<G>())
        }
    }
    with_game(game, Declared)
}

struct Begin<'a> {
    rules: &'a [(&'a str, &'a str)],
    argument: &'a PositionArgument,
}

impl GameVisitor for Begin<'_> {
    type Output = Result<Box<dyn InProgress>, ProtocolError>;

    fn visit<G: Playable>(self) -> Self::Output {
        let mut options = OptionValues::new(options::rules::<G>());
        for (name, value) in self.rules {
            let refused = |error: crate::game::OptionError| {
                ProtocolError::new(Code::BadOption, error.to_string())
            };
            options.set(name, value).map_err(refused)?;
        }
        Ok(Box::new(load::<G>(self.argument, &options)?))
    }
}

impl<G: Playable> InProgress for CurrentPosition<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError> {
        query::answer(self, false, name, arguments)
    }

    fn play(&mut self, token: &str) -> Result<(), ProtocolError> {
        CurrentPosition::play(self, token)
    }

    fn take_back(&mut self) -> Option<String> {
        CurrentPosition::take_back(self)
    }

    fn argument(&self) -> &PositionArgument {
        &self.argument
    }

    fn legal_moves(&self) -> Moves {
        let position = self.situation.position();
        match position.move_listing() {
            _ if self.situation.turn().is_over() => {
                Moves::Listed(Box::new(Unwritten::<G>::none(position)))
            }
            MoveListing::Listed => Moves::Listed(Box::new(Unwritten::of(position))),
            MoveListing::Many => Moves::Many,
            MoveListing::Hidden => Moves::Hidden,
        }
    }

    fn turn(&self) -> Turn {
        self.situation.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.situation.outcome()
    }

    fn key(&self) -> u64 {
        self.situation.position().key()
    }

    fn diagram(&self) -> String {
        picture::diagram(self, false)
    }

    fn evaluate(&self) -> String {
        self.situation.position().explain_evaluation()
    }

    fn perft(
        &self,
        depth: u32,
        stopped: &dyn Fn() -> bool,
    ) -> Result<Option<MoveCounts>, ProtocolError> {
        CurrentPosition::perft(self, depth, true, stopped)
    }

    fn playout(&self, seed: u64, max_plies: u64) -> Playout {
        play_out(self.situation.clone(), seed, max_plies)
    }

    fn copy(&self) -> Box<dyn InProgress> {
        Box::new(self.clone())
    }
}

/// Plays random moves, throws included. It also ends where a view cannot know what happens.
fn play_out<G: Playable>(mut game: Situation<G>, seed: u64, max_plies: u64) -> Playout {
    let mut random = Random::new(splitmix64(seed));
    let mut plies = 0;
    while plies < max_plies {
        let m = match game.turn() {
            Turn::Over => break,
            Turn::Seat(_) => game.position().random_move(&mut random),
            Turn::Chance { .. } => game.position().throw(random.next()),
        };
        let Some(m) = m else { break };
        game.play(&m);
        plies += 1;
    }
    Playout { outcome: game.outcome(), plies }
}

#[cfg(all(test, feature = "barca"))]
mod tests {
    use super::*;

    /// The board tells the last move, too.
    #[test]
    fn a_game_taken_back_is_as_it_was_before() {
        let mut game = begin("barca", &[], &PositionArgument::default()).expect("barca");
        let mut boards = vec![game.query("board", &[])];
        for token in ["e2e4", "e9e6", "e4g4"] {
            game.play(token).expect(token);
            boards.push(game.query("board", &[]));
        }
        while game.take_back().is_some() {
            boards.pop();
            assert_eq!(boards.last(), Some(&game.query("board", &[])));
        }
        assert_eq!(boards.len(), 1);
    }

    #[test]
    fn a_game_drawn_by_its_plies_is_over() {
        let rules = [("MaxPlies", "10")];
        let game = begin("barca", &rules, &PositionArgument::default()).expect("barca");
        assert_eq!(game.playout(1, 4), Playout { outcome: None, plies: 4 });
        let whole = game.playout(1, 100);
        assert!(whole.outcome.is_some() && whole.plies == 10, "{whole:?}");
        let rules = [("MaxPlies", "1")];
        let mut game = begin("barca", &rules, &PositionArgument::default()).expect("barca");
        game.play("e2e4").expect("a move");
        let Moves::Listed(list) = game.legal_moves() else { panic!("there is no list") };
        assert_eq!((list.count(), list.token(0)), (0, None));
        assert!(list.tokens().is_empty() && !list.contains("e9e6"));
        game.take_back();
        game.play("d2c3").expect("another move");
        let Moves::Listed(list) = game.legal_moves() else { panic!("there is no list") };
        assert_eq!(list.count(), 0);
    }

    #[cfg(feature = "all-games")]
    #[test]
    fn a_list_of_moves_has_every_legal_token_at_its_place() {
        for name in NAMES {
            let mut game = begin(name, &[], &PositionArgument::default()).expect(name);
            for seed in 0..24 {
                let turn = game.turn();
                if turn.is_over() {
                    break;
                }
                if let (Turn::Seat(_), Moves::Listed(list)) = (turn, game.legal_moves()) {
                    let count = list.count();
                    let mut tokens: Vec<String> =
                        (0..count).filter_map(|at| list.token(at)).collect();
                    assert_eq!((tokens.len(), list.token(count)), (count, None), "{name}");
                    assert_eq!(tokens, list.tokens(), "{name}");
                    assert!(tokens.iter().all(|token| list.contains(token)), "{name}");
                    tokens.sort_unstable();
                    assert_eq!(game.query("legalmoves", &[]), Ok(tokens.join(" ")), "{name}");
                }
                let query = if turn.is_chance() { "throw" } else { "random" };
                let token = game.query(query, &[seed.to_string()]).expect(name);
                game.play(&token).expect(name);
            }
        }
    }
}
