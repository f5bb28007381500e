//! The laws of pictures and steps, on random games under every rule set.

use parlor::game::picture::check_laws;
use parlor::game::{Picture, Random, rule_sets};

/// Walks random games and checks the laws on every position; returns how many there were.
fn walk<G: Picture>(games: u64, plies: usize, limit: usize) -> u64 {
    let mut positions = 0;
    for rules in rule_sets::<G>() {
        for game in 0..games {
            let mut random = Random::new(game);
            let mut position = G::start(&rules, None).unwrap();
            for _ in 0..plies {
                if let Err(error) = check_laws(&position, limit) {
                    panic!("{error}\nin {position}");
                }
                positions += 1;
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
            }
        }
    }
    positions
}

#[test]
fn porrika() {
    assert!(walk::<parlor::games::porrika::Position>(2, 60, 400) > 500);
}

#[test]
fn barca() {
    assert!(walk::<parlor::games::barca::Position>(10, 80, 400) > 500);
}

#[test]
fn pacru() {
    assert!(walk::<parlor::games::pacru::Position>(1, 40, 300) > 200);
}

#[test]
fn chowka_bhara() {
    assert!(walk::<parlor::games::chowka_bhara::Position>(1, 60, 300) > 1_000);
}
