//! The rule options of a game, and its start.

use super::{Game, NotationError, OptionSpec, OptionValues, Seat};

/// The rule options of a game and the position it starts from.
pub trait Rules: Game {
    /// The options that change the rules. A position keeps their values from the start.
    fn rule_options() -> Vec<OptionSpec>;

    /// The starting position, as `viewer` may see it.
    fn start(rules: &OptionValues, viewer: Option<Seat>) -> Result<Self, NotationError>;

    /// The rule options of this position with their values, in declared order.
    fn rules(&self) -> Vec<(&'static str, String)>;

    /// All rule options at their defaults.
    #[must_use]
    fn default_rules() -> OptionValues {
        OptionValues::new(Self::rule_options())
    }
}
