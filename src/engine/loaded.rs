//! The position on which an engine stands, and the rules that its options ask for.

use super::current_position::{CurrentPosition, load, max_plies, rule_values};
use super::interface::{MoveCounts, SetError};
use super::{options, picture, query};
use crate::game::{OptionSpec, OptionValues};
use crate::games::Playable;
use crate::protocol::{Code, PositionArgument, ProtocolError};
use crate::search::Control;

/// What an engine needs to answer for a position.
pub(super) struct Loaded<G: Playable> {
    pub(super) options: OptionValues,
    pub(super) current: CurrentPosition<G>,
    /// The last position was refused.
    pub(super) stale: bool,
    /// Whether an option was set since the last position: only then can its rules be others.
    pub(super) options_changed: bool,
}

impl<G: Playable> Loaded<G> {
    /// The starting position, all options at their defaults.
    ///
    /// # Panics
    /// If a game refuses its own default rules.
    pub(super) fn new(specs: Vec<OptionSpec>) -> Self {
        let options = OptionValues::new(specs);
        let current = load::<G>(&PositionArgument::default(), &options)
            .unwrap_or_else(|error| unreachable!("the default start of {}: {error}", G::NAME));
        Loaded { options, current, stale: false, options_changed: false }
    }

    /// Whether a position was loaded under the rules that the options ask for now.
    pub(super) fn has_rules_of(&self, loaded: &CurrentPosition<G>) -> bool {
        rule_values::<G>(&self.options) == loaded.rules
            && max_plies(&self.options) == loaded.max_plies
    }

    /// Sets an option; rules hold from the next position on.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        self.options.set(name, value)?;
        self.options_changed = true;
        Ok(())
    }

    fn refuse(&mut self, error: ProtocolError) -> Result<(), ProtocolError> {
        self.stale = true;
        Err(error)
    }

    /// Loads a position; where it only goes on from the last one, what is new is played.
    pub(super) fn set_position(
        &mut self,
        argument: &PositionArgument,
    ) -> Result<(), ProtocolError> {
        let old = &self.current;
        let continues = !self.stale
            && old.argument.root == argument.root
            && old.argument.view == argument.view
            && argument.moves.starts_with(&old.argument.moves)
            && (!self.options_changed || self.has_rules_of(old));
        let set = if continues {
            let from = old.argument.moves.len();
            self.current.extend(&argument.moves[from..])
        } else {
            load(argument, &self.options).map(|loaded| self.current = loaded)
        };
        match set {
            Ok(()) => {
                (self.stale, self.options_changed) = (false, false);
                Ok(())
            }
            Err(error) => self.refuse(error),
        }
    }

    /// Plays on.
    pub(super) fn append_moves(&mut self, tokens: &[String]) -> Result<(), ProtocolError> {
        if self.stale {
            let text = "the last position was refused; moves need a position to stand on";
            return Err(ProtocolError::new(Code::Stale, text));
        }
        match self.current.extend(tokens) {
            Ok(()) => Ok(()),
            Err(error) => self.refuse(error),
        }
    }

    /// What the last move was understood to mean, where its text leaves that open.
    pub(super) fn interpretation(&self) -> Option<String> {
        let (before, last) = (self.current.before.as_ref()?, self.current.moves.last()?);
        before.interpretation(last)
    }

    /// The answer to a query.
    pub(super) fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError> {
        query::answer(&self.current, self.stale, name, arguments)
    }

    /// The board as a diagram, with position text, key and turn.
    pub(super) fn draw(&self) -> String {
        let situation = &self.current.situation;
        let position = situation.position();
        let unicode = options::DIAGRAM.get(&self.options);
        let standing = match (situation.outcome(), situation.reason()) {
            (Some(outcome), reason) => {
                let places: Vec<_> = outcome.places().iter().map(u8::to_string).collect();
                format!("result: {} (places {})", reason.unwrap_or("over"), places.join(" "))
            }
            (None, _) => format!("turn: {}", situation.turn()),
        };
        let stale = if self.stale { "\nstale: the last position was refused" } else { "" };
        format!(
            "{}\n\nfen: {position}\nkey: {:016x}\n{standing}{stale}",
            picture::diagram(&self.current, unicode),
            position.key()
        )
    }

    /// Perft of every move; `None` if it was stopped.
    pub(super) fn perft(
        &self,
        depth: u32,
        bulk: bool,
        control: &Control,
    ) -> Result<Option<MoveCounts>, ProtocolError> {
        if self.stale {
            return Err(query::stale());
        }
        self.current.perft(depth, bulk, &|| control.asked_to_stop())
    }
}
