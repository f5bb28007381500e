//! Random positions for tests of searches.

use parlor::game::{Game, Random, Situation};

/// A situation some random moves into a game; not over.
pub fn wander<G: Game>(start: &G, seed: u64, plies: u64) -> Situation<G> {
    let mut random = Random::new(seed);
    let mut situation = Situation::new(start.clone());
    for _ in 0..random.below(plies + 1) {
        let Some(m) = situation.position().random_move(&mut random) else { break };
        let mut next = situation.clone();
        next.play(&m);
        if next.turn().is_over() {
            break;
        }
        situation = next;
    }
    situation
}
