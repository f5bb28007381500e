//! Many whole games: no contradiction between referee and views, and the generic properties.

use parlor::game::{Chance, Chances, Game, MoveListing, Notation, Random, Rules};
use parlor::games::barbarossa::{Move, Position, Secret};

use super::driver::{choose, extent, options, random_options};
use super::views::check_game;
use crate::properties;

/// One state of sixteen is compared in full. Set `BARBAROSSA_GAMES=10000` for a longer run.
#[test]
fn random_games_of_every_size_end_without_contradiction() {
    let games = std::env::var("BARBAROSSA_GAMES").ok().and_then(|text| text.parse().ok());
    let games: u64 = games.unwrap_or(extent(40, 400));
    let mut states = 0;
    for game in 0..games {
        let players = ["3", "4", "5", "6", "duel"][game as usize % 5];
        states += check_game(players, 1_000_000 + game, 16);
    }
    println!("{games} games, {states} states of referee and views compared");
}

#[test]
fn every_position_of_a_walk_has_the_common_properties() {
    for (seed, players) in ["3", "4", "5", "6", "duel"].iter().enumerate() {
        let mut random = Random::new(77 + seed as u64);
        let options = random_options(players, &mut random);
        let mut position = Position::start(&options, None).unwrap();
        let mut step = 0;
        while let Some(m) = choose(&position, &mut random) {
            if step % 23 == 0 {
                properties::check_position(&position, &options);
            }
            position.play(&m);
            step += 1;
        }
        properties::check_position(&position, &options);
    }
}

#[test]
fn throws_follow_from_the_seed_alone() {
    let options = options(&[("JudgeNoise", "8")]);
    let mut position = Position::start(&options, None).unwrap();
    assert_eq!((position.move_listing(), position.chances()), (MoveListing::Many, Chances::Many));
    // splitmix64(7) of the reference generator, upper half.
    let token = (parlor::game::splitmix64(7) >> 32) as u32;
    assert_eq!(position.throw(7), Some(Move::Judge(Secret::Known(token))));
    position.play(&position.throw(7).unwrap());
    let deal = position.throw(99).unwrap();
    assert_eq!(position.throw(99), Some(deal.clone()));
    assert_ne!(position.throw(100), Some(deal.clone()));
    position.play(&deal);
    // The same seed again: the words dealt already are drawn again, so all are distinct.
    let next = position.throw(99).unwrap();
    assert!(position.is_legal(&next));
    let words = |m: &Move| position.token(m).rsplit(':').next().unwrap().to_string();
    let (first, second) = (words(&deal), words(&next));
    assert!(second.split(',').all(|word| !first.split(',').any(|other| other == word)));
}
