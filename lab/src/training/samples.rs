//! Samples for training, and others held out for validation.

/// The samples of some games. Those of every n-th game are held out, whole games at a time: the
/// positions of one game are too alike to test each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Samples<S> {
    /// What is learned from.
    pub training: Vec<S>,
    /// What only measures the error.
    pub validation: Vec<S>,
}

impl<S> Samples<S> {
    /// The samples that `add` appends for each game. The first game and every `hold_out`-th after
    /// it are held out; with 0 none is.
    pub fn of_games<G>(
        games: impl IntoIterator<Item = G>,
        hold_out: usize,
        mut add: impl FnMut(G, &mut Vec<S>),
    ) -> Self {
        let mut samples = Samples { training: Vec::new(), validation: Vec::new() };
        for (number, game) in games.into_iter().enumerate() {
            let held_out = hold_out > 0 && number % hold_out == 0;
            add(game, if held_out { &mut samples.validation } else { &mut samples.training });
        }
        samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_game_is_held_out_with_all_its_samples() {
        let add = |game: u32, list: &mut Vec<_>| list.extend([10 * game, 10 * game + 1]);
        let samples = Samples::of_games(0..5, 3, add);
        assert_eq!(samples.validation, [0, 1, 30, 31]);
        assert_eq!(samples.training, [10, 11, 20, 21, 40, 41]);
        assert!(Samples::of_games(0..5, 0, add).validation.is_empty());
    }
}
