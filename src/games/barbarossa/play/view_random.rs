//! Random numbers that tell nothing of what was seen under another view.

use crate::game::{Hidden, Random, Seat};
use crate::games::barbarossa::rules::position::Position;

/// The random numbers of a player, which begin anew with every change of the view. How many were
/// drawn may depend on words that another view hides.
#[derive(Clone, Debug)]
pub(super) struct ViewRandom {
    seed: u64,
    viewer: Option<Seat>,
    random: Random,
}

impl ViewRandom {
    pub(super) fn new(seed: u64) -> Self {
        ViewRandom { seed, viewer: None, random: Random::new(seed) }
    }

    /// The numbers for a choice in this position.
    pub(super) fn of(&mut self, position: &Position) -> &mut Random {
        if self.viewer != position.viewer() {
            *self = ViewRandom { viewer: position.viewer(), ..ViewRandom::new(self.seed) };
        }
        &mut self.random
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{OptionValues, Rules};

    #[test]
    fn numbers_of_one_view_do_not_depend_on_another() {
        let options = OptionValues::new(Position::rule_options());
        let view = |viewer| Position::start(&options, viewer).expect("a start");
        let (full, seen) = (view(None), view(Some(Seat::new(1))));
        let (mut one, mut other) = (ViewRandom::new(7), ViewRandom::new(7));
        (0..5).for_each(|_| {
            one.of(&full).next();
        });
        other.of(&full).next();
        let (a, b) = (one.of(&seen).next(), other.of(&seen).next());
        assert_eq!(a, b);
        assert_ne!(one.of(&seen).next(), a, "the same view goes on");
    }
}
